/* A device beside the tables 3, 4 and 5 of the unified paper (an RTX 4090; for table 5 with a Core i9-13900K).
 *
 *   bench_paper [--csv MACHINE] [DEVICE [TABLES [STEPS]]]      default: opencl 345 60
 *
 * Table 3 is the sessile drop itself, run with the paper's criterion from a cold start until each step has converged:
 * iterations and times are means over the last half of the steps. The publication does not give its surface tension
 * (see bench_iterations). Table 4 is the time of the parts of a step at its finest row, 18 iterations. Of table 5 only
 * the sizes are taken: half a ball of as many particles, on a floor of as many, with as many iterations a step. */
#include "hill.h"
#include "table3.h"

/* --- output --- */

static const char *machine; /* NULL: tables to read */

static void print_line(const char *table, const char *row, const bl_sim *sim, double iterations, double ms,
                       double paper_iterations, double paper_ms) {
    if (!machine) return;
    printf("\"%s\",\"%s\",%s,\"%s\",%zu,%zu,%.1f,%.3f,%g,%g\n", machine, bl_device_name(sim->world.device), table, row,
           sim->world.fluid.count, sim->world.boundary.count, iterations, ms, paper_iterations, paper_ms);
}

/* --- the sessile drop of tables 3 and 4 --- */

typedef struct drop_run {
    bl_scene *scene;
    bl_sim *sim;
} drop_run;

static drop_run open_drop(bl_context *ctx, double spacing, double dt, const char *accelerator, int iterations) {
    char text[4][64];
    drop_run d;
    snprintf(text[0], sizeof text[0], "spacing=%g mm", spacing);
    snprintf(text[1], sizeof text[1], "time.fixed_step=%g ms", dt);
    snprintf(text[2], sizeof text[2], "scheme.accelerator=%s", accelerator);
    snprintf(text[3], sizeof text[3], "scheme.min_iterations=%d", iterations);
    char most[64];
    snprintf(most, sizeof most, "scheme.max_iterations=%d", iterations);
    const char *settings[] = {
        "scheme.criterion=paper", "scheme.warm_start=false", text[0], text[1], text[2], text[3], most};
    check(ctx, bl_scene_load_text(ctx, table3_text, sizeof table3_text - 1, "table3", settings, iterations > 0 ? 7 : 5,
                                  &d.scene));
    check(ctx, bl_sim_create(ctx, d.scene, &d.sim));
    return d;
}

static void close_drop(drop_run *d) {
    bl_sim_destroy(d->sim);
    bl_scene_destroy(d->scene);
}

/* --- table 3 --- */

/* Iterations and hours for a simulated second: Jacobi, NNCG. */
static const struct row3 {
    double spacing, dt; /* mm, ms */
    int iterations[2];
    double hours[2];
} table3[] = {
    {1, 0.04, {2, 2}, {0.12, 0.13}},     {1, 0.08, {2, 3}, {0.06, 0.08}},      {1, 0.12, {7, 6}, {0.09, 0.08}},
    {0.5, 0.04, {2, 4}, {0.20, 0.27}},   {0.5, 0.08, {12, 8}, {0.29, 0.21}},   {0.5, 0.12, {18, 9}, {0.28, 0.16}},
    {0.25, 0.04, {12, 8}, {2.62, 1.91}}, {0.25, 0.08, {26, 12}, {2.53, 1.32}}, {0.25, 0.12, {42, 18}, {2.67, 1.25}}};

static void run_row3(bl_context *ctx, const struct row3 *row, int method, int steps) {
    static const char *const accelerators[] = {"jacobi", "nncg"};
    drop_run d = open_drop(ctx, row->spacing, row->dt, accelerators[method], 0);
    double iterations = 0, start = bl_now();
    bl_status status = BL_OK;
    for (int k = 0; k < steps && status == BL_OK; k++) {
        if (k == steps / 2) start = bl_now();
        status = bl_sim_step(d.sim, 1);
        if (k >= steps / 2) iterations += d.sim->report.iterations;
    }
    const double half = steps - steps / 2, seconds = (bl_now() - start) / half;
    const double hours = seconds / (1e-3 * row->dt) / 3600, paper_ms = 3.6e3 * row->dt * row->hours[method];
    char name[64];
    snprintf(name, sizeof name, "%g mm %g ms %s", row->spacing, row->dt, accelerators[method]);
    print_line("3", name, d.sim, iterations / half, 1e3 * seconds, row->iterations[method], paper_ms);
    if (status != BL_OK) {
        printf("  %-22s %s\n", name, bl_context_error(ctx));
    } else if (!machine) {
        printf("  %-22s %9zu %10d %8.1f %12.1f %8.2f %10.2f %9.4f %8.0f\n", name, d.sim->world.fluid.count,
               row->iterations[method], iterations / half, paper_ms, 1e3 * seconds, row->hours[method], hours,
               row->hours[method] / hours);
    }
    close_drop(&d);
}

static void print_table3(bl_context *ctx, int steps) {
    if (!machine)
        printf("table 3, the sessile drop\n  %-22s %9s %19s %21s %20s %8s\n  %-22s %9s %10s %8s %12s %8s %10s %9s\n",
               "", "fluid", "iterations", "ms a step", "h a simulated s", "times", "h, dt, solver", "particles",
               "paper", "ours", "paper", "ours", "paper", "ours");
    for (size_t k = 0; k < sizeof table3 / sizeof table3[0]; k++)
        for (int method = 0; method < 2; method++) run_row3(ctx, &table3[k], method, steps);
}

/* --- table 4 --- */

/* What the parts of the paper's step are called here, by the timers of the device. */
static const struct row4 {
    const char *name;
    double paper_ms;
    const char *timers[12];
} table4[] = {
    {"neighbors search", 26, {"neighbours"}},
    {"gravity and viscosity",
     23,
     {"kick", "viscosity_explicit", "viscosity_start", "viscosity_apply", "viscosity_advance", "viscosity_turn",
      "viscosity_finish", "accept_velocity", "reduce vis_rz", "reduce vis_dk"}},
    {"diagonal elements alpha",
     45,
     {"constraint", "volume", "wall_contact", "diagonal_p", "reduce diagonal_p", "guess", "alpha_st",
      "reduce alpha_st"}},
    {"update F^P, F^N and v", 125, {"predict", "pressure_products"}},
    {"update S", 111, {"interface"}},
    {"update V^err, -dE/dx and v^tang", 243, {"residual", "reduce residual"}},
    {"update p, F^ST, F^F and NNCG update", 9, {"update"}},
    {"integrate x", 1, {"integrate"}},
};

static double seconds_of(const bl_timers *timers, const char *name) {
    for (int k = 0; k < timers->count; k++)
        if (strcmp(timers->items[k].name, name) == 0) return timers->items[k].seconds;
    return 0;
}

static void print_table4(bl_context *ctx, int steps) {
    enum { ITERATIONS = 18 };
    const double paper_total = 581;
    drop_run d = open_drop(ctx, 0.25, 0.12, "nncg", ITERATIONS);
    double whole = time_steps(d.sim, ITERATIONS, steps < MAX_STEPS ? steps : MAX_STEPS), known = 0;
    d.sim->world.timers.count = 0;
    bl_device_profile(d.sim->world.device, true);
    for (int k = 0; k < steps; k++) check(ctx, bl_sim_step(d.sim, 1));
    bl_device_profile(d.sim->world.device, false);
    if (!machine)
        printf("table 4, %zu particles, %d iterations\n  %-38s %10s %10s %8s\n", d.sim->world.fluid.count, ITERATIONS,
               "ms a step", "paper", "ours", "times");
    for (size_t k = 0; k < sizeof table4 / sizeof table4[0]; k++) {
        double ms = 0;
        for (int t = 0; t < 12 && table4[k].timers[t]; t++)
            ms += 1e3 * seconds_of(&d.sim->world.timers, table4[k].timers[t]) / steps;
        known += ms;
        print_line("4", table4[k].name, d.sim, ITERATIONS, ms, ITERATIONS, table4[k].paper_ms);
        if (!machine)
            printf("  %-38s %10.0f %10.3f %8.0f\n", table4[k].name, table4[k].paper_ms, ms, table4[k].paper_ms / ms);
    }
    print_line("4", "total", d.sim, ITERATIONS, 1e3 * whole, ITERATIONS, paper_total);
    if (!machine)
        printf("  %-38s %10s %10.3f\n  %-38s %10.0f %10.3f %8.0f\n", "all else: sums, virials, launches, host", "",
               1e3 * whole - known, "total", paper_total, 1e3 * whole, paper_total / (1e3 * whole));
    close_drop(&d);
}

/* --- table 5 --- */

static const struct row5 {
    const char *name;
    double fluid, boundary;
    int iterations;
    double paper_ms;
} table5[] = {{"Water Lily", 1.3e6, 4.1e6, 8, 2000},
              {"Sponge", 1.4e6, 1.6e6, 10, 2100},
              {"Soap Bubbles", 4.6e6, 1.7e6, 10, 6200},
              {"Lucy", 10.2002e6, 21e6, 8, 7000},
              {"Inkjet Printing", 0.5e6, 26.2e6, 15, 1100}};

static void print_table5(bl_context *ctx, const bl_scene *scene) {
    enum { STEPS = 7 };
    if (!machine)
        printf("table 5, half a ball of as many particles on a floor of as many\n  %-16s %10s %10s %6s %10s %8s %7s "
               "%14s %8s\n",
               "", "fluid", "boundary", "iter.", "paper ms", "ours ms", "times", "bytes/fluid p.", "at most");
    for (size_t k = 0; k < sizeof table5 / sizeof table5[0]; k++) {
        const struct row5 *row = &table5[k];
        bl_sim *sim = make_sim(ctx, scene);
        fill(sim, row->fluid, row->boundary / row->fluid);
        double ms = 1e3 * time_steps(sim, row->iterations, STEPS);
        print_line("5", row->name, sim, row->iterations, ms, row->iterations, row->paper_ms);
        if (!machine)
            printf("  %-16s %10zu %10zu %6d %10.0f %8.2f %7.0f %14.0f %8.0f\n", row->name, sim->world.fluid.count,
                   sim->world.boundary.count, row->iterations, row->paper_ms, ms, row->paper_ms / ms,
                   (double)bl_device_memory(sim->world.device) / (double)sim->world.fluid.count,
                   (double)bl_device_memory_most(sim->world.device) / (double)sim->world.fluid.count);
        bl_sim_destroy(sim);
    }
}

int main(int argc, char **argv) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx = NULL;
    bl_scene *scene = NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "--csv") == 0) machine = argv[2], first = 3;
    def.device = argc > first ? argv[first] : "opencl";
    const char *tables = argc > first + 1 ? argv[first + 1] : "345";
    int steps = argc > first + 2 ? atoi(argv[first + 2]) : 60;
    if (bl_context_create(&def, &ctx) != BL_OK) return 70;
    check(ctx, bl_scene_load_text(ctx, hill_text, strlen(hill_text), "bench", NULL, 0, &scene));
    if (machine) printf("machine,device,table,row,fluid,boundary,iterations,step_ms,paper_iterations,paper_step_ms\n");
    if (strchr(tables, '3')) print_table3(ctx, steps);
    if (strchr(tables, '4')) print_table4(ctx, steps);
    if (strchr(tables, '5')) print_table5(ctx, scene);
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return 0;
}
