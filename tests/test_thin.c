/* Thinning against asking the points one after the other, for any number of threads. */
#include "base/rng.h"
#include "geometry_fixture.h"

enum { N = 6000, BEGIN = 500 };

typedef struct cloud {
    bl_vec3d x[N];
    uint64_t priority[N - BEGIN];
    bool keep[N - BEGIN], expected[N - BEGIN];
} cloud;

/* Points of a box so full that most have to go. */
static void scatter(cloud *c) {
    for (size_t i = 0; i < N; i++)
        c->x[i] = v3(6 * bl_rng_uniform(1, 0, 3 * i), 6 * bl_rng_uniform(1, 0, 3 * i + 1),
                     6 * bl_rng_uniform(1, 0, 3 * i + 2));
    for (size_t k = 0; k < N - BEGIN; k++) c->priority[k] = bl_rng_u64(2, 0, k) % 1000; /* some are the same */
}

/* The point that is asked next, N if there is none left. */
static size_t next_point(const uint64_t *priority, const bool *asked) {
    size_t next = N;
    for (size_t i = BEGIN; i < N; i++) {
        if (asked[i]) continue;
        if (next == N || (priority && priority[i - BEGIN] > priority[next - BEGIN])) next = i;
        if (!priority) break;
    }
    return next;
}

static void ask_one_after_the_other(cloud *c, const uint64_t *priority, double distance) {
    static bool asked[N];
    memset(asked, 0, sizeof asked);
    memset(c->expected, 0, sizeof c->expected);
    for (size_t i; (i = next_point(priority, asked)) < N;) {
        bool room = true;
        for (size_t j = 0; j < N && room; j++)
            if (j < BEGIN || c->expected[j - BEGIN])
                room = bl_v3d_norm2(bl_v3d_sub(c->x[i], c->x[j])) >= distance * distance;
        c->expected[i - BEGIN] = room;
        asked[i] = true;
    }
}

static void test_as_one_after_the_other(void **state) {
    (void)state;
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    scatter(c);
    for (int by_priority = 0; by_priority < 2; by_priority++) {
        const uint64_t *priority = by_priority ? c->priority : NULL;
        ask_one_after_the_other(c, priority, 0.5);
        for (int threads = 1; threads <= 5; threads += 2) {
            bl_context *ctx = make_context(threads);
            assert_int_equal(bl_points_thin(ctx, c->x, N, BEGIN, 0.5, priority, c->keep), BL_OK);
            assert_memory_equal(c->keep, c->expected, sizeof c->keep);
            bl_context_destroy(ctx);
        }
    }
    free(c);
}

/* Each point of a line hangs on the one before it: every second one stays, however the line is cut into pieces. */
static void test_long_chains(void **state) {
    (void)state;
    enum { LENGTH = 40000 };
    bl_vec3d *x = malloc(LENGTH * sizeof *x);
    bool *keep = malloc(LENGTH * sizeof *keep);
    assert_true(x && keep);
    for (size_t i = 0; i < LENGTH; i++) x[i] = v3(0.6 * (double)i, 0, 0);
    for (int threads = 1; threads <= 5; threads += 2) {
        bl_context *ctx = make_context(threads);
        assert_int_equal(bl_points_thin(ctx, x, LENGTH, 0, 1, NULL, keep), BL_OK);
        for (size_t i = 0; i < LENGTH; i++) assert_int_equal(keep[i], i % 2 == 0);
        bl_context_destroy(ctx);
    }
    free(x);
    free(keep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_one_after_the_other),
        cmocka_unit_test(test_long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
