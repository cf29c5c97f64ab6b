/* Sharp seams: the line where two fluids and the air meet.
 *
 * Marching cubes cuts the edge between interface and free surface off in both fluids, which leaves a groove of up to a
 * cell. The interface vertices next to the cut are moved to where both surfaces are. Both fluids' meshes have these
 * vertices at the same places and see the same two fields (the interface with opposite sign), so both end on the same
 * line. */
#include "base/parallel.h"
#include "surface/refine.h"

#include <math.h>
#include <string.h>

#define TRAVEL 2.0f /* cells a vertex may move */
#define CLOSE 1e-3f /* spacings */
enum { STEPS = 6 };

typedef struct seam_job {
    const bl_field *field;
    int phase;
    const bl_links *links;
    bl_surface_mesh *mesh;
    const uint8_t *kind; /* before this pass */
} seam_job;

static bool touches_free(const seam_job *job, size_t v) {
    for (uint32_t k = job->links->start[v]; k < job->links->start[v + 1]; k++) {
        if (job->kind[job->links->around[k][0]] == BL_SURFACE_FREE) return true;
    }
    return false;
}

/* Gradients of both terms by central differences. */
static void find_slopes(const seam_job *job, const float p[3], float free[3], float interface[3]) {
    const float step = 0.25f * job->field->cell;
    for (int a = 0; a < 3; a++) {
        float lower[3], upper[3];
        memcpy(lower, p, sizeof lower);
        memcpy(upper, p, sizeof upper);
        lower[a] -= step, upper[a] += step;
        const bl_terms low = bl_field_terms_at(job->field, job->phase, lower, NULL);
        const bl_terms high = bl_field_terms_at(job->field, job->phase, upper, NULL);
        free[a] = (high.free - low.free) / (2.0f * step);
        interface[a] = (high.interface - low.interface) / (2.0f * step);
    }
}

static float dot3(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The shortest move after which both terms vanish, to first order. False where the surfaces are nearly parallel. */
static bool newton_move(bl_terms at, const float free[3], const float interface[3], float move[3]) {
    const float ff = dot3(free, free), fi = dot3(free, interface), ii = dot3(interface, interface);
    const float det = ff * ii - fi * fi;
    if (det < 0.04f * ff * ii || ff * ii < 1e-8f) return false;
    const float a = (-at.free * ii + at.interface * fi) / det, b = (-at.interface * ff + at.free * fi) / det;
    for (int k = 0; k < 3; k++) move[k] = a * free[k] + b * interface[k];
    return true;
}

/* Whether the seam was found; p is left as it is where it was not. */
static bool find_seam(const seam_job *job, float p[3]) {
    const float limit = TRAVEL * job->field->cell;
    float q[3], free[3], interface[3], move[3];
    memcpy(q, p, sizeof q);
    for (int step = 0; step < STEPS; step++) {
        const bl_terms at = bl_field_terms_at(job->field, job->phase, q, NULL);
        if (fabsf(at.free) < CLOSE && fabsf(at.interface) < CLOSE) break;
        find_slopes(job, q, free, interface);
        if (!newton_move(at, free, interface, move)) return false;
        float length2 = 0.0f;
        for (int a = 0; a < 3; a++) {
            q[a] += move[a];
            length2 += (q[a] - p[a]) * (q[a] - p[a]);
        }
        if (length2 > limit * limit) return false;
    }
    memcpy(p, q, sizeof q);
    return true;
}

static void sharpen_vertices(void *user, size_t begin, size_t end) {
    const seam_job *job = user;
    for (size_t v = begin; v < end; v++) {
        if (job->kind[v] != BL_SURFACE_INTERFACE || !touches_free(job, v)) continue;
        float p[3] = {(float)job->mesh->x[v].x, (float)job->mesh->x[v].y, (float)job->mesh->x[v].z};
        if (!find_seam(job, p)) continue;
        job->mesh->x[v] = bl_v3_make((real)p[0], (real)p[1], (real)p[2]);
        job->mesh->kind[v] = BL_SURFACE_SEAM;
    }
}

bl_status bl_seam_sharpen(bl_context *ctx, const bl_field *field, int phase, const bl_links *links,
                          bl_surface_mesh *mesh) {
    if (field->phases < 2) return BL_OK;
    uint8_t *const kind = bl_alloc(ctx, mesh->vertex_count, 1);
    if (!kind) return BL_ERR_MEMORY;
    memcpy(kind, mesh->kind, mesh->vertex_count);
    seam_job job = {field, phase, links, mesh, kind};
    bl_parallel_for(ctx, mesh->vertex_count, 0, sharpen_vertices, &job);
    bl_release(ctx, kind);
    return BL_OK;
}
