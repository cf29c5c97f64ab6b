/* The pair test: one particle against a tile of candidates.
 *
 * A tile is a short structure of arrays, so that the distances come from one loop that vectorises. Its length is
 * padded to whole blocks with candidates at NaN, which are never close to anything. */
#ifndef BL_NEIGHBOURS_TILE_H
#define BL_NEIGHBOURS_TILE_H

#include "neighbours/grid.h"
#include "neighbours/image.h"

enum {
    BL_TILE_BLOCK = 64,
    BL_TILE_SIZE = 16 * BL_TILE_BLOCK,
    BL_TILE_ROOM = 8 /* behind the end, for hasty copies */
};

/* Within the far, the near radius; and the same of the last half of eight points, if halves are told apart. */
enum { BL_TILE_FAR = 1, BL_TILE_NEAR = 2, BL_TILE_LAST_HALF = 4 };

typedef struct bl_tile {
    real x[BL_TILE_SIZE + BL_TILE_ROOM], y[BL_TILE_SIZE + BL_TILE_ROOM], z[BL_TILE_SIZE + BL_TILE_ROOM];
    bl_index index[BL_TILE_SIZE + BL_TILE_ROOM];
    uint8_t kind[BL_TILE_SIZE]; /* BL_TILE_FAR ... */
    size_t count, n_blocks;
} bl_tile;

typedef struct bl_pair_test {
    real near_radius2, far_radius2;
    bl_period period;
    bool periodic;
} bl_pair_test;

/* Eight particles that are searched for together; those at NaN have no neighbours. */
enum { BL_TILE_POINTS = 8 };
typedef struct bl_tile_points {
    real x[BL_TILE_POINTS], y[BL_TILE_POINTS], z[BL_TILE_POINTS];
} bl_tile_points;

/* Append the particles [begin, end) of the grid, as far as they fit. */
void bl_tile_add(bl_tile *tile, const bl_grid *grid, size_t begin, size_t end);
void bl_tile_pad(bl_tile *tile); /* after the last add */
/* Find out how close the candidates are to x. */
void bl_tile_test(bl_tile *tile, bl_vec3 x, const bl_pair_test *test);
/* Find out how close they are to the nearest of all points; candidates that are not close to any of the points
 * [first, end), or are to one before those, count as far away. */
void bl_tile_test_points(bl_tile *tile, const bl_tile_points *points, int first, int end, const bl_pair_test *test);
/* Find out how close they are to the nearest of the first four and to the nearest of the last four points. */
void bl_tile_test_halves(bl_tile *tile, const bl_tile_points *points, const bl_pair_test *test);
/* Bit k: candidate k of a block is close to anything (bl_tile_test_halves). */
uint64_t bl_tile_any(const bl_tile *tile, size_t block);
/* After a test: how many neighbours of both sorts there are ... */
void bl_tile_count(const bl_tile *tile, bl_index *n_near, bl_index *n_all);
/* ... and which: written to *near and *far, both moved on. */
void bl_tile_collect(const bl_tile *tile, bl_index **near, bl_index **far);

#endif
