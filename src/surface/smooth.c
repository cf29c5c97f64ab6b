/* Smoothing, and taking back the blur of the kernel. */
#include "base/parallel.h"
#include "surface/refine.h"

#include <math.h>
#include <string.h>

#define SMOOTH 0.5f
#define INFLATE -0.526f  /* 1/SMOOTH + 1/INFLATE = 0.1: modes longer than that pass */
#define LARGEST_MOVE 0.5 /* of bl_mesh_restore, in spacings */
/* Triangles with their corners on a curved surface cut below it: on average by this times cell^2 times k1 + k2 (for
 * equal sides e it is e^2 / 16; the triangles of marching cubes have e^2 around 1.3 cell^2). */
#define SAG 0.08f

/* May vertices of these kinds smooth each other? An interface follows itself only, so that both of its fluids' meshes
 * move alike; so do contact lines and seams. `to` is the vertex that is moved. */
static bool has_influence(uint8_t to, uint8_t from) {
    switch (to) {
    case BL_SURFACE_FREE: return true;
    case BL_SURFACE_WALL: return false;
    default: return to == from;
    }
}

/* A contact vertex stays in its wall. */
static bl_vec3d within_wall(const bl_surface_mesh *mesh, const float (*wall_normal)[3], size_t v, bl_vec3d move) {
    if (mesh->kind[v] != BL_SURFACE_CONTACT) return move;
    const bl_vec3d n = bl_v3d_make((double)wall_normal[v][0], (double)wall_normal[v][1], (double)wall_normal[v][2]);
    return bl_v3d_mad(move, -bl_v3d_dot(move, n), n);
}

typedef struct smooth_job {
    const bl_links *links;
    const bl_vertex_traits *traits;
    const float (*wall_normal)[3];
    bl_surface_mesh *mesh;
    bl_vec3 *out;
    float factor;
} smooth_job;

static bl_vec3 smoothed(const smooth_job *job, size_t v) {
    const bl_surface_mesh *mesh = job->mesh;
    const bl_vec3d x = bl_v3d_from(mesh->x[v]);
    bl_vec3d sum = bl_v3d_zero();
    int n = 0;
    for (uint32_t k = job->links->start[v]; k < job->links->start[v + 1]; k++) {
        const uint32_t j = job->links->around[k][0];
        if (!has_influence(mesh->kind[v], mesh->kind[j])) continue;
        sum = bl_v3d_add(sum, bl_v3d_sub(bl_v3d_from(mesh->x[j]), x));
        n++;
    }
    if (n < 2) return mesh->x[v];
    const double factor = (double)(job->factor * job->traits[v].bulk) / n;
    return bl_v3_from_d(bl_v3d_add(x, within_wall(mesh, job->wall_normal, v, bl_v3d_scale(factor, sum))));
}

static void smooth_vertices(void *user, size_t begin, size_t end) {
    const smooth_job *job = user;
    for (size_t v = begin; v < end; v++) job->out[v] = smoothed(job, v);
}

bl_status bl_mesh_smooth(bl_context *ctx, const bl_links *links, const bl_vertex_traits *traits,
                         const float (*wall_normal)[3], int steps, bl_surface_mesh *mesh) {
    bl_vec3 *const next = bl_alloc(ctx, mesh->vertex_count, sizeof *next);
    if (!next) return BL_ERR_MEMORY;
    smooth_job job = {links, traits, wall_normal, mesh, next, 0.0f};
    for (int step = 0; step < 2 * steps; step++) {
        job.factor = step % 2 ? INFLATE : SMOOTH;
        bl_parallel_for(ctx, mesh->vertex_count, 0, smooth_vertices, &job);
        memcpy(mesh->x, next, mesh->vertex_count * sizeof *next);
    }
    bl_release(ctx, next);
    return BL_OK;
}

/* Curvature as a density: its integral over the surface around a vertex, and the area of that surface. Both are spread
 * in the same way; their ratio is a curvature averaged over the neighbourhood, however uneven the triangles are. */
typedef struct bend {
    float k[3];      /* k1 + k2 times the outward normal, integrated: the gradient of the area */
    float curvature; /* the same without direction */
    float area;
} bend;

typedef struct restore_job {
    const bl_links *links;
    const bl_vertex_traits *traits;
    const float (*wall_normal)[3];
    bl_surface_mesh *mesh; /* with normals */
    float cell;
    float *share; /* of its bend that a vertex gives to each neighbour and keeps */
    const bend *from;
    bend *to;
} restore_job;

/* Free surface, contact line and seam form one sheet, an interface another; walls need no correction. */
static int sheet_of(uint8_t kind) {
    switch (kind) {
    case BL_SURFACE_INTERFACE: return 2;
    case BL_SURFACE_WALL: return 0;
    default: return 1;
    }
}

/* Gradient of the area around v (and the area itself) over the triangles of its own sheet; `pure` says whether these
 * are all. The gradient is the sum of the curvatures times the outward normal, integrated. */
static bl_vec3d area_gradient(const restore_job *job, size_t v, double *area, bool *pure) {
    const bl_surface_mesh *mesh = job->mesh;
    const bl_vec3d x = bl_v3d_from(mesh->x[v]);
    bl_vec3d k = bl_v3d_zero();
    *area = 0.0, *pure = true;
    for (uint32_t i = job->links->start[v]; i < job->links->start[v + 1]; i++) {
        const uint32_t *around = job->links->around[i];
        const uint8_t p = mesh->kind[around[0]], q = mesh->kind[around[1]];
        if (sheet_of(p) != sheet_of(mesh->kind[v]) || sheet_of(q) != sheet_of(mesh->kind[v]) ||
            (mesh->kind[v] == BL_SURFACE_CONTACT && p == BL_SURFACE_CONTACT && q == BL_SURFACE_CONTACT)) {
            *pure = false;
            continue;
        }
        const bl_vec3d a = bl_v3d_from(mesh->x[around[0]]), b = bl_v3d_from(mesh->x[around[1]]);
        const bl_vec3d cross = bl_v3d_cross(bl_v3d_sub(a, x), bl_v3d_sub(b, x));
        const double twice = bl_v3d_norm(cross);
        if (twice < 1e-12) continue;
        k = bl_v3d_mad(k, 0.5 / twice, bl_v3d_cross(cross, bl_v3d_sub(b, a)));
        *area += twice / 6.0;
    }
    return k;
}

/* An edge between sheets is a crease, not curvature: nothing is measured there. Except at a contact line: the field
 * sees the fluid as if mirrored by the wall, so both sides of the edge count. */
static bend measure_bend(const restore_job *job, size_t v) {
    const bl_surface_mesh *mesh = job->mesh;
    const bool contact = mesh->kind[v] == BL_SURFACE_CONTACT;
    bool pure;
    double area;
    bl_vec3d k = area_gradient(job, v, &area, &pure);
    if (sheet_of(mesh->kind[v]) == 0 || (!pure && !contact)) return (bend){{0}, 0.0f, 0.0f};
    if (contact) k = bl_v3d_scale(2.0, within_wall(mesh, job->wall_normal, v, k)), area *= 2.0;
    return (bend){
        {(float)k.x, (float)k.y, (float)k.z}, (float)bl_v3d_dot(k, bl_v3d_from(mesh->normal[v])), (float)area};
}

/* Every vertex gives equal shares to the neighbours in its sheet and itself. */
static float share_of(const restore_job *job, size_t v) {
    const uint8_t *kind = job->mesh->kind;
    int n = 1;
    for (uint32_t i = job->links->start[v]; i < job->links->start[v + 1]; i++)
        n += sheet_of(kind[job->links->around[i][0]]) == sheet_of(kind[v]);
    return 1.0f / (float)n;
}

static bend scaled(bend b, float s) {
    return (bend){{s * b.k[0], s * b.k[1], s * b.k[2]}, s * b.curvature, s * b.area};
}

static void add_to(bend *sum, const bend *b) {
    for (int a = 0; a < 3; a++) sum->k[a] += b->k[a];
    sum->curvature += b->curvature;
    sum->area += b->area;
}

/* Bends are kept as the shares that will be given; in the end only their ratio to the area matters. */
static void measure_bends(void *user, size_t begin, size_t end) {
    const restore_job *job = user;
    for (size_t v = begin; v < end; v++) {
        job->share[v] = share_of(job, v);
        job->to[v] = scaled(measure_bend(job, v), job->share[v]);
    }
}

static void spread_bends(void *user, size_t begin, size_t end) {
    const restore_job *job = user;
    const uint8_t *kind = job->mesh->kind;
    for (size_t v = begin; v < end; v++) {
        bend sum = job->from[v];
        for (uint32_t i = job->links->start[v]; i < job->links->start[v + 1]; i++) {
            const uint32_t j = job->links->around[i][0];
            if (sheet_of(kind[j]) == sheet_of(kind[v])) add_to(&sum, &job->from[j]);
        }
        job->to[v] = scaled(sum, job->share[v]);
    }
}

/* How far a vertex moves. The blur is undone along the mean curvature vector, which fades where normals turn within the
 * averaged patch: edges do not swell. The sag of the triangles is undone along the normal, for small drops too. */
static bl_vec3d restoring_move(const restore_job *job, size_t v) {
    const bend *b = &job->from[v];
    const double blur = (double)(0.5f * BL_KERNEL_VARIANCE * job->traits[v].spread * job->traits[v].bulk / b->area);
    const double sag = (double)(SAG * job->cell * job->cell * b->curvature / b->area);
    const bl_vec3d k = bl_v3d_make((double)b->k[0], (double)b->k[1], (double)b->k[2]);
    const bl_vec3d move = bl_v3d_mad(bl_v3d_scale(blur, k), sag, bl_v3d_from(job->mesh->normal[v]));
    const double length = bl_v3d_norm(move);
    return length > LARGEST_MOVE ? bl_v3d_scale(LARGEST_MOVE / length, move) : move;
}

static void move_vertices(void *user, size_t begin, size_t end) {
    const restore_job *job = user;
    bl_surface_mesh *const mesh = job->mesh;
    for (size_t v = begin; v < end; v++) {
        if (job->from[v].area <= 0.0f || sheet_of(mesh->kind[v]) == 0) continue;
        const bl_vec3d move = within_wall(mesh, job->wall_normal, v, restoring_move(job, v));
        mesh->x[v] = bl_v3_from_d(bl_v3d_add(bl_v3d_from(mesh->x[v]), move));
    }
}

/* Spreading steps for an average over about one spacing to either side, at the usual edge lengths. */
static int spread_steps(float cell) {
    const float n = 3.0f / (cell * cell);
    return n < 2.0f ? 2 : n > 100.0f ? 100 : (int)n;
}

bl_status bl_mesh_restore(bl_context *ctx, const bl_links *links, const bl_vertex_traits *traits,
                          const float (*wall_normal)[3], float cell, bl_surface_mesh *mesh) {
    bend *const a = bl_alloc(ctx, mesh->vertex_count, sizeof *a);
    bend *const b = bl_alloc(ctx, mesh->vertex_count, sizeof *b);
    float *const share = bl_alloc(ctx, mesh->vertex_count, sizeof *share);
    if (a && b && share) {
        restore_job job = {links, traits, wall_normal, mesh, cell, share, NULL, a};
        bl_mesh_normals(ctx, links, mesh);
        bl_parallel_for(ctx, mesh->vertex_count, 0, measure_bends, &job);
        for (int step = spread_steps(cell); step > 0; step--) {
            job.from = job.to, job.to = job.from == a ? b : a;
            bl_parallel_for(ctx, mesh->vertex_count, 0, spread_bends, &job);
        }
        job.from = job.to;
        bl_parallel_for(ctx, mesh->vertex_count, 0, move_vertices, &job);
    }
    const bl_status status = a && b && share ? BL_OK : BL_ERR_MEMORY;
    bl_release(ctx, a);
    bl_release(ctx, b);
    bl_release(ctx, share);
    return status;
}
