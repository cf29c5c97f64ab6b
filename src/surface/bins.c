/* Sparse bins by sorting packed cell coordinates. */
#include "surface/bins.h"

#include "base/parallel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 63 };

/* One pass of the radix sort by the digit at `shift`; false if all keys share it and nothing was moved. */
static bool sort_by_digit(const uint64_t *key, const uint32_t *value, uint64_t *to_key, uint32_t *to_value,
                          size_t count, int shift) {
    size_t start[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++) start[(key[i] >> shift & (DIGITS - 1)) + 1]++;
    for (int d = 0; d < DIGITS; d++) {
        if (start[d + 1] == count) return false;
    }
    for (int d = 0; d < DIGITS; d++) start[d + 1] += start[d];
    for (size_t i = 0; i < count; i++) {
        const size_t to = start[key[i] >> shift & (DIGITS - 1)]++;
        to_key[to] = key[i];
        to_value[to] = value[i];
    }
    return true;
}

void bl_sort_keys(uint64_t *key, uint32_t *value, uint64_t *spare_key, uint32_t *spare_value, size_t count) {
    uint64_t *from_key = key, *to_key = spare_key;
    uint32_t *from_value = value, *to_value = spare_value;
    for (int shift = 0; shift < KEY_BITS; shift += DIGIT_BITS) {
        if (!sort_by_digit(from_key, from_value, to_key, to_value, count, shift)) continue;
        uint64_t *const k = from_key;
        uint32_t *const v = from_value;
        from_key = to_key, to_key = k;
        from_value = to_value, to_value = v;
    }
    if (from_key != key) {
        memcpy(key, from_key, count * sizeof *key);
        memcpy(value, from_value, count * sizeof *value);
    }
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

/* Keys of all points; the first bad one is reported by number. */
typedef struct key_job {
    const bl_vec3 *points;
    double scale, inv_edge;
    uint64_t *key;
    uint32_t *source;
} key_job;

static bool is_within_limit(double cell) { return fabs(cell) < BL_CELL_LIMIT - 64; } /* false for NaN */

static void make_keys(void *user, size_t begin, size_t end) {
    const key_job *job = user;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3d p = bl_v3d_scale(job->scale * job->inv_edge, bl_v3d_from(job->points[i]));
        job->source[i] = (uint32_t)i;
        if (is_within_limit(p.x) && is_within_limit(p.y) && is_within_limit(p.z))
            job->key[i] = bl_cell_key((int32_t)floor(p.x), (int32_t)floor(p.y), (int32_t)floor(p.z));
        else
            job->key[i] = UINT64_MAX;
    }
}

/* Coordinates in sorted order. */
typedef struct copy_job {
    const bl_vec3 *points;
    double scale;
    bl_bins *bins;
} copy_job;

static void copy_points(void *user, size_t begin, size_t end) {
    const copy_job *job = user;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3d p = bl_v3d_scale(job->scale, bl_v3d_from(job->points[job->bins->source[i]]));
        job->bins->x[i] = (float)p.x, job->bins->y[i] = (float)p.y, job->bins->z[i] = (float)p.z;
    }
}

/* Cut the sorted keys into bins. */
static void find_bins(const uint64_t *sorted, bl_bins *bins) {
    size_t n = 0;
    for (size_t i = 0; i < bins->count; i++) {
        if (i > 0 && sorted[i] == sorted[i - 1]) continue;
        bins->key[n] = sorted[i];
        bins->first[n++] = (uint32_t)i;
    }
    bins->first[n] = (uint32_t)bins->count;
    bins->bin_count = n;
}

static bl_status check_keys(bl_context *ctx, const bl_vec3 *points, const uint64_t *key, size_t count,
                            const char *what) {
    for (size_t i = 0; i < count; i++) {
        if (key[i] != UINT64_MAX) continue;
        return bl_fail(ctx, BL_ERR_DATA,
                       "%s %zu is at (%g, %g, %g): expected finite coordinates within a million spacings of the origin",
                       what, i, (double)points[i].x, (double)points[i].y, (double)points[i].z);
    }
    return BL_OK;
}

static bl_status sort_into_bins(bl_context *ctx, const bl_vec3 *points, double scale, const char *what, uint64_t *key,
                                uint64_t *spare_key, uint32_t *spare, bl_bins *bins) {
    key_job keys = {points, scale, 1.0 / bins->edge, key, bins->source};
    bl_parallel_for(ctx, bins->count, 0, make_keys, &keys);
    const bl_status status = check_keys(ctx, points, key, bins->count, what);
    if (status) return status;
    bl_sort_keys(key, bins->source, spare_key, spare, bins->count);
    find_bins(key, bins);
    copy_job copy = {points, scale, bins};
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
    uint64_t *const key = bl_alloc(ctx, count, sizeof *key);
    uint64_t *const spare_key = bl_alloc(ctx, count, sizeof *spare_key);
    uint32_t *const spare = bl_alloc(ctx, count, sizeof *spare);
    bl_status status = BL_ERR_MEMORY;
    if (out->x && out->y && out->z && out->source && out->key && out->first && key && spare_key && spare)
        status = sort_into_bins(ctx, points, 1.0 / spacing, what, key, spare_key, spare, out);
    bl_release(ctx, key);
    bl_release(ctx, spare_key);
    bl_release(ctx, spare);
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

int bl_bins_runs(const bl_bins *bins, const float min[3], const float max[3], bl_run *runs) {
    int32_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = (int32_t)floor((double)min[a] / bins->edge);
        high[a] = (int32_t)floor((double)max[a] / bins->edge);
    }
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
