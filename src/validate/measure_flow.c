/* Liquid driven through a gap, by what wets it or by the pressure of drops. */
#include "analysis/liquid.h"
#include "validate/fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

/* A plug between plates whose first boundary wets its front and whose second holds its back, 2D: `speed` of its centre
 * of mass from 30 % of the run on, by the law gamma d (cos(front) - cos(back))/(6 mu L). Parameter gap: d, m. */
bl_status bl_measure_case_plug(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const bl_boundary *walls = trial->reader.scene->boundaries;
    double gap = bl_trial_parameter(trial, "gap", (double)NAN), length = bl_trial_volume(trial) / gap;
    double wetting =
        cos(bl_curve_at(&walls[0].contact_angle, d.end)) - cos(bl_curve_at(&walls[1].contact_angle, d.end));
    double law = d.gamma * gap * wetting / (6 * d.mu * length);
    const double *time, *x;
    bl_status status = bl_trial_column(trial, "time", &time);
    if (status == BL_OK) status = bl_trial_column(trial, "center_x", &x);
    if (status != BL_OK) return status;
    size_t n = trial->series.row_count, first = 0;
    while (first < n && time[first] < 0.3 * d.end) first++;
    bl_trial_add(trial, "speed", bl_fit_line(time + first, x + first, n - first).slope, law);

    double *moved = bl_alloc(trial->ctx, n, sizeof *moved), *wanted = bl_alloc(trial->ctx, n, sizeof *wanted);
    if (!moved || !wanted) status = BL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == BL_OK; k++) {
        moved[k] = (x[k] - x[0]) / gap;
        wanted[k] = law * (time[k] - time[0]) / gap;
    }
    if (status == BL_OK) status = bl_trial_draw(trial, "time (s)", "way / d", time, moved, wanted, n);
    bl_release(trial->ctx, moved);
    bl_release(trial->ctx, wanted);
    return status;
}

/* What gravity sets flowing: between plates, in a pipe, or along walls that do not hold it. */
typedef struct stream {
    double g, nu, gap, radius;
    bool slips;
} stream;

static double stream_speed(const stream *s, double time) {
    if (s->slips) return s->g * time;
    return s->radius > 0 ? bl_law_pipe_speed(s->g, s->nu, s->radius, time)
                         : bl_law_channel_speed(s->g, s->nu, s->gap, time);
}

/* Liquid between plates (2D) or in a pipe that gravity sets flowing along x: `speed`, the mean of all particles over
 * the last fifth of the run. Parameters gap: distance of the plates, m; or radius: of the pipe, m; slips: not 0 if the
 * walls have no drag, and the liquid falls freely. */
bl_status bl_measure_case_channel(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    stream s = {.g = d.g, .nu = d.mu / d.rho};
    s.gap = bl_trial_parameter(trial, "gap", (double)NAN);
    s.radius = bl_trial_parameter(trial, "radius", 0);
    s.slips = bl_trial_parameter(trial, "slips", 0) != 0;
    double mass = d.rho * bl_trial_volume(trial);
    const double *time, *momentum;
    bl_status status = bl_trial_column(trial, "time", &time);
    if (status == BL_OK) status = bl_trial_column(trial, "momentum_x", &momentum);
    if (status != BL_OK) return status;
    size_t n = trial->series.row_count, used = 0;
    double *speed = bl_alloc(trial->ctx, n, sizeof *speed), *law = bl_alloc(trial->ctx, n, sizeof *law);
    double measured = 0, wanted = 0, final = stream_speed(&s, s.slips ? d.end : (double)INFINITY);
    if (!speed || !law) status = BL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == BL_OK; k++) {
        speed[k] = momentum[k] / (mass * final);
        law[k] = stream_speed(&s, time[k]) / final;
        if (time[k] >= 0.8 * d.end) measured += speed[k], wanted += law[k], used++;
    }
    if (status == BL_OK) {
        bl_trial_add(trial, "speed", final * measured / (double)used, final * wanted / (double)used);
        status = bl_trial_draw(trial, "time (s)", "mean speed / at the end", time, speed, law, n);
    }
    bl_release(trial->ctx, speed);
    bl_release(trial->ctx, law);
    return status;
}

/* --- two drops on the ends of a slot --- */

typedef struct slot {
    double width, length, h;
    double side; /* -1, 1: which drop */
} slot;

/* Radius of the half disc beyond one end of the slot. */
static double end_radius(const void *user, const bl_liquid *liquid, double time) {
    const slot *s = user;
    double count = 0;
    (void)time;
    for (size_t i = 0; i < liquid->count; i++) count += s->side * liquid->x[i].x > s->length / 2;
    return sqrt(2 * count * s->h * s->h / M_PI);
}

/* Area of the first drop by the law, from the radii at the start; it stops where the drop is as wide as the slot. */
static void integrate_law(const bl_trial_liquid *d, const slot *s, double r1, double r2, const double *t, double *area,
                          size_t count) {
    enum { STEPS = 50 };
    double a1 = M_PI * r1 * r1 / 2, a2 = M_PI * r2 * r2 / 2, least = M_PI * s->width * s->width / 8;
    for (size_t k = 0; k < count; k++) {
        area[k] = a1;
        for (int j = 0; j < STEPS && k + 1 < count && a1 > least; j++) {
            double flow =
                bl_law_slot_flow(d->gamma, d->mu, s->width, s->length, sqrt(2 * a1 / M_PI), sqrt(2 * a2 / M_PI));
            double moved = flow * (t[k + 1] - t[k]) / STEPS;
            a1 -= moved, a2 += moved;
        }
    }
}

/* Two half discs in 2D on the ends of a slot along x: `rate`: what has left the small one (x < 0) over what the law
 * says with the radii it had on the way, from a tenth of the run until 40 % of it are left. Parameters gap, length: of
 * the slot, m. */
bl_status bl_measure_case_connected(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    slot s = {bl_trial_parameter(trial, "gap", (double)NAN), bl_trial_parameter(trial, "length", (double)NAN), d.h, -1};
    double *t = NULL, *small = NULL, *again = NULL, *big = NULL, lost = 0, wanted = 0;
    size_t count, first = 0, last;
    bl_status status = bl_trial_follow(trial, end_radius, &s, &t, &small, &count);
    s.side = 1;
    if (status == BL_OK) status = bl_trial_follow(trial, end_radius, &s, &again, &big, &count);
    double *area = bl_alloc(trial->ctx, count, sizeof *area), *law = bl_alloc(trial->ctx, count, sizeof *law);
    if (!area || !law) status = BL_ERR_MEMORY;
    if (status == BL_OK) {
        while (first + 1 < count && t[first] < 0.1 * d.end) first++;
        for (last = first; last + 1 < count && pow(small[last + 1] / small[0], 2) > 0.4; last++)
            wanted += (t[last + 1] - t[last]) * bl_law_slot_flow(d.gamma, d.mu, s.width, s.length,
                                                                 0.5 * (small[last] + small[last + 1]),
                                                                 0.5 * (big[last] + big[last + 1]));
        lost = M_PI / 2 * (small[first] * small[first] - small[last] * small[last]);
        bl_trial_add(trial, "rate", lost / (t[last] - t[first]), wanted / (t[last] - t[first]));
        integrate_law(&d, &s, small[0], big[0], t, law, count);
        double whole = law[0];
        for (size_t k = 0; k < count; k++) {
            area[k] = M_PI / 2 * small[k] * small[k] / whole;
            law[k] /= whole;
        }
        status = bl_trial_draw(trial, "time (s)", "small drop / at the start", t, area, law, count);
    }
    bl_release(trial->ctx, area);
    bl_release(trial->ctx, law);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, small);
    bl_release(trial->ctx, again);
    bl_release(trial->ctx, big);
    return status;
}
