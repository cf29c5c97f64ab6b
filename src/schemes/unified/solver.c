/* The solver loop: projected relaxed Jacobi (algorithm 1) or NNCG on top of it (algorithm 5). */
#include "schemes/unified/unified.h"
#include <math.h>
#include <stdio.h>

/* Residuals of one iteration, each a mean in its own scale. */
typedef struct residuals {
    double volume, tension, friction;
    double motion;  /* mean displacement of the step, in spacings */
    double paper;   /* eq. 27, in SI units as printed */
    double norm[3]; /* |r|^2 of p, f_st, f_fr, for NNCG */
} residuals;

static residuals measure(bl_world *world, unified *u) {
    double sum[BL_RESIDUAL_WIDTH], n = fmax(1, (double)world->fluid.count);
    bl_unified_reduce(world, u, BL_RED_residual, sum);
    residuals r;
    r.volume = sum[BL_RES_VOLUME] / n;
    r.tension = sum[BL_RES_TENSION] / n;
    /* a wide drop has few particles at the wall: friction is judged by those alone */
    r.friction = sum[BL_RES_FRICTION] / fmax(1, sum[BL_RES_CONTACTS]);
    r.motion = sum[BL_RES_MOTION] / n;
    r.paper = (sum[BL_RES_COMPRESSION] + sum[BL_RES_TENSION_SI] + sum[BL_RES_FRICTION_SI]) / n;
    for (int k = 0; k < 3; ++k) r.norm[k] = sum[BL_RES_NORM_P + k];
    return r;
}

/* Tolerances hold for a liquid in motion. One that comes to rest would be kept awake by errors of that size, so they
 * shrink with the motion itself: what a step leaves unsolved is a small part of what it moves, down to rounding. The
 * warm start makes this cheap, since its error shrinks in the same measure. */
static double at_rest(double tolerance, double motion) {
    const double share = 0.05, floor = 4 * (double)BL_REAL_EPSILON;
    return fmin(tolerance, fmax(share * motion, floor));
}

static bool converged(const bl_scheme_def *def, const residuals *r) {
    if (def->criterion == BL_CRITERION_PAPER) return r->paper <= def->tolerance;
    return r->volume <= at_rest(def->tolerance, r->motion) &&
           r->tension <= at_rest(def->tension_tolerance, r->motion) &&
           r->friction <= at_rest(def->friction_tolerance, r->motion);
}

/* Fletcher-Reeves factor of one unknown; a growing residual restarts its direction. */
static real beta_of(double norm, double previous) {
    double beta = previous > 0 ? norm / previous : 0;
    return beta > 1 ? BL_R(0) : (real)beta;
}

static void set_betas(unified *u, bl_accelerator accelerator, const residuals *r, const residuals *previous) {
    bool nncg = accelerator == BL_ACCEL_NNCG && previous;
    u->par.beta_p = nncg ? beta_of(r->norm[0], previous->norm[0]) : BL_R(0);
    u->par.beta_st = nncg ? beta_of(r->norm[1], previous->norm[1]) : BL_R(0);
    u->par.beta_fr = nncg ? beta_of(r->norm[2], previous->norm[2]) : BL_R(0);
}

static void evaluate(bl_world *world, unified *u) {
    bl_unified_run(world, u, BL_PASS_predict);
    bl_unified_run(world, u, BL_PASS_interface_fluid);
    bl_unified_run(world, u, BL_PASS_interface_boundary);
    bl_unified_run(world, u, BL_PASS_residual);
}

static void record(unified *u, const residuals *r) {
    if (u->history_count >= u->history_capacity) return;
    double *row = u->history + 3 * (size_t)u->history_count++;
    row[0] = r->volume, row[1] = r->tension, row[2] = r->friction;
}

/* Unconverged after all iterations, with an error that would spoil the run: a smaller step is needed. */
static bl_status give_up(bl_world *world, const unified *u, const residuals *r, int iterations, bl_failure *failure) {
    enum { BEYOND_REPAIR_PERCENT = 2 };
    if (r->volume < 0.01 * BEYOND_REPAIR_PERCENT) return BL_OK;
    bl_device_fetch(world->device, BL_ALL_FIELDS, 0);
    bl_index worst = 0;
    for (bl_index i = 1; i < u->view.fluid_count; ++i)
        if (u->view.e_v[i] < u->view.e_v[worst]) worst = i;
    failure->term = "pressure";
    failure->id = u->view.id[worst];
    failure->x = bl_v3d_from(u->view.x[worst]);
    snprintf(failure->text, sizeof failure->text,
             "the solver still has a mean volume error of %.2g %% after %d iterations", 100 * r->volume, iterations);
    return BL_ERR_DIVERGED;
}

/* Iterate until converged; adds to the report. */
static bl_status iterate(bl_world *world, unified *u, bl_observation *report, bl_failure *failure) {
    const bl_scheme_def *def = &world->scene->scheme;
    residuals r, previous;
    for (int k = 1;; ++k) {
        evaluate(world, u);
        r = measure(world, u);
        record(u, &r);
        if (!isfinite(r.volume + r.tension + r.friction)) return bl_unified_check_motion(world, u, failure);
        report->iterations += 1;
        bool done = k >= def->min_iterations && converged(def, &r);
        if (!done && k >= def->max_iterations) {
            /* a fixed number of iterations was asked for: what it gives is what is wanted */
            bool fixed = def->min_iterations == def->max_iterations;
            bl_status status = fixed ? BL_OK : give_up(world, u, &r, k, failure);
            if (status != BL_OK) return status;
            break;
        }
        if (done) break;
        set_betas(u, def->accelerator, &r, k > 1 ? &previous : NULL);
        bl_unified_run(world, u, BL_PASS_update);
        previous = r;
    }
    if (u->par.solve_pressure) report->residual_volume = r.volume, report->residual_friction = r.friction;
    if (u->par.solve_tension) report->residual_tension = r.tension;
    return BL_OK;
}

/* Step sizes of appendix A, from the state at t. */
static void diagonals(bl_world *world, unified *u) {
    double largest, smallest;
    bl_unified_run(world, u, BL_PASS_volume);
    bl_unified_run(world, u, BL_PASS_wall_contact);
    bl_unified_run(world, u, BL_PASS_diagonal_p);
    bl_unified_reduce(world, u, BL_RED_diagonal_p, &largest);
    u->par.diagonal_min = (real)(1e-6 * fmax(0, largest));
    bl_unified_run(world, u, BL_PASS_alpha_finish);

    bl_unified_run(world, u, BL_PASS_predict_none);
    bl_unified_run(world, u, BL_PASS_interface_bare);
    bl_unified_run(world, u, BL_PASS_interface_fluid);
    bl_unified_run(world, u, BL_PASS_interface_boundary);
    bl_unified_run(world, u, BL_PASS_alpha_st);
    bl_unified_reduce(world, u, BL_RED_alpha_st, &smallest);
    /* one step size for all keeps momentum at rounding for any iteration count (eq. 34a) */
    u->par.alpha_st = (real)fmin(1, smallest);
}

static void start(bl_world *world, unified *u) {
    if (world->scene->scheme.warm_start) {
        bl_unified_run(world, u, BL_PASS_predict_free);
        bl_unified_run(world, u, BL_PASS_interface_fluid);
        bl_unified_run(world, u, BL_PASS_interface_boundary);
        bl_unified_run(world, u, BL_PASS_start_warm);
    } else {
        bl_unified_run(world, u, BL_PASS_start_cold);
    }
    bl_unified_run(world, u, BL_PASS_pressure_products);
}

bl_status bl_unified_solve(bl_world *world, unified *u, bl_observation *report, bl_failure *failure) {
    bl_order order = world->scene->scheme.order;
    u->history_count = 0;
    bl_unified_run(world, u, BL_PASS_boundary_predict);
    diagonals(world, u);
    if (order == BL_ORDER_UNIFIED) {
        start(world, u);
        return iterate(world, u, report, failure);
    }
    /* fig. 18: one force is solved as if the other did not exist, then the other with the first held fixed */
    bl_unified_run(world, u, BL_PASS_start_cold);
    bl_unified_run(world, u, BL_PASS_pressure_products);
    for (int stage = 0; stage < 2; ++stage) {
        bool tension = (stage == 0) == (order == BL_ORDER_TENSION_FIRST);
        u->par.solve_tension = tension;
        u->par.solve_pressure = !tension;
        bl_status status = iterate(world, u, report, failure);
        if (status != BL_OK) return status;
    }
    return BL_OK;
}
