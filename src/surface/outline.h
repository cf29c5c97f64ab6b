/* The outline of a fluid in 2D. */
#ifndef BL_SURFACE_OUTLINE_H
#define BL_SURFACE_OUTLINE_H

#include "surface/surface.h"

/* Particles at z = 0 to closed lines, one mesh without triangles per fluid: out[0 .. phase_count). The particles are
 * continued along z, meshed like any fluid, and cut through in the middle: walls, interfaces and curvature are treated
 * as in 3D. `decimate` is not used. On failure all of `out` is empty. */
bl_status bl_outline_build(bl_context *ctx, const bl_surface_input *input, bl_surface_mesh *out);

/* Area that the lines of a mesh enclose, holes subtracted. */
double bl_mesh_lines_area(const bl_surface_mesh *mesh);
double bl_mesh_lines_length(const bl_surface_mesh *mesh);

#endif
