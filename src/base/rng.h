/* Counter-based random numbers: value k of stream s is a pure function of (seed, s, k), so any particle may draw its
 * own numbers in any order and on any thread. */
#ifndef BL_BASE_RNG_H
#define BL_BASE_RNG_H

#include <stdint.h>

uint64_t bl_rng_u64(uint64_t seed, uint64_t stream, uint64_t counter);
double bl_rng_uniform(uint64_t seed, uint64_t stream, uint64_t counter); /* in [0, 1) */
double bl_rng_normal(uint64_t seed, uint64_t stream, uint64_t counter);

#endif
