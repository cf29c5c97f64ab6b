/* A hash grid over fixed points: visits all points in the cells that a sphere touches.
 *
 * Cells go by a hash into buckets, points lie sorted by bucket and, inside one, by index: what a walk visits, and in
 * which order, depends on the points alone. Points of other cells in the same bucket are skipped by their cell key, so
 * no point is visited twice. */
#ifndef BL_GEOMETRY_POINT_GRID_H
#define BL_GEOMETRY_POINT_GRID_H

#include "base/context.h"
#include "base/vec3.h"

typedef struct bl_grid_item {
    uint64_t key; /* packed cell */
    size_t index; /* of the point */
    bl_vec3d x;
} bl_grid_item;

typedef struct bl_point_grid {
    bl_context *ctx;
    double inv_cell;
    uint64_t mask; /* buckets - 1 */
    size_t *start; /* buckets + 1 */
    bl_grid_item *items;
} bl_point_grid;

/* The points are not kept. A walk is cheapest when `cell` is about twice its radius. */
bl_status bl_point_grid_build(bl_context *ctx, const bl_vec3d *x, size_t count, double cell, bl_point_grid *grid);
void bl_point_grid_clear(bl_point_grid *grid);

typedef struct bl_grid_walk {
    const bl_point_grid *grid;
    int64_t min[3], max[3], cell[3];
    uint64_t key;
    size_t at, end;
} bl_grid_walk;

/* Far outside the range of cell numbers everything shares one cell: slow there, never wrong. */
static inline int64_t bl_grid_cell(double x, double inv_cell) {
    double c = floor(x * inv_cell);
    return c > 1e15 ? (int64_t)1e15 : c > -1e15 ? (int64_t)c : (int64_t)-1e15;
}

static inline uint64_t bl_grid_key(int64_t x, int64_t y, int64_t z) {
    const uint64_t low = (1u << 21) - 1;
    return ((uint64_t)x & low) << 42 | ((uint64_t)y & low) << 21 | ((uint64_t)z & low);
}

/* Blocks of 4 x 4 x 4 cells are hashed, the cells of one lie side by side: neighbours share cache lines. */
static inline uint64_t bl_grid_bucket(uint64_t key, uint64_t mask) {
    const uint64_t in_block = (uint64_t)3 << 42 | (uint64_t)3 << 21 | 3;
    uint64_t block = (key & ~in_block) * 0x9e3779b97f4a7c15u;
    uint64_t cell = (key >> 42 & 3) << 4 | (key >> 21 & 3) << 2 | (key & 3);
    return ((block ^ block >> 32) << 6 | cell) & mask;
}

static inline void bl_grid_walk_enter(bl_grid_walk *w) {
    w->key = bl_grid_key(w->cell[0], w->cell[1], w->cell[2]);
    uint64_t bucket = bl_grid_bucket(w->key, w->grid->mask);
    w->at = w->grid->start[bucket];
    w->end = w->grid->start[bucket + 1];
}

static inline bl_grid_walk bl_grid_walk_begin(const bl_point_grid *grid, bl_vec3d x, double radius) {
    bl_grid_walk w = {.grid = grid};
    const double c[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++) {
        w.min[k] = w.cell[k] = bl_grid_cell(c[k] - radius, grid->inv_cell);
        w.max[k] = bl_grid_cell(c[k] + radius, grid->inv_cell);
    }
    bl_grid_walk_enter(&w);
    return w;
}

/* The next point of the cells around, near or not: the caller measures. NULL at the end. */
static inline const bl_grid_item *bl_grid_walk_next(bl_grid_walk *w) {
    for (;;) {
        while (w->at < w->end) {
            const bl_grid_item *item = &w->grid->items[w->at++];
            if (item->key == w->key) return item;
        }
        if (++w->cell[2] > w->max[2]) {
            w->cell[2] = w->min[2];
            if (++w->cell[1] > w->max[1]) {
                w->cell[1] = w->min[1];
                if (++w->cell[0] > w->max[0]) {
                    w->cell[0] = w->max[0]; /* stay at the end when called again */
                    w->cell[1] = w->max[1];
                    w->cell[2] = w->max[2];
                    return NULL;
                }
            }
        }
        bl_grid_walk_enter(w);
    }
}

#endif
