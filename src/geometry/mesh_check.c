/* What is wrong with a mesh: open edges, and triangles that cross each other. */
#include "geometry/mesh.h"
#include "geometry/points.h"

#include <math.h>
#include <stdlib.h>

bl_status bl_mesh_open_edges(const bl_mesh *mesh, size_t *open) {
    bl_mesh_edge *edges;
    size_t count;
    bl_status status = bl_mesh_edges(mesh, &edges, &count);
    *open = 0;
    if (status) return status;
    for (size_t begin = 0, end; begin < count; begin = end) {
        int balance = 0;
        for (end = begin; end < count && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high;
             end++)
            balance += edges[end].forward ? 1 : -1;
        *open += balance != 0;
    }
    bl_release(mesh->ctx, edges);
    return BL_OK;
}

/* --- crossings --- */

/* Where the segment from p to q passes through the inside of the triangle a b c (Moeller and Trumbore). */
static bool pierces(bl_vec3d p, bl_vec3d q, bl_vec3d a, bl_vec3d b, bl_vec3d c, bl_vec3d *x) {
    const double margin = 1e-6; /* touching is not crossing */
    bl_vec3d d = bl_v3d_sub(q, p), e1 = bl_v3d_sub(b, a), e2 = bl_v3d_sub(c, a), h = bl_v3d_cross(d, e2);
    double det = bl_v3d_dot(e1, h);
    if (fabs(det) < 1e-12 * bl_v3d_norm(d) * bl_v3d_norm(e1) * bl_v3d_norm(e2)) return false;
    bl_vec3d s = bl_v3d_sub(p, a), k = bl_v3d_cross(s, e1);
    double u = bl_v3d_dot(s, h) / det, v = bl_v3d_dot(d, k) / det, t = bl_v3d_dot(e2, k) / det;
    *x = bl_v3d_mad(p, t, d);
    return u > margin && v > margin && u + v < 1 - margin && t > margin && t < 1 - margin;
}

static bool share_vertex(const bl_triangle *s, const bl_triangle *t) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (s->v[i] == t->v[j]) return true;
    return false;
}

static bool cross(const bl_mesh *mesh, const bl_triangle *s, const bl_triangle *t, bl_vec3d *where) {
    const bl_vec3d *x = mesh->x;
    for (int k = 0; k < 3; k++)
        if (pierces(x[s->v[k]], x[s->v[(k + 1) % 3]], x[t->v[0]], x[t->v[1]], x[t->v[2]], where) ||
            pierces(x[t->v[k]], x[t->v[(k + 1) % 3]], x[s->v[0]], x[s->v[1]], x[s->v[2]], where))
            return true;
    return false;
}

typedef struct sweep_item {
    bl_box box;
    uint32_t triangle;
} sweep_item;

static int compare_items(const void *a, const void *b) {
    const sweep_item *s = a, *t = b;
    if (s->box.min.x != t->box.min.x) return s->box.min.x < t->box.min.x ? -1 : 1;
    return s->triangle < t->triangle ? -1 : s->triangle > t->triangle;
}

static bl_box triangle_box(const bl_mesh *mesh, uint32_t t) {
    bl_box box = bl_box_empty();
    for (int k = 0; k < 3; k++) box = bl_box_add(box, mesh->x[mesh->triangles[t].v[k]]);
    return box;
}

static bool boxes_meet(bl_box a, bl_box b) {
    return a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z && b.min.z <= a.max.z;
}

bl_status bl_mesh_crossings(const bl_mesh *mesh, size_t *crossings, bl_vec3d *where) {
    size_t count = mesh->triangle_count;
    sweep_item *items = bl_alloc(mesh->ctx, count, sizeof *items);
    *crossings = 0;
    if (!items) return BL_ERR_MEMORY;
    for (size_t t = 0; t < count; t++) items[t] = (sweep_item){triangle_box(mesh, (uint32_t)t), (uint32_t)t};
    qsort(items, count, sizeof *items, compare_items);
    for (size_t i = 0; i < count; i++) {
        const bl_box box = items[i].box;
        for (size_t j = i + 1; j < count && items[j].box.min.x <= box.max.x; j++) {
            if (!boxes_meet(box, items[j].box)) continue;
            const bl_triangle *s = &mesh->triangles[items[i].triangle], *t = &mesh->triangles[items[j].triangle];
            bl_vec3d x;
            if (share_vertex(s, t) || !cross(mesh, s, t, &x)) continue;
            if ((*crossings)++ == 0) *where = x;
        }
    }
    bl_release(mesh->ctx, items);
    return BL_OK;
}
