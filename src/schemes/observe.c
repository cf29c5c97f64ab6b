#include "schemes/observe.h"

#include "base/parallel.h"

double bl_particle_volume(const bl_scene *scene) {
    double h = scene->spacing;
    return scene->dimension == 2 ? h * h : h * h * h;
}

static void max_speed_range(void *user, size_t begin, size_t end, double *acc) {
    const bl_world *world = user;
    for (size_t i = begin; i < end; i++) acc[0] = fmax(acc[0], bl_v3d_norm2(bl_v3d_from(world->fluid.v[i])));
}

double bl_max_speed(const bl_world *world) {
    double v2 = 0;
    if (world->fluid.count > 0)
        bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_MAX, max_speed_range, (void *)world, &v2);
    return sqrt(v2);
}

/* Places of the sums in one reduction. */
enum { MASS, KINETIC, CENTER, MOMENTUM = CENTER + 3, ANGULAR = MOMENTUM + 3, SUMS = ANGULAR + 3 };

static void add3(double *acc, double factor, bl_vec3d v) {
    acc[0] += factor * v.x;
    acc[1] += factor * v.y;
    acc[2] += factor * v.z;
}

static void motion_range(void *user, size_t begin, size_t end, double *acc) {
    const bl_world *world = user;
    double volume = bl_particle_volume(world->scene);
    for (size_t i = begin; i < end; i++) {
        bl_vec3d x = bl_v3d_from(world->fluid.x[i]), v = bl_v3d_from(world->fluid.v[i]);
        double m = volume * world->scene->fluids[world->fluid.phase[i]].density;
        acc[MASS] += m;
        acc[KINETIC] += 0.5 * m * bl_v3d_norm2(v);
        add3(acc + CENTER, m, x);
        add3(acc + MOMENTUM, m, v);
        add3(acc + ANGULAR, m, bl_v3d_cross(x, v));
    }
}

void bl_observe_motion(const bl_world *world, double time, bl_observation *report) {
    const bl_scene *scene = world->scene;
    double s[SUMS] = {0};
    bl_parallel_reduce(world->ctx, world->fluid.count, SUMS, BL_REDUCE_SUM, motion_range, (void *)world, s);
    bl_vec3d g = bl_curve_at3(&scene->gravity, time);
    double inv_mass = s[MASS] > 0 ? 1 / s[MASS] : 0;
    report->energy_kinetic = s[KINETIC];
    report->energy_potential = -bl_v3d_dot(g, bl_v3d_make(s[CENTER], s[CENTER + 1], s[CENTER + 2]));
    report->momentum_x = s[MOMENTUM], report->momentum_y = s[MOMENTUM + 1], report->momentum_z = s[MOMENTUM + 2];
    report->angular_x = s[ANGULAR], report->angular_y = s[ANGULAR + 1], report->angular_z = s[ANGULAR + 2];
    report->center_x = inv_mass * s[CENTER];
    report->center_y = inv_mass * s[CENTER + 1];
    report->center_z = inv_mass * s[CENTER + 2];
    report->speed_max = bl_max_speed(world);
    double volume = bl_particle_volume(scene) * (double)world->fluid.count;
    const double pi = 3.14159265358979323846;
    report->radius = scene->dimension == 2 ? sqrt(volume / pi) : cbrt(3 * volume / (4 * pi));
}

typedef struct core {
    const bl_world *world;
    bl_vec3d center;
    double radius2;
} core;

static void core_range(void *user, size_t begin, size_t end, double *acc) {
    const core *c = user;
    const bl_fluid_store *fluid = &c->world->fluid;
    for (size_t i = begin; i < end; i++) {
        if (!(bl_v3d_norm2(bl_v3d_sub(bl_v3d_from(fluid->x[i]), c->center)) < c->radius2)) continue;
        acc[0] += (double)fluid->virial_p[i] + (double)fluid->virial_st[i];
        acc[1] += 1;
    }
}

void bl_observe_core(const bl_world *world, bl_observation *report) {
    const double radius = fmax(report->radius - 4 * world->scene->spacing, report->radius / 2);
    core c = {world, {report->center_x, report->center_y, report->center_z}, radius * radius};
    double s[2] = {0, 0};
    if (world->fluid.count > 0) bl_parallel_reduce(world->ctx, world->fluid.count, 2, BL_REDUCE_SUM, core_range, &c, s);
    report->core_pressure = s[1] > 0 ? s[0] / s[1] : 0;
}
