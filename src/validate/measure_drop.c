/* A free drop: what its pressure, its energy and its oscillations say about the surface tension. */
#include "analysis/shape.h"
#include "validate/fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

/* Means over the second half of the run. `currents` is the largest speed there, in units of sqrt(gamma/(rho D)). */
bl_status bl_measure_case_drop(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    double laplace = bl_law_laplace(d.dimension, d.gamma, d.radius), area = bl_law_surface(d.dimension, d.radius);
    double pressure, energy, from = d.end / 2;
    const double *time, *core, *speed;
    bl_status status = bl_trial_mean(trial, "core_pressure", from, d.end, &pressure, NULL);
    if (status == BL_OK) status = bl_trial_mean(trial, "energy_fv", from, d.end, &energy, NULL);
    if (status == BL_OK) status = bl_trial_column(trial, "time", &time);
    if (status == BL_OK) status = bl_trial_column(trial, "core_pressure", &core);
    if (status == BL_OK) status = bl_trial_column(trial, "speed_max", &speed);
    if (status != BL_OK) return status;
    bl_trial_add(trial, "core_pressure", pressure, laplace);
    bl_trial_add(trial, "energy", energy, d.gamma * area);
    bl_trial_add(trial, "ratio", energy / (d.gamma * area), pressure / laplace);

    double scale = sqrt(d.rho * pow(d.radius, 3) / d.gamma), fastest = 0;
    size_t n = trial->series.row_count;
    for (size_t k = 0; k < n; k++)
        if (time[k] >= from) fastest = fmax(fastest, speed[k]);
    bl_trial_add(trial, "currents", fastest * sqrt(2 * d.rho * d.radius / d.gamma), 0);

    double *x = bl_alloc(trial->ctx, n, sizeof *x), *y = bl_alloc(trial->ctx, n, sizeof *y);
    if (!x || !y) status = BL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == BL_OK; k++) x[k] = time[k] / scale, y[k] = core[k] / laplace;
    if (status == BL_OK)
        status = bl_trial_draw(trial, "time / sqrt(rho R^3/gamma)", "core pressure / Laplace's", x, y, NULL, n);
    bl_release(trial->ctx, x);
    bl_release(trial->ctx, y);
    return status;
}

static double mode_of_frame(const void *user, const bl_liquid *liquid, double time) {
    (void)time;
    return bl_mode_amplitude(liquid, *(const int *)user);
}

/* The curve: amplitude over the fitted one at t = 0, beside the law with the same amplitude and phase. */
static bl_status draw_wave(bl_trial *trial, const bl_wave_fit *fit, double w, double b, double *t, double *y,
                           size_t count) {
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    if (!law) return BL_ERR_MEMORY;
    double amplitude = hypot(fit->a, fit->b);
    bl_wave_fit theory = {.frequency = sqrt(fmax(0, w * w - b * b)), .decay = b, .a = fit->a, .b = fit->b};
    for (size_t k = 0; k < count; k++) {
        law[k] = bl_wave_at(&theory, t[k]) / amplitude;
        y[k] = (y[k] - fit->offset) / amplitude;
        t[k] *= w / (2 * M_PI);
    }
    bl_status status = bl_trial_draw(trial, "time / period", "amplitude", t, y, law, count);
    bl_release(trial->ctx, law);
    return status;
}

/* Parameters: mode (2), skip (0.25): share of a period that is left out at the start, where the sampled shape still
 * finds its packing. A damped oscillator has w_fit^2 + b^2 = w^2, so numerical damping does not count as a lower
 * tension; the damping is judged by itself. */
bl_status bl_measure_case_oscillation(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    int mode = (int)bl_trial_parameter(trial, "mode", 2);
    double w = bl_law_drop_frequency(d.dimension, mode, d.gamma, d.rho, d.radius);
    double b = bl_law_drop_decay(d.dimension, mode, d.mu / d.rho, d.radius);
    double skip = bl_trial_parameter(trial, "skip", 0.25) * 2 * M_PI / w, *t, *y;
    size_t count, first = 0;
    bl_status status = bl_trial_follow(trial, mode_of_frame, &mode, &t, &y, &count);
    while (first < count && t[first] < skip) first++;
    if (status == BL_OK) {
        bl_wave_fit fit = bl_fit_wave(t + first, y + first, count - first, w);
        bl_trial_add(trial, "frequency", hypot(fit.frequency, fit.decay), w);
        bl_trial_add(trial, "decay", fit.decay, b);
        bl_trial_add(trial, "misfit", fit.deviation, 0);
        status = draw_wave(trial, &fit, w, b, t, y, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    return status;
}

static bl_status sphericity_of_frame(bl_trial *trial, int number, double *out) {
    bl_liquid liquid = {0};
    bl_shape_result shape;
    bl_status status = bl_liquid_load(&trial->reader, -1, number, &liquid);
    if (status == BL_OK) status = bl_measure_shape(trial->ctx, &liquid, NULL, 0, &shape);
    if (status == BL_OK) *out = shape.sphericity;
    bl_liquid_clear(trial->ctx, &liquid);
    return status;
}

/* `sphericity` at the end: 1 by the law. */
bl_status bl_measure_case_roundness(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    size_t count = trial->reader.frame_count;
    double *t = bl_alloc(trial->ctx, count, sizeof *t), *y = bl_alloc(trial->ctx, count, sizeof *y);
    bl_status status = t && y ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        t[k] = trial->reader.frames[k].time / sqrt(d.rho * pow(d.radius, 3) / d.gamma);
        status = sphericity_of_frame(trial, trial->reader.frames[k].number, &y[k]);
    }
    if (status == BL_OK) {
        bl_trial_add(trial, "sphericity", y[count - 1], 1);
        status = bl_trial_draw(trial, "time / sqrt(rho R^3/gamma)", "sphericity", t, y, NULL, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    return status;
}

/* Largest distance of three columns, together a vector, from their first row. */
static bl_status drift(const bl_trial *trial, const char *x, const char *y, const char *z, double *largest,
                       double *first) {
    const double *c[3];
    bl_status status = bl_trial_column(trial, x, &c[0]);
    if (status == BL_OK) status = bl_trial_column(trial, y, &c[1]);
    if (status == BL_OK) status = bl_trial_column(trial, z, &c[2]);
    *largest = 0;
    for (size_t k = 0; k < trial->series.row_count && status == BL_OK; k++)
        *largest =
            fmax(*largest, sqrt(pow(c[0][k] - c[0][0], 2) + pow(c[1][k] - c[1][0], 2) + pow(c[2][k] - c[2][0], 2)));
    if (status == BL_OK) *first = sqrt(c[0][0] * c[0][0] + c[1][0] * c[1][0] + c[2][0] * c[2][0]);
    return status;
}

/* A spinning free body: `angular`: drift of the angular momentum over itself; `momentum`: drift of the momentum over
 * mass times the speed sqrt(2 E_kin/m) of the start; `energy`: the largest rise of kinetic plus interface energy above
 * the least so far, over the kinetic energy of the start. */
bl_status bl_measure_case_conservation(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    double momentum, angular, none, spin, least = (double)INFINITY, rise = 0;
    const double *kinetic, *surface, *time;
    bl_status status = drift(trial, "momentum_x", "momentum_y", "momentum_z", &momentum, &none);
    if (status == BL_OK) status = drift(trial, "angular_x", "angular_y", "angular_z", &angular, &spin);
    if (status == BL_OK) status = bl_trial_column(trial, "energy_kinetic", &kinetic);
    if (status == BL_OK) status = bl_trial_column(trial, "energy_fv", &surface);
    if (status == BL_OK) status = bl_trial_column(trial, "time", &time);
    if (status != BL_OK) return status;
    size_t n = trial->series.row_count;
    double mass = d.rho * bl_trial_volume(trial);
    double *x = bl_alloc(trial->ctx, n, sizeof *x), *y = bl_alloc(trial->ctx, n, sizeof *y);
    if (!x || !y) status = BL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == BL_OK; k++) {
        double energy = kinetic[k] + surface[k];
        least = fmin(least, energy);
        rise = fmax(rise, energy - least);
        x[k] = time[k] / sqrt(d.rho * pow(d.radius, 3) / d.gamma);
        y[k] = energy / (kinetic[0] + surface[0]);
    }
    bl_trial_add(trial, "momentum", momentum / sqrt(2 * mass * kinetic[0]), 0);
    bl_trial_add(trial, "angular", angular / spin, 0);
    bl_trial_add(trial, "energy", rise / kinetic[0], 0);
    if (status == BL_OK)
        status = bl_trial_draw(trial, "time / sqrt(rho R^3/gamma)", "energy / energy at the start", x, y, NULL, n);
    bl_release(trial->ctx, x);
    bl_release(trial->ctx, y);
    return status;
}
