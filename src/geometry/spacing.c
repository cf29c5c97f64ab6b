#include "geometry/spacing.h"
#include "base/parallel.h"
#include "geometry/point_grid.h"

#include <math.h>

typedef struct spacing_job {
    const bl_points *points;
    double h;
    double *nearest; /* in units of h */
    bl_point_grid grid;
} spacing_job;

static void find_nearest(void *user, size_t begin, size_t end) {
    spacing_job *job = user;
    for (size_t i = begin; i < end; i++) {
        double best = 4 * job->h * job->h;
        bl_grid_walk walk = bl_grid_walk_begin(&job->grid, job->points->x[i], 2 * job->h);
        const bl_grid_item *item;
        while ((item = bl_grid_walk_next(&walk))) {
            double d2 = bl_v3d_norm2(bl_v3d_sub(job->points->x[i], item->x));
            if (d2 < best && item->index != i) best = d2;
        }
        job->nearest[i] = sqrt(best) / job->h;
    }
}

bl_status bl_spacing_measure(bl_context *ctx, const bl_points *points, double h, bl_spacing *out) {
    spacing_job job = {.points = points, .h = h, .nearest = bl_alloc(ctx, points->count, sizeof(double))};
    if (!job.nearest) return BL_ERR_MEMORY;
    bl_status status = bl_point_grid_build(ctx, points->x, points->count, 2 * h, &job.grid);
    if (!status) {
        bl_parallel_for(ctx, points->count, BL_CHUNK, find_nearest, &job);
        bl_point_grid_clear(&job.grid);
    }
    double sum = 0, sum2 = 0, n = points->count ? (double)points->count : 1;
    out->least = points->count ? 2 : 0;
    for (size_t i = 0; i < points->count && !status; i++) {
        out->least = fmin(out->least, job.nearest[i]);
        sum += job.nearest[i];
        sum2 += job.nearest[i] * job.nearest[i];
    }
    out->mean = sum / n;
    out->deviation = sqrt(fmax(sum2 / n - out->mean * out->mean, 0));
    bl_release(ctx, job.nearest);
    return status;
}
