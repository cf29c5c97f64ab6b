#include "render/subject.h"
#include "render/values.h"
#include <math.h>

static const double DEGREE = 3.14159265358979323846 / 180;

/* Share of the particles on each side of each axis that may lie outside of the box. */
static const double STRAY = 0.001;

static bl_status measure_box(bl_subject *s) {
    size_t count = 0;
    for (int k = 0; k < s->sets->count; k++)
        if (s->sets->items[k].kind == BL_SET_FLUID) count += s->frames[k].count;
    double *values = bl_alloc(s->ctx, count, sizeof *values), low[3], high[3];
    if (!values) return BL_ERR_MEMORY;
    for (int axis = 0; axis < 3; axis++) {
        size_t n = 0;
        for (int k = 0; k < s->sets->count; k++)
            for (size_t i = 0; s->sets->items[k].kind == BL_SET_FLUID && i < s->frames[k].count; i++)
                values[n++] = bl_array_value(&s->frames[k].points, i, axis);
        low[axis] = bl_quantile(values, n, STRAY);
        high[axis] = bl_quantile(values, n, 1 - STRAY);
    }
    bl_release(s->ctx, values);
    if (isnan(low[0] + low[1] + low[2]))
        return bl_fail(s->ctx, BL_ERR_DATA, "the frame at %g s has no fluid particles to draw", s->time);
    double h = s->scene->spacing / 2;
    bl_subject_set_box(s, bl_v3d_make(low[0] - h, low[1] - h, low[2] - h),
                       bl_v3d_make(high[0] + h, high[1] + h, high[2] + h));
    return BL_OK;
}

void bl_subject_set_box(bl_subject *s, bl_vec3d min, bl_vec3d max) {
    bl_vec3d d = bl_v3d_sub(max, min);
    s->min = min, s->max = max;
    s->center = bl_v3d_scale(0.5, bl_v3d_add(min, max));
    s->scale = 2 / fmax(d.x, fmax(d.y, d.z));
}

bl_status bl_subject_make(bl_context *ctx, const bl_scene *scene, const bl_sets *sets, bl_frame *frames, double time,
                          bl_subject *out) {
    *out = (bl_subject){.ctx = ctx, .scene = scene, .sets = sets, .frames = frames, .time = time};
    bl_vec3d gravity = scene->gravity.count ? bl_curve_at3(&scene->gravity, time) : bl_v3d_zero();
    double g = bl_v3d_norm(gravity);
    out->up = scene->dimension == 2 ? bl_v3d_make(0, 1, 0)
              : g > 0               ? bl_v3d_scale(-1 / g, gravity)
                                    : bl_v3d_make(0, 0, 1);
    return measure_box(out);
}

static void clear_frames(bl_context *ctx, bl_frame *frames, int count) {
    for (int k = 0; frames && k < count; k++) bl_frame_clear(&frames[k]);
    bl_release(ctx, frames);
}

bl_status bl_subject_load(const bl_reader *reader, int number, bl_subject *out) {
    bl_context *ctx = reader->ctx;
    *out = (bl_subject){0};
    bl_frame *frames = bl_alloc(ctx, (size_t)reader->sets.count, sizeof *frames);
    bl_status status = frames ? BL_OK : BL_ERR_MEMORY;
    for (int k = 0; k < reader->sets.count && !status; k++) {
        status = bl_reader_load(reader, k, number, &frames[k]);
        /* boundaries may not have been written at all */
        if (status == BL_ERR_NO_INPUT && reader->sets.items[k].kind == BL_SET_BOUNDARY) status = BL_OK;
    }
    long at = bl_reader_find_frame(reader, number);
    if (!status)
        status = bl_subject_make(ctx, reader->scene, &reader->sets, frames, at >= 0 ? reader->frames[at].time : 0, out);
    if (status) {
        clear_frames(ctx, frames, reader->sets.count);
        *out = (bl_subject){0};
    }
    return status;
}

void bl_subject_clear(bl_subject *subject) {
    if (subject->ctx) clear_frames(subject->ctx, subject->frames, subject->sets->count);
    *subject = (bl_subject){0};
}

/* From 20 degrees above the horizon, a little from the left. */
static bl_vec3d default_view(bl_vec3d up) {
    bl_vec3d ahead = fabs(up.y) < 0.9 ? bl_v3d_make(0, 1, 0) : bl_v3d_make(0, 0, -1);
    ahead = bl_v3d_unit(bl_v3d_mad(ahead, -bl_v3d_dot(ahead, up), up));
    bl_vec3d right = bl_v3d_cross(ahead, up);
    bl_vec3d flat = bl_v3d_mad(bl_v3d_scale(-cos(22 * DEGREE), ahead), -sin(22 * DEGREE), right);
    return bl_v3d_mad(bl_v3d_scale(cos(20 * DEGREE), flat), sin(20 * DEGREE), up);
}

static bl_camera scene_camera(const bl_subject *s, double aspect) {
    const bl_camera_def *def = &s->scene->camera;
    bl_vec3d target = def->target.count ? bl_subject_to_stage(s, bl_curve_at3(&def->target, s->time)) : bl_v3d_zero();
    bl_vec3d up = def->up.count ? bl_curve_at3(&def->up, s->time) : s->up;
    bl_vec3d position = bl_subject_to_stage(s, bl_curve_at3(&def->position, s->time));
    return bl_camera_look_at(position, target, up, def->field_of_view, aspect);
}

/* In 2D the camera looks straight onto the x-y plane: its target is the middle of the picture, and the height it shows
 * is what it would see at the target's distance. Without a position all of the fluid is shown, around the target. */
static bl_camera flat_camera(const bl_subject *s, bl_vec3d min, bl_vec3d max, double aspect) {
    const bl_camera_def *def = &s->scene->camera;
    bl_vec3d margin = bl_v3d_make(0.12 * (max.x - min.x) + 0.1, 0.12 * (max.y - min.y) + 0.1, 0);
    bl_camera c = bl_camera_flat(bl_v3d_sub(min, margin), bl_v3d_add(max, margin), aspect);
    bl_vec3d target = bl_v3d_make(c.origin.x, c.origin.y, 0);
    if (def->target.count) target = bl_subject_to_stage(s, bl_curve_at3(&def->target, s->time));
    c.origin.x = target.x, c.origin.y = target.y;
    if (!def->position.count) return c;
    bl_vec3d position = bl_subject_to_stage(s, bl_curve_at3(&def->position, s->time));
    double distance = bl_v3d_norm(bl_v3d_sub(position, target)), height = distance * tan(def->field_of_view / 2);
    if (height > 0) c.half_height = height;
    return c;
}

bl_camera bl_subject_camera(const bl_subject *s, const double *view, double aspect) {
    const bl_camera_def *def = &s->scene->camera;
    bl_vec3d min = bl_subject_to_stage(s, s->min), max = bl_subject_to_stage(s, s->max);
    if (s->scene->dimension == 2) return flat_camera(s, min, max, aspect);
    bl_camera c;
    if (def->position.count && !view) {
        c = scene_camera(s, aspect);
    } else {
        bl_vec3d from = view ? bl_v3d_unit(bl_v3d_make(view[0], view[1], view[2])) : default_view(s->up);
        double angle = def->field_of_view > 0 ? def->field_of_view : 35 * DEGREE;
        c = bl_camera_look_at(bl_v3d_scale(10, from), bl_v3d_zero(), s->up, angle, aspect);
        bl_camera_fit(&c, min, max, 0.68);
    }
    c.aperture = def->aperture * s->scale / 2;
    if (def->focus > 0) c.focus = def->focus * s->scale;
    return c;
}
