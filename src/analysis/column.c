#include "analysis/column.h"

#include "analysis/wall.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Height of the top, a few stray particles (one in a thousand) left out. */
static double top_height(double *heights, size_t count) {
    qsort(heights, count, sizeof *heights, compare);
    return heights[count - 1 - count / 1000];
}

bl_status bl_measure_column(bl_context *ctx, const bl_liquid *liquid, bl_vec3d up, bl_column_result *out) {
    *out = (bl_column_result){(double)NAN, (double)NAN, (double)NAN};
    if (liquid->count == 0) return BL_OK;
    bl_base base = bl_base_along(liquid, up, -(double)INFINITY);
    double *z = bl_alloc(ctx, liquid->count, sizeof *z);
    if (!z) return BL_ERR_MEMORY;
    for (size_t i = 0; i < liquid->count; i++) z[i] = bl_base_height(&base, liquid->x[i]);
    /* The level is smeared by a Gaussian, so that whole layers of particles do not jump across it. */
    double level = 0.75 * (top_height(z, liquid->count) + 0.5 * liquid->h);
    double sigma = fmin(liquid->h, 0.25 * level), section = 0, above = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        double t = (z[i] - level) / sigma;
        section += exp(-0.5 * t * t) / (sqrt(2 * M_PI) * sigma);
        above += 0.5 * erfc(-t / sqrt(2.0));
    }
    bl_release(ctx, z);
    out->height = level + above / section;
    out->bottom = base.level;
    out->cross_section = section * pow(liquid->h, liquid->dimension);
    return BL_OK;
}
