/* Frames of a run as input of surface reconstruction. */
#include "surface/frame_input.h"

bl_status bl_frame_input_init(const bl_reader *reader, bl_frame_input *out) {
    const bl_scene *scene = reader->scene;
    *out = (bl_frame_input){.reader = reader};
    out->input.spacing = scene->spacing;
    out->input.phase_count = scene->fluid_count;
    out->input.options = bl_default_surface_options();
    if (scene->boundary_count > 0 && !scene->output.boundaries)
        bl_log(reader->ctx, BL_LOG_WARNING,
               "the run did not write its boundaries (output.boundaries): surfaces are not cut flat at walls");
    return BL_OK;
}

/* Append an array of a frame, or zeros where the frame does not have it, behind `count` vectors. */
static bl_status append_vectors(bl_context *ctx, bl_vec3 **vectors, size_t count, const bl_array *array, size_t more) {
    bl_vec3 *const grown = bl_grow(ctx, *vectors, count, count + more, sizeof *grown);
    if (!grown) return BL_ERR_MEMORY;
    *vectors = grown;
    for (size_t i = 0; array && array->components == 3 && i < more; i++)
        grown[count + i] = bl_v3_from_d(bl_array_vec3(array, i));
    return BL_OK;
}

static bl_status append_fluid(bl_frame_input *f, const bl_frame *frame, int phase) {
    bl_context *const ctx = f->reader->ctx;
    const size_t count = f->input.count;
    bl_status status = append_vectors(ctx, &f->x, count, &frame->points, frame->count);
    if (!status) status = append_vectors(ctx, &f->v, count, bl_frame_array(frame, "v"), frame->count);
    uint32_t *const grown = status ? NULL : bl_grow(ctx, f->phase, count, count + frame->count, sizeof *grown);
    if (!grown) return BL_ERR_MEMORY;
    f->phase = grown;
    for (size_t i = 0; i < frame->count; i++) grown[count + i] = (uint32_t)phase;
    f->input.count += frame->count;
    return BL_OK;
}

static bl_status append_wall(bl_frame_input *f, const bl_frame *frame) {
    bl_context *const ctx = f->reader->ctx;
    const size_t count = f->input.wall_count;
    const bl_array *normal = bl_frame_array(frame, "normal");
    if (!normal || normal->components != 3) return BL_OK; /* without normals there is no plane to end at */
    bl_status status = append_vectors(ctx, &f->wall_x, count, &frame->points, frame->count);
    if (!status) status = append_vectors(ctx, &f->wall_normal, count, normal, frame->count);
    if (!status) f->input.wall_count += frame->count;
    return status;
}

/* Load one set and append it. */
static bl_status append_set(bl_frame_input *f, int set, int number) {
    const bl_set *item = &f->reader->sets.items[set];
    bl_frame frame = {0};
    bl_status status = bl_reader_load(f->reader, set, number, &frame);
    if (!status && item->kind == BL_SET_FLUID) {
        f->time = frame.time;
        status = append_fluid(f, &frame, item->index);
    } else if (!status) {
        status = append_wall(f, &frame);
    }
    bl_frame_clear(&frame);
    return status;
}

static bl_status append_walls(bl_frame_input *f, bool fixed, int number) {
    const bl_sets *sets = &f->reader->sets;
    bl_status status = BL_OK;
    for (int s = 0; !status && f->reader->scene->output.boundaries && s < sets->count; s++) {
        if (sets->items[s].kind == BL_SET_BOUNDARY && sets->items[s].fixed == fixed) status = append_set(f, s, number);
    }
    return status;
}

bl_status bl_frame_input_load(bl_frame_input *f, int number) {
    bl_status status = BL_OK;
    f->input.count = 0;
    f->input.wall_count = f->fixed_walls;
    if (!f->fixed_loaded) {
        status = append_walls(f, true, number);
        f->fixed_walls = f->input.wall_count;
        f->fixed_loaded = !status;
    }
    if (!status) status = append_walls(f, false, number);
    for (int s = 0; !status && s < f->reader->sets.count; s++) {
        if (f->reader->sets.items[s].kind == BL_SET_FLUID) status = append_set(f, s, number);
    }
    f->input.x = f->x, f->input.v = f->v, f->input.phase = f->phase;
    f->input.wall_x = f->wall_x, f->input.wall_normal = f->wall_normal;
    return status;
}

void bl_frame_input_clear(bl_frame_input *f) {
    if (!f->reader) return;
    bl_context *const ctx = f->reader->ctx;
    bl_release(ctx, f->x);
    bl_release(ctx, f->v);
    bl_release(ctx, f->phase);
    bl_release(ctx, f->wall_x);
    bl_release(ctx, f->wall_normal);
    *f = (bl_frame_input){0};
}
