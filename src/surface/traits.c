/* Averages over the particles around each vertex. */
#include "base/parallel.h"
#include "surface/refine.h"

typedef struct sample_job {
    const bl_field *field;
    int phase;
    bl_surface_mesh *mesh;
    bl_vertex_traits *traits;
} sample_job;

/* How much of the particle counts as bulk: 1 for weight 1, 0 from weight 2 on. */
static float bulk_of(float weight) {
    const float b = 2.0f - weight;
    return b > 0.0f ? b : 0.0f;
}

static void sample_vertex(const sample_job *job, size_t v) {
    const bl_field *field = job->field;
    const bl_bins *bins = &field->bins;
    const float p[3] = {(float)job->mesh->x[v].x, (float)job->mesh->x[v].y, (float)job->mesh->x[v].z};
    float min[3], max[3];
    for (int a = 0; a < 3; a++) min[a] = p[a] - BL_KERNEL_H, max[a] = p[a] + BL_KERNEL_H;
    bl_run runs[BL_RUNS_MAX];
    const int run_count = bl_bins_runs(bins, min, max, runs);

    float weights = 0.0f, bulk = 0.0f, spread = 0.0f;
    bl_vec3 momentum = bl_v3_zero();
    for (int r = 0; r < run_count; r++) {
        for (uint32_t i = runs[r].begin; i < runs[r].end; i++) {
            const float dx = bins->x[i] - p[0], dy = bins->y[i] - p[1], dz = bins->z[i] - p[2];
            const float q = (dx * dx + dy * dy + dz * dz) / (BL_KERNEL_H * BL_KERNEL_H);
            if (q >= 1.0f || field->phase[i] != job->phase) continue;
            const float w = field->weight[i] * bl_kernel(q);
            weights += w;
            bulk += w * bulk_of(field->weight[i]);
            spread += w * (field->spread ? field->spread[i] : 1.0f);
            if (job->mesh->v) momentum = bl_v3_mad(momentum, (real)w, field->input->v[bins->source[i]]);
        }
    }
    const float scale = weights > 0.0f ? 1.0f / weights : 0.0f;
    job->traits[v] = (bl_vertex_traits){scale * bulk, scale * spread};
    if (job->mesh->v) job->mesh->v[v] = bl_v3_scale((real)scale, momentum);
}

static void sample_vertices(void *user, size_t begin, size_t end) {
    for (size_t v = begin; v < end; v++) sample_vertex(user, v);
}

void bl_vertices_sample(bl_context *ctx, const bl_field *field, int phase, bl_surface_mesh *mesh,
                        bl_vertex_traits *traits) {
    sample_job job = {field, phase, mesh, traits};
    bl_parallel_for(ctx, mesh->vertex_count, 0, sample_vertices, &job);
}
