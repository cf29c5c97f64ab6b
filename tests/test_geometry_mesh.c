/* Meshes: every format there and back, broken files, watertightness, nearest points, winding numbers, sampling. */
#include "geometry_fixture.h"

#include "geometry/tessellate.h"

/* --- writers, as small as can be --- */

typedef enum mesh_format { OBJ, PLY_ASCII, PLY_LITTLE, PLY_BIG, STL_ASCII, STL_BINARY, FORMAT_COUNT } mesh_format;
static const char *const extensions[] = {"obj", "ply", "ply", "ply", "stl", "stl"};

static void put(FILE *f, const void *value, size_t size, bool big) {
    const unsigned char *bytes = value;
    for (size_t i = 0; i < size; i++) fputc(bytes[big ? size - 1 - i : i], f);
}

static void put_vertex(FILE *f, bl_vec3d x, bool big) {
    const float v[3] = {(float)x.x, (float)x.y, (float)x.z};
    for (int k = 0; k < 3; k++) put(f, &v[k], 4, big);
}

static void write_ply(FILE *f, const bl_mesh *m, mesh_format format) {
    const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    fprintf(f, "ply\nformat %s 1.0\ncomment made by a test\nelement vertex %zu\n", names[format - PLY_ASCII],
            m->vertex_count);
    fprintf(f, "property float x\nproperty float y\nproperty float z\nproperty uchar red\nelement face %zu\n",
            m->triangle_count);
    fprintf(f, "property list uchar int vertex_indices\nend_header\n");
    bool text = format == PLY_ASCII, big = format == PLY_BIG;
    for (size_t i = 0; i < m->vertex_count; i++) {
        if (text)
            fprintf(f, "%.9g %.9g %.9g 7\n", m->x[i].x, m->x[i].y, m->x[i].z);
        else
            put_vertex(f, m->x[i], big), fputc(7, f);
    }
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangles[t].v;
        if (text)
            fprintf(f, "3 %u %u %u\n", v[0], v[1], v[2]);
        else
            fputc(3, f), put(f, &v[0], 4, big), put(f, &v[1], 4, big), put(f, &v[2], 4, big);
    }
}

static void write_stl(FILE *f, const bl_mesh *m, bool text) {
    char header[80] = "solid, says the header of this binary file";
    uint32_t count = (uint32_t)m->triangle_count;
    if (text)
        fprintf(f, "solid test\n");
    else
        fwrite(header, 1, 80, f), put(f, &count, 4, false);
    for (size_t t = 0; t < m->triangle_count; t++) {
        if (text)
            fprintf(f, " facet normal 0 0 0\n  outer loop\n");
        else
            put_vertex(f, v3(0, 0, 0), false);
        for (int k = 0; k < 3; k++) {
            bl_vec3d x = m->x[m->triangles[t].v[k]];
            if (text)
                fprintf(f, "   vertex %.9g %.9g %.9g\n", x.x, x.y, x.z);
            else
                put_vertex(f, x, false);
        }
        if (text)
            fprintf(f, "  endloop\n endfacet\n");
        else
            fputc(0, f), fputc(0, f);
    }
    if (text) fprintf(f, "endsolid test\n");
}

static void write_obj(FILE *f, const bl_mesh *m) {
    fprintf(f, "# made by a test\nvn 0 0 1\n");
    for (size_t i = 0; i < m->vertex_count; i++) fprintf(f, "v %.9g %.9g %.9g\r\n", m->x[i].x, m->x[i].y, m->x[i].z);
    for (size_t t = 0; t < m->triangle_count; t++) {
        const uint32_t *v = m->triangles[t].v;
        long n = (long)m->vertex_count; /* one corner counted from the end */
        fprintf(f, "f %u//1 %u/1/1 %ld\n", v[0] + 1, v[1] + 1, (long)v[2] - n);
    }
}

static void write_mesh(const char *path, const bl_mesh *m, mesh_format format) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    if (format == OBJ)
        write_obj(f, m);
    else if (format <= PLY_BIG)
        write_ply(f, m, format);
    else
        write_stl(f, m, format == STL_ASCII);
    fclose(f);
}

static bl_mesh *make_ball(bl_context *ctx, double radius, double h) {
    bl_shape shape = make_sphere(v3(0, 0, 0), radius);
    bl_solid *solid = make_solid(ctx, &shape, 3);
    bl_mesh *mesh = NULL;
    assert_int_equal(bl_tessellate(ctx, solid, h, &mesh), BL_OK);
    bl_solid_destroy(ctx, solid);
    return mesh;
}

/* --- tests --- */

static void test_round_trips(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_mesh *ball = make_ball(ctx, 2, 0.5);
    for (int format = 0; format < FORMAT_COUNT; format++) {
        char path[64];
        snprintf(path, sizeof path, "test_geometry_mesh_%d.%s", format, extensions[format]);
        write_mesh(path, ball, (mesh_format)format);
        bl_mesh *back = NULL;
        if (bl_mesh_read(ctx, path, &back) != BL_OK) fail_msg("%s", bl_context_error(ctx));
        assert_int_equal(back->triangle_count, ball->triangle_count);
        assert_true(back->watertight);
        assert_close(bl_mesh_volume(back), bl_mesh_volume(ball), 1e-4);
        assert_close(bl_mesh_area(back), 4 * PI * 4, 0.1);
        bl_mesh_destroy(back);
        remove(path);
    }
    bl_mesh_destroy(ball);
    bl_context_destroy(ctx);
}

static bl_status parse(bl_context *ctx, const char *text, const char *path, bl_mesh **out) {
    return bl_mesh_parse(ctx, text, strlen(text), path, out);
}

static void test_broken_files(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    static const struct {
        const char *path, *text, *message;
    } cases[] = {
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 zero\n", "a.obj:3: `zero`; expected a number"},
        {"a.obj", "v 0 0\n", "a.obj:1: 2 coordinates; expected 3"},
        {"a.obj", "v 0 0 nan\n", "a.obj:1: coordinate"},
        {"a.obj", "v 0 0 1e999\n", "a.obj:1: coordinate inf"},
        {"a.obj", "v 0 0 0\n\nf 1 2 3\n", "a.obj:3: vertex 2; expected 1 to 1"},
        {"a.obj", "v 0 0 0\nf 0 1 1\n", "a.obj:2: `0`; expected a vertex number"},
        {"a.obj", "v 0 0 0\nf 1 -2 1\n", "a.obj:2: vertex -2"},
        {"a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: a face of 2 vertices"},
        {"a.obj", "v 0 0 0\nf 1 1 1\n", "a.obj: no triangle with an area"},
        {"a.obj", "", "a.obj: no triangle"},
        {"a.ply", "plx\n", "a.ply:1: not a PLY file"},
        {"a.ply", "ply\nformat ascii 1.0\n", "a.ply:3: the file ends inside the header"},
        {"a.ply", "ply\nformat morse 1.0\n", "a.ply:2: format `morse`"},
        {"a.ply", "ply\nelement vertex 99999999999\n", "a.ply:2: 99999999999 items announced in a file of"},
        {"a.ply", "ply\nelement vertex -1\n", "a.ply:2: element count"},
        {"a.ply", "ply\nelement vertex 1\nproperty blob x\n", "a.ply:3: type `blob`"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
         "no element `vertex` with x, y and z"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\n"
         "property list uchar int vertex_index\nend_header\n0 0 0\n3 0 0 1\n",
         "a.ply:11: vertex 1; expected 0 to 0"},
        {"a.ply",
         "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nelement face "
         "1\n"
         "property list uchar int vertex_index\nend_header\n0 0 0\n",
         "the file ends where a number is expected"},
        {"a.ply",
         "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty double x\nproperty double y\nproperty double "
         "z\n"
         "element face 1\nproperty list uchar int vertex_index\nend_header\n0123456",
         "byte 167: the file ends inside a value"},
        {"a.stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendloop\n", "a.stl:5: a facet of 2 vertices"},
        {"a.stl", "solid\nvertex 0 0 0\n", "the file ends inside a facet"},
        {"a.stl", "short", "a.stl: byte 0: the file ends after 5 bytes"},
        {"a.txt", "hello", "unknown mesh format; expected .obj, .ply or .stl"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bl_mesh *mesh;
        assert_int_equal(parse(ctx, cases[i].text, cases[i].path, &mesh), BL_ERR_DATA);
        assert_null(mesh);
        if (!strstr(bl_context_error(ctx), cases[i].message))
            fail_msg("case %zu: `%s`, expected `%s`", i, bl_context_error(ctx), cases[i].message);
    }
    char huge[84 + 50] = "binary";
    memset(huge + 80, 0xff, 4);
    bl_mesh *mesh;
    assert_int_equal(bl_mesh_parse(ctx, huge, sizeof huge, "a.stl", &mesh), BL_ERR_DATA);
    assert_non_null(strstr(bl_context_error(ctx), "4294967295 triangles announced, but the file has room for 1"));
    bl_context_destroy(ctx);
}

static const char TETRAHEDRON[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

static void test_watertightness(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_mesh *mesh = NULL;
    assert_int_equal(parse(ctx, TETRAHEDRON, "t.obj", &mesh), BL_OK);
    assert_true(mesh->watertight);
    assert_close(bl_mesh_volume(mesh), 1.0 / 6, 1e-12);
    bl_mesh_destroy(mesh);
    /* Inside out: turned round. */
    assert_int_equal(
        parse(ctx, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n", "t.obj", &mesh), BL_OK);
    assert_close(bl_mesh_volume(mesh), 1.0 / 6, 1e-12);
    bl_mesh_destroy(mesh);
    /* One face missing, one face turned. */
    assert_int_equal(parse(ctx, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n", "t.obj", &mesh),
                     BL_OK);
    assert_false(mesh->watertight);
    bl_mesh_destroy(mesh);
    assert_int_equal(
        parse(ctx, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 3 4\n", "t.obj", &mesh), BL_OK);
    assert_false(mesh->watertight);
    bl_mesh_destroy(mesh);
    /* A polygon over two lines becomes a fan. */
    assert_int_equal(parse(ctx, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 \\\n 3 4 # square\n", "t.obj", &mesh),
                     BL_OK);
    assert_int_equal(mesh->triangle_count, 2);
    assert_close(bl_mesh_area(mesh), 1, 1e-12);
    bl_mesh_destroy(mesh);
    bl_context_destroy(ctx);
}

/* Random triangles, big and small, some without area. */
static bl_mesh *make_soup(bl_context *ctx, int count) {
    bl_mesh_builder b = {0};
    assert_int_equal(bl_mesh_create(ctx, &b.mesh), BL_OK);
    for (int t = 0; t < count; t++) {
        bl_vec3d c = draw_point((uint64_t)(10 * t), 2);
        for (int k = 1; k <= 3; k++) {
            bl_vec3d x = bl_v3d_add(c, draw_point((uint64_t)(10 * t + (t % 17 == 0 ? 1 : k)), t % 5 == 0 ? 1 : 0.1));
            assert_int_equal(bl_mesh_add_vertex(&b, x), BL_OK);
        }
        assert_int_equal(bl_mesh_add_triangle(&b, (uint32_t)(3 * t), (uint32_t)(3 * t + 1), (uint32_t)(3 * t + 2)),
                         BL_OK);
    }
    return b.mesh;
}

static void test_closest_matches_brute_force(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    for (int count = 1; count <= 1000; count = 3 * count + 1) {
        bl_mesh *soup = make_soup(ctx, count);
        bl_bvh *bvh = NULL;
        assert_int_equal(bl_bvh_create(ctx, soup, &bvh), BL_OK);
        for (uint64_t k = 0; k < 300; k++) {
            bl_vec3d x = draw_point(50000 + k, 4);
            double best = INFINITY;
            for (size_t t = 0; t < soup->triangle_count; t++) {
                const uint32_t *v = soup->triangles[t].v;
                bl_vec3d q = bl_triangle_closest(soup->x[v[0]], soup->x[v[1]], soup->x[v[2]], x);
                best = fmin(best, bl_v3d_norm(bl_v3d_sub(q, x)));
            }
            bl_hit hit = bl_bvh_closest(bvh, x, INFINITY), none = bl_bvh_closest(bvh, x, 0.999 * best);
            assert_close(hit.distance, best, 1e-12);
            assert_close(bl_v3d_norm(bl_v3d_sub(hit.x, x)), best, 1e-12);
            assert_true(none.triangle == UINT32_MAX && none.distance == 0.999 * best);
        }
        bl_bvh_destroy(bvh);
        bl_mesh_destroy(soup);
    }
    bl_context_destroy(ctx);
}

/* The nearest point of one triangle, against a fine grid of its points. */
static void test_triangle_closest(void **state) {
    (void)state;
    enum { N = 60 };
    for (uint64_t k = 0; k < 100; k++) {
        bl_vec3d a = draw_point(4 * k, 1), b = draw_point(4 * k + 1, 1), c = draw_point(4 * k + 2, 1),
                 x = draw_point(4 * k + 3, 2);
        double best = INFINITY, found = bl_v3d_norm(bl_v3d_sub(bl_triangle_closest(a, b, c, x), x));
        for (int i = 0; i <= N; i++)
            for (int j = 0; i + j <= N; j++) {
                bl_vec3d q =
                    bl_v3d_mad(bl_v3d_mad(a, (double)i / N, bl_v3d_sub(b, a)), (double)j / N, bl_v3d_sub(c, a));
                best = fmin(best, bl_v3d_norm(bl_v3d_sub(q, x)));
            }
        assert_true(found <= best + 1e-12 && found > best - 0.03);
    }
}

static void test_winding(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_mesh *ball = make_ball(ctx, 1, 0.05);
    bl_bvh *bvh = NULL;
    assert_int_equal(bl_bvh_create(ctx, ball, &bvh), BL_OK);
    for (uint64_t k = 0; k < 2000; k++) {
        bl_vec3d x = draw_point(k, 1.5);
        double r = bl_v3d_norm(x);
        if (fabs(r - 1) > 1e-3) assert_close(bl_bvh_winding(bvh, x), r < 1, 0.1);
    }
    bl_bvh_destroy(bvh);
    /* Without its top a ball still has an inside, except near the hole. */
    size_t kept = 0;
    for (size_t t = 0; t < ball->triangle_count; t++)
        if (ball->x[ball->triangles[t].v[0]].z < 0.9) ball->triangles[kept++] = ball->triangles[t];
    ball->triangle_count = kept;
    assert_int_equal(bl_bvh_create(ctx, ball, &bvh), BL_OK);
    for (uint64_t k = 0; k < 2000; k++) {
        bl_vec3d x = draw_point(k, 1.5);
        double r = bl_v3d_norm(x);
        if (fabs(r - 1) > 1e-2 && x.z < 0.5) assert_int_equal(bl_bvh_winding(bvh, x) > 0.5, r < 1);
    }
    bl_bvh_destroy(bvh);
    bl_mesh_destroy(ball);
    bl_context_destroy(ctx);
}

/* Two tetrahedra, one poking through the other: inside both the number is 2. */
static const char TWO_TETRAHEDRA[] = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
                                     "v 1 1 -1\nv 3 1 -1\nv 1 3 -1\nv 1 1 3\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 5 8 7\n";

static void check_crossings(bl_context *ctx, const bl_mesh *mesh, double size, double step) {
    bl_bvh *bvh = NULL;
    int n = (int)(size / step);
    assert_int_equal(bl_bvh_create(ctx, mesh, &bvh), BL_OK);
    for (int i = 0; i < (2 * n + 1) * (2 * n + 1) * (2 * n + 1); i++) {
        int a = i % (2 * n + 1) - n, b = i / (2 * n + 1) % (2 * n + 1) - n, c = i / (2 * n + 1) / (2 * n + 1) - n;
        bl_vec3d x = v3(a * step, b * step, c * step);
        if (bl_bvh_closest(bvh, x, INFINITY).distance < 1e-6) continue; /* on it, there is no right answer */
        assert_int_equal(bl_bvh_crossings(bvh, x), rint(bl_bvh_winding(bvh, x)));
    }
    bl_bvh_destroy(bvh);
}

/* Lattices whose columns pass through edges and vertices, and through none. */
static void test_crossings(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_mesh *mesh = NULL;
    assert_int_equal(parse(ctx, TWO_TETRAHEDRA, "t.obj", &mesh), BL_OK);
    assert_true(mesh->watertight);
    check_crossings(ctx, mesh, 5, 0.5);
    check_crossings(ctx, mesh, 5, 0.47);
    bl_mesh_destroy(mesh);
    mesh = make_ball(ctx, 1, 0.3);
    check_crossings(ctx, mesh, 1.2, 0.1);
    bl_mesh_destroy(mesh);
    bl_context_destroy(ctx);
}

/* --- meshes in scenes --- */

static bl_shape save_shape(const bl_mesh *mesh, char *path) {
    write_mesh(path, mesh, PLY_LITTLE);
    return (bl_shape){.kind = BL_SHAPE_MESH, .file = path, .scale = {1, 1, 1}};
}

/* A ball with bumps, at spacing h = 1. */
static void bump(bl_mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        bl_vec3d n = bl_unit(mesh->x[i]);
        mesh->x[i] = bl_v3d_scale(10 + sin(5 * n.x) * sin(4 * n.y + 1) * cos(5 * n.z), n);
    }
}

static void test_bumpy_mesh(void **state) {
    (void)state;
    char path[] = "test_geometry_mesh_bumpy.ply";
    uint64_t expected = 0;
    for (int threads = 1; threads <= 3; threads++) {
        bl_context *ctx = make_context(threads);
        bl_mesh *mesh = make_ball(ctx, 10, 0.5);
        bump(mesh);
        bl_shape shape = save_shape(mesh, path);
        tiny_scene t;
        init_scene(&t, ctx, 3, 1, &shape, &shape);
        bl_points p = sample(ctx, &t.scene, bl_box_empty()), fluid = fill(ctx, &t.scene, NULL);
        double hole = 0, area = bl_mesh_area(mesh);
        for (size_t i = 0; i < mesh->vertex_count; i++) hole = fmax(hole, nearest(&p, mesh->x[i], SIZE_MAX));
        print_message("bumpy: %zu points, area %g, spacing >= %.3f, holes <= %.3f\n", p.count, area, least_spacing(&p),
                      hole);
        assert_true(least_spacing(&p) >= 0.7);
        assert_true(hole <= 1.1);
        assert_true(fabs(total_volume(&p) / area - 1) < 1e-4);
        assert_true(fabs((double)fluid.count / bl_mesh_volume(mesh) - 1) < 0.01);
        if (threads == 1) expected = hash_points(&p);
        assert_true(hash_points(&p) == expected);
        bl_points_clear(ctx, &p);
        bl_points_clear(ctx, &fluid);
        bl_mesh_destroy(mesh);
        bl_context_destroy(ctx);
    }
    remove(path);
}

/* The corners and edges of a cube of triangles are sampled, evenly. */
static void test_sharp_edges(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    char path[] = "test_geometry_mesh_cube.ply";
    bl_shape box = make_box(v3(0, 0, 0), v3(10, 10, 10));
    bl_solid *solid = make_solid(ctx, &box, 3);
    bl_mesh *mesh = NULL;
    assert_int_equal(bl_tessellate(ctx, solid, 1, &mesh), BL_OK);
    bl_shape shape = save_shape(mesh, path);
    tiny_scene t;
    init_scene(&t, ctx, 3, 1, NULL, &shape);
    bl_points p = sample(ctx, &t.scene, bl_box_empty());
    for (int i = 0; i <= 10; i++) {
        assert_true(nearest(&p, v3(i, 0, 0), SIZE_MAX) < 1e-6);
        assert_true(nearest(&p, v3(10, i, 10), SIZE_MAX) < 1e-6);
    }
    assert_true(least_spacing(&p) >= 0.7);
    assert_close(total_volume(&p), 600, 0.1);
    bl_points_clear(ctx, &p);
    bl_mesh_destroy(mesh);
    bl_solid_destroy(ctx, solid);
    remove(path);
    bl_context_destroy(ctx);
}

/* An open sheet faces the fluid with one layer side, and is centred with fluid around it. */
static void test_open_sheet(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    char path[] = "test_geometry_mesh_sheet.obj";
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "v 0 0 0\nv 20 0 0\nv 20 20 0\nv 0 20 0\nf 1 2 3 4\n");
    fclose(f);
    bl_shape sheet = {.kind = BL_SHAPE_MESH, .file = path, .scale = {1, 1, 1}};
    tiny_scene t;
    init_scene(&t, ctx, 3, 1, NULL, &sheet);
    t.boundary.layers = 2;
    bl_points p = sample(ctx, &t.scene, (bl_box){v3(5, 5, -9), v3(15, 15, -1)});
    bl_box b = bl_points_bounds(&p);
    assert_true(b.min.z == 0.5 && b.max.z == 1.5 && p.normal[0].z == -1);
    /* The layer that the liquid feels has points 0.75 h apart, the other one those of them that are further apart. */
    double count[2] = {0}, volume[2] = {0};
    for (size_t i = 0; i < p.count; i++) {
        count[p.x[i].z > 1]++;
        volume[p.x[i].z > 1] += p.volume[i];
    }
    assert_true(fabs(count[0] * 0.75 * 0.75 / 441 - 1) < 0.1 && count[1] > 400 && count[1] < 0.9 * count[0]);
    for (int layer = 0; layer < 2; layer++) assert_true(fabs(volume[layer] / 441 - 1) < 0.03); /* its rim counts */
    bl_points_clear(ctx, &p);
    remove(path);
    bl_context_destroy(ctx);
}

/* In 2D a mesh is its cut with z = 0. */
static void test_slice(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    char path[] = "test_geometry_mesh_slice.ply";
    bl_mesh *mesh = make_ball(ctx, 10, 0.5);
    for (size_t i = 0; i < mesh->vertex_count; i++) mesh->x[i].z += 1e-3;
    bl_shape shape = save_shape(mesh, path);
    tiny_scene t;
    init_scene(&t, ctx, 2, 1, &shape, &shape);
    bl_points p = sample(ctx, &t.scene, bl_box_empty()), fluid = fill(ctx, &t.scene, NULL);
    assert_close(total_volume(&p), 2 * PI * 10, 0.1);
    assert_int_equal(p.count, 63);
    assert_true(least_spacing(&p) > 0.95);
    for (size_t i = 0; i < p.count; i++) assert_true(bl_v3d_dot(p.normal[i], p.x[i]) > 9.8);
    assert_true(fabs((double)fluid.count / (PI * 100) - 1) < 0.02);
    bl_points_clear(ctx, &p);
    bl_points_clear(ctx, &fluid);
    bl_mesh_destroy(mesh);
    remove(path);
    bl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_watertightness),
        cmocka_unit_test(test_closest_matches_brute_force),
        cmocka_unit_test(test_triangle_closest),
        cmocka_unit_test(test_winding),
        cmocka_unit_test(test_crossings),
        cmocka_unit_test(test_bumpy_mesh),
        cmocka_unit_test(test_sharp_edges),
        cmocka_unit_test(test_open_sheet),
        cmocka_unit_test(test_slice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
