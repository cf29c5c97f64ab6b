/* Random numbers (moments, independence of streams, fixed values) and the content hash. */
#include "base/hash.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 100000 };

static void test_uniform_moments(void **state) {
    (void)state;
    double sum = 0, square = 0, product = 0;
    int bins[16] = {0};
    for (uint64_t k = 0; k < N; k++) {
        const double u = bl_rng_uniform(5, 9, k);
        assert_true(u >= 0.0 && u < 1.0);
        sum += u, square += u * u;
        product += (u - 0.5) * (bl_rng_uniform(5, 10, k) - 0.5); /* the next stream */
        bins[(int)(16 * u)]++;
    }
    /* Five standard deviations of each estimate. */
    assert_true(fabs(sum / N - 0.5) < 5 * sqrt(1.0 / 12 / N));
    assert_true(fabs(square / N - 1.0 / 3) < 5 * sqrt(4.0 / 45 / N));
    assert_true(fabs(product / N) < 5 * (1.0 / 12) / sqrt(N));
    for (int b = 0; b < 16; b++) assert_true(fabs(bins[b] - N / 16.0) < 5 * sqrt(N / 16.0));
}

static void test_normal_moments(void **state) {
    (void)state;
    double sum = 0, square = 0, fourth = 0;
    for (uint64_t k = 0; k < N; k++) {
        const double z = bl_rng_normal(5, 9, k);
        assert_true(isfinite(z));
        sum += z, square += z * z, fourth += z * z * z * z;
    }
    assert_true(fabs(sum / N) < 5 / sqrt(N));
    assert_true(fabs(square / N - 1) < 5 * sqrt(2.0 / N));
    assert_true(fabs(fourth / N - 3) < 5 * sqrt(96.0 / N));
}

static void test_arguments_matter(void **state) {
    (void)state;
    const uint64_t x = bl_rng_u64(1, 2, 3);
    assert_true(x == bl_rng_u64(1, 2, 3));
    assert_true(x != bl_rng_u64(2, 1, 3) && x != bl_rng_u64(1, 3, 2) && x != bl_rng_u64(1, 2, 4));
    /* Saved scenes depend on these numbers: mix(0) is the first output of SplitMix64 with seed 0. */
    const uint64_t m0 = 0xe220a8397b1dcdafull;
    assert_true(bl_rng_u64(0, m0, m0) == m0);
}

static void test_hash(void **state) {
    (void)state;
    unsigned char data[40];
    for (int i = 0; i < 40; i++) data[i] = (unsigned char)i;
    const uint64_t whole = bl_hash(BL_HASH_START, data, 40);
    assert_true(whole == bl_hash(BL_HASH_START, data, 40));
    /* Each bit and the length matter, also zero bytes at the end. */
    for (int bit = 0; bit < 320; bit++) {
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(bl_hash(BL_HASH_START, data, 40) != whole);
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    memset(data, 0, sizeof data);
    uint64_t seen[41];
    for (size_t n = 0; n <= 40; n++) {
        seen[n] = bl_hash(BL_HASH_START, data, n);
        for (size_t m = 0; m < n; m++) assert_true(seen[m] != seen[n]);
    }
    /* Swapped words are not the same content. */
    const uint64_t ab[2] = {1, 2}, ba[2] = {2, 1};
    assert_true(bl_hash(BL_HASH_START, ab, 16) != bl_hash(BL_HASH_START, ba, 16));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_moments),
        cmocka_unit_test(test_normal_moments),
        cmocka_unit_test(test_arguments_matter),
        cmocka_unit_test(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
