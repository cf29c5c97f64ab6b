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
