/* Light at the interface of two liquids: Snell's law, Fresnel's reflectance, absorption, what a ray remembers. */
#include "render/media.h"
#include "render/paths.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const double WATER = 1.333, OIL = 1.47, OVERLAP = 1e-3;

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.12g is not %.12g within %g", a, b, tolerance);
}

/* A wide slab of a liquid between two heights. */
static void add_slab(bl_stage *stage, double bottom, double top, double ior, double absorption) {
    const float w = 100, b = (float)bottom, t = (float)top;
    const float x[8][3] = {{-w, -w, b}, {w, -w, b}, {w, w, b}, {-w, w, b},
                           {-w, -w, t}, {w, -w, t}, {w, w, t}, {-w, w, t}};
    static const uint32_t triangles[12] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7};
    bl_stage_mesh mesh = {8, 4, x, NULL, NULL, triangles, NULL};
    bl_stage_object look = {
        .material = {.kind = BL_MATERIAL_LIQUID, .ior = ior, .absorption = {absorption, absorption, absorption}}};
    assert_int_equal(bl_stage_add_mesh(stage, &mesh, &look), BL_OK);
}

/* Oil from 0 to 1 on water from -1 to 0. The one that is added later reaches into the other. */
static void make_layers(bl_context *ctx, bool oil_first, double absorption, bl_stage *out) {
    assert_int_equal(bl_stage_init(ctx, BL_TRACER_BUILTIN, out), BL_OK);
    if (oil_first) add_slab(out, 0, 1, OIL, absorption);
    add_slab(out, -1, oil_first ? OVERLAP : 0, WATER, 0);
    if (!oil_first) add_slab(out, -OVERLAP, 1, OIL, absorption);
    assert_int_equal(bl_tracer_commit(out->tracer), BL_OK);
}

/* Follow a ray through everything, by random numbers that never mirror; directions between the surfaces that bend go to
 * `bent`. Returns their number. */
static int go_through(const bl_stage *stage, bl_ray ray, bl_vec3d *weight, bl_media *media, bl_vec3d bent[8]) {
    int count = 0;
    bl_surface_point p;
    while (bl_stage_hit(stage, ray, &p) && count < 8) {
        bl_media_arrive(stage, &p, media, weight);
        bool mirrored = true;
        for (uint32_t s = 0; mirrored && s < 100; s++) {
            bl_sampler sampler = bl_sampler_make(7, s, 0);
            bl_ray next = ray;
            bl_vec3d w = *weight;
            bl_media m = *media;
            assert_true(bl_scatter_mirror(stage, &p, &next, &w, &m, &sampler));
            mirrored = next.dir.z * ray.dir.z < 0;
            if (mirrored) continue;
            if (bl_v3d_norm(bl_v3d_sub(next.dir, ray.dir)) > 1e-9) bent[count++] = next.dir;
            ray = next, *media = m;
        }
        assert_false(mirrored);
    }
    return count;
}

static double sine(bl_vec3d dir) { return hypot(dir.x, dir.y); }

static void test_snell(void **state) {
    bl_context *ctx = *state;
    for (int oil_first = 0; oil_first < 2; oil_first++)
        for (int degrees = 10; degrees <= 80; degrees += 35)
            for (int up = 0; up < 2; up++) {
                bl_stage stage;
                make_layers(ctx, oil_first, 0, &stage);
                double s = sin(degrees * 3.14159265358979 / 180), c = sqrt(1 - s * s);
                bl_ray ray = {bl_v3d_make(0, 0, up ? -3 : 3), bl_v3d_make(s, 0, up ? c : -c), 0, HUGE_VAL, 0};
                bl_vec3d weight = bl_v3d_make(1, 1, 1), bent[8];
                bl_media media = 0;
                assert_int_equal(go_through(&stage, ray, &weight, &media, bent), 3);
                assert_near(sine(bent[0]), s / (up ? WATER : OIL), 1e-6);
                assert_near(sine(bent[1]), s / (up ? OIL : WATER), 1e-6); /* n sin is the same everywhere */
                assert_near(sine(bent[2]), s, 1e-6);
                assert_int_equal(media, 0);
                bl_stage_clear(&stage);
            }
}

/* Light is dimmed over the way in the oil alone, wherever its surface reaches into the water. */
static void test_absorption(void **state) {
    bl_context *ctx = *state;
    for (int oil_first = 0; oil_first < 2; oil_first++) {
        bl_stage stage;
        make_layers(ctx, oil_first, 0.7, &stage);
        bl_ray ray = {bl_v3d_make(0.1, 0.2, 3), bl_v3d_make(0, 0, -1), 0, HUGE_VAL, 0};
        bl_vec3d weight = bl_v3d_make(1, 1, 1), bent[8];
        bl_media media = 0;
        go_through(&stage, ray, &weight, &media, bent);
        assert_near(weight.y, exp(-0.7), 1e-4);
        bl_stage_clear(&stage);
    }
}

/* Mean over many random choices of the light that an interface mirrors: Fresnel with both indices, not with air. */
static void test_reflectance(void **state) {
    bl_context *ctx = *state;
    bl_stage stage;
    make_layers(ctx, true, 0, &stage);
    const double c = cos(1.0), eta = WATER / OIL;
    bl_ray start = {bl_v3d_make(0, 0, 0.5), bl_v3d_make(sin(1.0), 0, -c), 0, HUGE_VAL, 0};
    double sum = 0;
    enum { COUNT = 4096 };
    for (uint32_t s = 0; s < COUNT; s++) {
        bl_sampler sampler = bl_sampler_make(3, 1, s);
        bl_ray ray = start;
        bl_vec3d weight = bl_v3d_make(1, 1, 1);
        bl_media media = 1; /* in the oil */
        bl_surface_point p;
        for (int k = 0; k < 2 && ray.dir.z < 0; k++) { /* the water's surface within the oil, then the oil's */
            assert_true(bl_stage_hit(&stage, ray, &p));
            bl_media_arrive(&stage, &p, &media, &weight);
            assert_true(bl_scatter_mirror(&stage, &p, &ray, &weight, &media, &sampler));
        }
        if (ray.dir.z > 0) sum += weight.y / COUNT;
    }
    assert_near(sum, bl_fresnel(c, eta), 0.003);
    assert_true(fabs(bl_fresnel(c, eta) - bl_fresnel(c, 1 / OIL)) > 0.1); /* the test can fail */
    bl_stage_clear(&stage);
}

static int setup(void **state) { return bl_context_create(NULL, (bl_context **)state) != BL_OK; }
static int teardown(void **state) {
    bl_context_destroy(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_snell, setup, teardown),
        cmocka_unit_test_setup_teardown(test_absorption, setup, teardown),
        cmocka_unit_test_setup_teardown(test_reflectance, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
