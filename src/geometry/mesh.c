#include "geometry/mesh.h"
#include "geometry/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bl_status bl_mesh_create(bl_context *ctx, bl_mesh **out) {
    *out = bl_alloc(ctx, 1, sizeof **out);
    if (!*out) return BL_ERR_MEMORY;
    (*out)->ctx = ctx;
    return BL_OK;
}

void bl_mesh_destroy(bl_mesh *mesh) {
    if (!mesh) return;
    bl_release(mesh->ctx, mesh->x);
    bl_release(mesh->ctx, mesh->triangles);
    bl_release(mesh->ctx, mesh);
}

bl_status bl_mesh_add_vertex(bl_mesh_builder *builder, bl_vec3d x) {
    bl_mesh *mesh = builder->mesh;
    if (mesh->vertex_count == builder->vertex_capacity) {
        size_t capacity = builder->vertex_capacity ? 2 * builder->vertex_capacity : 64;
        void *grown = bl_grow(mesh->ctx, mesh->x, mesh->vertex_count, capacity, sizeof *mesh->x);
        if (!grown) return BL_ERR_MEMORY;
        mesh->x = grown;
        builder->vertex_capacity = capacity;
    }
    mesh->x[mesh->vertex_count++] = x;
    return BL_OK;
}

bl_status bl_mesh_add_triangle(bl_mesh_builder *builder, uint32_t a, uint32_t b, uint32_t c) {
    bl_mesh *mesh = builder->mesh;
    if (mesh->triangle_count == builder->triangle_capacity) {
        size_t capacity = builder->triangle_capacity ? 2 * builder->triangle_capacity : 64;
        void *grown = bl_grow(mesh->ctx, mesh->triangles, mesh->triangle_count, capacity, sizeof *mesh->triangles);
        if (!grown) return BL_ERR_MEMORY;
        mesh->triangles = grown;
        builder->triangle_capacity = capacity;
    }
    mesh->triangles[mesh->triangle_count++] = (bl_triangle){{a, b, c}};
    return BL_OK;
}

static void flip(bl_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t *v = mesh->triangles[t].v, swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
}

void bl_mesh_transform(bl_mesh *mesh, const bl_frame *frame) {
    for (size_t i = 0; i < mesh->vertex_count; i++) mesh->x[i] = bl_frame_to_world(frame, mesh->x[i]);
    const bl_vec3d *m = frame->to_world;
    if (bl_v3d_dot(m[0], bl_v3d_cross(m[1], m[2])) < 0) flip(mesh); /* mirrored */
}

bl_vec3d bl_mesh_triangle_area(const bl_mesh *mesh, size_t triangle) {
    const uint32_t *v = mesh->triangles[triangle].v;
    bl_vec3d a = mesh->x[v[0]];
    return bl_v3d_scale(0.5, bl_v3d_cross(bl_v3d_sub(mesh->x[v[1]], a), bl_v3d_sub(mesh->x[v[2]], a)));
}

double bl_mesh_area(const bl_mesh *mesh) {
    double area = 0;
    for (size_t t = 0; t < mesh->triangle_count; t++) area += bl_v3d_norm(bl_mesh_triangle_area(mesh, t));
    return area;
}

double bl_mesh_volume(const bl_mesh *mesh) {
    double volume = 0;
    bl_vec3d o = mesh->vertex_count ? mesh->x[0] : bl_v3d_zero();
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        bl_vec3d arm = bl_v3d_sub(mesh->x[mesh->triangles[t].v[0]], o);
        volume += bl_v3d_dot(arm, bl_mesh_triangle_area(mesh, t)) / 3;
    }
    return volume;
}

/* --- equal vertices ---------------------------------------------------------------------------------------------- */

typedef struct placed_vertex {
    bl_vec3d x;
    uint32_t index;
} placed_vertex;

static int compare_vertices(const void *pa, const void *pb) {
    const placed_vertex *a = pa, *b = pb;
    if (a->x.x != b->x.x) return a->x.x < b->x.x ? -1 : 1;
    if (a->x.y != b->x.y) return a->x.y < b->x.y ? -1 : 1;
    if (a->x.z != b->x.z) return a->x.z < b->x.z ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Every vertex at the same place is replaced by the first one of them; the list of vertices itself stays. */
static bl_status merge_vertices(bl_mesh *mesh) {
    size_t n = mesh->vertex_count;
    placed_vertex *sorted = bl_alloc(mesh->ctx, n, sizeof *sorted);
    uint32_t *first = bl_alloc(mesh->ctx, n, sizeof *first);
    if (sorted && first) {
        for (size_t i = 0; i < n; i++) sorted[i] = (placed_vertex){mesh->x[i], (uint32_t)i};
        qsort(sorted, n, sizeof *sorted, compare_vertices);
        for (size_t i = 0; i < n; i++) {
            bool again = i > 0 && bl_v3d_norm2(bl_v3d_sub(sorted[i].x, sorted[i - 1].x)) == 0;
            first[sorted[i].index] = again ? first[sorted[i - 1].index] : sorted[i].index;
        }
        for (size_t t = 0; t < mesh->triangle_count; t++)
            for (int k = 0; k < 3; k++) mesh->triangles[t].v[k] = first[mesh->triangles[t].v[k]];
    }
    bl_status status = sorted && first ? BL_OK : BL_ERR_MEMORY;
    bl_release(mesh->ctx, sorted);
    bl_release(mesh->ctx, first);
    return status;
}

/* --- edges ------------------------------------------------------------------------------------------------------- */

static int compare_edges(const void *pa, const void *pb) {
    const bl_mesh_edge *a = pa, *b = pb;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    if (a->triangle != b->triangle) return a->triangle < b->triangle ? -1 : 1;
    return (int)a->forward - (int)b->forward;
}

bl_status bl_mesh_edges(const bl_mesh *mesh, bl_mesh_edge **out, size_t *count) {
    *count = 3 * mesh->triangle_count;
    *out = bl_alloc(mesh->ctx, *count, sizeof **out);
    if (!*out) return BL_ERR_MEMORY;
    for (size_t e = 0; e < *count; e++) {
        const uint32_t *v = mesh->triangles[e / 3].v;
        uint32_t a = v[e % 3], b = v[(e + 1) % 3];
        (*out)[e] = (bl_mesh_edge){a < b ? a : b, a < b ? b : a, (uint32_t)(e / 3), a < b};
    }
    qsort(*out, *count, sizeof **out, compare_edges);
    return BL_OK;
}

static bl_status find_watertight(bl_mesh *mesh) {
    size_t open;
    bl_status status = bl_mesh_open_edges(mesh, &open);
    mesh->watertight = open == 0;
    return status;
}

/* --- finishing --------------------------------------------------------------------------------------------------- */

static size_t drop_degenerate(bl_mesh *mesh) {
    size_t kept = 0, all = mesh->triangle_count;
    for (size_t t = 0; t < all; t++) {
        const uint32_t *v = mesh->triangles[t].v;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
        mesh->triangles[kept++] = mesh->triangles[t];
    }
    mesh->triangle_count = kept;
    return all - kept;
}

bl_status bl_mesh_finish(bl_mesh *mesh, const char *path) {
    bl_status status = merge_vertices(mesh);
    if (status) return status;
    size_t dropped = drop_degenerate(mesh);
    if (dropped > 0) bl_log(mesh->ctx, BL_LOG_DEBUG, "%s: %zu triangles without area left out", path, dropped);
    if (!(bl_mesh_area(mesh) > 0))
        return bl_fail(mesh->ctx, BL_ERR_DATA, "%s: no triangle with an area; expected a triangle mesh", path);
    status = find_watertight(mesh);
    if (status) return status;
    if (mesh->watertight && bl_mesh_volume(mesh) < 0) {
        flip(mesh);
        bl_log(mesh->ctx, BL_LOG_DEBUG, "%s: triangles point inwards; turned round", path);
    }
    return BL_OK;
}
