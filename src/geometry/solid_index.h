/* A hierarchy of boxes over many solids (the pores of a sponge), for the nearest of them. */
#ifndef BL_GEOMETRY_SOLID_INDEX_H
#define BL_GEOMETRY_SOLID_INDEX_H

#include "geometry/solid.h"

/* NULL in `out` if there are too few to be worth it. The solids must outlive the index and stay as they are. */
bl_status bl_solid_index_create(bl_context *ctx, const bl_solid *solids, int count, bl_solid_index **out);
void bl_solid_index_destroy(bl_context *ctx, bl_solid_index *index); /* NULL is allowed */

/* The least of `limit` and the distances of all solids: the same number as without the index. */
double bl_solid_index_distance(const bl_solid_index *index, bl_vec3d x, double limit);
/* Whether x lies inside one of them. */
bool bl_solid_index_holds(const bl_solid_index *index, bl_vec3d x);

#endif
