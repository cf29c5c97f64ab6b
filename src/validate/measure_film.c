/* Flat films in 2D. */
#include "analysis/profile.h"
#include "validate/fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

/* --- tension of a film that is pulled or pushed slowly, or at rest --- */

typedef struct window {
    double share; /* of the film's length, in its middle */
    bl_context *ctx;
} window;

static double force_of_frame(const void *user, const bl_liquid *liquid, double time) {
    const window *w = user;
    const bl_vec3d axis = {1, 0, 0};
    double low, high;
    (void)time;
    if (bl_profile_quantile(w->ctx, liquid, axis, 0.01, &low) != BL_OK) return (double)NAN;
    if (bl_profile_quantile(w->ctx, liquid, axis, 0.99, &high) != BL_OK) return (double)NAN;
    double middle = 0.5 * (low + high), half = 0.5 * w->share * (high - low);
    return bl_profile_film_force(liquid, middle - half, middle + half);
}

/* `force`: force per side over the second half of the run, gamma by the law. Parameter share (0.6): the part of the
 * film, in its middle, that is measured: its ends are at walls. `energy`: of both sides of a periodic film at rest. */
bl_status bl_measure_case_film(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    window w = {bl_trial_parameter(trial, "share", 0.6), trial->ctx};
    double *t, *force, sum = 0, energy;
    size_t count, n = 0;
    bl_status status = bl_trial_follow(trial, force_of_frame, &w, &t, &force, &count);
    if (status == BL_OK) status = bl_trial_mean(trial, "energy_fv", d.end / 2, d.end, &energy, NULL);
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        force[k] /= 2 * d.gamma;
        if (t[k] >= d.end / 2) sum += force[k], n++;
        t[k] /= d.end;
    }
    if (status == BL_OK) {
        const bl_domain_def *domain = &trial->reader.scene->domain;
        bl_trial_add(trial, "force", d.gamma * sum / (double)n, d.gamma);
        bl_trial_add(trial, "energy", domain->periodic[0] ? energy : (double)NAN,
                     2 * d.gamma * (domain->max.x - domain->min.x));
        status = bl_trial_draw(trial, "time / duration", "force per side / gamma", t, force, NULL, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, force);
    return status;
}

/* --- a film that withdraws from its edge --- */

static double tip_of_frame(const void *user, const bl_liquid *liquid, double time) {
    const window *w = user;
    const bl_vec3d axis = {1, 0, 0};
    double low, high;
    (void)time;
    if (bl_profile_quantile(w->ctx, liquid, axis, 0.002, &low) != BL_OK) return (double)NAN;
    if (bl_profile_quantile(w->ctx, liquid, axis, 0.998, &high) != BL_OK) return (double)NAN;
    return 0.5 * (high - low);
}

/* Mean distance from the middle. */
static double spread_of_frame(const void *user, const bl_liquid *liquid, double time) {
    double middle = 0, sum = 0;
    (void)user, (void)time;
    for (size_t i = 0; i < liquid->count; i++) middle += liquid->x[i].x / (double)liquid->count;
    for (size_t i = 0; i < liquid->count; i++) sum += fabs(liquid->x[i].x - middle) / (double)liquid->count;
    return sum;
}

/* How far a rim without extent has come that has taken up what it met: it shifts half of a sheet of the length 2 m by
 * X^2/(4 m) on average, with m the mean distance from the middle at the start. By Newton's law d(X X')/dt = 2
 * gamma/(rho e), so X' is Taylor's and Culick's speed from the start, whatever shape the rim has. */
static double rim_way(double m, double now) { return sqrt(fmax(0, 4 * m * (m - now))); }

/* The slope over first to last of a rim's way. */
static bl_status measure_rim(bl_trial *trial, size_t first, size_t last, double v) {
    double *t, *way;
    size_t count;
    bl_status status = bl_trial_follow(trial, spread_of_frame, NULL, &t, &way, &count);
    if (status == BL_OK) {
        const double start = way[0];
        for (size_t k = 0; k < count; k++) way[k] = rim_way(start, way[k]);
        bl_trial_add(trial, "rim", bl_fit_line(t + first, way + first, last - first).slope, v);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, way);
    return status;
}

/* `rim`: speed of the rim by its momentum; `speed`: slope of half the length of a sheet with two free ends, between the
 * times `from` and `to` (parameters, in units of e/v) at which the rims have formed and not yet met. Parameter
 * thickness: e, m. */
bl_status bl_measure_case_retraction(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    window w = {0, trial->ctx};
    double e = bl_trial_parameter(trial, "thickness", (double)NAN), v = bl_law_culick(d.gamma, d.rho, e), *t, *tip;
    double from = bl_trial_parameter(trial, "from", 2) * e / v, to = bl_trial_parameter(trial, "to", 5) * e / v;
    size_t count, first = 0, last = 0;
    bl_status status = bl_trial_follow(trial, tip_of_frame, &w, &t, &tip, &count);
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    if (status == BL_OK && !law) status = BL_ERR_MEMORY;
    if (status == BL_OK) {
        while (first < count && t[first] < from) first++;
        last = first;
        while (last < count && t[last] <= to) last++;
        bl_line_fit fit = bl_fit_line(t + first, tip + first, last - first);
        bl_trial_add(trial, "speed", -fit.slope, v);
        status = measure_rim(trial, first, last, v);
        double middle = 0.5 * (from + to), at = fit.offset + fit.slope * middle;
        for (size_t k = 0; k < count; k++) {
            law[k] = (at - v * (t[k] - middle)) / e;
            tip[k] /= e;
            t[k] *= v / e;
        }
        if (status == BL_OK) status = bl_trial_draw(trial, "time v / e", "half length / e", t, tip, law, count);
    }
    bl_release(trial->ctx, law);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, tip);
    return status;
}
