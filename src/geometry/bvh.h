/* A bounding volume hierarchy over a mesh: nearest points, winding numbers, crossings. */
#ifndef BL_GEOMETRY_BVH_H
#define BL_GEOMETRY_BVH_H

#include "geometry/mesh.h"

typedef struct bl_bvh bl_bvh;

typedef struct bl_hit {
    double distance; /* the given limit if nothing is nearer */
    bl_vec3d x;
    uint32_t triangle; /* UINT32_MAX if nothing is nearer */
} bl_hit;

/* The mesh must outlive the hierarchy and stay as it is. */
bl_status bl_bvh_create(bl_context *ctx, const bl_mesh *mesh, bl_bvh **out);
void bl_bvh_destroy(bl_bvh *bvh); /* NULL is allowed */

/* The nearest point of the mesh that is nearer than `limit`. */
bl_hit bl_bvh_closest(const bl_bvh *bvh, bl_vec3d x, double limit);

/* Generalised winding number: 1 inside a watertight mesh, 0 outside; in between it says how much of an open mesh
 * surrounds x. Far groups of triangles count as one dipole. */
double bl_bvh_winding(const bl_bvh *bvh, bl_vec3d x);

/* The same for watertight meshes, exactly and much faster: how often a ray from x upwards leaves the mesh, less how
 * often it enters. */
int bl_bvh_crossings(const bl_bvh *bvh, bl_vec3d x);

/* The nearest point of one triangle. */
bl_vec3d bl_triangle_closest(bl_vec3d a, bl_vec3d b, bl_vec3d c, bl_vec3d x);

#endif
