/* Well-spread random numbers for one pixel sample: the (0,2)-sequence of Sobol, shuffled and scrambled by hashes so
 * that every pixel and every pair of dimensions is independent (Burley 2020, "Practical hash-based Owen scrambling").
 * A pure function of (seed, pixel, sample, order of calls): threads do not matter. */
#ifndef BL_RENDER_SAMPLER_H
#define BL_RENDER_SAMPLER_H

#include <stdint.h>

typedef struct bl_sampler {
    uint64_t key;      /* of the pixel */
    uint32_t reversed; /* bits of the number of the sample */
    uint32_t dimension;
} bl_sampler;

bl_sampler bl_sampler_make(uint64_t seed, uint64_t pixel, uint32_t index);
void bl_sampler_2d(bl_sampler *sampler, double out[2]); /* both in [0, 1) */
double bl_sampler_1d(bl_sampler *sampler);

#endif
