/* Sparse bins by sorting packed cell coordinates. */
#include "surface/bins.h"

#include "base/parallel.h"

#include <assert.h>
#include <math.h>

bl_status bl_sort_cells(bl_context *ctx, bl_sort_item *items, size_t count) {
    bl_arena *arena = NULL;
    bl_status status = bl_arena_create(ctx, "cells", &arena);
    if (!status) status = bl_radix_sort(ctx, arena, items, count, BL_SORT_BY_KEY, (uint64_t)INT64_MAX);
    bl_arena_destroy(arena);
    return status;
}

size_t bl_lower_bound(const uint64_t *keys, size_t count, uint64_t key) {
    size_t low = 0;
    while (count > 0) {
        const size_t half = count / 2;
        if (keys[low + half] < key)
            low += half + 1, count -= half + 1;
        else
            count = half;
    }
    return low;
}

/* Keys of all points; BAD_KEY where there is none. */
#define BAD_KEY UINT64_MAX
typedef struct key_job {
    const bl_vec3 *points;
    double scale; /* to bins */
    bl_sort_item *items;
} key_job;

static bool is_within_limit(double cell) { return fabs(cell) < BL_CELL_LIMIT - 64; } /* false for NaN */

static void make_keys(void *user, size_t begin, size_t end) {
    const key_job *job = user;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3d p = bl_v3d_scale(job->scale, bl_v3d_from(job->points[i]));
        job->items[i].index = (uint32_t)i;
        job->items[i].key = BAD_KEY;
        if (is_within_limit(p.x) && is_within_limit(p.y) && is_within_limit(p.z))
            job->items[i].key = bl_cell_key((int32_t)floor(p.x), (int32_t)floor(p.y), (int32_t)floor(p.z));
    }
}

static bl_status check_keys(bl_context *ctx, const key_job *job, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++) {
        if (job->items[i].key != BAD_KEY) continue;
        const bl_vec3d x = bl_v3d_from(job->points[i]);
        return bl_fail(ctx, BL_ERR_DATA,
                       "%s %zu is at (%g, %g, %g): expected finite coordinates within a million spacings of the origin",
                       what, i, x.x, x.y, x.z);
    }
    return BL_OK;
}

/* Coordinates in sorted order. */
typedef struct copy_job {
    const bl_vec3 *points;
    double scale; /* to spacings */
    const bl_sort_item *items;
    bl_bins *bins;
} copy_job;

static void copy_points(void *user, size_t begin, size_t end) {
    const copy_job *job = user;
    for (size_t i = begin; i < end; i++) {
        const uint32_t source = job->items[i].index;
        const bl_vec3d p = bl_v3d_scale(job->scale, bl_v3d_from(job->points[source]));
        job->bins->source[i] = source;
        job->bins->x[i] = (float)p.x, job->bins->y[i] = (float)p.y, job->bins->z[i] = (float)p.z;
    }
}

/* Cut the sorted keys into bins. */
static void find_bins(const bl_sort_item *sorted, bl_bins *bins) {
    size_t n = 0;
    for (size_t i = 0; i < bins->count; i++) {
        if (i > 0 && sorted[i].key == sorted[i - 1].key) continue;
        bins->key[n] = sorted[i].key;
        bins->first[n++] = (uint32_t)i;
    }
    bins->first[n] = (uint32_t)bins->count;
    bins->bin_count = n;
}

static bl_status sort_into_bins(bl_context *ctx, const bl_vec3 *points, double spacing, const char *what,
                                bl_sort_item *items, bl_bins *bins) {
    key_job keys = {points, 1.0 / (spacing * bins->edge), items};
    bl_parallel_for(ctx, bins->count, 0, make_keys, &keys);
    bl_status status = check_keys(ctx, &keys, bins->count, what);
    if (!status) status = bl_sort_cells(ctx, items, bins->count);
    if (status) return status;
    find_bins(items, bins);
    copy_job copy = {points, 1.0 / spacing, items, bins};
    bl_parallel_for(ctx, bins->count, 0, copy_points, &copy);
    return BL_OK;
}

bl_status bl_bins_build(bl_context *ctx, const bl_vec3 *points, size_t count, double spacing, double edge,
                        const char *what, bl_bins *out) {
    *out = (bl_bins){.count = count, .edge = edge};
    if (count >= UINT32_MAX) return bl_fail(ctx, BL_ERR_DATA, "%zu %ss are too many for one mesh", count, what);
    out->x = bl_alloc(ctx, count + BL_BINS_PADDING, sizeof *out->x);
    out->y = bl_alloc(ctx, count + BL_BINS_PADDING, sizeof *out->y);
    out->z = bl_alloc(ctx, count + BL_BINS_PADDING, sizeof *out->z);
    out->source = bl_alloc(ctx, count, sizeof *out->source);
    out->key = bl_alloc(ctx, count, sizeof *out->key);
    out->first = bl_alloc(ctx, count + 1, sizeof *out->first);
    bl_sort_item *const items = bl_alloc(ctx, count, sizeof *items);
    bl_status status = BL_ERR_MEMORY;
    if (out->x && out->y && out->z && out->source && out->key && out->first && items)
        status = sort_into_bins(ctx, points, spacing, what, items, out);
    bl_release(ctx, items);
    if (status) bl_bins_clear(ctx, out);
    return status;
}

void bl_bins_clear(bl_context *ctx, bl_bins *bins) {
    bl_release(ctx, bins->x);
    bl_release(ctx, bins->y);
    bl_release(ctx, bins->z);
    bl_release(ctx, bins->source);
    bl_release(ctx, bins->key);
    bl_release(ctx, bins->first);
    *bins = (bl_bins){0};
}

void bl_bins_box(const bl_bins *bins, const float min[3], const float max[3], int32_t low[3], int32_t high[3]) {
    for (int a = 0; a < 3; a++) {
        low[a] = (int32_t)floor((double)min[a] / bins->edge);
        high[a] = (int32_t)floor((double)max[a] / bins->edge);
    }
}

int bl_bins_runs(const bl_bins *bins, const float min[3], const float max[3], bl_run *runs) {
    int32_t low[3], high[3];
    bl_bins_box(bins, min, max, low, high);
    int n = 0;
    for (int32_t z = low[2]; z <= high[2]; z++) {
        for (int32_t y = low[1]; y <= high[1]; y++) {
            const uint64_t last = bl_cell_key(high[0], y, z);
            const size_t b = bl_lower_bound(bins->key, bins->bin_count, bl_cell_key(low[0], y, z));
            size_t e = b;
            while (e < bins->bin_count && bins->key[e] <= last) e++;
            if (e == b) continue;
            assert(n < BL_RUNS_MAX);
            runs[n++] = (bl_run){bins->first[b], bins->first[e]};
        }
    }
    return n;
}
