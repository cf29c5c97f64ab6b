/* Sampling a triangle mesh into boundary particles: time of each stage and statistics of the spacing.
 * usage: bench_sampling [TRIANGLES [PARTICLES [THREADS]]]   (200000, 1000000, all) */
#include "base/timer.h"
#include "geometry/sample.h"
#include "geometry/spacing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A ball of radius about 1 with bumps, as rings of triangles. */
static bl_status make_mesh(bl_context *ctx, size_t triangles, bl_mesh **out) {
    bl_mesh_builder builder = {0};
    uint32_t rows = (uint32_t)sqrt((double)triangles / 4), columns = 2 * rows;
    bl_status status = bl_mesh_create(ctx, &builder.mesh);
    for (uint32_t i = 0; i <= rows && !status; i++)
        for (uint32_t j = 0; j < columns && !status; j++) {
            double a = acos(-1.0) * i / rows, b = 2 * acos(-1.0) * j / columns;
            bl_vec3d n = bl_v3d_make(sin(a) * cos(b), sin(a) * sin(b), cos(a));
            if (i == 0 || i == rows) n = bl_v3d_make(0, 0, i ? -1 : 1);
            double r = 1 + 0.05 * sin(9 * n.x) * sin(11 * n.y + 1) * cos(7 * n.z);
            status = bl_mesh_add_vertex(&builder, bl_v3d_scale(r, n));
        }
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns && !status; j++) {
            uint32_t a = i * columns + j, b = i * columns + (j + 1) % columns;
            status = bl_mesh_add_triangle(&builder, a, a + columns, b + columns);
            if (!status) status = bl_mesh_add_triangle(&builder, a, b + columns, b);
        }
    if (!status) status = bl_mesh_finish(builder.mesh, "bumpy ball");
    *out = builder.mesh;
    return status;
}

static double relative_deviation(const double *values, size_t count) {
    double sum = 0, sum2 = 0;
    for (size_t i = 0; i < count; i++) sum += values[i], sum2 += values[i] * values[i];
    return sqrt(fmax(sum2 * (double)count / (sum * sum) - 1, 0));
}

static double sum_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += values[i];
    return sum;
}

static bl_status run(bl_context *ctx, size_t triangles, double particles) {
    bl_mesh *mesh = NULL;
    bl_bvh *bvh = NULL;
    double start = bl_now();
    bl_status status = make_mesh(ctx, triangles, &mesh);
    double meshed = bl_now(), area = 0;
    if (!status) status = bl_bvh_create(ctx, mesh, &bvh);
    double built = bl_now();
    bl_point_list list = bl_point_list_make(ctx);
    bl_sampling s = {.ctx = ctx, .dimension = 3, .layers = 1, .seed = 1};
    bl_spacing spacing = {0};
    const bl_points *p = &list.points;
    if (!status) {
        area = bl_mesh_area(mesh);
        s.h = sqrt(area / particles);
        status = bl_sample_mesh(&s, mesh, bvh, &list);
    }
    double sampled = bl_now();
    if (!status) status = bl_spacing_measure(ctx, p, s.h, &spacing);
    if (!status) {
        printf("triangles %zu, particles %zu, threads %d\n", mesh->triangle_count, p->count, bl_threads(ctx));
        printf("seconds: mesh %.2f, hierarchy %.2f, sampling %.2f, in all %.2f\n", meshed - start, built - meshed,
               sampled - built, sampled - start);
        printf("nearest neighbour: least %.3f h, mean %.3f h, deviation %.3f h\n", spacing.least, spacing.mean,
               spacing.deviation);
        printf("rest volumes: deviation %.1f %%, sum V/h over area %.6f\n",
               100 * relative_deviation(p->volume, p->count), sum_of(p->volume, p->count) / s.h / area);
    }
    bl_point_list_clear(&list);
    bl_bvh_destroy(bvh);
    bl_mesh_destroy(mesh);
    return status;
}

int main(int argc, char **argv) {
    bl_context_def def = bl_default_context_def();
    def.threads = argc > 3 ? atoi(argv[3]) : 0;
    bl_context *ctx;
    if (bl_context_create(&def, &ctx) != BL_OK) return 1;
    bl_status status = run(ctx, argc > 1 ? strtoull(argv[1], NULL, 10) : 200000, argc > 2 ? atof(argv[2]) : 1e6);
    if (status) fprintf(stderr, "%s\n", bl_context_error(ctx));
    bl_context_destroy(ctx);
    return status ? 1 : 0;
}
