/* How fast a scene runs here. */
#ifndef BEADLET_BENCH_H
#define BEADLET_BENCH_H

#include "beadlet/context.h"
#include "beadlet/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bl_bench_options {
    int warmup; /* steps before the clock starts; default 5 */
    int steps;  /* steps measured, at least 1; default 20 */
} bl_bench_options;
BL_API bl_bench_options bl_default_bench_options(void);

/* A pass of the simulation over the measured steps. Passes may contain others: "scheme" is the whole of its passes. */
typedef struct bl_bench_pass {
    const char *name; /* static */
    double seconds;   /* wall clock */
    uint64_t calls;
} bl_bench_pass;

enum { BL_BENCH_MAX_PASSES = 96 };
typedef struct bl_bench_result {
    size_t fluid_particles, boundary_particles;
    int threads;
    uint64_t steps, iterations; /* measured; iterations of the solver over all steps */
    double wall_seconds, processor_seconds;
    double simulated_seconds;
    int pass_count;
    bl_bench_pass passes[BL_BENCH_MAX_PASSES]; /* the longest first */
} bl_bench_result;

/* Samples the scene, takes warmup + steps steps and writes no files. The measured state depends on the scene and the
 * step counts alone. `options` may be NULL for the defaults. */
BL_API bl_status bl_bench(bl_context *ctx, const bl_scene *scene, const bl_bench_options *options,
                          bl_bench_result *result);

#ifdef __cplusplus
}
#endif
#endif
