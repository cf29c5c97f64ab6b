/* Surface of a solid known by its distance function: for intersections and differences of shapes. */
#ifndef BL_RENDER_ISOSURFACE_H
#define BL_RENDER_ISOSURFACE_H

#include "geometry/mesh.h"
#include "geometry/solid.h"

/* Marching tetrahedra over `box`, widened by a spacing, with cells of about a spacing (at most 160 along an edge); the
 * vertices are then moved onto the surface. The caller destroys *out. */
bl_status bl_isosurface_create(bl_context *ctx, const bl_solid *solid, bl_box box, double spacing, bl_mesh **out);

#endif
