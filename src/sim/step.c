/* One step of the loop:
 *
 *   sort (every SORT_EVERY steps) -> step limit -> fit to the target -> keep the state -> walls' velocities
 *     -> scheme -> watch -> elastic bodies -> rigid bodies ──ok──▶ sources and sinks -> walls to their new places ->
 * report │                 └─failed: back to the kept state, half the step, again └──rigid bodies and liquid do not
 * agree: back to the kept state, again with a better guess
 *
 * What a step does depends on the world's state and the target only, so a resumed run repeats an uninterrupted one. */
#include "base/timer.h"
#include "sim/sim.h"

enum { SORT_EVERY = 20, MAX_ATTEMPTS = 9 };
/* A shortened step grows back by this factor a step. */
static const double RECOVERY = 1.1;
/* Below this share of the step limit the run counts as diverged, unless the scene says otherwise. */
static const double SMALLEST_SHARE = 1e-4;
/* A target is hit by a step up to this much longer than the limit. */
static const double STRETCH = 1 + 1e-6;

static void lap(bl_sim *sim, const char *name, double *since) {
    double now = bl_now();
    bl_timers_add(&sim->world.timers, name, now - *since);
    *since = now;
}

/* What moves at that speed goes no further a step than the CFL number allows. */
static void keep_to_speed(const bl_sim *sim, double speed, const char *name, double *limit, const char **which) {
    if (!(speed > 0) || !(sim->scene->time.cfl * sim->scene->spacing / speed < *limit)) return;
    *limit = sim->scene->time.cfl * sim->scene->spacing / speed;
    *which = name;
}

double bl_sim_step_limit(bl_sim *sim, const char **which) {
    const bl_time_def *def = &sim->scene->time;
    *which = "fixed_step";
    if (def->fixed_step > 0) return def->fixed_step;
    double limit = sim->scheme->step_limit(&sim->world, sim->scheme_state, which);
    double from = sim->world.time, to = from + (isinf(limit) ? 1 / def->frames_per_second : limit);
    keep_to_speed(sim, bl_sources_speed(&sim->world, &sim->sources, from, to), "emitter", &limit, which);
    keep_to_speed(sim, bl_elastic_speed(&sim->world, sim->elastic), "elastic", &limit, which);
    keep_to_speed(sim, bl_rigid_speed(sim->rigid), "rigid", &limit, which);
    if (sim->bodies_move) keep_to_speed(sim, bl_bodies_speed(sim, from, to, NULL), "wall", &limit, which);
    if (def->max_step > 0 && !(limit <= def->max_step)) {
        limit = def->max_step;
        *which = "max_step";
    }
    return limit;
}

/* The step towards a target `remaining` seconds ahead: two equal steps rather than a long one and a crumb. */
static double fit_step(double allowed, double remaining) {
    if (remaining <= allowed * STRETCH) return remaining;
    return remaining < 2 * allowed ? remaining / 2 : allowed;
}

/* The liquid's step, and the bodies' that it moves. */
static bl_status pass(bl_sim *sim, double end, double dt) {
    bl_status status = sim->bodies_move ? bl_bodies_set_velocity(sim, sim->world.time, end) : BL_OK;
    double since = bl_now();
    if (status == BL_OK) status = sim->scheme->step(&sim->world, sim->scheme_state, dt, &sim->report, &sim->failure);
    lap(sim, "scheme", &since);
    if (status == BL_OK) status = bl_watch_step(sim, dt);
    lap(sim, "watch", &since);
    if (status == BL_OK) status = bl_elastic_step(&sim->world, sim->elastic, dt, &sim->report, &sim->failure);
    return status;
}

static bl_status attempt(bl_sim *sim, double end, double dt) {
    bool again = true;
    bl_status status = bl_rigid_begin(&sim->world, sim->rigid, dt);
    while (status == BL_OK && again) {
        status = pass(sim, end, dt);
        if (status == BL_OK) status = bl_rigid_correct(&sim->world, sim->rigid, dt, &again, &sim->failure);
        if (status != BL_OK || !again) break;
        bl_snapshot_restore(&sim->snapshot, &sim->world);
        bl_rigid_tell(&sim->world, sim->rigid, dt);
    }
    if (status == BL_OK) bl_rigid_finish(&sim->world, sim->rigid, &sim->report);
    return status;
}

static bl_status give_up(bl_sim *sim, double dt, int attempts) {
    const bl_failure *f = &sim->failure;
    return bl_fail(sim->ctx, BL_ERR_DIVERGED,
                   "the simulation diverged at t = %.6g s (step %llu): particle %u at (%.4g, %.4g, %.4g) m, %s: %s; "
                   "%d attempts down to dt = %.3g s failed, the trouble began at t = %.6g s (step %llu)",
                   sim->world.time, (unsigned long long)sim->world.step + 1, (unsigned)f->id, f->x.x, f->x.y, f->x.z,
                   f->term ? f->term : "unknown term", f->text, attempts, dt, sim->trouble_time,
                   (unsigned long long)sim->trouble_step);
}

static void note_trouble(bl_sim *sim, double dt) {
    sim->retries++;
    if (sim->trouble_step == 0) {
        sim->trouble_step = sim->world.step + 1;
        sim->trouble_time = sim->world.time;
    }
    bl_log(sim->ctx, BL_LOG_DEBUG, "step %llu repeated: dt = %.3g s failed, particle %u, %s: %s",
           (unsigned long long)sim->world.step + 1, dt, (unsigned)sim->failure.id,
           sim->failure.term ? sim->failure.term : "unknown term", sim->failure.text);
}

/* The step was good: time goes on, walls arrive, the report is completed. */
static bl_status accept(bl_sim *sim, double end, double dt, double wall_start) {
    bl_world *world = &sim->world;
    double start = world->time;
    world->time = end;
    world->dt = dt;
    world->step++;
    world->boundary_moved = false;
    bl_status status = bl_exchange(sim, start, end);
    if (status != BL_OK) return status;
    if (sim->bodies_move && bl_bodies_place(sim, end) != BL_OK) return BL_ERR_MEMORY;
    sim->report.step = (double)world->step;
    sim->report.time = end;
    sim->report.dt = dt;
    sim->report.fluid_particles = (double)world->fluid.count;
    sim->report.emitted = (double)(world->fluid.next_id - sim->sources.filled);
    sim->report.removed = (double)(world->fluid.next_id - world->fluid.count);
    sim->report.boundary_particles = (double)world->boundary.count;
    sim->report.wall_ms = 1e3 * (bl_now() - wall_start);
    return BL_OK;
}

/* Try the step, shorter and shorter, until one holds. */
static bl_status try_steps(bl_sim *sim, double until, double limit, double wall_start) {
    bl_world *world = &sim->world;
    const double smallest = sim->scene->time.min_step > 0 ? sim->scene->time.min_step : SMALLEST_SHARE * limit;
    double allowed = limit * world->step_scale;
    for (int attempts = 1;; attempts++) {
        double remaining = until - world->time, dt = fit_step(allowed, remaining);
        double end = dt < remaining ? world->time + dt : until;
        bl_status status = attempt(sim, end, dt);
        if (status == BL_OK) {
            if (world->step_scale < 1)
                world->step_scale = fmin(1, RECOVERY * allowed / limit);
            else
                sim->trouble_step = 0;
            return accept(sim, end, dt, wall_start);
        }
        bl_snapshot_restore(&sim->snapshot, world);
        if (status != BL_ERR_DIVERGED) return status;
        note_trouble(sim, dt);
        allowed = dt / 2;
        if (attempts == MAX_ATTEMPTS || allowed < smallest) return give_up(sim, dt, attempts);
        world->step_scale = fmin(1, allowed / limit);
    }
}

bl_status bl_sim_step(bl_sim *sim, double until) {
    bl_world *world = &sim->world;
    if (!(world->time < until))
        return isnan(until) ? bl_fail(sim->ctx, BL_ERR_USAGE, "bl_sim_step: the time to stop at is not a number")
                            : BL_OK;
    double wall_start = bl_now(), since = wall_start;
    bl_status status = BL_OK;
    if (world->step % SORT_EVERY == 0) {
        bool moved;
        if (world->device)
            bl_device_sort(world->device, 2 * bl_sort_cell(sim->scene)); /* a device works on larger groups */
        else
            status = bl_fluid_store_sort(&world->fluid, bl_sort_cell(sim->scene), world->scratch, &moved);
        lap(sim, "sort", &since);
    }
    if (status == BL_OK && world->step == 0 && sim->scheme->relax) {
        status = sim->scheme->relax(world, sim->scheme_state, sim->scene->time.relax_steps, &sim->failure);
        lap(sim, "relax", &since);
    }
    if (status == BL_OK) status = bl_snapshot_save(&sim->snapshot, world, sim->bodies_move);
    lap(sim, "keep state", &since);
    if (status != BL_OK) return status;
    double limit = bl_sim_step_limit(sim, &sim->limit);
    lap(sim, "step limit", &since);
    if (bl_device_status(world->device) != BL_OK) return bl_device_status(world->device);
    if (!(limit > 0) || (isinf(limit) && isinf(until)))
        return bl_fail(sim->ctx, BL_ERR_DIVERGED, "no time step can be chosen at t = %.6g s: the limit \"%s\" is %g s",
                       world->time, sim->limit, limit);
    world->stays =
        (world->step + 1) % SORT_EVERY > 0 && !bl_exchanges(sim->scene) && !sim->bodies_move && !sim->elastic;
    return try_steps(sim, until, isinf(limit) ? until - world->time : limit, wall_start);
}

bl_status bl_sim_advance(bl_sim *sim, double until) {
    bl_status status = isnan(until) ? bl_sim_step(sim, until) : BL_OK;
    while (status == BL_OK && sim->world.time < until) status = bl_sim_step(sim, until);
    return status;
}
