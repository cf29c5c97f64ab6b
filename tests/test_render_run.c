/* Pictures of whole runs: both modes, sizes, determinism, errors, films. */
#include "base/file.h"
#include "beadlet/beadlet.h"
#include "render/caustics.h"
#include "render/denoise.h"
#include "render/picture.h"
#include "render/shapes.h"
#include "render/subject.h"
#include "render/values.h"

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

static const char *const DIR_3D = "pictures_of_run", *const DIR_2D = "pictures_of_flat";

static const char *const scene_3d = "name: drop\n"
                                    "spacing: 0.5 mm\n"
                                    "gravity: [0, 0, -9.81]\n"
                                    "time: {end: 2 ms, max_step: 1 ms, frames_per_second: 1000}\n"
                                    "scheme: {name: ballistic}\n"
                                    "fluids:\n"
                                    "  water:\n"
                                    "    density: 998 kg/m^3\n"
                                    "    viscosity: 1 mPa s\n"
                                    "    surface_tension: 72.8 mN/m\n"
                                    "    volumes: [{sphere: {center: [0, 0, 2.5 mm], radius: 2 mm}}]\n"
                                    "boundaries:\n"
                                    "  plate:\n"
                                    "    contact_angle: 60 deg\n"
                                    "    shapes: [{plane: {normal: [0, 0, 1], size: 10 mm}}]\n"
                                    "  cup:\n"
                                    "    contact_angle: 60 deg\n"
                                    "    shapes:\n"
                                    "      - difference:\n"
                                    "          - sphere: {center: [6 mm, 0, 2 mm], radius: 2 mm}\n"
                                    "          - half_space: {point: [6 mm, 0, 2 mm], normal: [0, 0, -1]}\n"
                                    "          - sphere: {center: [6 mm, 0, 2 mm], radius: 1 mm}\n";

static const char *const scene_2d = "name: disc\n"
                                    "spacing: 0.5 mm\n"
                                    "dimension: 2\n"
                                    "gravity: [0, -9.81, 0]\n"
                                    "time: {end: 1 ms, max_step: 1 ms, frames_per_second: 1000}\n"
                                    "scheme: {name: ballistic}\n"
                                    "fluids:\n"
                                    "  water:\n"
                                    "    density: 998 kg/m^3\n"
                                    "    viscosity: 1 mPa s\n"
                                    "    surface_tension: 72.8 mN/m\n"
                                    "    volumes: [{sphere: {center: [0, 0, 0], radius: 4 mm}}]\n";

static bl_context *ctx;

static int make_run(const char *text, const char *dir) {
    bl_scene *scene;
    bl_run_options options = bl_default_run_options();
    options.directory = dir;
    options.start = BL_RUN_OVERWRITE;
    bl_run_result result;
    bl_status status = bl_scene_load_text(ctx, text, strlen(text), "scene.yaml", NULL, 0, &scene);
    if (!status) status = bl_run(ctx, scene, &options, &result);
    if (status) fprintf(stderr, "%s\n", bl_context_error(ctx));
    bl_scene_destroy(scene);
    return status != BL_OK;
}

static int start(void **state) {
    (void)state;
    if (bl_context_create(NULL, &ctx) != BL_OK) return 1;
    return make_run(scene_3d, DIR_3D) || make_run(scene_2d, DIR_2D);
}

static int stop(void **state) {
    (void)state;
    bl_context_destroy(ctx);
    return system("rm -rf pictures_of_run pictures_of_flat pictures_out pictures_bin");
}

static bl_render_def small_def(void) {
    bl_render_def def = bl_default_render_def();
    def.width = 96, def.height = 54, def.samples = 4, def.out = "pictures_out";
    return def;
}

typedef struct pixels {
    int width, height;
    uint8_t *rgb;
    double mean;
} pixels;

static pixels read_png(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_int_not_equal(png_image_begin_read_from_file(&image, path), 0);
    image.format = PNG_FORMAT_RGB;
    pixels out = {(int)image.width, (int)image.height, malloc(PNG_IMAGE_SIZE(image)), 0};
    assert_int_not_equal(png_image_finish_read(&image, NULL, out.rgb, 0, NULL), 0);
    for (size_t i = 0; i < PNG_IMAGE_SIZE(image); i++) out.mean += out.rgb[i] / 255.0 / (double)PNG_IMAGE_SIZE(image);
    return out;
}

static void test_liquid(void **state) {
    (void)state;
    bl_render_def def = small_def();
    def.frame = "1";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_OK);
    pixels p = read_png("pictures_out/frame_000001.png");
    assert_int_equal(p.width, 96);
    assert_int_equal(p.height, 54);
    assert_true(p.mean > 0.15 && p.mean < 0.9);
    free(p.rgb);
}

static void test_same_bytes_for_any_thread_count(void **state) {
    (void)state;
    char *bytes[2];
    size_t sizes[2];
    for (int k = 0; k < 2; k++) {
        bl_context_def threads = bl_default_context_def();
        threads.threads = k + 1;
        bl_context *own;
        assert_int_equal(bl_context_create(&threads, &own), BL_OK);
        bl_render_def def = small_def();
        assert_int_equal(bl_render(own, DIR_3D, &def), BL_OK);
        bl_context_destroy(own);
        assert_int_equal(bl_file_read(ctx, "pictures_out/frame_000002.png", &bytes[k], &sizes[k]), BL_OK);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    bl_release(ctx, bytes[0]);
    bl_release(ctx, bytes[1]);
}

static void count(void *user, const char *path, double seconds) {
    int *n = user;
    assert_non_null(strstr(path, "pictures_out/frame_00000"));
    assert_true(seconds >= 0);
    ++*n;
}

static void test_particles(void **state) {
    (void)state;
    bl_render_def def = small_def();
    int calls = 0;
    def.mode = BL_RENDER_PARTICLES, def.field = "v.z", def.frame = "all", def.width = 320, def.height = 180;
    def.progress = count, def.progress_user = &calls;
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_OK);
    assert_int_equal(calls, 3);
    pixels p = read_png("pictures_out/frame_000002.png");
    assert_true(p.mean > 0.3 && p.mean < 0.95);
    free(p.rgb);
}

/* Without shading the area of a disc can be counted: all pixels of one colour of the map. */
static void test_flat_scene(void **state) {
    (void)state;
    bl_render_def def = small_def();
    def.width = 400, def.height = 400, def.frame = "0", def.field = "phase";
    assert_int_equal(bl_render(ctx, DIR_2D, &def), BL_OK);
    pixels p = read_png("pictures_out/frame_000000.png");
    int covered = 0; /* left half only: the colour bar stands on the right */
    for (int i = 0; i < 400 * 400; i++) covered += i % 400 < 200 && p.rgb[3 * i] < 160;
    /* 197 points of the lattice lie within 8 spacings, so the box is 17 spacings wide; the picture shows 1.34 times
     * that each way, and balls of a diameter of one spacing cover pi/4 of their cells */
    double pi = 3.14159265358979323846, edge = 1.34 * 17, share = 197 / 2.0 * pi / 4 / (edge * edge);
    assert_true(fabs(covered / 160000.0 - share) < 0.05 * share);
    free(p.rgb);
}

/* The scene's camera counts in 2D too: the share of the picture that the disc covers tells what it shows. */
static double share_of_disc(const char *camera) {
    char text[1200];
    snprintf(text, sizeof text, "%s%s", scene_2d, camera);
    assert_int_equal(make_run(text, "pictures_of_view"), 0);
    bl_render_def def = small_def();
    def.width = 160, def.height = 120, def.field = "phase", def.frame = "0";
    assert_int_equal(bl_render(ctx, "pictures_of_view", &def), BL_OK);
    pixels p = read_png("pictures_out/frame_000000.png");
    int dark = 0, counted = 0;
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 120; x++, counted++) { /* left of the colour bar */
            const uint8_t *c = &p.rgb[3 * (y * 160 + x)];
            dark += c[0] < 200 || c[1] < 200 || c[2] < 200;
        }
    free(p.rgb);
    return (double)dark / counted;
}

static void test_flat_camera(void **state) {
    (void)state;
    /* 16 mm high: the disc of 8 mm is pi/16 of 16 x 16 mm; balls of one spacing cover pi/4 of their squares */
    double near =
        share_of_disc("camera: {position: [0, 0, 16 mm], target: [2.667 mm, 0, 0], field_of_view: 53.13 deg}\n");
    double far =
        share_of_disc("camera: {position: [0, 0, 32 mm], target: [5.333 mm, 0, 0], field_of_view: 53.13 deg}\n");
    double away = share_of_disc("camera: {position: [90 mm, 0, 16 mm], target: [90 mm, 0, 0]}\n");
    assert_true(near > 0.8 * 0.196 * 0.785 && near < 1.2 * 0.196);
    assert_true(away < 0.04); /* the colour bar */
    assert_true(fabs((near - away) / (far - away) - 4) < 0.6);
    assert_int_equal(system("rm -rf pictures_of_view"), 0);
}

static void test_errors(void **state) {
    (void)state;
    bl_render_def def = small_def();
    assert_int_equal(bl_render(ctx, "no_such_run", &def), BL_ERR_NO_INPUT);
    def.frame = "7";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_NO_INPUT);
    assert_non_null(strstr(bl_context_error(ctx), "there is no frame 7; the run has 0 to 2"));
    def.frame = "5..7";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_NO_INPUT);
    def.frame = "2..1";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
    def.frame = "next";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
    def = small_def();
    def.mode = BL_RENDER_PARTICLES, def.field = "colour";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
    assert_non_null(strstr(bl_context_error(ctx), "no field 'colour'; the fields are: id, phase, v, p"));
    def.field = "p.x";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
    def = small_def();
    def.width = 3;
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
    def = small_def();
    def.range[0] = 2, def.range[1] = 1;
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
    def = small_def();
    def.view_given = true;
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
    def = small_def();
    def.out = "pictures_of_run/run.json/pictures";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_CANT_CREATE);
}

/* A stand-in for ffmpeg writes down how it was called. */
static void test_film(void **state) {
    (void)state;
    char *path = strdup(getenv("PATH"));
    bl_render_def def = small_def();
    def.frame = "all", def.samples = 1, def.width = 33, def.height = 17, def.film = "pictures_out/film.mp4";
    assert_int_equal(bl_dir_create(ctx, "pictures_bin"), BL_OK);
    setenv("PATH", "./pictures_bin", 1);
    bl_status status = bl_render(ctx, DIR_3D, &def);
    setenv("PATH", path, 1);
    assert_int_equal(status, BL_ERR_CANT_CREATE);
    assert_non_null(strstr(bl_context_error(ctx), "ffmpeg, which is not on the PATH"));
    assert_int_equal(system("printf '#!/bin/sh\\necho \"$@\" > pictures_out/call\\n' > pictures_bin/ffmpeg &&"
                            "chmod +x pictures_bin/ffmpeg"),
                     0);
    setenv("PATH", "./pictures_bin", 1);
    status = bl_render(ctx, DIR_3D, &def);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, BL_OK);
    char *call;
    size_t size;
    assert_int_equal(bl_file_read(ctx, "pictures_out/call", &call, &size), BL_OK);
    assert_non_null(strstr(call, "-start_number 0 -i pictures_out/frame_%06d.png"));
    assert_non_null(strstr(call, "libx264"));
    assert_non_null(strstr(call, "-framerate 25 ")); /* 1000 frames a second: slow motion */
    bl_release(ctx, call);
    def.film = "pictures_out/film.gif";
    assert_int_equal(bl_render(ctx, DIR_3D, &def), BL_ERR_USAGE);
}

/* The cup is a bowl cut out of a ball: its area is known. Only normals out of the solid are right. */
static void test_body_of_a_difference(void **state) {
    (void)state;
    bl_scene *scene;
    assert_int_equal(bl_scene_load_text(ctx, scene_3d, strlen(scene_3d), "scene.yaml", NULL, 0, &scene), BL_OK);
    bl_body_mesh mesh;
    bl_vec3d min = bl_v3d_make(4e-3, -2e-3, 0), max = bl_v3d_make(8e-3, 2e-3, 2e-3), up = bl_v3d_make(0, 0, 1);
    const bl_pose pose = {.w = 1};
    scene->spacing = 0.1e-3;
    assert_int_equal(bl_body_mesh_build(ctx, scene, 1, 0, &pose, min, max, up, &mesh), BL_OK);
    double area = 0, volume = 0;
    for (size_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t *v = mesh.triangles + 3 * t;
        bl_vec3d a = mesh.x[v[0]], b = mesh.x[v[1]], c = mesh.x[v[2]];
        bl_vec3d n = bl_v3d_cross(bl_v3d_sub(b, a), bl_v3d_sub(c, a));
        area += bl_v3d_norm(n) / 2;
        volume += bl_v3d_dot(a, bl_v3d_cross(b, c)) / 6;
        assert_true(bl_v3d_dot(n, mesh.normal[v[0]]) >= 0);
    }
    const double pi = 3.14159265358979323846;
    /* outer and inner hemisphere, ring between them */
    assert_true(fabs(area / (pi * (2 * 4e-6 + 2 * 1e-6 + 3e-6)) - 1) < 0.03);
    assert_true(fabs(volume / (2.0 / 3 * pi * (8e-9 - 1e-9)) - 1) < 0.03);
    bl_body_mesh_clear(&mesh);
    bl_scene_destroy(scene);
}

static void test_quantile(void **state) {
    (void)state;
    double values[] = {5, (double)NAN, 1, 3, 2, 4};
    assert_true(bl_quantile(values, 6, 0.5) == 3);
    assert_true(bl_quantile(values, 5, 0) == 1);
    assert_true(bl_quantile(values, 5, 1) == 5);
    assert_true(isnan(bl_quantile(values, 0, 0.5)));
}

/* The filter takes noise out of an even area and leaves an edge where it is. */
static void test_denoise(void **state) {
    (void)state;
    enum { W = 64, H = 48 };
    bl_picture p = {ctx, W, H, bl_alloc(ctx, W * H, 3 * sizeof(float)), bl_alloc(ctx, W * H, 3 * sizeof(float))};
    srand(1);
    for (int i = 0; i < W * H; i++) {
        double level = i % W < W / 2 ? 0.2 : 0.8;
        for (int k = 0; k < 3; k++) {
            double a = (rand() / (double)RAND_MAX - 0.5) * 0.2, b = (rand() / (double)RAND_MAX - 0.5) * 0.2;
            p.light[3 * i + k] = (float)(level + (a + b) / 2);
            p.noise[3 * i + k] = (float)((a - b) * (a - b) / 4);
        }
    }
    assert_int_equal(bl_picture_denoise(&p), BL_OK);
    double error = 0;
    for (int i = 0; i < W * H; i++) {
        double d = (double)p.light[3 * i] - (i % W < W / 2 ? 0.2 : 0.8);
        error += d * d / (W * H);
        assert_true(fabs(d) < 0.15);
    }
    assert_true(sqrt(error) < 0.3 * sqrt(0.04 / 12 / 2)); /* of the noise that was there */
    bl_picture_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_liquid),      cmocka_unit_test(test_same_bytes_for_any_thread_count),
        cmocka_unit_test(test_particles),   cmocka_unit_test(test_flat_scene),
        cmocka_unit_test(test_flat_camera), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_film),        cmocka_unit_test(test_body_of_a_difference),
        cmocka_unit_test(test_quantile),    cmocka_unit_test(test_denoise),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
