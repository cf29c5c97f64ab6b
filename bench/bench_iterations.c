/* Iterations of the unified solver on the sessile drop of the paper's table 3, beside the published counts.
 *
 *   bench_iterations [--coarse] [--finest] [--steps N]
 *
 * h = 1 and 0.5 mm, only 1 mm with --coarse, 0.25 mm too with --finest; dt = 0.04, 0.08, 0.12 ms; Jacobi and NNCG;
 * the paper's criterion (eq. 27 in SI units, cold start) and ours (scaled, warm start). The publication does not give
 * its surface tension: 4 N/m reproduces its row at 1 mm. Mean over the last half of N steps (default 200) from a
 * hemisphere of the published volume. The last columns are ours at rest: a viscous drop after the same steps. */
#include "beadlet/scene.h"
#include "sim/sim.h"
#include "table3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(void *user, bl_log_level level, const char *text) {
    (void)user;
    if (level <= BL_LOG_WARNING) fprintf(stderr, "%s\n", text);
}

/* Mean iterations over the last half of `steps`; negative: the run failed. */
static double mean_iterations(const char *const *settings, int count, int steps, size_t *particles) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx = NULL;
    bl_scene *scene = NULL;
    bl_sim *sim = NULL;
    double sum = 0;
    def.log = report;
    if (bl_context_create(&def, &ctx) != BL_OK) exit(1);
    bl_status status = bl_scene_load_text(ctx, table3_text, sizeof table3_text - 1, "table3", settings, count, &scene);
    if (status == BL_OK) status = bl_sim_create(ctx, scene, &sim);
    for (int k = 0; k < steps && status == BL_OK; ++k) {
        status = bl_sim_step(sim, 1);
        if (k >= steps / 2) sum += sim->report.iterations;
    }
    *particles = sim ? bl_sim_fluid_count(sim) : 0;
    if (status != BL_OK) fprintf(stderr, "bench_iterations: %s\n", bl_context_error(ctx));
    bl_sim_destroy(sim);
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return status == BL_OK ? sum / (steps - steps / 2) : -1;
}

typedef struct row {
    double spacing, dt; /* mm, ms */
    int jacobi, nncg;   /* the paper's */
} row;
static const row rows[] = {{1, 0.04, 2, 2},     {1, 0.08, 2, 3},      {1, 0.12, 7, 6},
                           {0.5, 0.04, 2, 4},   {0.5, 0.08, 12, 8},   {0.5, 0.12, 18, 9},
                           {0.25, 0.04, 12, 8}, {0.25, 0.08, 26, 12}, {0.25, 0.12, 42, 18}};

static double run_row(const row *r, const char *accelerator, bool paper, const char *viscosity, int steps,
                      size_t *particles) {
    char spacing[64], dt[64], accel[64], visc[64];
    snprintf(spacing, sizeof spacing, "spacing=%g mm", r->spacing);
    snprintf(dt, sizeof dt, "time.fixed_step=%g ms", r->dt);
    snprintf(accel, sizeof accel, "scheme.accelerator=%s", accelerator);
    snprintf(visc, sizeof visc, "fluids.water.viscosity=%s", viscosity);
    const char *settings[] = {spacing, dt, accel, visc, "scheme.criterion=paper", "scheme.warm_start=false"};
    return mean_iterations(settings, paper ? 6 : 4, steps, particles);
}

int main(int argc, char **argv) {
    double finest = 0.5;
    int steps = 200;
    for (int k = 1; k < argc; ++k) {
        if (!strcmp(argv[k], "--coarse")) finest = 1;
        if (!strcmp(argv[k], "--finest")) finest = 0.25;
        if (!strcmp(argv[k], "--steps") && k + 1 < argc) steps = atoi(argv[++k]);
    }
    printf("                          | Jacobi                 | NNCG                   | at rest\n");
    printf("h mm  particles  dt ms    | paper   eq. 27   ours  | paper   eq. 27   ours  | Jacobi  NNCG\n");
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        if (rows[k].spacing < finest) continue;
        size_t n = 0;
        double jacobi_paper = run_row(&rows[k], "jacobi", true, "10 mPa s", steps, &n);
        double jacobi = run_row(&rows[k], "jacobi", false, "10 mPa s", steps, &n);
        double nncg_paper = run_row(&rows[k], "nncg", true, "10 mPa s", steps, &n);
        double nncg = run_row(&rows[k], "nncg", false, "10 mPa s", steps, &n);
        double rest_jacobi = run_row(&rows[k], "jacobi", false, "2 Pa s", 4 * steps, &n);
        double rest_nncg = run_row(&rows[k], "nncg", false, "2 Pa s", 4 * steps, &n);
        printf("%-5g %9zu  %-7g  | %5d   %6.1f  %5.1f  | %5d   %6.1f  %5.1f  | %5.1f  %5.1f\n", rows[k].spacing, n,
               rows[k].dt, rows[k].jacobi, jacobi_paper, jacobi, rows[k].nncg, nncg_paper, nncg, rest_jacobi,
               rest_nncg);
        fflush(stdout);
    }
    return 0;
}
