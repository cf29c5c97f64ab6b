/* Watches over the particles: after each step every one must be somewhere, inside the domain, and not faster than the
 * energies at hand could make it. */
#include "base/parallel.h"
#include "rigid/motion.h"
#include "sim/sim.h"

#include <stdio.h>

/* A particle this many times faster than anything in the scene explains counts as a runaway. */
static const double RUNAWAY = 100;
/* With adaptive steps no particle should move this far in one, in spacings; the CFL number is far below it. */
static const double MAX_MOVE = 2.5;

/* What may be wrong with a particle, the worst first. */
enum { NOT_FINITE, RUNS_AWAY, MOVES_TOO_FAR, IS_LOST, TROUBLES };

static double max_norm(const bl_curve *curve) {
    double norm = 0;
    for (int k = 0; k < curve->count; k++) {
        const double *v = curve->values + (size_t)k * (size_t)curve->width;
        norm = fmax(norm, curve->width == 3 ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) : fabs(v[0]));
    }
    return norm;
}

/* How far each body reaches from its pivot. */
static void find_arms(bl_sim *sim) {
    for (size_t i = 0; i < sim->rest.count; i++) {
        uint32_t body = sim->world.boundary.body[i];
        bl_vec3d rest = sim->rest.x[sim->world.boundary.id[i]];
        sim->arms[body] = fmax(sim->arms[body], bl_v3d_norm(bl_v3d_sub(rest, sim->scene->boundaries[body].pivot)));
    }
}

double bl_bodies_speed(const bl_sim *sim, double from, double to, int *fastest) {
    double speed = 0;
    for (int b = 0; b < sim->scene->boundary_count; b++) {
        if (sim->scene->boundaries[b].rigid.given) continue; /* moves by forces */
        double body = bl_body_speed(&sim->scene->boundaries[b], sim->arms[b], from, to);
        if (body > speed && fastest) *fastest = b;
        speed = fmax(speed, body);
    }
    return speed;
}

/* Middle of all places where liquid appears. */
static bl_vec3d source_center(const bl_sim *sim) {
    bl_box box = bl_box_empty();
    if (bl_sources_bounds(sim->ctx, sim->scene, &box) != BL_OK || bl_box_is_empty(box)) return bl_v3d_zero();
    return bl_v3d_scale(0.5, bl_v3d_add(box.min, box.max));
}

void bl_watch_start(bl_sim *sim) {
    const bl_scene *scene = sim->scene;
    const bl_fluid_store *fluid = &sim->world.fluid;
    double speed2 = 0;
    sim->center = bl_v3d_zero();
    for (size_t i = 0; i < fluid->count; i++) {
        speed2 = fmax(speed2, bl_v3d_norm2(bl_v3d_from(fluid->v[i])));
        sim->center = bl_v3d_mad(sim->center, 1 / (double)fluid->count, bl_v3d_from(fluid->x[i]));
    }
    if (fluid->count == 0) sim->center = source_center(sim);
    for (int f = 0; f < scene->fluid_count; f++) {
        const bl_fluid *def = &scene->fluids[f];
        double tension = max_norm(&def->surface_tension) + max_norm(&def->fluid_fluid) + max_norm(&def->fluid_boundary);
        speed2 = fmax(speed2, tension / (def->density * scene->spacing));
    }
    find_arms(sim);
    double walls = fmax(bl_bodies_speed(sim, 0, (double)INFINITY, NULL), bl_rigid_speed(sim->rigid));
    speed2 = fmax(speed2, walls * walls);
    double source = bl_sources_largest_speed(&sim->world, &sim->sources);
    sim->typical_speed = sqrt(fmax(speed2, source * source));
    sim->max_gravity = max_norm(&scene->gravity);
}

typedef struct watch {
    const bl_sim *sim;
    double dt, max_move2;
} watch;

static int trouble_of(const watch *w, size_t i) {
    const bl_sim *sim = w->sim;
    bl_vec3d x = bl_v3d_from(sim->world.fluid.x[i]), v = bl_v3d_from(sim->world.fluid.v[i]);
    double v2 = bl_v3d_norm2(v);
    if (!isfinite(bl_v3d_norm2(x)) || !isfinite(v2)) return NOT_FINITE;
    double fall = bl_v3d_norm(bl_v3d_sub(x, sim->center)) + sim->scene->spacing;
    double known2 = sim->typical_speed * sim->typical_speed + 2 * sim->max_gravity * fall;
    if (known2 > 0 && v2 > RUNAWAY * RUNAWAY * known2) return RUNS_AWAY;
    if (v2 * w->dt * w->dt > w->max_move2) return MOVES_TOO_FAR;
    bool lost = sim->scene->domain.outside == BL_OUTSIDE_FAIL && bl_domain_has_left(sim->scene, x);
    return lost ? IS_LOST : TROUBLES;
}

/* acc[t]: the first particle with trouble t. */
static void watch_range(void *user, size_t begin, size_t end, double *acc) {
    for (size_t i = begin; i < end; i++) {
        int trouble = trouble_of(user, i);
        if (trouble < TROUBLES) acc[trouble] = fmin(acc[trouble], (double)i);
    }
}

static void describe(const bl_sim *sim, int trouble, size_t i, double dt, bl_failure *failure) {
    const bl_fluid_store *fluid = &sim->world.fluid;
    double speed = bl_v3d_norm(bl_v3d_from(fluid->v[i]));
    failure->term = trouble == NOT_FINITE || trouble == IS_LOST ? "position" : "speed";
    failure->id = fluid->id[i];
    failure->x = bl_v3d_from(fluid->x[i]);
    switch (trouble) {
    case NOT_FINITE: snprintf(failure->text, sizeof failure->text, "its position or velocity is not a number"); break;
    case RUNS_AWAY:
        snprintf(failure->text, sizeof failure->text,
                 "its speed of %.3g m/s is over %.0f times what gravity, surface tension and walls explain", speed,
                 RUNAWAY);
        break;
    case MOVES_TOO_FAR:
        snprintf(failure->text, sizeof failure->text, "it moved %.3g spacings in one step (speed %.3g m/s)",
                 speed * dt / sim->scene->spacing, speed);
        break;
    default:
        snprintf(failure->text, sizeof failure->text,
                 "it left the domain of the scene (domain.outside: remove takes such particles away)");
        break;
    }
}

/* What a scheme on a device reports is enough to see that nothing is wrong, in most cases: it made sure that velocities
 * are finite and that nobody moves further than a spacing; if the largest speed explains itself, all others do. */
static bool is_calm(const bl_sim *sim) {
    bool fenced = sim->scene->domain.bounded && sim->scene->domain.outside == BL_OUTSIDE_FAIL;
    return !fenced && sim->report.speed_max <= RUNAWAY * sim->typical_speed;
}

bl_status bl_watch_step(bl_sim *sim, double dt) {
    double move = sim->scene->time.fixed_step > 0 ? (double)INFINITY : MAX_MOVE * sim->scene->spacing;
    watch w = {sim, dt, move * move};
    double first[TROUBLES];
    if (sim->world.device && is_calm(sim)) return BL_OK;
    bl_device_fetch(sim->world.device, BL_BIT(BL_F_x) | BL_BIT(BL_F_v) | BL_BIT(BL_F_id), 0);
    if (bl_device_status(sim->world.device) != BL_OK) return bl_device_status(sim->world.device);
    bl_parallel_reduce(sim->ctx, sim->world.fluid.count, TROUBLES, BL_REDUCE_MIN, watch_range, &w, first);
    for (int t = 0; t < TROUBLES; t++) {
        if (first[t] < (double)sim->world.fluid.count) {
            describe(sim, t, (size_t)first[t], dt, &sim->failure);
            return BL_ERR_DIVERGED;
        }
    }
    return BL_OK;
}
