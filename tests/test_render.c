/* Pictures: optics against formulas, tracers against each other, projections, determinism, energy. */
#include "base/rng.h"
#include "render/camera.h"
#include "render/colormap.h"
#include "render/optics.h"
#include "render/picture.h"
#include "render/sampler.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#define PI 3.14159265358979323846

static bl_context *make_context(int threads) {
    bl_context_def def = bl_default_context_def();
    def.threads = threads;
    bl_context *ctx;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    return ctx;
}

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.9g is not %.9g within %g", a, b, tolerance);
}

static void test_fresnel(void **state) {
    (void)state;
    assert_near(bl_fresnel(1, 1.333), pow(0.333 / 2.333, 2), 1e-12); /* 0.0204 */
    assert_near(bl_fresnel(1, 1.333), 0.02, 1e-3);
    assert_near(bl_fresnel(0, 1.333), 1, 1e-12);
    assert_near(bl_fresnel(cos(50 * PI / 180), 1 / 1.333), 1, 0); /* beyond 48.6 degrees */
    /* at Brewster's angle only light polarised across the plane of incidence is reflected */
    double brewster = atan(1.5), refracted = PI / 2 - brewster;
    double s = sin(brewster - refracted) / sin(brewster + refracted);
    assert_near(bl_fresnel(cos(brewster), 1.5), s * s / 2, 1e-12);
}

/* A film in air: black when thin, at a quarter wave both faces add up, at a half wave they cancel. */
static void test_film(void **state) {
    (void)state;
    const double n = 1.33, green = 545, face = bl_fresnel(1, n);
    bl_vec3d thin = bl_film_reflectance(0.7, n, 0.5);
    assert_true(thin.x < 1e-4 && thin.y < 1e-4 && thin.z < 1e-4);
    assert_near(bl_film_reflectance(1, n, green / (4 * n)).y, 4 * face / ((1 + face) * (1 + face)), 1e-9);
    assert_near(bl_film_reflectance(1, n, green / (2 * n)).y, 0, 1e-9);
    bl_vec3d tilted = bl_film_reflectance(1e-6, n, 300); /* grazing: all light */
    assert_true(tilted.x > 0.99 && tilted.y > 0.99 && tilted.z > 0.99);
}

static void test_appearance(void **state) {
    (void)state;
    const bl_vec3d red = {0.8, 0.1, 0.1};
    assert_int_equal(bl_material_of_fluid("auto", "pool of mercury", red, false).kind, BL_MATERIAL_METAL);
    assert_int_equal(bl_material_of_fluid("water", "pool of mercury", red, false).kind, BL_MATERIAL_LIQUID);
    assert_int_equal(bl_material_of_fluid("mercury", "drop", red, false).kind, BL_MATERIAL_METAL);
    assert_true(bl_material_of_fluid("soap", "drop", red, false).film > 0);
    assert_int_equal(bl_material_of_solid("clear_glass", "wall", red, false).kind, BL_MATERIAL_PANE);
    assert_int_equal(bl_material_of_solid("plain", "steel plate", red, false).kind, BL_MATERIAL_COATED);
    assert_near(bl_material_of_solid("matte", "wall", red, true).color.x, 0.8, 1e-12);
}

static void test_snell(void **state) {
    (void)state;
    for (double degrees = 0; degrees < 90; degrees += 7.5) {
        double a = degrees * PI / 180;
        bl_vec3d out, n = bl_v3d_make(0, 0, 1), in = bl_v3d_make(sin(a), 0, -cos(a));
        assert_true(bl_refract(in, n, 1.333, &out));
        assert_near(out.x, sin(a) / 1.333, 1e-12);
        assert_near(bl_v3d_norm(out), 1, 1e-12);
        assert_true(out.z < 0);
        /* and back again */
        bl_vec3d again;
        assert_true(bl_refract(out, n, 1 / 1.333, &again));
        assert_near(again.x, in.x, 1e-12);
        bl_vec3d mirror = bl_reflect(in, n);
        assert_near(mirror.z, -in.z, 1e-15);
    }
    bl_vec3d out;
    assert_false(bl_refract(bl_v3d_make(sin(0.86), 0, -cos(0.86)), bl_v3d_make(0, 0, 1), 1 / 1.333, &out));
}

/* Mean of a product of four dimensions, the same in small samples: pairs must be independent of each other. */
static void test_sampler(void **state) {
    (void)state;
    double product = 0, strata[16] = {0};
    enum { N = 4096 };
    for (uint32_t i = 0; i < N; i++) {
        bl_sampler s = bl_sampler_make(7, 3, i);
        double a[2], b[2];
        bl_sampler_2d(&s, a);
        bl_sampler_2d(&s, b);
        assert_true(a[0] >= 0 && a[0] < 1 && b[1] >= 0 && b[1] < 1);
        product += (a[0] - 0.5) * (b[0] - 0.5);
        if (i < 16) strata[(int)(a[0] * 4) * 4 + (int)(a[1] * 4)]++;
    }
    assert_near(product / N, 0, 2e-3); /* the standard deviation of independent numbers is 1.3e-3 */
    for (int k = 0; k < 16; k++) assert_near(strata[k], 1, 0); /* 16 points: one in each of 4 x 4 squares */
}

static void test_colormap(void **state) {
    (void)state;
    double before = -1;
    for (int i = 0; i <= 100; i++) {
        bl_vec3d c = bl_colormap(i / 100.0);
        assert_true(c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x <= 1 && c.y <= 1 && c.z <= 1);
        double lightness = 116 * cbrt(bl_luminance(c)) - 16;
        assert_near(lightness, 16 + 75 * i / 100.0, 0.3);
        assert_true(lightness > before);
        before = lightness;
    }
    for (int i = 0; i <= 255; i++) assert_near(bl_srgb_encode(bl_srgb_decode(i / 255.0)), i / 255.0, 1e-7);
}

static bl_vec3d random_direction(uint64_t k) {
    bl_sampler s = bl_sampler_make(11, k, 0);
    double u[2];
    bl_sampler_2d(&s, u);
    double z = 2 * u[0] - 1, r = sqrt(1 - z * z);
    return bl_v3d_make(r * cos(2 * PI * u[1]), r * sin(2 * PI * u[1]), z);
}

enum { BALLS = 500, TRIANGLES = 300 };

static bl_tracer *make_tracer(bl_context *ctx, bl_tracer_kind kind) {
    bl_tracer *tracer;
    assert_int_equal(bl_tracer_create(ctx, kind, &tracer), BL_OK);
    static bl_sphere balls[BALLS];
    static float x[3 * TRIANGLES][3], x_end[3 * TRIANGLES][3];
    static uint32_t triangles[3 * TRIANGLES];
    for (size_t i = 0; i < BALLS; i++) {
        bl_vec3d c = random_direction(i);
        balls[i] = (bl_sphere){(float)c.x, (float)c.y, (float)c.z, 0.02f + 0.0001f * (float)i};
    }
    for (size_t i = 0; i < TRIANGLES; i++)
        for (size_t k = 0; k < 3; k++) {
            bl_vec3d c = bl_v3d_mad(bl_v3d_scale(0.5, random_direction(i + 1000)), 0.1, random_direction(3 * i + k));
            x[3 * i + k][0] = (float)c.x, x[3 * i + k][1] = (float)c.y, x[3 * i + k][2] = (float)c.z;
            for (int e = 0; e < 3; e++) x_end[3 * i + k][e] = x[3 * i + k][e] + 0.1f * (float)(i % 3 + 1) * (e == 1);
            triangles[3 * i + k] = (uint32_t)(3 * i + k);
        }
    uint32_t object;
    assert_int_equal(bl_tracer_add_spheres(tracer, balls, BALLS, &object), BL_OK);
    assert_int_equal(object, 0);
    assert_int_equal(bl_tracer_add_mesh(tracer, (const float(*)[3])x, (const float(*)[3])x_end, 3 * TRIANGLES,
                                        triangles, TRIANGLES, &object),
                     BL_OK);
    assert_int_equal(object, 1);
    assert_int_equal(bl_tracer_commit(tracer), BL_OK);
    return tracer;
}

/* Embree (if there) and the built-in tree see the same things. */
static void test_tracers_agree(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_tracer *a = make_tracer(ctx, BL_TRACER_BEST), *b = make_tracer(ctx, BL_TRACER_BUILTIN);
    assert_string_equal(bl_tracer_name(b), "built-in");
    int hits = 0, different = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        bl_ray ray = {bl_v3d_scale(2, random_direction(9000 + k)), bl_v3d_zero(), 0, (double)INFINITY,
                      (double)(k % 11) / 10};
        ray.dir = bl_v3d_unit(bl_v3d_sub(bl_v3d_scale(0.8, random_direction(19000 + k)), ray.origin));
        bl_hit p = {0}, q = {0};
        bool seen_a = bl_tracer_hit(a, &ray, &p), seen_b = bl_tracer_hit(b, &ray, &q);
        hits += seen_b;
        /* float against double at silhouettes */
        bool same = seen_a == seen_b && (!seen_a || (p.object == q.object && p.element == q.element));
        different += !same;
        if (same && seen_a && fabs(bl_v3d_dot(q.normal, ray.dir)) > 0.1) {
            assert_near(p.t, q.t, 1e-4);
            assert_near(bl_v3d_dot(p.normal, q.normal), 1, 1e-3);
        }
    }
    assert_true(hits > 1000);
    assert_true(different < 8);
    bl_tracer_destroy(a);
    bl_tracer_destroy(b);
    bl_context_destroy(ctx);
}

/* A triangle that rises from z = 0 to z = 1 while the shutter is open. */
static void test_moving_mesh(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    static const float x[3][3] = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
                       x_end[3][3] = {{-1, -1, 1}, {1, -1, 1}, {0, 1, 1}};
    static const uint32_t triangle[3] = {0, 1, 2};
    for (bl_tracer_kind kind = BL_TRACER_BEST; kind <= BL_TRACER_BUILTIN; kind++) {
        bl_tracer *tracer;
        uint32_t object;
        assert_int_equal(bl_tracer_create(ctx, kind, &tracer), BL_OK);
        assert_int_equal(bl_tracer_add_mesh(tracer, x, x_end, 3, triangle, 1, &object), BL_OK);
        assert_int_equal(bl_tracer_commit(tracer), BL_OK);
        for (int k = 0; k <= 4; k++) {
            bl_ray down = {bl_v3d_make(0, 0, 3), bl_v3d_make(0, 0, -1), 0, (double)INFINITY, k / 4.0};
            bl_hit hit;
            assert_true(bl_tracer_hit(tracer, &down, &hit));
            assert_near(hit.t, 3 - k / 4.0, 1e-5);
        }
        bl_tracer_destroy(tracer);
    }
    bl_context_destroy(ctx);
}

/* A ball of radius 1 seen from `distance`, in the light `name`. */
static void make_ball(bl_context *ctx, const char *name, const bl_material *material, double distance, bl_stage *out) {
    assert_int_equal(bl_stage_init(ctx, BL_TRACER_BEST, out), BL_OK);
    assert_true(bl_light_make(name, bl_v3d_make(0, 0, 1), bl_v3d_make(0, 1, 0), &out->light));
    bl_sphere ball = {0, 0, 0, 1};
    bl_stage_object look = {.material = *material};
    assert_int_equal(bl_stage_add_spheres(out, &ball, NULL, 1, &look), BL_OK);
    assert_int_equal(bl_tracer_commit(out->tracer), BL_OK);
    out->camera =
        bl_camera_look_at(bl_v3d_make(0, -distance, 0), bl_v3d_zero(), bl_v3d_make(0, 0, 1), 40 * PI / 180, 4.0 / 3);
}

static void test_silhouette(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    bl_stage stage;
    bl_material unlit = {.kind = BL_MATERIAL_UNLIT, .color = {5, 5, 5}};
    make_ball(ctx, "white", &unlit, 5, &stage);
    bl_picture picture;
    assert_int_equal(bl_picture_trace(&stage, 320, 240, 16, 1, &picture), BL_OK);
    double covered = 0;
    for (int i = 0; i < 320 * 240; i++) covered += ((double)picture.light[3 * i] - 1) / 4;
    /* the cone that touches the ball: tan = 1/sqrt(25 - 1), on an image plane of half height tan 20 degrees */
    double radius = 1 / sqrt(24.0) / tan(20 * PI / 180) * 120;
    assert_near(covered / (PI * radius * radius), 1, 0.01);
    bl_picture_clear(&picture);
    bl_stage_clear(&stage);
    bl_context_destroy(ctx);
}

/* The sun on a metal ball, seen in the gloss of the plate under it, comes to few paths: it must not be a bright speck.
 */
static void test_no_specks(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    bl_stage stage;
    bl_material metal = {.kind = BL_MATERIAL_METAL, .color = {0.8, 0.8, 0.8}, .roughness = 0.03};
    bl_material plate = {.kind = BL_MATERIAL_COATED, .color = {0.2, 0.2, 0.2}, .ior = 1.5, .roughness = 0.04};
    make_ball(ctx, "sky", &metal, 5, &stage);
    bl_stage_object look = {.material = plate};
    assert_int_equal(bl_stage_add_floor(&stage, bl_v3d_make(0, 0, -1), bl_v3d_make(0, 0, 1), &look), BL_OK);
    stage.camera = bl_camera_look_at(bl_v3d_make(0, -5, 1.5), bl_v3d_make(0, -0.8, -1), bl_v3d_make(0, 0, 1),
                                     30 * PI / 180, 4.0 / 3);
    bl_picture picture;
    assert_int_equal(bl_picture_trace(&stage, 160, 120, 4, 1, &picture), BL_OK);
    float peak = 0;
    for (int i = 0; i < 160 * 60; i++) peak = fmaxf(peak, picture.light[3 * (160 * 60 + i)]); /* the plate */
    assert_true(peak < 1);
    bl_picture_clear(&picture);
    bl_stage_clear(&stage);
    bl_context_destroy(ctx);
}

/* Directions to a lamp: the mean of the weights is the integral of its light over all directions. */
static void test_lamp_sampling(void **state) {
    (void)state;
    enum { N = 4096, GRID = 1500 };
    static const char *const names[] = {"studio", "sky", "black"};
    for (int k = 0; k < 3; k++) {
        bl_light light;
        assert_true(bl_light_make(names[k], bl_v3d_make(0, 0, 1), bl_v3d_make(0, 1, 0), &light));
        bl_light dark = light;
        dark.zenith = dark.horizon = dark.nadir = bl_v3d_zero();
        double shares = 0;
        for (int box = 0; box < light.box_count; box++) {
            double mean = 0, squares = 0, sum = 0;
            dark.box_count = 1, dark.boxes[0] = light.boxes[box];
            const bl_softbox *b = &dark.boxes[0];
            for (uint32_t i = 0; i < N; i++) {
                bl_sampler sampler = bl_sampler_make(5, (uint64_t)box, i);
                double u[2];
                bl_sampler_2d(&sampler, u);
                bl_vec3d weight, to = bl_light_sample(&light, box, u, &weight), seen = bl_light_all(&dark, to);
                assert_near(bl_v3d_norm(to), 1, 1e-12);
                assert_true(seen.x > 0);
                mean += weight.x / N;
                squares += weight.x * weight.x / N;
            }
            for (int i = 0; i < GRID * GRID; i++) { /* solid angle of the cells of the lamp's plane */
                double a = 2 * (i % GRID + 0.5) / GRID - 1, c = 2 * (i / GRID + 0.5) / GRID - 1;
                bl_vec3d point = bl_v3d_mad(bl_v3d_mad(b->axis, a, b->right), c, b->up);
                double r = bl_v3d_norm(point), cell = 4 * bl_v3d_norm(b->right) * bl_v3d_norm(b->up) / (GRID * GRID);
                sum += bl_light_all(&dark, bl_v3d_unit(point)).x * cell / (r * r * r);
            }
            assert_near(mean / sum, 1, 0.003);
            /* nearly all alike: what differs is the distance across a wide lamp and the outermost rim */
            assert_true(sqrt(squares - mean * mean) < 0.3 * mean);
            double chance;
            assert_int_equal(bl_light_choose(&light, shares + 1e-9, &chance), box);
            shares += chance;
        }
        assert_near(shares, 1, 1e-9);
    }
}

/* In even white light nothing may shine brighter than white, and a perfect material vanishes. */
static void test_white_furnace(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    static const bl_material materials[] = {
        {.kind = BL_MATERIAL_DIFFUSE, .color = {1, 1, 1}},
        {.kind = BL_MATERIAL_COATED, .color = {1, 1, 1}, .ior = 1.5, .roughness = 0.2},
        {.kind = BL_MATERIAL_METAL, .color = {1, 1, 1}, .roughness = 0.3},
        {.kind = BL_MATERIAL_LIQUID, .color = {1, 1, 1}, .ior = 1.333},
        {.kind = BL_MATERIAL_LIQUID, .color = {1, 1, 1}, .ior = 1.333, .film = 400, .film_slope = {0, 0, -300}},
        {.kind = BL_MATERIAL_PANE, .color = {1, 1, 1}, .ior = 1.5},
    };
    for (size_t m = 0; m < sizeof materials / sizeof *materials; m++) {
        bl_stage stage;
        make_ball(ctx, "white", &materials[m], 5, &stage);
        bl_picture picture;
        assert_int_equal(bl_picture_trace(&stage, 64, 48, 64, 1, &picture), BL_OK);
        double sum = 0;
        for (int i = 0; i < 64 * 48; i++) sum += (double)picture.light[3 * i];
        double mean = sum / (64 * 48);
        assert_true(mean < 1.002);
        assert_true(mean > 0.98);
        bl_picture_clear(&picture);
        bl_stage_clear(&stage);
    }
    bl_context_destroy(ctx);
}

static void test_same_bytes_for_any_thread_count(void **state) {
    (void)state;
    bl_picture pictures[3];
    bl_context *contexts[3];
    for (int k = 0; k < 3; k++) {
        contexts[k] = make_context(k + 1);
        bl_stage stage;
        bl_material water = bl_material_of_fluid("auto", "water", bl_v3d_zero(), false);
        make_ball(contexts[k], "studio", &water, 4, &stage);
        assert_int_equal(bl_picture_trace(&stage, 80, 60, 4, 5, &pictures[k]), BL_OK);
        bl_stage_clear(&stage);
    }
    size_t size = 80 * 60 * 3 * sizeof(float);
    assert_memory_equal(pictures[0].light, pictures[1].light, size);
    assert_memory_equal(pictures[0].light, pictures[2].light, size);
    for (int k = 0; k < 3; k++) {
        bl_picture_clear(&pictures[k]);
        bl_context_destroy(contexts[k]);
    }
}

/* Size and mean grey of a PNG file. */
static double read_png(const char *path, int *width, int *height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_int_not_equal(png_image_begin_read_from_file(&image, path), 0);
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_int_not_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
    double sum = 0;
    for (size_t i = 0; i < PNG_IMAGE_SIZE(image); i++) sum += pixels[i];
    sum /= (double)PNG_IMAGE_SIZE(image) * 255;
    free(pixels);
    *width = (int)image.width, *height = (int)image.height;
    return sum;
}

static void test_png(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_stage stage;
    bl_material grey = bl_material_of_solid(NULL, "stone", bl_v3d_zero(), false);
    make_ball(ctx, "studio", &grey, 4, &stage);
    bl_picture picture;
    assert_int_equal(bl_picture_trace(&stage, 90, 50, 4, 5, &picture), BL_OK);
    bl_canvas canvas;
    assert_int_equal(bl_picture_develop(&picture, 1, true, &canvas), BL_OK);
    assert_int_equal(bl_canvas_write_png(&canvas, "test_render.png"), BL_OK);
    int width, height;
    double mean = read_png("test_render.png", &width, &height);
    assert_int_equal(width, 90);
    assert_int_equal(height, 50);
    assert_true(mean > 0.2 && mean < 0.95);
    remove("test_render.png");
    assert_int_equal(bl_canvas_write_png(&canvas, "no/such/folder/x.png"), BL_ERR_CANT_CREATE);
    assert_non_null(strstr(bl_context_error(ctx), "no/such/folder/x.png"));
    bl_canvas_clear(&canvas);
    bl_picture_clear(&picture);
    bl_stage_clear(&stage);
    bl_context_destroy(ctx);
}

/* Ink on a white canvas: length times width of a line, the width of text. */
/* The dashes of any line come to an end: what is left of one may be too short to get on by. */
static void test_dashes(void **state) {
    (void)state;
    enum { POINTS = 60, LINES = 3000 };
    bl_context *ctx = make_context(1);
    bl_canvas canvas;
    static const double dash[4] = {11.2, 4.8, 1.6, 4.8};
    bl_stroke stroke = {1, {0, 0, 0, 255}, dash, 4};
    assert_int_equal(bl_canvas_init(ctx, 64, 32, (bl_color){255, 255, 255, 255}, &canvas), BL_OK);
    for (uint64_t line = 0; line < LINES; line++) {
        double xy[2 * POINTS];
        for (uint64_t i = 0; i < POINTS; i++) {
            xy[2 * i] = (double)i * 64 / POINTS;
            xy[2 * i + 1] = line % 2 ? 1.6 * (double)(i % 7) : 32 * bl_rng_uniform(9, line, i);
        }
        assert_int_equal(bl_canvas_polyline(&canvas, xy, POINTS, &stroke), BL_OK);
    }
    bl_canvas_clear(&canvas);
    bl_context_destroy(ctx);
}

static void test_canvas(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_canvas canvas;
    assert_int_equal(bl_canvas_init(ctx, 200, 100, (bl_color){255, 255, 255, 255}, &canvas), BL_OK);
    bl_canvas_line(&canvas, 20, 20, 170, 70, 4, (bl_color){0, 0, 0, 255});
    double ink = 0;
    for (int i = 0; i < 200 * 100; i++) ink += (255 - canvas.rgb[3 * i]) / 255.0;
    assert_near(ink, hypot(150, 50) * 4 + PI * 4, 10); /* round caps */
    double dash[2] = {5, 5}, xy[4] = {10, 90, 190, 90};
    bl_stroke stroke = {3, {0, 0, 0, 255}, dash, 2};
    double before = ink;
    assert_int_equal(bl_canvas_polyline(&canvas, xy, 2, &stroke), BL_OK);
    ink = 0;
    for (int i = 0; i < 200 * 100; i++) ink += (255 - canvas.rgb[3 * i]) / 255.0;
    assert_near(ink - before, 18 * (5 * 3 + PI * 2.25), 20);
    /* what lies outside is clipped, not written */
    bl_canvas_line(&canvas, -1e6, 50, 1e6, 50, 2, (bl_color){0, 0, 0, 255});
    bl_canvas_disc(&canvas, 500, -300, 20, (bl_color){0, 0, 0, 255});
    bl_text_style style = {12, 0.7, BL_ALIGN_RIGHT, {0, 0, 0, 255}, false};
    assert_int_equal(bl_canvas_text(&canvas, 4, 4, "far out, \xc3\xa9^2", &style), BL_OK);
    assert_true(bl_text_width("m^2", 20) < bl_text_width("m2", 20));
    assert_near(bl_text_width("abcabc", 20), 2 * bl_text_width("abc", 20) + 3, 1e-9); /* the gap between letters */
    bl_canvas_clear(&canvas);
    bl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fresnel),
        cmocka_unit_test(test_snell),
        cmocka_unit_test(test_film),
        cmocka_unit_test(test_appearance),
        cmocka_unit_test(test_sampler),
        cmocka_unit_test(test_colormap),
        cmocka_unit_test(test_tracers_agree),
        cmocka_unit_test(test_silhouette),
        cmocka_unit_test(test_moving_mesh),
        cmocka_unit_test(test_white_furnace),
        cmocka_unit_test(test_lamp_sampling),
        cmocka_unit_test(test_no_specks),
        cmocka_unit_test(test_same_bytes_for_any_thread_count),
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_canvas),
        cmocka_unit_test(test_dashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
