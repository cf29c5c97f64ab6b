/* Surfaces at walls: flat, not below the wall, no gap, sharp contact lines. */
#include "surface_support.h"

static int setup(void **state) { return bl_context_create(NULL, (bl_context **)state) == BL_OK ? 0 : -1; }
static int teardown(void **state) {
    bl_context_destroy(*state);
    return 0;
}

/* Boundary particles; their normals stand in place of velocities. */
typedef struct walls {
    cloud at;
} walls;

static void walls_add(walls *w, const double x[3], const double n[3]) {
    cloud_add(&w->at, x[0], x[1], x[2], 0);
    w->at.v[w->at.count - 1] = bl_v3_make((real)n[0], (real)n[1], (real)n[2]);
}

/* A square sheet of boundary particles spanned by u and v, `layers` deep against the normal u x v. */
static void walls_add_sheet(walls *w, const double from[3], const double u[3], const double v[3], int nu, int nv,
                            int layers) {
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (int k = 0; k < layers; k++)
        for (int j = 0; j <= nv; j++)
            for (int i = 0; i <= nu; i++) {
                double x[3];
                for (int a = 0; a < 3; a++) x[a] = from[a] + i * u[a] + j * v[a] - k * n[a];
                walls_add(w, x, n);
            }
}

static void walls_add_floor(walls *w, int half, int layers) {
    const double from[3] = {-half, -half, 0}, u[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    walls_add_sheet(w, from, u, v, 2 * half, 2 * half, layers);
}

static bl_surface_mesh build(bl_context *ctx, const cloud *c, const walls *w) {
    bl_surface_input input = cloud_input(c);
    input.wall_count = w->at.count, input.wall_x = w->at.x, input.wall_normal = w->at.v;
    bl_surface_mesh mesh;
    if (bl_surface_build(ctx, &input, &mesh)) fail_msg("%s", bl_context_error(ctx));
    assert_sound(&mesh);
    return mesh;
}

/* Area of the triangles that lie on walls. */
static double wet_area(const bl_surface_mesh *m) {
    bl_surface_mesh wall = *m;
    double area = 0.0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        bool on_wall = true;
        for (int i = 0; i < 3; i++) {
            const uint8_t kind = m->kind[m->triangle[3 * t + (size_t)i]];
            on_wall &= kind == BL_SURFACE_WALL || kind == BL_SURFACE_CONTACT;
        }
        wall.triangle = m->triangle + 3 * t, wall.triangle_count = 1;
        if (on_wall) area += bl_surface_mesh_area(&wall);
    }
    return area;
}

/* A block of fluid on a floor, its first layer at various heights: the mesh ends on the floor. */
static void test_block_on_floor(void **state) {
    const double heights[] = {0.3, 0.5, 0.8};
    for (int k = 0; k < 6; k++) {
        const double height = heights[k % 3], half[3] = {10, 10, 5}, center[3] = {0, 0, 4.5 + height};
        const double shift[3] = {0.5, 0.5, 0.5};
        cloud c = {0};
        walls w = {0};
        cloud_fill(&c, box, half, center, shift, 0.05, 0);
        walls_add_floor(&w, 16, k < 3 ? 1 : 3);
        bl_surface_mesh mesh = build(*state, &c, &w);
        assert_int_equal(euler_characteristic(&mesh), 2);
        size_t contacts = 0;
        for (size_t v = 0; v < mesh.vertex_count; v++) {
            const double z = (double)mesh.x[v].z;
            const double reach = fmax(fabs((double)mesh.x[v].x), fabs((double)mesh.x[v].y));
            assert_true(z > -0.02);
            if (mesh.kind[v] == BL_SURFACE_FREE) continue;
            assert_true(fabs(z) < 0.02);
            if (mesh.kind[v] != BL_SURFACE_CONTACT) continue;
            contacts++;
            assert_true(reach < 10.6); /* the corners of the block are rounded */
        }
        assert_true(contacts > 100);
        assert_relative(wet_area(&mesh), 400.0, 0.05, "wet area");
        /* The gap below the first layer is filled, or the overlap cut off. */
        assert_relative(bl_surface_mesh_volume(&mesh), (double)c.count + 400.0 * (height - 0.5), 0.015, "volume");
        bl_surface_mesh_clear(*state, &mesh);
        cloud_free(&c);
        cloud_free(&w.at);
    }
}

/* Half a ball on a plane that is not aligned with the grid: contact circle and volume. */
static void test_cap_on_slope(void **state) {
    const double angle = 0.4, u[3] = {cos(angle), 0, sin(angle)}, v[3] = {0, 1, 0}, n[3] = {-u[2], 0, u[0]};
    cloud c = {0};
    walls w = {0};
    for (int k = 0; k < 12; k++)
        for (int j = -12; j <= 12; j++)
            for (int i = -12; i <= 12; i++) {
                const double p[3] = {i + 0.2, j + 0.3, k + 0.5};
                if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 100.0) continue;
                double x[3];
                for (int a = 0; a < 3; a++) x[a] = p[0] * u[a] + p[1] * v[a] + p[2] * n[a];
                cloud_add(&c, x[0], x[1], x[2], 0);
            }
    const double from[3] = {-16 * u[0], -16, -16 * u[2]};
    walls_add_sheet(&w, from, u, v, 32, 32, 1);
    bl_surface_mesh mesh = build(*state, &c, &w);
    assert_int_equal(euler_characteristic(&mesh), 2);
    assert_relative(bl_surface_mesh_volume(&mesh), (double)c.count, 0.01, "volume");
    double radius = 0.0;
    size_t contacts = 0;
    for (size_t k = 0; k < mesh.vertex_count; k++) {
        const bl_vec3d x = bl_v3d_from(mesh.x[k]);
        const double height = x.x * n[0] + x.y * n[1] + x.z * n[2];
        assert_true(height > -0.02);
        if (mesh.kind[k] != BL_SURFACE_FREE) assert_true(fabs(height) < 0.02);
        if (mesh.kind[k] == BL_SURFACE_CONTACT) radius += bl_v3d_norm(x), contacts++;
    }
    assert_relative(radius / (double)contacts, 10.0, 0.02, "contact radius");
    assert_relative(wet_area(&mesh), PI * 100.0, 0.04, "wet area");
    bl_surface_mesh_clear(*state, &mesh);
    cloud_free(&c);
    cloud_free(&w.at);
}

/* Fluid in the corner of a box: it reaches into the corner and does not come through the walls. */
static void test_inner_corner(void **state) {
    const double half[3] = {5, 5, 5}, center[3] = {5, 5, 5}, shift[3] = {0.5, 0.5, 0.5}, corner[3] = {0, 0, 0};
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    cloud c = {0};
    walls w = {0};
    cloud_fill(&c, box, half, center, shift, 0.05, 0);
    walls_add_sheet(&w, corner, x, y, 20, 20, 1);
    walls_add_sheet(&w, corner, y, z, 20, 20, 1);
    walls_add_sheet(&w, corner, z, x, 20, 20, 1);
    bl_surface_mesh mesh = build(*state, &c, &w);
    assert_int_equal(euler_characteristic(&mesh), 2);
    double nearest = 100.0;
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        const bl_vec3d p = bl_v3d_from(mesh.x[v]);
        assert_true(p.x > -0.05 && p.y > -0.05 && p.z > -0.05);
        nearest = fmin(nearest, bl_v3d_norm(p));
    }
    assert_true(nearest < 0.87); /* the diagonal of a cell: edges between walls are bevelled by that */
    assert_relative(bl_surface_mesh_volume(&mesh), (double)c.count, 0.015, "volume");
    bl_surface_mesh_clear(*state, &mesh);
    cloud_free(&c);
    cloud_free(&w.at);
}

/* A thin plate with fluid on both sides, its particles all facing up: two bodies of fluid, none of them lost. */
static void test_sheet_between_fluids(void **state) {
    const double half[3] = {8, 8, 3}, above[3] = {0, 0, 3.5}, below[3] = {0, 0, -3.5}, shift[3] = {0.5, 0.5, 0.5};
    cloud c = {0};
    walls w = {0};
    cloud_fill(&c, box, half, above, shift, 0.0, 0);
    cloud_fill(&c, box, half, below, shift, 0.0, 0);
    walls_add_floor(&w, 14, 1);
    bl_surface_mesh mesh = build(*state, &c, &w);
    assert_int_equal(euler_characteristic(&mesh), 4);
    assert_relative(bl_surface_mesh_volume(&mesh), (double)c.count, 0.12, "volume");
    bl_surface_mesh_clear(*state, &mesh);
    cloud_free(&c);
    cloud_free(&w.at);
}

/* A drop in the air above a floor keeps off it. */
static void test_drop_above_floor(void **state) {
    const double radii[3] = {6, 6, 6}, center[3] = {0, 0, 8.5}, shift[3] = {0.3, 0.2, 0.1};
    cloud c = {0};
    walls w = {0};
    cloud_fill(&c, ellipsoid, radii, center, shift, 0.0, 0);
    walls_add_floor(&w, 12, 1);
    bl_surface_mesh mesh = build(*state, &c, &w);
    for (size_t v = 0; v < mesh.vertex_count; v++) assert_int_equal(mesh.kind[v], BL_SURFACE_FREE);
    assert_relative(bl_surface_mesh_volume(&mesh), (double)c.count, 0.01, "volume");
    bl_surface_mesh_clear(*state, &mesh);
    cloud_free(&c);
    cloud_free(&w.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_block_on_floor, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cap_on_slope, setup, teardown),
        cmocka_unit_test_setup_teardown(test_inner_corner, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sheet_between_fluids, setup, teardown),
        cmocka_unit_test_setup_teardown(test_drop_above_floor, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
