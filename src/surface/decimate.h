/* Fewer triangles, by meshoptimizer. */
#ifndef BL_SURFACE_DECIMATE_H
#define BL_SURFACE_DECIMATE_H

#include "surface/surface.h"

/* Keep about `share` of the triangles, or as few more as it takes for a closed mesh; x in spacings, no vertex moves,
 * unused ones are dropped. Without meshoptimizer
 * the mesh stays as it is and a warning says so. */
bl_status bl_decimate(bl_context *ctx, double share, bl_surface_mesh *mesh);

#endif
