/* What has to be known of every particle before the field can be evaluated: how thin the fluid is around it, and the
 * shape of its kernel. */
#include "surface/samples.h"

#include "base/parallel.h"

#include <math.h>

enum { LANES = 8 };
#define INV_H2 (1.0f / (BL_KERNEL_H * BL_KERNEL_H))

/* Kernel sums around one particle. */
typedef struct sums {
    float total, own;
    float gradient[3];
} sums;

/* Add the points of one run to per-lane sums: arithmetic in fixed lanes, so the bits do not depend on the vector
 * width. lane[0] total, [1] own fluid, [2..4] gradient. */
static void add_run(const bl_field *field, bl_run run, const float p[3], int32_t phase, float lane[5][LANES]) {
    const bl_bins *bins = &field->bins;
    for (uint32_t k = run.begin; k < run.end; k += LANES) {
        for (uint32_t l = 0; l < LANES; l++) {
            const float dx = bins->x[k + l] - p[0], dy = bins->y[k + l] - p[1], dz = bins->z[k + l] - p[2];
            float t = 1.0f - (dx * dx + dy * dy + dz * dz) * INV_H2;
            t = t > 0.0f && k + l < run.end ? t : 0.0f;
            const float t2 = t * t, w = t2 * t;
            lane[0][l] += w;
            lane[1][l] += field->phase[k + l] == phase ? w : 0.0f;
            lane[2][l] += t2 * dx;
            lane[3][l] += t2 * dy;
            lane[4][l] += t2 * dz;
        }
    }
}

static float add_lanes(const float lane[LANES]) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static sums sum_around(const bl_field *field, const bl_run *runs, int run_count, const float p[3], int32_t phase) {
    float lane[5][LANES] = {{0}};
    for (int r = 0; r < run_count; r++) add_run(field, runs[r], p, phase, lane);
    sums s = {.total = BL_KERNEL_C * add_lanes(lane[0]), .own = BL_KERNEL_C * add_lanes(lane[1])};
    for (int a = 0; a < 3; a++) s.gradient[a] = 6.0f * INV_H2 * BL_KERNEL_C * add_lanes(lane[2 + a]);
    return s;
}

/* Near a surface: with little fluid of its own around, or with more on one side. The outermost layer of a drop can be
 * so crowded that nothing is lacking there, and that it counts for most of the sum: with n particles a square spacing,
 * the slope over the sum is about 0.5/(0.5 + n/2), and inside a shaken lattice it stays below 0.05. */
static bool is_near_surface(const sums *s) {
    const float little = 0.9f, steep = 0.1f;
    const float *g = s->gradient;
    return s->own < little || g[0] * g[0] + g[1] * g[1] + g[2] * g[2] > steep * steep * s->total * s->total;
}

static float smoothstep(float from, float to, float x) {
    float t = (x - from) / (to - from);
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

/* How alike the sides of a particle are: 0 in the surface of a bulk, where the field rises steeply to one side; 1
 * inside fluid, in sheets, threads and specks. */
static float symmetry_of(const sums *s) {
    const float *g = s->gradient;
    const float slope = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return 1.0f - smoothstep(0.35f, 0.7f, slope / s->total);
}

/* The weight of a particle where the field, with the wall's share divided out, is `value`.
 *
 * It lifts the field at the particle to what a lone particle needs to become a ball of its own volume. Particles in the
 * surface of a bulk can have values between 0.5 and that as well, and must not be lifted, else the bulk would swell:
 * there the sides differ. Well below 0.5 there is no bulk at all. */
static float weight_of(float value, float symmetry) {
    const float needed = bl_kernel_lone();
    if (value >= needed) return 1.0f;
    const float thin = 1.0f - smoothstep(0.38f, 0.48f, value);
    const float share = symmetry > thin ? symmetry : thin;
    return 1.0f + share * (needed / value - 1.0f);
}

/* Everything about particle i. */
static void sample_particle(bl_field *field, const bl_run *runs, int run_count, const bl_wall_patch *patch,
                            uint32_t i) {
    const float p[3] = {field->bins.x[i], field->bins.y[i], field->bins.z[i]};
    const sums s = sum_around(field, runs, run_count, p, field->phase[i]);
    const float symmetry = symmetry_of(&s);
    field->near[i] = is_near_surface(&s);
    const float value = field->form ? bl_sample_form(field, runs, run_count, i, symmetry) : s.total;
    const float open = patch->run_count ? bl_walls_probe(patch, p).open : 1.0f;
    field->weight[i] = weight_of(value / open, symmetry);
}

static void sample_bin(bl_field *field, size_t b) {
    const bl_bins *bins = &field->bins;
    int32_t cell[3];
    float min[3], max[3], near_min[3], near_max[3];
    bl_cell_of_key(bins->key[b], cell);
    for (int a = 0; a < 3; a++) {
        min[a] = (float)(cell[a] * bins->edge), max[a] = (float)((cell[a] + 1) * bins->edge);
        near_min[a] = min[a] - BL_KERNEL_H, near_max[a] = max[a] + BL_KERNEL_H;
    }
    bl_run runs[BL_RUNS_MAX];
    const int run_count = bl_bins_runs(bins, near_min, near_max, runs);
    bl_wall_patch patch;
    bl_wall_patch_find(&field->walls, min, max, &patch);

    for (uint32_t i = bins->first[b]; i < bins->first[b + 1]; i++) sample_particle(field, runs, run_count, &patch, i);
}

static void sample_bins(void *user, size_t begin, size_t end) {
    for (size_t b = begin; b < end; b++) sample_bin(user, b);
}

void bl_samples_measure(bl_context *ctx, bl_field *field) {
    bl_parallel_for(ctx, field->bins.bin_count, 32, sample_bins, field);
}
