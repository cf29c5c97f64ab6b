/* Waves on jets and films, from the mass along x. */
#include "analysis/profile.h"
#include "validate/fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

static double amplitude_of_frame(const void *user, const bl_liquid *liquid, double time) {
    const bl_vec3d axis = {1, 0, 0};
    (void)time;
    return bl_profile_wave(liquid, axis, *(const double *)user);
}

/* The wave number of one wave in the periodic length along x. */
static double base_wave(const bl_trial *trial) {
    const bl_domain_def *domain = &trial->reader.scene->domain;
    return 2 * M_PI / (domain->max.x - domain->min.x);
}

/* Amplitude at t over the first one of a wave on a jet that starts at rest. With viscosity it grows at the rate s and
 * has another root below -s: those of s^2 + 2 b s = s0^2 with s0 the rate without viscosity, as Weber's long waves do.
 * Waves with k R > 1 swing; what damps them is left out. */
static double jet_from_rest(double growth_2, double s, double t) {
    if (!(growth_2 > 0)) return cos(sqrt(-growth_2) * t);
    double b = (growth_2 - s * s) / (2 * s), w = s + b;
    return exp(-b * t) * (cosh(w * t) + b / w * sinh(w * t));
}

/* A jet along x, one wave long. `rate`: growth rate, in sqrt(gamma/(rho R^3)), while the amplitude of the radius over
 * R, and that of a jet without viscosity from the same start, are below the parameter `most` (0.25); R from the volume.
 * `excess`: by how much the amplitude ever exceeds its first value, relatively: 0 by the law if k R > 1. */
bl_status bl_measure_case_jet(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    double k = base_wave(trial), *t, *y, largest = 0;
    double r = sqrt(bl_trial_volume(trial) * k / (2 * M_PI * M_PI));
    double unit = sqrt(d.rho * r * r * r / d.gamma), growth_2 = bl_law_jet_growth_2(k * r);
    double fastest = sqrt(fmax(growth_2, 0)); /* without viscosity */
    double s = bl_law_jet_growth(k * r, d.mu / sqrt(d.rho * d.gamma * r));
    double most = bl_trial_parameter(trial, "most", 0.25);
    size_t count, n = 0;
    bl_status status = bl_trial_follow(trial, amplitude_of_frame, &k, &t, &y, &count);
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    if (!law) status = BL_ERR_MEMORY;
    for (size_t i = 0; i < count && status == BL_OK; i++) {
        t[i] /= unit;
        y[i] /= 2; /* mass goes with r^2 */
        largest = fmax(largest, y[i]);
        law[i] = y[0] * jet_from_rest(growth_2, s, t[i]);
        if (n == i && fmax(y[i], y[0] * jet_from_rest(growth_2, fastest, t[i])) < most) n++;
        if (law[i] > 0.6) law[i] = (double)NAN;
    }
    if (status == BL_OK) {
        bl_trial_add(trial, "rate", s > 0 ? bl_fit_growth(t, y, n, s) : (double)NAN, s);
        bl_trial_add(trial, "excess", largest / y[0] - 1, 0);
        status = bl_trial_draw(trial, "time / sqrt(rho R^3/gamma)", "amplitude / R", t, y, law, count);
    }
    bl_release(trial->ctx, law);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    return status;
}

/* cos and sin parts have a sign, the amplitude has none: it changes where the amplitude has a deep minimum. Here the
 * film is symmetric about x = 0, so the signed amplitude is the cosine part. */
static double cosine_of_frame(const void *user, const bl_liquid *liquid, double time) {
    double k = *(const double *)user, sum = 0;
    (void)time;
    for (size_t i = 0; i < liquid->count; i++) sum += cos(k * liquid->x[i].x);
    return 2 * sum / (double)liquid->count;
}

/* A free film of half thickness H (from the volume) whose two surfaces swing in opposite directions, one wave long:
 * each half is a layer over a slippery bottom. `rms`: root mean square of the difference to Prosperetti's solution,
 * in units of the first amplitude; `frequency`, `decay`: of a damped cosine. */
bl_status bl_measure_case_wave(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    double k = base_wave(trial), depth = 0.5 * bl_trial_volume(trial) / bl_trial_base(trial), nu = d.mu / d.rho,
           sum = 0, *t, *y;
    double w0 = bl_law_wave_frequency(d.gamma, d.rho, k, depth);
    size_t count;
    bl_status status = bl_trial_follow(trial, cosine_of_frame, &k, &t, &y, &count);
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    if (!law) status = BL_ERR_MEMORY;
    if (status == BL_OK) {
        bl_wave_fit fit = bl_fit_wave(t, y, count, w0);
        double start = y[0];
        for (size_t i = 0; i < count; i++) {
            law[i] = bl_law_prosperetti(w0, nu, k, t[i]);
            y[i] /= start;
            sum += pow(y[i] - law[i], 2);
            t[i] *= w0 / (2 * M_PI);
        }
        bl_trial_add(trial, "rms", sqrt(sum / (double)count), 0);
        bl_trial_add(trial, "frequency", hypot(fit.frequency, fit.decay), w0);
        bl_trial_add(trial, "decay", fit.decay, 2 * nu * k * k);
        status = bl_trial_draw(trial, "time / period", "amplitude / first", t, y, law, count);
    }
    bl_release(trial->ctx, law);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    return status;
}
