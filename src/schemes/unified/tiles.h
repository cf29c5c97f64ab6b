/* A sparse lattice of nodes in tiles, and points that are sorted into them.
 *
 * Node (i, j, k) stands at origin + spacing (i, j, k). Tiles of BL_TILE_X BL_TILE_Y BL_TILE_Z nodes exist where a point
 * is within reach of them, and only those: a spray in a large room costs no more than a drop. In periodic directions
 * nodes fill one period, and points near its ends have images beyond it, so no loop over nodes knows of periods.
 *
 * Points of a tile are in the order in which they were given, tiles in the order in which points found them: sums do
 * not depend on threads. */
#ifndef BL_SCHEMES_UNIFIED_TILES_H
#define BL_SCHEMES_UNIFIED_TILES_H

#include "base/context.h"
#include "base/vec3.h"

#include <stdbool.h>

enum { BL_TILE_X = 8, BL_TILE_Y = 4, BL_TILE_Z = 4, BL_TILE_NODES = BL_TILE_X * BL_TILE_Y * BL_TILE_Z };
enum { BL_TILE_AROUND = 27 }; /* a tile and its neighbours */
#define BL_NO_TILE UINT32_MAX

typedef struct bl_lattice {
    int dimension;
    double origin[3], spacing[3];
    double reach;      /* of a point, in m; at most BL_TILE_Y spacings */
    int64_t period[3]; /* nodes a period; 0: open */
} bl_lattice;

/* A point or an image of one: which, and where in its tile, in spacings from the tile's first node. */
typedef struct bl_lattice_point {
    uint32_t index;
    real at[3];
} bl_lattice_point;

typedef struct bl_tile_place {
    int32_t at[3];
} bl_tile_place;

/* Points sorted by tiles: those of tile t are of[first[t]] to of[first[t + 1]]. */
typedef struct bl_tile_points {
    size_t count, room, tiles_room;
    uint32_t *first;
    bl_lattice_point *of;
    bl_lattice_point *found; /* in the order in which they came, ... */
    uint32_t *home;          /* ... and their tiles */
} bl_tile_points;

typedef struct bl_tiles {
    bl_lattice lattice;
    size_t count, room;
    size_t with_nodes;    /* the first tiles, whose nodes the points reach */
    bl_tile_place *place; /* of each tile */
    uint32_t *slot;       /* hash table: numbers of tiles */
    size_t slots;
} bl_tiles;

void bl_tile_points_clear(bl_context *ctx, bl_tile_points *points);
void bl_tiles_clear(bl_context *ctx, bl_tiles *tiles);
/* Makes the tiles whose nodes these points reach, and sorts the points. `wider`: and the tiles around them, which
 * others may lie in that reach the same nodes. Points that are not finite are left out. */
bl_status bl_tiles_build(bl_context *ctx, bl_tiles *tiles, const bl_lattice *lattice, const bl_vec3 *x, size_t count,
                         bool wider, bl_tile_points *points);
/* Sorts more points into tiles that are there; those that none is around of are left out. */
bl_status bl_tiles_sort(bl_context *ctx, const bl_tiles *tiles, const bl_vec3 *x, size_t count, bl_tile_points *points);
/* BL_NO_TILE: there is none. */
uint32_t bl_tiles_find(const bl_tiles *tiles, const int32_t at[3]);
/* The tiles around one, itself in the middle: z, then y, then x ascending; BL_NO_TILE where there is none. */
void bl_tiles_around(const bl_tiles *tiles, size_t tile, uint32_t around[BL_TILE_AROUND]);
/* How many nodes of a tile along each axis are in the lattice: less than a tile's at the end of a period, 0 beyond it.
 */
void bl_tiles_extent(const bl_tiles *tiles, size_t tile, int nodes[3]);

#endif
