#include "surface/outline.h"

#include "particles/radix.h"
#include "surface/bins.h"

#include <math.h>
#include <string.h>

/* Layers to either side of z = 0: what happens at the ends of the continued fluid does not reach the middle. */
enum { HALF = 6, LAYERS = 2 * HALF + 1 };
/* Where it is cut, in spacings: between the planes of the grid's nodes, at which the raw mesh has its vertices. */
static const double CUT = 0.2;

/* --- the fluid continued along z ---------------------------------------------------------------------------------- */

static bl_vec3 *repeat(bl_context *ctx, const bl_vec3 *from, size_t count, double step) {
    bl_vec3 *const out = from ? bl_alloc(ctx, count * LAYERS, sizeof *out) : NULL;
    for (size_t i = 0; out && i < count * LAYERS; i++) {
        out[i] = from[i % count];
        out[i].z = (real)((double)((int)(i / count) - HALF) * step);
    }
    return out;
}

/* Arrays of the continued fluid; `input` points to them. */
typedef struct prism {
    bl_surface_input input;
    bl_vec3 *x, *v, *wall_x, *wall_normal;
    uint32_t *phase;
} prism;

static void prism_clear(bl_context *ctx, prism *p) {
    bl_release(ctx, p->x);
    bl_release(ctx, p->v);
    bl_release(ctx, p->wall_x);
    bl_release(ctx, p->wall_normal);
    bl_release(ctx, p->phase);
}

static bl_status prism_make(bl_context *ctx, const bl_surface_input *flat, prism *p) {
    const size_t n = flat->count, walls = flat->wall_count;
    *p = (prism){.input = *flat,
                 .x = repeat(ctx, flat->x, n, flat->spacing),
                 .v = repeat(ctx, flat->v, n, 0.0),
                 .wall_x = walls ? repeat(ctx, flat->wall_x, walls, flat->spacing) : NULL,
                 .wall_normal = walls ? repeat(ctx, flat->wall_normal, walls, 0.0) : NULL,
                 .phase = flat->phase ? bl_alloc(ctx, n * LAYERS, sizeof *p->phase) : NULL};
    if (!p->x || (flat->v && !p->v) || (walls && (!p->wall_x || !p->wall_normal)) || (flat->phase && !p->phase))
        return BL_ERR_MEMORY;
    for (size_t i = 0; p->phase && i < n * LAYERS; i++) p->phase[i] = flat->phase[i % n];
    p->input.count = n * LAYERS, p->input.wall_count = walls * LAYERS;
    p->input.x = p->x, p->input.v = p->v, p->input.phase = p->phase;
    p->input.wall_x = p->wall_x, p->input.wall_normal = p->wall_normal;
    p->input.options.decimate = 1.0;
    return BL_OK;
}

/* --- the cut ------------------------------------------------------------------------------------------------------ */

/* An edge of the mesh that the cut crosses. Its two triangles pass it in opposite directions. */
typedef struct cut_job {
    const bl_surface_mesh *solid;
    real height;
    size_t count;   /* crossed edges */
    uint64_t *edge; /* lower vertex << 32 | higher vertex, rising */
    uint32_t *next; /* the edge that follows along the line */
} cut_job;

static bool is_above(const cut_job *job, uint32_t v) { return job->solid->x[v].z >= job->height; }

static uint64_t edge_key(uint32_t a, uint32_t b) { return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a; }

/* The edges by which a triangle leaves the upper side, and comes back to it. False: it is not crossed. */
static bool crossed_edges(const cut_job *job, const uint32_t v[3], uint64_t *down, uint64_t *up) {
    bool crossed = false;
    for (int k = 0; k < 3; k++) {
        const uint32_t a = v[k], b = v[(k + 1) % 3];
        if (is_above(job, a) == is_above(job, b)) continue;
        *(is_above(job, a) ? down : up) = edge_key(a, b);
        crossed = true;
    }
    return crossed;
}

static size_t find_edge(const cut_job *job, uint64_t key) { return bl_lower_bound(job->edge, job->count, key); }

/* Every crossed edge is left downwards by one of its triangles: list each once, in order. */
static bl_status list_edges(bl_context *ctx, cut_job *job) {
    uint64_t down = 0, up = 0;
    size_t n = 0;
    for (size_t t = 0; t < job->solid->triangle_count; t++)
        job->count += crossed_edges(job, &job->solid->triangle[3 * t], &down, &up);
    bl_sort_item *const items = bl_alloc(ctx, job->count, sizeof *items);
    job->edge = bl_alloc(ctx, job->count, sizeof *job->edge);
    job->next = bl_alloc(ctx, job->count, sizeof *job->next);
    bl_status status = items && job->edge && job->next ? BL_OK : BL_ERR_MEMORY;
    for (size_t t = 0; !status && t < job->solid->triangle_count; t++)
        if (crossed_edges(job, &job->solid->triangle[3 * t], &down, &up)) items[n++].key = down;
    if (!status) status = bl_sort_cells(ctx, items, job->count);
    for (size_t k = 0; !status && k < job->count; k++) job->edge[k] = items[k].key;
    bl_release(ctx, items);
    return status;
}

static void link_edges(cut_job *job) {
    for (size_t t = 0; t < job->solid->triangle_count; t++) {
        uint64_t down = 0, up = 0;
        if (crossed_edges(job, &job->solid->triangle[3 * t], &down, &up))
            job->next[find_edge(job, down)] = (uint32_t)find_edge(job, up);
    }
}

/* The point of the line on an edge. */
static void put_point(const cut_job *job, uint64_t edge, bl_surface_mesh *out, size_t at) {
    const bl_surface_mesh *solid = job->solid;
    const uint32_t a = (uint32_t)(edge >> 32), b = (uint32_t)edge;
    const double za = (double)solid->x[a].z, zb = (double)solid->x[b].z, t = ((double)job->height - za) / (zb - za);
    const bl_vec3d x = bl_v3d_mad(bl_v3d_scale(1.0 - t, bl_v3d_from(solid->x[a])), t, bl_v3d_from(solid->x[b]));
    const bl_vec3d n =
        bl_v3d_mad(bl_v3d_scale(1.0 - t, bl_v3d_from(solid->normal[a])), t, bl_v3d_from(solid->normal[b]));
    const double length = hypot(n.x, n.y);
    out->x[at] = bl_v3_make((real)x.x, (real)x.y, 0);
    out->normal[at] = length > 0.0 ? bl_v3_make((real)(n.x / length), (real)(n.y / length), 0) : bl_v3_make(1, 0, 0);
    out->kind[at] = solid->kind[t < 0.5 ? a : b];
    if (out->v)
        out->v[at] =
            bl_v3_from_d(bl_v3d_mad(bl_v3d_scale(1.0 - t, bl_v3d_from(solid->v[a])), t, bl_v3d_from(solid->v[b])));
}

/* Follow the lines; edges that were passed have no next any more. */
static void walk_lines(cut_job *job, bl_surface_mesh *out) {
    size_t n = 0;
    for (size_t first = 0; first < job->count; first++) {
        if (job->next[first] == UINT32_MAX) continue;
        out->loop[out->loop_count++] = (uint32_t)n;
        for (size_t k = first; job->next[k] != UINT32_MAX;) {
            const uint32_t next = job->next[k];
            put_point(job, job->edge[k], out, n++);
            job->next[k] = UINT32_MAX;
            k = next;
        }
    }
    out->loop[out->loop_count] = (uint32_t)n;
    out->vertex_count = n;
}

static bl_status cut(bl_context *ctx, const bl_surface_mesh *solid, double height, bl_surface_mesh *out) {
    cut_job job = {.solid = solid, .height = (real)height};
    bl_status status = list_edges(ctx, &job);
    if (!status) {
        out->x = bl_alloc(ctx, job.count, sizeof *out->x);
        out->normal = bl_alloc(ctx, job.count, sizeof *out->normal);
        out->kind = bl_alloc(ctx, job.count, sizeof *out->kind);
        out->v = solid->v ? bl_alloc(ctx, job.count, sizeof *out->v) : NULL;
        out->loop = bl_alloc(ctx, job.count + 1, sizeof *out->loop);
        if (!out->x || !out->normal || !out->kind || !out->loop || (solid->v && !out->v)) status = BL_ERR_MEMORY;
    }
    if (!status) {
        link_edges(&job);
        walk_lines(&job, out);
    }
    bl_release(ctx, job.edge);
    bl_release(ctx, job.next);
    return status;
}

bl_status bl_outline_build(bl_context *ctx, const bl_surface_input *input, bl_surface_mesh *out) {
    bl_surface_mesh solid[BL_SURFACE_MAX_PHASES] = {0};
    prism p;
    memset(out, 0, (size_t)input->phase_count * sizeof *out);
    bl_status status = prism_make(ctx, input, &p);
    if (!status) status = bl_surface_build(ctx, &p.input, solid);
    for (int k = 0; !status && k < input->phase_count; k++) status = cut(ctx, &solid[k], CUT * input->spacing, &out[k]);
    for (int k = 0; k < input->phase_count; k++) {
        bl_surface_mesh_clear(ctx, &solid[k]);
        if (status) bl_surface_mesh_clear(ctx, &out[k]);
    }
    prism_clear(ctx, &p);
    return status;
}

/* --- measures ----------------------------------------------------------------------------------------------------- */

double bl_mesh_lines_area(const bl_surface_mesh *mesh) {
    double sum = 0.0;
    for (size_t l = 0; l < mesh->loop_count; l++) {
        const uint32_t begin = mesh->loop[l], end = mesh->loop[l + 1];
        const bl_vec3d origin = bl_v3d_from(mesh->x[begin]);
        for (uint32_t k = begin; k < end; k++) {
            const bl_vec3d a = bl_v3d_sub(bl_v3d_from(mesh->x[k]), origin);
            const bl_vec3d b = bl_v3d_sub(bl_v3d_from(mesh->x[k + 1 < end ? k + 1 : begin]), origin);
            sum += 0.5 * (a.x * b.y - a.y * b.x);
        }
    }
    return sum;
}

double bl_mesh_lines_length(const bl_surface_mesh *mesh) {
    double sum = 0.0;
    for (size_t l = 0; l < mesh->loop_count; l++)
        for (uint32_t k = mesh->loop[l], end = mesh->loop[l + 1]; k < end; k++) {
            const uint32_t next = k + 1 < end ? k + 1 : mesh->loop[l];
            sum += bl_v3d_norm(bl_v3d_sub(bl_v3d_from(mesh->x[next]), bl_v3d_from(mesh->x[k])));
        }
    return sum;
}
