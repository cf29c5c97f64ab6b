/* Volume, centre and second moments of solids. */
#ifndef BL_GEOMETRY_INTEGRALS_H
#define BL_GEOMETRY_INTEGRALS_H

#include "geometry/solid.h"

/* Integrals over the inside: of 1, x, and x_i x_j (xx yy zz yz xz xy). In 2D over the area, all z are zero. */
typedef struct bl_solid_integrals {
    double volume;
    bl_vec3d first;
    double second[6];
} bl_solid_integrals;

/* Of the union of `count` solids that are bounded and have an inside. An octree (quadtree) is refined at the surface
 * down to 1/128 (1/1024) of the longest edge, where a cube counts by the share of it that the distance to the surface
 * at its middle stands for: errors fall with the square of the cube. Parts thinner than such a cube come out too thick.
 */
bl_solid_integrals bl_solid_integrate(bl_solid *const *solids, int count);

#endif
