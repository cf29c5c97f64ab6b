/* Speed of surface reconstruction: a block, a splash of many drops; one thread and all.
 *
 *   bench_surface [PARTICLES [CASE]]     default 1000000, all cases
 *
 * Processor time is what a busy machine can be judged by. */
#include "base/rng.h"
#include "base/timer.h"
#include "surface/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A cube of a lattice with a little disorder: most particles are inside. */
static size_t make_block(bl_vec3 *x, size_t count) {
    const int n = (int)ceil(cbrt((double)count));
    for (size_t i = 0; i < count; i++) {
        const size_t k = i / (size_t)(n * n), j = i / (size_t)n % (size_t)n, l = i % (size_t)n;
        x[i] = bl_v3_make((real)((double)l + 0.1 * bl_rng_uniform(1, 1, i)),
                          (real)((double)j + 0.1 * bl_rng_uniform(1, 2, i)),
                          (real)((double)k + 0.1 * bl_rng_uniform(1, 3, i)));
    }
    return count;
}

/* Drops of 5 spacings radius on a coarse lattice: a third of the particles are at a surface. */
static size_t make_drops(bl_vec3 *x, size_t count) {
    enum { RADIUS = 5, PITCH = 14 };
    const int per_side = (int)ceil(cbrt((double)count / 515.0)) + 1;
    size_t n = 0;
    for (int drop = 0; drop < per_side * per_side * per_side; drop++) {
        const int center[3] = {drop % per_side * PITCH, drop / per_side % per_side * PITCH,
                               drop / (per_side * per_side) * PITCH};
        for (int k = -RADIUS; k <= RADIUS; k++)
            for (int j = -RADIUS; j <= RADIUS; j++)
                for (int i = -RADIUS; i <= RADIUS; i++) {
                    if (i * i + j * j + k * k > RADIUS * RADIUS || n == count) continue;
                    x[n++] = bl_v3_make((real)(center[0] + i), (real)(center[1] + j), (real)(center[2] + k));
                }
    }
    return n;
}

static double seconds_for(const bl_surface_input *input, int threads, size_t *triangles, double *processor) {
    bl_context_def def = bl_default_context_def();
    def.threads = threads;
    bl_context *ctx;
    if (bl_context_create(&def, &ctx)) exit(1);
    bl_surface_mesh mesh;
    const double start = bl_now();
    const clock_t ticks = clock();
    if (bl_surface_build(ctx, input, &mesh)) {
        fprintf(stderr, "%s\n", bl_context_error(ctx));
        exit(1);
    }
    const double seconds = bl_now() - start;
    *processor = (double)(clock() - ticks) / CLOCKS_PER_SEC;
    *triangles = mesh.triangle_count;
    bl_surface_mesh_clear(ctx, &mesh);
    bl_context_destroy(ctx);
    return seconds;
}

static void measure(const char *wanted, const char *name, const bl_vec3 *x, size_t count, bool anisotropic) {
    if (wanted && strcmp(wanted, name) != 0) return;
    bl_surface_input input = {
        .spacing = 1.0, .count = count, .x = x, .v = x, .phase_count = 1, .options = bl_default_surface_options()};
    input.options.anisotropic = anisotropic;
    size_t triangles = 0;
    double cpu_one = 0, cpu_two = 0;
    const double one = seconds_for(&input, 1, &triangles, &cpu_one);
    const double two = seconds_for(&input, 2, &triangles, &cpu_two);
    printf("%-10s %9zu particles %9zu triangles  1 thread %6.2f s (processor %6.2f s)  2 threads %6.2f s (%6.2f s)  "
           "%.2f s per million on 2\n",
           name, count, triangles, one, cpu_one, two, cpu_two, 1e6 * two / (double)count);
}

int main(int argc, char **argv) {
    const size_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    const char *wanted = argc > 2 ? argv[2] : NULL;
    bl_vec3 *const x = malloc((count + 1) * sizeof *x);
    if (!x || count == 0) return 1;
    measure(wanted, "small", x, make_block(x, count / 10 + 1), false);
    measure(wanted, "block", x, make_block(x, count), false);
    measure(wanted, "drops", x, make_drops(x, count), false);
    measure(wanted, "stretched", x, make_drops(x, count), true);
    free(x);
    return 0;
}
