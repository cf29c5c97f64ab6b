/* Several fluids: one closed mesh each, whose interfaces are the same surface. */
#include "geometry/bvh.h"
#include "surface_support.h"

static int setup(void **state) { return bl_context_create(NULL, (bl_context **)state) == BL_OK ? 0 : -1; }
static int teardown(void **state) {
    bl_context_destroy(*state);
    return 0;
}

static void build(bl_context *ctx, const cloud *c, int phases, bl_surface_mesh *mesh) {
    bl_surface_input input = cloud_input(c);
    input.phase = c->phase, input.phase_count = phases;
    if (bl_surface_build(ctx, &input, mesh)) fail_msg("%s", bl_context_error(ctx));
    for (int k = 0; k < phases; k++) assert_sound(&mesh[k]);
}

/* Largest distance from a vertex of `a` of this kind, up to `radius` from the origin, to the mesh `b`. */
static double kind_gap(const bl_surface_mesh *a, const bl_surface_mesh *b, bl_surface_kind kind, double radius) {
    double largest = 0.0;
    for (size_t i = 0; i < a->vertex_count; i++) {
        const bl_vec3d x = bl_v3d_from(a->x[i]);
        if (a->kind[i] != kind || bl_v3d_norm(x) > radius) continue;
        double nearest = 1e9;
        for (size_t t = 0; t < b->triangle_count; t++) {
            const uint32_t *v = &b->triangle[3 * t];
            const bl_vec3d p = bl_v3d_from(b->x[v[0]]);
            if (bl_v3d_norm2(bl_v3d_sub(p, x)) > (nearest + 2.0) * (nearest + 2.0)) continue;
            const bl_vec3d q = bl_triangle_closest(p, bl_v3d_from(b->x[v[1]]), bl_v3d_from(b->x[v[2]]), x);
            nearest = fmin(nearest, bl_v3d_norm(bl_v3d_sub(q, x)));
        }
        largest = fmax(largest, nearest);
    }
    return largest;
}

static double interface_gap(const bl_surface_mesh *a, const bl_surface_mesh *b, double radius) {
    return kind_gap(a, b, BL_SURFACE_INTERFACE, radius);
}

static size_t count_kind(const bl_surface_mesh *mesh, bl_surface_kind kind) {
    size_t n = 0;
    for (size_t i = 0; i < mesh->vertex_count; i++) n += mesh->kind[i] == kind;
    return n;
}

static size_t count_phase(const cloud *c, uint32_t phase) {
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++) n += c->phase[i] == phase;
    return n;
}

static void clear(bl_context *ctx, cloud *c, bl_surface_mesh *mesh, int phases) {
    for (int k = 0; k < phases; k++) bl_surface_mesh_clear(ctx, &mesh[k]);
    cloud_free(c);
}

static void test_two_halves(void **state) {
    const double radii[3] = {9, 9, 9}, origin[3] = {0, 0, 0}, shift[3] = {0.3, 0.2, 0.4};
    cloud c = {0};
    cloud_fill(&c, ellipsoid, radii, origin, shift, 0.1, 0);
    for (size_t i = 0; i < c.count; i++) c.phase[i] = (double)c.x[i].x + 0.3 * (double)c.x[i].y > 0.0;
    bl_surface_mesh mesh[2];
    build(*state, &c, 2, mesh);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(euler_characteristic(&mesh[k]), 2);
        assert_relative(bl_surface_mesh_volume(&mesh[k]), (double)count_phase(&c, (uint32_t)k), 0.02, "volume");
    }
    assert_relative(bl_surface_mesh_volume(&mesh[0]) + bl_surface_mesh_volume(&mesh[1]), (double)c.count, 0.01, "sum");
    for (int k = 0; k < 2; k++) {
        assert_true(interface_gap(&mesh[k], &mesh[1 - k], 6.0) < 0.02);
        /* up to the line where both meet the air, and on it */
        assert_true(interface_gap(&mesh[k], &mesh[1 - k], 99.0) < 0.08);
        assert_true(kind_gap(&mesh[k], &mesh[1 - k], BL_SURFACE_SEAM, 99.0) < 0.25);
        assert_true(count_kind(&mesh[k], BL_SURFACE_SEAM) > 60); /* a circle of 18 pi spacings */
    }
    clear(*state, &c, mesh, 2);
}

/* A drop of one fluid inside another: the outer fluid has a cavity of the inner one's shape. */
static void test_drop_in_drop(void **state) {
    const double outer[3] = {11, 11, 11}, origin[3] = {0, 0, 0}, shift[3] = {0.3, 0.2, 0.4};
    cloud c = {0};
    cloud_fill(&c, ellipsoid, outer, origin, shift, 0.0, 0);
    for (size_t i = 0; i < c.count; i++) c.phase[i] = bl_v3_norm2(c.x[i]) < (real)30.25;
    bl_surface_mesh mesh[2];
    build(*state, &c, 2, mesh);
    assert_int_equal(euler_characteristic(&mesh[0]), 4);
    assert_int_equal(euler_characteristic(&mesh[1]), 2);
    assert_relative(bl_surface_mesh_volume(&mesh[1]), (double)count_phase(&c, 1), 0.02, "inner volume");
    assert_relative(bl_surface_mesh_volume(&mesh[0]), (double)count_phase(&c, 0), 0.01, "outer volume");
    assert_true(interface_gap(&mesh[1], &mesh[0], 99.0) < 0.01);
    clear(*state, &c, mesh, 2);
}

/* Three fluids, one of them without particles. */
static void test_empty_fluid(void **state) {
    const double radii[3] = {5, 5, 5}, left[3] = {-20, 0, 0}, right[3] = {20, 0, 0}, shift[3] = {0.3, 0.2, 0.4};
    cloud c = {0};
    cloud_fill(&c, ellipsoid, radii, left, shift, 0.0, 0);
    cloud_fill(&c, ellipsoid, radii, right, shift, 0.0, 2);
    bl_surface_mesh mesh[3];
    build(*state, &c, 3, mesh);
    assert_int_equal(mesh[1].triangle_count, 0);
    assert_relative(bl_surface_mesh_volume(&mesh[0]), bl_surface_mesh_volume(&mesh[2]), 1e-3, "volume");
    clear(*state, &c, mesh, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_two_halves, setup, teardown),
        cmocka_unit_test_setup_teardown(test_drop_in_drop, setup, teardown),
        cmocka_unit_test_setup_teardown(test_empty_fluid, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
