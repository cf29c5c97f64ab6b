#include "render/isosurface.h"
#include "base/parallel.h"
#include <math.h>

enum { MAX_CELLS = 160 };

typedef struct grid {
    const bl_solid *solid;
    bl_vec3d origin;
    double cell;
    size_t n[3]; /* points */
    double *value;
} grid;

static bl_vec3d point_at(const grid *g, size_t i, size_t j, size_t k) {
    return bl_v3d_make(g->origin.x + g->cell * (double)i, g->origin.y + g->cell * (double)j,
                       g->origin.z + g->cell * (double)k);
}

static void evaluate(void *user, size_t begin, size_t end) {
    grid *g = user;
    for (size_t p = begin; p < end; p++) {
        size_t i = p % g->n[0], j = p / g->n[0] % g->n[1], k = p / (g->n[0] * g->n[1]);
        double d = bl_solid_distance(g->solid, point_at(g, i, j, k));
        g->value[p] = d == 0 ? 1e-12 * g->cell : d; /* a zero would make triangles without area */
    }
}

static bl_status make_grid(bl_context *ctx, const bl_solid *solid, bl_box box, double spacing, grid *out) {
    bl_vec3d d = bl_v3d_sub(box.max, box.min);
    double size = fmax(d.x, fmax(d.y, d.z)) + 4 * spacing;
    *out = (grid){.solid = solid, .cell = fmax(spacing, size / MAX_CELLS)};
    out->origin = bl_v3d_sub(box.min, bl_v3d_make(2 * out->cell, 2 * out->cell, 2 * out->cell));
    double edges[3] = {d.x, d.y, d.z};
    size_t count = 1;
    for (int a = 0; a < 3; a++) {
        out->n[a] = (size_t)ceil(edges[a] / out->cell) + 5;
        count *= out->n[a];
    }
    out->value = bl_alloc(ctx, count, sizeof *out->value);
    if (!out->value) return BL_ERR_MEMORY;
    bl_parallel_for(ctx, count, BL_CHUNK, evaluate, out);
    return BL_OK;
}

typedef struct corner {
    bl_vec3d x;
    double value;
} corner;

/* The point of the edge a-b on the surface: by the values, then once along the gradient. */
static bl_vec3d cut(const grid *g, const corner *a, const corner *b) {
    double t = a->value / (a->value - b->value);
    bl_vec3d x = bl_v3d_mad(a->x, t, bl_v3d_sub(b->x, a->x));
    bl_vec3d n = bl_solid_normal(g->solid, x, 0.01 * g->cell);
    double d = bl_solid_distance(g->solid, x);
    return fabs(d) < 0.5 * g->cell ? bl_v3d_mad(x, -d, n) : x;
}

/* A triangle turned so that its normal points from `inner` to the outside. */
static bl_status add(bl_mesh_builder *builder, bl_vec3d a, bl_vec3d b, bl_vec3d c, bl_vec3d inner) {
    bl_vec3d n = bl_v3d_cross(bl_v3d_sub(b, a), bl_v3d_sub(c, a));
    bool turned = bl_v3d_dot(n, bl_v3d_sub(a, inner)) < 0;
    uint32_t first = (uint32_t)builder->mesh->vertex_count;
    bl_status status = bl_mesh_add_vertex(builder, a);
    if (!status) status = bl_mesh_add_vertex(builder, turned ? c : b);
    if (!status) status = bl_mesh_add_vertex(builder, turned ? b : c);
    return status ? status : bl_mesh_add_triangle(builder, first, first + 1, first + 2);
}

/* One tetrahedron: none, one or two triangles. */
static bl_status march(const grid *g, const corner *const t[4], bl_mesh_builder *builder) {
    const corner *in[4], *out[4];
    int n_in = 0, n_out = 0;
    for (int k = 0; k < 4; k++)
        if (t[k]->value < 0)
            in[n_in++] = t[k];
        else
            out[n_out++] = t[k];
    if (!n_in || !n_out) return BL_OK;
    bl_vec3d inner = in[0]->x;
    if (n_in == 1) return add(builder, cut(g, in[0], out[0]), cut(g, in[0], out[1]), cut(g, in[0], out[2]), inner);
    if (n_out == 1) return add(builder, cut(g, in[0], out[0]), cut(g, in[1], out[0]), cut(g, in[2], out[0]), inner);
    bl_vec3d a = cut(g, in[0], out[0]), b = cut(g, in[0], out[1]), c = cut(g, in[1], out[1]), d = cut(g, in[1], out[0]);
    bl_status status = add(builder, a, b, c, inner);
    return status ? status : add(builder, a, c, d, in[1]->x);
}

static bl_status march_cell(const grid *g, size_t i, size_t j, size_t k, bl_mesh_builder *builder) {
    /* six tetrahedra around the diagonal 0-7: neighbouring cells cut their common faces alike */
    static const int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                         {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    corner corners[8];
    int inside = 0;
    for (size_t c = 0; c < 8; c++) {
        size_t a = i + (c & 1), b = j + (c >> 1 & 1), d = k + (c >> 2);
        corners[c] = (corner){point_at(g, a, b, d), g->value[(d * g->n[1] + b) * g->n[0] + a]};
        inside += corners[c].value < 0;
    }
    bl_status status = BL_OK;
    for (int t = 0; t < 6 && inside % 8 && !status; t++) {
        const corner *four[4];
        for (int q = 0; q < 4; q++) four[q] = &corners[tetrahedra[t][q]];
        status = march(g, four, builder);
    }
    return status;
}

static bl_status march_all(const grid *g, bl_mesh *mesh) {
    bl_mesh_builder builder = {.mesh = mesh};
    bl_status status = BL_OK;
    for (size_t k = 0; k + 1 < g->n[2]; k++)
        for (size_t j = 0; j + 1 < g->n[1]; j++)
            for (size_t i = 0; i + 1 < g->n[0] && !status; i++) status = march_cell(g, i, j, k, &builder);
    return status ? status : bl_mesh_finish(mesh, "boundary");
}

bl_status bl_isosurface_create(bl_context *ctx, const bl_solid *solid, bl_box box, double spacing, bl_mesh **out) {
    grid g;
    bl_status status = make_grid(ctx, solid, box, spacing, &g);
    if (!status) status = bl_mesh_create(ctx, out);
    if (!status) status = march_all(&g, *out);
    bl_release(ctx, g.value);
    return status;
}
