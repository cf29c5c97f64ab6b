/* Cost against particle count and threads, as lines of CSV (bench/results).
 *
 *   bench_scaling [--smooth] MACHINE THREADS[,THREADS...] PARTICLES...
 *
 * The drop is the publication's (calibration: paper), or that of the defaults (--smooth), as in: bench_scaling "AMD
 * EPYC, 2 cores" 1,2 1e3 1e4 1e5 1e6. Times are those of the fastest of some steps. */
#include "drop.h"

static void measure(const char *scheme, const char *machine, double particles, int threads) {
    drop d;
    drop_create(&d, cbrt(particles * 3 / (4 * acos(-1.0))), threads, scheme);
    int steps = particles < 3e5 ? 12 : particles < 3e6 ? 5 : 2;
    drop_cost cost = drop_measure(&d, threads, steps);
    double n = (double)bl_sim_fluid_count(d.sim);
    printf("\"%s\",cpu,%d,%.0f,0,%d,%.4f,%.4f,%.0f\n", machine, threads, n, DROP_ITERATIONS, 1e6 * cost.iteration / n,
           1e6 * cost.step / n, (double)d.bytes / n);
    drop_destroy(&d);
}

int main(int argc, char **argv) {
    const bool smooth = argc > 1 && strcmp(argv[1], "--smooth") == 0;
    if (smooth) --argc, ++argv;
    if (argc < 4) {
        fprintf(stderr, "usage: bench_scaling [--smooth] MACHINE THREADS[,THREADS...] PARTICLES...\n");
        return 64;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("machine,device,threads,fluid,boundary,iterations,us_per_particle_iteration,us_per_particle_step,"
           "bytes_per_particle\n");
    for (int k = 3; k < argc; ++k)
        for (const char *at = argv[2]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
            measure(smooth ? "calibration: physical" : "calibration: paper", argv[1], atof(argv[k]), atoi(at));
    return 0;
}
