#include "analysis/profile.h"

#include <math.h>
#include <stdlib.h>

double bl_profile_wave(const bl_liquid *liquid, bl_vec3d axis, double k) {
    double c = 0, s = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        double phase = k * bl_v3d_dot(liquid->x[i], axis);
        c += cos(phase);
        s += sin(phase);
    }
    return liquid->count ? 2 * hypot(c, s) / (double)liquid->count : (double)NAN;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bl_status bl_profile_quantile(bl_context *ctx, const bl_liquid *liquid, bl_vec3d axis, double share, double *out) {
    *out = (double)NAN;
    if (liquid->count == 0) return BL_OK;
    double *s = bl_alloc(ctx, liquid->count, sizeof *s);
    if (!s) return BL_ERR_MEMORY;
    for (size_t i = 0; i < liquid->count; i++) s[i] = bl_v3d_dot(liquid->x[i], axis);
    qsort(s, liquid->count, sizeof *s, compare);
    *out = s[(size_t)(share * (double)(liquid->count - 1) + 0.5)];
    bl_release(ctx, s);
    return BL_OK;
}

double bl_profile_film_force(const bl_liquid *liquid, double from, double to) {
    double sum = 0;
    if (!liquid->virial) return (double)NAN;
    for (size_t i = 0; i < liquid->count; i++)
        if (liquid->x[i].x >= from && liquid->x[i].x < to) sum += liquid->virial[i];
    return -2 * sum * liquid->h * liquid->h / (to - from);
}
