#include "beadlet/bench.h"

#include "sim/sim.h"

#include <stdlib.h>
#include <time.h>

_Static_assert((int)BL_BENCH_MAX_PASSES >= (int)BL_TIMERS_MAX, "every timer has a place in the result");

bl_bench_options bl_default_bench_options(void) { return (bl_bench_options){.warmup = 5, .steps = 20}; }

static double processor_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int longest_first(const void *a, const void *b) {
    double x = ((const bl_bench_pass *)a)->seconds, y = ((const bl_bench_pass *)b)->seconds;
    return (x < y) - (x > y);
}

static void copy_passes(const bl_timers *timers, bl_bench_result *result) {
    result->pass_count = timers->count;
    for (int k = 0; k < timers->count; k++)
        result->passes[k] = (bl_bench_pass){timers->items[k].name, timers->items[k].seconds, timers->items[k].calls};
    qsort(result->passes, (size_t)result->pass_count, sizeof result->passes[0], longest_first);
}

static bl_status measure(bl_sim *sim, int steps, bl_bench_result *result) {
    bl_status status = BL_OK;
    sim->world.timers.count = 0;
    double wall = bl_now(), processor = processor_now(), begin = bl_sim_time(sim);
    for (int k = 0; k < steps && status == BL_OK; k++) {
        status = bl_sim_step(sim, (double)INFINITY);
        result->steps++;
        result->iterations += (uint64_t)sim->report.iterations;
    }
    result->wall_seconds = bl_now() - wall;
    result->processor_seconds = processor_now() - processor;
    result->simulated_seconds = bl_sim_time(sim) - begin;
    result->fluid_particles = bl_sim_fluid_count(sim);
    result->boundary_particles = bl_sim_boundary_count(sim);
    copy_passes(&sim->world.timers, result);
    return status;
}

bl_status bl_bench(bl_context *ctx, const bl_scene *scene, const bl_bench_options *options, bl_bench_result *result) {
    const bl_bench_options given = options ? *options : bl_default_bench_options();
    *result = (bl_bench_result){.threads = bl_threads(ctx)};
    if (given.steps < 1 || given.warmup < 0)
        return bl_fail(ctx, BL_ERR_USAGE, "bench: %d steps after %d, expected at least 1 after at least 0", given.steps,
                       given.warmup);
    bl_sim *sim = NULL;
    bl_status status = bl_sim_create(ctx, scene, &sim);
    for (int k = 0; k < given.warmup && status == BL_OK; k++) status = bl_sim_step(sim, (double)INFINITY);
    if (status == BL_OK) status = measure(sim, given.steps, result);
    bl_sim_destroy(sim);
    return status;
}
