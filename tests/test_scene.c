/* Scenes that are right: what they mean, and that a resolved scene survives being written and read again. */
#include "base/file.h"
#include "scene_log.h"

#include <dirent.h>
#include <math.h>

static bl_scene *load_file(fixture *f, const char *path) {
    bl_scene *scene;
    forget(f);
    bl_status status = bl_scene_load(f->ctx, path, NULL, 0, &scene);
    if (status != BL_OK) fail_msg("%s: %s\n%s", path, bl_context_error(f->ctx), f->log);
    return scene;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-14 * (fabs(a) + fabs(b)); }

static bool equal(bl_vec3d v, double x, double y, double z) { return near(v.x, x) && near(v.y, y) && near(v.z, z); }

/* Written, read and written again: the same text. */
static void check_round_trip(fixture *f, const bl_scene *scene) {
    char *first = resolve(f, scene);
    bl_scene *again;
    bl_status status = bl_scene_load_text(f->ctx, first, strlen(first), "elsewhere/run.json", NULL, 0, &again);
    if (status != BL_OK) fail_msg("%s\n%s", f->log, first);
    char *second = resolve(f, again);
    assert_string_equal(first, second);
    bl_scene_destroy(again);
    bl_release(f->ctx, first);
    bl_release(f->ctx, second);
}

static int check_folder(fixture *f, const char *folder) {
    DIR *entries = opendir(folder);
    int count = 0;
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        char path[1024];
        if (!strstr(entry->d_name, ".yaml") && !strstr(entry->d_name, ".json")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bl_scene *scene = load_file(f, path);
        check_round_trip(f, scene);
        bl_scene_destroy(scene);
        count++;
    }
    closedir(entries);
    return count;
}

static void test_round_trip(void **state) {
    assert_true(check_folder(*state, BL_SOURCE_DIR "/scenes") >= 1);
    assert_int_equal(check_folder(*state, BL_TEST_DATA "/scenes"), 4);
}

static void test_default_scene(void **state) {
    fixture *f = *state;
    bl_scene *scene = load_file(f, BL_SOURCE_DIR "/scenes/drop.yaml");
    assert_string_equal(scene->name, "drop on glass");
    assert_int_equal(scene->dimension, 3);
    assert_true(scene->spacing == 0.25e-3);
    assert_true(equal(bl_curve_at3(&scene->gravity, 5), 0, 0, -9.81));
    assert_true(near(scene->time.end, 0.08) && scene->time.cfl == 0.4 && scene->scheme.tolerance == 0.001);
    const bl_fluid *water = &scene->fluids[0];
    assert_string_equal(water->name, "water");
    assert_int_equal(water->pos.line, 8);
    assert_int_equal(water->pos.column, 3);
    assert_true(strstr(water->pos.file, "drop.yaml") != NULL);
    assert_true(bl_curve_at(&water->surface_tension, 0) == 0.0728 && water->viscosity == 0.001);
    const bl_shape *sphere = &water->volumes[0].shape;
    assert_int_equal(sphere->kind, BL_SHAPE_SPHERE);
    assert_true(equal(sphere->a, 0, 0, 0.0021) && sphere->radius == 0.002 && equal(sphere->scale, 1, 1, 1));
    const bl_boundary *glass = &scene->boundaries[0];
    assert_true(near(bl_curve_at(&glass->contact_angle, 0), acos(0.5)));
    assert_int_equal(glass->boundary_vapor.count, 0);
    assert_int_equal(glass->viscosity.count, 0);
    assert_int_equal(glass->layers, 0);
    bl_scene_destroy(scene);
}

static void test_kernels_of_a_scene(void **state) {
    fixture *f = *state;
    static const struct {
        const char *change;
        bl_kernel_family kernel;
    } tries[] = {{"seed=1", BL_KERNELS_SMOOTH}, /* what 3D has by default */
                 {"dimension=2", BL_KERNELS_CUBIC},
                 {"scheme.calibration=paper", BL_KERNELS_CUBIC},
                 {"scheme.kernel=cubic", BL_KERNELS_CUBIC},
                 {"scheme.kernel=auto", BL_KERNELS_SMOOTH}};
    static const char text[] = "spacing: 1 mm\ntime: {end: 1 ms}\n"
                               "fluids: {w: {material: water, volumes: [{sphere: {radius: 6 mm}}]}}\n";
    for (size_t k = 0; k < sizeof tries / sizeof tries[0]; k++) {
        bl_scene *scene;
        bl_status status = bl_scene_load_text(f->ctx, text, strlen(text), "test.yaml", &tries[k].change, 1, &scene);
        if (status != BL_OK) fail_msg("%s", f->log);
        assert_int_equal(scene->scheme.kernel, tries[k].kernel);
        bl_scene_destroy(scene);
    }
}

static void test_shapes(void **state) {
    fixture *f = *state;
    bl_scene *scene = load_file(f, BL_TEST_DATA "/scenes/shapes.yaml");
    const bl_volume *v = scene->fluids[0].volumes;
    assert_int_equal(scene->fluids[0].volume_count, 6);
    assert_int_equal(v[0].shape.kind, BL_SHAPE_DIFFERENCE);
    assert_int_equal(v[0].shape.child_count, 3);
    assert_true(equal(v[0].shape.children[0].a, -0.0005, -0.001, 0.0035));
    assert_true(equal(v[0].shape.children[0].b, 0.0005, 0.001, 0.0065));
    assert_int_equal(v[0].shape.children[2].kind, BL_SHAPE_UNION);
    assert_int_equal(v[0].shape.children[2].children[1].kind, BL_SHAPE_CAPSULE);
    assert_true(equal(v[0].shape.rotate, 0, acos(0.5) / 2, 0));
    assert_true(equal(v[0].shape.scale, 2, 2, 2) && equal(v[0].shape.translate, 0, 0, 0.005));
    assert_int_equal(v[0].filling, BL_FILL_JITTERED);
    assert_true(v[0].jitter == 0.1 && v[0].seed == 7 && v[1].jitter == 0 && v[1].seed == 3);
    assert_true(equal(v[1].velocity, 0.001, 0.002, 0.003));
    assert_true(equal(v[1].angular_velocity, 0, 0, acos(-1)));
    assert_true(v[2].shape.radius == 0.004 && v[2].shape.radius2 == 0.001 && equal(v[2].shape.b, 0, 0, 1));
    assert_int_equal(v[4].shape.kind, BL_SHAPE_INTERSECTION);
    assert_int_equal(v[5].shape.kind, BL_SHAPE_MESH);
    assert_int_equal(v[5].shape.file[0], '/');
    assert_true(bl_file_exists(v[5].shape.file));
    assert_int_equal(scene->boundaries[0].shapes[0].kind, BL_SHAPE_PLANE);
    assert_true(scene->boundaries[0].shapes[0].radius == 0.02);
    assert_true(scene->domain.periodic[0] && !scene->domain.periodic[1] && scene->domain.bounded);
    assert_int_equal(scene->output.formats, BL_FORMAT_VTU | BL_FORMAT_VTKHDF);
    assert_int_equal(scene->boundaries[0].contact_fluid, 1);
    assert_true(equal(scene->boundaries[0].color, 1, 128 / 255.0, 0));
    bl_scene_destroy(scene);
}

static void test_plane_scene(void **state) {
    fixture *f = *state;
    bl_scene *scene = load_file(f, BL_TEST_DATA "/scenes/two_dimensions.yaml");
    assert_int_equal(f->warnings, 0);
    assert_int_equal(scene->dimension, 2);
    assert_true(equal(bl_curve_at3(&scene->gravity, 0), 0, -9.81, 0));
    assert_true(equal(scene->fluids[0].volumes[0].shape.b, 0.01, 0.02, 0));
    assert_true(scene->fluids[0].volumes[1].shape.b.z > 0);
    bl_scene_destroy(scene);
}

static void test_curves(void **state) {
    fixture *f = *state;
    bl_scene *scene = load_file(f, BL_TEST_DATA "/scenes/keyframes.yaml");
    const bl_curve *friction = &scene->boundaries[0].friction, *velocity = &scene->boundaries[0].velocity;
    static const double rows[][2] = {{-1, 0.4},   {0, 0.4},   {0.1, 0.3}, {0.2, 0.2},
                                     {0.3, 0.15}, {0.4, 0.1}, {9, 0.1},   {1e300, 0.1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(near(bl_curve_at(friction, rows[i][0]), rows[i][1]));
    assert_false(bl_curve_is_constant(friction));
    assert_true(equal(bl_curve_at3(velocity, 0.5), 0.0005, 0, 0.002));
    assert_true(equal(bl_curve_at3(velocity, 2), 0.001, 0, 0.004));
    assert_true(bl_curve_is_constant(&scene->boundaries[0].angular_velocity));
    assert_true(isnan(bl_curve_at(&scene->boundaries[0].viscosity, 0)));
    assert_true(near(bl_curve_at(&scene->boundaries[0].contact_angle, 0.5), acos(0)));
    assert_true(near(bl_curve_at(&scene->fluids[0].surface_tension, 0.5), 0.05));
    bl_scene_destroy(scene);
}

/* Materials: shipped ones, own ones, included ones; the fluid's own keys win. */
static void test_materials(void **state) {
    fixture *f = *state;
    static const struct {
        const char *name;
        double density, viscosity, tension;
    } rows[] = {
        {"water", 998.2, 1.002e-3, 72.75e-3},  {"mercury", 13546, 1.554e-3, 486.5e-3},
        {"glycerol", 1261, 1.41, 63.4e-3},     {"ethanol", 789.3, 1.19e-3, 22.4e-3},
        {"soapy_water", 998.2, 1.0e-3, 25e-3}, {"galinstan", 6440, 2.4e-3, 535e-3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        bl_scene *scene;
        snprintf(text, sizeof text,
                 "spacing: 1 mm\ntime: {end: 1}\nfluids: {a: {material: %s, volumes: [{sphere: "
                 "{radius: 1}}]}}\n",
                 rows[i].name);
        assert_int_equal(load(f, text, NULL, &scene), BL_OK);
        const bl_fluid *fluid = &scene->fluids[0];
        assert_true(near(fluid->density, rows[i].density) && near(fluid->viscosity, rows[i].viscosity));
        assert_true(near(bl_curve_at(&fluid->surface_tension, 0), rows[i].tension));
        bl_scene_destroy(scene);
    }
}

static void test_includes(void **state) {
    fixture *f = *state;
    bl_scene *scene = load_file(f, BL_TEST_DATA "/scenes/includes.yaml");
    assert_int_equal(scene->fluid_count, 3);
    assert_true(scene->spacing == 0.5e-3);                       /* from the included file */
    assert_true(scene->time.end == 2 && scene->time.cfl == 0.3); /* overridden and kept, key by key */
    for (int i = 0; i < 3; i++) {
        const bl_fluid *fluid = &scene->fluids[i];
        if (strcmp(fluid->name, "oil") == 0) assert_true(fluid->density == 900 && fluid->viscosity == 0.05);
        if (strcmp(fluid->name, "thick") == 0) assert_true(fluid->density == 900 && fluid->viscosity == 0.5);
        if (strcmp(fluid->name, "hg") == 0) assert_true(fluid->density == 13546);
    }
    bl_scene_destroy(scene);
    forget(f);
    assert_int_equal(bl_scene_load(f->ctx, BL_TEST_DATA "/scenes/parts/cycle.yaml", NULL, 0, &scene), BL_ERR_DATA);
    assert_non_null(strstr(f->log, "cycle2.yaml:1:10: error: include: 'cycle.yaml' includes itself\n"));
}

static void test_overrides(void **state) {
    fixture *f = *state;
    static const char *const overrides[] = {
        "fluids.water.volumes[0].sphere.radius=3 mm",
        "time={end: 2 s, frames_per_second: 10}",
        "time.end = 4 s",
        "look.background=sky",
        "gravity=[0, 0, -1.62 m/s^2]",
        "boundaries.glass.friction={keyframes: [[0 s, 1], [1 s, 0]]}",
        "name=a: b",
        "name=\"x = y\"",
    };
    bl_scene *scene;
    bl_status status = bl_scene_load(f->ctx, BL_SOURCE_DIR "/scenes/drop.yaml", overrides, 8, &scene);
    if (status != BL_OK) fail_msg("%s", f->log);
    assert_true(scene->fluids[0].volumes[0].shape.radius == 0.003);
    assert_true(scene->time.end == 4 && scene->time.frames_per_second == 10 && scene->time.max_step == 0);
    assert_string_equal(scene->look.background, "sky");
    assert_true(equal(bl_curve_at3(&scene->gravity, 0), 0, 0, -1.62));
    assert_true(near(bl_curve_at(&scene->boundaries[0].friction, 0.5), 0.5));
    assert_string_equal(scene->name, "x = y");
    bl_scene_destroy(scene);
}

/* The page in docs/ is what the key table says. */
static void test_reference(void **state) {
    fixture *f = *state;
    char *page, *made = bl_scene_reference(f->ctx);
    assert_non_null(made);
    assert_int_equal(bl_file_read(f->ctx, BL_SOURCE_DIR "/docs/scene-reference.md", &page, NULL), BL_OK);
    if (strcmp(page, made) != 0)
        fail_msg("docs/scene-reference.md is out of date: beadlet new --reference > docs/scene-reference.md");
    bl_release(f->ctx, page);
    bl_free_string(f->ctx, made);
}

/* A quality's keys win over the scene's, overrides over both; a quality that is not there is told. */
static void test_qualities(void **state) {
    static const char text[] = "spacing: 1 mm\ntime: {end: 1 s, cfl: 0.3}\n"
                               "qualities: {paper: {spacing: 0.1 mm, time: {end: 5 s}}}\n"
                               "fluids: {water: {density: 1000, volumes: [{sphere: {radius: 2 mm}}]}}\n";
    fixture *f = *state;
    bl_scene *scene;
    assert_int_equal(load(f, text, NULL, &scene), BL_OK);
    assert_true(scene->spacing == 1e-3 && scene->time.end == 1);
    bl_scene_destroy(scene);
    const char *overrides[] = {"time.end=7 s", "quality=paper"};
    assert_int_equal(bl_scene_load_text(f->ctx, text, strlen(text), "test.yaml", overrides, 2, &scene), BL_OK);
    assert_true(scene->spacing == 1e-4 && scene->time.end == 7 && scene->time.cfl == 0.3);
    bl_scene_destroy(scene);
    assert_int_equal(load(f, text, "quality=papr", &scene), BL_ERR_DATA);
    assert_non_null(strstr(f->log, "quality: there is no 'papr' in `qualities`; known are paper"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_round_trip),
        TEST(test_default_scene),
        TEST(test_shapes),
        TEST(test_plane_scene),
        TEST(test_curves),
        TEST(test_materials),
        TEST(test_includes),
        TEST(test_overrides),
        TEST(test_reference),
        TEST(test_qualities),
        TEST(test_kernels_of_a_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
