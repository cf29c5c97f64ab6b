/* The scheme `hyde2020`: an implicit material point method with surface energy, after Hyde, Gagniere, Marquez-Razon and
 * Teran 2020 (equations as corrected in docs/theory/hyde2020.md). */
#include "schemes/mpm/mpm.h"

#include "base/parallel.h"
#include "schemes/observe.h"

#include <math.h>

static void destroy(bl_world *world, void *state) {
    bl_mpm *m = state;
    if (!m) return;
    void *const arrays[] = {m->bodies,
                            m->table_key,
                            m->table_node,
                            m->near,
                            m->place,
                            m->first,
                            m->order,
                            m->base,
                            m->spot,
                            m->f,
                            m->point,
                            m->inertia,
                            m->start,
                            m->v,
                            m->residual,
                            m->change,
                            m->direction,
                            m->image,
                            m->scaled,
                            m->push_tension,
                            m->wall_of,
                            m->wall,
                            m->patch,
                            m->nearest,
                            m->nearest_next,
                            m->wall_near,
                            m->wall_near_next,
                            m->toward,
                            m->toward_next,
                            m->wall_toward,
                            m->wall_toward_next,
                            m->raw,
                            m->level,
                            m->surface,
                            m->surface_cell,
                            m->surface_first,
                            m->surface_order,
                            m->surface_f,
                            m->piece,
                            m->piece_sorted,
                            m->sheet,
                            m->piece_first};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) bl_release(world->ctx, arrays[k]);
    bl_release(world->ctx, m);
}

static bl_status create(bl_world *world, void **state) {
    bl_mpm *m = bl_alloc(world->ctx, 1, sizeof *m);
    if (!m) return BL_ERR_MEMORY;
    bl_status status = bl_mpm_setup(world, m);
    if (status != BL_OK) {
        destroy(world, m);
        return status;
    }
    *state = m;
    return BL_OK;
}

/* Of accuracy, not of stability: the energy of the surface is in the solve. */
static double capillary_limit(const bl_world *world, void *state) {
    const bl_mpm *m = state;
    const bl_scene *scene = world->scene;
    const double h = scene->spacing;
    const bool own = scene->scheme.calibration == BL_CALIBRATION_PAPER && scene->scheme.tension_given;
    const double tension =
        own ? scene->scheme.tension : bl_curve_at(&scene->fluids[0].surface_tension, world->time + m->dt);
    if (!(tension > 0)) return (double)INFINITY;
    return scene->time.capillary_factor * sqrt(scene->fluids[0].density * h * h * h / tension);
}

static void max_acceleration(void *user, size_t begin, size_t end, double *acc) {
    const bl_world *world = user;
    for (size_t i = begin; i < end; i++) acc[0] = fmax(acc[0], (double)bl_v3_norm2(world->fluid.a[i]));
}

static void keep_smaller(double *limit, const char **which, double candidate, const char *name) {
    if (!(candidate < *limit)) return;
    *limit = candidate;
    *which = name;
}

static double step_limit(bl_world *world, void *state, const char **which) {
    const bl_time_def *time = &world->scene->time;
    const double h = world->scene->spacing, speed = bl_max_speed(world);
    double limit = (double)INFINITY, largest = 0;
    if (world->fluid.count > 0)
        bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_MAX, max_acceleration, world, &largest);
    const double force = fmax(sqrt(largest), bl_v3d_norm(bl_curve_at3(&world->scene->gravity, world->time)));
    *which = "end";
    if (speed > 0) keep_smaller(&limit, which, time->cfl * h / speed, "cfl");
    if (force > 0) keep_smaller(&limit, which, time->force_factor * sqrt(h / force), "force");
    keep_smaller(&limit, which, capillary_limit(world, state), "capillary");
    if (time->max_step > 0) keep_smaller(&limit, which, time->max_step, "max_step");
    return limit;
}

/* From particles to a system of equations. */
static bl_status set_up(bl_world *world, bl_mpm *m) {
    double start = bl_now();
    bl_status status = bl_mpm_build_grid(world, m);
    if (status == BL_OK && world->step == 0) status = bl_mpm_begin(world, m);
    if (status == BL_OK) status = bl_mpm_gather_mass(world, m);
    bl_timers_add(&world->timers, "grid", bl_now() - start);
    start = bl_now();
    if (status == BL_OK) status = bl_mpm_find_walls(world, m);
    if (status != BL_OK) return status;
    bl_mpm_find_level(world, m);
    bl_mpm_find_lines(world, m);
    status = bl_mpm_find_pieces(world, m);
    bl_timers_add(&world->timers, "surface", bl_now() - start);
    return status;
}

static bl_status step(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure) {
    bl_mpm *m = state;
    *report = (bl_observation){0};
    bl_mpm_set_step(world, m, dt);
    if (world->fluid.count == 0) {
        bl_observe_motion(world, world->time + dt, report);
        return BL_OK;
    }
    bl_status status = set_up(world, m);
    double start = bl_now();
    if (status == BL_OK) status = bl_mpm_solve(world, m, report, failure);
    bl_timers_add(&world->timers, "solve", bl_now() - start);
    if (status != BL_OK) return status;
    bl_mpm_rub_walls(world, m);
    bl_mpm_find_tension(world, m);
    status = bl_mpm_move_particles(world, m, failure);
    if (status != BL_OK) return status;
    bl_mpm_find_pressures(world, m);
    bl_mpm_observe(world, m, report);
    return BL_OK;
}

static const double *history(const bl_world *world, void *state, int *iterations) {
    const bl_mpm *m = state;
    (void)world;
    *iterations = m->particles > 0 ? m->newton_iterations + 1 : 0;
    return m->history;
}

const bl_scheme bl_scheme_hyde2020 = {.name = "hyde2020",
                                      .create = create,
                                      .destroy = destroy,
                                      .step_limit = step_limit,
                                      .capillary_limit = capillary_limit,
                                      .step = step,
                                      .history = history};
