/* case.yaml to a bl_case, by the machinery that reads scenes. */
#include "validate/case.h"

#include "base/file.h"
#include "output/paths.h"
#include "scene/include.h"
#include "validate/recorded.h"

#include <string.h>

static const char *const error_kinds[] = {"ratio", "difference", NULL};
static const char *const sizes[] = {"quick", "full", NULL};
static const char *const summary_kinds[] = {"spread", "mean", "half_swing", "exponent", "ratio", "difference", NULL};

static char *copy_text(bl_reader *r, const char *text) {
    char *copy = bl_arena_text(r->memory, text, strlen(text));
    r->no_memory |= !copy;
    return copy;
}

#define TEXT_KEY(type, member, ...)                                                                                    \
    { #member, BL_KEY_TEXT, BL_AT(type, member), __VA_ARGS__ }

static const bl_key figure_keys[] = {
    TEXT_KEY(bl_case_figure, label, .flags = BL_KEY_REQUIRED, .example = "core pressure"),
    {"error", BL_KEY_CHOICE, BL_AT(bl_case_figure, error), .fallback = "ratio", .choices = error_kinds,
     .example = "ratio"},
    {"aim", BL_KEY_NUMBER, BL_AT(bl_case_figure, aim), .fallback = "-1", .example = "2 %"},
    {"margin", BL_KEY_NUMBER, BL_AT(bl_case_figure, margin), .flags = BL_KEY_REQUIRED, .range = BL_AT_LEAST(0),
     .example = "1 %"},
};
static const bl_section figure_section = {
    .title = "figures.NAME", BL_FIELDS(bl_case_figure, figure_keys), .name_offset = BL_AT(bl_case_figure, name)};

static const bl_key summary_keys[] = {
    TEXT_KEY(bl_case_summary, label, .flags = BL_KEY_REQUIRED, .example = "spread of the tension"),
    TEXT_KEY(bl_case_summary, of, .flags = BL_KEY_REQUIRED, .example = "core_pressure"),
    {"kind", BL_KEY_CHOICE, BL_AT(bl_case_summary, kind), .flags = BL_KEY_REQUIRED, .choices = summary_kinds,
     .example = "spread"},
    {"law", BL_KEY_NUMBER, BL_AT(bl_case_summary, law), .fallback = "0", .example = "0.25"},
    {"aim", BL_KEY_NUMBER, BL_AT(bl_case_summary, aim), .fallback = "-1", .example = "5 %"},
    {"margin", BL_KEY_NUMBER, BL_AT(bl_case_summary, margin), .flags = BL_KEY_REQUIRED, .range = BL_AT_LEAST(0),
     .example = "1 %"},
    {"runs", BL_KEY_META, .example = "[coarse, fine]"},
};

/* `runs`; the kinds that compare two runs need two. */
static void finish_summary(bl_reader *r, const bl_node *node, void *object) {
    bl_case_summary *summary = object;
    const bl_pair *runs = bl_node_find(node, "runs");
    bool two = summary->kind == BL_SUMMARY_RATIO || summary->kind == BL_SUMMARY_DIFFERENCE;
    int count = runs && runs->value->kind == BL_NODE_LIST ? runs->value->count : 0;
    if ((runs && !count) || (two && count != 2)) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, runs ? runs->place : node->place,
                    "runs: expected a list of %s, such as [coarse, fine]", two ? "two runs" : "runs");
        return;
    }
    summary->runs = bl_reader_take(r, (size_t)count, sizeof *summary->runs);
    for (int k = 0; summary->runs && k < count; k++) {
        const bl_node *item = runs->value->items[k];
        summary->runs[k] = copy_text(r, item->kind == BL_NODE_SCALAR ? item->text : "");
        summary->run_count = k + 1;
    }
}

static const bl_section summary_section = {.title = "summary.NAME",
                                           BL_FIELDS(bl_case_summary, summary_keys),
                                           .name_offset = BL_AT(bl_case_summary, name),
                                           .finish = finish_summary};

static void read_set(bl_reader *r, const bl_node *list, bl_case_run *run) {
    if (list->kind != BL_NODE_LIST) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, list->place, "set: found %s, expected a list such as [dimension=2]",
                    bl_node_kind_name(list));
        return;
    }
    run->set = bl_reader_take(r, (size_t)list->count, sizeof *run->set);
    for (int k = 0; run->set && k < list->count; k++) {
        const bl_node *item = list->items[k];
        if (item->kind != BL_NODE_SCALAR || !strchr(item->text, '='))
            bl_diag_add(r->diags, BL_DIAG_ERROR, item->place, "set: expected KEY=VALUE, as in 'spacing=2 mm'");
        else
            run->set[run->set_count++] = copy_text(r, item->text);
    }
}

static const bl_key number_key = {"number", BL_KEY_NUMBER, .example = "2"};

static void read_parameters(bl_reader *r, const bl_node *map, bl_case_run *run) {
    if (map->kind != BL_NODE_MAP) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, map->place, "parameters: found %s, expected a map such as {mode: 2}",
                    bl_node_kind_name(map));
        return;
    }
    run->parameter_names = bl_reader_take(r, (size_t)map->count, sizeof *run->parameter_names);
    run->parameters = bl_reader_take(r, (size_t)map->count, sizeof *run->parameters);
    for (int k = 0; !r->no_memory && k < map->count; k++) {
        run->parameter_names[k] = copy_text(r, map->pairs[k].key);
        bl_read_number(r, &number_key, map->pairs[k].value, &run->parameters[k]);
        run->parameter_count = k + 1;
    }
}

/* `set` and `parameters`, which the table has no types for. */
static void finish_run(bl_reader *r, const bl_node *node, void *object) {
    bl_case_run *run = object;
    const bl_pair *set = bl_node_find(node, "set"), *parameters = bl_node_find(node, "parameters");
    if (set) read_set(r, set->value, run);
    if (parameters) read_parameters(r, parameters->value, run);
    if (!run->label) run->label = run->name;
    if (!run->group) run->group = copy_text(r, "");
}

static const bl_key run_keys[] = {
    TEXT_KEY(bl_case_run, label, .example = "2D, R/h = 10"),
    TEXT_KEY(bl_case_run, group, .example = "2D"),
    {"x", BL_KEY_NUMBER, BL_AT(bl_case_run, x), .fallback = "0", .example = "10"},
    {"size", BL_KEY_CHOICE, BL_AT(bl_case_run, size), .fallback = "quick", .choices = sizes, .example = "full"},
    TEXT_KEY(bl_case_run, scene, .example = "drop.yaml"),
    {"set", BL_KEY_META, .example = "[dimension=2]"},
    {"aims", BL_KEY_META, .example = "{frequency: 2 %}"},
    {"parameters", BL_KEY_META, .example = "{mode: 3}"},
};
static const bl_section run_section = {.title = "runs.NAME",
                                       BL_FIELDS(bl_case_run, run_keys),
                                       .name_offset = BL_AT(bl_case_run, name),
                                       .finish = finish_run};

static int find_figure(const bl_case *c, const char *name) {
    for (int k = 0; k < c->figure_count; k++)
        if (strcmp(c->figures[k].name, name) == 0) return k;
    return -1;
}

/* The figures' aims, then what the run says otherwise ("none": no aim at all, "skip": no such figure). */
static void read_aims(bl_reader *r, const bl_case *c, const bl_node *aims, bl_case_run *run) {
    for (int k = 0; k < c->figure_count; k++) run->aims[k] = c->figures[k].aim;
    for (int k = 0; aims && aims->kind == BL_NODE_MAP && k < aims->count; k++) {
        const bl_pair *pair = &aims->pairs[k];
        int figure = find_figure(c, pair->key);
        if (figure < 0)
            bl_diag_add(r->diags, BL_DIAG_ERROR, pair->place, "aims: the case has no figure '%.60s'", pair->key);
        else if (pair->value->kind == BL_NODE_SCALAR && strcmp(pair->value->text, "none") == 0)
            run->aims[figure] = -1;
        else if (pair->value->kind == BL_NODE_SCALAR && strcmp(pair->value->text, "skip") == 0)
            run->skips[figure] = true;
        else
            bl_read_number(r, &number_key, pair->value, &run->aims[figure]);
    }
}

static bool has_run(const bl_case *c, const char *name) {
    for (int k = 0; k < c->run_count; k++)
        if (strcmp(c->runs[k].name, name) == 0) return true;
    return false;
}

static void check_summary(bl_reader *r, const bl_case *c, const bl_case_summary *summary, bl_place place) {
    if (summary->of && find_figure(c, summary->of) < 0)
        bl_diag_add(r->diags, BL_DIAG_ERROR, place, "summary.%s: the case has no figure '%.60s'", summary->name,
                    summary->of);
    for (int k = 0; k < summary->run_count; k++)
        if (summary->runs[k] && !has_run(c, summary->runs[k]))
            bl_diag_add(r->diags, BL_DIAG_ERROR, place, "summary.%s: the case has no run '%.60s'", summary->name,
                        summary->runs[k]);
}

static void finish_case(bl_reader *r, const bl_node *node, void *object) {
    bl_case *c = object;
    const bl_pair *figures = bl_node_find(node, "figures"), *runs = bl_node_find(node, "runs");
    if (figures && c->figure_count > BL_CASE_FIGURES) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, figures->place, "figures: found %d, at most %d are possible",
                    c->figure_count, BL_CASE_FIGURES);
        return;
    }
    for (int k = 0; runs && k < c->run_count; k++) {
        const bl_pair *aims = bl_node_find(runs->value->pairs[k].value, "aims");
        read_aims(r, c, aims ? aims->value : NULL, &c->runs[k]);
    }
    for (int k = 0; k < c->summary_count; k++)
        check_summary(r, c, &c->summaries[k], bl_node_find(node, "summary")->place);
}

static const bl_key case_keys[] = {
    TEXT_KEY(bl_case, title, .flags = BL_KEY_REQUIRED, .example = "Pressure in a drop"),
    TEXT_KEY(bl_case, law, .flags = BL_KEY_REQUIRED, .example = "p = 2 gamma/R"),
    TEXT_KEY(bl_case, source, .flags = BL_KEY_REQUIRED, .example = "Laplace 1805"),
    TEXT_KEY(bl_case, note, .example = "what to know about the figures"),
    TEXT_KEY(bl_case, scene, .flags = BL_KEY_REQUIRED, .example = "drop.yaml"),
    TEXT_KEY(bl_case, measure, .flags = BL_KEY_REQUIRED, .example = "drop"),
    TEXT_KEY(bl_case, sweep, .example = "R/h"),
    {"figures", BL_KEY_NAMED, BL_AT(bl_case, figures), .flags = BL_KEY_REQUIRED, .section = &figure_section,
     .count_offset = BL_AT(bl_case, figure_count), .example = "{core_pressure: {label: core pressure, margin: 1 %}}"},
    {"runs", BL_KEY_NAMED, BL_AT(bl_case, runs), .flags = BL_KEY_REQUIRED, .section = &run_section,
     .count_offset = BL_AT(bl_case, run_count), .example = "{coarse: {set: [spacing=2 mm]}}"},
    {"summary", BL_KEY_NAMED, BL_AT(bl_case, summaries), .section = &summary_section,
     .count_offset = BL_AT(bl_case, summary_count),
     .example = "{spread: {of: core_pressure, kind: spread, margin: 1 %}}"},
};
static const bl_section case_section = {.title = "a case", BL_FIELDS(bl_case, case_keys), .finish = finish_case};

static void read_case(bl_reader *r, const char *path, const char *text, size_t size, bl_case *out) {
    const bl_source *source = bl_add_source(r, path, text, size);
    bl_node *root = source ? bl_load_document(r, source) : NULL;
    if (!root) return;
    bl_place top = {source, 1, 1, 1};
    bl_read_section(r, &case_section, root, top, out);
}

/* Parse the file of a case with `read`: case.yaml or recorded.yaml. */
static bl_status load_file(bl_context *ctx, bl_case *out, const char *name,
                           void (*read)(bl_reader *, const char *, const char *, size_t, bl_case *)) {
    char *text = NULL, *path = bl_path_make(ctx, "%s/%s", out->dir, name);
    size_t size = 0;
    bl_diags *diags = bl_alloc(ctx, 1, sizeof *diags);
    bl_status status = path && diags ? bl_file_read(ctx, path, &text, &size) : BL_ERR_MEMORY;
    if (status == BL_OK) status = bl_arena_create(ctx, "case reader", &diags->arena);
    if (status == BL_OK) {
        diags->ctx = ctx;
        bl_reader reader = {.ctx = ctx, .memory = out->memory, .scratch = diags->arena, .diags = diags};
        read(&reader, path, text, size, out);
        status = bl_diags_report(diags, path);
        if (reader.no_memory) status = bl_fail(ctx, BL_ERR_MEMORY, "%s: out of memory", path);
        bl_arena_destroy(diags->arena);
    }
    bl_release(ctx, diags);
    bl_release(ctx, text);
    bl_release(ctx, path);
    return status;
}

static bl_status load_recorded(bl_context *ctx, bl_case *out) {
    char *path = bl_path_make(ctx, "%s/recorded.yaml", out->dir);
    if (!path) return BL_ERR_MEMORY;
    bool there = bl_file_exists(path);
    bl_release(ctx, path);
    return there ? load_file(ctx, out, "recorded.yaml", bl_recorded_read) : BL_OK;
}

bl_status bl_case_load(bl_context *ctx, const char *dir, bl_case *out) {
    *out = (bl_case){0};
    bl_arena *memory = NULL;
    bl_status status = bl_arena_create(ctx, "case", &memory);
    if (status != BL_OK) return status;
    const char *slash = strrchr(dir, '/');
    out->memory = memory;
    out->dir = bl_arena_text(memory, dir, strlen(dir));
    out->name = bl_arena_text(memory, slash ? slash + 1 : dir, strlen(slash ? slash + 1 : dir));
    status = out->dir && out->name ? load_file(ctx, out, "case.yaml", read_case) : BL_ERR_MEMORY;
    if (status == BL_OK) status = load_recorded(ctx, out);
    if (status != BL_OK) bl_case_clear(out);
    return status;
}

void bl_case_clear(bl_case *c) {
    bl_arena_destroy(c->memory);
    *c = (bl_case){0};
}
