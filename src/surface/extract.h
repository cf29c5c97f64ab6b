/* Marching cubes over all blocks: a closed mesh of one fluid. */
#ifndef BL_SURFACE_EXTRACT_H
#define BL_SURFACE_EXTRACT_H

#include "surface/blocks.h"

/* Fills x (in spacings), kind and triangle of *out; the other arrays stay NULL. No contact lines yet: vertices are
 * FREE, WALL or INTERFACE, whichever is closest. Empty if the fluid has no surface. */
bl_status bl_extract(bl_context *ctx, const bl_blocks *blocks, int phase, bl_surface_mesh *out);

#endif
