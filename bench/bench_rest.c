/* Does a resting drop rest? The comparison of the paper's fig. 18 in numbers: one solve for everything, and the two
 * separated orders.
 *
 *   bench_rest [SECONDS] [SEPARATED_SECONDS]     of simulated time, default 5 and 1
 *
 * A thick drop (452 particles, 5 Pa s) on a plate, dt = 0.1 ms, the paper's calibration. */
#include "beadlet/scene.h"
#include "sim/sim.h"

#include <stdio.h>
#include <stdlib.h>

static const char scene_text[] =
    "name: drop at rest\n"
    "spacing: 1 mm\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 100 s, fixed_step: 0.1 ms, frames_per_second: 1}\n"
    "scheme: {calibration: paper}\n"
    "fluids:\n"
    "  oil:\n"
    "    density: 1000\n"
    "    viscosity: 5\n"
    "    surface_tension: 4 N/m\n"
    "    volumes:\n"
    "      - intersection:\n"
    "          - {sphere: {center: [0, 0, 0], radius: 6.5 mm}}\n"
    "          - {half_space: {point: [0, 0, 0], normal: [0, 0, -1]}}\n"
    "boundaries:\n"
    "  plate: {layers: 1, friction: 0.3, shapes: [{plane: {normal: [0, 0, 1], size: 30 mm}}]}\n";

static void print_row(const bl_sim *sim, const char *order, double mean_iterations) {
    printf("%-15s %5.1f s  %9.1e  %7.3f %%  %8.1f Pa  %6.1f\n", order, bl_sim_time(sim),
           bl_sim_value(sim, "energy_kinetic") / bl_sim_value(sim, "energy_fv"),
           100 * bl_sim_value(sim, "volume_error_mean"), bl_sim_value(sim, "core_pressure"), mean_iterations);
    fflush(stdout);
}

static bl_status run_order(bl_context *ctx, const char *order, double seconds) {
    char setting[64];
    const char *settings[] = {setting};
    bl_scene *scene = NULL;
    bl_sim *sim = NULL;
    snprintf(setting, sizeof setting, "scheme.order=%s", order);
    bl_status status = bl_scene_load_text(ctx, scene_text, sizeof scene_text - 1, "rest", settings, 1, &scene);
    if (status == BL_OK) status = bl_sim_create(ctx, scene, &sim);
    for (int row = 1; row <= 5 && status == BL_OK; ++row) {
        double iterations = 0, until = seconds * row / 5;
        uint64_t first = bl_sim_steps(sim);
        while (status == BL_OK && bl_sim_time(sim) < until) {
            status = bl_sim_step(sim, until);
            iterations += bl_sim_value(sim, "iterations");
        }
        if (status == BL_OK) print_row(sim, order, iterations / (double)(bl_sim_steps(sim) - first));
    }
    bl_sim_destroy(sim);
    bl_scene_destroy(scene);
    return status;
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 5, separated = argc > 2 ? atof(argv[2]) : 1;
    bl_context_def def = bl_default_context_def();
    bl_context *ctx = NULL;
    def.threads = 1;
    if (bl_context_create(&def, &ctx) != BL_OK) return 1;
    printf("order           time     kinetic/    mean       pressure    iterations\n"
           "                         surface     compr.     inside      a step\n");
    bl_status status = run_order(ctx, "unified", seconds);
    if (status == BL_OK) status = run_order(ctx, "tension_first", separated);
    if (status == BL_OK) status = run_order(ctx, "pressure_first", separated);
    if (status != BL_OK) fprintf(stderr, "bench_rest: %s\n", bl_context_error(ctx));
    bl_context_destroy(ctx);
    return status == BL_OK ? 0 : 1;
}
