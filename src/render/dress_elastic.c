/* Elastic bodies in pictures: their shapes are bent, so the surface is made from their particles, as a liquid's is. */
#include "render/subject.h"
#include "surface/surface.h"

#include <math.h>

static bl_status add_surface(bl_stage *stage, const bl_subject *s, const bl_surface_mesh *mesh,
                             const bl_material *material, double *lowest) {
    float(*x)[3] = bl_alloc(s->ctx, mesh->vertex_count, sizeof *x);
    float(*normal)[3] = bl_alloc(s->ctx, mesh->vertex_count, sizeof *normal);
    bl_status status = x && normal ? BL_OK : BL_ERR_MEMORY;
    for (size_t i = 0; i < mesh->vertex_count && !status; i++) {
        bl_vec3d p = bl_subject_to_stage(s, bl_v3d_from(mesh->x[i]));
        *lowest = fmin(*lowest, bl_v3d_dot(p, s->up));
        x[i][0] = (float)p.x, x[i][1] = (float)p.y, x[i][2] = (float)p.z;
        normal[i][0] = (float)mesh->normal[i].x, normal[i][1] = (float)mesh->normal[i].y;
        normal[i][2] = (float)mesh->normal[i].z;
    }
    bl_stage_object look = {.material = *material};
    bl_stage_mesh m = {mesh->vertex_count,
                       mesh->triangle_count,
                       (const float(*)[3])x,
                       (const float(*)[3])normal,
                       NULL,
                       mesh->triangle,
                       NULL};
    if (!status) status = bl_stage_add_mesh(stage, &m, &look);
    bl_release(s->ctx, x);
    bl_release(s->ctx, normal);
    return status;
}

bl_status bl_stage_add_elastic(bl_stage *stage, const bl_subject *s, const bl_frame *frame, const bl_material *material,
                               double *lowest) {
    bl_vec3 *x = bl_alloc(s->ctx, frame->count, sizeof *x);
    if (!x) return BL_ERR_MEMORY;
    for (size_t i = 0; i < frame->count; i++) x[i] = bl_v3_from_d(bl_array_vec3(&frame->points, i));
    bl_surface_input input = {.spacing = s->scene->spacing,
                              .count = frame->count,
                              .x = x,
                              .phase_count = 1,
                              .options = bl_default_surface_options()};
    bl_surface_mesh mesh;
    bl_status status = bl_surface_build(s->ctx, &input, &mesh);
    if (!status && mesh.triangle_count) status = add_surface(stage, s, &mesh, material, lowest);
    if (!status) bl_surface_mesh_clear(s->ctx, &mesh);
    bl_release(s->ctx, x);
    return status;
}
