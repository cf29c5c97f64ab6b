/* Points sorted into cubic bins of a sparse, unbounded grid. Lengths in spacings. */
#ifndef BL_SURFACE_BINS_H
#define BL_SURFACE_BINS_H

#include "base/context.h"
#include "base/vec3.h"
#include "particles/radix.h"

typedef struct bl_bins {
    size_t count;
    double edge;
    float *x, *y, *z; /* sorted by bin, then by number in the input; readable to count + BL_BINS_PADDING */
    uint32_t *source; /* number in the input */
    size_t bin_count;
    uint64_t *key;   /* rising; z, y, x from the top bits down: bins side by side in x are neighbours here */
    uint32_t *first; /* bin_count + 1 */
} bl_bins;
enum { BL_BINS_PADDING = 8 };

/* A run of points: those of the bins side by side in x. */
typedef struct bl_run {
    uint32_t begin, end;
} bl_run;
enum { BL_RUNS_MAX = 256 };

/* Cells of sparse grids are packed into 64 bits, 21 for each coordinate, in the order of comparison z, y, x. */
enum { BL_CELL_LIMIT = 1 << 20 };
static inline uint64_t bl_cell_key(int32_t x, int32_t y, int32_t z) {
    return (uint64_t)(z + BL_CELL_LIMIT) << 42 | (uint64_t)(y + BL_CELL_LIMIT) << 21 | (uint64_t)(x + BL_CELL_LIMIT);
}
static inline void bl_cell_of_key(uint64_t key, int32_t cell[3]) {
    for (int a = 0; a < 3; a++) cell[a] = (int32_t)(key >> (21 * a) & 0x1fffff) - BL_CELL_LIMIT;
}

/* Sort by key, rising and stable. */
bl_status bl_sort_cells(bl_context *ctx, bl_sort_item *items, size_t count);
/* Number of the first key that is not below `key`. */
size_t bl_lower_bound(const uint64_t *keys, size_t count, uint64_t key);

/* `points` are divided by `spacing`. BL_ERR_DATA names the first point that is not finite or too far from the origin;
 * `what` says what the points are. */
bl_status bl_bins_build(bl_context *ctx, const bl_vec3 *points, size_t count, double spacing, double edge,
                        const char *what, bl_bins *out);
void bl_bins_clear(bl_context *ctx, bl_bins *bins);

/* The bins, from low to high, that the box [min, max] touches. */
void bl_bins_box(const bl_bins *bins, const float min[3], const float max[3], int32_t low[3], int32_t high[3]);
/* The runs that together hold every point of the box [min, max] (and others near it), in rising order.
 * `runs` has room for BL_RUNS_MAX; the box may be up to 14 bins wide in y and z. */
int bl_bins_runs(const bl_bins *bins, const float min[3], const float max[3], bl_run *runs);

#endif
