/* The built-in tracer: a binary tree of boxes over triangles and spheres, split where the middle of the centres'
 * largest extent lies. Simple, deterministic, and fast enough for previews without Embree. */
#include "render/tracer_backend.h"
#include <math.h>

typedef struct item { /* a triangle, or a sphere when radius > 0 */
    bl_vec3d a, b, c;
    bl_vec3d da, db, dc; /* how far these move until time 1 */
    double radius;
    uint32_t object, element;
} item;

typedef struct node {
    float min[3], max[3];
    uint32_t first; /* leaf: first item; inner: the second child (the first one follows the node) */
    uint32_t count; /* 0: inner */
} node;

enum { LEAF_SIZE = 4, MAX_DEPTH = 64 };

typedef struct state {
    bl_context *ctx;
    item *items;
    size_t item_count, item_capacity;
    node *nodes;
    uint32_t node_count;
} state;

static bl_status builtin_create(bl_context *ctx, void **out) {
    state *s = bl_alloc(ctx, 1, sizeof *s);
    if (!s) return BL_ERR_MEMORY;
    s->ctx = ctx;
    *out = s;
    return BL_OK;
}

static void builtin_destroy(bl_context *ctx, void *user) {
    state *s = user;
    bl_release(ctx, s->items);
    bl_release(ctx, s->nodes);
    bl_release(ctx, s);
}

static item *append(state *s, size_t count) {
    if (s->item_count + count > s->item_capacity) {
        size_t capacity = s->item_count + count;
        item *items = bl_grow(s->ctx, s->items, s->item_count, capacity, sizeof *items);
        if (!items) return NULL;
        s->items = items;
        s->item_capacity = capacity;
    }
    s->item_count += count;
    return s->items + s->item_count - count;
}

static bl_vec3d from_float(const float *x) { return bl_v3d_make((double)x[0], (double)x[1], (double)x[2]); }

static bl_status builtin_add_mesh(void *user, const float (*x)[3], const float (*x_end)[3], size_t vertex_count,
                                  const uint32_t *triangles, size_t triangle_count, uint32_t object) {
    (void)vertex_count;
    item *out = append(user, triangle_count);
    if (!out) return BL_ERR_MEMORY;
    for (size_t i = 0; i < triangle_count; i++) {
        const uint32_t *t = triangles + 3 * i;
        out[i] = (item){.a = from_float(x[t[0]]),
                        .b = from_float(x[t[1]]),
                        .c = from_float(x[t[2]]),
                        .object = object,
                        .element = (uint32_t)i};
        if (!x_end) continue;
        out[i].da = bl_v3d_sub(from_float(x_end[t[0]]), out[i].a);
        out[i].db = bl_v3d_sub(from_float(x_end[t[1]]), out[i].b);
        out[i].dc = bl_v3d_sub(from_float(x_end[t[2]]), out[i].c);
    }
    return BL_OK;
}

static bl_status builtin_add_spheres(void *user, const bl_sphere *spheres, size_t count, uint32_t object) {
    item *out = append(user, count);
    if (!out) return BL_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        bl_vec3d center = bl_v3d_make((double)spheres[i].x, (double)spheres[i].y, (double)spheres[i].z);
        out[i] = (item){.a = center,
                        .b = center,
                        .c = center,
                        .radius = (double)spheres[i].radius,
                        .object = object,
                        .element = (uint32_t)i};
    }
    return BL_OK;
}

static double axis_of(bl_vec3d v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double center_of(const item *i, int axis) {
    return (axis_of(i->a, axis) + axis_of(i->b, axis) + axis_of(i->c, axis)) / 3;
}

static void bound(node *n, const item *items, size_t count) {
    for (int k = 0; k < 3; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (size_t i = 0; i < count; i++) {
            double a = axis_of(items[i].a, k), b = axis_of(items[i].b, k), c = axis_of(items[i].c, k);
            double d = a + axis_of(items[i].da, k), e = b + axis_of(items[i].db, k), f = c + axis_of(items[i].dc, k);
            lo = fmin(lo, fmin(fmin(a, fmin(b, c)), fmin(d, fmin(e, f))) - items[i].radius);
            hi = fmax(hi, fmax(fmax(a, fmax(b, c)), fmax(d, fmax(e, f))) + items[i].radius);
        }
        /* rounded outwards, so that the float box holds the double triangle */
        n->min[k] = nextafterf((float)lo, -INFINITY);
        n->max[k] = nextafterf((float)hi, INFINITY);
    }
}

/* Move items whose centre lies below `middle` to the front; returns how many. */
static size_t partition(item *items, size_t count, int axis, double middle) {
    size_t below = 0;
    for (size_t i = 0; i < count; i++)
        if (center_of(&items[i], axis) < middle) {
            item swap = items[i];
            items[i] = items[below];
            items[below++] = swap;
        }
    return below;
}

static size_t split(item *items, size_t count) {
    int axis = 0;
    double widest = -1, middle = 0;
    for (int k = 0; k < 3; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (size_t i = 0; i < count; i++) {
            lo = fmin(lo, center_of(&items[i], k));
            hi = fmax(hi, center_of(&items[i], k));
        }
        if (hi - lo > widest) widest = hi - lo, axis = k, middle = (lo + hi) / 2;
    }
    size_t below = partition(items, count, axis, middle);
    return below > 0 && below < count ? below : count / 2; /* all centres in one place: any halves do */
}

static void build(state *s, size_t first, size_t count, int depth) {
    node *n = &s->nodes[s->node_count++];
    bound(n, s->items + first, count);
    if (count <= LEAF_SIZE || depth >= MAX_DEPTH - 1) {
        n->first = (uint32_t)first;
        n->count = (uint32_t)count;
        return;
    }
    /* deep down, halve by number to stay within MAX_DEPTH */
    size_t below = depth < MAX_DEPTH - 34 ? split(s->items + first, count) : count / 2;
    build(s, first, below, depth + 1);
    n->first = s->node_count;
    build(s, first + below, count - below, depth + 1);
}

static bl_status builtin_commit(void *user) {
    state *s = user;
    s->nodes = bl_alloc(s->ctx, 2 * s->item_count + 1, sizeof *s->nodes);
    if (!s->nodes) return BL_ERR_MEMORY;
    if (s->item_count) build(s, 0, s->item_count, 0);
    return BL_OK;
}

typedef struct query {
    bl_ray ray;
    double inverse[3], origin[3];
} query;

/* Distance at which the ray enters the box, or HUGE_VAL. */
static double enter(const node *n, const query *q) {
    double t0 = q->ray.min, t1 = q->ray.max;
    for (int k = 0; k < 3; k++) {
        double a = ((double)n->min[k] - q->origin[k]) * q->inverse[k];
        double b = ((double)n->max[k] - q->origin[k]) * q->inverse[k];
        t0 = fmax(t0, fmin(a, b));
        t1 = fmin(t1, fmax(a, b));
    }
    return t0 <= t1 ? t0 : HUGE_VAL;
}

static bool hit_triangle(const item *i, const bl_ray *ray, bl_hit *hit) {
    bl_vec3d a = bl_v3d_mad(i->a, ray->time, i->da), b = bl_v3d_mad(i->b, ray->time, i->db);
    bl_vec3d c = bl_v3d_mad(i->c, ray->time, i->dc);
    bl_vec3d e1 = bl_v3d_sub(b, a), e2 = bl_v3d_sub(c, a), p = bl_v3d_cross(ray->dir, e2);
    double det = bl_v3d_dot(e1, p);
    if (det == 0) return false;
    bl_vec3d s = bl_v3d_sub(ray->origin, a), q = bl_v3d_cross(s, e1);
    double u = bl_v3d_dot(s, p) / det, v = bl_v3d_dot(ray->dir, q) / det, t = bl_v3d_dot(e2, q) / det;
    if (u < 0 || v < 0 || u + v > 1 || !(t > ray->min && t < ray->max)) return false;
    bl_vec3d n = bl_v3d_cross(e1, e2);
    *hit = (bl_hit){t, bl_v3d_scale(1 / bl_v3d_norm(n), n), u, v, i->object, i->element};
    return true;
}

static bool hit_sphere(const item *i, const bl_ray *ray, bl_hit *hit) {
    /* from the point of the ray nearest to the centre: no cancellation for far spheres */
    bl_vec3d to = bl_v3d_sub(i->a, ray->origin);
    double along = bl_v3d_dot(to, ray->dir);
    bl_vec3d across = bl_v3d_mad(to, -along, ray->dir);
    double d2 = i->radius * i->radius - bl_v3d_norm2(across);
    if (d2 < 0) return false;
    double half = sqrt(d2), t = along - half > ray->min ? along - half : along + half;
    if (!(t > ray->min && t < ray->max)) return false;
    bl_vec3d n = bl_v3d_sub(bl_v3d_mad(ray->origin, t, ray->dir), i->a);
    *hit = (bl_hit){t, bl_v3d_scale(1 / i->radius, n), 0, 0, i->object, i->element};
    return true;
}

static bool hit_leaf(const state *s, const node *n, query *q, bl_hit *hit) {
    bool found = false;
    for (uint32_t k = 0; k < n->count; k++) {
        const item *i = &s->items[n->first + k];
        if (i->radius > 0 ? hit_sphere(i, &q->ray, hit) : hit_triangle(i, &q->ray, hit)) {
            q->ray.max = hit->t;
            found = true;
        }
    }
    return found;
}

static bool builtin_hit(const void *user, const bl_ray *ray, bl_hit *hit) {
    const state *s = user;
    if (!s->item_count) return false;
    query q = {*ray, {1 / ray->dir.x, 1 / ray->dir.y, 1 / ray->dir.z}, {ray->origin.x, ray->origin.y, ray->origin.z}};
    uint32_t stack[MAX_DEPTH];
    int top = 0;
    bool found = false;
    uint32_t at = 0;
    if (enter(&s->nodes[0], &q) == HUGE_VAL) return false;
    for (;;) {
        const node *n = &s->nodes[at];
        if (n->count) {
            found |= hit_leaf(s, n, &q, hit);
        } else {
            /* the nearer child first */
            uint32_t near = at + 1, far = n->first;
            double t_near = enter(&s->nodes[near], &q), t_far = enter(&s->nodes[far], &q);
            if (t_far < t_near) {
                uint32_t swap = near;
                near = far, far = swap;
                double t = t_near;
                t_near = t_far, t_far = t;
            }
            if (t_far < HUGE_VAL) stack[top++] = far;
            if (t_near < HUGE_VAL) {
                at = near;
                continue;
            }
        }
        do {
            if (!top) return found;
            at = stack[--top];
        } while (enter(&s->nodes[at], &q) == HUGE_VAL);
    }
}

const bl_tracer_backend bl_tracer_builtin = {.name = "built-in",
                                             .create = builtin_create,
                                             .destroy = builtin_destroy,
                                             .add_mesh = builtin_add_mesh,
                                             .add_spheres = builtin_add_spheres,
                                             .commit = builtin_commit,
                                             .hit = builtin_hit};
