/* Every kind of mistake in a scene: the place, the words, the caret, the status. */
#include "scene_log.h"

#include <stdlib.h>

#define HEAD "spacing: 1 mm\ntime: {end: 1 s}\n"
#define WATER "fluids: {water: {density: 1000, volumes: [{sphere: {radius: 5 mm}}]}}\n"
#define GLASS(keys) HEAD WATER "boundaries: {glass: {" keys ", shapes: [{plane: {normal: [0, 0, 1]}}]}}\n"
#define VOLUME(shape) HEAD "fluids: {water: {density: 1000, volumes: [" shape "]}}\n"

typedef struct row {
    const char *text, *expected; /* the whole first line of the only message */
} row;

static void check(fixture *f, const row *rows, size_t count, bl_status status) {
    for (size_t i = 0; i < count; i++) {
        bl_scene *scene;
        bl_status found = load(f, rows[i].text, NULL, &scene);
        size_t length = strlen(rows[i].expected);
        bool right = f->errors == 1 && strncmp(f->log, rows[i].expected, length) == 0 && f->log[length] == '\n';
        if (!right) fail_msg("%s\nexpected: %s\nfound: %s", rows[i].text, rows[i].expected, f->log);
        assert_null(scene);
        assert_int_equal(found, status);
        assert_string_equal(bl_context_error(f->ctx), "1 error in test.yaml");
    }
}
#define CHECK(rows, status) check(*state, rows, sizeof rows / sizeof *rows, status)

static void test_keys(void **state) {
    static const row rows[] = {
        {HEAD WATER "gravty: [0, 0, 0]\n",
         "test.yaml:4:1: error: unknown key 'gravty' in the scene; did you mean 'gravity'?"},
        {HEAD "fluids:\n  water:\n    denstiy: 998\n    volumes: [{sphere: {radius: 5 mm}}]\n",
         "test.yaml:5:5: error: unknown key 'denstiy' in fluids.water; did you mean 'density'?"},
        {HEAD WATER "look: {xylophone: 1}\n",
         "test.yaml:4:8: error: unknown key 'xylophone' in look; known are background, ground, exposure"},
        {VOLUME("{sphere: {radius: 1, centre: [0, 0, 0]}}"),
         "test.yaml:3:64: error: unknown key 'centre' in fluids.water.volumes[0].sphere; did you mean 'center'?"},
        {GLASS("friction: {keyframe: [[0, 1]]}"), "test.yaml:4:33: error: unknown key 'keyframe' in "
                                                  "boundaries.glass.friction; did you mean 'keyframes'?"},
        {"time: {end: 1 s}\n" WATER,
         "test.yaml:1:1: error: missing key 'spacing' in the scene; expected something like 'spacing: 0.5 mm'"},
        {HEAD "fluids:\n  water: {volumes: [{sphere: {radius: 5 mm}}]}\n",
         "test.yaml:4:3: error: missing key 'density' in fluids.water; expected something like 'density: 998 kg/m^3'"},
        {HEAD WATER "spacing: 2 mm\n", "test.yaml:4:1: error: duplicate key 'spacing' (first in line 1)"},
        {HEAD "fluids:\n  a: &w {density: 1, volumes: [{sphere: {radius: 1}}]}\n  a: *w\n",
         "test.yaml:5:3: error: duplicate key 'a' (first in line 4)"},
        {HEAD WATER "boundaries: {water: {shapes: [{sphere: {radius: 1}}]}}\n",
         "test.yaml:4:14: error: duplicate name 'water': a fluid and a boundary cannot have the same"},
        {HEAD WATER "boundaries: {a/b: {shapes: [{sphere: {radius: 1}}]}}\n",
         "test.yaml:4:14: error: boundaries: the name 'a/b' must be 1 to 64 letters, digits, '_', '-' or '+'; files "
         "are named after it"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_types(void **state) {
    static const row rows[] = {
        {"spacing: [1]\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:10: error: spacing: found a list, expected a length such as '0.5 mm'"},
        {"spacing: wide\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:10: error: spacing: found 'wide', expected a length such as '0.5 mm'"},
        {"spacing: .nan\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:10: error: spacing: found '.nan', expected a length such as '0.5 mm'"},
        {"spacing: -.inf\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:10: error: spacing: found '-.inf', expected a length such as '0.5 mm'"},
        {"spacing: 1e999 mm\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:10: error: spacing: found '1e999', which is too large for a number"},
        {"spacing:\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:1: error: spacing: found nothing, expected a length such as '0.5 mm'"},
        {HEAD "fluids: 3\n", "test.yaml:3:9: error: fluids: found a single value, expected a map such as '{water: "
                             "{material: water, volumes: [...]}}'"},
        {HEAD WATER "scheme: [1]\n",
         "test.yaml:4:9: error: scheme: found a list, expected a map with keys such as 'name'"},
        {HEAD WATER "seed: 1.5\n", "test.yaml:4:7: error: seed: found '1.5', expected a whole number"},
        {HEAD WATER "scheme: {warm_start: maybe}\n",
         "test.yaml:4:22: error: scheme.warm_start: found 'maybe', expected true or false"},
        {HEAD WATER "scheme: {accelerator: ncg}\n",
         "test.yaml:4:23: error: scheme.accelerator: found 'ncg', expected one of 'nncg', 'jacobi'"},
        {HEAD WATER "scheme: {order: presure_first}\n", "test.yaml:4:17: error: scheme.order: found 'presure_first', "
                                                        "expected one of 'pressure_first', 'unified', 'tension_first'"},
        {HEAD WATER "gravity: 9.81\n", "test.yaml:4:10: error: gravity: found a single value, expected a vector of "
                                       "three numbers such as '[0, 0, -9.81 m/s^2]'"},
        {HEAD WATER "gravity: [0, -9.81]\n", "test.yaml:4:10: error: gravity: found 2 numbers, expected a vector of "
                                             "three numbers such as '[0, 0, -9.81 m/s^2]'"},
        {VOLUME("{sphere: {radius: 1, center: [1 mm, 2, 3 mm]}}"),
         "test.yaml:3:79: error: fluids.water.volumes[0].sphere.center: this component has no unit while others have; "
         "give one to each, or to the last alone"},
        {GLASS("color: blue"), "test.yaml:4:29: error: boundaries.glass.color: found 'blue', expected a colour such as "
                               "'#4090d8' or [0.25, 0.55, 0.85]"},
        {GLASS("contact_fluid: oil"), "test.yaml:4:37: error: boundaries.glass.contact_fluid: found 'oil', expected "
                                      "the name of a fluid of this scene"},
        {"- 1\n", "test.yaml:1:1: error: found a list, expected a map with keys such as 'fluids'"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_units(void **state) {
    static const row rows[] = {
        {HEAD "fluids:\n  water:\n    density: 998\n    viscosity: 1.0 mm/s\n"
              "    volumes: [{sphere: {radius: 5 mm}}]\n",
         "test.yaml:6:20: error: fluids.water.viscosity: found the unit 'mm/s', expected a pressure times time such as "
         "'mPa s'"},
        {"spacing: 1 mn\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:12: error: spacing: unknown unit 'mn', expected a length such as 'mm'"},
        {"spacing: '1 kg'\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:13: error: spacing: found the unit 'kg', expected a length such as 'mm'"},
        {HEAD WATER "time_: 1\n", "test.yaml:4:1: error: unknown key 'time_' in the scene; did you mean 'time'?"},
        {GLASS("friction: 3 N"),
         "test.yaml:4:34: error: boundaries.glass.friction: found the unit 'N', expected a plain number"},
        {HEAD WATER "gravity: '[0, 0, 1] mm'\n",
         "test.yaml:4:21: error: gravity: found the unit 'mm', expected an acceleration such as 'm/s^2'"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_ranges(void **state) {
    static const row rows[] = {
        {"spacing: -1 mm\ntime: {end: 1 s}\n" WATER,
         "test.yaml:1:10: error: spacing: found '-1 mm', expected more than 0 m"},
        {"spacing: 1 mm\ntime: {end: 1 s, frames_per_second: 0}\n" WATER,
         "test.yaml:2:37: error: time.frames_per_second: found '0', expected more than 0 1/s"},
        {HEAD WATER "dimension: 4\n", "test.yaml:4:12: error: dimension: found '4', expected between 2 and 3"},
        {GLASS("contact_angle: 190 deg"),
         "test.yaml:4:37: error: boundaries.glass.contact_angle: found '190 deg', expected between 0 and 180 deg"},
        {GLASS("contact_angle: 60"), "test.yaml:4:37: error: boundaries.glass.contact_angle: found '60', expected "
                                     "between 0 and 180 deg; a bare number is in radians"},
        {GLASS("color: [0, 0, 2]"),
         "test.yaml:4:36: error: boundaries.glass.color: found '2', expected between 0 and 1"},
        {VOLUME("{sphere: {radius: 1 mm}, jitter: 0.6}"),
         "test.yaml:3:76: error: fluids.water.volumes[0].jitter: found '0.6', expected between 0 and 0.5"},
        {HEAD WATER "scheme: {tolerance: 0}\n",
         "test.yaml:4:21: error: scheme.tolerance: found '0', expected more than 0 and at most 1"},
        {HEAD WATER "scheme: {min_iterations: 5, max_iterations: 4}\n",
         "test.yaml:4:10: error: scheme: min_iterations is larger than max_iterations"},
        {HEAD WATER "scheme: {kernel: smooth, calibration: paper}\n",
         "test.yaml:4:10: error: scheme: the calibration of the paper is for its cubic kernels"},
        {"dimension: 2\n" HEAD WATER "scheme: {kernel: smooth}\n",
         "test.yaml:5:10: error: scheme: smooth kernels are for 3D scenes; a 2D scene has `cubic`"},
        {HEAD WATER "scheme: {tension: 3}\n",
         "test.yaml:4:10: error: scheme: this scheme has no coefficient of a paper; akinci2013, yang2016, pbst2022 and "
         "hyde2020 have, with `calibration: paper`"},
        {HEAD WATER "scheme: {name: akinci2013, adhesion: 3}\n",
         "test.yaml:4:28: error: scheme: found a coefficient of the method's paper, expected `calibration: paper` "
         "beside it; with `physical` the fluid's surface_tension and the walls' angles are what counts"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_keyframes(void **state) {
    static const row rows[] = {
        {GLASS("friction: {keyframes: [[0 s, 1], [2 s, 1], [1 s, 1]]}"),
         "test.yaml:4:66: error: boundaries.glass.friction.keyframes: keyframes out of order: the time '1 s' is not "
         "after the one before"},
        {GLASS("friction: {keyframes: []}"),
         "test.yaml:4:44: error: boundaries.glass.friction: expected a list of keyframes [time, value]"},
        {GLASS("friction: {keyframes: [[0 s]]}"),
         "test.yaml:4:45: error: boundaries.glass.friction.keyframes: a keyframe is a pair [time, value]"},
        {GLASS("friction: {keyframes: [[0 m, 1]]}"), "test.yaml:4:48: error: boundaries.glass.friction.keyframes: "
                                                     "found the unit 'm', expected a time such as 'ms'"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_shapes(void **state) {
    static const row rows[] = {
        {HEAD "fluids: {water: {density: 1000, volumes: []}}\n",
         "test.yaml:3:42: error: fluids.water.volumes: empty; at least one shape is needed, such as '[{sphere: "
         "{center: [0, 0, 2 mm], radius: 2 mm}}]'"},
        {HEAD "fluids: {water: {density: 1000}}\n",
         "test.yaml:3:10: error: missing key 'volumes' in fluids.water; expected something like 'volumes: [{sphere: "
         "{center: [0, 0, 2 mm], radius: 2 mm}}]'"},
        {VOLUME("{velocity: [0, 0, 0]}"), "test.yaml:3:43: error: fluids.water.volumes[0]: no shape in this item; "
                                          "expected one such as '{sphere: {radius: 2 mm}}'"},
        {VOLUME("{sphere: {radius: 1}, box: {min: [0, 0, 0], max: [1, 1, 1]}}"),
         "test.yaml:3:65: error: fluids.water.volumes[0]: 'box' beside 'sphere'; an item is one shape"},
        {VOLUME("{box: {min: [0, 0, 0], size: [1, 1, 1]}}"),
         "test.yaml:3:66: error: fluids.water.volumes[0].box: min and max contradict center and size; give one pair"},
        {VOLUME("{box: {min: [0, 0, 0], max: [1, 0, 1]}}"),
         "test.yaml:3:66: error: fluids.water.volumes[0].box: max must be larger than min in every direction"},
        {VOLUME("{plane: {normal: [0, 0, 1]}}"),
         "test.yaml:3:44: error: fluids.water.volumes[0]: a plane has no inside that could be filled; use a box or a "
         "half_space"},
        {VOLUME("{half_space: {normal: [0, 0, 1]}}"),
         "test.yaml:3:44: error: fluids.water.volumes[0]: this volume is infinitely large; cut it with an "
         "intersection"},
        {VOLUME("{torus: {axis: [0, 0, 0], major: 2, minor: 1}}"),
         "test.yaml:3:58: error: fluids.water.volumes[0].torus.axis: a direction cannot be the zero vector"},
        {VOLUME("{capsule: {from: [1, 1, 1], to: [1, 1, 1], radius: 1}}"),
         "test.yaml:3:71: error: fluids.water.volumes[0].capsule: from and to are the same point"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_contradictions(void **state) {
    static const row rows[] = {
        {GLASS("contact_angle: 60 deg, boundary_vapor: 1 N/m"),
         "test.yaml:4:45: error: boundaries.glass: contact_angle and the energies boundary_vapor, boundary_fluid "
         "contradict each other; give one of both"},
        {GLASS("boundary_fluid: 1 N/m"),
         "test.yaml:4:22: error: boundaries.glass: boundary_vapor and boundary_fluid are needed together"},
        {HEAD WATER "domain: {periodic: x}\n", "test.yaml:4:10: error: domain: periodic directions need min and max"},
        {HEAD WATER "domain: {min: [0, 0, 0]}\n", "test.yaml:4:10: error: domain: min and max are needed together"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_syntax(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {"a: [1, 2\nb: 3\n", "a: {b: 1\n",        "a: 'x\n",         "\ta: 1\n b: 2\n",
                                        "a: *x\n",          "a: 1\n---\nb: 2\n", "? {a: 1}\n: 2\n", "a: 1\nb",
                                        "name: \"\\q\"\n",  "a: \x01\n",         "a: \xff\xfe\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bl_scene *scene;
        assert_int_equal(load(f, texts[i], NULL, &scene), BL_ERR_DATA);
        assert_null(scene);
        if (f->errors == 0 || strncmp(f->log, "test.yaml:", 10) != 0) fail_msg("%s: %s", texts[i], f->log);
    }
    bl_scene *scene;
    load(f, "a: [1, 2\nb: 3\n", NULL, &scene);
    assert_string_equal(f->log,
                        "test.yaml:2:5: error: syntax: flow sequence without a closing bracket\n  b: 3\n      ^\n");
}

/* Small texts that would grow without bounds. */
static void test_bombs(void **state) {
    fixture *f = *state;
    bl_scene *scene;
    static char text[20000];
    memset(text, '[', 10000);
    assert_int_equal(load(f, text, NULL, &scene), BL_ERR_DATA);

    size_t used = (size_t)sprintf(text, "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1]\n");
    for (int i = 1; i < 20; i++)
        used += (size_t)sprintf(text + used, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i,
                                i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    assert_int_equal(load(f, text, NULL, &scene), BL_ERR_DATA);
    assert_non_null(strstr(f->log, "error: the scene is too large"));

    char *large = calloc(1, (9 << 20) + 1);
    memset(large, ' ', 9 << 20);
    assert_int_equal(load(f, large, NULL, &scene), BL_ERR_DATA);
    free(large);

    /* More mistakes than are kept: the rest is counted. */
    used = 0;
    for (int i = 0; i < 300; i++) used += (size_t)sprintf(text + used, "k%d: 1\n", i);
    assert_int_equal(load(f, text, NULL, &scene), BL_ERR_DATA);
    assert_int_equal(f->errors, 101);
    assert_non_null(strstr(f->log, "test.yaml: error: and 203 more\n"));
    assert_string_equal(bl_context_error(f->ctx), "303 errors in test.yaml");
}

/* All errors of a file in one run, in its order, each with its line and a caret. */
static void test_all_at_once(void **state) {
    fixture *f = *state;
    bl_scene *scene;
    assert_int_equal(load(f,
                          "spacing: 0 mm\ntime: {end: 1 kg}\n" WATER "boundaries:\n  glass: {layer: 2, shapes: []}\n",
                          NULL, &scene),
                     BL_ERR_DATA);
    assert_string_equal(f->log,
                        "test.yaml:1:10: error: spacing: found '0 mm', expected more than 0 m\n"
                        "  spacing: 0 mm\n"
                        "           ^~~~\n"
                        "test.yaml:2:15: error: time.end: found the unit 'kg', expected a time such as 'ms'\n"
                        "  time: {end: 1 kg}\n"
                        "                ^~\n"
                        "test.yaml:5:11: error: unknown key 'layer' in boundaries.glass; did you mean 'layers'?\n"
                        "    glass: {layer: 2, shapes: []}\n"
                        "            ^~~~~\n"
                        "test.yaml:5:29: error: boundaries.glass.shapes: empty; at least one shape is needed, such as "
                        "'[{plane: {normal: [0, 0, 1]}}]'\n"
                        "    glass: {layer: 2, shapes: []}\n"
                        "                              ^\n");
    assert_string_equal(bl_context_error(f->ctx), "4 errors in test.yaml");
}

static void test_missing_files(void **state) {
    fixture *f = *state;
    static const row rows[] = {
        {VOLUME("{mesh: {file: nix.obj}}"),
         "test.yaml:3:57: error: fluids.water.volumes[0].mesh.file: there is no file 'nix.obj'"},
        {"include: nix.yaml\n", "test.yaml:1:10: error: include: there is no file 'nix.yaml'"},
    };
    CHECK(rows, BL_ERR_NO_INPUT);
    bl_scene *scene;
    assert_int_equal(bl_scene_load(f->ctx, "nix/nix.yaml", NULL, 0, &scene), BL_ERR_NO_INPUT);
    assert_null(scene);
    assert_non_null(strstr(bl_context_error(f->ctx), "nix/nix.yaml"));
    assert_int_equal(bl_scene_load(f->ctx, ".", NULL, 0, &scene), BL_ERR_NO_INPUT); /* a folder is no scene */
    assert_non_null(strstr(bl_context_error(f->ctx), "found a folder, expected a scene file"));
    assert_int_equal(load(f, "include: nix.yaml\nspacing: -1\n", NULL, &scene), BL_ERR_DATA);
    assert_int_equal(f->errors, 2);
}

static void test_materials(void **state) {
    static const row rows[] = {
        {HEAD "fluids: {a: {material: watr, volumes: [{sphere: {radius: 1}}]}}\n",
         "test.yaml:3:24: error: unknown material 'watr'; did you mean 'water'?"},
        {HEAD "fluids: {a: {material: ../x, volumes: [{sphere: {radius: 1}}]}}\n",
         "test.yaml:3:24: error: unknown material '../x'"},
        {HEAD WATER "materials: {oil: {densty: 1}}\n",
         "test.yaml:4:19: error: unknown key 'densty' in materials.oil; did you mean 'density'?"},
    };
    CHECK(rows, BL_ERR_DATA);
}

static void test_overrides(void **state) {
    fixture *f = *state;
    static const row rows[] = {
        {"fluids.water.volumes[0].sphere.radius=3 kg",
         "--set:1:41: error: fluids.water.volumes[0].sphere.radius: found the unit 'kg', expected a length such as "
         "'mm'\n  fluids.water.volumes[0].sphere.radius=3 kg\n                                          ^~\n"},
        {"fluids.water.volumes[2].x=1", "--set:1:21: error: index 2 is beyond the list, which has 1 item\n"},
        {"time.ende=3", "--set:1:6: error: unknown key 'ende' in time; did you mean 'end'?\n"},
        {"time.end", "--set:1:1: error: expected KEY=VALUE, as in 'time.end=1 s'\n"},
        {"time..end=1", "--set:1:6: error: expected a key, as in 'time.end=1 s'\n"},
        {"time[0]=1", "--set:1:5: error: there is no list here to take item 0 of\n"},
        {"spacing.x=1", "--set:1:9: error: there is no map here that could have a key 'x'\n"},
        {"fluids.water.volumes[x]=1", "--set:1:21: error: an index is a number in brackets, such as [0]\n"},
        {"fluids.water.volumes[0]x=1", "--set:1:24: error: expected '.', '[' or '='\n"},
        {"spacing=[1", "--set:1:11: error: syntax: flow sequence without a closing bracket\n"},
        {"include=x",
         "--set:1:1: error: include cannot be set here; files are included before overrides are applied\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bl_scene *scene;
        assert_int_equal(load(f, HEAD WATER, rows[i].text, &scene), BL_ERR_DATA);
        if (strncmp(f->log, rows[i].expected, strlen(rows[i].expected)) != 0)
            fail_msg("%s\nexpected: %s\nfound: %s", rows[i].text, rows[i].expected, f->log);
    }
}

static void test_warnings(void **state) {
    fixture *f = *state;
    bl_scene *scene;
    assert_int_equal(load(f, "dimension: 2\n" VOLUME("{sphere: {center: [0, 0, 1], radius: 1}}"), NULL, &scene), BL_OK);
    assert_int_equal(f->warnings, 1);
    assert_non_null(strstr(f->log, "test.yaml:4:61: warning: fluids.water.volumes[0].sphere.center: the z component "
                                   "means nothing in a 2D scene\n"));
    bl_scene_destroy(scene);
}

/* Messages of other modules about a place in the scene. */
static void test_places(void **state) {
    fixture *f = *state;
    bl_pos pos = {"nowhere.yaml", 3, 7}, none = {NULL, 0, 0};
    assert_int_equal(bl_scene_fail(f->ctx, BL_ERR_DATA, pos, "fluid '%s' is empty", "water"), BL_ERR_DATA);
    assert_string_equal(bl_context_error(f->ctx), "nowhere.yaml:3:7: error: fluid 'water' is empty");
    bl_scene_warn(f->ctx, none, "coarse");
    assert_string_equal(f->log, "warning: coarse\n");
    forget(f);
    bl_pos real_place = {BL_SOURCE_DIR "/scenes/drop.yaml", 3, 1};
    bl_scene_warn(f->ctx, real_place, "coarse");
    assert_non_null(strstr(f->log, "drop.yaml:3:1: warning: coarse\n  spacing: 0.25 mm\n  ^\n"));
}

typedef struct stingy {
    int left, live;
} stingy;

static void *stingy_alloc(void *user, size_t size) {
    stingy *s = user;
    if (s->left-- <= 0) return NULL;
    s->live++;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void stingy_release(void *user, void *memory) {
    ((stingy *)user)->live -= memory != NULL;
    free(memory);
}

/* Out of memory at every single allocation: an error, and nothing is kept. */
static void test_out_of_memory(void **state) {
    (void)state;
    bl_status status = BL_ERR_MEMORY;
    int limit = 0;
    for (; status != BL_OK && limit < 1000; limit++) {
        stingy s = {1 << 20, 0};
        bl_context_def def = bl_default_context_def();
        def.allocator = (bl_allocator){stingy_alloc, stingy_release, &s};
        bl_context *ctx;
        bl_scene *scene;
        assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
        int before = s.live;
        s.left = limit;
        status = bl_scene_load_text(ctx, HEAD WATER, strlen(HEAD WATER), "test.yaml", NULL, 0, &scene);
        assert_true(status == BL_OK || status == BL_ERR_MEMORY);
        assert_true((scene != NULL) == (status == BL_OK));
        bl_scene_destroy(scene);
        assert_int_equal(s.live, before);
        bl_context_destroy(ctx);
    }
    assert_int_equal(status, BL_OK);
    assert_true(limit > 5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_keys),      TEST(test_types),       TEST(test_units),     TEST(test_ranges),
        TEST(test_keyframes), TEST(test_shapes),      TEST(test_syntax),    TEST(test_contradictions),
        TEST(test_bombs),     TEST(test_all_at_once), TEST(test_materials), TEST(test_missing_files),
        TEST(test_overrides), TEST(test_warnings),    TEST(test_places),    TEST(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
