/* All cases: found, run, judged, written. */
#include "beadlet/validate.h"

#include "base/file.h"
#include "output/paths.h"
#include "schemes/scheme.h"
#include "validate/pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bl_validate_def bl_default_validate_def(void) { return (bl_validate_def){.seeds = 1, .directory = "out/validate"}; }

/* --- finding cases --- */

typedef struct names {
    bl_context *ctx;
    const char *folder;
    int count, capacity;
    char **items;
} names;

static void names_clear(names *n) {
    for (int k = 0; k < n->count; k++) bl_release(n->ctx, n->items[k]);
    if (n->ctx) bl_release(n->ctx, n->items);
    *n = (names){0};
}

static bl_status visit(void *user, const char *file) {
    names *n = user;
    char *path = bl_path_make(n->ctx, "%s/%s/case.yaml", n->folder, file);
    if (!path) return BL_ERR_MEMORY;
    bool is_case = bl_file_exists(path);
    bl_release(n->ctx, path);
    if (!is_case) return BL_OK;
    if (n->count == n->capacity) {
        int capacity = n->capacity ? 2 * n->capacity : 32;
        char **items = bl_grow(n->ctx, n->items, (size_t)n->count, (size_t)capacity, sizeof *items);
        if (!items) return BL_ERR_MEMORY;
        n->items = items;
        n->capacity = capacity;
    }
    n->items[n->count] = bl_strdup(n->ctx, file);
    return n->items[n->count++] ? BL_OK : BL_ERR_MEMORY;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The folder given, else "cases" here, else the installed one. */
static const char *choose_folder(const char *given) {
    if (given) return given;
    return bl_file_exists("cases") ? "cases" : BL_INSTALLED_CASES;
}

static bl_status find_cases(bl_context *ctx, const char *folder, names *out) {
    *out = (names){.ctx = ctx, .folder = folder};
    bl_status status = bl_dir_visit(ctx, folder, visit, out);
    if (status == BL_OK && out->count == 0)
        status = bl_fail(ctx, BL_ERR_NO_INPUT,
                         "%s: no cases here; expected folders with a case.yaml (--cases says where they are)", folder);
    if (out->count) qsort(out->items, (size_t)out->count, sizeof *out->items, by_name);
    return status;
}

static bool is_wanted(const bl_validate_def *def, const char *name) {
    for (int k = 0; k < def->name_count; k++)
        if (strcmp(def->names[k], name) == 0) return true;
    return def->name_count == 0;
}

static bl_status check_names(bl_context *ctx, const bl_validate_def *def, const names *found) {
    for (int k = 0; k < def->name_count; k++) {
        int at = 0;
        while (at < found->count && strcmp(found->items[at], def->names[k]) != 0) at++;
        if (at == found->count)
            return bl_fail(ctx, BL_ERR_USAGE, "there is no case \"%s\" in %s; `beadlet validate --list` shows them",
                           def->names[k], found->folder);
    }
    return BL_OK;
}

static bl_status load_cases(bl_results *r, const names *found) {
    r->cases = bl_alloc(r->ctx, (size_t)found->count, sizeof *r->cases);
    bl_status status = r->cases ? BL_OK : BL_ERR_MEMORY;
    for (int k = 0; k < found->count && status == BL_OK; k++) {
        if (!is_wanted(r->def, found->items[k])) continue;
        char *dir = bl_path_make(r->ctx, "%s/%s", found->folder, found->items[k]);
        status = dir ? bl_case_load(r->ctx, dir, &r->cases[r->case_count].c) : BL_ERR_MEMORY;
        bl_release(r->ctx, dir);
        if (status == BL_OK) r->case_count++;
    }
    return status;
}

/* --- running --- */

static bool is_chosen(const bl_validate_def *def, const bl_case_run *run) {
    return def->full || run->size == BL_CASE_QUICK;
}

static int count_runs(const bl_results *r) {
    int count = 0;
    for (int k = 0; k < r->case_count; k++)
        for (int i = 0; i < r->cases[k].c.run_count; i++) count += is_chosen(r->def, &r->cases[k].c.runs[i]);
    return count * r->scheme_count;
}

static bl_status run_case(bl_results *r, bl_case_result *result, bl_validate_stage *stage) {
    bl_case *c = &result->c;
    bl_status status = BL_OK;
    result->outcomes = bl_alloc(r->ctx, (size_t)r->scheme_count * (size_t)c->run_count, sizeof *result->outcomes);
    if (!result->outcomes) return BL_ERR_MEMORY;
    result->scheme_count = r->scheme_count;
    stage->case_name = c->name;
    for (int s = 0; s < r->scheme_count; s++) {
        result->run_count = 0;
        for (int i = 0; i < c->run_count && status == BL_OK; i++) {
            if (!is_chosen(r->def, &c->runs[i])) continue;
            bl_outcome *o = &result->outcomes[result->outcome_count++];
            *o = (bl_outcome){.c = c, .run = &c->runs[i], .scheme = r->schemes[s]};
            stage->run = o->run->name;
            stage->scheme = o->scheme;
            stage->number++;
            status = bl_outcome_make(r->ctx, r->def, stage, o);
            result->run_count++;
        }
    }
    return status == BL_OK ? bl_judge_case(r->ctx, result) : status;
}

static void count_rows(bl_results *r, const bl_case_result *result) {
    for (int k = 0; k < result->row_count; k++) {
        if (!result->rows[k].figure) continue;
        r->totals.counts[result->rows[k].verdict]++;
        if (r->def->row) r->def->row(r->def->user, &result->rows[k]);
    }
}

static bl_status record_case(bl_results *r, const bl_case_result *result) {
    bl_recorded *entries = bl_alloc(r->ctx, (size_t)result->row_count, sizeof *entries);
    if (!entries) return BL_ERR_MEMORY;
    int count = 0;
    for (int k = 0; k < result->row_count; k++) {
        const bl_validate_row *row = &result->rows[k];
        if (!row->figure) continue;
        const bl_recorded *old = bl_case_find_recorded(&result->c, row->scheme, row->run, row->figure);
        double scatter = r->def->seeds > 1 ? row->scatter : old ? old->scatter : 0; /* one run has no scatter */
        entries[count++] = (bl_recorded){row->scheme, row->run, row->figure, row->error, scatter};
    }
    bl_status status = bl_case_record(r->ctx, &result->c, entries, count);
    bl_release(r->ctx, entries);
    return status;
}

static bl_status run_all(bl_results *r) {
    bl_validate_stage stage = {.count = count_runs(r)};
    bl_status status = BL_OK;
    int done = 0;
    for (; done < r->case_count && status == BL_OK; done++) {
        status = run_case(r, &r->cases[done], &stage);
        if (status != BL_OK) break;
        count_rows(r, &r->cases[done]);
        if (r->def->record) status = record_case(r, &r->cases[done]);
    }
    /* An interrupted call leaves a page of the cases that are done. */
    int all = r->case_count;
    r->case_count = done;
    bl_status written = BL_OK;
    if (status == BL_OK || status == BL_INTERRUPTED) {
        if (r->def->json) written = bl_results_write_json(r, r->def->json);
        if (written == BL_OK && r->def->html) written = bl_results_write_html(r, r->def->html);
    }
    r->case_count = all;
    return status == BL_OK ? written : status;
}

static void results_clear(bl_results *r) {
    for (int k = 0; r->cases && k < r->case_count; k++) {
        bl_case_result *result = &r->cases[k];
        for (int o = 0; o < result->outcome_count; o++) bl_outcome_clear(r->ctx, &result->outcomes[o]);
        bl_release(r->ctx, result->outcomes);
        bl_release(r->ctx, result->rows);
        bl_case_clear(&result->c);
    }
    bl_release(r->ctx, r->cases);
}

static bl_status check_def(bl_context *ctx, const bl_results *r) {
    if (r->def->seeds < 1 || r->def->seeds > 1000)
        return bl_fail(ctx, BL_ERR_USAGE, "validate: found %d seeds, expected 1 to 1000", r->def->seeds);
    for (int s = 0; s < r->scheme_count; s++) {
        int k = 0;
        while (bl_scheme_at(k) && strcmp(bl_scheme_at(k)->name, r->schemes[s]) != 0) k++;
        if (!bl_scheme_at(k)) return bl_fail(ctx, BL_ERR_USAGE, "there is no scheme \"%s\"", r->schemes[s]);
    }
    return BL_OK;
}

bl_status bl_validate(bl_context *ctx, const bl_validate_def *def, bl_validate_result *result) {
    static const char *const standard[] = {"unified"};
    bl_results r = {.ctx = ctx, .def = def, .scheme_count = 1, .schemes = standard};
    if (def->scheme_count > 0) r.scheme_count = def->scheme_count, r.schemes = def->schemes;
    names found = {0};
    bl_status status = check_def(ctx, &r);
    if (status == BL_OK) status = find_cases(ctx, choose_folder(def->cases), &found);
    if (status == BL_OK) status = check_names(ctx, def, &found);
    if (status == BL_OK) status = load_cases(&r, &found);
    if (status == BL_OK) status = run_all(&r);
    if (result) *result = r.totals;
    names_clear(&found);
    results_clear(&r);
    return status;
}

bl_status bl_validate_list(bl_context *ctx, const char *cases, bl_case_fn fn, void *user) {
    names found = {0};
    bl_validate_def def = bl_default_validate_def();
    bl_results r = {.ctx = ctx, .def = &def};
    bl_status status = find_cases(ctx, choose_folder(cases), &found);
    if (status == BL_OK) status = load_cases(&r, &found);
    for (int k = 0; k < r.case_count && status == BL_OK; k++)
        fn(user, r.cases[k].c.name, r.cases[k].c.title, r.cases[k].c.law);
    names_clear(&found);
    results_clear(&r);
    return status;
}
