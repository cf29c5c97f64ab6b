/* Which blocks exist, and their values. */
#include "surface/blocks.h"

#include "base/parallel.h"

#include <math.h>

#define MARGIN 1.25f /* a surface is no farther than this from such a particle */

/* A growing list of block keys. */
typedef struct key_list {
    bl_sort_item *items; /* only the keys matter */
    size_t count, capacity;
} key_list;

static bl_status add_key(bl_context *ctx, key_list *list, uint64_t key) {
    if (list->count > 0 && list->items[list->count - 1].key == key) return BL_OK; /* the usual repetition */
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 1024;
        bl_sort_item *const grown = bl_grow(ctx, list->items, list->capacity, capacity, sizeof *grown);
        if (!grown) return BL_ERR_MEMORY;
        list->items = grown, list->capacity = capacity;
    }
    list->items[list->count++].key = key;
    return BL_OK;
}

/* Sort and drop repetitions. */
static bl_status tidy_keys(bl_context *ctx, key_list *list) {
    const bl_status status = bl_sort_cells(ctx, list->items, list->count);
    if (status) return status;
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (n == 0 || list->items[i].key != list->items[n - 1].key) list->items[n++] = list->items[i];
    }
    list->count = n;
    return BL_OK;
}

static bl_status add_keys_around(bl_context *ctx, key_list *list, const float p[3], float edge) {
    int32_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (int32_t)floorf((p[a] - MARGIN) / edge);
        high[a] = (int32_t)floorf((p[a] + MARGIN) / edge);
    }
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++)
            for (int32_t x = low[0]; x <= high[0]; x++) {
                if (add_key(ctx, list, bl_cell_key(x, y, z))) return BL_ERR_MEMORY;
            }
    return BL_OK;
}

static bl_status seed_keys(bl_context *ctx, const bl_field *field, key_list *list) {
    const bl_bins *bins = &field->bins;
    const float edge = BL_BLOCK * field->cell;
    for (size_t i = 0; i < bins->count; i++) {
        if (!field->near[i]) continue;
        const float p[3] = {bins->x[i], bins->y[i], bins->z[i]};
        if (fabsf(p[0]) > edge * (BL_CELL_LIMIT - 64) || fabsf(p[1]) > edge * (BL_CELL_LIMIT - 64) ||
            fabsf(p[2]) > edge * (BL_CELL_LIMIT - 64))
            return bl_fail(ctx, BL_ERR_DATA, "cell %g: particle %u is too far from the origin for so small a cell",
                           field->input->options.cell, bins->source[i]);
        if (add_keys_around(ctx, list, p, edge)) return BL_ERR_MEMORY;
    }
    return BL_OK;
}

typedef struct evaluate_job {
    bl_blocks *blocks;
    size_t first;
} evaluate_job;

static void evaluate_blocks(void *user, size_t begin, size_t end) {
    const evaluate_job *job = user;
    for (size_t k = begin; k < end; k++) {
        const size_t b = job->first + k;
        int32_t cell[3];
        bl_cell_of_key(job->blocks->key[b], cell);
        bl_field_evaluate(job->blocks->field, cell,
                          job->blocks->values + b * (size_t)bl_field_arrays(job->blocks->field) * BL_BLOCK_VALUES);
    }
}

static bl_status index_blocks(bl_context *ctx, bl_blocks *blocks) {
    bl_sort_item *const items = bl_alloc(ctx, blocks->count, sizeof *items);
    if (!items) return BL_ERR_MEMORY;
    for (size_t b = 0; b < blocks->count; b++) items[b] = (bl_sort_item){blocks->key[b], 0, (uint32_t)b};
    const bl_status status = bl_sort_cells(ctx, items, blocks->count);
    for (size_t b = 0; b < blocks->count; b++) blocks->sorted_key[b] = items[b].key, blocks->sorted[b] = items[b].index;
    bl_release(ctx, items);
    return status;
}

/* Append the blocks of a tidy list and evaluate them. */
static bl_status append_blocks(bl_context *ctx, bl_blocks *blocks, const key_list *list) {
    const size_t first = blocks->count, count = first + list->count;
    const size_t size = (size_t)bl_field_arrays(blocks->field) * BL_BLOCK_VALUES;
    if (count > blocks->capacity) {
        const size_t old = blocks->capacity, capacity = first ? count + count / 2 : count;
        uint64_t *const key = bl_grow(ctx, blocks->key, old, capacity, sizeof *key);
        if (key) blocks->key = key;
        float *const values = bl_grow(ctx, blocks->values, old, capacity, size * sizeof *values);
        if (values) blocks->values = values;
        uint64_t *const sorted_key = bl_grow(ctx, blocks->sorted_key, old, capacity, sizeof *sorted_key);
        if (sorted_key) blocks->sorted_key = sorted_key;
        uint32_t *const sorted = bl_grow(ctx, blocks->sorted, old, capacity, sizeof *sorted);
        if (sorted) blocks->sorted = sorted;
        if (!key || !values || !sorted_key || !sorted) return BL_ERR_MEMORY;
        blocks->capacity = capacity;
    }
    for (size_t k = 0; k < list->count; k++) blocks->key[first + k] = list->items[k].key;
    blocks->count = count;
    evaluate_job job = {blocks, first};
    bl_parallel_for(ctx, list->count, 1, evaluate_blocks, &job);
    return index_blocks(ctx, blocks);
}

uint32_t bl_blocks_find(const bl_blocks *blocks, const int32_t cell[3]) {
    const uint64_t key = bl_cell_key(cell[0], cell[1], cell[2]);
    const size_t at = bl_lower_bound(blocks->sorted_key, blocks->count, key);
    return at < blocks->count && blocks->sorted_key[at] == key ? blocks->sorted[at] : BL_NO_BLOCK;
}

void bl_block_combined(const bl_blocks *blocks, size_t b, int phase, float out[BL_BLOCK_VALUES]) {
    const float *values = bl_block_values(blocks, b);
    if (bl_field_arrays(blocks->field) == 1) { /* the free term alone decides */
        for (int n = 0; n < BL_BLOCK_VALUES; n++) out[n] = (values[n] - 0.5f) / BL_KERNEL_SLOPE;
        return;
    }
    for (int n = 0; n < BL_BLOCK_VALUES; n++) out[n] = bl_terms_min(bl_field_terms(blocks->field, values, phase, n));
}

/* Does the surface of a fluid cross the face of a block on this side of this axis? */
static bool is_face_crossed(const bl_blocks *blocks, size_t b, int phase, int axis, int side) {
    const float *values = bl_block_values(blocks, b);
    bool inside = false, outside = false;
    for (int u = 0; u < BL_NODES; u++) {
        for (int v = 0; v < BL_NODES; v++) {
            int n[3];
            n[axis] = side * BL_BLOCK, n[(axis + 1) % 3] = u, n[(axis + 2) % 3] = v;
            const bl_terms terms = bl_field_terms(blocks->field, values, phase, bl_node(n[0], n[1], n[2]));
            if (bl_terms_min(terms) > 0.0f)
                inside = true;
            else
                outside = true;
        }
    }
    return inside && outside;
}

/* List the missing neighbours that the surface enters from the blocks [first, count). */
static bl_status find_missing(bl_context *ctx, const bl_blocks *blocks, size_t first, key_list *list) {
    for (size_t b = first; b < blocks->count; b++) {
        for (int side = 0; side < 6; side++) {
            int32_t cell[3];
            bl_cell_of_key(blocks->key[b], cell);
            cell[side / 2] += side % 2 ? 1 : -1;
            if (bl_blocks_find(blocks, cell) != BL_NO_BLOCK) continue;
            for (int phase = 0; phase < blocks->field->phases; phase++) {
                if (is_face_crossed(blocks, b, phase, side / 2, side % 2) &&
                    add_key(ctx, list, bl_cell_key(cell[0], cell[1], cell[2])))
                    return BL_ERR_MEMORY;
            }
        }
    }
    return BL_OK;
}

bl_status bl_blocks_build(bl_context *ctx, const bl_field *field, bl_blocks *out) {
    *out = (bl_blocks){.field = field};
    key_list list = {0};
    bl_status status = seed_keys(ctx, field, &list);
    while (!status && list.count > 0) {
        status = tidy_keys(ctx, &list);
        const size_t first = out->count;
        if (!status) status = append_blocks(ctx, out, &list);
        list.count = 0;
        if (!status) status = find_missing(ctx, out, first, &list);
    }
    bl_release(ctx, list.items);
    if (status) bl_blocks_clear(ctx, out);
    return status;
}

void bl_blocks_clear(bl_context *ctx, bl_blocks *blocks) {
    bl_release(ctx, blocks->key);
    bl_release(ctx, blocks->values);
    bl_release(ctx, blocks->sorted_key);
    bl_release(ctx, blocks->sorted);
    *blocks = (bl_blocks){0};
}
