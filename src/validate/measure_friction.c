/* A drop on a slope, 2D: the wall is y = 0, gravity turns. */
#include "analysis/liquid.h"
#include "validate/fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>
#include <stdlib.h>

static double slope_at(const bl_scene *scene, double time) {
    bl_vec3d g = bl_curve_at3(&scene->gravity, time);
    return atan2(g.x, -g.y);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The place below which a share of the sorted numbers lies, between two of them in proportion. */
static double quantile(const double *sorted, size_t count, double share) {
    if (count == 0) return (double)NAN;
    double at = share * (double)(count - 1);
    size_t k = (size_t)at;
    return k + 1 < count ? sorted[k] + (at - (double)k) * (sorted[k + 1] - sorted[k]) : sorted[k];
}

/* Where the tenth of the layer at the wall ends that is furthest up or down the slope (`share` 0.1 or 0.9). A particle
 * that stays behind or runs ahead does not matter, and when the base gets longer at one end the other stays. */
static double base_end(const void *share, const bl_liquid *liquid, double time) {
    double x[1024];
    size_t n = 0;
    (void)time;
    for (size_t i = 0; i < liquid->count && n < sizeof x / sizeof *x; i++)
        if (liquid->x[i].y < liquid->h) x[n++] = liquid->x[i].x;
    qsort(x, n, sizeof *x, by_size);
    return quantile(x, n, *(const double *)share);
}

/* How far the base has come since the slope began to rise: the end of it that came less far. When a drop leans its
 * centre moves, and its front may advance or its rear draw back, but not both. */
static bl_status base_way(const bl_trial *trial, double **times, double **way, size_t *count) {
    const double shares[] = {0.1, 0.9};
    double *rear = NULL, *other = NULL, begin[2] = {0, 0};
    *times = *way = NULL;
    bl_status status = bl_trial_follow(trial, base_end, &shares[0], times, &rear, count);
    if (status == BL_OK) status = bl_trial_follow(trial, base_end, &shares[1], &other, way, count);
    for (size_t k = 0; k < *count && status == BL_OK; k++) {
        if (!(slope_at(trial->reader.scene, (*times)[k]) > 0)) begin[0] = rear[k], begin[1] = (*way)[k];
        (*way)[k] = fmin(rear[k] - begin[0], (*way)[k] - begin[1]);
    }
    bl_release(trial->ctx, other);
    bl_release(trial->ctx, rear);
    return status;
}

/* The slope at which it begins to slide, in radians, and the curve of its way. */
static bl_status measure_slope(bl_trial *trial, const bl_trial_liquid *d, double law, double *begins) {
    const double degree = M_PI / 180;
    double *slope = NULL, *way = NULL, law_x[2] = {law / degree, law / degree}, law_y[2] = {0, 4};
    size_t n = 0;
    bl_status status = base_way(trial, &slope, &way, &n);
    for (size_t k = 0; k < n && status == BL_OK; k++) {
        slope[k] = slope_at(trial->reader.scene, slope[k]) / degree;
        way[k] /= d->h;
    }
    if (status == BL_OK) {
        *begins = bl_fit_sliding(slope, way, n, 1, 4) * degree;
        for (size_t k = 0; k < n; k++) way[k] = fmin(way[k], 20); /* then it is gone */
        status = bl_trial_draw(trial, "slope (degrees)", "way of the base / h", slope, way, NULL, n);
    }
    if (status == BL_OK) status = bl_trial_draw_law(trial, law_x, law_y, 2);
    bl_release(trial->ctx, slope);
    bl_release(trial->ctx, way);
    return status;
}

/* `load`: normal forces over the last fifth, against W cos a + 2 gamma sin(theta); `speed`: of the centre of mass
 * there, in sqrt(g R), 0 for a drop that sticks; `slope`: at which its base begins to slide, in degrees, for a slope
 * that rises. */
bl_status bl_measure_case_friction(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const bl_scene *scene = trial->reader.scene;
    const bl_boundary *wall = &scene->boundaries[0];
    double angle = wall->contact_angle.count ? bl_curve_at(&wall->contact_angle, d.end) : M_PI / 2;
    double mass = d.rho * bl_trial_volume(trial), weight = mass * d.g, pull = 2 * d.gamma * sin(angle);
    double load, speed, slope = slope_at(scene, d.end), begins = slope, from = 0.8 * d.end, degree = M_PI / 180;
    double law = bl_law_critical_slope(weight, pull, bl_curve_at(&wall->friction, d.end));
    bl_status status = bl_trial_mean(trial, "contact_load", from, d.end, &load, NULL);
    if (status == BL_OK) status = bl_trial_mean(trial, "momentum_x", from, d.end, &speed, NULL);
    if (status == BL_OK && !bl_curve_is_constant(&scene->gravity)) status = measure_slope(trial, &d, law, &begins);
    if (status != BL_OK) return status;
    bl_trial_add(trial, "load", load, weight * cos(slope) + pull);
    bl_trial_add(trial, "speed", fabs(speed) / mass / sqrt(d.g * d.radius), 0);
    bl_trial_add(trial, "slope", begins / degree, law / degree);
    return BL_OK;
}
