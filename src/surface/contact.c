/* Sharp contact lines.
 *
 * Marching cubes cuts the corner between wall and free surface off by up to a cell. The wall vertices next to that cut
 * are moved along the wall until they also lie on the free surface. */
#include "base/parallel.h"
#include "surface/refine.h"

#include <math.h>
#include <string.h>

#define TRAVEL 2.0f /* cells a vertex may move */
enum { STEPS = 6 };

typedef struct contact_job {
    const bl_field *field;
    int phase;
    const bl_links *links;
    bl_surface_mesh *mesh;
    const uint8_t *kind; /* before this pass */
    float (*wall_normal)[3];
} contact_job;

static bool touches_free(const contact_job *job, size_t v) {
    for (uint32_t k = job->links->start[v]; k < job->links->start[v + 1]; k++) {
        if (job->kind[job->links->around[k][0]] == BL_SURFACE_FREE) return true;
    }
    return false;
}

/* Gradient of the free term along the wall, by central differences. */
static void slope_along_wall(const contact_job *job, const float p[3], const float normal[3], float slope[3]) {
    const float step = 0.25f * job->field->cell;
    float along = 0.0f;
    for (int a = 0; a < 3; a++) {
        float lower[3], upper[3];
        memcpy(lower, p, sizeof lower);
        memcpy(upper, p, sizeof upper);
        lower[a] -= step, upper[a] += step;
        slope[a] = (bl_field_terms_at(job->field, job->phase, upper, NULL).free -
                    bl_field_terms_at(job->field, job->phase, lower, NULL).free) /
                   (2.0f * step);
        along += slope[a] * normal[a];
    }
    for (int a = 0; a < 3; a++) slope[a] -= along * normal[a];
}

/* Newton steps within the wall for free = 0, and back onto the wall after each. */
static void slide(const contact_job *job, float p[3], float normal[3]) {
    const float limit = TRAVEL * job->field->cell;
    float start[3];
    memcpy(start, p, sizeof start);
    for (int step = 0; step < STEPS; step++) {
        const bl_terms terms = bl_field_terms_at(job->field, job->phase, p, normal);
        float slope[3], move[3], length2 = 0.0f;
        slope_along_wall(job, p, normal, slope);
        const float s2 = slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2];
        if (s2 < 1e-4f) return;
        for (int a = 0; a < 3; a++) {
            move[a] = p[a] - terms.free * slope[a] / s2 - terms.wall * normal[a] - start[a];
            length2 += move[a] * move[a];
        }
        const float scale = length2 > limit * limit ? limit / sqrtf(length2) : 1.0f;
        for (int a = 0; a < 3; a++) p[a] = start[a] + scale * move[a];
        if (fabsf(terms.free) < 1e-3f) return;
    }
}

static void sharpen_vertices(void *user, size_t begin, size_t end) {
    const contact_job *job = user;
    for (size_t v = begin; v < end; v++) {
        if (job->kind[v] != BL_SURFACE_WALL || !touches_free(job, v)) continue;
        float p[3] = {(float)job->mesh->x[v].x, (float)job->mesh->x[v].y, (float)job->mesh->x[v].z};
        slide(job, p, job->wall_normal[v]);
        job->mesh->x[v] = bl_v3_make((real)p[0], (real)p[1], (real)p[2]);
        job->mesh->kind[v] = BL_SURFACE_CONTACT;
    }
}

bl_status bl_contact_sharpen(bl_context *ctx, const bl_field *field, int phase, const bl_links *links,
                             bl_surface_mesh *mesh, float (*wall_normal)[3]) {
    if (field->walls.bins.count == 0) return BL_OK;
    uint8_t *const kind = bl_alloc(ctx, mesh->vertex_count, 1);
    if (!kind) return BL_ERR_MEMORY;
    memcpy(kind, mesh->kind, mesh->vertex_count);
    contact_job job = {field, phase, links, mesh, kind, wall_normal};
    bl_parallel_for(ctx, mesh->vertex_count, 0, sharpen_vertices, &job);
    bl_release(ctx, kind);
    return BL_OK;
}

typedef struct keep_job {
    const bl_walls *walls;
    bl_surface_mesh *mesh;
} keep_job;

static void keep_vertices_out(void *user, size_t begin, size_t end) {
    const keep_job *job = user;
    for (size_t v = begin; v < end; v++) {
        bl_vec3 *const x = &job->mesh->x[v];
        const float p[3] = {(float)x->x, (float)x->y, (float)x->z};
        bl_wall_patch patch;
        bl_wall_patch_find(job->walls, p, p, &patch);
        const bl_wall_probe probe = bl_walls_probe(&patch, p);
        if (probe.distance >= 0.0f || probe.distance < -1.0f) continue;
        const bl_vec3 normal = bl_v3_make((real)probe.normal[0], (real)probe.normal[1], (real)probe.normal[2]);
        *x = bl_v3_mad(*x, (real)-probe.distance, normal);
    }
}

void bl_contact_keep_out(bl_context *ctx, const bl_field *field, bl_surface_mesh *mesh) {
    if (field->walls.bins.count == 0) return;
    keep_job job = {&field->walls, mesh};
    bl_parallel_for(ctx, mesh->vertex_count, 0, keep_vertices_out, &job);
}
