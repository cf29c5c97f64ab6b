/* Outlines of fluids in 2D: area, length, direction, holes, walls, two fluids, files. */
#include "base/file.h"
#include "surface/mesh_file.h"
#include "surface/outline.h"
#include "surface_support.h"

#include <stdio.h>
#include <string.h>

static int setup(void **state) { return bl_context_create(NULL, (bl_context **)state) == BL_OK ? 0 : -1; }
static int teardown(void **state) {
    bl_context_destroy(*state);
    return 0;
}

typedef struct flat {
    size_t count;
    bl_vec3 x[4000], v[4000];
    uint32_t phase[4000];
} flat;

/* A ring (or disc) of particles with spacing 1 around (0.3, 0.2), that lie above `floor`. */
static void fill(flat *f, double inner, double outer, double floor) {
    f->count = 0;
    for (int j = -30; j <= 30; j++)
        for (int i = -30; i <= 30; i++) {
            const double r = hypot(i - 0.3, j - 0.2);
            if (r < inner || r > outer || j < floor) continue;
            f->x[f->count] = bl_v3_make((real)i, (real)j, 0);
            f->v[f->count] = bl_v3_make(3, (real)i, 0);
            f->phase[f->count++] = i > 0;
        }
}

static bl_surface_input input_of(const flat *f) {
    return (bl_surface_input){.spacing = 1.0,
                              .count = f->count,
                              .x = f->x,
                              .v = f->v,
                              .phase_count = 1,
                              .options = bl_default_surface_options()};
}

static void assert_flat(const bl_surface_mesh *m) {
    assert_int_equal(m->triangle_count, 0);
    for (size_t k = 0; k < m->vertex_count; k++) {
        assert_true(m->x[k].z == 0);
        assert_true(m->normal[k].z == 0);
        assert_true(fabs((double)bl_v3_norm2(m->normal[k]) - 1.0) < 1e-5);
    }
    for (size_t l = 0; l < m->loop_count; l++) assert_true(m->loop[l + 1] >= m->loop[l] + 3);
    if (m->loop_count) assert_int_equal(m->loop[m->loop_count], m->vertex_count);
}

static void test_disc(void **state) {
    static flat f;
    fill(&f, 0, 10, -99);
    bl_surface_input input = input_of(&f);
    bl_surface_mesh m;
    assert_int_equal(bl_outline_build(*state, &input, &m), BL_OK);
    assert_flat(&m);
    assert_int_equal(m.loop_count, 1);
    assert_relative(bl_mesh_lines_area(&m), (double)f.count, 0.005, "area");
    assert_relative(bl_mesh_lines_length(&m), 2 * sqrt(3.14159265 * (double)f.count), 0.015, "length");
    for (size_t k = 0; k < m.vertex_count; k++) {
        const bl_vec3d out = bl_v3d_sub(bl_v3d_from(m.x[k]), bl_v3d_make(0.3, 0.2, 0));
        assert_true(bl_v3d_dot(out, bl_v3d_from(m.normal[k])) > 0.9 * bl_v3d_norm(out));
        assert_true(fabs((double)m.v[k].x - 3) < 1e-4);
        assert_true(fabs((double)m.v[k].y - (double)m.x[k].x) < 1.5); /* of the particles inside of the line */
    }
    bl_surface_mesh_clear(*state, &m);
}

/* The inner line runs the other way round: areas add up to that of the ring. */
static void test_ring(void **state) {
    static flat f;
    fill(&f, 7, 14, -99);
    bl_surface_input input = input_of(&f);
    bl_surface_mesh m;
    assert_int_equal(bl_outline_build(*state, &input, &m), BL_OK);
    assert_flat(&m);
    assert_int_equal(m.loop_count, 2);
    assert_relative(bl_mesh_lines_area(&m), (double)f.count, 0.01, "area");
    bl_surface_mesh_clear(*state, &m);
}

static void test_two_fluids(void **state) {
    static flat f;
    fill(&f, 0, 12, -99);
    bl_surface_input input = input_of(&f);
    bl_surface_mesh m[2];
    input.phase = f.phase, input.phase_count = 2;
    assert_int_equal(bl_outline_build(*state, &input, m), BL_OK);
    assert_relative(bl_mesh_lines_area(&m[0]) + bl_mesh_lines_area(&m[1]), (double)f.count, 0.01, "area");
    for (int k = 0; k < 2; k++) {
        size_t interface = 0;
        assert_flat(&m[k]);
        for (size_t v = 0; v < m[k].vertex_count; v++) {
            if (m[k].kind[v] != BL_SURFACE_INTERFACE) continue;
            assert_true(fabs((double)m[k].x[v].x - 0.5) < 0.1);
            interface++;
        }
        assert_true(interface > 30);
        bl_surface_mesh_clear(*state, &m[k]);
    }
}

/* On a wall half a spacing below its first layer the line is straight. */
static void test_wall(void **state) {
    static flat f;
    bl_vec3 wall[81], normal[81];
    fill(&f, 0, 10, 0);
    for (int i = 0; i < 81; i++) wall[i] = bl_v3_make((real)(i - 40), (real)-0.5, 0), normal[i] = bl_v3_make(0, 1, 0);
    bl_surface_input input = input_of(&f);
    input.wall_count = 81, input.wall_x = wall, input.wall_normal = normal;
    bl_surface_mesh m;
    assert_int_equal(bl_outline_build(*state, &input, &m), BL_OK);
    assert_flat(&m);
    size_t wet = 0;
    for (size_t v = 0; v < m.vertex_count; v++) {
        assert_true((double)m.x[v].y > -0.51);
        wet += m.kind[v] == BL_SURFACE_WALL;
        if (m.kind[v] == BL_SURFACE_WALL) assert_true(fabs((double)m.x[v].y + 0.5) < 1e-3);
    }
    assert_true(wet > 30);
    assert_relative(bl_mesh_lines_area(&m), (double)f.count, 0.015, "area");
    bl_surface_mesh_clear(*state, &m);
}

static void assert_file_has(bl_context *ctx, const char *path, const char *words) {
    char *text;
    size_t size;
    assert_int_equal(bl_file_read(ctx, path, &text, &size), BL_OK);
    if (!strstr(text, words)) fail_msg("%s does not have '%s'", path, words);
    bl_release(ctx, text);
}

static void test_files(void **state) {
    static flat f;
    fill(&f, 0, 3, -99);
    bl_surface_input input = input_of(&f);
    bl_surface_mesh m;
    char words[100];
    assert_int_equal(bl_outline_build(*state, &input, &m), BL_OK);
    assert_int_equal(bl_mesh_write_obj(*state, "test_outline.obj", &m, 0), BL_OK);
    snprintf(words, sizeof words, " %zu 1\n", m.vertex_count); /* the line ends where it began */
    assert_file_has(*state, "test_outline.obj", words);
    assert_file_has(*state, "test_outline.obj", "\nl 1 2 3 4 ");
    assert_int_equal(bl_mesh_write_ply(*state, "test_outline.ply", &m, 0), BL_OK);
    snprintf(words, sizeof words, "element edge %zu\n", m.vertex_count);
    assert_file_has(*state, "test_outline.ply", words);
    assert_int_equal(bl_mesh_write_vtp(*state, "test_outline.vtp", &m, 0), BL_OK);
    assert_file_has(*state, "test_outline.vtp", "NumberOfLines=\"1\"");
    remove("test_outline.obj");
    remove("test_outline.ply");
    remove("test_outline.vtp");
    bl_surface_mesh_clear(*state, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_disc, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ring, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_fluids, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wall, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
