/* The scheme `unified`: implicit pressure, surface tension and Coulomb friction in one solve, after Probst and
 * Teschner 2024 (seed equations as corrected in docs/theory/unified.md). */
#include "schemes/unified/unified.h"
#include "schemes/kernels.h"
#include <math.h>
#include <string.h>

static void destroy(bl_world *world, void *state) {
    unified *u = state;
    if (!u) return;
    bl_unified_clear(world, u);
    bl_release(world->ctx, u);
}

static bl_status create(bl_world *world, void **state) {
    unified *u = bl_alloc(world->ctx, 1, sizeof *u);
    if (!u) return BL_ERR_MEMORY;
    bl_status status = bl_unified_setup(world, u);
    if (status != BL_OK) {
        destroy(world, u);
        return status;
    }
    bl_unified_set_step(world, u, 0);
    *state = u;
    return BL_OK;
}

static void keep_smaller(double *limit, const char **which, double candidate, const char *name) {
    if (candidate < *limit) {
        *limit = candidate;
        *which = name;
    }
}

/* Stiffness A0 gamma: sqrt(rho h^3/gamma) in the paper's calibration, shorter by sqrt(A0_paper/A0) in ours. */
double bl_unified_capillary_limit(const bl_world *world, void *state) {
    const unified *u = state;
    double h = world->scene->spacing;
    if (!(u->capillary_stiffness > 0)) return INFINITY;
    return world->scene->time.capillary_factor * sqrt(h * h * h / u->capillary_stiffness);
}

/* Motion and extent of the state a step begins with. Returns the largest pressure over density, as far as it is of the
 * weight of liquid: single particles count for little, and more than a column as high as all of the liquid is a shock,
 * whose pressure only grows when steps become shorter. */
static double look_around(bl_world *world, unified *u, double motion[BL_MOTION_WIDTH]) {
    double pressure;
    bl_vec3d g = bl_curve_at3(&world->scene->gravity, world->time);
    bl_unified_bind(world, u);
    bl_unified_ask(world, u, BL_STATE_REDUCTIONS);
    bl_unified_answer(world, u, BL_RED_motion, motion);
    bl_unified_answer(world, u, BL_RED_pressure, &pressure);
    const double *up = motion + BL_MOTION_HIGHEST, *down = motion + BL_MOTION_LOWEST;
    bl_vec3d size = {up[0] + down[0], up[1] + down[1], up[2] + down[2]};
    double along = fabs(g.x) * size.x + fabs(g.y) * size.y + fabs(g.z) * size.z, length = bl_v3d_norm(g);
    u->depth = world->fluid.count && length > 0 ? along / length : 0;
    return world->fluid.count ? fmin(pow(5 * pressure / (double)world->fluid.count, 0.25), 1.5 * along) : 0;
}

static double step_limit(bl_world *world, void *state, const char **which) {
    unified *u = state;
    const bl_time_def *time = &world->scene->time;
    double h = world->scene->spacing, motion[BL_MOTION_WIDTH], limit = INFINITY;
    bl_vec3d g = bl_curve_at3(&world->scene->gravity, world->time);
    bl_unified_set_step(world, u, (double)u->now.dt);
    double pressure = look_around(world, u, motion);
    double speed = sqrt(fmax(0, motion[BL_MOTION_SPEED]));
    double force = fmax(sqrt(fmax(0, motion[BL_MOTION_ACCELERATION])), bl_v3d_norm(g));
    *which = "end";
    if (speed > 0) keep_smaller(&limit, which, time->cfl * h / speed, "cfl");
    if (force > 0) keep_smaller(&limit, which, time->force_factor * sqrt(h / force), "force");
    keep_smaller(&limit, which, bl_unified_capillary_limit(world, u), "capillary");
    if (pressure > 0) keep_smaller(&limit, which, time->pressure_factor * h / sqrt(pressure), "pressure");
    if (time->max_step > 0) keep_smaller(&limit, which, time->max_step, "max_step");
    return limit;
}

static bl_status find_neighbours_on_device(bl_world *world, unified *u) {
    bl_unified_bind(world, u);
    if (world->boundary_moved) {
        bl_device_find_boundary_neighbours(world->device);
        bl_unified_run(world, u, BL_PASS_boundary_sum);
        u->bare_apart = bl_device_leave_walls(world->device);
        if (u->bare_apart) bl_unified_sum_bare(world, u);
    }
    bl_device_find_neighbours(world->device);
    return bl_device_status(world->device);
}

static bl_status find_neighbours(bl_world *world, unified *u) {
    if (world->device) return find_neighbours_on_device(world, u);
    double start = bl_now();
    bl_positions fluid = {world->fluid.x, world->fluid.count};
    bl_positions boundary = {world->boundary.x, world->boundary.count};
    bl_status status = bl_scene_has_groups(world->scene)
                           ? bl_neighbours_build_grouped(world->neighbours, fluid, boundary)
                           : bl_neighbours_build(world->neighbours, fluid, boundary);
    if (status == BL_OK && world->boundary_moved) status = bl_neighbours_build_boundary(world->neighbours, boundary);
    bl_timers_add(&world->timers, "neighbours", bl_now() - start);
    if (status != BL_OK) return status;
    bl_unified_bind(world, u);
    if (world->boundary_moved) bl_unified_run(world, u, BL_PASS_boundary_sum);
    return BL_OK;
}

/* Explicit forces on v: gravity at the end of the step. */
static void add_gravity(bl_world *world, unified *u, double dt) {
    bl_vec3d dv = bl_v3d_scale(dt, bl_curve_at3(&world->scene->gravity, world->time + dt));
    u->now.kick[0] = (real)dv.x, u->now.kick[1] = (real)dv.y, u->now.kick[2] = (real)dv.z;
    bl_unified_run(world, u, BL_PASS_kick);
}

/* From here on f_st is the field's, if there is one. */
static bl_status solve(bl_world *world, unified *u, uint64_t turn, bl_observation *report, bl_failure *failure) {
    bl_status status = bl_unified_field_force(world, u, turn);
    return status == BL_OK ? bl_unified_solve(world, u, report, failure) : status;
}

static bl_status step(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure) {
    unified *u = state;
    memset(report, 0, sizeof *report);
    report->dt = dt;
    if (world->scene->time.fixed_step > 0) { /* else the limit of the step has seen to it */
        double motion[BL_MOTION_WIDTH];
        look_around(world, u, motion);
    }
    bl_unified_set_step(world, u, dt);
    bl_status status = find_neighbours(world, u);
    if (status != BL_OK) return status;
    add_gravity(world, u, dt);
    if (u->reactions) bl_unified_run(world, u, BL_PASS_reaction_clear);
    report->viscosity_iterations = bl_unified_viscosity(world, u);
    u->virials = true;
    status = solve(world, u, world->step, report, failure);
    if (status == BL_OK) status = bl_unified_check_motion(world, u, failure);
    if (status != BL_OK) return status;
    if (u->reactions) bl_unified_run(world, u, BL_PASS_reaction);
    if (u->reactions && u->field) bl_unified_field_react(world);
    if (u->field && world->fluid.count) bl_field_virials(u->field, (double)u->par.v0, world->fluid.virial_st);
    bl_unified_run(world, u, BL_PASS_integrate);
    bl_unified_observe(world, u, report);
    return bl_device_status(world->device);
}

/* One step of relaxing: no gravity, no viscosity, and all motion is lost at its end. *moved: the largest displacement,
 * in spacings. */
static bl_status relax_once(bl_world *world, unified *u, double dt, int turn, double *moved, bl_failure *failure) {
    bl_observation ignored = {0};
    double motion[BL_MOTION_WIDTH];
    bl_status status = find_neighbours(world, u);
    if (status == BL_OK) status = solve(world, u, (uint64_t)turn, &ignored, failure);
    if (status == BL_OK) status = bl_unified_check_motion(world, u, failure);
    if (status != BL_OK) return status;
    world->boundary_moved = false; /* its sums are up to date from now on */
    bl_unified_run(world, u, BL_PASS_integrate);
    bl_unified_reduce(world, u, BL_RED_motion, motion);
    bl_unified_run(world, u, BL_PASS_stop);
    *moved = sqrt(fmax(0, motion[BL_MOTION_SPEED])) * dt / world->scene->spacing;
    return bl_device_status(world->device);
}

/* Particles cut from a lattice are not where a liquid of this tension has them: its surface layers must draw together
 * first, which would start every run with a jolt. Steps without inertia let them find their places. Over so few steps
 * the shape as a whole does not change: it moves by some (h/R)^2 of what the surface layers do. */
static bl_status relax(bl_world *world, void *state, int steps, bl_failure *failure) {
    const double calm = 1e-3;
    unified *u = state;
    double dt = bl_unified_capillary_limit(world, u), moved = 1;
    /* without tension only overlaps are mended, by displacements that do not depend on the step */
    if (!isfinite(dt)) dt = world->scene->time.max_step > 0 ? world->scene->time.max_step : 1e-3;
    bl_unified_bind(world, u);
    bl_unified_run(world, u, BL_PASS_hold);
    bl_unified_set_step(world, u, dt);
    u->now.warm_share = 1; /* nothing weighs */
    u->virials = false;
    bl_status status = BL_OK;
    for (int k = 0; k < steps && status == BL_OK && moved > calm; ++k)
        status = relax_once(world, u, dt, k, &moved, failure);
    bl_unified_run(world, u, BL_PASS_let_go);
    /* what could not be relaxed is left to the steps, which can be repeated smaller */
    return status == BL_ERR_DIVERGED ? BL_OK : status;
}

static const double *history(const bl_world *world, void *state, int *iterations) {
    const unified *u = state;
    (void)world;
    *iterations = u->history_count;
    return u->history;
}

const bl_scheme bl_scheme_unified = {"unified", create, destroy, step_limit, bl_unified_capillary_limit,
                                     relax,     step,   history};
