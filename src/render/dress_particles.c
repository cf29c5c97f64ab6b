/* The stage of a picture of particles. */
#include "render/colormap.h"
#include "render/subject.h"
#include "render/values.h"
#include <math.h>

static const bl_vec3d BOUNDARY_COLOR = {0.42, 0.42, 0.43};
static const double FLUID_RADIUS = 0.5, BOUNDARY_RADIUS = 0.36; /* in spacings */

static bl_sphere ball(const bl_subject *s, const bl_frame *frame, size_t i, double radius) {
    bl_vec3d x = bl_subject_to_stage(s, bl_array_vec3(&frame->points, i));
    return (bl_sphere){(float)x.x, (float)x.y, (float)x.z, (float)(radius * s->scene->spacing * s->scale)};
}

static bl_stage_object look_of(const bl_subject *s) {
    /* flat colours in 2D, where shading would say nothing */
    return (bl_stage_object){.material = {.kind = s->scene->dimension == 2 ? BL_MATERIAL_UNLIT : BL_MATERIAL_DIFFUSE,
                                          .color = BOUNDARY_COLOR}};
}

static bl_status add_fluid(bl_stage *stage, const bl_subject *s, const bl_frame *frame, const char *field, double low,
                           double high) {
    double *values = NULL;
    bl_status status = bl_values_read(s->ctx, frame, field, &values);
    bl_sphere *balls = bl_alloc(s->ctx, frame->count, sizeof *balls);
    float(*color)[3] = bl_alloc(s->ctx, frame->count, sizeof *color);
    if (!status && (!balls || !color)) status = BL_ERR_MEMORY;
    if (!status) {
        for (size_t i = 0; i < frame->count; i++) {
            bl_vec3d c = bl_colormap((values[i] - low) / (high - low));
            balls[i] = ball(s, frame, i, FLUID_RADIUS);
            color[i][0] = (float)c.x, color[i][1] = (float)c.y, color[i][2] = (float)c.z;
        }
        bl_stage_object look = look_of(s);
        status = bl_stage_add_spheres(stage, balls, (const float(*)[3])color, frame->count, &look);
    }
    bl_release(s->ctx, values);
    bl_release(s->ctx, balls);
    bl_release(s->ctx, color);
    return status;
}

/* Only the particles that show their outer side: walls between camera and fluid are left out. */
static bl_status add_boundary(bl_stage *stage, const bl_subject *s, const bl_frame *frame) {
    const bl_array *normal = bl_frame_array(frame, "normal");
    bl_sphere *balls = bl_alloc(s->ctx, frame->count, sizeof *balls);
    if (!balls) return BL_ERR_MEMORY;
    size_t count = 0;
    for (size_t i = 0; i < frame->count; i++) {
        bl_sphere b = ball(s, frame, i, BOUNDARY_RADIUS);
        bl_vec3d to_camera = bl_v3d_sub(stage->camera.origin, bl_v3d_make((double)b.x, (double)b.y, (double)b.z));
        if (stage->camera.orthographic || !normal || bl_v3d_dot(bl_array_vec3(normal, i), to_camera) > 0)
            balls[count++] = b;
    }
    bl_stage_object look = look_of(s);
    bl_status status = bl_stage_add_spheres(stage, balls, NULL, count, &look);
    bl_release(s->ctx, balls);
    return status;
}

bl_status bl_stage_fill_particles(bl_stage *stage, const bl_subject *s, const char *field, double low, double high) {
    bl_vec3d forward = bl_v3d_mad(stage->camera.forward, -bl_v3d_dot(stage->camera.forward, s->up), s->up);
    forward = bl_v3d_norm(forward) > 1e-6 ? bl_v3d_unit(forward) : stage->camera.up;
    bl_light_make(s->scene->dimension == 2 ? "white" : "diagram", s->up, forward, &stage->light);
    bl_status status = BL_OK;
    for (int k = 0; k < s->sets->count && !status; k++)
        status = s->sets->items[k].kind == BL_SET_FLUID ? add_fluid(stage, s, &s->frames[k], field, low, high)
                                                        : add_boundary(stage, s, &s->frames[k]);
    return status ? status : bl_tracer_commit(stage->tracer);
}
