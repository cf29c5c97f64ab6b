#include "render/sampler.h"
#include "base/rng.h"

static inline uint32_t reverse_bits(uint32_t x) {
    x = __builtin_bswap32(x);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

/* A permutation in which each bit depends on the bits below it only. */
static uint32_t permute_upwards(uint32_t x, uint32_t seed) {
    x += seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    return x ^ (x * 0x8d22f6e6u);
}

/* Owen's nested scrambling of the number whose bits, reversed, are x: each bit is flipped depending on those above. */
static uint32_t scramble_reversed(uint32_t x, uint32_t seed) { return reverse_bits(permute_upwards(x, seed)); }

/* Pascal's triangle modulo 2 times the bits of x: the generator of the second dimension of Sobol's sequence. It is a
 * Kronecker power of a 2 x 2 matrix, hence a butterfly. */
static uint32_t pascal_mod_2(uint32_t x) {
    x ^= (x >> 1) & 0x55555555u;
    x ^= (x >> 2) & 0x33333333u;
    x ^= (x >> 4) & 0x0f0f0f0fu;
    x ^= (x >> 8) & 0x00ff00ffu;
    return x ^ (x >> 16);
}

bl_sampler bl_sampler_make(uint64_t seed, uint64_t pixel, uint32_t index) {
    return (bl_sampler){bl_rng_u64(seed, pixel, 0), reverse_bits(index), 0};
}

void bl_sampler_2d(bl_sampler *sampler, double out[2]) {
    uint64_t a = bl_rng_u64(sampler->key, sampler->dimension++, 0), b = a * 0xd1342543de82ef95ull + 1;
    uint32_t index = scramble_reversed(sampler->reversed, (uint32_t)a);
    out[0] = scramble_reversed(index, (uint32_t)(a >> 32)) * 0x1p-32;
    out[1] = scramble_reversed(pascal_mod_2(index), (uint32_t)(b >> 32)) * 0x1p-32;
}

double bl_sampler_1d(bl_sampler *sampler) {
    double u[2];
    bl_sampler_2d(sampler, u);
    return u[0];
}
