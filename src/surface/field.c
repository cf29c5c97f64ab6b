/* Evaluation of the fields on blocks and at single points. */
#include "surface/field.h"

#include "base/lanes.h"
#include "surface/samples.h"

#include <math.h>
#include <string.h>

#define INTERFACE_FAR 8.0f

bl_status bl_field_init(bl_context *ctx, const bl_surface_input *input, bl_field *field) {
    const bl_surface_options *options = &input->options;
    *field = (bl_field){.input = input, .phases = input->phase_count, .reach = BL_KERNEL_H};
    field->cell = options->cell > 0.0 ? (float)(options->cell / input->spacing) : 0.5f;
    bl_status status =
        bl_bins_build(ctx, input->x, input->count, input->spacing, (double)BL_KERNEL_H, "particle", &field->bins);
    if (!status) status = bl_walls_build(ctx, input, &field->bins, &field->walls);
    if (status) goto failed;

    status = BL_ERR_MEMORY;
    field->phase = bl_alloc(ctx, input->count + BL_BINS_PADDING, sizeof *field->phase);
    field->weight = bl_alloc(ctx, input->count, sizeof *field->weight);
    field->near = bl_alloc(ctx, input->count, sizeof *field->near);
    if (!field->phase || !field->weight || !field->near) goto failed;
    if (options->anisotropic) {
        field->reach *= BL_FORM_WIDEST;
        field->form = bl_alloc(ctx, input->count, sizeof *field->form);
        field->spread = bl_alloc(ctx, input->count, sizeof *field->spread);
        if (!field->form || !field->spread) goto failed;
    }
    for (size_t i = 0; input->phase && i < input->count; i++)
        field->phase[i] = (int32_t)input->phase[field->bins.source[i]];
    bl_samples_measure(ctx, field);
    return BL_OK;

failed:
    bl_field_clear(ctx, field);
    return status;
}

void bl_field_clear(bl_context *ctx, bl_field *field) {
    bl_bins_clear(ctx, &field->bins);
    bl_walls_clear(ctx, &field->walls);
    bl_release(ctx, field->phase);
    bl_release(ctx, field->weight);
    bl_release(ctx, field->near);
    bl_release(ctx, field->form);
    bl_release(ctx, field->spread);
    *field = (bl_field){0};
}

/* A particle as seen from a block, in cells: its offset from node (0,0,0) as an integer part, the same for no other
 * block, and a fraction, the same for all. Differences to nodes are integers plus that fraction, so that every block
 * gets the same bits for a shared node. */
typedef struct seen {
    int base[3];
    float fraction[3];
    float form[6]; /* of the kernel, per cell^2 */
    float weight;  /* times the kernel's constant */
    int range;     /* nodes to either side that the kernel can reach */
} seen;

static seen look_at(const bl_field *field, const int32_t block[3], uint32_t i) {
    const float x[3] = {field->bins.x[i], field->bins.y[i], field->bins.z[i]};
    const float cell2 = field->cell * field->cell;
    seen s;
    for (int a = 0; a < 3; a++) {
        const double u = (double)x[a] / (double)field->cell, base = floor(u);
        s.base[a] = (int)base - block[a] * BL_BLOCK;
        s.fraction[a] = (float)(u - base);
    }
    for (int a = 0; a < 6; a++)
        s.form[a] = cell2 * (field->form ? field->form[i][a] : a < 3 ? 1.0f / (BL_KERNEL_H * BL_KERNEL_H) : 0.0f);
    s.weight = BL_KERNEL_C * field->weight[i];
    s.range = (int)ceilf(field->reach / field->cell);
    return s;
}

static bool clip_range(const seen *s, int axis, int *low, int *high) {
    *low = s->base[axis] - s->range, *high = s->base[axis] + s->range + 1;
    if (*low < 0) *low = 0;
    if (*high > BL_BLOCK) *high = BL_BLOCK;
    return *low <= *high;
}

/* The part of a block that a kernel can reach, and the distances to its nodes along x. */
typedef struct window {
    int low[3], high[3];
    int first, last; /* groups of lanes in a padded row */
    bl_f4 dx[BL_ROW / BL_LANES];
} window;

static bool find_window(const seen *s, window *w) {
    for (int a = 0; a < 3; a++)
        if (!clip_range(s, a, &w->low[a], &w->high[a])) return false;
    for (int k = 0; k < BL_ROW; k++) w->dx[k / BL_LANES][k % BL_LANES] = (float)(s->base[0] - k) + s->fraction[0];
    w->first = w->low[0] / BL_LANES, w->last = w->high[0] / BL_LANES;
    return true;
}

/* weight t^3 where t > 0, added to four nodes. */
static void add_kernel(float *nodes, float weight, bl_f4 t) {
    t = bl_f4_positive(t);
    bl_f4_store(nodes, bl_f4_load(nodes) + weight * (t * t * t));
}

/* Add one particle with a round kernel to the nodes of a block, a padded row at a time. */
static void splat_round(const seen *s, float *values) {
    window w;
    if (!find_window(s, &w)) return;
    const float scale = s->form[0];
    for (int g = w.first; g <= w.last; g++) w.dx[g] = scale * w.dx[g] * w.dx[g];
    for (int z = w.low[2]; z <= w.high[2]; z++) {
        const float dz = (float)(s->base[2] - z) + s->fraction[2], c = 1.0f - scale * dz * dz;
        for (int y = w.low[1]; y <= w.high[1] && c > 0.0f; y++) {
            const float dy = (float)(s->base[1] - y) + s->fraction[1], t = c - scale * dy * dy;
            float *const row = &values[bl_node(0, y, z)];
            for (int g = w.first; g <= w.last && t > 0.0f; g++) add_kernel(row + BL_LANES * g, s->weight, t - w.dx[g]);
        }
    }
}

/* The same with a stretched kernel. */
static void splat_stretched(const seen *s, float *values) {
    window w;
    if (!find_window(s, &w)) return;
    const float xx = s->form[0];
    for (int z = w.low[2]; z <= w.high[2]; z++) {
        const float dz = (float)(s->base[2] - z) + s->fraction[2];
        for (int y = w.low[1]; y <= w.high[1]; y++) {
            /* 1 - q along the row is c - dx (b + xx dx); its largest value tells whether the row is touched. */
            const float dy = (float)(s->base[1] - y) + s->fraction[1];
            const float b = 2.0f * (s->form[3] * dy + s->form[4] * dz);
            const float c = 1.0f - (s->form[1] * dy * dy + s->form[2] * dz * dz + 2.0f * s->form[5] * dy * dz);
            if (c + b * b / (4.0f * xx) <= 0.0f) continue;
            float *const row = &values[bl_node(0, y, z)];
            for (int g = w.first; g <= w.last; g++)
                add_kernel(row + BL_LANES * g, s->weight, c - w.dx[g] * (b + xx * w.dx[g]));
        }
    }
}

static void evaluate_walls(const bl_field *field, const int32_t block[3], const float min[3], const float max[3],
                           float *distance, float *open) {
    bl_wall_patch patch;
    bl_wall_patch_find(&field->walls, min, max, &patch);
    for (int z = 0; z < BL_NODES; z++) {
        for (int y = 0; y < BL_NODES; y++) {
            for (int x = 0; x < BL_NODES; x++) {
                const float p[3] = {(float)(block[0] * BL_BLOCK + x) * field->cell,
                                    (float)(block[1] * BL_BLOCK + y) * field->cell,
                                    (float)(block[2] * BL_BLOCK + z) * field->cell};
                const bl_wall_probe probe = bl_walls_probe(&patch, p);
                distance[bl_node(x, y, z)] = probe.distance, open[bl_node(x, y, z)] = probe.open;
            }
        }
    }
}

/* Squared distance of particle i from a box. */
static float distance2_to_box(const bl_bins *bins, uint32_t i, const float min[3], const float max[3]) {
    const float x[3] = {bins->x[i], bins->y[i], bins->z[i]};
    float sum = 0.0f;
    for (int a = 0; a < 3; a++) {
        const float below = min[a] - x[a], above = x[a] - max[a];
        const float d = below > above ? below : above;
        sum += d > 0.0f ? d * d : 0.0f;
    }
    return sum;
}

void bl_field_evaluate(const bl_field *field, const int32_t block[3], float *values) {
    memset(values, 0, (size_t)bl_field_arrays(field) * BL_BLOCK_VALUES * sizeof *values);
    float min[3], max[3], near_min[3], near_max[3];
    for (int a = 0; a < 3; a++) {
        min[a] = (float)(block[a] * BL_BLOCK) * field->cell;
        max[a] = (float)((block[a] + 1) * BL_BLOCK) * field->cell;
        near_min[a] = min[a] - field->reach - field->cell, near_max[a] = max[a] + field->reach + field->cell;
    }
    bl_run runs[BL_RUNS_MAX];
    const int run_count = bl_bins_runs(&field->bins, near_min, near_max, runs);
    const float reach = field->reach * (1.0f + 1e-4f); /* room for rounding */
    for (int r = 0; r < run_count; r++) {
        for (uint32_t i = runs[r].begin; i < runs[r].end; i++) {
            if (distance2_to_box(&field->bins, i, min, max) > reach * reach) continue;
            const seen s = look_at(field, block, i);
            float *const own = values + field->phase[i] * BL_BLOCK_VALUES;
            if (field->form)
                splat_stretched(&s, own);
            else
                splat_round(&s, own);
        }
    }
    float *const walls = values + field->phases * BL_BLOCK_VALUES;
    if (field->walls.bins.count > 0) evaluate_walls(field, block, min, max, walls, walls + BL_BLOCK_VALUES);
}

/* Terms from the fields of all fluids (`stride` apart) and the walls. Fluid at a wall counts as if it went on behind
 * it; inside the solid the wall's own term decides. */
static bl_terms combine(const bl_field *field, const float *phi, size_t stride, int phase, float wall, float open) {
    float total = 0.0f, other = -1.0f;
    for (int k = 0; k < field->phases; k++) {
        const float value = phi[(size_t)k * stride];
        total += value;
        if (k != phase && value > other) other = value;
    }
    bl_terms t = {(total / open - 0.5f) / BL_KERNEL_SLOPE, wall, INTERFACE_FAR};
    if (field->phases > 1) t.interface = (phi[(size_t)phase * stride] - other) / (2.0f * BL_KERNEL_SLOPE);
    return t;
}

bl_terms bl_field_terms(const bl_field *field, const float *values, int phase, int n) {
    float wall = BL_WALL_FAR, open = 1.0f;
    if (field->walls.bins.count > 0) {
        wall = values[field->phases * BL_BLOCK_VALUES + n];
        open = values[(field->phases + 1) * BL_BLOCK_VALUES + n];
    }
    return combine(field, values + n, BL_BLOCK_VALUES, phase, wall, open);
}

static float kernel_at(const bl_field *field, uint32_t i, const float p[3]) {
    const float d[3] = {p[0] - field->bins.x[i], p[1] - field->bins.y[i], p[2] - field->bins.z[i]};
    if (!field->form) return bl_kernel((d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (BL_KERNEL_H * BL_KERNEL_H));
    const float *m = field->form[i];
    return bl_kernel(m[0] * d[0] * d[0] + m[1] * d[1] * d[1] + m[2] * d[2] * d[2] +
                     2.0f * (m[3] * d[0] * d[1] + m[4] * d[0] * d[2] + m[5] * d[1] * d[2]));
}

bl_terms bl_field_terms_at(const bl_field *field, int phase, const float p[3], float normal[3]) {
    float phi[BL_SURFACE_MAX_PHASES] = {0}, min[3], max[3];
    for (int a = 0; a < 3; a++) min[a] = p[a] - field->reach, max[a] = p[a] + field->reach;
    bl_run runs[BL_RUNS_MAX];
    const int run_count = bl_bins_runs(&field->bins, min, max, runs);
    for (int r = 0; r < run_count; r++) {
        for (uint32_t i = runs[r].begin; i < runs[r].end; i++)
            phi[field->phase[i]] += BL_KERNEL_C * field->weight[i] * kernel_at(field, i, p);
    }
    bl_wall_patch patch;
    bl_wall_patch_find(&field->walls, p, p, &patch);
    const bl_wall_probe probe = bl_walls_probe(&patch, p);
    if (normal) memcpy(normal, probe.normal, sizeof probe.normal);
    return combine(field, phi, 1, phase, probe.distance, probe.open);
}
