/* Boundaries as the surfaces they stand for, not as the particles they are made of. */
#ifndef BL_RENDER_SHAPES_H
#define BL_RENDER_SHAPES_H

#include "rigid/motion.h"

/* Triangles in world coordinates with normals per corner: smooth on curved parts, sharp at edges. */
typedef struct bl_body_mesh {
    bl_context *ctx;
    size_t vertex_count, triangle_count, vertex_capacity, triangle_capacity;
    bl_vec3d *x, *normal;
    uint32_t *triangles;
    bool endless; /* a horizontal plane without a given size is left out: it is a floor to the horizon */
    bool flat;    /* the shape is a plane, through this point with this normal */
    bl_vec3d point, normal_of_plane;
} bl_body_mesh;

/* Shape number `shape` of the boundary `body`, as it stands. `min`, `max`: box of the boundary's particles there, which
 * sizes planes without a size. `up` tells floors from slopes. An unreadable mesh file is an error. */
bl_status bl_body_mesh_build(bl_context *ctx, const bl_scene *scene, int body, int shape, const bl_pose *pose,
                             bl_vec3d min, bl_vec3d max, bl_vec3d up, bl_body_mesh *out);
void bl_body_mesh_clear(bl_body_mesh *mesh); /* a zeroed one is fine */

#endif
