/* Neighbour lists against brute force: every kind of set, 2D and 3D, open and periodic. */
/* also: double */
#include "base/hash.h"
#include "base/rng.h"
#include "neighbours/neighbours.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Lengths in units of h: near radius 2, far radius 3. */
static bl_search_def open_def(int dimension) {
    return (bl_search_def){.dimension = dimension, .near_radius = 2, .far_radius = 3};
}

static bl_search_def periodic_def(int dimension, int directions, double length) {
    bl_search_def def = open_def(dimension);
    for (int a = 0; a < 3; a++) def.periodic[a] = directions >> a & 1;
    def.min = bl_v3d_make(-1, 0.5, 2);
    def.max = bl_v3d_make(-1 + length, 0.5 + length, 2 + length);
    return def;
}

static bl_context *make_context(int threads) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx;
    def.threads = threads;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    return ctx;
}

enum { MAX_COUNT = 4000 };
typedef struct points {
    bl_vec3 x[MAX_COUNT];
    size_t count;
} points;

static void add_point(points *p, double x, double y, double z) {
    assert_true(p->count < MAX_COUNT);
    p->x[p->count++] = bl_v3_make((real)x, (real)y, (real)z);
}

static double uniform(uint64_t seed, size_t i, int axis) { return bl_rng_uniform(seed, i, (uint64_t)axis); }

static void add_random(points *p, size_t n, uint64_t seed, bl_vec3d low, double edge, int dimension) {
    for (size_t i = 0; i < n; i++)
        add_point(p, low.x + edge * uniform(seed, i, 0), low.y + edge * uniform(seed, i, 1),
                  dimension == 3 ? low.z + edge * uniform(seed, i, 2) : 0);
}

static void add_lattice(points *p, int n, double spacing, int dimension) {
    for (int k = 0; k < (dimension == 3 ? n : 1); k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) add_point(p, i * spacing, j * spacing, k * spacing);
}

static int compare_index(const void *a, const void *b) {
    bl_index i = *(const bl_index *)a, j = *(const bl_index *)b;
    return i < j ? -1 : i > j;
}

/* What the list should hold for i: near neighbours ascending, then the others ascending. */
static void brute_row(const bl_search_def *def, bl_vec3 x, const points *other, size_t skip, bl_index *row,
                      size_t *n_near, size_t *n_all) {
    bl_period period = bl_search_period(def);
    real near = (real)def->near_radius, far = (real)def->far_radius;
    *n_all = 0;
    for (int part = 0; part < 2; part++) {
        for (size_t j = 0; j < other->count; j++) {
            bl_vec3 d = bl_difference(x, other->x[j], period);
            if (def->dimension == 2) d.z = 0;
            real r2 = bl_v3_norm2(d);
            if (j != skip && (part == 0 ? r2 < near * near : r2 >= near * near && r2 < far * far))
                row[(*n_all)++] = (bl_index)j;
        }
        if (part == 0) *n_near = *n_all;
    }
}

static void check_list(const bl_search_def *def, bl_list list, const points *home, const points *other) {
    static bl_index expected[MAX_COUNT], found[MAX_COUNT];
    for (size_t i = 0; i < home->count; i++) {
        size_t n_near = 0, n_all = 0;
        brute_row(def, home->x[i], other, home == other ? i : SIZE_MAX, expected, &n_near, &n_all);
        assert_int_equal(list.near[i], n_near);
        assert_int_equal(list.all[i], n_all);
        for (bl_index k = 0; k < n_all; k++) found[k] = bl_neighbour(&list, (bl_index)i, k);
        qsort(found, n_near, sizeof *found, compare_index);
        qsort(found + n_near, n_all - n_near, sizeof *found, compare_index);
        assert_memory_equal(found, expected, n_all * sizeof *found);
    }
}

static void check_active(const bl_neighbours *nb, size_t n_boundary) {
    size_t n_active, n = 0;
    const bl_index *active = bl_neighbours_active_boundary(nb, &n_active);
    bl_list bf = bl_neighbours_bf(nb);
    for (size_t b = 0; b < n_boundary; b++) {
        if (bf.all[b] == 0) continue;
        assert_true(n < n_active);
        assert_int_equal(active[n++], b);
    }
    assert_int_equal(n, n_active);
}

static bl_positions positions_of(const points *p) { return (bl_positions){p->x, p->count}; }

static void check_sets(const bl_search_def *def, const points *fluid, const points *boundary) {
    bl_context *ctx = make_context(2);
    bl_neighbours *nb;
    assert_int_equal(bl_neighbours_create(ctx, def, &nb), BL_OK);
    size_t bytes = 0;
    assert_int_equal(bl_neighbours_measure_boundary(nb, positions_of(boundary), &bytes), BL_OK);
    size_t before = bl_neighbours_memory(nb);
    assert_int_equal(bl_neighbours_build_boundary(nb, positions_of(boundary)), BL_OK);
    assert_int_equal(bl_neighbours_memory(nb), before + bytes);
    assert_int_equal(bl_neighbours_build(nb, positions_of(fluid), positions_of(boundary)), BL_OK);
    check_list(def, bl_neighbours_ff(nb), fluid, fluid);
    check_list(def, bl_neighbours_fb(nb), fluid, boundary);
    check_list(def, bl_neighbours_bf(nb), boundary, fluid);
    check_list(def, bl_neighbours_bb(nb), boundary, boundary);
    check_active(nb, boundary->count);
    bl_neighbours_destroy(nb);
    bl_context_destroy(ctx);
}

static points *new_points(void) {
    points *p = calloc(1, sizeof *p);
    assert_non_null(p);
    return p;
}

static void test_random(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        points *fluid = new_points(), *boundary = new_points();
        bl_search_def def = open_def(dimension);
        add_random(fluid, 1500, 1, bl_v3d_make(-7, -3, 1), dimension == 3 ? 13 : 40, dimension);
        add_random(boundary, 900, 2, bl_v3d_make(-2, -5, 0), dimension == 3 ? 14 : 50, dimension);
        check_sets(&def, fluid, boundary);
        free(fluid);
        free(boundary);
    }
}

/* Distances exactly at the radii: strictly less counts. */
static void test_lattice(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        points *fluid = new_points(), *boundary = new_points();
        bl_search_def def = open_def(dimension);
        add_lattice(fluid, dimension == 3 ? 11 : 40, 1, dimension);
        add_lattice(boundary, dimension == 3 ? 9 : 30, 0.75, dimension);
        check_sets(&def, fluid, boundary);
        free(fluid);
        free(boundary);
    }
}

static void test_lattice_counts(void **state) {
    (void)state;
    points *fluid = new_points();
    bl_search_def def = open_def(3);
    bl_context *ctx = make_context(1);
    bl_neighbours *nb;
    add_lattice(fluid, 9, 1, 3);
    assert_int_equal(bl_neighbours_create(ctx, &def, &nb), BL_OK);
    assert_int_equal(bl_neighbours_build(nb, positions_of(fluid), (bl_positions){0}), BL_OK);
    bl_index centre = 4 + 9 * (4 + 9 * 4);
    assert_int_equal(bl_neighbours_ff(nb).near[centre], 26); /* 6 + 12 + 8, not the 6 at distance 2 */
    assert_int_equal(bl_neighbours_ff(nb).all[centre], 92);  /* ... + 6 + 24 + 24 + 12, not the 30 at 3 */
    bl_neighbours_destroy(nb);
    bl_context_destroy(ctx);
    free(fluid);
}

static void test_clustered(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        points *fluid = new_points(), *boundary = new_points();
        bl_search_def def = open_def(dimension);
        for (uint64_t c = 0; c < 12; c++) {
            bl_vec3d centre = {90 * uniform(5, c, 0), 90 * uniform(5, c, 1), 90 * uniform(5, c, 2)};
            add_random(fluid, 100, 10 + c, centre, 0.5 + (double)c, dimension);
            add_random(boundary, 60, 30 + c, centre, 3, dimension);
        }
        check_sets(&def, fluid, boundary);
        free(fluid);
        free(boundary);
    }
}

static void test_degenerate(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        points *fluid = new_points(), *boundary = new_points();
        bl_search_def def = open_def(dimension);
        check_sets(&def, fluid, boundary); /* empty */
        add_point(boundary, 1, 2, 0);
        check_sets(&def, fluid, boundary); /* no fluid */
        add_point(fluid, 1, 2, 0);
        check_sets(&def, fluid, boundary); /* single ones, at one place */
        for (int i = 1; i < 300; i++) add_point(fluid, 1, 2, 0);
        check_sets(&def, fluid, boundary); /* all at one place */
        for (int i = 0; i < 1500; i++) add_point(boundary, 1.5, 2, 0);
        check_sets(&def, fluid, boundary); /* more than a tile holds */
        fluid->count = boundary->count = 0;
        for (int i = 0; i < 500; i++) {
            add_point(fluid, 0.25 * i, 0, 0);
            add_point(boundary, 10, 0.125 * i, 0);
        }
        check_sets(&def, fluid, boundary); /* collinear */
        free(fluid);
        free(boundary);
    }
}

static void test_far_away(void **state) {
    (void)state;
    static const double far[] = {1e6, -1e6, 3e6, -4e7, 1e12, -1e30, 3e38};
    for (int dimension = 2; dimension <= 3; dimension++) {
        points *fluid = new_points(), *boundary = new_points();
        bl_search_def def = open_def(dimension);
        add_random(fluid, 800, 3, bl_v3d_make(0, 0, 0), 9, dimension);
        add_random(boundary, 400, 4, bl_v3d_make(0, 0, 0), 9, dimension);
        for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
            add_point(fluid, far[k], 0, 0);
            add_point(fluid, far[k], 1, 0);
            add_point(fluid, 1, far[k], 0);
            add_point(boundary, far[k], far[k], 0);
            add_point(boundary, 0, 0, dimension == 3 ? far[k] : 0);
        }
        check_sets(&def, fluid, boundary);
        free(fluid);
        free(boundary);
    }
}

static void test_not_finite(void **state) {
    (void)state;
    points *fluid = new_points(), *boundary = new_points();
    bl_search_def def = open_def(3);
    add_random(fluid, 300, 3, bl_v3d_make(0, 0, 0), 6, 3);
    add_random(boundary, 200, 4, bl_v3d_make(0, 0, 0), 6, 3);
    for (size_t i = 0; i < 200; i += 7) {
        fluid->x[i].x = (real)NAN;
        fluid->x[i + 1].y = (real)INFINITY;
        fluid->x[i + 2].z = -(real)INFINITY;
        boundary->x[i].z = (real)NAN;
    }
    check_sets(&def, fluid, boundary);
    for (size_t i = 0; i < fluid->count; i++) fluid->x[i] = bl_v3_make((real)NAN, (real)NAN, (real)NAN);
    check_sets(&def, fluid, boundary);
    free(fluid);
    free(boundary);
}

static void test_flat_ignores_z(void **state) {
    (void)state;
    points *fluid = new_points(), *boundary = new_points();
    bl_search_def def = open_def(2);
    add_random(fluid, 300, 3, bl_v3d_make(0, 0, -50), 20, 3);
    fluid->x[17].z = (real)NAN;
    check_sets(&def, fluid, boundary);
    free(fluid);
    free(boundary);
}

/* Periods from the least allowed one on, in every combination of directions. */
static void test_periodic(void **state) {
    (void)state;
    static const double lengths[] = {6, 6.5, 7.5, 9.1, 16};
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (int directions = 1; directions < 1 << dimension; directions++) {
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                points *fluid = new_points(), *boundary = new_points();
                bl_search_def def = periodic_def(dimension, directions, lengths[l]);
                add_random(fluid, 500, 100 + l, def.min, lengths[l], dimension);
                add_random(boundary, 300, 200 + l, def.min, lengths[l] + 2, dimension); /* some just outside */
                fluid->x[0] = bl_v3_from_d(def.min);
                fluid->x[1] = bl_v3_from_d(def.max);
                check_sets(&def, fluid, boundary);
                free(fluid);
                free(boundary);
            }
        }
    }
}

/* A little fluid anywhere along walls that go on: those far from it are left out, those near it never. */
static void test_walls_far_from_the_fluid(void **state) {
    (void)state;
    for (uint64_t k = 0; k < 48; k++) {
        int dimension = k % 2 ? 3 : 2, directions = (int)(k / 2 % 8) & ((1 << dimension) - 1);
        double length = 37 + (double)k / 7;
        points *fluid = new_points(), *boundary = new_points();
        bl_search_def def = periodic_def(dimension, directions, length);
        for (uint64_t c = 0; c < 2; c++) {
            bl_vec3d offset = {length * uniform(7 + k, c, 0), length * uniform(7 + k, c, 1), 0};
            add_random(fluid, 15, 300 + 2 * k + c, bl_v3d_add(def.min, offset), 2, dimension);
        }
        for (size_t i = 0; i < 1200; i++)
            add_point(boundary, def.min.x + length * uniform(400 + k, i, 0),
                      def.min.y + length * uniform(400 + k, i, 1),
                      dimension == 3 ? def.min.z + 4 * uniform(400 + k, i, 2) : 0);
        check_sets(&def, fluid, boundary);
        free(fluid);
        free(boundary);
    }
}

static void test_periodic_lattice(void **state) {
    (void)state;
    points *fluid = new_points(), *boundary = new_points();
    bl_search_def def = periodic_def(3, 7, 10);
    add_lattice(fluid, 10, 1, 3);
    check_sets(&def, fluid, boundary);
    bl_context *ctx = make_context(2);
    bl_neighbours *nb;
    assert_int_equal(bl_neighbours_create(ctx, &def, &nb), BL_OK);
    assert_int_equal(bl_neighbours_build(nb, positions_of(fluid), (bl_positions){0}), BL_OK);
    for (size_t i = 0; i < fluid->count; i++) {
        assert_int_equal(bl_neighbours_ff(nb).near[i], 26);
        assert_int_equal(bl_neighbours_ff(nb).all[i], 92);
    }
    bl_neighbours_destroy(nb);
    bl_context_destroy(ctx);
    free(fluid);
    free(boundary);
}

static void expect_refused(const bl_search_def *def, const char *mention) {
    bl_context *ctx = make_context(1);
    bl_neighbours *nb;
    assert_int_equal(bl_neighbours_create(ctx, def, &nb), BL_ERR_DATA);
    assert_null(nb);
    assert_non_null(strstr(bl_context_error(ctx), mention));
    bl_context_destroy(ctx);
}

static void test_bad_definitions(void **state) {
    (void)state;
    bl_search_def def = periodic_def(3, 2, 5.9);
    expect_refused(&def, "period along y is 5.9 m, expected at least 6 m");
    def = open_def(4);
    expect_refused(&def, "dimension is 4");
    def = open_def(3);
    def.near_radius = 0;
    expect_refused(&def, "radii");
    def.near_radius = 4;
    expect_refused(&def, "radii");
    def.near_radius = (double)NAN;
    expect_refused(&def, "radii");
}

static uint64_t hash_list(bl_list list, size_t count) {
    uint64_t hash = bl_hash(BL_HASH_START, list.near, count * sizeof *list.near);
    hash = bl_hash(hash, list.all, count * sizeof *list.all);
    hash = bl_hash(hash, list.start, count * sizeof *list.start);
    for (size_t i = 0; i < count; i++)
        hash = bl_hash(hash, list.index + list.start[i], list.all[i] * sizeof *list.index);
    return hash;
}

static uint64_t hash_of_build(int threads, const bl_search_def *def, const points *fluid, const points *boundary) {
    bl_context *ctx = make_context(threads);
    bl_neighbours *nb;
    assert_int_equal(bl_neighbours_create(ctx, def, &nb), BL_OK);
    assert_int_equal(bl_neighbours_build(nb, positions_of(fluid), positions_of(boundary)), BL_OK);
    uint64_t hash = hash_list(bl_neighbours_ff(nb), fluid->count) * 3 +
                    hash_list(bl_neighbours_fb(nb), fluid->count) * 5 +
                    hash_list(bl_neighbours_bf(nb), boundary->count) * 7;
    bl_neighbours_destroy(nb);
    bl_context_destroy(ctx);
    return hash;
}

/* Row order included. */
static void test_threads(void **state) {
    (void)state;
    static const int threads[] = {2, 3, 7};
    points *fluid = new_points(), *boundary = new_points();
    add_random(fluid, 4000, 1, bl_v3d_make(0, 0, 0), 16, 3);
    add_random(boundary, 3000, 2, bl_v3d_make(-8, 0, 0), 16, 3);
    for (int directions = 0; directions <= 1; directions++) {
        bl_search_def def = periodic_def(3, directions, 16);
        uint64_t expected = hash_of_build(1, &def, fluid, boundary);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++)
            assert_int_equal(hash_of_build(threads[t], &def, fluid, boundary), expected);
        fluid->x[5].y += 1; /* the hash sees a single particle */
        assert_int_not_equal(hash_of_build(1, &def, fluid, boundary), expected);
    }
    free(fluid);
    free(boundary);
}

static void test_no_allocation_when_warm(void **state) {
    (void)state;
    points *fluid = new_points(), *boundary = new_points();
    bl_search_def def = open_def(3);
    bl_context *ctx = make_context(2);
    bl_neighbours *nb;
    add_random(fluid, 3000, 1, bl_v3d_make(0, 0, 0), 16, 3);
    add_random(boundary, 2000, 2, bl_v3d_make(0, 0, -8), 16, 3);
    assert_int_equal(bl_neighbours_create(ctx, &def, &nb), BL_OK);
    uint64_t before = 0;
    for (int step = 0; step < 8; step++) {
        assert_int_equal(bl_neighbours_build(nb, positions_of(fluid), positions_of(boundary)), BL_OK);
        assert_int_equal(bl_neighbours_build_boundary(nb, positions_of(boundary)), BL_OK);
        if (step == 1) before = bl_alloc_count(ctx);
        for (size_t i = 0; i < fluid->count; i++) fluid->x[i].z -= (real)0.001;
    }
    assert_int_equal(bl_alloc_count(ctx), before);
    assert_true(bl_neighbours_memory(nb) > fluid->count * sizeof(bl_vec3));
    bl_neighbours_destroy(nb);
    bl_context_destroy(ctx);
    free(fluid);
    free(boundary);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),           cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_lattice_counts),   cmocka_unit_test(test_clustered),
        cmocka_unit_test(test_degenerate),       cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_not_finite),       cmocka_unit_test(test_flat_ignores_z),
        cmocka_unit_test(test_periodic),         cmocka_unit_test(test_walls_far_from_the_fluid),
        cmocka_unit_test(test_periodic_lattice), cmocka_unit_test(test_bad_definitions),
        cmocka_unit_test(test_threads),          cmocka_unit_test(test_no_allocation_when_warm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
