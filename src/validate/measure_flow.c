/* Liquid driven by what wets it. */
#include "validate/fit.h"
#include "validate/measures.h"

#include <math.h>

/* A plug between plates whose first boundary wets its front and whose second holds its back, 2D: `speed` of its centre
 * of mass from 30 % of the run on, by the law gamma d (cos(front) - cos(back))/(6 mu L). Parameter gap: d, m. */
bl_status bl_measure_case_plug(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const bl_boundary *walls = trial->reader.scene->boundaries;
    double gap = bl_trial_parameter(trial, "gap", (double)NAN), length = M_PI * d.radius * d.radius / gap;
    double wetting =
        cos(bl_curve_at(&walls[0].contact_angle, d.end)) - cos(bl_curve_at(&walls[1].contact_angle, d.end));
    double law = d.gamma * gap * wetting / (6 * d.mu * length);
    const double *time, *x;
    bl_status status = bl_trial_column(trial, "time", &time);
    if (status == BL_OK) status = bl_trial_column(trial, "center_x", &x);
    if (status != BL_OK) return status;
    size_t n = trial->series.row_count, first = 0;
    while (first < n && time[first] < 0.3 * d.end) first++;
    bl_trial_add(trial, "speed", bl_fit_line(time + first, x + first, n - first).slope, law);

    double *moved = bl_alloc(trial->ctx, n, sizeof *moved), *wanted = bl_alloc(trial->ctx, n, sizeof *wanted);
    if (!moved || !wanted) status = BL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == BL_OK; k++) {
        moved[k] = (x[k] - x[0]) / gap;
        wanted[k] = law * (time[k] - time[0]) / gap;
    }
    if (status == BL_OK) status = bl_trial_draw(trial, "time (s)", "way / d", time, moved, wanted, n);
    bl_release(trial->ctx, moved);
    bl_release(trial->ctx, wanted);
    return status;
}
