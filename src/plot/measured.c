#include "plot/measured.h"
#include "base/file.h"
#include "base/text.h"
#include "beadlet/measure.h"
#include "scene/yaml.h"

#include <libfyaml.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table that grows by rows whose columns are known only when they come. */
typedef struct table {
    bl_context *ctx;
    bl_series *series;
    size_t capacity; /* rows */
    const char *group;
} table;

static bl_status add_column(table *t, const char *name, int *index) {
    bl_series *s = t->series;
    const size_t old = (size_t)s->column_count;
    char **names = bl_grow(t->ctx, s->names, old, old + 1, sizeof *names);
    if (!names) return BL_ERR_MEMORY;
    s->names = names;
    double **columns = bl_grow(t->ctx, s->columns, old, old + 1, sizeof *columns);
    if (!columns) return BL_ERR_MEMORY;
    s->columns = columns;
    s->column_count++;
    names[old] = bl_strdup(t->ctx, name);
    columns[old] = bl_alloc(t->ctx, t->capacity, sizeof **columns);
    if (!names[old] || !columns[old]) return BL_ERR_MEMORY;
    for (size_t r = 0; r < t->capacity; r++) columns[old][r] = (double)NAN;
    *index = (int)old;
    return BL_OK;
}

static bl_status add_row(table *t) {
    bl_series *s = t->series;
    if (s->row_count == t->capacity) {
        const size_t capacity = t->capacity ? 2 * t->capacity : 64;
        for (int c = 0; c < s->column_count; c++) {
            double *grown = bl_grow(t->ctx, s->columns[c], t->capacity, capacity, sizeof *grown);
            if (!grown) return BL_ERR_MEMORY;
            for (size_t r = t->capacity; r < capacity; r++) grown[r] = (double)NAN;
            s->columns[c] = grown;
        }
        t->capacity = capacity;
    }
    s->row_count++;
    return BL_OK;
}

/* Into the last row. */
static bl_status put(table *t, const char *name, double value) {
    int index = 0;
    while (index < t->series->column_count && strcmp(t->series->names[index], name) != 0) index++;
    bl_status status = index < t->series->column_count ? BL_OK : add_column(t, name, &index);
    if (!status) t->series->columns[index][t->series->row_count - 1] = value;
    return status;
}

static double number_of(struct fy_node *scalar) {
    const char *text = fy_node_get_scalar0(scalar);
    char *end = NULL;
    const double value = text ? strtod(text, &end) : 0;
    return text && end != text && !*end ? value : (double)NAN;
}

static bl_status put_node(table *t, const char *name, struct fy_node *node);

/* "name.key", or the key alone at the top. Groups stand before all but the frame and its time. */
static bl_status put_member(table *t, const char *name, const char *key, struct fy_node *value) {
    bl_text full = bl_text_make(t->ctx);
    const bool common = strcmp(key, "frame") == 0 || strcmp(key, "time") == 0;
    if (*name)
        bl_text_add(&full, "%s.", name);
    else if (t->group && !common)
        bl_text_add(&full, "%s.", t->group);
    bl_text_add(&full, "%s", key);
    bl_status status = full.failed ? BL_ERR_MEMORY : put_node(t, bl_text_str(&full), value);
    bl_text_clear(&full);
    return status;
}

static bl_status put_node(table *t, const char *name, struct fy_node *node) {
    bl_status status = BL_OK;
    void *at = NULL;
    if (fy_node_is_mapping(node)) {
        struct fy_node_pair *pair;
        while (!status && (pair = fy_node_mapping_iterate(node, &at)))
            status = put_member(t, name, fy_node_get_scalar0(fy_node_pair_key(pair)), fy_node_pair_value(pair));
    } else if (fy_node_is_sequence(node)) {
        static const char *const axes[] = {"x", "y", "z"};
        struct fy_node *item;
        char key[16];
        for (int k = 0; !status && (item = fy_node_sequence_iterate(node, &at)); k++) {
            snprintf(key, sizeof key, "%d", k);
            status = put_member(t, name, k < 3 ? axes[k] : key, item);
        }
    } else {
        status = put(t, name, number_of(node));
    }
    return status;
}

static bl_status put_object(table *t, struct fy_node *node) {
    bl_status status = add_row(t);
    return status ? status : put_node(t, "", node);
}

/* The objects of a JSON text; *valid is false when it is none, or holds anything else at the top. */
static bl_status put_json(table *t, const char *text, size_t size, bool *valid) {
    struct fy_diag *diag = bl_yaml_silent_diag();
    const struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_JSON_FORCE, .diag = diag};
    struct fy_document *document = diag ? fy_document_build_from_string(&cfg, text, size) : NULL;
    struct fy_node *root = document ? fy_document_root(document) : NULL, *item;
    bl_status status = BL_OK;
    void *at = NULL;
    *valid = root && (fy_node_is_mapping(root) || fy_node_is_sequence(root));
    if (*valid && fy_node_is_mapping(root)) status = put_object(t, root);
    while (*valid && !status && fy_node_is_sequence(root) && (item = fy_node_sequence_iterate(root, &at))) {
        *valid = fy_node_is_mapping(item);
        if (*valid) status = put_object(t, item);
    }
    fy_document_destroy(document);
    if (diag) fy_diag_destroy(diag);
    return status;
}

/* An object a line; *valid is false at the first that is none, *line is its number. */
static bl_status put_lines(table *t, const char *text, bool *valid, size_t *line) {
    bl_status status = BL_OK;
    *valid = true;
    *line = 0;
    while (*text && !status && *valid) {
        const size_t length = strcspn(text, "\n");
        const bool complete = text[length] == '\n', blank = strspn(text, " \t\r\n") >= length;
        ++*line;
        if (!blank) status = put_json(t, text, length, valid);
        if (!*valid && !complete && *line > 1) { /* still being written */
            *valid = true;
            break;
        }
        text += length + complete;
    }
    return status;
}

bl_status bl_measured_read(bl_context *ctx, const char *path, bl_series *out) {
    *out = (bl_series){.ctx = ctx};
    table t = {.ctx = ctx, .series = out};
    char *text;
    size_t size, line;
    bool valid;
    bl_status status = bl_file_read(ctx, path, &text, &size);
    if (status) return status;
    status = put_lines(&t, text, &valid, &line);
    if (!status && !valid && line == 1) status = put_json(&t, text, size, &valid); /* one object over many lines */
    if (!status && !valid)
        status = bl_fail(ctx, BL_ERR_DATA,
                         "%s:%zu: expected JSON objects, one a line, as 'beadlet measure' prints them", path, line);
    if (!status && !out->row_count) status = bl_fail(ctx, BL_ERR_DATA, "%s: no measurements in it", path);
    bl_release(ctx, text);
    if (status) bl_series_clear(out);
    return status;
}

/* What the lines of a measurement go through. */
typedef struct receiver {
    table table;
    bl_status status;
} receiver;

static void receive(void *user, const char *line) {
    receiver *r = user;
    bool valid;
    if (!r->status) r->status = put_json(&r->table, line, strlen(line), &valid);
}

bl_status bl_measured_run(bl_context *ctx, const char *dir, const char *what, const char *fluid, bl_series *out) {
    *out = (bl_series){.ctx = ctx};
    bl_measure_options options = bl_default_measure_options();
    options.first = BL_FRAME_ALL;
    options.fluid = fluid;
    /* with "all" the groups are objects of their own, named already */
    receiver r = {.table = {.ctx = ctx, .series = out, .group = strcmp(what, "all") != 0 ? what : NULL}};
    bl_status status = bl_measure(ctx, what, dir, &options, receive, &r);
    if (!status) status = r.status;
    if (status) bl_series_clear(out);
    return status;
}
