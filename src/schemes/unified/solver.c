/* The solver loop: projected relaxed Jacobi (algorithm 1) or NNCG on top of it (algorithm 5). */
#include "schemes/unified/unified.h"
#include <math.h>
#include <stdio.h>

static void evaluate(bl_world *world, unified *u) {
    bl_unified_run(world, u, BL_PASS_predict);
    if (!u->field) bl_unified_run_bundle(world, u, BL_BUNDLE_interface);
    bl_unified_run(world, u, BL_PASS_residual);
    bl_unified_ask(world, u, BL_BIT(BL_RED_residual));
}

static void record(unified *u, bl_residuals r) {
    if (u->history_count >= u->history_capacity) return;
    double *row = u->history + 3 * (size_t)u->history_count++;
    row[0] = r.volume, row[1] = r.tension, row[2] = r.friction;
}

/* Unconverged after all iterations, with an error that would spoil the run: a smaller step is needed. */
static bl_status give_up(bl_world *world, const unified *u, bl_residuals r, int iterations, bl_failure *failure) {
    enum { BEYOND_REPAIR_PERCENT = 2 };
    if (r.volume < 0.01 * BEYOND_REPAIR_PERCENT) return BL_OK;
    bl_device_fetch(world->device, BL_ALL_FIELDS, 0);
    if (bl_device_status(world->device) != BL_OK) return bl_device_status(world->device);
    bl_index worst = 0;
    for (bl_index i = 1; i < u->view.fluid_count; ++i)
        if (u->view.e_v[i] < u->view.e_v[worst]) worst = i;
    failure->term = "pressure";
    failure->id = u->view.id[worst];
    failure->x = bl_v3d_from(u->view.x[worst]);
    snprintf(failure->text, sizeof failure->text,
             "the solver still has a mean volume error of %.2g %% after %d iterations", 100 * r.volume, iterations);
    return BL_ERR_DIVERGED;
}

static bl_goal goal_of(const bl_scheme_def *def) {
    return (bl_goal){.nncg = def->accelerator == BL_ACCEL_NNCG,
                     .paper = def->criterion == BL_CRITERION_PAPER,
                     .min_iterations = def->min_iterations,
                     .max_iterations = def->max_iterations,
                     .volume = def->tolerance,
                     .tension = def->tension_tolerance,
                     .friction = def->friction_tolerance};
}

/* A whole solve pass by pass; the number of iterations that were asked for. */
static int solve_by_passes(bl_world *world, unified *u, bl_goal goal, bool share) {
    int queued = 0;
    if (share) bl_unified_run(world, u, BL_PASS_wall_share);
    bl_unified_solve_begin(world, u, goal, u->expected);
    while (queued < goal.max_iterations) {
        evaluate(world, u);
        bl_unified_run(world, u, BL_PASS_update);
        if (bl_unified_solve_done(world, u, ++queued)) break;
    }
    bl_unified_solve_end(world, u);
    bl_unified_ask(world, u, BL_BIT(BL_RED_finite)); /* comes with the sums */
    return queued;
}

/* Iterates until converged; the number of iterations, their sums in u->sums. The first solve of a step begins with the
 * load at walls, the last one is followed by the virials. */
static int run_iterations(bl_world *world, unified *u, bool first, bool last) {
    enum { MORE_LOGGED = 8 }; /* rows of the log that are read beside those that are expected */
    const bl_goal goal = goal_of(&world->scene->scheme);
    const bool share = first && world->boundary.count > 0;
    const int most = u->expected + MORE_LOGGED < goal.max_iterations ? u->expected + MORE_LOGGED : goal.max_iterations;
    const int queued = bl_unified_solve_at_once(world, u, goal, share) ? most : solve_by_passes(world, u, goal, share);
    bl_unified_solve_fetch(world, queued);
    if (last && u->virials)
        bl_unified_run(world, u, BL_PASS_virial); /* a device is busy with it while the host waits */
    int iterations = bl_unified_solve_iterations(world, u, queued, true);
    if (iterations > queued) bl_unified_solve_iterations(world, u, iterations, true);
    return u->expected = iterations;
}

/* The same; adds to the report. */
static bl_status iterate(bl_world *world, unified *u, bool first, bool last, bl_observation *report,
                         bl_failure *failure) {
    const bl_scheme_def *def = &world->scene->scheme;
    const bl_goal goal = goal_of(def);
    bl_residuals r = {0};
    int iterations = run_iterations(world, u, first, last);
    if (bl_device_status(world->device) != BL_OK) return bl_device_status(world->device);
    for (int k = 0; k < iterations; ++k) {
        r = bl_residuals_of(u->sums + (size_t)k * BL_RESIDUAL_WIDTH, (double)world->fluid.count);
        record(u, r);
    }
    if (!isfinite(r.volume + r.tension + r.friction)) return bl_unified_check_motion(world, u, failure);
    report->iterations += iterations;
    /* when a fixed number of iterations was asked for, what it gives is what is wanted */
    if (def->min_iterations != def->max_iterations && !bl_is_converged(&goal, r)) {
        bl_status status = give_up(world, u, r, iterations, failure);
        if (status != BL_OK) return status;
    }
    if (u->now.solve_pressure) report->residual_volume = r.volume, report->residual_friction = r.friction;
    if (u->now.solve_tension) report->residual_tension = r.tension;
    return BL_OK;
}

/* Step sizes of appendix A and the unknowns to start with. The tension's are of the contributions at x + dt v, where
 * the solve starts from. */
static bl_status start(bl_world *world, unified *u, bool warm) {
    bl_unified_run_settled(world, u, BL_SETTLED_constraint);
    bl_unified_run_bundle(world, u, BL_BUNDLE_first_interface);
    if (u->field) {
        bl_unified_run(world, u, warm ? BL_PASS_start_field : BL_PASS_start_field_cold);
        bl_unified_run(world, u, BL_PASS_pressure_products);
        if (world->boundary.count) bl_unified_run(world, u, BL_PASS_wall_load);
        return bl_unified_field_load(world, u);
    }
    bl_unified_run_settled(world, u, warm ? BL_SETTLED_start_warm : BL_SETTLED_alpha_st);
    if (warm) return BL_OK;
    bl_unified_run(world, u, BL_PASS_start_cold);
    bl_unified_run(world, u, BL_PASS_pressure_products);
    bl_unified_run(world, u, BL_PASS_wall_load);
    return BL_OK;
}

bl_status bl_unified_solve(bl_world *world, unified *u, bl_observation *report, bl_failure *failure) {
    bl_order order = world->scene->scheme.order;
    u->history_count = 0;
    bl_status started = start(world, u, order == BL_ORDER_UNIFIED && world->scene->scheme.warm_start);
    if (started != BL_OK) return started;
    if (order == BL_ORDER_UNIFIED) return iterate(world, u, true, true, report, failure);
    /* fig. 18: one force is solved as if the other did not exist, then the other with the first held fixed */
    for (int stage = 0; stage < 2; ++stage) {
        bool tension = (stage == 0) == (order == BL_ORDER_TENSION_FIRST);
        u->now.solve_tension = tension;
        u->now.solve_pressure = !tension;
        bl_status status = iterate(world, u, stage == 0, stage == 1, report, failure);
        if (status != BL_OK) return status;
    }
    return BL_OK;
}
