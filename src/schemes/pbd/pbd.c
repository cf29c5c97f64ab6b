/* The scheme `pbst2022`: position-based surface tension after Xing et al. 2022 (equations as corrected in
 * docs/theory/pbst2022.md). */
#include "schemes/pbd/pbd.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

static void destroy(bl_world *world, void *state) {
    pbd *s = state;
    if (!s) return;
    bl_pbd_clear(world, s);
    bl_unified_clear(world, &s->base);
    bl_release(world->ctx, s);
}

static bl_status create(bl_world *world, void **state) {
    pbd *s = bl_alloc(world->ctx, 1, sizeof *s);
    if (!s) return BL_ERR_MEMORY;
    bl_status status = bl_pbd_setup(world, s);
    if (status != BL_OK) {
        destroy(world, s);
        return status;
    }
    bl_pbd_set_step(world, s, 0);
    *state = s;
    return BL_OK;
}

/* --- the step's length --- */

static double capillary_limit(const bl_world *world, void *state) {
    const pbd *s = state;
    const bl_scene *scene = world->scene;
    double d = scene->spacing;
    if (s->paper || !(s->sigma > 0)) return (double)INFINITY;
    return scene->time.capillary_factor * sqrt(scene->fluids[0].density * d * d * d / s->sigma);
}

static void keep_smaller(double *limit, const char **which, double candidate, const char *name) {
    if (!(candidate < *limit)) return;
    *limit = candidate;
    *which = name;
}

static double step_limit(bl_world *world, void *state, const char **which) {
    const double paper_step = 1.0 / 30;
    pbd *s = state;
    const bl_scene *scene = world->scene;
    const bl_time_def *time = &scene->time;
    double d = scene->spacing, motion[BL_MOTION_WIDTH], limit = INFINITY;
    bl_pbd_set_step(world, s, (double)s->base.now.dt);
    bl_unified_bind(world, &s->base);
    bl_unified_reduce(world, &s->base, BL_RED_motion, motion);
    double speed = sqrt(fmax(0, motion[BL_MOTION_SPEED]));
    double force =
        fmax(sqrt(fmax(0, motion[BL_MOTION_ACCELERATION])), bl_v3d_norm(bl_curve_at3(&scene->gravity, world->time)));
    *which = "end";
    if (speed > 0) keep_smaller(&limit, which, time->cfl * d / speed, "cfl");
    if (s->paper) {
        keep_smaller(&limit, which, paper_step, "paper");
    } else {
        if (force > 0) keep_smaller(&limit, which, time->force_factor * sqrt(d / force), "force");
        keep_smaller(&limit, which, capillary_limit(world, s), "capillary");
    }
    if (scene->scheme.viscosity == BL_VISCOSITY_EXPLICIT && scene->fluids[0].viscosity > 0)
        keep_smaller(&limit, which, s->viscous_limit, "viscosity");
    if (time->max_step > 0) keep_smaller(&limit, which, time->max_step, "max_step");
    return limit;
}

/* --- a step --- */

/* Where walls will be at the end of the step. */
static void place_walls(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t b = begin; b < end; ++b) view->b_x_next[b] = bl_v3_mad(view->b_x[b], view->step->dt, view->b_v[b]);
}

static bl_status begin_step(bl_world *world, pbd *s, double dt) {
    double start = bl_now();
    bl_positions fluid = {world->fluid.x, world->fluid.count};
    bl_positions walls = {world->boundary.x, world->boundary.count};
    bl_status status = bl_pbd_reserve(world, s);
    if (status == BL_OK) status = bl_neighbours_build(world->neighbours, fluid, walls);
    bl_timers_add(&world->timers, "neighbours", bl_now() - start);
    if (status != BL_OK) return status;
    bl_pbd_set_step(world, s, dt);
    bl_unified_bind(world, &s->base);
    bl_pbd_for(world, s, "walls", world->boundary.count, place_walls);
    return BL_OK;
}

/* Line 1 of algorithm 1: gravity at the end of the step. */
static void add_gravity(bl_world *world, pbd *s, double dt) {
    bl_step_params *now = &s->base.now;
    bl_vec3d dv = bl_v3d_scale(dt, bl_curve_at3(&world->scene->gravity, world->time + dt));
    now->kick[0] = (real)dv.x, now->kick[1] = (real)dv.y, now->kick[2] = (real)dv.z;
    bl_unified_run(world, &s->base, BL_PASS_kick);
}

static void keep_velocities(pbd *s, size_t begin, size_t end) {
    memcpy(s->v_start + begin, s->base.view.v + begin, (end - begin) * sizeof *s->v_start);
}

/* Line 9. */
static void take_velocities(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    real inv_dt = BL_R(1) / view->step->dt;
    for (size_t i = begin; i < end; ++i) {
        if (!(s->label[i] & PBD_HELD)) view->v[i] = bl_v3_scale(inv_dt, s->moved[i]);
        view->a[i] = bl_v3_scale(inv_dt, bl_v3_sub(view->v[i], s->v_start[i]));
    }
}

/* Line 11 as corrected: p_i <- p_i*. */
static void arrive(pbd *s, size_t begin, size_t end) {
    memcpy(s->base.view.x + begin, s->base.view.x_next + begin, (end - begin) * sizeof *s->v_start);
}

/* Line 10: the mean motion of the neighbours rubs off (XSPH), at p*. */
static void mix_velocities(pbd *s, size_t begin, size_t end) {
    const real rate = BL_R(0.01);
    const bl_view *view = &s->base.view;
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k;
        bl_vec3 sum = bl_v3_zero();
        for (bl_index n = 0; n < view->ff.all[i]; ++n) {
            bl_index j = bl_neighbour(&view->ff, i, n);
            real r = bl_v3_norm(bl_delta(view->par, view->x_next[i], view->x_next[j]));
            real weight = s->volume[j] * bl_kernel_w(view->par->far, r);
            sum = bl_v3_mad(sum, weight, bl_v3_sub(view->v[j], view->v[i]));
        }
        s->target[i] = s->label[i] & PBD_HELD ? view->v[i] : bl_v3_mad(view->v[i], rate, sum);
    }
}
static void take_mixed(pbd *s, size_t begin, size_t end) {
    memcpy(s->base.view.v + begin, s->target + begin, (end - begin) * sizeof *s->target);
}

static bl_status step(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure) {
    pbd *s = state;
    size_t n = world->fluid.count;
    memset(report, 0, sizeof *report);
    report->dt = dt;
    bl_status status = begin_step(world, s, dt);
    if (status != BL_OK) return status;
    bl_pbd_for(world, s, "keep velocities", n, keep_velocities);
    add_gravity(world, s, dt);
    report->viscosity_iterations = bl_unified_viscosity(world, &s->base);
    status = bl_pbd_project(world, s, report);
    if (status == BL_OK) status = bl_pbd_check_motion(world, s, failure);
    if (status != BL_OK) return status;
    bl_pbd_for(world, s, "velocities", n, take_velocities);
    if (s->paper) {
        bl_pbd_for(world, s, "xsph", n, mix_velocities);
        bl_pbd_for(world, s, "xsph", n, take_mixed);
    } else {
        bl_pbd_spread_out(world, s);
    }
    bl_pbd_for(world, s, "arrive", n, arrive);
    bl_pbd_observe(world, s, report);
    return BL_OK;
}

/* --- relaxing --- */

/* One step without gravity and viscosity that leaves no motion. *moved: the largest displacement, in spacings. */
static bl_status relax_once(bl_world *world, pbd *s, double dt, double *moved, bl_failure *failure) {
    bl_observation ignored = {0};
    double motion[BL_MOTION_WIDTH];
    bl_status status = begin_step(world, s, dt);
    if (status != BL_OK) return status;
    bl_pbd_for(world, s, "keep velocities", world->fluid.count, keep_velocities);
    status = bl_pbd_project(world, s, &ignored);
    if (status == BL_OK) status = bl_pbd_check_motion(world, s, failure);
    if (status != BL_OK) return status;
    bl_pbd_for(world, s, "velocities", world->fluid.count, take_velocities);
    bl_pbd_spread_out(world, s);
    bl_pbd_for(world, s, "arrive", world->fluid.count, arrive);
    bl_pbd_observe(world, s, &ignored); /* pressures and forces that the next step begins with */
    bl_unified_reduce(world, &s->base, BL_RED_motion, motion);
    bl_unified_run(world, &s->base, BL_PASS_stop);
    *moved = sqrt(fmax(0, motion[BL_MOTION_SPEED])) * dt / world->scene->spacing;
    return BL_OK;
}

/* Outer layers draw together until they carry the tension; steps without inertia let them, as in the scheme unified.
 * The paper starts from the lattice. */
static bl_status relax(bl_world *world, void *state, int steps, bl_failure *failure) {
    enum { ENOUGH = 25 }; /* iterations of a step whose successor goes on where it stopped */
    const double calm = 1e-3;
    const int most = world->scene->scheme.max_iterations;
    pbd *s = state;
    double dt = capillary_limit(world, s), moved = 1;
    if (s->paper || !isfinite(dt)) return BL_OK;
    bl_unified_bind(world, &s->base);
    bl_unified_run(world, &s->base, BL_PASS_hold);
    bl_status status = BL_OK;
    s->most_iterations = most < ENOUGH ? most : ENOUGH;
    for (int k = 0; k < steps && status == BL_OK && moved > calm; ++k)
        status = relax_once(world, s, dt, &moved, failure);
    s->most_iterations = most;
    bl_unified_bind(world, &s->base);
    bl_unified_run(world, &s->base, BL_PASS_let_go);
    /* what could not be relaxed is left to the steps, which can be repeated smaller */
    return status == BL_ERR_DIVERGED ? BL_OK : status;
}

static const double *history(const bl_world *world, void *state, int *iterations) {
    const pbd *s = state;
    (void)world;
    *iterations = s->history_count;
    return s->history;
}

const bl_scheme bl_scheme_pbst2022 = {.name = "pbst2022",
                                      .create = create,
                                      .destroy = destroy,
                                      .step_limit = step_limit,
                                      .capillary_limit = capillary_limit,
                                      .relax = relax,
                                      .step = step,
                                      .history = history};
