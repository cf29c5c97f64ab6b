/* From the state at t to the solved prediction of t + dt. */
#include "base/parallel.h"
#include "schemes/pcisph/pcisph.h"

#include <math.h>

/* The least number of pressure updates of a step (Solenthaler and Pajarola 2009). */
enum { LEAST_ITERATIONS = 3 };

/* Pointers to the store, and scratch of this step. */
static bl_status bind(bl_world *world, pcisph *s) {
    const bl_fluid_store *f = &world->fluid;
    bl_pcisph *view = &s->view;
    size_t room = f->count + 1; /* vectors are read four numbers at a time */
    view->count = (bl_index)f->count;
    view->x = f->x, view->v = f->v, view->held = f->held, view->phase = f->phase;
    view->x_next = f->x_next, view->v_next = f->a, view->x_p = f->pqc;
    view->p = f->p, view->density = f->density, view->error = f->e_v, view->fill = f->e_st, view->lightest = f->e_fr,
    view->excess = f->alpha_p;
    view->b_x = world->boundary.x, view->b_v = world->boundary.v, view->b_body = world->boundary.body;
    view->b_volume = s->b_volume, view->b_pull = s->b_pull, view->b_drag = s->b_drag;
    view->mass = s->mass, view->density0 = s->density0, view->viscous = s->viscous, view->pull = s->pull_of;
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
    return sum / (double)world->fluid.count;
}

/* Where all of a room is full the density has nowhere to go, and pressure would rise without end: an error that falls
 * by less than a fiftieth in ten updates is left. The first updates may not lower it. */
static bool is_stuck(const pcisph *s, int k, double mean) {
    enum { LOOK_FROM = 20, LOOK_BACK = 10 };
    return k >= LOOK_FROM && mean > 0.98 * s->history[3 * (k - LOOK_BACK)];
}

static void iterate(bl_world *world, pcisph *s, bl_observation *report) {
    const bl_scheme_def *scheme = &world->scene->scheme;
    const int least = scheme->min_iterations > LEAST_ITERATIONS ? scheme->min_iterations : LEAST_ITERATIONS;
    s->history_count = 0;
    bl_pcisph_run(world, s, BL_PCISPH_FORCE);
    for (int k = 0;; ++k) {
        bl_pcisph_run(world, s, BL_PCISPH_PREDICT);
        bl_pcisph_run(world, s, BL_PCISPH_ERROR);
        double mean = mean_compression(world, s);
        if (s->history_count < s->history_capacity) s->history[3 * s->history_count++] = mean;
        report->residual_volume = mean;
        report->iterations = k;
        if (!(mean < 1e30) || k >= scheme->max_iterations || (k >= least && mean <= scheme->tolerance)) return;
        if (k >= least && is_stuck(s, k, mean)) return;
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

bl_status bl_pcisph_begin(bl_world *world, pcisph *s) {
    bl_status status = bind(world, s);
    return status == BL_OK ? find_neighbours(world, s) : status;
}

bl_status bl_pcisph_solve(bl_world *world, pcisph *s, bl_observation *report, bl_failure *failure) {
    bl_parallel_for(world->ctx, world->boundary.count, BL_CHUNK, move_walls, &s->view);
    bl_pcisph_run(world, s, BL_PCISPH_DENSITY);
    if (s->view.normal) bl_pcisph_run(world, s, BL_PCISPH_NORMAL);
    bl_pcisph_run(world, s, BL_PCISPH_FIXED);
    iterate(world, s, report);
    return bl_pcisph_check_motion(world, s, failure);
}

void bl_pcisph_integrate(bl_world *world, pcisph *s) {
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, integrate_range, world);
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, divide_range, &s->view);
}
