#include "geometry/curves.h"
#include "geometry/frame.h"

#include <math.h>

static const double CORNER_COSINE = 0.766; /* 40 degrees */

typedef struct tracer {
    bl_context *ctx;
    const bl_curve_net *net;
    double h;
    uint32_t *first;    /* vertex_count + 1: where a vertex's edges begin */
    uint32_t *incident; /* edges by vertex */
    uint32_t *corner;   /* sample of a vertex, UINT32_MAX if it is no corner */
    bool *used;         /* edges */
    uint32_t *path;     /* vertices of the stretch at hand */
    uint32_t *path_edges;
    bl_curve_sample *samples;
    size_t count, capacity;
} tracer;

static bl_status add_sample(tracer *t, bl_curve_sample sample) {
    if (t->count == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 64;
        void *grown = bl_grow(t->ctx, t->samples, t->count, capacity, sizeof *t->samples);
        if (!grown) return BL_ERR_MEMORY;
        t->samples = grown;
        t->capacity = capacity;
    }
    t->samples[t->count++] = sample;
    return BL_OK;
}

static uint32_t other_end(const tracer *t, uint32_t edge, uint32_t v) {
    return t->net->edges[edge][0] == v ? t->net->edges[edge][1] : t->net->edges[edge][0];
}

static bool is_corner(const tracer *t, uint32_t v) {
    uint32_t begin = t->first[v];
    if (t->first[v + 1] - begin != 2) return t->first[v + 1] > begin;
    bl_vec3d a = bl_unit(bl_v3d_sub(t->net->x[v], t->net->x[other_end(t, t->incident[begin], v)]));
    bl_vec3d b = bl_unit(bl_v3d_sub(t->net->x[other_end(t, t->incident[begin + 1], v)], t->net->x[v]));
    return bl_v3d_dot(a, b) < CORNER_COSINE;
}

static bl_status index_edges(tracer *t) {
    const bl_curve_net *net = t->net;
    for (size_t e = 0; e < net->edge_count; e++)
        for (int k = 0; k < 2; k++) t->first[net->edges[e][k] + 1]++;
    for (size_t v = 0; v < net->vertex_count; v++) t->first[v + 1] += t->first[v];
    for (size_t e = net->edge_count; e-- > 0;)
        for (int k = 0; k < 2; k++) {
            /* corner[] counts what a vertex already has, here only */
            uint32_t v = net->edges[e][k];
            t->incident[t->first[v] + t->corner[v]++] = (uint32_t)e;
        }
    bl_status status = BL_OK;
    for (size_t v = 0; v < net->vertex_count && !status; v++) {
        t->corner[v] = UINT32_MAX;
        if (!is_corner(t, (uint32_t)v)) continue;
        t->corner[v] = (uint32_t)t->count;
        status = add_sample(t, (bl_curve_sample){net->x[v], 0, t->incident[t->first[v]], (uint32_t)v});
    }
    return status;
}

/* Walk from vertex v along `edge` to the next corner or back to v; returns the number of edges in path. */
static size_t walk(tracer *t, uint32_t v, uint32_t edge) {
    size_t n = 0;
    t->path[0] = v;
    for (;;) {
        t->used[edge] = true;
        t->path_edges[n++] = edge;
        uint32_t next = t->path[n] = other_end(t, edge, t->path[n - 1]);
        if (next == v || t->corner[next] != UINT32_MAX) return n;
        const uint32_t *pair = &t->incident[t->first[next]];
        edge = t->used[pair[0]] ? pair[1] : pair[0];
        if (t->used[edge]) return n;
    }
}

static double edge_length(const tracer *t, size_t k) {
    return bl_v3d_norm(bl_v3d_sub(t->net->x[t->path[k + 1]], t->net->x[t->path[k]]));
}

/* Divide the stretch of n edges in `path`. */
static bl_status divide(tracer *t, size_t n) {
    double length = 0;
    for (size_t k = 0; k < n; k++) length += edge_length(t, k);
    uint32_t start = t->corner[t->path[0]], end = t->corner[t->path[n]];
    bool closed = start == UINT32_MAX; /* a loop without a corner */
    long steps = (long)fmax(rint(length / t->h), closed ? 3 : 1);
    double step = length / (double)steps;
    if (!closed) {
        t->samples[start].length += 0.5 * step;
        t->samples[end].length += 0.5 * step;
    }
    size_t k = 0;
    double before = 0;
    bl_status status = BL_OK;
    for (long i = closed ? 0 : 1; i < steps && !status; i++) {
        double at = (double)i * step;
        while (k + 1 < n && before + edge_length(t, k) < at) before += edge_length(t, k++);
        double along = edge_length(t, k), f = along > 0 ? fmin((at - before) / along, 1) : 0;
        bl_vec3d a = t->net->x[t->path[k]], b = t->net->x[t->path[k + 1]];
        status =
            add_sample(t, (bl_curve_sample){bl_v3d_mad(a, f, bl_v3d_sub(b, a)), step, t->path_edges[k], UINT32_MAX});
    }
    return status;
}

static bl_status trace(tracer *t) {
    bl_status status = index_edges(t);
    for (int loops = 0; loops < 2; loops++) /* stretches that begin at corners first, then loops without any */
        for (size_t v = 0; v < t->net->vertex_count && !status; v++) {
            if (!loops && t->corner[v] == UINT32_MAX) continue;
            for (uint32_t k = t->first[v]; k < t->first[v + 1] && !status; k++)
                if (!t->used[t->incident[k]]) status = divide(t, walk(t, (uint32_t)v, t->incident[k]));
        }
    return status;
}

bl_status bl_curve_net_sample(bl_context *ctx, const bl_curve_net *net, double h, bl_curve_sample **out,
                              size_t *count) {
    tracer t = {.ctx = ctx, .net = net, .h = h};
    t.first = bl_alloc(ctx, net->vertex_count + 1, sizeof *t.first);
    t.incident = bl_alloc(ctx, 2 * net->edge_count, sizeof *t.incident);
    t.corner = bl_alloc(ctx, net->vertex_count, sizeof *t.corner);
    t.used = bl_alloc(ctx, net->edge_count, sizeof *t.used);
    t.path = bl_alloc(ctx, net->edge_count + 1, sizeof *t.path);
    t.path_edges = bl_alloc(ctx, net->edge_count, sizeof *t.path_edges);
    bool ready = t.first && t.incident && t.corner && t.used && t.path && t.path_edges;
    bl_status status = ready ? trace(&t) : BL_ERR_MEMORY;
    bl_release(ctx, t.first);
    bl_release(ctx, t.incident);
    bl_release(ctx, t.corner);
    bl_release(ctx, t.used);
    bl_release(ctx, t.path);
    bl_release(ctx, t.path_edges);
    if (status) {
        bl_release(ctx, t.samples);
        t.samples = NULL;
        t.count = 0;
    }
    *out = t.samples;
    *count = t.count;
    return status;
}
