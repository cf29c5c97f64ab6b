/* Simple shapes as triangle meshes (3D) and polylines (2D), fine enough for sampling with spacing h: no further than
 * h/400 from the true surface, unless that takes more than 4000 pieces round. */
#ifndef BL_GEOMETRY_TESSELLATE_H
#define BL_GEOMETRY_TESSELLATE_H

#include "geometry/curves.h"
#include "geometry/solid.h"

/* Any bounded leaf but meshes, in world coordinates. */
bl_status bl_tessellate(bl_context *ctx, const bl_solid *leaf, double h, bl_mesh **out);

/* A polyline net that owns its arrays. */
typedef struct bl_outline {
    bl_context *ctx;
    bl_vec3d *x;
    uint32_t (*edges)[2];
    bl_vec3d *normals; /* per edge; meshes only, else NULL */
    size_t vertex_count, edge_count;
} bl_outline;
bl_status bl_outline_create(bl_context *ctx, const bl_solid *leaf, double h, bl_outline *out);
void bl_outline_clear(bl_outline *outline);

#endif
