/* Signed distances: against closed formulas, against brute force, against |grad d| = 1; frames, combinations, bounds.
 */
#include "geometry_fixture.h"

#include "geometry/tessellate.h"

typedef struct known {
    bl_shape shape;
    bl_vec3d x;
    double distance;
} known;

static void test_known_distances(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    const bl_shape box = make_box(v3(-1, -2, -3), v3(1, 2, 3)), ball = make_sphere(v3(1, 0, 0), 2);
    const bl_shape egg = make_shape(BL_SHAPE_ELLIPSOID, v3(0, 0, 0), v3(3, 2, 1), 0, 0);
    const bl_shape can = make_shape(BL_SHAPE_CYLINDER, v3(0, 0, 0), v3(0, 0, 4), 1, 0);
    const bl_shape pill = make_shape(BL_SHAPE_CAPSULE, v3(0, 0, 0), v3(0, 0, 4), 1, 0);
    const bl_shape ring = make_shape(BL_SHAPE_TORUS, v3(0, 0, 0), v3(0, 0, 5), 2, 0.5);
    const bl_shape sheet = make_shape(BL_SHAPE_PLANE, v3(0, 0, 1), v3(0, 0, 2), 0, 0);
    const bl_shape square = make_shape(BL_SHAPE_PLANE, v3(0, 0, 1), v3(0, 0, 2), 2, 0);
    const bl_shape ground = make_shape(BL_SHAPE_HALF_SPACE, v3(0, 0, 1), v3(0, 0, 2), 0, 0);
    const known cases[] = {
        {box, {0, 0, 0}, -1},    {box, {1.5, 0, 0}, 0.5},    {box, {2, 3, 4}, sqrt(3)}, {box, {0.75, 1.5, 0}, -0.25},
        {ball, {1, 0, 0}, -2},   {ball, {5, 3, 0}, 3},       {egg, {0, 0, 0}, -1},      {egg, {5, 0, 0}, 2},
        {egg, {0, -4, 0}, 2},    {egg, {0, 0, 0.25}, -0.75}, {can, {0, 0, 2}, -1},      {can, {0, 0, 0.25}, -0.25},
        {can, {4, 0, 8}, 5},     {pill, {0, 0, -1}, 0},      {pill, {3, 0, 8}, 4},      {pill, {0.5, 0, 3}, -0.5},
        {ring, {2, 0, 0}, -0.5}, {ring, {0, 0, 0}, 1.5},     {ring, {0, 5, 4}, 4.5},    {sheet, {9, 9, -1}, 2},
        {square, {4, 1, 5}, 5},  {ground, {7, 7, 3}, 2},     {ground, {7, 7, -3}, -4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bl_solid *solid = make_solid(ctx, &cases[i].shape, 3);
        double d = bl_solid_distance(solid, cases[i].x);
        if (fabs(d - cases[i].distance) > 1e-9) fail_msg("case %zu: %g, expected %g", i, d, cases[i].distance);
        assert_int_equal(bl_solid_inside(solid, cases[i].x), cases[i].distance < 0);
        bl_solid_destroy(ctx, solid);
    }
    bl_context_destroy(ctx);
}

static void test_plane_shapes(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    /* Every z is nonsense on purpose: it must not count. */
    const bl_shape box = make_box(v3(-1, -2, 5), v3(1, 2, 6)), disc = make_sphere(v3(1, 0, 7), 2);
    const bl_shape egg = make_shape(BL_SHAPE_ELLIPSOID, v3(0, 0, 3), v3(3, 2, 0.1), 0, 0);
    const bl_shape bar = make_shape(BL_SHAPE_CYLINDER, v3(0, 0, 1), v3(4, 0, 9), 1, 0);
    const bl_shape rod = make_shape(BL_SHAPE_CYLINDER, v3(0, 0, 1), v3(0, 0, 9), 1, 0);
    const bl_shape ring = make_shape(BL_SHAPE_TORUS, v3(0, 0, 4), v3(1, 0, 0), 2, 0.5);
    const known cases[] = {{box, {0, 0, 0}, -1},  {box, {1.5, 0, 3}, 0.5},  {disc, {1, 0, 0}, -2},
                           {egg, {0, 0, 0}, -2},  {egg, {0, 1.5, 0}, -0.5}, {bar, {2, 0, 0}, -1},
                           {bar, {7, 5, 0}, 5},   {rod, {0, 3, 0}, 2},      {ring, {0, 2, 0}, -0.5},
                           {ring, {0, 0, 0}, 1.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bl_solid *solid = make_solid(ctx, &cases[i].shape, 2);
        double d = bl_solid_distance(solid, cases[i].x);
        if (fabs(d - cases[i].distance) > 1e-9) fail_msg("case %zu: %g, expected %g", i, d, cases[i].distance);
        bl_solid_destroy(ctx, solid);
    }
    bl_context_destroy(ctx);
}

static bl_shape turned(bl_shape shape) {
    shape.scale = v3(1.5, 1.5, 1.5);
    shape.rotate = v3(0.3, -0.5, 0.8);
    shape.translate = v3(0.2, 0.1, -0.3);
    return shape;
}

/* A bounded shape of each kind, of a size around 1. */
static int all_shapes(bl_shape shapes[6]) {
    shapes[0] = make_box(v3(-0.5, -0.4, -0.3), v3(0.6, 0.5, 0.8));
    shapes[1] = make_sphere(v3(0.1, 0.2, 0.3), 0.7);
    shapes[2] = make_shape(BL_SHAPE_ELLIPSOID, v3(0, 0.1, 0), v3(1, 0.6, 0.35), 0, 0);
    shapes[3] = make_shape(BL_SHAPE_CYLINDER, v3(-0.3, 0, -0.5), v3(0.4, 0.2, 0.6), 0.4, 0);
    shapes[4] = make_shape(BL_SHAPE_CAPSULE, v3(-0.3, 0, -0.5), v3(0.4, 0.2, 0.6), 0.4, 0);
    shapes[5] = make_shape(BL_SHAPE_TORUS, v3(0, 0, 0.1), v3(0.2, 0.3, 1), 0.8, 0.25);
    return 6;
}

static void test_gradient_is_one(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_shape shapes[6];
    int n = all_shapes(shapes);
    for (int s = 0; s < n; s++) {
        bl_shape shape = turned(shapes[s]);
        bl_solid *solid = make_solid(ctx, &shape, 3);
        int off = 0;
        for (uint64_t k = 0; k < 2000; k++) {
            bl_vec3d x = draw_point(k, 2);
            double e = 1e-5, g[3];
            const bl_vec3d step[3] = {{e, 0, 0}, {0, e, 0}, {0, 0, e}};
            for (int c = 0; c < 3; c++)
                g[c] = (bl_solid_distance(solid, bl_v3d_add(x, step[c])) -
                        bl_solid_distance(solid, bl_v3d_sub(x, step[c]))) /
                       (2 * e);
            off += fabs(sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) - 1) > 1e-4;
        }
        /* Only points within 1e-5 of the medial axis may be off. */
        assert_in_range(off, 0, 5);
        bl_solid_destroy(ctx, solid);
    }
    bl_context_destroy(ctx);
}

/* The distance formulas and the tessellations know nothing of each other. */
static void test_distance_matches_tessellation(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_shape shapes[6];
    int n = all_shapes(shapes);
    for (int s = 0; s < n; s++) {
        bl_shape shape = turned(shapes[s]);
        bl_solid *solid = make_solid(ctx, &shape, 3);
        bl_mesh *mesh = NULL;
        bl_bvh *bvh = NULL;
        assert_int_equal(bl_tessellate(ctx, solid, 0.1, &mesh), BL_OK);
        assert_true(mesh->watertight);
        assert_int_equal(bl_bvh_create(ctx, mesh, &bvh), BL_OK);
        for (uint64_t k = 0; k < 500; k++) {
            bl_vec3d x = draw_point(k, 2);
            double d = bl_solid_distance(solid, x), near = bl_bvh_closest(bvh, x, INFINITY).distance;
            if (fabs(near - fabs(d)) > 1e-3) fail_msg("shape %d: %g by formula, %g by mesh", s, d, near);
            if (fabs(d) > 1e-3) assert_int_equal(bl_bvh_winding(bvh, x) > 0.5, d < 0);
        }
        bl_bvh_destroy(bvh);
        bl_mesh_destroy(mesh);
        bl_solid_destroy(ctx, solid);
    }
    bl_context_destroy(ctx);
}

static void test_uneven_scale(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_shape ball = make_sphere(v3(1, 0, 0), 1), ring = make_shape(BL_SHAPE_TORUS, v3(0, 0, 0), v3(0, 0, 1), 2, 0.5);
    ball.scale = v3(3, 2, -1);
    ring.scale = v3(2, 1, 1);
    bl_solid *egg = make_solid(ctx, &ball, 3), *oval = make_solid(ctx, &ring, 3);
    assert_close(bl_solid_distance(egg, v3(3, 0, 0)), -1, 1e-9);
    assert_close(bl_solid_distance(egg, v3(8, 0, 0)), 2, 1e-9);
    /* Not exact for the stretched ring, but never too large: x = 2 * 2.5 is its outermost point. */
    assert_close(bl_solid_distance(oval, v3(5, 0, 0)), 0, 1e-9);
    double d = bl_solid_distance(oval, v3(6, 0, 0));
    assert_true(d > 0.4 && d <= 1);
    bl_solid_destroy(ctx, egg);
    bl_solid_destroy(ctx, oval);
    bl_context_destroy(ctx);
}

static void test_combinations(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_shape pair[2] = {make_sphere(v3(0, 0, 0), 1), make_sphere(v3(1, 0, 0), 1)};
    bl_shape both = make_combination(BL_SHAPE_UNION, pair, 2), lens = make_combination(BL_SHAPE_INTERSECTION, pair, 2);
    bl_shape moon = make_combination(BL_SHAPE_DIFFERENCE, pair, 2);
    moon.translate = v3(0, 0, 5);
    bl_solid *u = make_solid(ctx, &both, 3), *i = make_solid(ctx, &lens, 3), *m = make_solid(ctx, &moon, 3);
    assert_close(bl_solid_distance(u, v3(4, 0, 0)), 2, 1e-12);
    assert_close(bl_solid_distance(i, v3(0.5, 0, 0)), -0.5, 1e-12);
    assert_true(bl_solid_inside(m, v3(-0.5, 0, 5)));
    assert_false(bl_solid_inside(m, v3(0.5, 0, 5)));
    assert_false(bl_solid_inside(m, v3(-0.5, 0, 0)));
    bl_box bu = bl_solid_bounds(u), bi = bl_solid_bounds(i), bm = bl_solid_bounds(m);
    assert_close(bu.min.x, -1, 1e-12);
    assert_close(bu.max.x, 2, 1e-12);
    assert_close(bi.min.x, 0, 1e-12);
    assert_close(bi.max.x, 1, 1e-12);
    assert_close(bm.max.z, 6, 1e-12);
    bl_solid_destroy(ctx, u);
    bl_solid_destroy(ctx, i);
    bl_solid_destroy(ctx, m);
    bl_context_destroy(ctx);
}

/* Balls, boxes, capsules; some turned, some scaled unevenly, whose distances their boxes do not bound. */
static bl_shape draw_shape(uint64_t k) {
    double u[8];
    for (uint64_t i = 0; i < 8; i++) u[i] = bl_rng_uniform(7, k, i);
    bl_vec3d at = v3(10 * u[0], 10 * u[1], 10 * u[2]);
    bl_shape shape = k % 3 == 0   ? make_sphere(at, 0.3 + u[3])
                     : k % 3 == 1 ? make_box(at, bl_v3d_add(at, v3(0.2 + u[3], 0.2 + u[4], 0.2 + u[5])))
                                  : make_shape(BL_SHAPE_CAPSULE, at, bl_v3d_add(at, v3(u[3], u[4], u[5])), 0.4, 0);
    if (k % 4 == 0) shape.rotate = v3(u[6], u[7], 0);
    if (k % 7 == 0) shape.scale = v3(1, 0.5 + u[6], 0.7);
    return shape;
}

/* Many parts are found by an index: the same numbers as from asking each. */
static void test_many_parts(void **state) {
    (void)state;
    enum { N = 60 };
    bl_context *ctx = make_context(1);
    bl_shape shapes[N];
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (uint64_t k = 0; k < N; k++) shapes[k] = draw_shape(k);
        shapes[0] = make_box(v3(-1, -1, -1), v3(9, 8, 7));
        bl_shape sum = make_combination(BL_SHAPE_UNION, shapes, N), rest = sum;
        rest.kind = BL_SHAPE_DIFFERENCE;
        bl_solid *u = make_solid(ctx, &sum, dimension), *d = make_solid(ctx, &rest, dimension);
        assert_true(u->index && d->index);
        for (uint64_t k = 0; k < 4000; k++) {
            bl_vec3d x = v3(13 * bl_rng_uniform(8, k, 0) - 2, 13 * bl_rng_uniform(8, k, 1) - 2,
                            13 * bl_rng_uniform(8, k, 2) - 2);
            double first = bl_solid_distance(&u->children[0], x), others = INFINITY;
            bool held = false;
            for (int i = 1; i < N; i++) {
                others = fmin(others, bl_solid_distance(&u->children[i], x));
                held = held || bl_solid_inside(&u->children[i], x);
            }
            bool in_first = bl_solid_inside(&u->children[0], x);
            assert_true(bl_solid_distance(u, x) == fmin(first, others));
            assert_true(bl_solid_distance(d, x) == fmax(first, -others));
            assert_int_equal(bl_solid_inside(u, x), in_first || held);
            assert_int_equal(bl_solid_inside(d, x), in_first && !held);
        }
        bl_solid_destroy(ctx, u);
        bl_solid_destroy(ctx, d);
    }
    bl_context_destroy(ctx);
}

/* Nothing inside lies outside the bounds, and the bounds are not much too large. */
static void test_bounds(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_shape shapes[6];
    int n = all_shapes(shapes);
    for (int s = 0; s < n; s++) {
        bl_solid *solid = make_solid(ctx, &shapes[s], 3);
        bl_box box = bl_solid_bounds(solid), seen = bl_box_empty();
        for (uint64_t k = 0; k < 200000; k++) {
            bl_vec3d x = draw_point(k, 1.5);
            if (bl_solid_inside(solid, x)) seen = bl_box_add(seen, x);
        }
        const double lo[3] = {seen.min.x - box.min.x, seen.min.y - box.min.y, seen.min.z - box.min.z};
        const double hi[3] = {box.max.x - seen.max.x, box.max.y - seen.max.y, box.max.z - seen.max.z};
        for (int c = 0; c < 3; c++) assert_true(lo[c] >= 0 && lo[c] < 0.1 && hi[c] >= 0 && hi[c] < 0.1);
        bl_solid_destroy(ctx, solid);
    }
    bl_shape ground = make_shape(BL_SHAPE_HALF_SPACE, v3(0, 0, 1), v3(0, 0, 1), 0, 0);
    bl_solid *solid = make_solid(ctx, &ground, 3);
    bl_box box = bl_solid_bounds(solid);
    assert_true(box.max.z == 1 && isinf(box.min.z) && isinf(box.max.x));
    bl_solid_destroy(ctx, solid);
    bl_context_destroy(ctx);
}

static void test_bad_shapes(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_shape flat = make_sphere(v3(0, 0, 0), 1), nowhere = make_shape(BL_SHAPE_PLANE, v3(0, 0, 0), v3(0, 0, 0), 0, 0);
    bl_shape lost = {.kind = BL_SHAPE_MESH, .scale = {1, 1, 1}, .file = (char *)"no/such/mesh.obj"};
    flat.scale.y = 0;
    flat.pos = (bl_pos){"scene.yaml", 4, 9};
    bl_solid *solid;
    assert_int_equal(bl_solid_create(ctx, &flat, 3, &solid), BL_ERR_DATA);
    assert_null(solid);
    assert_non_null(strstr(bl_context_error(ctx), "scene.yaml:4:9"));
    assert_int_equal(bl_solid_create(ctx, &nowhere, 3, &solid), BL_ERR_DATA);
    assert_int_equal(bl_solid_create(ctx, &lost, 3, &solid), BL_ERR_NO_INPUT);
    assert_non_null(strstr(bl_context_error(ctx), "no/such/mesh.obj"));
    bl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_distances), cmocka_unit_test(test_plane_shapes),
        cmocka_unit_test(test_gradient_is_one), cmocka_unit_test(test_distance_matches_tessellation),
        cmocka_unit_test(test_uneven_scale),    cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_many_parts),      cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bad_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
