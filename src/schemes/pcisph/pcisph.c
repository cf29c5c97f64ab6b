/* The schemes `akinci2013` and `yang2016`: pair forces that make surface tension and adhesion, on predictive-corrective
 * incompressible SPH. */
#include "schemes/pcisph/pcisph.h"
#include "base/parallel.h"
#include "schemes/observe.h"

#include <math.h>
#include <string.h>

static void destroy(bl_world *world, void *state) {
    pcisph *s = state;
    if (!s) return;
    bl_pcisph_clear(world, s);
    bl_release(world->ctx, s);
}

static bl_status create(bl_world *world, bl_pcisph_method method, void **state) {
    static const char *const names[] = {"akinci2013", "yang2016"};
    bl_status status = bl_pcisph_check_scene(world, names[method], method == BL_METHOD_YANG2016 ? BL_MAX_PHASES : 1);
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
static bl_status create_akinci2013(bl_world *world, void **state) { return create(world, BL_METHOD_AKINCI2013, state); }
static bl_status create_yang2016(bl_world *world, void **state) { return create(world, BL_METHOD_YANG2016, state); }

/* --- limits of the step --- */

/* Explicit forces of the largest frequency w are stable up to 2/w. With half of that as the unit steps are short enough
 * for few pressure updates each: their number grows with dt^2. */
static double capillary_limit(const bl_world *world, void *state) {
    const pcisph *s = state;
    if (!(s->capillary_rate > 0)) return INFINITY;
    return world->scene->time.capillary_factor / sqrt(s->capillary_rate);
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

static bl_status advance(bl_world *world, pcisph *s, double dt, bl_observation *report, bl_failure *failure) {
    bl_status status = bl_pcisph_begin(world, s);
    if (status != BL_OK) return status;
    bl_pcisph_set_step(world, s, dt);
    status = bl_pcisph_solve(world, s, report, failure);
    if (status != BL_OK) return status;
    bl_pcisph_observe_forces(world, s, report);
    bl_pcisph_integrate(world, s);
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

static void stop_range(void *user, size_t begin, size_t end) {
    bl_fluid_store *f = user;
    for (size_t i = begin; i < end; ++i) f->v[i] = bl_v3_zero();
}

/* Motion of the last step of relaxing, in spacings; it is lost. */
static double stop(bl_world *world, double dt) {
    double moved = bl_max_speed(world) * dt / world->scene->spacing;
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, stop_range, &world->fluid);
    return moved;
}

/* One step without gravity, viscosity and motion to begin with. */
static bl_status relax_once(bl_world *world, pcisph *s, double dt, bl_failure *failure) {
    bl_observation ignored = {0};
    size_t mark = bl_arena_mark(world->scratch);
    bl_status status = bl_pcisph_begin(world, s);
    bl_pcisph_set_step(world, s, dt);
    for (int k = 0; k < 3; ++k) s->view.gravity[k] = 0;
    if (status == BL_OK) status = bl_pcisph_solve(world, s, &ignored, failure);
    if (status == BL_OK) bl_pcisph_integrate(world, s);
    bl_arena_release(world->scratch, mark);
    return status;
}

/* The pair forces draw the layers at a surface together, which would start every run with a jolt: steps that forget
 * their motion let particles find their places first. The shape as a whole hardly moves over so few. */
static bl_status relax(bl_world *world, void *state, int steps, bl_failure *failure) {
    const double calm = 1e-3;
    pcisph *s = state;
    const size_t mark = bl_arena_mark(world->scratch), bytes = world->fluid.count * sizeof(bl_vec3);
    double dt = capillary_limit(world, s), moved = 1;
    bl_vec3 *kept = bl_arena_take(world->scratch, world->fluid.count + 1, sizeof *kept);
    if (!kept) return BL_ERR_MEMORY;
    if (!isfinite(dt)) dt = world->scene->time.max_step > 0 ? world->scene->time.max_step : 1e-3;
    bl_parallel_copy(world->ctx, kept, world->fluid.v, bytes);
    stop(world, dt);
    bl_status status = BL_OK;
    for (int k = 0; k < steps && status == BL_OK && moved > calm; ++k) {
        status = relax_once(world, s, dt, failure);
        moved = stop(world, dt);
    }
    bl_parallel_copy(world->ctx, world->fluid.v, kept, bytes);
    memset(world->fluid.a, 0, bytes);
    bl_arena_release(world->scratch, mark);
    /* what could not be relaxed is left to the steps, which can be repeated smaller */
    return status == BL_ERR_DIVERGED ? BL_OK : status;
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
                                        .relax = relax,
                                        .step = step,
                                        .history = history};
const bl_scheme bl_scheme_yang2016 = {.name = "yang2016",
                                      .create = create_yang2016,
                                      .destroy = destroy,
                                      .step_limit = step_limit,
                                      .capillary_limit = capillary_limit,
                                      .relax = relax,
                                      .step = step,
                                      .history = history};
