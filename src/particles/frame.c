#include "particles/frame.h"

#include "base/parallel.h"

bl_axis bl_axis_open(double edge) { return (bl_axis){BL_AXIS_OPEN, 1 / edge, 0, 1}; }

bl_axis bl_axis_periodic(double start, double period, double min_edge) {
    double n = floor(period / min_edge);
    if (n > BL_FRAME_MAX_CELLS) n = BL_FRAME_MAX_CELLS;
    return (bl_axis){BL_AXIS_PERIODIC, 1 / period, start, n < 1 ? 1 : (uint32_t)n};
}

bl_axis bl_axis_unused(void) { return (bl_axis){BL_AXIS_UNUSED, 0, 0, 1}; }

/* The bulk of the particles: the median of some of them, so that a few lost ones do not count. */
enum { MAX_SAMPLES = 255 };

static double median_cell(const bl_axis *axis, int a, int n_sets, const bl_vec3 *const *x, const size_t *n_x) {
    double sorted[MAX_SAMPLES];
    int n = 0;
    size_t total = 0;
    for (int s = 0; s < n_sets; s++) total += n_x[s];
    size_t stride = total / MAX_SAMPLES + 1, next = 0;
    for (int s = 0; s < n_sets; s++) {
        for (; next < n_x[s]; next += stride) {
            double cell = floor(bl_v3_component(x[s][next], a) * axis->scale);
            if (!isfinite(cell)) continue;
            int k = n++;
            for (; k > 0 && sorted[k - 1] > cell; k--) sorted[k] = sorted[k - 1];
            sorted[k] = cell;
        }
        next -= n_x[s];
    }
    return n > 0 ? sorted[n / 2] : 0;
}

/* Largest of minus the coordinate and of the coordinate, per axis: one reduction gives both bounds. */
static void fold_bounds(void *user, size_t begin, size_t end, double *acc) {
    const bl_vec3 *x = user;
    for (size_t i = begin; i < end; i++) {
        for (int a = 0; a < 3; a++) {
            double at = bl_v3_component(x[i], a);
            if (!isfinite(at)) continue;
            acc[a] = -at > acc[a] ? -at : acc[a];
            acc[3 + a] = at > acc[3 + a] ? at : acc[3 + a];
        }
    }
}

void bl_frame_fit(bl_context *ctx, bl_frame *frame, int n_sets, const bl_vec3 *const *x, const size_t *n_x) {
    double bounds[6];
    for (int k = 0; k < 6; k++) bounds[k] = -(double)INFINITY;
    for (int s = 0; s < n_sets; s++) {
        double of_set[6];
        if (n_x[s] == 0) continue;
        bl_parallel_reduce(ctx, n_x[s], 6, BL_REDUCE_MAX, fold_bounds, (void *)x[s], of_set);
        for (int k = 0; k < 6; k++) bounds[k] = of_set[k] > bounds[k] ? of_set[k] : bounds[k];
    }
    for (int a = 0; a < 3; a++) {
        bl_axis *axis = &frame->axis[a];
        if (axis->kind != BL_AXIS_OPEN) continue;
        bool empty = !isfinite(bounds[a]);
        double first = empty ? 0 : floor(-bounds[a] * axis->scale),
               last = empty ? 0 : floor(bounds[3 + a] * axis->scale);
        double lowest = median_cell(axis, a, n_sets, x, n_x) - BL_FRAME_MAX_CELLS / 2;
        axis->origin = first > lowest ? first : lowest;
        double n = last - axis->origin + 1;
        axis->n_cells = n < BL_FRAME_MAX_CELLS ? (uint32_t)n : BL_FRAME_MAX_CELLS;
    }
}
