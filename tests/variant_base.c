/* Bits of sums and vector arithmetic, to be the same for every vector width and thread count. */
#include "base/hash.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "base/vec3.h"

#include <inttypes.h>
#include <stdio.h>

enum { N = 20000 };

typedef struct cloud {
    bl_vec3 x[N];
    real weight[N];
} cloud;

static void fill(cloud *c) {
    for (uint64_t i = 0; i < N; i++) {
        c->x[i] = bl_v3_make((real)bl_rng_normal(1, 0, i), (real)bl_rng_normal(1, 1, i), (real)bl_rng_normal(1, 2, i));
        c->weight[i] = (real)bl_rng_uniform(1, 3, i);
    }
}

/* A loop that compilers like to vectorise. */
static void relax(void *user, size_t begin, size_t end) {
    cloud *c = user;
    for (size_t i = begin; i < end; i++) {
        const real inv_r = BL_R(1) / BL_SQRT(bl_v3_norm2(c->x[i]) + BL_R(0.01));
        c->x[i] = bl_v3_mad(c->x[i], -c->weight[i] * inv_r, c->x[i]);
    }
}

static void moments(void *user, size_t begin, size_t end, double *acc) {
    const cloud *c = user;
    for (size_t i = begin; i < end; i++) {
        acc[0] += (double)c->weight[i];
        acc[1] += (double)(c->weight[i] * bl_v3_norm2(c->x[i]));
        acc[2] += (double)(c->weight[i] * c->x[i].x);
    }
}

static uint64_t run(int threads) {
    static cloud c;
    bl_context_def def = bl_default_context_def();
    def.threads = threads;
    bl_context *ctx;
    if (bl_context_create(&def, &ctx) != BL_OK) return 0;
    fill(&c);
    for (int step = 0; step < 20; step++) bl_parallel_for(ctx, N, 256, relax, &c);
    double sums[3];
    bl_parallel_reduce(ctx, N, 3, BL_REDUCE_SUM, moments, &c, sums);
    bl_context_destroy(ctx);
    return bl_hash(bl_hash(BL_HASH_START, &c, sizeof c), sums, sizeof sums);
}

int main(void) {
    const uint64_t one = run(1), three = run(3);
    printf("%016" PRIx64 "\n", one);
    return one == three ? 0 : 1;
}
