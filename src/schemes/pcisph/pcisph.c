/* The schemes `akinci2013` and `yang2016`: pair forces that make surface tension and adhesion, on predictive-corrective
 * incompressible SPH. */
#include "schemes/pcisph/pcisph.h"
#include "base/parallel.h"
#include "schemes/observe.h"

#include <math.h>
#include <string.h>

/* The least number of pressure updates of a step (Solenthaler and Pajarola 2009). */
enum { LEAST_ITERATIONS = 3 };

static void destroy(bl_world *world, void *state) {
    pcisph *s = state;
    if (!s) return;
    bl_pcisph_clear(world, s);
    bl_release(world->ctx, s);
}

static bl_status create(bl_world *world, bl_pcisph_method method, void **state) {
    static const char *const names[] = {"akinci2013", "yang2016"};
    bl_status status = bl_pcisph_check_scene(world, names[method]);
    if (status != BL_OK) return status;
    pcisph *s = bl_alloc(world->ctx, 1, sizeof *s);
    if (!s) return BL_ERR_MEMORY;
    s->method = method;
    status = bl_pcisph_setup(world, s);
    if (status != BL_OK) {
        destroy(world, s);
        return status;
    }
    bl_pcisph_set_step(world, s, 0);
    *state = s;
    return BL_OK;
}
static bl_status create_akinci2013(bl_world *world, void **state) {
    return create(world, BL_METHOD_AKINCI2013, state);
}
static bl_status create_yang2016(bl_world *world, void **state) { return create(world, BL_METHOD_YANG2016, state); }

/* --- limits of the step --- */

/* Explicit forces of the largest squared frequency w2 are stable up to 2/w. */
static double capillary_limit(const bl_world *world, void *state) {
    const pcisph *s = state;
    if (!(s->capillary_rate > 0)) return INFINITY;
    return world->scene->time.capillary_factor * 2 / sqrt(s->capillary_rate);
}

static void keep_smaller(double *limit, const char **which, double candidate, const char *name) {
    if (candidate < *limit) {
        *limit = candidate;
        *which = name;
    }
}

static void acceleration_range(void *user, size_t begin, size_t end, double *acc) {
    const bl_vec3 *a = user;
    for (size_t i = begin; i < end; ++i) acc[0] = fmax(acc[0], bl_v3d_norm2(bl_v3d_from(a[i])));
}

static double largest_acceleration(const bl_world *world) {
    double a2 = 0;
    if (world->fluid.count > 0)
        bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_MAX, acceleration_range, world->fluid.a, &a2);
    return sqrt(fmax(0, a2));
}

static double step_limit(bl_world *world, void *state, const char **which) {
    pcisph *s = state;
    const bl_time_def *time = &world->scene->time;
    double h = world->scene->spacing, limit = INFINITY, speed = bl_max_speed(world);
    double g = bl_v3d_norm(bl_curve_at3(&world->scene->gravity, world->time));
    double force = fmax(largest_acceleration(world), g);
    bl_pcisph_set_material(world, s, world->time);
    *which = "end";
    if (speed > 0) keep_smaller(&limit, which, time->cfl * h / speed, "cfl");
    if (force > 0) keep_smaller(&limit, which, time->force_factor * sqrt(h / force), "force");
    keep_smaller(&limit, which, capillary_limit(world, s), "capillary");
    if (s->viscous_rate > 0) keep_smaller(&limit, which, 1 / s->viscous_rate, "viscosity");
    if (time->max_step > 0) keep_smaller(&limit, which, time->max_step, "max_step");
    return limit;
}

/* --- one step --- */

/* Pointers to the store, and scratch of this step. */
static bl_status bind(bl_world *world, pcisph *s) {
    const bl_fluid_store *f = &world->fluid;
    bl_pcisph *view = &s->view;
    size_t room = f->count + 1; /* vectors are read four numbers at a time */
    view->count = (bl_index)f->count;
    view->x = f->x, view->v = f->v, view->held = f->held;
    view->x_next = f->x_next, view->v_next = f->a, view->x_p = f->pqc;
    view->p = f->p, view->density = f->density, view->error = f->e_v;
    view->b_x = world->boundary.x, view->b_v = world->boundary.v, view->b_body = world->boundary.body;
    view->b_psi = s->b_psi, view->b_pull = s->b_pull, view->b_drag = s->b_drag;
    view->b_x_next = s->b_x_next;
    view->normal = NULL;
    if (s->method == BL_METHOD_AKINCI2013) view->normal = bl_arena_take(world->scratch, room, sizeof *view->normal);
    view->a_fixed = bl_arena_take(world->scratch, room, sizeof *view->a_fixed);
    view->a_solved = bl_arena_take(world->scratch, room, sizeof *view->a_solved);
    return view->a_fixed && view->a_solved && (view->normal || s->method != BL_METHOD_AKINCI2013) ? BL_OK
                                                                                                 : BL_ERR_MEMORY;
}

static void move_walls(void *user, size_t begin, size_t end) {
    const bl_pcisph *view = user;
    for (size_t b = begin; b < end; ++b)
        ((bl_vec3 *)view->b_x_next)[b] = bl_v3_mad(view->b_x[b], view->dt, view->b_v[b]);
}

static bl_status find_neighbours(bl_world *world, pcisph *s) {
    double start = bl_now();
    bl_positions fluid = {world->fluid.x, world->fluid.count}, walls = {world->boundary.x, world->boundary.count};
    bl_status status = bl_neighbours_build(s->neighbours, fluid, walls);
    bl_timers_add(&world->timers, "neighbours", bl_now() - start);
    s->view.ff = bl_neighbours_ff(s->neighbours);
    s->view.fb = bl_neighbours_fb(s->neighbours);
    return status;
}

static void error_sum(void *user, size_t begin, size_t end, double *acc) {
    const bl_pcisph *view = user;
    for (size_t i = begin; i < end; ++i) acc[0] += fmax(0, (double)view->error[i]);
}

/* The mean compression of the prediction. */
static double mean_compression(bl_world *world, const pcisph *s) {
    double sum = 0;
    if (world->fluid.count == 0) return 0;
    bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_SUM, error_sum, (void *)&s->view, &sum);
    return sum / ((double)world->fluid.count * (double)s->view.rho0);
}

static void solve(bl_world *world, pcisph *s, bl_observation *report) {
    const bl_scheme_def *scheme = &world->scene->scheme;
    const int least = scheme->min_iterations > LEAST_ITERATIONS ? scheme->min_iterations : LEAST_ITERATIONS;
    s->history_count = 0;
    if (s->method == BL_METHOD_YANG2016) bl_pcisph_run(world, s, BL_PCISPH_FORCE);
    for (int k = 0;; ++k) {
        bl_pcisph_run(world, s, BL_PCISPH_PREDICT);
        bl_pcisph_run(world, s, BL_PCISPH_ERROR);
        double mean = mean_compression(world, s);
        if (s->history_count < s->history_capacity) s->history[3 * s->history_count++] = mean;
        report->residual_volume = mean;
        report->iterations = k;
        if (!(mean < 1e30) || k >= scheme->max_iterations || (k >= least && mean <= scheme->tolerance)) return;
        bl_pcisph_run(world, s, BL_PCISPH_CORRECT);
        bl_pcisph_run(world, s, BL_PCISPH_FORCE);
    }
}

static void integrate_range(void *user, size_t begin, size_t end) {
    const bl_world *world = user;
    const bl_fluid_store *f = &world->fluid;
    for (size_t i = begin; i < end; ++i) {
        bl_vec3 v = f->a[i], change = bl_v3_sub(v, f->v[i]);
        f->x[i] = f->x_next[i];
        f->v[i] = v;
        f->a[i] = change;
    }
}

static void divide_range(void *user, size_t begin, size_t end) {
    const bl_pcisph *view = user;
    for (size_t i = begin; i < end; ++i) view->v_next[i] = bl_v3_scale(1 / view->dt, view->v_next[i]);
}

static bl_status advance(bl_world *world, pcisph *s, double dt, bl_observation *report, bl_failure *failure) {
    bl_status status = bind(world, s);
    if (status == BL_OK) status = find_neighbours(world, s);
    if (status != BL_OK) return status;
    bl_pcisph_set_step(world, s, dt);
    bl_parallel_for(world->ctx, world->boundary.count, BL_CHUNK, move_walls, &s->view);
    bl_pcisph_run(world, s, BL_PCISPH_DENSITY);
    if (s->view.normal) bl_pcisph_run(world, s, BL_PCISPH_NORMAL);
    bl_pcisph_run(world, s, BL_PCISPH_FIXED);
    solve(world, s, report);
    status = bl_pcisph_check_motion(world, s, failure);
    if (status != BL_OK) return status;
    bl_pcisph_observe_forces(world, s, report);
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, integrate_range, world);
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, divide_range, &s->view);
    bl_observe_motion(world, world->time + dt, report);
    bl_pcisph_observe(world, s, report);
    return BL_OK;
}

static bl_status step(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure) {
    size_t mark = bl_arena_mark(world->scratch);
    memset(report, 0, sizeof *report);
    report->dt = dt;
    bl_status status = advance(world, state, dt, report, failure);
    bl_arena_release(world->scratch, mark);
    return status;
}

static const double *history(const bl_world *world, void *state, int *iterations) {
    const pcisph *s = state;
    (void)world;
    *iterations = s->history_count;
    return s->history;
}

const bl_scheme bl_scheme_akinci2013 = {.name = "akinci2013",
                                        .create = create_akinci2013,
                                        .destroy = destroy,
                                        .step_limit = step_limit,
                                        .capillary_limit = capillary_limit,
                                        .step = step,
                                        .history = history};
const bl_scheme bl_scheme_yang2016 = {.name = "yang2016",
                                      .create = create_yang2016,
                                      .destroy = destroy,
                                      .step_limit = step_limit,
                                      .capillary_limit = capillary_limit,
                                      .step = step,
                                      .history = history};
