/* Parallel loops: every index once, and the same bits for any number of threads. */
#include "base/parallel.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const int thread_counts[] = {1, 2, 3, 7};
enum { N_THREAD_COUNTS = 4 };

static bl_context *context_with(int threads) {
    bl_context_def def = bl_default_context_def();
    def.threads = threads;
    bl_context *ctx = NULL;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    return ctx;
}

static void visit(void *user, size_t begin, size_t end) {
    unsigned char *visits = user;
    for (size_t i = begin; i < end; i++) visits[i]++;
}

static void test_every_index_once(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 63, 64, 65, 10000};
    for (int t = 0; t < N_THREAD_COUNTS; t++) {
        bl_context *ctx = context_with(thread_counts[t]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            unsigned char visits[10001] = {0};
            bl_parallel_for(ctx, counts[c], 64, visit, visits);
            for (size_t i = 0; i < sizeof visits; i++) assert_int_equal(visits[i], i < counts[c]);
        }
        bl_context_destroy(ctx);
    }
}

/* Values over ten orders of magnitude and of both signs: their sum depends on the order in its last bits. */
static double value(size_t i) { return bl_rng_normal(1, 0, i) * pow(10.0, 10.0 * bl_rng_uniform(1, 1, i)); }

static void fold_sum(void *user, size_t begin, size_t end, double *acc) {
    (void)user;
    for (size_t i = begin; i < end; i++) {
        acc[0] += value(i);
        acc[1] += 1.0;
    }
}

static void fold_min(void *user, size_t begin, size_t end, double *acc) {
    (void)user;
    for (size_t i = begin; i < end; i++) acc[0] = fmin(acc[0], value(i));
}

static void fold_max(void *user, size_t begin, size_t end, double *acc) {
    (void)user;
    for (size_t i = begin; i < end; i++) acc[0] = fmax(acc[0], value(i));
}

/* The definition, written down once more without threads: chunks in order. */
static double reference_sum(size_t count) {
    double total = 0.0;
    for (size_t begin = 0; begin < count; begin += BL_CHUNK) {
        double chunk = 0.0;
        for (size_t i = begin; i < count && i < begin + BL_CHUNK; i++) chunk += value(i);
        total += chunk;
    }
    return total;
}

static void test_sum_has_the_same_bits(void **state) {
    (void)state;
    /* Below a chunk, at its edges, and beyond one batch of 256 chunks. */
    static const size_t counts[] = {1, 1023, 1024, 1025, 50000, 300001};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const double expected = reference_sum(counts[c]);
        for (int t = 0; t < N_THREAD_COUNTS; t++) {
            bl_context *ctx = context_with(thread_counts[t]);
            double out[2];
            bl_parallel_reduce(ctx, counts[c], 2, BL_REDUCE_SUM, fold_sum, NULL, out);
            assert_memory_equal(&out[0], &expected, sizeof expected);
            assert_true(out[1] == (double)counts[c]);
            bl_context_destroy(ctx);
        }
    }
    /* The order matters for these values, so the test above can fail. */
    double backwards = 0.0;
    for (size_t i = 50000; i-- > 0;) backwards += value(i);
    assert_true(backwards != reference_sum(50000));
}

static void test_min_max_and_empty(void **state) {
    (void)state;
    bl_context *ctx = context_with(3);
    double low = 0, high = 0, out[2];
    for (size_t i = 0; i < 5000; i++) low = fmin(low, value(i)), high = fmax(high, value(i));
    bl_parallel_reduce(ctx, 5000, 1, BL_REDUCE_MIN, fold_min, NULL, out);
    assert_true(out[0] == low);
    bl_parallel_reduce(ctx, 5000, 1, BL_REDUCE_MAX, fold_max, NULL, out);
    assert_true(out[0] == high);
    bl_parallel_reduce(ctx, 0, 2, BL_REDUCE_SUM, fold_sum, NULL, out);
    assert_true(out[0] == 0.0 && out[1] == 0.0);
    bl_parallel_reduce(ctx, 0, 1, BL_REDUCE_MIN, fold_min, NULL, out);
    assert_true(isinf(out[0]) && out[0] > 0);

    const uint64_t before = bl_alloc_count(ctx);
    bl_parallel_reduce(ctx, 5000, 2, BL_REDUCE_SUM, fold_sum, NULL, out);
    assert_int_equal(bl_alloc_count(ctx), before);
    bl_context_destroy(ctx);
}

/* Multiples of 7 to one list, those of 3 to another. */
typedef struct multiples {
    size_t *of_seven, *of_three;
} multiples;
static void count_multiples(void *user, size_t begin, size_t end, size_t *n) {
    (void)user;
    for (size_t i = begin; i < end; i++) n[0] += i % 7 == 0, n[1] += i % 3 == 0;
}
static void list_multiples(void *user, size_t begin, size_t end, const size_t *at) {
    const multiples *to = user;
    size_t seven = at[0], three = at[1];
    for (size_t i = begin; i < end; i++) {
        if (i % 7 == 0) to->of_seven[seven++] = i;
        if (i % 3 == 0) to->of_three[three++] = i;
    }
}

static void test_lists_are_in_order(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, BL_CHUNK, BL_CHUNK + 1, 3 * BL_LIST_PIECES * BL_CHUNK + 5};
    for (int t = 0; t < N_THREAD_COUNTS; t++) {
        bl_context *ctx = context_with(thread_counts[t]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            bl_listing listing;
            multiples to = {calloc(counts[c] + 1, sizeof(size_t)), calloc(counts[c] + 1, sizeof(size_t))};
            bl_parallel_count(ctx, counts[c], count_multiples, NULL, &listing);
            assert_int_equal(listing.total[0], (counts[c] + 6) / 7);
            assert_int_equal(listing.total[1], (counts[c] + 2) / 3);
            assert_int_equal(listing.total[2], 0);
            bl_parallel_fill(ctx, &listing, list_multiples, &to);
            for (size_t k = 0; k < listing.total[0]; k++) assert_int_equal(to.of_seven[k], 7 * k);
            for (size_t k = 0; k < listing.total[1]; k++) assert_int_equal(to.of_three[k], 3 * k);
            free(to.of_seven);
            free(to.of_three);
        }
        bl_context_destroy(ctx);
    }
}

static void test_copy(void **state) {
    (void)state;
    enum { SIZE = 200001 };
    char *from = malloc(SIZE), *to = calloc(SIZE + 1, 1);
    bl_context *ctx = context_with(3);
    for (size_t i = 0; i < SIZE; i++) from[i] = (char)(i * i % 127 + 1);
    bl_parallel_copy(ctx, to, from, SIZE);
    assert_memory_equal(to, from, SIZE);
    assert_int_equal(to[SIZE], 0);
    bl_context_destroy(ctx);
    free(from);
    free(to);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),
        cmocka_unit_test(test_sum_has_the_same_bits),
        cmocka_unit_test(test_min_max_and_empty),
        cmocka_unit_test(test_lists_are_in_order),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
