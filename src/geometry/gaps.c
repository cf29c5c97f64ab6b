/* Layers below concave edges.
 *
 * Below an edge that a wall goes around (where floor and side of a dish meet) the points of a layer part: each went
 * down along its own normal. A layer at depth d has an arc of radius d there, and without points on it liquid is
 * pressed through. Between two points of the surface that are near each other, and whose places in the layer are not,
 * lie others on the way from one to the other, with normals between theirs. */
#include "base/parallel.h"
#include "geometry/point_grid.h"
#include "geometry/sample.h"

#include <math.h>

static const double NEAR = 2;        /* in spacings: neighbours on the surface */
static const double GAP = 1.2;       /* in spacings: wide enough for a point between */
static const double PARTED = 1.25;   /* how much further apart in the layer than on the surface */
static const double OPPOSITE = -0.5; /* cosine: sides of a slot, which have nothing in common */
static const double BELOW = 0.6;     /* in depths, under one surface at least */
static const double STEP = 0.3;      /* in spacings, from one place to try to the next */
enum { CHUNK = 256, MAX_STEPS = 32 };

typedef struct gap_job {
    const bl_sampling *s;
    const bl_points *points;
    size_t begin;
    double depth;
    bl_vec3d *surface; /* above the points from `begin` on */
    size_t *count;     /* of places, for each of them; then where its first goes */
    bl_vec3d *x, *n;   /* places and their normals; NULL: only count */
    bl_point_grid grid;
} gap_job;

/* Steps from one point to the other in the layer; 0: there is no gap between them. */
static int steps_between(const gap_job *job, size_t i, size_t j) {
    const bl_vec3d *normal = job->points->normal + job->begin;
    const double h = job->s->h, *depth = job->points->depth + job->begin;
    if (depth[i] == 0 || depth[j] == 0) return 0; /* no layers there */
    /* A gap is at most `apart` and what the turn of the normals adds to it, so that has to be this much of it; most
     * points have neighbours with nearly the same normal. */
    double turn = (1 - 1 / PARTED) * GAP * h / job->depth;
    if (bl_v3d_norm2(bl_v3d_sub(normal[i], normal[j])) < 0.99 * turn * turn) return 0;
    double apart = bl_v3d_norm(bl_v3d_sub(job->surface[i], job->surface[j]));
    if (apart >= NEAR * h || bl_v3d_dot(normal[i], normal[j]) < OPPOSITE) return 0;
    bl_vec3d a = bl_v3d_mad(job->surface[i], -job->depth, normal[i]);
    bl_vec3d b = bl_v3d_mad(job->surface[j], -job->depth, normal[j]);
    double gap = bl_v3d_norm(bl_v3d_sub(a, b));
    if (gap < GAP * h || gap < PARTED * apart) return 0;
    return (int)fmin(ceil(gap / (STEP * h)), MAX_STEPS);
}

/* Whether x is about as deep as it should be, below one of two points of the surface. */
static bool is_deep(const gap_job *job, size_t i, size_t j, bl_vec3d x) {
    const bl_vec3d *normal = job->points->normal + job->begin;
    double a = bl_v3d_dot(bl_v3d_sub(x, job->surface[i]), normal[i]);
    double b = bl_v3d_dot(bl_v3d_sub(x, job->surface[j]), normal[j]);
    return fmin(a, b) < -BELOW * job->depth;
}

/* Places between points i and j, from number `first` on; how many. */
static size_t places_between(const gap_job *job, size_t i, size_t j, size_t first) {
    const bl_vec3d *normal = job->points->normal + job->begin;
    int steps = steps_between(job, i, j);
    size_t found = 0;
    for (int k = 1; k < steps; k++) {
        double t = (double)k / steps;
        bl_vec3d n = bl_unit(bl_v3d_mad(bl_v3d_scale(1 - t, normal[i]), t, normal[j]));
        bl_vec3d x = bl_v3d_mad(bl_v3d_scale(1 - t, job->surface[i]), t, job->surface[j]);
        x = bl_v3d_mad(x, -job->depth, n);
        if (!is_deep(job, i, j, x)) continue;
        if (job->x) job->x[first + found] = x, job->n[first + found] = n;
        found++;
    }
    return found;
}

static void find_places(void *user, size_t begin, size_t end) {
    gap_job *job = user;
    for (size_t i = begin; i < end; i++) {
        size_t found = 0, first = job->x ? job->count[i] : 0;
        bl_grid_walk walk = bl_grid_walk_begin(&job->grid, job->surface[i], NEAR * job->s->h);
        const bl_grid_item *item;
        while ((item = bl_grid_walk_next(&walk)))
            if (item->index > i) found += places_between(job, i, item->index, first + found);
        if (!job->x) job->count[i] = found;
    }
}

/* Count, then write. */
static bl_status list_places(gap_job *job, size_t count, bl_point_list *list) {
    bl_context *ctx = job->s->ctx;
    bl_parallel_for(ctx, count, CHUNK, find_places, job);
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = job->count[i];
        job->count[i] = total;
        total += n;
    }
    if (total == 0) return BL_OK;
    bl_vec3d *x = bl_alloc(ctx, total, sizeof *x), *n = bl_alloc(ctx, total, sizeof *n);
    bl_status status = x && n ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        job->x = x, job->n = n;
        bl_parallel_for(ctx, count, CHUNK, find_places, job);
        status = bl_point_list_reserve(list, list->points.count + total);
    }
    for (size_t k = 0; k < total && !status; k++) {
        status = bl_point_list_add(list, x[k], n[k], 0, 0);
        if (!status) list->points.depth[list->points.count - 1] = job->depth;
    }
    bl_release(ctx, x);
    bl_release(ctx, n);
    return status;
}

bl_status bl_add_gap_places(const bl_sampling *s, size_t begin, size_t end, double depth, bl_point_list *list) {
    size_t count = end - begin;
    gap_job job = {.s = s, .points = &list->points, .begin = begin, .depth = depth};
    job.surface = bl_alloc(s->ctx, count, sizeof *job.surface);
    job.count = bl_alloc(s->ctx, count, sizeof *job.count);
    bl_status status = job.surface && job.count ? BL_OK : BL_ERR_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        const bl_points *p = &list->points;
        job.surface[i] = bl_v3d_mad(p->x[begin + i], p->depth[begin + i], p->normal[begin + i]);
    }
    if (!status) status = bl_point_grid_build(s->ctx, job.surface, count, 2 * NEAR * s->h, &job.grid);
    if (!status) {
        status = list_places(&job, count, list);
        bl_point_grid_clear(&job.grid);
    }
    bl_release(s->ctx, job.surface);
    bl_release(s->ctx, job.count);
    return status;
}
