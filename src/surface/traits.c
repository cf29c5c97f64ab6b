/* Averages over the particles around each vertex. */
#include "base/lanes.h"
#include "base/parallel.h"
#include "surface/refine.h"

#include <string.h>

/* What is averaged: per particle in the order of the bins, and summed with the kernel's weights. */
enum { WEIGHT, BULK, SPREAD, VX, VY, VZ, QUANTITIES };

typedef struct sample_job {
    const bl_field *field;
    int phase;
    float *of[QUANTITIES]; /* NULL: 1 everywhere; WEIGHT holds 0 for particles of other fluids */
    bl_surface_mesh *mesh;
    bl_vertex_traits *traits;
} sample_job;

/* How much of the particle counts as bulk: 1 for weight 1, 0 from weight 2 on. */
static float bulk_of(float weight) {
    const float b = 2.0f - weight;
    return b > 0.0f ? b : 0.0f;
}

static void copy_quantities(void *user, size_t begin, size_t end) {
    const sample_job *job = user;
    const bl_field *field = job->field;
    for (size_t i = begin; i < end; i++) {
        job->of[WEIGHT][i] = field->phase[i] == job->phase ? field->weight[i] : 0.0f;
        job->of[BULK][i] = bulk_of(field->weight[i]);
        if (job->of[SPREAD]) job->of[SPREAD][i] = field->spread[i];
        if (!job->of[VX]) continue;
        const bl_vec3 v = field->input->v[field->bins.source[i]];
        job->of[VX][i] = (float)v.x, job->of[VY][i] = (float)v.y, job->of[VZ][i] = (float)v.z;
    }
}

/* Kernel times weight of the points k to k + 3; 0 from `end` on. */
static bl_f4 weights_at(const sample_job *job, uint32_t k, uint32_t end, const float p[3]) {
    const bl_bins *bins = &job->field->bins;
    const bl_f4 dx = bl_f4_load(bins->x + k) - p[0], dy = bl_f4_load(bins->y + k) - p[1],
                dz = bl_f4_load(bins->z + k) - p[2];
    const bl_f4 t = bl_f4_positive(1.0f - (dx * dx + dy * dy + dz * dz) * (1.0f / (BL_KERNEL_H * BL_KERNEL_H)));
    const int32_t left = (int32_t)(end - k);
    return bl_f4_where((bl_i4){0, 1, 2, 3} < left, bl_f4_load(job->of[WEIGHT] + k) * (t * t * t));
}

/* Add the points of one run. */
static void add_run(const sample_job *job, bl_run run, const float p[3], bl_f4 sum[QUANTITIES]) {
    for (uint32_t k = run.begin; k < run.end; k += BL_LANES) {
        const bl_f4 w = weights_at(job, k, run.end, p);
        sum[WEIGHT] += w;
        for (int q = BULK; q < QUANTITIES; q++)
            if (job->of[q]) sum[q] += w * bl_f4_load(job->of[q] + k);
    }
}

/* The runs around a vertex; the next vertex often needs the same. */
typedef struct surroundings {
    int32_t low[3], high[3]; /* bins */
    int count;
    bl_run runs[BL_RUNS_MAX];
} surroundings;

static void find_surroundings(const bl_bins *bins, const float p[3], surroundings *s) {
    float min[3], max[3];
    int32_t low[3], high[3];
    for (int a = 0; a < 3; a++) min[a] = p[a] - BL_KERNEL_H, max[a] = p[a] + BL_KERNEL_H;
    bl_bins_box(bins, min, max, low, high);
    if (s->count >= 0 && !memcmp(low, s->low, sizeof low) && !memcmp(high, s->high, sizeof high)) return;
    memcpy(s->low, low, sizeof low);
    memcpy(s->high, high, sizeof high);
    s->count = bl_bins_runs(bins, min, max, s->runs);
}

static void sample_vertex(const sample_job *job, size_t v, surroundings *near) {
    const float p[3] = {(float)job->mesh->x[v].x, (float)job->mesh->x[v].y, (float)job->mesh->x[v].z};
    bl_f4 lanes[QUANTITIES] = {{0}};
    float sum[QUANTITIES];
    find_surroundings(&job->field->bins, p, near);
    for (int r = 0; r < near->count; r++) add_run(job, near->runs[r], p, lanes);
    for (int q = 0; q < QUANTITIES; q++) sum[q] = bl_f4_sum(lanes[q]);
    const float scale = sum[WEIGHT] > 0.0f ? 1.0f / sum[WEIGHT] : 0.0f;
    job->traits[v] = (bl_vertex_traits){scale * sum[BULK], job->of[SPREAD] ? scale * sum[SPREAD] : 1.0f};
    if (job->mesh->v)
        job->mesh->v[v] = bl_v3_make((real)(scale * sum[VX]), (real)(scale * sum[VY]), (real)(scale * sum[VZ]));
}

static void sample_vertices(void *user, size_t begin, size_t end) {
    surroundings near = {.count = -1};
    for (size_t v = begin; v < end; v++) sample_vertex(user, v, &near);
}

bl_status bl_vertices_sample(bl_context *ctx, const bl_field *field, int phase, bl_surface_mesh *mesh,
                             bl_vertex_traits *traits) {
    sample_job job = {.field = field, .phase = phase, .mesh = mesh, .traits = traits};
    const size_t count = field->bins.count;
    bool complete = true;
    for (int q = 0; q < QUANTITIES; q++) {
        const bool needed = q == SPREAD ? field->spread != NULL : q < VX || mesh->v;
        if (needed) job.of[q] = bl_alloc(ctx, count + BL_BINS_PADDING, sizeof **job.of);
        complete = complete && (!needed || job.of[q]);
    }
    if (complete) {
        bl_parallel_for(ctx, count, 0, copy_quantities, &job);
        bl_parallel_for(ctx, mesh->vertex_count, 0, sample_vertices, &job);
    }
    for (int q = 0; q < QUANTITIES; q++) bl_release(ctx, job.of[q]);
    return complete ? BL_OK : BL_ERR_MEMORY;
}
