/* What is told before a run about shapes: open and self-crossing meshes, liquid inside walls. */
#include "geometry/mesh.h"
#include "run/plan.h"
#include "sim_helpers.h"

#include <stdio.h>

#define TETRAHEDRON(offset) "v 0 0 " offset "\nv 10 0 " offset "\nv 0 10 " offset "\nv 3 3 9\n"
/* A tetrahedron, one without its base, and two that stand in each other. */
static const char closed[] = TETRAHEDRON("0") "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
static const char open[] = TETRAHEDRON("0") "f 1 2 4\nf 2 3 4\nf 3 1 4\n";
static const char crossing[] = TETRAHEDRON("0") "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
                                                "v 1 1 2\nv 11 1 2\nv 1 11 2\nv 4 4 12\n"
                                                "f 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n";

static void measure(const char *text, size_t *edges, size_t *crossings) {
    fixture f = {0};
    open_context(&f, 1);
    bl_mesh *mesh;
    bl_vec3d where = bl_v3d_zero();
    assert_int_equal(bl_mesh_parse(f.ctx, text, strlen(text), "test.obj", &mesh), BL_OK);
    assert_int_equal(bl_mesh_open_edges(mesh, edges), BL_OK);
    assert_int_equal(bl_mesh_crossings(mesh, crossings, &where), BL_OK);
    if (*crossings > 0) assert_true(where.x > 0 && where.x < 11 && where.z >= 0 && where.z < 12);
    bl_mesh_destroy(mesh);
    close_sim(&f);
}

static void test_meshes(void **state) {
    (void)state;
    size_t edges, crossings;
    measure(closed, &edges, &crossings);
    assert_int_equal(edges, 0);
    assert_int_equal(crossings, 0);
    measure(open, &edges, &crossings);
    assert_int_equal(edges, 3);
    assert_int_equal(crossings, 0);
    measure(crossing, &edges, &crossings);
    assert_int_equal(edges, 0);
    assert_true(crossings > 2);
}

#define HEAD                                                                                                           \
    "spacing: 0.5 mm\ntime: {end: 1 s}\nscheme: {name: ballistic}\n"                                                   \
    "fluids: {water: {density: 1000, volumes: [{sphere: {radius: 4 mm}}]}}\n"

static void assert_warning(const char *text, const char *expected) {
    fixture f;
    bl_warnings warnings = {0};
    open_sim(&f, text, 1);
    warnings.ctx = f.ctx;
    assert_int_equal(bl_find_shape_warnings(f.scene, &warnings), BL_OK);
    if (warnings.count != (*expected != 0)) fail_msg("%d warnings, not \"%s\"", warnings.count, expected);
    if (*expected && !strstr(warnings.items[0], expected)) fail_msg("%s\nlacks %s", warnings.items[0], expected);
    bl_warnings_clear(&warnings);
    close_sim(&f);
}

static void test_liquid_in_walls(void **state) {
    (void)state;
    assert_warning(HEAD "boundaries: {glass: {shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -4 mm]}}]}}\n", "");
    assert_warning(HEAD "boundaries: {glass: {shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -1 mm]}}]}}\n",
                   "fluid \"water\": 2"); /* the cap of height 2.5 mm has 25 % */
    assert_warning(HEAD "boundaries: {glass: {shapes: [{box: {min: [-9, -9, -9 mm], max: [9, 9, -0.5 mm]}}]}}\n",
                   "of the volume lie inside the boundary \"glass\" and stay empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_liquid_in_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
