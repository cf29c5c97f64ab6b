/* Cost of the unified solver: a free drop, by pass, and beside a plain scalar implementation in the same run.
 *
 *   bench_solver [RADIUS] [THREADS] [SCHEME]
 *
 * Radius in spacings, default 20 (33,500 particles); 1 thread; SCHEME: keys of the map `scheme`, default `calibration:
 * paper`, which the plain implementation knows.
 *
 * Times are those of the fastest of some steps: of the processor for one thread, else on the wall. */
#ifndef BL_ALL_SMOOTH /* bench_smooth.c */
#define BL_ALL_CUBIC  /* the plain loops, too, are not asked which kernel it is (physics/kernel.h) */
#endif
#include "drop.h"
#include "plain.h"
#include "schemes/unified/unified.h"

enum { STEPS = 12, PLAIN_ROUNDS = 4 };

static void print_passes(const drop_cost *cost, double n) {
    for (int k = 0; k < cost->passes.count; ++k) {
        const bl_timer *t = &cost->passes.items[k];
        printf("  %-22s %8.1f ns a particle and call, %4.1f %% of the step\n", t->name,
               1e9 * t->seconds * cost->step / cost->wall / (double)t->calls / n, 100 * t->seconds / cost->wall);
    }
}

/* Seconds of a plain iteration, the fastest of some; and how far its last residuals are from the library's. */
static double time_plain(drop *d, double *apart) {
    bl_world *world = &d->sim->world;
    unified *u = d->sim->scheme_state;
    bl_positions fluid = {world->fluid.x, world->fluid.count};
    double best = (double)INFINITY, largest = 0;
    drop_check(d, bl_neighbours_build(world->neighbours, fluid, (bl_positions){0}));
    bl_unified_bind(world, u);
    for (int k = 0; k < PLAIN_ROUNDS; ++k) {
        double start = drop_processor_time();
        plain_iteration(&u->view);
        best = fmin(best, drop_processor_time() - start);
    }
    /* the state is the same for both: whatever the iteration made of it */
    *apart = 0;
    bl_cpu_run(d->ctx, &world->timers, BL_PASS_residual, &u->view);
    for (size_t i = 0; i < fluid.count; ++i) {
        bl_vec3 r = world->fluid.f_n[i]; /* r_st lies there */
        bl_residual_with(&u->view, (bl_index)i, plain_volume_rate(&u->view, (bl_index)i),
                         plain_tension(&u->view, (bl_index)i));
        largest = fmax(largest, (double)bl_v3_norm(r));
        *apart = fmax(*apart, (double)bl_v3_norm(bl_v3_sub(r, world->fluid.f_n[i])));
    }
    *apart /= largest;
    return best;
}

int main(int argc, char **argv) {
    double radius = argc > 1 ? atof(argv[1]) : 20, apart;
    int threads = argc > 2 ? atoi(argv[2]) : 1;
    const char *scheme = argc > 3 ? argv[3] : PLAIN_SCHEME;
    drop d;
    drop_create(&d, radius, threads, scheme);
    double n = (double)bl_sim_fluid_count(d.sim);
    printf("%.0f particles, %d threads, %s\n", n, threads, sizeof(real) == 4 ? "float" : "double");
    drop_cost cost = drop_measure(&d, threads, STEPS);
    double bytes = (double)d.bytes;
    print_passes(&cost, n);
    printf("step:      %.3f us a particle\n", 1e6 * cost.step / n);
    printf("iteration: %.3f us a particle\n", 1e6 * cost.iteration / n);
    printf("memory:    %.0f bytes a particle\n", bytes / n);
    double plain = argc > 3 ? 0 : time_plain(&d, &apart);
    if (plain)
        printf("plain scalar loops on one thread: %.3f us a particle and iteration, %.1f times as long "
               "(residuals apart by %.1g)\n",
               1e6 * plain / n, plain / cost.iteration, apart);
    drop_destroy(&d);
    return 0;
}
