/* A sparse lattice of nodes in tiles, and points that are sorted into them.
 *
 * Node (i, j, k) stands at origin + spacing (i, j, k). Tiles of BL_NODES_X BL_NODES_Y BL_NODES_Z nodes exist where a
 * point is within reach of them, and only those: a spray in a large room costs no more than a drop. In periodic
 * directions nodes fill one period, and points near its ends have images beyond it, so no loop over nodes knows of
 * periods.
 *
 * Points of a tile are in the order in which they were given, tiles in the order in which points found them: sums do
 * not depend on threads. */
#ifndef BL_SCHEMES_UNIFIED_NODE_TILES_H
#define BL_SCHEMES_UNIFIED_NODE_TILES_H

#include "base/context.h"
#include "base/vec3.h"

#include <stdbool.h>

enum { BL_NODES_X = 8, BL_NODES_Y = 4, BL_NODES_Z = 4, BL_NODES_A_TILE = BL_NODES_X * BL_NODES_Y * BL_NODES_Z };
enum { BL_TILES_AROUND = 27 }; /* a tile and its neighbours */
#define BL_NO_TILE UINT32_MAX

typedef struct bl_lattice {
    int dimension;
    double origin[3], spacing[3];
    double reach;      /* of a point, in m; at most BL_NODES_Y spacings */
    int64_t period[3]; /* nodes a period; 0: open */
} bl_lattice;

/* A point or an image of one: which, and where in its tile, in spacings from the tile's first node. */
typedef struct bl_lattice_point {
    uint32_t index;
    real at[3];
} bl_lattice_point;

typedef struct bl_node_place {
    int32_t at[3];
} bl_node_place;

/* Points sorted by tiles: those of tile t are of[first[t]] to of[first[t + 1]]. */
typedef struct bl_node_points {
    size_t count, room, tiles_room;
    uint32_t *first;
    bl_lattice_point *of;
    bl_lattice_point *found; /* in the order in which they came, ... */
    uint32_t *home;          /* ... and their tiles */
} bl_node_points;

typedef struct bl_node_tiles {
    bl_lattice lattice;
    size_t count, room;
    size_t with_nodes;    /* the first tiles, whose nodes the points reach */
    bl_node_place *place; /* of each tile */
    uint32_t *slot;       /* hash table: numbers of tiles */
    size_t slots;
} bl_node_tiles;

void bl_node_points_clear(bl_context *ctx, bl_node_points *points);
void bl_node_tiles_clear(bl_context *ctx, bl_node_tiles *tiles);
/* Makes the tiles whose nodes these points reach, and sorts the points. `wider`: and the tiles around them, which
 * others may lie in that reach the same nodes. Points that are not finite are left out. */
bl_status bl_node_tiles_build(bl_context *ctx, bl_node_tiles *tiles, const bl_lattice *lattice, const bl_vec3 *x,
                              size_t count, bool wider, bl_node_points *points);
/* Sorts more points into tiles that are there; those that none is around of are left out. */
bl_status bl_node_tiles_sort(bl_context *ctx, const bl_node_tiles *tiles, const bl_vec3 *x, size_t count,
                             bl_node_points *points);
/* BL_NO_TILE: there is none. */
uint32_t bl_node_tiles_find(const bl_node_tiles *tiles, const int32_t at[3]);
/* The tiles around one, itself in the middle: z, then y, then x ascending; BL_NO_TILE where there is none. */
void bl_node_tiles_around(const bl_node_tiles *tiles, size_t tile, uint32_t around[BL_TILES_AROUND]);
/* How many nodes of a tile along each axis are in the lattice: less than a tile's at the end of a period, 0 beyond it.
 */
void bl_node_tiles_extent(const bl_node_tiles *tiles, size_t tile, int nodes[3]);

#endif
