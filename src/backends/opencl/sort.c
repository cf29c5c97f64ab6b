/* Prefix sums, bounds, and the spatial order of the fluid. */
#include "backends/opencl/opencl.h"

#include <math.h>

enum { BOUNDS_GROUPS = 64, MAX_TOTALS = 8, KEY_BITS = 30, DIGIT_BITS = 4, DIGITS = 1 << DIGIT_BITS };

void bl_cl_scan(bl_device *d, const bl_cl_buffer *data, size_t count, int total) {
    size_t blocks = (count + BL_CL_SCAN_BLOCK - 1) / BL_CL_SCAN_BLOCK, group = BL_CL_SCAN_GROUP;
    if (!bl_cl_reserve(d, &d->scan_sums, blocks * sizeof(cl_uint), "prefix sums") ||
        !bl_cl_reserve(d, &d->totals, MAX_TOTALS * sizeof(cl_uint), "prefix sums") ||
        !bl_cl_reserve(d, &d->scan_arrived, sizeof(cl_uint), "prefix sums"))
        return;
    BL_CL_LAUNCH(d, scan_sums, blocks * group, group, BL_CL_MEM(*data), BL_CL_UINT(count), BL_CL_MEM(d->scan_sums),
                 BL_CL_MEM(d->totals), BL_CL_UINT(total), BL_CL_MEM(d->scan_arrived));
    if (!d->last_ends)
        BL_CL_LAUNCH(d, scan_blocks, group, group, BL_CL_MEM(d->scan_sums), BL_CL_UINT(blocks), BL_CL_MEM(d->totals),
                     BL_CL_UINT(total));
    BL_CL_LAUNCH(d, scan_apply, blocks * group, group, BL_CL_MEM(*data), BL_CL_UINT(count), BL_CL_MEM(d->scan_sums));
}

bool bl_cl_bounds(bl_device *d, const bl_cl_buffer *x, size_t count, double min[3], double max[3]) {
    real partial[BOUNDS_GROUPS][6];
    double most[6];
    if (!bl_cl_reserve(d, &d->partial, sizeof partial, "partial sums")) return false;
    BL_CL_LAUNCH(d, bounds, BOUNDS_GROUPS * BL_CL_SCAN_GROUP, BL_CL_SCAN_GROUP, BL_CL_MEM(*x), BL_CL_UINT(count),
                 BL_CL_MEM(d->partial));
    if (!bl_cl_read(d, &d->partial, 0, partial, sizeof partial)) return false;
    for (int c = 0; c < 6; c++) {
        most[c] = -(double)INFINITY;
        for (int g = 0; g < BOUNDS_GROUPS; g++) most[c] = fmax(most[c], (double)partial[g][c]);
    }
    for (int a = 0; a < 3; a++) min[a] = -most[a], max[a] = most[3 + a];
    return isfinite(most[0]);
}

/* --- the order of the fluid --- */

/* Between two steps the scratch of the last one is free: keys and orders take some of it. */
static bool reserve_sort(bl_device *d, size_t tiles) {
    static const int keys[2] = {BL_F_alpha_p, BL_F_alpha_st}, order[2] = {BL_F_wall_w, BL_F_wall_mu};
    for (int k = 0; k < 2; k++) d->keys[k] = d->fluid.field[keys[k]], d->order[k] = d->fluid.field[order[k]];
    return bl_cl_reserve(d, &d->counts, DIGITS * tiles * sizeof(cl_uint), "sorting");
}

/* One digit: from keys[from] to keys[1 - from]. */
static void sort_digit(bl_device *d, int from, size_t count, size_t tiles, int shift) {
    size_t group = BL_CL_SORT_GROUP;
    BL_CL_LAUNCH(d, sort_count, tiles * group, group, BL_CL_MEM(d->keys[from]), BL_CL_UINT(count), BL_CL_UINT(shift),
                 BL_CL_MEM(d->counts));
    bl_cl_scan(d, &d->counts, DIGITS * tiles, 0);
    BL_CL_LAUNCH(d, sort_scatter, tiles * group, group, BL_CL_MEM(d->keys[from]), BL_CL_MEM(d->order[from]),
                 BL_CL_UINT(count), BL_CL_UINT(shift), BL_CL_MEM(d->counts), BL_CL_MEM(d->keys[1 - from]),
                 BL_CL_MEM(d->order[1 - from]));
}

/* Scratch takes one field after the other in the new order. */
void bl_cl_reorder(bl_device *d, const bl_cl_buffer *order, size_t count) {
    bl_cl_set *set = &d->fluid;
    for (int f = 0; f < set->state_to; f++) {
        const bl_cl_buffer *to = &set->field[set->info[f].type == BL_TYPE_VEC3 ? BL_F_x_next : BL_F_g_err];
        size_t item = bl_cl_item_size(&set->info[f]);
        cl_uint words = (cl_uint)(item / sizeof(cl_uint));
        BL_CL_LAUNCH(d, sort_gather, count * words, BL_CL_GROUP, BL_CL_MEM(set->field[f]), BL_CL_MEM(*to),
                     BL_CL_MEM(*order), BL_CL_UINT(count), BL_CL_UINT(words));
        bl_cl_copy(d, to, 0, &set->field[f], 0, count * item, "sorting");
        set->newer[f] = BL_CL_DEVICE_NEWER;
    }
}

void bl_device_sort(bl_device *d, double cell) {
    if (!d || !bl_cl_sync(d) || *d->fluid.count < 2) return;
    double start = bl_cl_start(d), min[3], max[3];
    size_t count = *d->fluid.count, tile = BL_CL_SORT_GROUP * BL_CL_SORT_ITEMS, tiles = (count + tile - 1) / tile;
    const bl_cl_buffer *x = &d->fluid.field[BL_F_x];
    d->lists_current = false;
    d->fluid_grid.placed = false; /* a good moment to look where the fluid is now */
    if (!bl_cl_bounds(d, x, count, min, max) || !reserve_sort(d, tiles)) return;
    /* as many cells as there are, of a power of two an axis */
    double longest = fmax(max[0] - min[0], fmax(max[1] - min[1], max[2] - min[2])) / cell;
    int from = 0, bits = (int)ceil(log2(fmin(1 << KEY_BITS / 3, longest + 2)));
    BL_CL_LAUNCH(d, sort_keys, count, BL_CL_GROUP, BL_CL_MEM(*x), BL_CL_UINT(count), BL_CL_REAL(min[0]),
                 BL_CL_REAL(min[1]), BL_CL_REAL(min[2]), BL_CL_REAL(1 / cell), BL_CL_UINT(d->search.dimension),
                 BL_CL_UINT(bits), BL_CL_MEM(d->keys[0]), BL_CL_MEM(d->order[0]));
    for (int shift = 0; shift < 3 * bits; shift += DIGIT_BITS, from = 1 - from)
        sort_digit(d, from, count, tiles, shift);
    bl_cl_reorder(d, &d->order[from], count);
    bl_cl_stop(d, "sort", start);
}
