/* A device against the tables of the paper: a drop on a wall with friction and NNCG, of any size.
 *
 *   bench_gpu [DEVICE [PARTICLES...]]             default: opencl 267700
 *   bench_gpu --csv MACHINE DEVICE PARTICLES...   lines as in bench/results, steps of 8 iterations
 *   bench_gpu --smooth ...                        the same with smooth kernels
 *
 * Prints for each size the time of a step and of an iteration beside what the unified paper reports for an RTX 4090,
 * the memory, and for each pass the bytes that have to move (lists and arrays once) over its time, against the speed
 * of a plain copy on the device. bench_paper goes through all rows of the paper's tables. */
#include "hill.h"

/* Of the paper's tables 4 and 5: particles, iterations a step, ms an iteration, ms a step. */
static const struct paper_row {
    double particles;
    int iterations;
    double iteration_ms, step_ms;
    const char *name;
} paper[] = {
    {267700, 18, 27, 581, "sessile drop, table 4"},
    {10.2e6, 8, 0, 7000, "Lucy, table 5"},
};

/* --- passes --- */

typedef enum reach { OWN, NEAR, FAR, BOTH } reach;
static reach reach_of(bl_pass_id pass) {
    switch (pass) {
    case BL_PASS_volume:
    case BL_PASS_wall_contact:
    case BL_PASS_diagonal_p:
    case BL_PASS_predict: return NEAR;
    case BL_PASS_residual:
    case BL_PASS_virial: return BOTH;
    default: return bl_pass_infos[pass].near_fluid || bl_pass_infos[pass].near_boundary ? FAR : OWN;
    }
}

/* Vectors have four numbers on a device. */
static double item_bytes(const bl_field_info *fields, int count, uint64_t mask) {
    double bytes = 0;
    for (int f = 0; f < count; f++)
        if (mask >> f & 1) bytes += fields[f].type == BL_TYPE_VEC3 ? 4.0 * sizeof(real) : (double)fields[f].item_size;
    return bytes;
}

/* What the passes of an iteration read of the particle itself, besides what they read of its neighbours. */
static uint64_t own_reads(bl_pass_id pass) {
    switch (pass) {
    case BL_PASS_predict: return BL_FL(v) | BL_FL(f_st) | BL_FL(wall_n);
    case BL_PASS_interface_fluid: return BL_FL(x);
    case BL_PASS_residual: return BL_FL(g_a) | BL_FL(g_b) | BL_FL(g_src) | BL_FL(p) | BL_FL(alpha_p) | BL_FL(f_st);
    case BL_PASS_update:
        return BL_FL(r_p) | BL_FL(r_st) | BL_FL(d_p) | BL_FL(d_st) | BL_FL(p) | BL_FL(f_st) | BL_FL(g_a) | BL_FL(g_b);
    default: return 0;
    }
}

enum { ENTRY = 2 }; /* bytes of a neighbour in a list; blocks whose numbers are far apart have 4 (neighbours/list.h) */

/* Bytes that a pass cannot avoid: every array that neighbours or the particle itself are asked for once, what it
 * writes once, and the list as often as it is walked. */
static double pass_bytes(const bl_sim *sim, bl_pass_id pass, const double near_far[2]) {
    const bl_pass_info *info = &bl_pass_infos[pass];
    double n = (double)sim->world.fluid.count, nb = (double)sim->world.boundary.count;
    double own = info->domain == BL_OVER_FLUID ? n : 0;
    double lists = ENTRY * own;
    reach r = reach_of(pass);
    if (r == NEAR || r == BOTH) lists *= near_far[0];
    if (r == FAR) lists *= near_far[1];
    if (r == BOTH) lists += ENTRY * own * near_far[1];
    double fluid = item_bytes(bl_fluid_fields, BL_F_COUNT, info->near_fluid | own_reads(pass)) +
                   item_bytes(bl_fluid_fields, BL_F_COUNT, info->writes_fluid);
    return (r == OWN ? 0 : lists) + n * fluid +
           (info->domain == BL_OVER_BOUNDARY ? nb * item_bytes(bl_boundary_fields, BL_B_COUNT, info->writes_boundary)
                                             : 0);
}

static void print_passes(bl_sim *sim, double copy) {
    const double near_far[2] = {4 * acos(-1.0) / 3 * 8, 4 * acos(-1.0) / 3 * 27};
    const bl_timers *timers = &sim->world.timers;
    printf("  %-26s %8s %12s %12s %12s %8s\n", "pass", "calls", "us a call", "MB a call", "GB/s", "of copy");
    for (int k = 0; k < timers->count; k++) {
        const bl_timer *t = &timers->items[k];
        double seconds = t->seconds / (double)t->calls, bytes = 0;
        for (int p = 0; p < BL_PASS_COUNT; p++)
            if (strcmp(bl_pass_infos[p].name, t->name) == 0) bytes = pass_bytes(sim, (bl_pass_id)p, near_far);
        if (strcmp(t->name, "interface") == 0) bytes = pass_bytes(sim, BL_PASS_interface_fluid, near_far);
        printf("  %-26s %8llu %12.1f", t->name, (unsigned long long)t->calls, 1e6 * seconds);
        if (bytes > 0)
            printf(" %12.2f %12.0f %6.0f %%\n", 1e-6 * bytes, 1e-9 * bytes / seconds, 100 * bytes / seconds / copy);
        else
            printf("\n");
    }
}

/* One line of bench/results: half a ball on a floor that it fits on. */
static void print_line(bl_sim *sim, const char *machine, double particles) {
    enum { ITERATIONS = 8, FEW = 2 };
    fill(sim, particles, 0);
    int steps = particles > 3e7 ? 3 : particles > 3e6 ? 7 : 25;
    double whole = time_steps(sim, ITERATIONS, steps), rest = time_steps(sim, FEW, steps);
    double n = (double)sim->world.fluid.count;
    printf("\"%s\",\"%s\",1,%.0f,%zu,%d,%.6f,%.6f,%.0f\n", machine, bl_device_name(sim->world.device), n,
           sim->world.boundary.count, ITERATIONS, 1e6 * (whole - rest) / (ITERATIONS - FEW) / n, 1e6 * whole / n,
           (double)bl_device_memory(sim->world.device) / n);
}

static void bench(bl_sim *sim, double particles, double copy) {
    const struct paper_row *row = particles > 3e6 ? &paper[1] : &paper[0];
    double walls = particles > 3e6 && particles < 3e7 ? 2.06 : 0; /* the statue: 21 M boundary particles */
    double start = bl_now();
    fill(sim, particles, walls);
    printf("%zu fluid, %zu boundary particles, placed in %.1f s\n", sim->world.fluid.count, sim->world.boundary.count,
           bl_now() - start);
    start = bl_now();
    bl_device_profile(sim->world.device, true); /* an error then names its kernel */
    check(sim->ctx, bl_sim_step(sim, (double)INFINITY));
    bl_device_profile(sim->world.device, false);
    double first = bl_now() - start;
    int steps = particles > 3e6 ? 7 : 25, few = 2;
    size_t before = bl_device_launches(sim->world.device);
    double whole = time_steps(sim, row->iterations, steps);
    size_t between = bl_device_launches(sim->world.device);
    double rest = time_steps(sim, few, steps);
    double iteration = (whole - rest) / (row->iterations - few);
    double launches = ((double)(between - before) - (double)(bl_device_launches(sim->world.device) - between)) /
                      (double)((steps + 1) * (row->iterations - few));
    size_t memory = bl_device_memory(sim->world.device);
    printf("  first step, with the transfer to the device, %.2f s\n", first);
    printf("  step of %d iterations %.3f ms, iteration %.4f ms, rest of a step %.3f ms\n", row->iterations, 1e3 * whole,
           1e3 * iteration, 1e3 * (rest - few * iteration));
    printf("  kernels launched an iteration %.1f, by the rest of a step %.0f\n", launches,
           (double)(between - before) / (steps + 1) - launches * row->iterations);
    const double each = 1 / (double)sim->world.fluid.count;
    printf("  device memory %.0f MB, %.0f bytes a fluid particle, at any time %.0f at most\n", 1e-6 * (double)memory,
           (double)memory * each, (double)bl_device_memory_most(sim->world.device) * each);
    printf("  paper (%s, RTX 4090): step %.0f ms", row->name, row->step_ms);
    if (row->iteration_ms > 0) printf(", iteration %.0f ms", row->iteration_ms);
    printf("; here scaled to its particles: step %.2f ms, %.0f times faster\n",
           1e3 * whole * row->particles / (double)sim->world.fluid.count,
           row->step_ms / (1e3 * whole * row->particles / (double)sim->world.fluid.count));
    if (particles > 3e7) return;
    sim->world.timers.count = 0;
    bl_device_profile(sim->world.device, true);
    time_steps(sim, row->iterations, 2);
    bl_device_profile(sim->world.device, false);
    print_passes(sim, copy);
}

/* Bytes a second of a large copy on the device, read and written. */
static double copy_speed(bl_sim *sim) {
    enum { ROUNDS = 5 };
    fill(sim, 8e6, 0);
    bl_device_save(sim->world.device);
    bl_device_profile(sim->world.device, true);
    double best = (double)INFINITY, bytes = 0;
    for (int k = 0; k < ROUNDS; k++) {
        sim->world.timers.count = 0;
        bl_device_save(sim->world.device);
        for (int t = 0; t < sim->world.timers.count; t++)
            if (strcmp(sim->world.timers.items[t].name, "keep state") == 0)
                best = fmin(best, sim->world.timers.items[t].seconds);
    }
    for (int f = BL_F_x; f < BL_F_COUNT; f++) /* id, phase and what every step makes anew are not kept */
        if ((bl_fluid_fields[f].flags & BL_FIELD_MADE) == BL_FIELD_STATE)
            bytes += 2.0 * (bl_fluid_fields[f].type == BL_TYPE_VEC3 ? 16 : 4);
    bl_device_profile(sim->world.device, false);
    return bytes * (double)sim->world.fluid.count / best;
}

int main(int argc, char **argv) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx = NULL;
    bl_scene *scene = NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *kernel = "scheme.kernel=smooth";
    int smooth = argc > 1 && strcmp(argv[1], "--smooth") == 0;
    argc -= smooth, argv += smooth;
    bool csv = argc > 3 && strcmp(argv[1], "--csv") == 0;
    def.device = csv ? argv[3] : argc > 1 ? argv[1] : "opencl";
    if (bl_context_create(&def, &ctx) != BL_OK) return 70;
    check(ctx, bl_scene_load_text(ctx, hill_text, strlen(hill_text), "bench", &kernel, smooth, &scene));
    if (csv)
        printf("machine,device,threads,fluid,boundary,iterations,us_per_particle_iteration,us_per_particle_step,"
               "bytes_per_particle\n");
    for (int k = 4; csv && k < argc; k++) {
        bl_sim *one = make_sim(ctx, scene);
        print_line(one, argv[2], atof(argv[k]));
        bl_sim_destroy(one);
    }
    if (csv) return 0;
    bl_sim *sim = make_sim(ctx, scene);
    double copy = copy_speed(sim);
    printf("%s, copy %.0f GB/s\n", bl_device_name(sim->world.device), 1e-9 * copy);
    bl_sim_destroy(sim);
    for (int k = 2; k < argc || k == 2; k++) {
        sim = make_sim(ctx, scene);
        bench(sim, k < argc ? atof(argv[k]) : 267700, copy);
        bl_sim_destroy(sim);
    }
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return 0;
}
