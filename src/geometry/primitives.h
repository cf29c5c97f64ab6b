/* Exact signed distances of simple shapes, negative inside. In 2D the same functions are used with z = 0. */
#ifndef BL_GEOMETRY_PRIMITIVES_H
#define BL_GEOMETRY_PRIMITIVES_H

#include "base/vec3.h"

double bl_box_distance(bl_vec3d x, bl_vec3d half);        /* centred at 0; an infinite half edge is allowed */
double bl_ellipsoid_distance(bl_vec3d x, bl_vec3d radii); /* centred at 0 */
double bl_cylinder_distance(bl_vec3d x, bl_vec3d from, bl_vec3d to, double radius);
double bl_capsule_distance(bl_vec3d x, bl_vec3d from, bl_vec3d to, double radius);
double bl_torus_distance(bl_vec3d x, bl_vec3d axis, double major, double minor); /* centred at 0, unit axis */
/* A square sheet of edge `size` (infinite if 0) with sides along bl_tangents(normal); never negative. */
double bl_sheet_distance(bl_vec3d x, bl_vec3d normal, double size);

#endif
