/* Counter-based random numbers: three rounds of a 64-bit mixing function (the finalizer of SplitMix64). */
#include "base/rng.h"

#include <math.h>

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

uint64_t bl_rng_u64(uint64_t seed, uint64_t stream, uint64_t counter) { return mix(mix(mix(seed) ^ stream) ^ counter); }

/* The upper 53 bits as a fraction. */
static double fraction(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

double bl_rng_uniform(uint64_t seed, uint64_t stream, uint64_t counter) {
    return fraction(bl_rng_u64(seed, stream, counter));
}

double bl_rng_normal(uint64_t seed, uint64_t stream, uint64_t counter) {
    /* Box-Muller; the second value is one more round on the first, so a counter is used up at a time. */
    const uint64_t bits = bl_rng_u64(seed, stream, counter);
    const double u = 1.0 - fraction(bits); /* in (0, 1]: the logarithm is finite */
    const double v = fraction(mix(bits));
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}
