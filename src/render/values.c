#include "render/values.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "v.x" is the name "v" and component 0; -1: the length. */
static size_t name_length(const char *field, int *component) {
    size_t length = strlen(field);
    *component = -1;
    if (length > 2 && field[length - 2] == '.' && field[length - 1] >= 'x' && field[length - 1] <= 'z') {
        *component = field[length - 1] - 'x';
        length -= 2;
    }
    return length;
}

static bl_status unknown_field(bl_context *ctx, const bl_frame *frame, const char *field) {
    bl_text list = bl_text_make(ctx);
    for (int i = 0; i < frame->array_count; i++) bl_text_add(&list, "%s%s", i ? ", " : "", frame->arrays[i].name);
    bl_status status =
        bl_fail(ctx, BL_ERR_USAGE, "no field '%s'; the fields are: %s (a component of a vector is v.x, v.y or v.z)",
                field, bl_text_str(&list));
    bl_text_clear(&list);
    return status;
}

bl_status bl_values_read(bl_context *ctx, const bl_frame *frame, const char *field, double **out) {
    int component;
    size_t length = name_length(field, &component);
    const bl_array *array = NULL;
    for (int i = 0; i < frame->array_count; i++)
        if (strlen(frame->arrays[i].name) == length && !strncmp(frame->arrays[i].name, field, length))
            array = &frame->arrays[i];
    *out = NULL;
    if (!array || (component >= 0 && array->components != 3)) return unknown_field(ctx, frame, field);
    *out = bl_alloc(ctx, frame->count, sizeof **out);
    if (!*out) return BL_ERR_MEMORY;
    for (size_t i = 0; i < frame->count; i++)
        (*out)[i] = component >= 0           ? bl_array_value(array, i, component)
                    : array->components == 3 ? bl_v3d_norm(bl_array_vec3(array, i))
                                             : bl_array_value(array, i, 0);
    return BL_OK;
}

const char *bl_values_unit(const char *field) {
    int component;
    size_t length = name_length(field, &component);
    for (int i = 0; i < BL_F_COUNT; i++)
        if (strlen(bl_fluid_fields[i].name) == length && !strncmp(bl_fluid_fields[i].name, field, length))
            return bl_fluid_fields[i].unit;
    return "";
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bl_quantile(double *values, size_t count, double share) {
    size_t finite = 0;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) values[finite++] = values[i];
    if (!finite) return (double)NAN;
    qsort(values, finite, sizeof *values, compare);
    return values[(size_t)(share * (double)(finite - 1) + 0.5)];
}
