/* A free drop of any size and what its steps cost, for benchmarks of the solver. Particles are put on a shaken lattice
 * by hand: sampling is not what is measured. */
#ifndef BL_BENCH_DROP_H
#define BL_BENCH_DROP_H

#include "base/rng.h"
#include "beadlet/scene.h"
#include "sim/sim.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DROP_ITERATIONS = 5 };
static const double DROP_H = 1e-3;

/* --- memory that is held, counted to the byte --- */

enum { COUNTED_HEAD = 64 };
static inline void *counted_alloc(void *user, size_t size) {
    char *head = aligned_alloc(COUNTED_HEAD, (size + 2 * COUNTED_HEAD - 1) / COUNTED_HEAD * COUNTED_HEAD);
    if (!head) return NULL;
    memcpy(head, &size, sizeof size);
    atomic_fetch_add((atomic_size_t *)user, size);
    return head + COUNTED_HEAD;
}
static inline void counted_release(void *user, void *memory) {
    size_t size;
    if (!memory) return;
    char *head = (char *)memory - COUNTED_HEAD;
    memcpy(&size, head, sizeof size);
    atomic_fetch_sub((atomic_size_t *)user, size);
    free(head);
}

/* --- the drop --- */

typedef struct drop {
    bl_context *ctx;
    bl_scene *scene;
    bl_sim *sim;
    atomic_size_t bytes;
} drop;

static inline void drop_check(const drop *d, bl_status status) {
    if (status == BL_OK) return;
    fprintf(stderr, "%s\n", d->ctx ? bl_context_error(d->ctx) : "out of memory");
    exit(bl_status_exit_code(status));
}

/* Lattice points of a ball around a point between eight of them; with x NULL they are only counted. */
static inline size_t drop_fill(double radius, bl_vec3 *x) {
    const double shake = 0.1;
    int n = (int)ceil(radius);
    size_t k = 0;
    for (int c = -n; c < n; ++c)
        for (int b = -n; b < n; ++b)
            for (int a = -n; a < n; ++a) {
                double p[3] = {a + 0.5, b + 0.5, c + 0.5};
                if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > radius * radius) continue;
                for (uint64_t axis = 0; axis < 3 && x; ++axis)
                    (&x[k].x)[axis] = (real)(DROP_H * (p[axis] + shake * (2 * bl_rng_uniform(1, k, axis) - 1)));
                k++;
            }
    return k;
}

/* A drop of `radius` spacings that has made its first steps. `scheme`: more keys of that map. */
static inline void drop_create(drop *d, double radius, int threads, const char *scheme) {
    char text[600];
    snprintf(text, sizeof text,
             "spacing: 1 mm\n"
             "time: {end: 1 s, fixed_step: 0.5 ms, frames_per_second: 1, relax_steps: 0}\n"
             "scheme: {%s, min_iterations: 5, max_iterations: 5}\n"
             "fluids: {water: {density: 1000, surface_tension: 72.8 mN/m, volumes: "
             "[{sphere: {center: [0, 0, 0], radius: 2 mm}}]}}\n",
             scheme);
    bl_context_def def = bl_default_context_def();
    memset(d, 0, sizeof *d);
    def.threads = threads;
    def.allocator = (bl_allocator){counted_alloc, counted_release, &d->bytes};
    drop_check(d, bl_context_create(&def, &d->ctx));
    drop_check(d, bl_scene_load_text(d->ctx, text, strlen(text), "bench", NULL, 0, &d->scene));
    drop_check(d, bl_sim_create(d->ctx, d->scene, &d->sim));
    bl_fluid_store *fluid = &d->sim->world.fluid;
    size_t first, count = drop_fill(radius, NULL);
    bl_fluid_store_clear(fluid);
    drop_check(d, bl_fluid_store_append(fluid, count, &first));
    drop_fill(radius, fluid->x);
    for (size_t i = 0; i < count; ++i) fluid->density[i] = BL_R(1000);
    for (int k = 0; k < 2; ++k) drop_check(d, bl_sim_step(d->sim, 1));
}

static inline void drop_destroy(drop *d) {
    bl_sim_destroy(d->sim);
    bl_scene_destroy(d->scene);
    bl_context_destroy(d->ctx);
}

/* --- what a step costs --- */

typedef struct drop_cost {
    double step, iteration; /* seconds of the fastest step */
    double wall;            /* of that step */
    bl_timers passes;
} drop_cost;

/* interface_fluid also runs for the diagonals and the warm start: a call per iteration counts. */
static inline double drop_loop_seconds(const bl_timers *timers) {
    static const char *const in_loop[] = {"predict",  "interface_fluid", "interface_boundary",
                                          "residual", "reduce residual", "update"};
    double loop = 0;
    for (int k = 0; k < timers->count; ++k)
        for (size_t j = 0; j < sizeof in_loop / sizeof in_loop[0]; ++j)
            if (!strcmp(timers->items[k].name, in_loop[j]))
                loop += timers->items[k].seconds * fmin(1, DROP_ITERATIONS / (double)timers->items[k].calls);
    return loop / DROP_ITERATIONS;
}

static inline double drop_processor_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The fastest of some steps: whatever else the machine does can only make one slower. One thread is measured by its
 * processor time, several by the wall clock. */
static inline drop_cost drop_measure(drop *d, int threads, int steps) {
    drop_cost best = {.step = (double)INFINITY, .iteration = (double)INFINITY};
    bl_timers *timers = &d->sim->world.timers;
    for (int k = 0; k < steps; ++k) {
        timers->count = 0;
        double processor = drop_processor_time(), start = bl_now();
        drop_check(d, bl_sim_step(d->sim, 1));
        double wall = bl_now() - start, seconds = threads == 1 ? drop_processor_time() - processor : wall;
        best.iteration = fmin(best.iteration, drop_loop_seconds(timers) * seconds / wall);
        if (seconds > best.step) continue;
        best.step = seconds, best.wall = wall;
        best.passes = *timers;
    }
    return best;
}

#endif
