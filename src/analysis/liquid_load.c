/* The arrays of a liquid from the frames of a run. */
#include "analysis/liquid.h"

#include <math.h>
#include <string.h>

void bl_liquid_clear(bl_context *ctx, bl_liquid *liquid) {
    void *const arrays[] = {liquid->x,    liquid->mass, liquid->v,      liquid->f_n,
                            liquid->f_fr, liquid->p,    liquid->virial, liquid->s_fv};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) bl_release(ctx, arrays[k]);
    memset(liquid, 0, sizeof *liquid);
}

/* Behind the `begin` items of *field, `n` vectors of a frame's array. One that is missing leaves NaN. */
static bl_status append_vectors(bl_context *ctx, bl_vec3d **field, size_t begin, size_t n, const bl_array *array) {
    bl_vec3d *grown = bl_grow(ctx, *field, begin, begin + n, sizeof *grown);
    if (!grown) return BL_ERR_MEMORY;
    *field = grown;
    const bl_vec3d missing = bl_v3d_make((double)NAN, (double)NAN, (double)NAN);
    bool usable = array && array->components == 3;
    for (size_t i = 0; i < n; i++) grown[begin + i] = usable ? bl_array_vec3(array, i) : missing;
    return BL_OK;
}

/* The same for numbers; `second` may be added to the first. */
static bl_status append_numbers(bl_context *ctx, double **field, size_t begin, size_t n, const bl_array *array,
                                const bl_array *second) {
    double *grown = bl_grow(ctx, *field, begin, begin + n, sizeof *grown);
    if (!grown) return BL_ERR_MEMORY;
    *field = grown;
    for (size_t i = 0; i < n; i++) {
        grown[begin + i] = array ? bl_array_value(array, i, 0) : (double)NAN;
        if (second) grown[begin + i] += bl_array_value(second, i, 0);
    }
    return BL_OK;
}

static bl_status append_mass(bl_context *ctx, bl_liquid *liquid, size_t n, double mass) {
    bl_status status = append_numbers(ctx, &liquid->mass, liquid->count, n, NULL, NULL);
    for (size_t i = 0; i < n && status == BL_OK; i++) liquid->mass[liquid->count + i] = mass;
    return status;
}

static bl_status append_frame(bl_context *ctx, bl_liquid *liquid, const bl_frame *frame, double mass) {
    const size_t begin = liquid->count, n = frame->count;
    const struct {
        bl_vec3d **field;
        const char *name;
    } vectors[] = {{&liquid->v, "v"}, {&liquid->f_n, "f_n"}, {&liquid->f_fr, "f_fr"}};
    const struct {
        double **field;
        const char *name, *second;
    } numbers[] = {{&liquid->p, "p", ""}, {&liquid->virial, "virial_p", "virial_st"}, {&liquid->s_fv, "s_fv", ""}};
    bl_status status = append_vectors(ctx, &liquid->x, begin, n, &frame->points);
    if (status == BL_OK) status = append_mass(ctx, liquid, n, mass);
    for (size_t k = 0; k < 3 && status == BL_OK; k++)
        status = append_vectors(ctx, vectors[k].field, begin, n, bl_frame_array(frame, vectors[k].name));
    for (size_t k = 0; k < 3 && status == BL_OK; k++)
        status = append_numbers(ctx, numbers[k].field, begin, n, bl_frame_array(frame, numbers[k].name),
                                bl_frame_array(frame, numbers[k].second));
    if (status == BL_OK) liquid->count += n;
    return status;
}

bl_status bl_liquid_load(const bl_reader *reader, int set, int number, bl_liquid *out) {
    const bl_scene *scene = reader->scene;
    *out = (bl_liquid){.dimension = scene->dimension, .h = scene->spacing};
    bl_status status = BL_OK;
    for (int s = 0; s < reader->sets.count && status == BL_OK; s++) {
        const bl_set *fluid = &reader->sets.items[s];
        if (fluid->kind != BL_SET_FLUID || (set >= 0 && s != set)) continue;
        bl_frame frame = {0};
        double mass = scene->fluids[fluid->index].density * pow(scene->spacing, scene->dimension);
        status = bl_reader_load(reader, s, number, &frame);
        if (status == BL_OK) status = append_frame(reader->ctx, out, &frame, mass);
        bl_frame_clear(&frame);
    }
    if (status != BL_OK) bl_liquid_clear(reader->ctx, out);
    return status;
}
