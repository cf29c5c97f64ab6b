/* Filling: volumes, symmetry, spacing, distance from walls and other fluid, errors, threads. */
#include "geometry_fixture.h"

static void test_box_is_exact(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    bl_shape box = make_box(v3(0, 0, 0), v3(1, 0.5, 0.3));
    tiny_scene t;
    init_scene(&t, ctx, 3, 0.1, &box, NULL);
    bl_points p = fill(ctx, &t.scene, NULL);
    assert_int_equal(p.count, 10 * 5 * 3);
    bl_box bounds = bl_points_bounds(&p);
    assert_close(bounds.min.z, 0.05, 1e-12);
    assert_close(bounds.max.x, 0.95, 1e-12);
    assert_null(p.normal);
    assert_null(p.volume);
    bl_points_clear(ctx, &p);

    init_scene(&t, ctx, 2, 0.1, &box, NULL);
    p = fill(ctx, &t.scene, NULL);
    assert_int_equal(p.count, 10 * 5);
    assert_close(bl_points_bounds(&p).max.z, 0, 0);
    bl_points_clear(ctx, &p);
    bl_context_destroy(ctx);
}

static void test_sphere_volume(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    tiny_scene t;
    for (double r = 4; r <= 20; r += 0.25) {
        bl_shape ball = make_sphere(v3(0.3, 0.2, 0.1), r);
        init_scene(&t, ctx, 3, 1, &ball, NULL);
        bl_points p = fill(ctx, &t.scene, NULL);
        double error = (double)p.count / (4.0 / 3 * PI * r * r * r) - 1;
        if (fabs(error) > (r < 5 ? 0.06 : r < 8 ? 0.03 : r < 10 ? 0.02 : 0.01))
            fail_msg("radius %g h: volume off by %.2f %%", r, 100 * error);
        bl_points_clear(ctx, &p);
    }
    bl_context_destroy(ctx);
}

static void test_sphere_is_symmetric(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    bl_vec3d c = v3(0.3, 0.2, 0.1);
    bl_shape ball = make_sphere(c, 6.3);
    tiny_scene t;
    init_scene(&t, ctx, 3, 1, &ball, NULL);
    bl_points p = fill(ctx, &t.scene, NULL);
    for (size_t i = 0; i < p.count; i++) {
        bl_vec3d d = bl_v3d_sub(p.x[i], c);
        assert_true(nearest(&p, bl_v3d_sub(c, d), SIZE_MAX) < 1e-9);
        assert_true(nearest(&p, bl_v3d_add(c, v3(d.y, d.z, d.x)), SIZE_MAX) < 1e-9);
    }
    bl_points_clear(ctx, &p);
    bl_context_destroy(ctx);
}

static void test_hexagonal_density(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    tiny_scene t;
    bl_shape ball = make_sphere(v3(0, 0, 0), 12);
    init_scene(&t, ctx, 3, 1, &ball, NULL);
    t.volume.filling = BL_FILL_HEXAGONAL;
    bl_points p = fill(ctx, &t.scene, NULL);
    assert_true(fabs((double)p.count / (4.0 / 3 * PI * 12 * 12 * 12) - 1) < 0.01);
    /* In the middle each particle has 12 neighbours at the same distance. */
    double d = pow(2, 1.0 / 6);
    for (size_t i = 0, checked = 0; i < p.count && checked < 20; i++) {
        if (bl_v3d_norm(p.x[i]) > 5) continue;
        int neighbours = 0;
        for (size_t j = 0; j < p.count; j++)
            neighbours += j != i && fabs(bl_v3d_norm(bl_v3d_sub(p.x[i], p.x[j])) - d) < 1e-9;
        assert_int_equal(neighbours, 12);
        checked++;
    }
    assert_close(least_spacing(&p), d, 1e-9);
    bl_points_clear(ctx, &p);

    init_scene(&t, ctx, 2, 1, &ball, NULL);
    t.volume.filling = BL_FILL_HEXAGONAL;
    p = fill(ctx, &t.scene, NULL);
    assert_true(fabs((double)p.count / (PI * 12 * 12) - 1) < 0.02);
    assert_close(least_spacing(&p), sqrt(2 / sqrt(3)), 1e-9);
    bl_points_clear(ctx, &p);
    bl_context_destroy(ctx);
}

static void test_jitter(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    tiny_scene t;
    bl_shape box = make_box(v3(0, 0, 0), v3(10, 10, 10));
    init_scene(&t, ctx, 3, 1, &box, NULL);
    bl_points plain = fill(ctx, &t.scene, NULL);
    t.volume.filling = BL_FILL_JITTERED;
    t.volume.jitter = 0.2;
    t.volume.seed = 5;
    bl_points a = fill(ctx, &t.scene, NULL), b = fill(ctx, &t.scene, NULL);
    t.volume.seed = 6;
    bl_points c = fill(ctx, &t.scene, NULL);
    assert_int_equal(a.count, plain.count);
    double largest = 0;
    for (size_t i = 0; i < a.count; i++) largest = fmax(largest, bl_v3d_norm(bl_v3d_sub(a.x[i], plain.x[i])));
    assert_true(largest > 0.15 && largest <= 0.2);
    assert_true(hash_points(&a) == hash_points(&b));
    assert_true(hash_points(&a) != hash_points(&c));
    bl_points_clear(ctx, &plain);
    bl_points_clear(ctx, &a);
    bl_points_clear(ctx, &b);
    bl_points_clear(ctx, &c);
    bl_context_destroy(ctx);
}

/* The lattice turns with its shape: a turned box holds as many particles as an upright one. */
static void test_rotated_box(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    tiny_scene t;
    bl_shape box = make_box(v3(0, 0, 0), v3(1, 0.5, 0.3));
    box.rotate = v3(0.2, 0.4, -0.3);
    box.translate = v3(3, 2, 1);
    init_scene(&t, ctx, 3, 0.1, &box, NULL);
    bl_points p = fill(ctx, &t.scene, NULL);
    bl_solid *solid = make_solid(ctx, &box, 3);
    assert_int_equal(p.count, 150);
    for (size_t i = 0; i < p.count; i++) assert_true(bl_solid_distance(solid, p.x[i]) < -0.05 + 1e-9);
    bl_solid_destroy(ctx, solid);
    bl_points_clear(ctx, &p);
    bl_context_destroy(ctx);
}

static void test_walls_keep_fluid_off(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    tiny_scene t;
    /* A box of fluid that stands on a plane keeps all its particles; one that overlaps a ball leaves it free. */
    bl_shape box = make_box(v3(-1, -1, 0), v3(1, 1, 2));
    bl_shape plane = make_shape(BL_SHAPE_PLANE, v3(0, 0, 0), v3(0, 0, 1), 0, 0), ball = make_sphere(v3(0, 0, 1), 0.6);
    bl_box bounds = {v3(-1, -1, 0), v3(1, 1, 2)};
    init_scene(&t, ctx, 3, 0.1, &box, &plane);
    bl_points walls = sample(ctx, &t.scene, bounds), p = fill(ctx, &t.scene, &walls);
    assert_int_equal(p.count, 20 * 20 * 20);
    bl_points_clear(ctx, &walls);
    bl_points_clear(ctx, &p);

    /* Sunk by 0.26 h the lowest layer comes too near. */
    t.wall.a.z = 0.026;
    walls = sample(ctx, &t.scene, bounds);
    p = fill(ctx, &t.scene, &walls);
    assert_int_equal(p.count, 20 * 20 * 19);
    bl_points_clear(ctx, &walls);
    bl_points_clear(ctx, &p);

    init_scene(&t, ctx, 3, 0.1, &box, &ball);
    walls = sample(ctx, &t.scene, bounds);
    p = fill(ctx, &t.scene, &walls);
    double least = INFINITY;
    for (size_t i = 0; i < p.count; i++) least = fmin(least, bl_v3d_norm(bl_v3d_sub(p.x[i], ball.a)) - 0.6);
    assert_true(least > 0.045 && least < 0.07);
    double expected = 8000 - 4.0 / 3 * PI * pow(0.65, 3) / 1e-3;
    assert_true(fabs((double)p.count / expected - 1) < 0.02);
    bl_points_clear(ctx, &walls);
    bl_points_clear(ctx, &p);
    bl_context_destroy(ctx);
}

/* Round walls of several layers: a tube holds its volume, and a ball takes the place of its own. */
static void test_round_walls_leave_the_volume(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    tiny_scene t;
    for (int turned = 0; turned < 2; turned++) {
        bl_shape liquid = make_shape(BL_SHAPE_CYLINDER, v3(-9, 0.1, 0.2), v3(9, 0.1, 0.2), 7, 0);
        bl_shape parts[2] = {make_shape(BL_SHAPE_CYLINDER, v3(-12, 0.1, 0.2), v3(12, 0.1, 0.2), 10, 0),
                             make_shape(BL_SHAPE_CYLINDER, v3(-13, 0.1, 0.2), v3(13, 0.1, 0.2), 7, 0)};
        bl_shape tube = make_combination(BL_SHAPE_DIFFERENCE, parts, 2);
        if (turned) liquid.rotate = tube.rotate = v3(0.5, 0.3, 0.2);
        init_scene(&t, ctx, 3, 1, &liquid, &tube);
        t.boundary.layers = 3;
        bl_points walls = sample(ctx, &t.scene, bl_box_empty()), p = fill(ctx, &t.scene, &walls);
        print_message("tube: %zu of %.0f\n", p.count, PI * 49 * 18);
        assert_true(fabs((double)p.count / (PI * 49 * 18) - 1) < 0.03);
        bl_points_clear(ctx, &walls);
        bl_points_clear(ctx, &p);
    }
    bl_shape box = make_box(v3(-10, -10, -10), v3(10, 10, 10)), ball = make_sphere(v3(0.1, 0.2, 0.3), 6);
    init_scene(&t, ctx, 3, 1, &box, &ball);
    t.boundary.layers = 3;
    bl_points walls = sample(ctx, &t.scene, bl_box_empty()), p = fill(ctx, &t.scene, &walls);
    double expected = 8000 - 4.0 / 3 * PI * 216;
    print_message("around a ball: %zu of %.0f\n", p.count, expected);
    assert_true(fabs((double)p.count - expected) < 0.1 * 4 * PI * 36); /* a tenth of a layer */
    bl_points_clear(ctx, &walls);
    bl_points_clear(ctx, &p);
    bl_context_destroy(ctx);
}

/* Jitter does not cost the layer along a wall. */
/* Pipes of any width, as long as the period or with open ends, have at most the liquid they have room for: more would
 * jam them. By their centres alone 1.4 % too many sites lie in a pipe of radius 7 and 2.9 % in one of 7.4, and in one
 * of 5.8 the lattice has a plane at both ends, which in a period are the same place. */
static void test_round_vessels_are_not_overfull(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    double most = 0, least = INFINITY;
    for (int k = 0; k < 80; k++) { /* liquid as wide as the bore, and given wider than it */
        double r = 5 + 0.1 * (k / 2), wider = k % 2 ? 1.3 : 0;
        bl_shape liquid = make_shape(BL_SHAPE_CYLINDER, v3(0, 0, -5), v3(0, 0, 5), r + wider, 0);
        bl_shape parts[2] = {make_shape(BL_SHAPE_CYLINDER, v3(0, 0, -9), v3(0, 0, 9), r + 4, 0),
                             make_shape(BL_SHAPE_CYLINDER, v3(0, 0, -10), v3(0, 0, 10), r, 0)};
        bl_shape tube = make_combination(BL_SHAPE_DIFFERENCE, parts, 2);
        tiny_scene t;
        bl_points walls, p;
        init_scene(&t, ctx, 3, 1, &liquid, &tube);
        t.boundary.layers = 3;
        t.scene.domain = (bl_domain_def){
            .periodic = {false, false, true}, .bounded = true, .min = v3(-20, -20, -5), .max = v3(20, 20, 5)};
        assert_int_equal(bl_sample_boundary(ctx, &t.scene, 0, bl_box_empty(), &walls), BL_OK);
        assert_int_equal(bl_fill_fluid(ctx, &t.scene, 0, &walls, NULL, &p), BL_OK);
        double share = (double)p.count / (PI * r * r * 10);
        if (share > 1.008 || share < 0.94) print_message("radius %.1f + %.1f: %.3f\n", r, wider, share);
        most = fmax(most, share), least = fmin(least, share);
        bl_points_clear(ctx, &walls);
        bl_points_clear(ctx, &p);
    }
    print_message("pipes hold %.3f to %.3f of their volume\n", least, most);
    /* 64 parts of a cell tell the room of the narrowest ones to a per cent; too few are left as they are: where a bore
     * goes through sites, which are then on the wall, up to a tenth is missing */
    assert_true(most < 1.015 && least > 0.87);
    bl_context_destroy(ctx);
}

static void test_jitter_keeps_the_layer_at_a_wall(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_shape box = make_box(v3(-10, 0, 0), v3(10, 8, 1)),
             floor = make_shape(BL_SHAPE_PLANE, v3(0, 0, 0), v3(0, 1, 0), 60, 0);
    tiny_scene t;
    init_scene(&t, ctx, 2, 1, &box, &floor);
    t.boundary.layers = 3;
    t.volume.filling = BL_FILL_JITTERED;
    t.volume.jitter = 0.2;
    bl_points walls = sample(ctx, &t.scene, (bl_box){v3(-10, 0, 0), v3(10, 8, 0)});
    bl_points p = fill(ctx, &t.scene, &walls);
    assert_int_equal(p.count, 20 * 8);
    assert_true(bl_points_bounds(&p).min.y < 0.5);
    bl_points_clear(ctx, &p);
    bl_points_clear(ctx, &walls);
    bl_context_destroy(ctx);
}

static void test_other_fluid_keeps_off(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    tiny_scene t;
    bl_shape left = make_box(v3(0, 0, 0), v3(1, 1, 1)), right = make_box(v3(0.55, 0, 0), v3(2.05, 1, 1));
    init_scene(&t, ctx, 3, 0.1, &left, NULL);
    bl_points a = fill(ctx, &t.scene, NULL), b;
    t.volume.shape = right;
    assert_int_equal(bl_fill_fluid(ctx, &t.scene, 0, NULL, &a, &b), BL_OK);
    for (size_t i = 0; i < b.count; i++) assert_true(nearest(&a, b.x[i], SIZE_MAX) >= 0.09);
    assert_int_equal(b.count, 10 * 10 * 10);
    bl_points_clear(ctx, &b);

    /* The same holds between volumes of one fluid; source tells them apart. */
    bl_volume volumes[2] = {{.shape = left}, {.shape = right}};
    t.fluid.volumes = volumes;
    t.fluid.volume_count = 2;
    b = fill(ctx, &t.scene, NULL);
    assert_int_equal(b.count, 2000);
    assert_int_equal(b.source[0], 0);
    assert_int_equal(b.source[1999], 1);
    assert_true(least_spacing(&b) >= 0.09);
    bl_points_clear(ctx, &a);
    bl_points_clear(ctx, &b);
    bl_context_destroy(ctx);
}

static void expect_failure(bl_context *ctx, const bl_scene *scene, const bl_points *walls, const char *why) {
    bl_points p;
    assert_int_equal(bl_fill_fluid(ctx, scene, 0, walls, NULL, &p), BL_ERR_DATA);
    assert_null(p.x);
    if (!strstr(bl_context_error(ctx), why)) fail_msg("`%s` does not say `%s`", bl_context_error(ctx), why);
    assert_non_null(strstr(bl_context_error(ctx), "`water`"));
}

static void test_empty_fluids(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    tiny_scene t;
    bl_shape parts[2] = {make_sphere(v3(0, 0, 0), 1), make_sphere(v3(5, 0, 0), 1)};
    bl_shape nothing = make_combination(BL_SHAPE_INTERSECTION, parts, 2), big = make_box(v3(-3, -3, -3), v3(3, 3, 3));
    bl_shape ground = make_shape(BL_SHAPE_HALF_SPACE, v3(0, 0, 0), v3(0, 0, 1), 0, 0);
    bl_shape plane = make_shape(BL_SHAPE_PLANE, v3(0, 0, 0), v3(0, 0, 1), 0, 0);
    bl_box bounds = {v3(-1, -1, -1), v3(1, 1, 1)};

    init_scene(&t, ctx, 3, 0.1, &nothing, NULL);
    expect_failure(ctx, &t.scene, NULL, "scene.yaml:7:3: error:");
    expect_failure(ctx, &t.scene, NULL, "too small");
    init_scene(&t, ctx, 3, 0.1, &parts[0], &big);
    bl_points walls = sample(ctx, &t.scene, bounds);
    expect_failure(ctx, &t.scene, &walls, "inside walls");
    bl_points_clear(ctx, &walls);
    init_scene(&t, ctx, 3, 0.1, &ground, NULL);
    expect_failure(ctx, &t.scene, NULL, "endless");
    init_scene(&t, ctx, 3, 0.1, &plane, NULL);
    expect_failure(ctx, &t.scene, NULL, "no volume");
    init_scene(&t, ctx, 3, 1e-6, &big, NULL);
    expect_failure(ctx, &t.scene, NULL, "too many");
    t.fluid.volume_count = 0;
    expect_failure(ctx, &t.scene, NULL, "no volumes");
    bl_context_destroy(ctx);
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    bl_shape ball = make_sphere(v3(0, 0, 0), 1), wall = make_sphere(v3(0, 0, -1), 0.8);
    uint64_t expected = 0;
    for (int threads = 1; threads <= 7; threads += 2) {
        bl_context *ctx = make_context(threads);
        tiny_scene t;
        init_scene(&t, ctx, 3, 0.05, &ball, &wall);
        t.volume.filling = BL_FILL_JITTERED;
        t.volume.jitter = 0.1;
        bl_points walls = sample(ctx, &t.scene, bl_box_empty()), p = fill(ctx, &t.scene, &walls);
        uint64_t hash = hash_points(&p) ^ hash_points(&walls);
        if (threads == 1) expected = hash;
        assert_true(hash == expected);
        bl_points_clear(ctx, &walls);
        bl_points_clear(ctx, &p);
        bl_context_destroy(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box_is_exact),
        cmocka_unit_test(test_sphere_volume),
        cmocka_unit_test(test_sphere_is_symmetric),
        cmocka_unit_test(test_hexagonal_density),
        cmocka_unit_test(test_jitter),
        cmocka_unit_test(test_rotated_box),
        cmocka_unit_test(test_walls_keep_fluid_off),
        cmocka_unit_test(test_round_walls_leave_the_volume),
        cmocka_unit_test(test_round_vessels_are_not_overfull),
        cmocka_unit_test(test_jitter_keeps_the_layer_at_a_wall),
        cmocka_unit_test(test_other_fluid_keeps_off),
        cmocka_unit_test(test_empty_fluids),
        cmocka_unit_test(test_threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
