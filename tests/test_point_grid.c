/* The grid over fixed points against a walk over all of them. */
#include "geometry/point_grid.h"
#include "geometry_fixture.h"

static int64_t cell_of(double x, double cell) { return (int64_t)floor(x / cell); }

/* By cell along x, y and z, then by index: the order a walk promises. */
static int compare_visits(const bl_vec3d *x, double cell, size_t i, size_t j) {
    const int64_t a[3] = {cell_of(x[i].x, cell), cell_of(x[i].y, cell), cell_of(x[i].z, cell)};
    const int64_t b[3] = {cell_of(x[j].x, cell), cell_of(x[j].y, cell), cell_of(x[j].z, cell)};
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* Every point within `radius` once, in that order. */
static void check_walk(const bl_point_grid *grid, const bl_vec3d *x, size_t count, double cell, bl_vec3d at,
                       double radius) {
    size_t near = 0, visited = 0, last = SIZE_MAX;
    for (size_t i = 0; i < count; i++) near += bl_v3d_norm(bl_v3d_sub(x[i], at)) <= radius;
    bl_grid_walk walk = bl_grid_walk_begin(grid, at, radius);
    const bl_grid_item *item;
    while ((item = bl_grid_walk_next(&walk))) {
        assert_memory_equal(&item->x, &x[item->index], sizeof item->x);
        if (last != SIZE_MAX) assert_int_equal(compare_visits(x, cell, last, item->index), -1);
        visited += bl_v3d_norm(bl_v3d_sub(item->x, at)) <= radius;
        last = item->index;
    }
    assert_int_equal(visited, near);
    assert_null(bl_grid_walk_next(&walk));
}

static void test_walks_match_brute_force(void **state) {
    (void)state;
    enum { N = 3000 };
    bl_context *ctx = make_context(1);
    static bl_vec3d x[N];
    for (int sparse = 0; sparse < 2; sparse++) {
        const double size = sparse ? 400 : 8, cell = 0.5;
        for (size_t i = 0; i < N; i++)
            x[i] = v3(size * (bl_rng_uniform(1, 0, 3 * i) - 0.5), size * (bl_rng_uniform(1, 0, 3 * i + 1) - 0.5),
                      sparse ? 0 : size * (bl_rng_uniform(1, 0, 3 * i + 2) - 0.5));
        bl_point_grid grid;
        assert_int_equal(bl_point_grid_build(ctx, x, N, cell, &grid), BL_OK);
        for (size_t k = 0; k < 300; k++) check_walk(&grid, x, N, cell, x[k], 0.05 + 3 * bl_rng_uniform(2, 0, k));
        check_walk(&grid, x, N, cell, v3(0, 0, 0), 0);
        bl_point_grid_clear(&grid);
    }
    bl_context_destroy(ctx);
}

/* Many blocks, many points in one of them, and chunks whose points are all over the place. */
static void test_threads_do_not_matter(void **state) {
    (void)state;
    enum { N = 50000, CROWD = 300 };
    bl_vec3d *x = malloc(N * sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < N; i++)
        x[i] = i % (N / CROWD) == 0 ? v3(0.1, 0.1, 0.1)
                                    : v3(40 * bl_rng_uniform(3, 0, 3 * i), 40 * bl_rng_uniform(3, 0, 3 * i + 1),
                                         8 * bl_rng_uniform(3, 0, 3 * i + 2));
    uint64_t expected = 0;
    for (int threads = 1; threads <= 5; threads += 2) {
        bl_context *ctx = make_context(threads);
        bl_point_grid grid;
        assert_int_equal(bl_point_grid_build(ctx, x, N, 0.5, &grid), BL_OK);
        uint64_t hash = bl_hash(BL_HASH_START, grid.items, N * sizeof *grid.items);
        if (threads == 1) expected = hash;
        assert_true(hash == expected);
        bl_point_grid_clear(&grid);
        bl_context_destroy(ctx);
    }
    free(x);
}

static void test_odd_points(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_point_grid grid;
    assert_int_equal(bl_point_grid_build(ctx, NULL, 0, 1, &grid), BL_OK);
    bl_grid_walk none = bl_grid_walk_begin(&grid, v3(0, 0, 0), 3);
    assert_null(bl_grid_walk_next(&none));
    bl_point_grid_clear(&grid);

    /* At the same place, side by side across the origin, and too far away for a cell of their own. */
    const bl_vec3d x[] = {{0, 0, 0}, {-1e-9, 0, 0}, {0, 0, 0}, {1e30, 0, 0}, {-1e30, 1e30, 0}};
    const size_t count = sizeof x / sizeof *x;
    assert_int_equal(bl_point_grid_build(ctx, x, count, 0.25, &grid), BL_OK);
    for (int visit = 0; visit < 2; visit++) {
        size_t seen = 0;
        bl_grid_walk walk = bl_grid_walk_begin(&grid, visit ? v3(1e30, 0, 0) : v3(0, 0, 0), 0.1);
        const bl_grid_item *item;
        while ((item = bl_grid_walk_next(&walk))) seen |= (size_t)1 << item->index;
        assert_int_equal(seen & (visit ? 8 : 7), visit ? 8 : 7);
    }
    bl_point_grid_clear(&grid);
    bl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks_match_brute_force),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_odd_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
