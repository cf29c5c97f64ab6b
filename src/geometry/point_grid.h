/* A grid over fixed points: visits all points in the cells that a sphere touches.
 *
 * Blocks of 4 x 4 x 4 cells that hold points are found by a hash of their place; the cells of one lie side by side, z
 * fastest, so a walk looks up a block or two and then goes along runs of points. Cells are visited in the order of x, y
 * and z, points of one cell by index: what a walk visits, and in which order, depends on the points alone. */
#ifndef BL_GEOMETRY_POINT_GRID_H
#define BL_GEOMETRY_POINT_GRID_H

#include "base/context.h"
#include "base/vec3.h"

enum { BL_GRID_BLOCK = 4, BL_GRID_BLOCK_CELLS = 64 };

typedef struct bl_grid_item {
    bl_vec3d x;
    size_t index; /* of the point */
} bl_grid_item;

/* A place of the hash table. */
typedef struct bl_grid_entry {
    uint64_t key;   /* of the block */
    uint32_t block; /* its number plus one; 0: empty */
} bl_grid_entry;

typedef struct bl_point_grid {
    bl_context *ctx;
    double inv_cell;
    uint64_t mask; /* places of the table - 1 */
    bl_grid_entry *table;
    uint32_t *start; /* of each cell's items: 64 for each block, and the end */
    bl_grid_item *items;
} bl_point_grid;

/* The points are not kept. A walk is cheapest when `cell` is about twice its radius. */
bl_status bl_point_grid_build(bl_context *ctx, const bl_vec3d *x, size_t count, double cell, bl_point_grid *grid);
void bl_point_grid_clear(bl_point_grid *grid);

typedef struct bl_grid_walk {
    const bl_point_grid *grid;
    int64_t min[3], max[3];
    int64_t cell[2], z_end; /* the run goes up to z_end */
    uint64_t key;           /* of the block it is in */
    uint32_t block;         /* number plus one, 0: no points in it */
    uint32_t at, end;
} bl_grid_walk;

/* Far outside the range of cell numbers everything shares one cell: slow there, never wrong. */
static inline int64_t bl_grid_cell(double x, double inv_cell) {
    double c = floor(x * inv_cell);
    return c > 1e15 ? (int64_t)1e15 : c > -1e15 ? (int64_t)c : (int64_t)-1e15;
}

/* Blocks 2^21 cells apart share a key; their points are too far away to matter. */
static inline uint64_t bl_grid_block_key(int64_t x, int64_t y, int64_t z) {
    const uint64_t low = ((1u << 21) - 1) & ~(uint64_t)(BL_GRID_BLOCK - 1);
    return ((uint64_t)x & low) << 42 | ((uint64_t)y & low) << 21 | ((uint64_t)z & low);
}

static inline unsigned bl_grid_cell_in_block(int64_t x, int64_t y, int64_t z) {
    const uint64_t in_block = BL_GRID_BLOCK - 1;
    return (unsigned)(((uint64_t)x & in_block) << 4 | ((uint64_t)y & in_block) << 2 | ((uint64_t)z & in_block));
}

static inline uint64_t bl_grid_hash(uint64_t key) {
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* The block's place in the table, or the empty one where it belongs. */
static inline uint64_t bl_grid_place(const bl_grid_entry *table, uint64_t mask, uint64_t key) {
    uint64_t place = bl_grid_hash(key) & mask;
    while (table[place].block && table[place].key != key) place = (place + 1) & mask;
    return place;
}

/* The run of cells from z on, to the end of the walk's range or of the block. */
static inline void bl_grid_walk_enter(bl_grid_walk *w, int64_t z) {
    const bl_point_grid *grid = w->grid;
    uint64_t key = bl_grid_block_key(w->cell[0], w->cell[1], z);
    if (key != w->key) {
        w->key = key;
        w->block = grid->table[bl_grid_place(grid->table, grid->mask, key)].block;
    }
    int64_t last = z | (BL_GRID_BLOCK - 1);
    w->z_end = last < w->max[2] ? last : w->max[2];
    w->at = w->end = 0;
    if (w->block == 0) return;
    const uint32_t *start = grid->start + (size_t)(w->block - 1) * BL_GRID_BLOCK_CELLS;
    unsigned first = bl_grid_cell_in_block(w->cell[0], w->cell[1], z);
    w->at = start[first];
    w->end = start[first + (unsigned)(w->z_end - z) + 1];
}

static inline bl_grid_walk bl_grid_walk_begin(const bl_point_grid *grid, bl_vec3d x, double radius) {
    bl_grid_walk w = {.grid = grid, .key = UINT64_MAX}; /* the key of no block */
    const double c[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++) {
        w.min[k] = bl_grid_cell(c[k] - radius, grid->inv_cell);
        w.max[k] = bl_grid_cell(c[k] + radius, grid->inv_cell);
    }
    w.cell[0] = w.min[0];
    w.cell[1] = w.min[1];
    bl_grid_walk_enter(&w, w.min[2]);
    return w;
}

/* The next point of the cells around, near or not: the caller measures. NULL at the end. */
static inline const bl_grid_item *bl_grid_walk_next(bl_grid_walk *w) {
    while (w->at == w->end) {
        int64_t z = w->z_end + 1;
        if (z > w->max[2]) {
            if (w->cell[1] == w->max[1]) {
                if (w->cell[0] == w->max[0]) return NULL;
                w->cell[0]++;
                w->cell[1] = w->min[1];
            } else {
                w->cell[1]++;
            }
            z = w->min[2];
        }
        bl_grid_walk_enter(w, z);
    }
    return &w->grid->items[w->at++];
}

#endif
