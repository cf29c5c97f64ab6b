#include "geometry/bvh.h"
#include "geometry/points.h"

#include <math.h>

enum { LEAF_SIZE = 4, MAX_DEPTH = 64 };

/* Nodes in depth-first order: the left child follows its parent. */
typedef struct node {
    bl_box box;
    bl_vec3d center;       /* area-weighted */
    bl_vec3d dipole;       /* sum of normal times area */
    double reach2;         /* squared distance from center beyond which the dipole is good enough */
    uint32_t right;        /* right child; 0: leaf */
    uint32_t begin, count; /* leaf: triangles order[begin ...] */
} node;

struct bl_bvh {
    bl_context *ctx;
    const bl_mesh *mesh;
    node *nodes;
    size_t node_count;
    uint32_t *order;
    bl_vec3d *centroids; /* while building */
};

/* --- building ---------------------------------------------------------------------------------------------------- */

static double component(bl_vec3d a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }

/* Ordering with the index as the last word, so that equal centroids split the same way everywhere. */
static bool comes_before(const bl_bvh *b, uint32_t s, uint32_t t, int axis) {
    double xs = component(b->centroids[s], axis), xt = component(b->centroids[t], axis);
    return xs < xt || (xs == xt && s < t);
}

/* Quickselect: order[begin + k] gets what sorting would put there, smaller ones before it. */
static void select_nth(bl_bvh *b, uint32_t begin, uint32_t end, uint32_t nth, int axis) {
    uint32_t *o = b->order;
    while (end - begin > 1) {
        uint32_t pivot = o[begin + (end - begin) / 2];
        uint32_t i = begin, j = end - 1;
        for (;;) {
            while (comes_before(b, o[i], pivot, axis)) i++;
            while (comes_before(b, pivot, o[j], axis)) j--;
            if (i >= j) break;
            uint32_t swap = o[i];
            o[i] = o[j];
            o[j] = swap;
        }
        if (i == nth) return;
        if (nth < i)
            end = i;
        else
            begin = i + 1;
    }
}

static int longest_axis(bl_box box) {
    bl_vec3d size = bl_v3d_sub(box.max, box.min);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

static void measure(bl_bvh *b, node *n, uint32_t begin, uint32_t end, bl_box *centroid_box) {
    const bl_mesh *mesh = b->mesh;
    bl_vec3d weighted = bl_v3d_zero();
    double area = 0;
    n->box = *centroid_box = bl_box_empty();
    for (uint32_t k = begin; k < end; k++) {
        uint32_t t = b->order[k];
        bl_vec3d normal = bl_mesh_triangle_area(mesh, t);
        double weight = bl_v3d_norm(normal);
        for (int c = 0; c < 3; c++) n->box = bl_box_add(n->box, mesh->x[mesh->triangles[t].v[c]]);
        *centroid_box = bl_box_add(*centroid_box, b->centroids[t]);
        weighted = bl_v3d_mad(weighted, weight, b->centroids[t]);
        area += weight;
        n->dipole = bl_v3d_add(n->dipole, normal);
    }
    n->center = area > 0 ? bl_v3d_scale(1 / area, weighted) : bl_v3d_scale(0.5, bl_v3d_add(n->box.min, n->box.max));
    bl_vec3d lo = bl_v3d_sub(n->center, n->box.min), hi = bl_v3d_sub(n->box.max, n->center);
    bl_vec3d far = bl_v3d_make(fmax(lo.x, hi.x), fmax(lo.y, hi.y), fmax(lo.z, hi.z));
    n->reach2 = 2.5 * 2.5 * bl_v3d_norm2(far);
}

static uint32_t build(bl_bvh *b, uint32_t begin, uint32_t end) {
    uint32_t index = (uint32_t)b->node_count++;
    node *n = &b->nodes[index];
    bl_box centroid_box;
    measure(b, n, begin, end, &centroid_box);
    n->begin = begin;
    n->count = end - begin;
    if (n->count <= LEAF_SIZE) return index;
    uint32_t middle = begin + n->count / 2;
    select_nth(b, begin, end, middle, longest_axis(centroid_box));
    build(b, begin, middle);
    uint32_t right = build(b, middle, end);
    b->nodes[index].right = right;
    return index;
}

bl_status bl_bvh_create(bl_context *ctx, const bl_mesh *mesh, bl_bvh **out) {
    *out = NULL;
    size_t n = mesh->triangle_count;
    bl_bvh *b = bl_alloc(ctx, 1, sizeof *b);
    if (!b) return BL_ERR_MEMORY;
    *b = (bl_bvh){.ctx = ctx, .mesh = mesh};
    b->nodes = bl_alloc(ctx, n + 1, sizeof *b->nodes); /* leaves hold 2 or more: n is plenty */
    b->order = bl_alloc(ctx, n, sizeof *b->order);
    b->centroids = bl_alloc(ctx, n, sizeof *b->centroids);
    if (!b->nodes || !b->order || !b->centroids) {
        bl_bvh_destroy(b);
        return BL_ERR_MEMORY;
    }
    for (size_t t = 0; t < n; t++) {
        const uint32_t *v = mesh->triangles[t].v;
        bl_vec3d sum = bl_v3d_add(mesh->x[v[0]], bl_v3d_add(mesh->x[v[1]], mesh->x[v[2]]));
        b->centroids[t] = bl_v3d_scale(1.0 / 3, sum);
        b->order[t] = (uint32_t)t;
    }
    build(b, 0, (uint32_t)n);
    bl_release(ctx, b->centroids);
    b->centroids = NULL;
    *out = b;
    return BL_OK;
}

void bl_bvh_destroy(bl_bvh *b) {
    if (!b) return;
    bl_release(b->ctx, b->nodes);
    bl_release(b->ctx, b->order);
    bl_release(b->ctx, b->centroids);
    bl_release(b->ctx, b);
}

/* --- nearest point ----------------------------------------------------------------------------------------------- */

static bl_vec3d segment_closest(bl_vec3d a, bl_vec3d b, bl_vec3d x) {
    bl_vec3d d = bl_v3d_sub(b, a);
    double length2 = bl_v3d_norm2(d), t = length2 > 0 ? bl_v3d_dot(bl_v3d_sub(x, a), d) / length2 : 0;
    return bl_v3d_mad(a, fmin(fmax(t, 0), 1), d);
}

bl_vec3d bl_triangle_closest(bl_vec3d a, bl_vec3d b, bl_vec3d c, bl_vec3d x) {
    bl_vec3d ab = bl_v3d_sub(b, a), ac = bl_v3d_sub(c, a), ax = bl_v3d_sub(x, a);
    bl_vec3d n = bl_v3d_cross(ab, ac);
    double n2 = bl_v3d_norm2(n);
    if (n2 > 0) { /* barycentric coordinates of the projection */
        double w = bl_v3d_dot(bl_v3d_cross(ab, ax), n) / n2, v = bl_v3d_dot(bl_v3d_cross(ax, ac), n) / n2;
        if (v >= 0 && w >= 0 && v + w <= 1) return bl_v3d_mad(bl_v3d_mad(a, v, ab), w, ac);
    }
    bl_vec3d best = segment_closest(a, b, x), q[2] = {segment_closest(b, c, x), segment_closest(c, a, x)};
    for (int k = 0; k < 2; k++)
        if (bl_v3d_norm2(bl_v3d_sub(q[k], x)) < bl_v3d_norm2(bl_v3d_sub(best, x))) best = q[k];
    return best;
}

/* How far x is from the interval. Plain comparisons: fmax, which minds NaN, is a call. */
static inline double outside(double min, double max, double x) { return x < min ? min - x : x > max ? x - max : 0; }

static inline double box_distance2(const bl_box *box, bl_vec3d x) {
    double dx = outside(box->min.x, box->max.x, x.x), dy = outside(box->min.y, box->max.y, x.y);
    double dz = outside(box->min.z, box->max.z, x.z);
    return dx * dx + dy * dy + dz * dz;
}

static void leaf_closest(const bl_bvh *b, const node *n, bl_vec3d x, double *best2, bl_hit *hit) {
    for (uint32_t k = n->begin; k < n->begin + n->count; k++) {
        const uint32_t *v = b->mesh->triangles[b->order[k]].v;
        bl_vec3d q = bl_triangle_closest(b->mesh->x[v[0]], b->mesh->x[v[1]], b->mesh->x[v[2]], x);
        double d2 = bl_v3d_norm2(bl_v3d_sub(q, x));
        if (d2 >= *best2) continue;
        *best2 = d2;
        hit->x = q;
        hit->triangle = b->order[k];
    }
}

bl_hit bl_bvh_closest(const bl_bvh *b, bl_vec3d x, double limit) {
    bl_hit hit = {.distance = limit, .triangle = UINT32_MAX};
    double best2 = limit * limit;
    uint32_t stack[MAX_DEPTH];
    double entry[MAX_DEPTH];
    int top = 0;
    stack[top] = 0;
    entry[top++] = box_distance2(&b->nodes[0].box, x);
    while (top > 0) {
        uint32_t index = stack[--top];
        if (entry[top] >= best2) continue;
        const node *n = &b->nodes[index];
        if (!n->right) {
            leaf_closest(b, n, x, &best2, &hit);
            continue;
        }
        uint32_t near = index + 1, far = n->right;
        double d_near = box_distance2(&b->nodes[near].box, x), d_far = box_distance2(&b->nodes[far].box, x);
        if (d_far < d_near) {
            uint32_t swap = near;
            near = far;
            far = swap;
            double d = d_near;
            d_near = d_far;
            d_far = d;
        }
        stack[top] = far;
        entry[top++] = d_far;
        stack[top] = near;
        entry[top++] = d_near;
    }
    if (hit.triangle != UINT32_MAX) hit.distance = sqrt(best2);
    return hit;
}

/* --- winding number ---------------------------------------------------------------------------------------------- */

/* Solid angle of a triangle over 4 pi (van Oosterom and Strackee 1983). */
static double triangle_winding(bl_vec3d a, bl_vec3d b, bl_vec3d c) {
    double la = bl_v3d_norm(a), lb = bl_v3d_norm(b), lc = bl_v3d_norm(c);
    double volume = bl_v3d_dot(a, bl_v3d_cross(b, c));
    double base = la * lb * lc + bl_v3d_dot(a, b) * lc + bl_v3d_dot(b, c) * la + bl_v3d_dot(c, a) * lb;
    return atan2(volume, base) / (2 * 3.14159265358979323846);
}

static double leaf_winding(const bl_bvh *b, const node *n, bl_vec3d x) {
    double w = 0;
    for (uint32_t k = n->begin; k < n->begin + n->count; k++) {
        const uint32_t *v = b->mesh->triangles[b->order[k]].v;
        const bl_vec3d *p = b->mesh->x;
        w += triangle_winding(bl_v3d_sub(p[v[0]], x), bl_v3d_sub(p[v[1]], x), bl_v3d_sub(p[v[2]], x));
    }
    return w;
}

double bl_bvh_winding(const bl_bvh *b, bl_vec3d x) {
    double winding = 0;
    uint32_t stack[MAX_DEPTH];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
        uint32_t index = stack[--top];
        const node *n = &b->nodes[index];
        bl_vec3d d = bl_v3d_sub(n->center, x);
        double r2 = bl_v3d_norm2(d);
        if (r2 > n->reach2) {
            winding += bl_v3d_dot(n->dipole, d) / (4 * 3.14159265358979323846 * r2 * sqrt(r2));
        } else if (!n->right) {
            winding += leaf_winding(b, n, x);
        } else {
            stack[top++] = n->right;
            stack[top++] = index + 1;
        }
    }
    return winding;
}

/* --- crossings --------------------------------------------------------------------------------------------------- */

/* On which side of the line from p to q, seen from above, x lies: 1 left, -1 right. Both triangles at an edge ask with
 * the same numbers, so a ray never slips through between them; one through an edge or a vertex passes as if x were
 * moved by (e, e^2) with e infinitely small (Edelsbrunner and Muecke 1990). */
static int side_of(bl_vec3d p, bl_vec3d q, bl_vec3d x) {
    bool turned = q.x < p.x || (q.x == p.x && q.y < p.y);
    if (turned) {
        bl_vec3d swap = p;
        p = q;
        q = swap;
    }
    double side = (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
    if (side == 0) side = p.y - q.y;
    if (side == 0) side = 1; /* q.x > p.x; where both are the same the triangle is seen from its edge and never hit */
    return (side > 0) != turned ? 1 : -1;
}

/* 1 where the ray leaves through the triangle, -1 where it enters, 0 where it misses. */
static int triangle_crossing(bl_vec3d a, bl_vec3d b, bl_vec3d c, bl_vec3d x) {
    int side = side_of(a, b, x);
    if (side_of(b, c, x) != side || side_of(c, a, x) != side) return 0;
    bl_vec3d normal = bl_v3d_cross(bl_v3d_sub(b, a), bl_v3d_sub(c, a));
    return side * bl_v3d_dot(bl_v3d_sub(x, a), normal) < 0 ? side : 0; /* is it above x? */
}

int bl_bvh_crossings(const bl_bvh *b, bl_vec3d x) {
    const bl_vec3d *p = b->mesh->x;
    int crossings = 0, top = 0;
    uint32_t stack[MAX_DEPTH];
    stack[top++] = 0;
    while (top > 0) {
        uint32_t index = stack[--top];
        const node *n = &b->nodes[index];
        if (x.x < n->box.min.x || x.x > n->box.max.x || x.y < n->box.min.y || x.y > n->box.max.y || x.z > n->box.max.z)
            continue;
        if (n->right) {
            stack[top++] = n->right;
            stack[top++] = index + 1;
            continue;
        }
        for (uint32_t k = n->begin; k < n->begin + n->count; k++) {
            const uint32_t *v = b->mesh->triangles[b->order[k]].v;
            crossings += triangle_crossing(p[v[0]], p[v[1]], p[v[2]], x);
        }
    }
    return crossings;
}
