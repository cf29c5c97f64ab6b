/* The iteration over all constraints. */
#include "base/parallel.h"
#include "schemes/pbd/pbd.h"

#include <math.h>

typedef struct residual {
    double volume, tension; /* means over all particles: compression, and the pull's error over the spacing */
} residual;

static void add_residuals(void *user, size_t begin, size_t end, double *acc) {
    const bl_view *view = &((pbd *)user)->base.view;
    for (size_t i = begin; i < end; ++i) {
        acc[0] += (double)view->e_v[i];
        acc[1] += (double)view->e_st[i];
    }
}

static residual measure(bl_world *world, pbd *s) {
    double sum[2] = {0, 0}, n = fmax(1, (double)world->fluid.count);
    if (world->fluid.count) bl_parallel_reduce(world->ctx, world->fluid.count, 2, BL_REDUCE_SUM, add_residuals, s, sum);
    residual r = {sum[0] / n, sum[1] / n};
    double *row = s->history + 3 * (size_t)s->history_count++;
    row[0] = r.volume, row[1] = r.tension, row[2] = 0;
    return r;
}

/* Multipliers of the step before, over its square, are pressures and forces; so are those that begin this one. */
static void start_warm(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    real dt2 = view->step->dt * view->step->dt;
    for (size_t i = begin; i < end; ++i) {
        s->virial[i] = s->virial_area[i] = BL_R(0);
        s->multiplier[i] = -view->p[i] * dt2 / view->fluids[0].density;
        if (s->label[i] & PBD_SURFACE) s->multiplier[i] = bl_min(s->multiplier[i], BL_R(0));
        s->pull[i] = bl_v3_scale(dt2 * view->fluids[0].inv_mass, view->f_st[i]);
    }
}
static void start_cold(pbd *s, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
        s->multiplier[i] = s->virial[i] = s->virial_area[i] = BL_R(0);
        s->pull[i] = bl_v3_zero();
    }
}
/* Line 2 of algorithm 1. */
static void predict(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    for (size_t i = begin; i < end; ++i) {
        s->moved[i] = bl_v3_scale(view->step->dt, view->v[i]);
        view->x_next[i] = bl_v3_add(view->x[i], s->moved[i]);
    }
}

/* Triangles more obtuse than foreseen make pulls swing: those of the next iterations change by less. All by the same
 * share, so that momentum is kept in every iteration. */
static void ease(pbd *s, double tension, double *last) {
    const real less = BL_R(0.8);
    if (tension > *last) s->share = bl_max(less * s->share, s->least_share);
    *last = tension;
}

/* Until what is judged is good: the positions that it found good are those of the step. */
static bl_status project_to_rest(bl_world *world, pbd *s, bl_observation *report) {
    const bl_scheme_def *def = &world->scene->scheme;
    size_t n = world->fluid.count;
    bl_pbd_find_surface(world, s, world->fluid.x);
    bl_status status = bl_pbd_make_stars(world, s, world->fluid.x);
    if (status != BL_OK) return status;
    bl_pbd_for(world, s, "predict", n, def->warm_start ? start_warm : start_cold);
    bl_pbd_for(world, s, "predict", n, predict);
    if (def->warm_start) bl_pbd_warm_start(world, s);
    double last = INFINITY;
    for (int k = 0;; ++k) {
        bl_pbd_weigh(world, s);
        bl_pbd_measure_areas(world, s);
        residual r = measure(world, s);
        ease(s, r.tension, &last);
        bool good = r.volume <= def->tolerance && r.tension <= def->tension_tolerance && k >= def->min_iterations;
        report->iterations = k;
        report->residual_volume = r.volume;
        report->residual_tension = r.tension;
        if (good || k >= s->most_iterations) break;
        bl_pbd_displace(world, s);
    }
    return BL_OK;
}

/* Neighbours, surface and stars at x_next. */
static bl_status look_again(bl_world *world, pbd *s) {
    const bl_boundary_store *walls = &world->boundary;
    bl_vec3 *x = world->fluid.x_next;
    bl_positions fluid = {x, world->fluid.count}, boundary = {walls->x_next, walls->count};
    bl_status status = bl_neighbours_build(world->neighbours, fluid, boundary);
    if (status != BL_OK) return status;
    bl_unified_bind(world, &s->base);
    bl_pbd_find_surface(world, s, x);
    return bl_pbd_make_stars(world, s, x);
}

/* As published: so many iterations, with a new look every ten. */
static bl_status project_as_published(bl_world *world, pbd *s, bl_observation *report) {
    bl_status status = BL_OK;
    bl_pbd_for(world, s, "predict", world->fluid.count, start_cold);
    bl_pbd_for(world, s, "predict", world->fluid.count, predict);
    for (int k = 0; k < s->iterations && status == BL_OK; ++k) {
        if (k % s->rebuild_every == 0) status = look_again(world, s);
        if (status != BL_OK) break;
        bl_pbd_weigh(world, s);
        bl_pbd_measure_areas(world, s);
        residual r = measure(world, s);
        report->residual_volume = r.volume;
        report->residual_tension = r.tension;
        bl_pbd_displace(world, s);
    }
    report->iterations = s->iterations;
    return status;
}

bl_status bl_pbd_project(bl_world *world, pbd *s, bl_observation *report) {
    s->history_count = 0;
    return s->paper ? project_as_published(world, s, report) : project_to_rest(world, s, report);
}
