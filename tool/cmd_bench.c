/* beadlet bench: how fast a scene runs here. */
#include "tool.h"

#include <stdio.h>

static const tool_option options[] = {
    TOOL_SET_OPTION,
    TOOL_SCHEME_OPTION,
    TOOL_DEVICE_OPTION,
    {"steps", 0, "N", "Measure N steps. Default: 20.", HINT_NONE, NULL},
    {"warmup", 0, "N", "Take N steps before. Default: 5.", HINT_NONE, NULL},
    TOOL_END,
};

/* The figures that the counts and clocks come to. */
typedef struct figures {
    double steps_per_second;
    double step_us;      /* microseconds of wall clock a particle and step */
    double iteration_us; /* the same an iteration, everything else of a step included; 0: no iterations */
} figures;

static figures make_figures(const bl_bench_result *r) {
    double particles = (double)(r->fluid_particles ? r->fluid_particles : 1), us = 1e6 * r->wall_seconds / particles;
    return (figures){
        .steps_per_second = r->wall_seconds > 0 ? (double)r->steps / r->wall_seconds : 0,
        .step_us = us / (double)r->steps,
        .iteration_us = r->iterations ? us / (double)r->iterations : 0,
    };
}

static void print_text(const bl_bench_result *r) {
    figures f = make_figures(r);
    printf("particles     %zu fluid, %zu boundary\n", r->fluid_particles, r->boundary_particles);
    printf("steps         %llu in %.3f s (%.3f s of processor time, %d threads): %.4g a second\n",
           (unsigned long long)r->steps, r->wall_seconds, r->processor_seconds, r->threads, f.steps_per_second);
    printf("simulated     %.4g ms\n", 1e3 * r->simulated_seconds);
    printf("per particle  %.3g us a step", f.step_us);
    if (r->iterations)
        printf(", %.3g us an iteration (%.1f iterations a step)", f.iteration_us,
               (double)r->iterations / (double)r->steps);
    printf("\n\n%-24s %10s %8s %10s %14s\n", "pass", "seconds", "share", "calls", "ns/particle");
    for (int k = 0; k < r->pass_count; k++) {
        const bl_bench_pass *pass = &r->passes[k];
        double particles = (double)(r->fluid_particles ? r->fluid_particles : 1);
        printf("%-24s %10.4f %6.1f %% %10llu %14.2f\n", pass->name, pass->seconds,
               r->wall_seconds > 0 ? 100 * pass->seconds / r->wall_seconds : 0, (unsigned long long)pass->calls,
               1e9 * pass->seconds / (double)pass->calls / particles);
    }
}

static void print_json(const bl_bench_result *r) {
    figures f = make_figures(r);
    printf("{\"fluid_particles\": %zu, \"boundary_particles\": %zu, \"threads\": %d, \"steps\": %llu, "
           "\"iterations\": %llu, \"wall_seconds\": %.6f, \"processor_seconds\": %.6f, \"simulated_seconds\": %.9g, ",
           r->fluid_particles, r->boundary_particles, r->threads, (unsigned long long)r->steps,
           (unsigned long long)r->iterations, r->wall_seconds, r->processor_seconds, r->simulated_seconds);
    printf("\"steps_per_second\": %.6g, \"us_per_particle_step\": %.6g, \"us_per_particle_iteration\": %.6g, "
           "\"passes\": [",
           f.steps_per_second, f.step_us, f.iteration_us);
    for (int k = 0; k < r->pass_count; k++)
        printf("%s{\"pass\": \"%s\", \"seconds\": %.6f, \"calls\": %llu}", k ? ", " : "", r->passes[k].name,
               r->passes[k].seconds, (unsigned long long)r->passes[k].calls);
    printf("]}\n");
}

static int run_bench(tool *t) {
    bl_bench_options bench = bl_default_bench_options();
    long steps = bench.steps, warmup = bench.warmup;
    int code = tool_integer(t, "steps", 1, 1000000, &steps);
    if (!code) code = tool_integer(t, "warmup", 0, 1000000, &warmup);
    if (code) return code;
    bench.steps = (int)steps;
    bench.warmup = (int)warmup;
    bl_scene *scene = NULL;
    bl_bench_result result;
    bl_status status = tool_load_scene(t, 0, &scene);
    if (status == BL_OK) status = bl_bench(t->ctx, scene, &bench, &result);
    bl_scene_destroy(scene);
    if (status != BL_OK) return tool_fail(t, status);
    (t->json ? print_json : print_text)(&result);
    return 0;
}

const tool_command cmd_bench = {
    .name = "bench",
    .operands = "SCENE",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_SCENE,
    .summary = "measure how fast a scene runs here",
    .description = "Takes some steps of the scene, writes no files, and prints particles, steps a second, time a "
                   "particle and iteration, and the time of every pass (on the wall clock; \"scheme\" contains the "
                   "passes of the scheme). With --log-format json as one JSON object.",
    .options = options,
    .examples = "  beadlet bench scenes/drop.yaml\n  beadlet bench scenes/drop.yaml --threads 1 --steps 50",
    .run = run_bench,
};
