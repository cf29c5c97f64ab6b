/* Weight borne by tension: a drop under a rod, what a plate lifts from a pool, a cylinder that floats. The last
 * coordinate is up. */
#include "analysis/wall.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

/* --- a drop under a rod (a strip in 2D) whose end is at 0, while gravity grows --- */

static double height_of(int dimension, bl_vec3d x) { return dimension == 2 ? x.y : x.z; }

/* Time from which on the drop falls: from there on its centre is below that of the largest drop that can hang. NaN if
 * it still hangs. */
static double falls_at(const double *time, const double *z, size_t n, double lowest) {
    size_t k = n - 1;
    if (!(z[n - 1] < lowest)) return (double)NAN;
    while (k > 0 && z[k] < lowest) k--;
    return time[k];
}

/* Volume of what is below the neck in the last frame: below the first gap of three spacings from the top. */
static bl_status fallen_volume(const bl_trial *trial, double *out) {
    enum { MOST_ROWS = 4096 };
    size_t rows[MOST_ROWS] = {0}, held = 0;
    bl_liquid liquid = {0};
    bl_status status =
        bl_liquid_load(&trial->reader, -1, trial->reader.frames[trial->reader.frame_count - 1].number, &liquid);
    for (size_t i = 0; i < liquid.count && status == BL_OK; i++) {
        double depth = -height_of(liquid.dimension, liquid.x[i]) / liquid.h;
        rows[depth < 0 ? 0 : depth < MOST_ROWS ? (size_t)depth : MOST_ROWS - 1]++;
    }
    for (int k = 0; k + 3 < MOST_ROWS && rows[k] + rows[k + 1] + rows[k + 2] > 0; k++) held += rows[k];
    *out = status == BL_OK ? (double)(liquid.count - held) * pow(liquid.h, liquid.dimension) : 0;
    bl_liquid_clear(trial->ctx, &liquid);
    return status;
}

/* `limit`: gravity (m/s^2) from which on its centre is lower than that of any drop at rest, against the largest that
 * the Young-Laplace equation allows; `mass`: of what falls, in 2 pi R gamma/g (3D), against Harkins and Brown's f.
 * Parameter radius: of the rod, m. */
bl_status bl_measure_case_hanging(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    double radius = bl_trial_parameter(trial, "radius", (double)NAN), fallen, law, volume;
    const double *time, *z, *count;
    bl_status status = bl_trial_column(trial, "time", &time);
    if (status == BL_OK) status = bl_trial_column(trial, d.dimension == 2 ? "center_y" : "center_z", &z);
    if (status == BL_OK) status = bl_trial_column(trial, "fluid_particles", &count);
    if (status == BL_OK) status = fallen_volume(trial, &fallen);
    if (status != BL_OK) return status;
    volume = count[0] * pow(d.h, d.dimension);
    double limit = bl_law_pendant_limit(d.dimension, radius, volume);
    bl_pendant largest = bl_law_pendant(d.dimension, radius, 1 / sqrt(limit));
    law = limit * d.gamma / d.rho;
    size_t n = trial->series.row_count;
    double at = falls_at(time, z, n, largest.center);
    double g = isnan(at) ? (double)NAN : bl_v3d_norm(bl_curve_at3(&trial->reader.scene->gravity, at));
    bl_trial_add(trial, "limit", g, law);
    if (d.dimension == 3)
        bl_trial_add(trial, "mass", d.rho * fallen * g / (2 * M_PI * radius * d.gamma),
                     bl_law_harkins_brown(radius / cbrt(fallen)));
    double *x = bl_alloc(trial->ctx, n, sizeof *x), *y = bl_alloc(trial->ctx, n, sizeof *y);
    if (!x || !y) status = BL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == BL_OK; k++) {
        x[k] = bl_v3d_norm(bl_curve_at3(&trial->reader.scene->gravity, time[k])) / law;
        y[k] = fmax(-10, z[k] / radius);
    }
    double law_x[2] = {1, 1}, law_y[2] = {-10, 0};
    if (status == BL_OK) status = bl_trial_draw(trial, "gravity / law", "height of the centre / R", x, y, NULL, n);
    if (status == BL_OK) status = bl_trial_draw_law(trial, law_x, law_y, 2);
    bl_release(trial->ctx, x);
    bl_release(trial->ctx, y);
    return status;
}

/* --- a plate that is lifted from a pool --- */

/* Level of the pool in the outer half of what is beside the plate, and the area above it that the plate holds. */
typedef struct lifted {
    double level, area;
} lifted;

static lifted lifted_in(const bl_liquid *liquid, double half_plate, double half_pool) {
    double outer = 0.5 * (half_plate + half_pool), far = 0, held = 0, area = liquid->h * liquid->h;
    for (size_t i = 0; i < liquid->count; i++) far += fabs(liquid->x[i].x) > outer;
    double level = far * area / (2 * (half_pool - outer));
    for (size_t i = 0; i < liquid->count; i++) held += fabs(liquid->x[i].x) < outer && liquid->x[i].y > level;
    return (lifted){level, held * area};
}

/* 2D, a pool on a floor at 0, periodic along x: `height` of the face of the first boundary, a plate, over the level of
 * the pool when it holds most. Parameters bottom: height of its face at the start; width of the plate, m. */
bl_status bl_measure_case_pull_off(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const bl_scene *scene = trial->reader.scene;
    const bl_boundary *plate = &scene->boundaries[0];
    double bottom = bl_trial_parameter(trial, "bottom", (double)NAN), most = 0, height = (double)NAN;
    double half = bl_trial_parameter(trial, "width", (double)NAN) / 2, speed = bl_curve_at3(&plate->velocity, 0).y;
    double length = sqrt(d.gamma / (d.rho * d.g));
    double law = bl_law_pull_off(length, bl_curve_at(&plate->contact_angle, d.end));
    size_t count = trial->reader.frame_count;
    double *x = bl_alloc(trial->ctx, count, sizeof *x), *y = bl_alloc(trial->ctx, count, sizeof *y);
    bl_status status = x && y ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        bl_liquid liquid = {0};
        status = bl_liquid_load(&trial->reader, 0, trial->reader.frames[k].number, &liquid);
        lifted now = lifted_in(&liquid, half, scene->domain.max.x);
        bl_liquid_clear(trial->ctx, &liquid);
        x[k] = bottom + speed * trial->reader.frames[k].time - now.level;
        y[k] = now.area / (2 * half * length);
        if (y[k] > most) most = y[k], height = x[k];
        x[k] /= law;
    }
    double law_x[2] = {1, 1}, law_y[2] = {0, most};
    if (status == BL_OK) {
        bl_trial_add(trial, "height", height, law);
        status =
            bl_trial_draw(trial, "height of the plate / law", "held above the level / (width l_c)", x, y, NULL, count);
    }
    if (status == BL_OK) status = bl_trial_draw_law(trial, law_x, law_y, 2);
    bl_release(trial->ctx, x);
    bl_release(trial->ctx, y);
    return status;
}

/* --- a cylinder that floats --- */

/* Height of the middle of the body over the level of the pool, and its area. Its particles are those of the walls above
 * the floor. */
static bl_status float_height(const bl_trial *trial, int number, double radius, double *out, double *area) {
    bl_liquid liquid = {0};
    bl_walls_sample walls = {0};
    double sum = 0, n = 0;
    bl_status status = bl_liquid_load(&trial->reader, 0, number, &liquid);
    if (status == BL_OK) status = bl_walls_sample_load(&trial->reader, number, &walls);
    for (size_t i = 0; i < walls.count && status == BL_OK; i++)
        if (walls.x[i].y > 0) sum += walls.x[i].y, n++;
    if (status == BL_OK) *out = sum / n - lifted_in(&liquid, 2 * radius, trial->reader.scene->domain.max.x).level;
    *area = n * liquid.h * liquid.h;
    bl_walls_sample_clear(trial->ctx, &walls);
    bl_liquid_clear(trial->ctx, &liquid);
    return status;
}

/* 2D, a pool on a floor at 0, periodic along x; the first boundary is an elastic cylinder that floats in it. `depth` of
 * its centre below the level, over the last third of the run, in radii. Parameter radius, m. */
bl_status bl_measure_case_floating(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    const bl_boundary *body = &trial->reader.scene->boundaries[0];
    double radius = bl_trial_parameter(trial, "radius", (double)NAN), length = sqrt(d.gamma / (d.rho * d.g)), sum = 0;
    double area = 0;
    size_t count = trial->reader.frame_count, n = 0;
    double *t = bl_alloc(trial->ctx, count, sizeof *t), *y = bl_alloc(trial->ctx, count, sizeof *y);
    bl_status status = t && y ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        t[k] = trial->reader.frames[k].time;
        status = float_height(trial, trial->reader.frames[k].number, radius, &y[k], &area);
        y[k] /= -radius;
        if (t[k] >= d.end * 2 / 3) sum += y[k], n++;
    }
    double ratio = body->elastic.density * area / (d.rho * M_PI * radius * radius); /* with the mass of its particles */
    double law = bl_law_floating(radius, length, bl_curve_at(&body->contact_angle, d.end), ratio);
    double ends[2] = {0, d.end}, level[2] = {-law / radius, -law / radius};
    if (status == BL_OK) {
        bl_trial_add(trial, "depth", sum / (double)n, -law / radius);
        status = bl_trial_draw(trial, "time (s)", "depth of the centre / R", t, y, NULL, count);
    }
    if (status == BL_OK) status = bl_trial_draw_law(trial, ends, level, 2);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    return status;
}
