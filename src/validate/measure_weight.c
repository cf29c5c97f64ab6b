/* Liquids in gravity: layers, columns. 2D; y is up unless gravity says otherwise. */
#include "analysis/column.h"
#include "validate/measures.h"

#include <math.h>

enum { MOST_LAYERS = 512 };

/* --- a layer at rest --- */

/* Mean virial and mean height over `bottom` of the particles in layers of one spacing. Rows of particles are not in the
 * middle of a layer, and half a row of weight is more than what is looked for. */
static int layer_means(const bl_liquid *liquid, double bottom, double *pressure, double *height) {
    double n[MOST_LAYERS] = {0};
    int count = 0;
    for (int k = 0; k < MOST_LAYERS; k++) pressure[k] = height[k] = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        double z = liquid->x[i].y - bottom;
        int layer = (int)floor(z / liquid->h);
        if (layer < 0 || layer >= MOST_LAYERS) continue;
        pressure[layer] += liquid->virial[i];
        height[layer] += z;
        n[layer]++;
        if (layer >= count) count = layer + 1;
    }
    for (int k = 0; k < count; k++) pressure[k] /= n[k], height[k] /= n[k]; /* NaN: nothing there */
    return count;
}

static double column_height(const bl_trial *trial, const bl_liquid *liquid, double *bottom) {
    const bl_vec3d up = {0, 1, 0};
    bl_column_result column;
    if (bl_measure_column(trial->ctx, liquid, up, &column) != BL_OK) return (double)NAN;
    *bottom = column.bottom;
    return column.height;
}

/* `pressure`: root mean square of the layers' pressure minus rho g (H - z), over rho g H, layers within three spacings
 * of bottom and surface left out; `volume_mean`, `volume_max`: compression over the second half; `drift`: of the centre
 * of mass in height over the second half, over H. */
bl_status bl_measure_case_hydrostatics(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    bl_liquid liquid = {0};
    double mean[MOST_LAYERS], at[MOST_LAYERS], x[MOST_LAYERS], y[MOST_LAYERS], law[MOST_LAYERS], bottom = 0, sum = 0;
    size_t n = 0, used = 0;
    bl_status status =
        bl_liquid_load(&trial->reader, -1, trial->reader.frames[trial->reader.frame_count - 1].number, &liquid);
    if (status == BL_OK && !liquid.virial)
        status = bl_fail(trial->ctx, BL_ERR_DATA, "%s: the scheme writes no virials", trial->reader.dir);
    double height = status == BL_OK ? column_height(trial, &liquid, &bottom) : 0;
    int layers = status == BL_OK ? layer_means(&liquid, bottom, mean, at) : 0;
    for (int k = 0; k < layers; k++) {
        if (isnan(mean[k]) || at[k] > height) continue;
        x[n] = at[k] / height;
        y[n] = mean[k] / (d.rho * d.g * height);
        law[n] = 1 - x[n];
        if (at[k] > 3 * d.h && at[k] < height - 3 * d.h) sum += pow(y[n] - law[n], 2), used++;
        n++;
    }
    double volume_mean, volume_max, early, late, half = d.end / 2;
    if (status == BL_OK) status = bl_trial_mean(trial, "volume_error_mean", half, d.end, &volume_mean, NULL);
    if (status == BL_OK) status = bl_trial_mean(trial, "volume_error_max", half, d.end, &volume_max, NULL);
    if (status == BL_OK) status = bl_trial_mean(trial, "center_y", half, 1.1 * half, &early, NULL);
    if (status == BL_OK) status = bl_trial_mean(trial, "center_y", 1.9 * half, d.end, &late, NULL);
    if (status == BL_OK) {
        bl_trial_add(trial, "pressure", sqrt(sum / (double)used), 0);
        bl_trial_add(trial, "volume_mean", volume_mean, 0);
        bl_trial_add(trial, "volume_max", volume_max, 0);
        bl_trial_add(trial, "drift", (late - early) / height, 0);
        status = bl_trial_draw(trial, "height / H", "pressure / (rho g H)", x, y, law, n);
    }
    bl_liquid_clear(trial->ctx, &liquid);
    return status;
}

/* --- a vessel --- */

/* Where the vessel ends: sideways from the axis that goes up, and below. */
typedef struct vessel {
    double side, bottom;
} vessel;

static double count_inside(const void *user, const bl_liquid *liquid, double time) {
    const vessel *v = user;
    double inside = 0;
    (void)time;
    for (size_t i = 0; i < liquid->count; i++) {
        bl_vec3d x = liquid->x[i];
        double up = liquid->dimension == 3 ? x.z : x.y, side = liquid->dimension == 3 ? hypot(x.x, x.y) : fabs(x.x);
        inside += up > v->bottom && side < v->side;
    }
    return inside;
}

/* `lost`: share of the particles that are beyond `side` or below `bottom` (parameters, m) at the end, or gone. */
bl_status bl_measure_case_leak(bl_trial *trial) {
    vessel v = {bl_trial_parameter(trial, "side", (double)INFINITY), bl_trial_parameter(trial, "bottom", 0)};
    double *times, *inside;
    size_t count;
    bl_status status = bl_trial_follow(trial, count_inside, &v, &times, &inside, &count);
    if (status == BL_OK) {
        for (size_t k = count; k-- > 0;) inside[k] = 1 - inside[k] / inside[0];
        bl_trial_add(trial, "lost", inside[count - 1], 0);
        status = bl_trial_draw(trial, "time (s)", "share lost", times, inside, NULL, count);
    }
    bl_release(trial->ctx, times);
    bl_release(trial->ctx, inside);
    return status;
}

/* --- capillary rise --- */

/* Level of the part of the liquid with from <= |x| < to over its bottom. */
static bl_status level_between(const bl_trial *trial, const bl_liquid *all, double from, double to, double *out) {
    bl_liquid part = {.dimension = all->dimension, .h = all->h};
    double bottom = (double)NAN;
    part.x = bl_alloc(trial->ctx, all->count, sizeof *part.x);
    if (!part.x) return BL_ERR_MEMORY;
    for (size_t i = 0; i < all->count; i++)
        if (fabs(all->x[i].x) >= from && fabs(all->x[i].x) < to) part.x[part.count++] = all->x[i];
    *out = column_height(trial, &part, &bottom) + bottom;
    bl_release(trial->ctx, part.x);
    return BL_OK;
}

/* Between two plates, |x| < d/2, and around them in a periodic length: `rise` is the difference of the levels, by the
 * law 2 gamma cos(theta)/(rho g) (1/d - 1/d_outside). Parameters gap, outside: the two distances, m; thickness of a
 * plate. */
bl_status bl_measure_case_rise(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    double gap = bl_trial_parameter(trial, "gap", (double)NAN),
           outside = bl_trial_parameter(trial, "outside", (double)NAN);
    double thickness = bl_trial_parameter(trial, "thickness", 0);
    double angle = bl_curve_at(&trial->reader.scene->boundaries[0].contact_angle, d.end);
    double law = 2 * d.gamma * cos(angle) / (d.rho * d.g) * (1 / gap - 1 / outside), sum = 0;
    size_t count = trial->reader.frame_count, n = 0;
    double *t = bl_alloc(trial->ctx, count, sizeof *t), *y = bl_alloc(trial->ctx, count, sizeof *y);
    bl_status status = t && y ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        bl_liquid liquid = {0};
        double inner = 0, outer = 0;
        status = bl_liquid_load(&trial->reader, -1, trial->reader.frames[k].number, &liquid);
        if (status == BL_OK) status = level_between(trial, &liquid, 0, gap / 2, &inner);
        if (status == BL_OK) status = level_between(trial, &liquid, gap / 2 + thickness, (double)INFINITY, &outer);
        bl_liquid_clear(trial->ctx, &liquid);
        t[k] = trial->reader.frames[k].time;
        y[k] = (inner - outer) / law;
        if (t[k] > d.end * 2 / 3) sum += y[k] * law, n++;
    }
    if (status == BL_OK) {
        bl_trial_add(trial, "rise", sum / (double)n, law);
        status = bl_trial_draw(trial, "time (s)", "rise / law", t, y, NULL, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    return status;
}
