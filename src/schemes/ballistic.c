/* The scheme `ballistic`: every particle falls for itself. Proves everything around a solver, and has the exact answer
 * x + v t + g t^2 / 2 in constant gravity. */
#include "base/parallel.h"
#include "schemes/observe.h"

typedef struct fall {
    bl_world *world;
    real dt;
    bl_vec3 g;
} fall;

static void fall_range(void *user, size_t begin, size_t end) {
    const fall *f = user;
    bl_fluid_store *fluid = &f->world->fluid;
    for (size_t i = begin; i < end; i++) {
        bl_vec3 mean = bl_v3_mad(fluid->v[i], f->dt / 2, f->g);
        fluid->x[i] = bl_v3_mad(fluid->x[i], f->dt, mean);
        fluid->v[i] = bl_v3_mad(fluid->v[i], f->dt, f->g);
    }
}

/* No state of its own, but a non-NULL one: the world stands in. */
static bl_status ballistic_create(bl_world *world, void **state) {
    *state = world;
    return BL_OK;
}

static void ballistic_destroy(bl_world *world, void *state) {
    (void)world;
    (void)state;
}

static double ballistic_step_limit(bl_world *world, void *state, const char **which) {
    (void)state;
    const bl_scene *scene = world->scene;
    double speed = bl_max_speed(world), g = bl_v3d_norm(bl_curve_at3(&scene->gravity, world->time));
    double cfl = speed > 0 ? scene->time.cfl * scene->spacing / speed : (double)INFINITY;
    double force = g > 0 ? scene->time.force_factor * sqrt(scene->spacing / g) : (double)INFINITY;
    *which = cfl <= force ? "cfl" : "force";
    return fmin(cfl, force);
}

static double ballistic_capillary_limit(const bl_world *world, void *state) {
    (void)world;
    (void)state;
    return (double)INFINITY;
}

static bl_status ballistic_step(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure) {
    (void)state;
    (void)failure;
    bl_vec3d g = bl_curve_at3(&world->scene->gravity, world->time + dt / 2);
    fall f = {world, (real)dt, bl_v3_from_d(g)};
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, fall_range, &f);
    *report = (bl_observation){0};
    bl_observe_motion(world, world->time + dt, report);
    return BL_OK;
}

static const double *ballistic_history(const bl_world *world, void *state, int *iterations) {
    (void)world;
    (void)state;
    *iterations = 0;
    return NULL;
}

const bl_scheme bl_scheme_ballistic = {
    .name = "ballistic",
    .create = ballistic_create,
    .destroy = ballistic_destroy,
    .step_limit = ballistic_step_limit,
    .capillary_limit = ballistic_capillary_limit,
    .step = ballistic_step,
    .history = ballistic_history,
};
