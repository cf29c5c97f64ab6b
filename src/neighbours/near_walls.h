/* Which boundary particles may have fluid neighbours: walls far from the liquid are left out of the search.
 *
 * The grid covers the fluid and some cells around it; walls further out all count to its outermost cells, where no
 * fluid is within reach. Cells are taken together in blocks of four along each axis. Every block within reach of an
 * occupied cell of the fluid is marked, and a boundary particle stays if its block is. That costs some nanoseconds a
 * particle, where sorting it into a grid and looking for neighbours costs tens. */
#ifndef BL_NEIGHBOURS_NEAR_WALLS_H
#define BL_NEIGHBOURS_NEAR_WALLS_H

#include "neighbours/grid.h"

typedef struct bl_near_walls {
    bl_positions at; /* their positions, in the caller's order */
    bl_index *index; /* their numbers in the caller's array */
} bl_near_walls;

/* Make room for walls around a frame that was fitted to the fluid. */
void bl_near_walls_widen(bl_frame *frame);

/* Memory of the arena. All particles with a neighbour within reach are found, and some others. */
bl_status bl_near_walls_find(bl_context *ctx, const bl_grid *fluid, bl_positions boundary, bl_arena *arena,
                             bl_near_walls *out);

#endif
