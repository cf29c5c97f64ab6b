/* Cost of the unified solver: a free drop, processor time per particle and iteration, and by pass.
 *
 *   bench_solver [RADIUS] [THREADS]     radius in spacings, default 20 (33,500 particles), 1 thread */
#include "beadlet/scene.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    double radius = argc > 1 ? atof(argv[1]) : 20;
    bl_context_def def = bl_default_context_def();
    def.threads = argc > 2 ? atoi(argv[2]) : 1;
    bl_context *ctx = NULL;
    bl_scene *scene = NULL;
    bl_sim *sim = NULL;
    char text[1024];
    int size = snprintf(text, sizeof text,
                        "spacing: 1 mm\ntime: {end: 1 s, fixed_step: 0.5 ms, frames_per_second: 1}\n"
                        "scheme: {calibration: paper, min_iterations: 5, max_iterations: 5}\n"
                        "fluids: {water: {density: 1000, surface_tension: 72.8 mN/m, volumes: "
                        "[{sphere: {center: [0, 0, 0], radius: %g mm}}]}}\n",
                        radius);
    if (bl_context_create(&def, &ctx) != BL_OK ||
        bl_scene_load_text(ctx, text, (size_t)size, "bench", NULL, 0, &scene) != BL_OK ||
        bl_sim_create(ctx, scene, &sim) != BL_OK || bl_sim_step(sim, 1) != BL_OK) {
        fprintf(stderr, "bench_solver: %s\n", ctx ? bl_context_error(ctx) : "out of memory");
        return 1;
    }
    sim->world.timers.count = 0;
    enum { STEPS = 4, ITERATIONS = 5 };
    double cpu = cpu_now(), wall = bl_now(), n = (double)bl_sim_fluid_count(sim);
    for (int k = 0; k < STEPS; ++k)
        if (bl_sim_step(sim, 1) != BL_OK) return 1;
    cpu = cpu_now() - cpu, wall = bl_now() - wall;
    /* interface_fluid also runs for the diagonals and the warm start: count a call per iteration */
    const char *in_loop[] = {"predict",  "interface_fluid", "interface_boundary",
                             "residual", "reduce residual", "update"};
    double loop = 0;
    printf("%.0f particles, %d threads, %s\n", n, def.threads, sizeof(real) == 4 ? "float" : "double");
    for (int k = 0; k < sim->world.timers.count; ++k) {
        const bl_timer *t = &sim->world.timers.items[k];
        for (size_t j = 0; j < sizeof in_loop / sizeof in_loop[0]; ++j)
            if (!strcmp(t->name, in_loop[j])) loop += t->seconds * fmin(1, STEPS * ITERATIONS / (double)t->calls);
        printf("  %-22s %8.1f ns a particle and call, %4.1f %% of the step\n", t->name,
               1e9 * t->seconds / (double)t->calls / n, 100 * t->seconds / wall);
    }
    /* timers run on the wall clock: scale their share to processor time, which a busy machine does not stretch */
    printf("step: %.2f us a particle (%.2f on the wall)\n", 1e6 * cpu / STEPS / n, 1e6 * wall / STEPS / n);
    printf("iteration: %.3f us a particle (%.3f on the wall)\n", 1e6 * cpu * loop / wall / (STEPS * ITERATIONS) / n,
           1e6 * loop / (STEPS * ITERATIONS) / n);
    bl_sim_destroy(sim);
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return 0;
}
