/* Half a ball of liquid on a floor with friction, of any size: what devices are measured with. Particles are put on a
 * lattice by hand: sampling is not what is measured. Kernels are the paper's, as its tables are what is compared. */
#ifndef BL_BENCH_HILL_H
#define BL_BENCH_HILL_H

#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hill_text[] =
    "name: bench\n"
    "spacing: 1 mm\n"
    "gravity: [0, 0, -0.01 m/s^2]\n"
    "scheme: {name: unified, kernel: cubic, accelerator: nncg, min_iterations: 18, max_iterations: 18}\n"
    "time: {end: 1000 s, frames_per_second: 1, relax_steps: 0}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m,\n"
    "    volumes: [{box: {min: [0, 0, 0], max: [2 mm, 2 mm, 2 mm]}}]}\n"
    "boundaries:\n"
    "  glass: {layers: 1, contact_angle: 90 deg, friction: 0.3, shapes: [{plane: {normal: [0, 0, 1], "
    "point: [0, 0, -1 mm], size: 8 mm}}]}\n";

static const double HILL_H = 1e-3;

static inline void check(bl_context *ctx, bl_status status) {
    if (status == BL_OK) return;
    fprintf(stderr, "%s\n", bl_context_error(ctx));
    exit(bl_status_exit_code(status));
}

/* Half a ball on a floor with `walls` boundary particles for each fluid particle, in place of the scene's own. */
static inline void fill(bl_sim *sim, double particles, double walls) {
    bl_world *world = &sim->world;
    double radius = cbrt(particles * 3 / (2 * acos(-1.0)));
    int n = (int)ceil(radius);
    size_t first, count = 0;
    bl_fluid_store_clear(&world->fluid);
    bl_boundary_store_clear(&world->boundary);
    for (int pass = 0; pass < 2; pass++) {
        size_t k = 0;
        for (int c = 0; c < n; c++)
            for (int b = -n; b < n; b++)
                for (int a = -n; a < n; a++) {
                    double x = a + 0.5, y = b + 0.5, z = c + 0.5;
                    if (x * x + y * y + z * z > radius * radius) continue;
                    if (pass)
                        world->fluid.x[k] = bl_v3_make((real)(x * HILL_H), (real)(y * HILL_H), (real)(z * HILL_H));
                    k++;
                }
        if (pass == 0) check(sim->ctx, bl_fluid_store_append(&world->fluid, count = k, &first));
    }
    for (size_t i = 0; i < count; i++) world->fluid.density[i] = BL_R(1000);
    int side = (int)ceil(sqrt(walls * particles)), edge = 2 * n + 6;
    if (side < edge) side = edge;
    check(sim->ctx, bl_boundary_store_append(&world->boundary, (size_t)side * (size_t)side, &first));
    for (size_t i = 0; i < world->boundary.count; i++) {
        double x = (double)(i % (size_t)side) - side / 2, y = (double)(i / (size_t)side) - side / 2;
        world->boundary.x[i] = bl_v3_make((real)(x * HILL_H), (real)(y * HILL_H), (real)(-0.5 * HILL_H));
        world->boundary.volume[i] = (real)(HILL_H * HILL_H * HILL_H);
    }
    bool moved;
    check(sim->ctx, bl_boundary_store_sort(&world->boundary, bl_sort_cell(sim->scene), world->scratch, &moved));
    world->boundary_moved = true;
    bl_device_changed(world->device, BL_ALL_FIELDS, BL_ALL_FIELDS);
}

static inline void set_iterations(const bl_scene *scene, int iterations) {
    bl_scene *own = (bl_scene *)scene; /* ours: made in main */
    own->scheme.min_iterations = own->scheme.max_iterations = iterations;
}

static inline int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MAX_STEPS = 40, MOST_ITERATIONS = 18 };

/* Median seconds of a step with a fixed number of iterations; a reduction at its end waits for the device, and the next
 * step for the search that was begun then. */
static inline double time_steps(bl_sim *sim, int iterations, int steps) {
    double seconds[MAX_STEPS];
    set_iterations(sim->scene, iterations);
    check(sim->ctx, bl_sim_step(sim, (double)INFINITY));
    for (int k = 0; k < steps; k++) {
        double start = bl_now();
        check(sim->ctx, bl_sim_step(sim, (double)INFINITY));
        seconds[k] = bl_now() - start;
    }
    qsort(seconds, (size_t)steps, sizeof seconds[0], ascending);
    return seconds[steps / 2];
}

static inline bl_sim *make_sim(bl_context *ctx, const bl_scene *scene) {
    bl_sim *sim = NULL;
    set_iterations(scene, MOST_ITERATIONS); /* what a simulation makes room for */
    check(ctx, bl_sim_create(ctx, scene, &sim));
    return sim;
}

#endif
