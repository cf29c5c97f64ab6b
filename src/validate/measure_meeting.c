/* Drops that meet something: each other, or a wall they leave again. */
#include "analysis/contact.h"
#include "validate/fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

static bl_status load_center(const bl_trial *trial, int fluid, int number, bl_vec3d *center, double *volume) {
    bl_liquid liquid = {0};
    bl_status status = bl_liquid_load(&trial->reader, fluid, number, &liquid);
    if (status == BL_OK) {
        *center = bl_liquid_center(&liquid);
        *volume = bl_liquid_volume(&liquid);
    }
    bl_liquid_clear(trial->ctx, &liquid);
    return status;
}

/* The angle that each of two equal drops of different liquids makes with the plane between them: half of them is a cap
 * on that plane, whose angle follows from its volume and the distance of the centres of mass. */
static bl_status pair_angle(const bl_trial *trial, int number, double *out) {
    bl_vec3d a, b;
    double volume;
    bl_status status = load_center(trial, 0, number, &a, &volume);
    if (status == BL_OK) status = load_center(trial, 1, number, &b, &volume);
    if (status != BL_OK) return status;
    double half = 0.5 * bl_v3d_norm(bl_v3d_sub(a, b));
    *out = bl_cap_angle_from_center(trial->reader.scene->dimension, volume, half) * 180 / M_PI;
    return BL_OK;
}

/* `angle`, in degrees, over the last third of the run. */
bl_status bl_measure_case_pair(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const bl_scene *scene = trial->reader.scene;
    if (scene->fluid_count != 2)
        return bl_fail(trial->ctx, BL_ERR_DATA, "%s: found %d fluids, expected 2", trial->reader.dir,
                       scene->fluid_count);
    double between =
        bl_curve_at(&scene->fluids[0].fluid_fluid, d.end) + bl_curve_at(&scene->fluids[1].fluid_fluid, d.end);
    double wanted = bl_law_pair_angle(d.gamma, between) * 180 / M_PI, sum = 0, n = 0;
    size_t count = trial->reader.frame_count;
    double *t = bl_alloc(trial->ctx, count, sizeof *t), *y = bl_alloc(trial->ctx, count, sizeof *y);
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    bl_status status = t && y && law ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        t[k] = trial->reader.frames[k].time;
        law[k] = wanted;
        status = pair_angle(trial, trial->reader.frames[k].number, &y[k]);
        if (t[k] >= d.end * 2 / 3) sum += y[k], n++;
    }
    if (status == BL_OK) {
        bl_trial_add(trial, "angle", sum / n, wanted);
        status = bl_trial_draw(trial, "time (s)", "angle (degrees)", t, y, law, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    bl_release(trial->ctx, law);
    return status;
}

/* A single particle, further than 1.5 spacings from all others, is not part of the drop any more. */
static bool is_spray(const bl_liquid *liquid, size_t i) {
    const double apart = 1.5 * liquid->h;
    for (size_t j = 0; j < liquid->count; j++)
        if (j != i && bl_v3d_norm(bl_v3d_sub(liquid->x[j], liquid->x[i])) < apart) return false;
    return true;
}

/* Mean of the widths along x and y, with half a particle on each side. */
static double width_of_frame(const void *user, const bl_liquid *liquid, double time) {
    double low[2] = {(double)INFINITY, (double)INFINITY}, high[2] = {-(double)INFINITY, -(double)INFINITY};
    (void)user, (void)time;
    for (size_t i = 0; i < liquid->count; i++) {
        const double x[2] = {liquid->x[i].x, liquid->x[i].y};
        bool wider = x[0] < low[0] || x[0] > high[0] || x[1] < low[1] || x[1] > high[1];
        if (!wider || is_spray(liquid, i)) continue;
        for (int d = 0; d < 2; d++) low[d] = fmin(low[d], x[d]), high[d] = fmax(high[d], x[d]);
    }
    return 0.5 * (high[0] - low[0] + high[1] - low[1]) + liquid->h;
}

/* `spread`: largest width over the diameter of the free drop; We^(1/4), of which only the power is a law, with the
 * Weber number rho D v^2/gamma of the first velocity. */
static bl_status add_spread(bl_trial *trial, const bl_trial_liquid *d, double momentum) {
    double *t, *width, largest = 0, mass = d->rho * 4 * M_PI / 3 * pow(d->radius, 3);
    size_t count;
    bl_status status = bl_trial_follow(trial, width_of_frame, NULL, &t, &width, &count);
    for (size_t k = 0; k < count; k++) largest = fmax(largest, width[k]);
    double weber = d->rho * 2 * d->radius * pow(momentum / mass, 2) / d->gamma;
    if (status == BL_OK) bl_trial_add(trial, "spread", largest / (2 * d->radius), pow(weber, 0.25));
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, width);
    return status;
}

/* Height of the lowest particle over the plane z = 0, in spacings. */
static double lowest_of_frame(const void *user, const bl_liquid *liquid, double time) {
    double low = (double)INFINITY;
    (void)user, (void)time;
    for (size_t i = 0; i < liquid->count; i++)
        if (liquid->x[i].z < low && !is_spray(liquid, i)) low = liquid->x[i].z;
    return low / liquid->h;
}

/* A drop touches the wall while its lowest particle is nearer than this many spacings: half a spacing, at which it
 * rests, and one more. */
#define TOUCHING 1.5

/* `contact`: from the first moment at which the drop touches the wall, the plane z = 0, to the last, in
 * sqrt(rho R^3/gamma), 2.6 by the law; NaN if it never leaves. (The momentum is no measure of it: 98 % of it are back
 * while the drop still stands on the wall.) And `spread`. */
bl_status bl_measure_case_bounce(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const double *time, *momentum, *z;
    double first, last, *t, *height, unit = sqrt(d.rho * pow(d.radius, 3) / d.gamma);
    size_t n = trial->series.row_count, count;
    bl_status status = bl_trial_column(trial, "time", &time);
    if (status == BL_OK) status = bl_trial_column(trial, "momentum_z", &momentum);
    if (status == BL_OK) status = bl_trial_column(trial, "center_z", &z);
    if (status == BL_OK) status = add_spread(trial, &d, momentum[0]);
    if (status != BL_OK) return status;
    status = bl_trial_follow(trial, lowest_of_frame, NULL, &t, &height, &count);
    bl_span_below(t, height, count, TOUCHING, &first, &last);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, height);
    if (status != BL_OK) return status;
    bl_trial_add(trial, "contact", (last - first) / unit, 2.6);
    double *x = bl_alloc(trial->ctx, n, sizeof *x), *y = bl_alloc(trial->ctx, n, sizeof *y);
    if (!x || !y) status = BL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == BL_OK; k++) x[k] = time[k] / unit, y[k] = z[k] / d.radius;
    double law_x[2] = {first / unit + 2.6, first / unit + 2.6}, law_y[2] = {0, 1.5};
    if (status == BL_OK)
        status = bl_trial_draw(trial, "time / sqrt(rho R^3/gamma)", "height of the centre / R", x, y, NULL, n);
    if (status == BL_OK) status = bl_trial_draw_law(trial, law_x, law_y, 2);
    bl_release(trial->ctx, x);
    bl_release(trial->ctx, y);
    return status;
}
