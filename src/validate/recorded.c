#include "validate/recorded.h"

#include "base/file.h"
#include "output/formats.h"
#include "output/paths.h"
#include "scene/include.h"

#include <math.h>
#include <string.h>

enum { MOST_ENTRIES = 4096 };

static const bl_key number_key = {"number", BL_KEY_NUMBER, .example = "0.02"};

static double member(bl_reader *r, const bl_node *map, const char *key) {
    const bl_pair *pair = bl_node_find(map, key);
    double value = (double)NAN;
    if (pair && !(pair->value->kind == BL_NODE_SCALAR && strcmp(pair->value->text, "failed") == 0))
        bl_read_number(r, &number_key, pair->value, &value);
    return value;
}

static const char *copy_key(bl_reader *r, const bl_pair *pair) {
    char *copy = bl_arena_text(r->memory, pair->key, strlen(pair->key));
    r->no_memory |= !copy;
    return copy;
}

/* scheme: {run: {figure: {error, scatter}}} */
static void read_run(bl_reader *r, const bl_pair *scheme, const bl_pair *run, bl_case *out) {
    for (int k = 0; run->value->kind == BL_NODE_MAP && k < run->value->count; k++) {
        const bl_pair *figure = &run->value->pairs[k];
        if (out->recorded_count == MOST_ENTRIES || figure->value->kind != BL_NODE_MAP) {
            bl_diag_add(r->diags, BL_DIAG_ERROR, figure->place, "expected {error: NUMBER, scatter: NUMBER}");
            return;
        }
        double scatter = member(r, figure->value, "scatter");
        out->recorded[out->recorded_count++] =
            (bl_recorded){copy_key(r, scheme), copy_key(r, run), copy_key(r, figure), member(r, figure->value, "error"),
                          isnan(scatter) ? 0 : scatter};
    }
}

void bl_recorded_read(bl_reader *r, const char *path, const char *text, size_t size, bl_case *out) {
    const bl_source *source = bl_add_source(r, path, text, size);
    bl_node *root = source ? bl_load_document(r, source) : NULL;
    if (!root) return;
    out->recorded = bl_reader_take(r, MOST_ENTRIES, sizeof *out->recorded);
    for (int s = 0; out->recorded && s < root->count; s++) {
        const bl_pair *scheme = &root->pairs[s];
        for (int k = 0; scheme->value->kind == BL_NODE_MAP && k < scheme->value->count; k++)
            read_run(r, scheme, &scheme->value->pairs[k], out);
    }
}

const bl_recorded *bl_case_find_recorded(const bl_case *c, const char *scheme, const char *run, const char *figure) {
    for (int k = 0; k < c->recorded_count; k++) {
        const bl_recorded *r = &c->recorded[k];
        if (strcmp(r->scheme, scheme) == 0 && strcmp(r->run, run) == 0 && strcmp(r->figure, figure) == 0) return r;
    }
    return NULL;
}

/* --- writing --- */

static bool same_place(const bl_recorded *a, const bl_recorded *b) {
    return strcmp(a->scheme, b->scheme) == 0 && strcmp(a->run, b->run) == 0 && strcmp(a->figure, b->figure) == 0;
}

/* The old entries with the new ones over them, in `all`; entries of a scheme and of a run stand together. */
static int merge(const bl_case *c, const bl_recorded *entries, int count, bl_recorded *all) {
    int n = c->recorded_count;
    if (n) memcpy(all, c->recorded, (size_t)n * sizeof *all);
    for (int k = 0; k < count; k++) {
        int at = 0;
        while (at < n && !same_place(&all[at], &entries[k])) at++;
        if (at < n) {
            all[at] = entries[k];
            continue;
        }
        /* behind the last entry of its run, else of its scheme, else at the end */
        int place = n;
        for (int j = 0; j < n; j++)
            if (strcmp(all[j].scheme, entries[k].scheme) == 0) place = j + 1;
        for (int j = 0; j < n; j++)
            if (strcmp(all[j].scheme, entries[k].scheme) == 0 && strcmp(all[j].run, entries[k].run) == 0) place = j + 1;
        memmove(all + place + 1, all + place, (size_t)(n - place) * sizeof *all);
        all[place] = entries[k];
        n++;
    }
    return n;
}

static void write_entries(FILE *file, const bl_recorded *all, int count) {
    fprintf(file, "# Figures reached, and their standard deviation over seeds: `beadlet validate --record`.\n");
    for (int k = 0; k < count; k++) {
        bool new_scheme = k == 0 || strcmp(all[k].scheme, all[k - 1].scheme) != 0;
        if (new_scheme) fprintf(file, "%s:\n", all[k].scheme);
        if (new_scheme || strcmp(all[k].run, all[k - 1].run) != 0) fprintf(file, "  %s:\n", all[k].run);
        if (isnan(all[k].error))
            fprintf(file, "    %s: {error: failed}\n", all[k].figure);
        else
            fprintf(file, "    %s: {error: %.3g, scatter: %.2g}\n", all[k].figure, all[k].error, all[k].scatter);
    }
}

bl_status bl_case_record(bl_context *ctx, const bl_case *c, const bl_recorded *entries, int count) {
    bl_recorded *all = bl_alloc(ctx, (size_t)c->recorded_count + (size_t)count, sizeof *all);
    char *path = bl_path_make(ctx, "%s/recorded.yaml", c->dir);
    bl_outfile file;
    bl_status status = all && path ? bl_outfile_open(ctx, path, &file) : BL_ERR_MEMORY;
    if (status == BL_OK) {
        write_entries(file.stream, all, merge(c, entries, count, all));
        status = bl_outfile_commit(ctx, &file);
    }
    bl_release(ctx, all);
    bl_release(ctx, path);
    return status;
}
