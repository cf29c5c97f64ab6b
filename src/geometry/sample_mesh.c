/* Blue noise on triangle meshes.
 *
 * 1. Sharp and open edges are sampled at even distances; these points stay where they are.
 * 2. Darts are thrown in batches: candidates at random places, evenly over the area, that keep the Poisson distance r
 *    from all points so far. Among candidates of one batch that are too close to each other the one with the highest
 *    random priority wins.
 * 3. A few rounds of repulsion along the surface even the spacing out.
 * 4. Rest volumes follow from the local density and add up to h times the area.
 *
 * Once no dart fits any more, discs of diameter r cover 0.547 of a plane (the jamming limit of random sequential
 * adsorption), which is one point for each h^2 at r = 0.83 h; with the darts thrown here, at r = 0.77 h. */
#include "base/parallel.h"
#include "base/rng.h"
#include "geometry/curves.h"
#include "geometry/point_grid.h"
#include "geometry/sample.h"

#include <math.h>
#include <string.h>

static const double POISSON_DISTANCE = 0.77;      /* in spacings */
static const double SHARP_COSINE = 0.766;         /* edges whose normals differ by more than 40 degrees */
static const double RELAX_REACH = 1.8;            /* in spacings */
static const double RELAX_STEP = 0.7;             /* larger ones overshoot */
static const double ON_SURFACE = 1e-9;            /* in spacings */
static const double BATCHES[] = {1.5, 2.5, 4, 6}; /* candidates per h^2 */
enum { BATCH_COUNT = sizeof BATCHES / sizeof *BATCHES, RELAX_ROUNDS = 6 };
typedef struct surface_point {
    bl_vec3d x;
    uint32_t triangle;
} surface_point;

typedef struct sampler {
    const bl_sampling *s;
    bl_context *ctx;
    const bl_mesh *mesh;
    const bl_bvh *bvh;
    double r;     /* Poisson distance */
    double *area; /* up to and with triangle t */
    /* Points so far; the first `fixed` lie on edges. */
    size_t count, fixed, capacity;
    bl_vec3d *x, *moved;
    bl_vec3d *normal;
    uint32_t *triangle;
    bl_point_grid grid;
} sampler;

static bl_vec3d triangle_normal(const bl_mesh *mesh, uint32_t t) { return bl_unit(bl_mesh_triangle_area(mesh, t)); }

static bl_status reserve(sampler *sp, size_t capacity) {
    if (capacity <= sp->capacity) return BL_OK;
    if (capacity < 2 * sp->capacity) capacity = 2 * sp->capacity;
    void *x = bl_grow(sp->ctx, sp->x, sp->count, capacity, sizeof *sp->x);
    if (x) sp->x = x;
    void *normal = bl_grow(sp->ctx, sp->normal, sp->count, capacity, sizeof *sp->normal);
    if (normal) sp->normal = normal;
    void *triangle = bl_grow(sp->ctx, sp->triangle, sp->count, capacity, sizeof *sp->triangle);
    if (triangle) sp->triangle = triangle;
    if (!x || !normal || !triangle) return BL_ERR_MEMORY;
    sp->capacity = capacity;
    return BL_OK;
}

/* --- 1. edges ---------------------------------------------------------------------------------------------------- */

/* Edges with one triangle, with more than two, or with a sharp fold; and for each the sum of its normals. */
static size_t find_sharp_edges(const bl_mesh *mesh, const bl_mesh_edge *all, size_t count, uint32_t (*edges)[2],
                               bl_vec3d *normals) {
    size_t n = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        bl_vec3d sum = bl_v3d_zero(), first = triangle_normal(mesh, all[begin].triangle), last = first;
        for (end = begin; end < count && all[end].low == all[begin].low && all[end].high == all[begin].high; end++) {
            last = triangle_normal(mesh, all[end].triangle);
            sum = bl_v3d_add(sum, last);
        }
        if (end - begin == 2 && bl_v3d_dot(first, last) > SHARP_COSINE) continue;
        edges[n][0] = all[begin].low;
        edges[n][1] = all[begin].high;
        normals[n++] = sum;
    }
    return n;
}

static bl_status add_edge_points(sampler *sp, const bl_curve_sample *samples, size_t count, const bl_vec3d *normals,
                                 const bl_vec3d *vertex_normals) {
    bl_vec3d *x = bl_alloc(sp->ctx, count, sizeof *x);
    bool *keep = bl_alloc(sp->ctx, count, sizeof *keep);
    bl_status status = x && keep ? reserve(sp, count) : BL_ERR_MEMORY;
    for (size_t i = 0; i < count && !status; i++) x[i] = samples[i].x;
    if (!status) status = bl_points_thin(sp->ctx, x, count, 0, sp->r, NULL, keep);
    for (size_t i = 0; i < count && !status; i++) {
        if (!keep[i]) continue;
        bool corner = samples[i].vertex != UINT32_MAX;
        sp->x[sp->count] = x[i];
        sp->normal[sp->count] = bl_unit(corner ? vertex_normals[samples[i].vertex] : normals[samples[i].edge]);
        sp->triangle[sp->count++] = UINT32_MAX;
    }
    sp->fixed = sp->count;
    bl_release(sp->ctx, x);
    bl_release(sp->ctx, keep);
    return status;
}

static bl_status sample_edges(sampler *sp) {
    const bl_mesh *mesh = sp->mesh;
    bl_mesh_edge *all = NULL;
    size_t count, n_samples = 0, n_edges = 0;
    bl_status status = bl_mesh_edges(mesh, &all, &count);
    if (status) return status;
    uint32_t(*edges)[2] = bl_alloc(sp->ctx, count, sizeof *edges);
    bl_vec3d *normals = bl_alloc(sp->ctx, count, sizeof *normals);
    bl_vec3d *vertex_normals = bl_alloc(sp->ctx, mesh->vertex_count, sizeof *vertex_normals);
    bl_curve_sample *samples = NULL;
    if (!edges || !normals || !vertex_normals) status = BL_ERR_MEMORY;
    if (!status) {
        n_edges = find_sharp_edges(mesh, all, count, edges, normals);
        for (size_t e = 0; e < n_edges; e++)
            for (int k = 0; k < 2; k++)
                vertex_normals[edges[e][k]] = bl_v3d_add(vertex_normals[edges[e][k]], normals[e]);
        bl_curve_net net = {mesh->x, mesh->vertex_count, (const uint32_t(*)[2])edges, n_edges};
        if (n_edges > 0) status = bl_curve_net_sample(sp->ctx, &net, sp->s->along, &samples, &n_samples);
    }
    if (!status && n_samples > 0) status = add_edge_points(sp, samples, n_samples, normals, vertex_normals);
    bl_release(sp->ctx, all);
    bl_release(sp->ctx, edges);
    bl_release(sp->ctx, normals);
    bl_release(sp->ctx, vertex_normals);
    bl_release(sp->ctx, samples);
    return status;
}

/* --- 2. darts ---------------------------------------------------------------------------------------------------- */

typedef struct batch {
    sampler *sp;
    size_t count;
    uint64_t stream;
    uint8_t *fits; /* per candidate */
    /* Those that fit: */
    size_t open;
    size_t *which;
    surface_point *darts;
    bl_vec3d *x;
    uint64_t *priority;
    bool *in;
} batch;

static uint32_t triangle_at(const sampler *sp, double area) {
    size_t low = 0, high = sp->mesh->triangle_count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sp->area[middle] > area)
            high = middle;
        else
            low = middle + 1;
    }
    return (uint32_t)low;
}

/* Candidate k of n lies in the k-th of n equal parts of the area, so triangles come in order: `hint` is that of an
 * earlier candidate, UINT32_MAX for none. */
static surface_point dart(const batch *b, size_t k, uint32_t hint) {
    const sampler *sp = b->sp;
    const bl_mesh *mesh = sp->mesh;
    double total = sp->area[mesh->triangle_count - 1];
    uint64_t seed = sp->s->seed;
    double area = total * (((double)k + bl_rng_uniform(seed, b->stream, 3 * k)) / (double)b->count);
    uint32_t t = hint == UINT32_MAX ? triangle_at(sp, area) : hint;
    while (t + 1 < mesh->triangle_count && sp->area[t] <= area) t++;
    double u = bl_rng_uniform(seed, b->stream, 3 * k + 1), v = bl_rng_uniform(seed, b->stream, 3 * k + 2);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    bl_vec3d p = mesh->x[mesh->triangles[t].v[0]];
    bl_vec3d e = bl_v3d_sub(mesh->x[mesh->triangles[t].v[1]], p), f = bl_v3d_sub(mesh->x[mesh->triangles[t].v[2]], p);
    return (surface_point){bl_v3d_mad(bl_v3d_mad(p, u, e), v, f), t};
}

static bool is_crowded(const sampler *sp, bl_vec3d x) {
    bl_grid_walk walk = bl_grid_walk_begin(&sp->grid, x, sp->r);
    const bl_grid_item *item;
    while ((item = bl_grid_walk_next(&walk)))
        if (bl_v3d_norm2(bl_v3d_sub(x, item->x)) < sp->r * sp->r) return true;
    return false;
}

static void test_darts(void *user, size_t begin, size_t end) {
    batch *b = user;
    uint32_t triangle = UINT32_MAX;
    for (size_t k = begin; k < end; k++) {
        surface_point p = dart(b, k, triangle);
        b->fits[k] = !is_crowded(b->sp, p.x);
        triangle = p.triangle;
    }
}

/* The darts that fit, once more. */
static void gather_darts(void *user, size_t begin, size_t end) {
    batch *b = user;
    for (size_t i = begin; i < end; i++) {
        b->darts[i] = dart(b, b->which[i], i > begin ? b->darts[i - 1].triangle : UINT32_MAX);
        b->x[i] = b->darts[i].x;
        b->priority[i] = bl_rng_u64(b->sp->s->seed, b->stream + 1, b->which[i]);
    }
}

static bl_status make_room_for_darts(batch *b) {
    bl_context *ctx = b->sp->ctx;
    for (size_t k = 0; k < b->count; k++) b->open += b->fits[k];
    b->which = bl_alloc(ctx, b->open, sizeof *b->which);
    b->darts = bl_alloc(ctx, b->open, sizeof *b->darts);
    b->x = bl_alloc(ctx, b->open, sizeof *b->x);
    b->priority = bl_alloc(ctx, b->open, sizeof *b->priority);
    b->in = bl_alloc(ctx, b->open, sizeof *b->in);
    if (!b->which || !b->darts || !b->x || !b->priority || !b->in) return BL_ERR_MEMORY;
    for (size_t k = 0, i = 0; k < b->count; k++)
        if (b->fits[k]) b->which[i++] = k;
    return BL_OK;
}

/* Gather the darts that fit the points so far and let them fight it out; the winners join the points. */
static bl_status settle(batch *b) {
    sampler *sp = b->sp;
    bl_status status = make_room_for_darts(b);
    if (status) return status;
    bl_parallel_for(sp->ctx, b->open, BL_CHUNK, gather_darts, b);
    status = bl_points_thin(sp->ctx, b->x, b->open, 0, sp->r, b->priority, b->in);

    size_t winners = 0;
    for (size_t i = 0; i < b->open; i++) winners += b->in[i];
    if (!status) status = reserve(sp, sp->count + winners);
    for (size_t i = 0; i < b->open && !status; i++) {
        if (!b->in[i]) continue;
        sp->x[sp->count] = b->x[i];
        sp->triangle[sp->count] = b->darts[i].triangle;
        sp->normal[sp->count++] = triangle_normal(sp->mesh, b->darts[i].triangle);
    }
    return status;
}

static bl_status throw_batch(sampler *sp, int index) {
    double area = sp->area[sp->mesh->triangle_count - 1];
    batch b = {.sp = sp, .stream = 2 * (uint64_t)index};
    b.count = (size_t)ceil(BATCHES[index] * area / (sp->s->along * sp->s->along)) + 16;
    b.fits = bl_alloc(sp->ctx, b.count, sizeof *b.fits);
    if (!b.fits) return BL_ERR_MEMORY;
    bl_status status = bl_point_grid_build(sp->ctx, sp->x, sp->count, 2 * sp->r, &sp->grid);
    if (!status) {
        bl_parallel_for(sp->ctx, b.count, BL_CHUNK, test_darts, &b);
        bl_point_grid_clear(&sp->grid);
        status = settle(&b);
    }
    bl_release(sp->ctx, b.fits);
    bl_release(sp->ctx, b.which);
    bl_release(sp->ctx, b.darts);
    bl_release(sp->ctx, b.x);
    bl_release(sp->ctx, b.priority);
    bl_release(sp->ctx, b.in);
    return status;
}

/* --- 3. relaxation ----------------------------------------------------------------------------------------------- */

static bl_vec3d repulsion(const sampler *sp, size_t i) {
    const double reach = RELAX_REACH * sp->s->along;
    bl_vec3d push = bl_v3d_zero();
    bl_grid_walk walk = bl_grid_walk_begin(&sp->grid, sp->x[i], reach);
    const bl_grid_item *item;
    while ((item = bl_grid_walk_next(&walk))) {
        bl_vec3d d = bl_v3d_sub(sp->x[i], item->x);
        double r2 = bl_v3d_norm2(d);
        if (r2 >= reach * reach || r2 == 0) continue;
        double r = sqrt(r2), w = 1 - r / reach;
        push = bl_v3d_mad(push, w * w / r, d);
    }
    return bl_v3d_mad(push, -bl_v3d_dot(push, sp->normal[i]), sp->normal[i]);
}

/* Push each point away from its neighbours, but not too far, and back onto the surface. */
static void relax_range(void *user, size_t begin, size_t end) {
    sampler *sp = user;
    const bl_mesh *mesh = sp->mesh;
    const double h = sp->s->along, most = 0.2 * h;
    for (size_t i = begin; i < end; i++) {
        bl_vec3d push = repulsion(sp, i);
        double length = RELAX_STEP * h * bl_v3d_norm(push);
        bl_vec3d x = bl_v3d_mad(sp->x[i], RELAX_STEP * h * (length > most ? most / length : 1), push);
        /* The triangle that it lay on is a good guess and keeps the search short. */
        const uint32_t *v = mesh->triangles[sp->triangle[i]].v;
        sp->moved[i] = bl_triangle_closest(mesh->x[v[0]], mesh->x[v[1]], mesh->x[v[2]], x);
        double off = bl_v3d_norm(bl_v3d_sub(sp->moved[i], x));
        if (off < ON_SURFACE * h) continue; /* still on it: most, where triangles are larger than the spacing */
        bl_hit hit = bl_bvh_closest(sp->bvh, x, off);
        if (hit.triangle == UINT32_MAX) continue;
        sp->moved[i] = hit.x;
        sp->triangle[i] = hit.triangle;
        sp->normal[i] = triangle_normal(mesh, hit.triangle);
    }
}

static void relax_movable(void *user, size_t begin, size_t end) {
    const sampler *sp = user;
    relax_range(user, begin + sp->fixed, end + sp->fixed);
}

static bl_status relax(sampler *sp) {
    sp->moved = bl_alloc(sp->ctx, sp->count, sizeof *sp->moved);
    if (!sp->moved) return BL_ERR_MEMORY;
    for (int round = 0; round < RELAX_ROUNDS; round++) {
        bl_status status = bl_point_grid_build(sp->ctx, sp->x, sp->count, 2 * RELAX_REACH * sp->s->along, &sp->grid);
        if (status) return status;
        bl_parallel_for(sp->ctx, sp->count - sp->fixed, BL_CHUNK, relax_movable, sp);
        bl_point_grid_clear(&sp->grid);
        memcpy(sp->x + sp->fixed, sp->moved + sp->fixed, (sp->count - sp->fixed) * sizeof *sp->x);
    }
    return BL_OK;
}

/* --- 4. together ------------------------------------------------------------------------------------------------- */

static bl_status sum_areas(sampler *sp) {
    sp->area = bl_alloc(sp->ctx, sp->mesh->triangle_count, sizeof *sp->area);
    if (!sp->area) return BL_ERR_MEMORY;
    double sum = 0;
    for (size_t t = 0; t < sp->mesh->triangle_count; t++)
        sp->area[t] = sum += bl_v3d_norm(bl_mesh_triangle_area(sp->mesh, t));
    return BL_OK;
}

bl_status bl_sample_mesh(const bl_sampling *s, const bl_mesh *mesh, const bl_bvh *bvh, bl_point_list *list) {
    sampler sp = {.s = s, .ctx = s->ctx, .mesh = mesh, .bvh = bvh, .r = POISSON_DISTANCE * s->along};
    bl_status status = sum_areas(&sp);
    if (!status) status = sample_edges(&sp);
    for (int b = 0; b < BATCH_COUNT && !status; b++) status = throw_batch(&sp, b);
    if (!status) status = relax(&sp);

    size_t begin = list->points.count;
    if (!status) status = bl_point_list_reserve(list, begin + sp.count);
    for (size_t i = 0; i < sp.count && !status; i++) status = bl_point_list_add(list, sp.x[i], sp.normal[i], 0, 0);
    if (!status && s->weigh) status = bl_estimate_volumes(s, list, begin, sp.area[mesh->triangle_count - 1]);
    bl_release(s->ctx, sp.area);
    bl_release(s->ctx, sp.x);
    bl_release(s->ctx, sp.moved);
    bl_release(s->ctx, sp.normal);
    bl_release(s->ctx, sp.triangle);
    return status;
}
