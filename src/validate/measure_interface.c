/* Two liquids with an interface, 2D. */
#include "analysis/profile.h"
#include "analysis/sphere_fit.h"
#include "validate/fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

/* Tension of the interface of the first two fluids: the sum of what both give for it. */
static double interface_tension(const bl_scene *scene, double time) {
    return bl_curve_at(&scene->fluids[0].fluid_fluid, time) + bl_curve_at(&scene->fluids[1].fluid_fluid, time);
}

static bl_status expect_two(const bl_trial *trial) {
    int found = trial->reader.scene->fluid_count;
    return found == 2 ? BL_OK
                      : bl_fail(trial->ctx, BL_ERR_DATA, "%s: found %d fluids, expected 2", trial->reader.dir, found);
}

/* --- waves between a heavy liquid and a light one below it --- */

/* Amplitude of the interface in frame `number`: a layer of mean depth H has a/H of the wave in its mass along x. */
static bl_status interface_wave(const bl_trial *trial, int number, double k, double depth, double *out) {
    const bl_vec3d axis = {1, 0, 0};
    bl_liquid heavy = {0};
    bl_status status = bl_liquid_load(&trial->reader, 0, number, &heavy);
    if (status == BL_OK) *out = depth * bl_profile_wave(&heavy, axis, k);
    bl_liquid_clear(trial->ctx, &heavy);
    return status;
}

static bl_status layers_of(const bl_trial *trial, bl_layers *out) {
    const bl_scene *scene = trial->reader.scene;
    bl_trial_liquid d = bl_trial_describe(trial);
    double depth[2] = {0, 0};
    bl_status status = BL_OK;
    for (int f = 0; f < 2 && status == BL_OK; f++) {
        bl_liquid liquid = {0};
        status = bl_liquid_load(&trial->reader, f, trial->reader.frames[0].number, &liquid);
        if (status == BL_OK) depth[f] = bl_liquid_volume(&liquid) / bl_trial_base(trial);
        bl_liquid_clear(trial->ctx, &liquid);
    }
    *out = (bl_layers){
        scene->fluids[0].density, scene->fluids[1].density, depth[0], depth[1], interface_tension(scene, d.end), d.g};
    return status;
}

/* The first fluid lies over the second, one wave in the periodic length along x. `rate`: growth rate (1/s) while the
 * amplitude, and the law's from the same start, are below a tenth of the wave length; `excess`: by how much the
 * amplitude ever exceeds its first value, relatively: 0 by the law beyond the cut-off. */
bl_status bl_measure_case_taylor(bl_trial *trial) {
    const bl_domain_def *domain = &trial->reader.scene->domain;
    double length = domain->max.x - domain->min.x, k = 2 * M_PI / length, largest = 0;
    size_t count = trial->reader.frame_count, n = 0;
    bl_layers layers;
    bl_status status = expect_two(trial);
    if (status == BL_OK) status = layers_of(trial, &layers);
    if (status != BL_OK) return status;
    double growth_2 = bl_law_taylor_growth_2(&layers, k), s = sqrt(fabs(growth_2));
    double *t = bl_alloc(trial->ctx, count, sizeof *t), *y = bl_alloc(trial->ctx, count, sizeof *y);
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    status = t && y && law ? BL_OK : BL_ERR_MEMORY;
    for (size_t i = 0; i < count && status == BL_OK; i++) {
        t[i] = trial->reader.frames[i].time;
        status = interface_wave(trial, trial->reader.frames[i].number, k, layers.depth_above, &y[i]);
        law[i] = y[0] * (growth_2 > 0 ? cosh(s * t[i]) : fabs(cos(s * t[i])));
        largest = fmax(largest, y[i]);
        if (n == i && fmax(y[i], law[i]) < 0.1 * length) n++;
    }
    if (status == BL_OK) {
        bl_trial_add(trial, "rate", growth_2 > 0 ? bl_fit_growth(t, y, n, s) : (double)NAN, growth_2 > 0 ? s : 0);
        bl_trial_add(trial, "excess", largest / y[0] - 1, 0);
        for (size_t i = 0; i < count; i++)
            y[i] /= length, law[i] = law[i] < 0.3 * length ? law[i] / length : (double)NAN;
        status = bl_trial_draw(trial, "time (s)", "amplitude / wave length", t, y, law, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    bl_release(trial->ctx, law);
    return status;
}

/* --- a lens on a bath --- */

typedef struct lens_angles {
    double upper, lower; /* radians */
} lens_angles;

enum { MOST_COLUMNS = 1024 };

/* The highest (way = 1) or lowest (-1) particle of each column one spacing wide, but for those within three spacings of
 * the rim. */
static size_t rim_to_rim(const bl_liquid *lens, double way, bl_vec3d *out) {
    bool taken[MOST_COLUMNS] = {false};
    bl_vec3d best[MOST_COLUMNS];
    double low = (double)INFINITY, high = -low;
    size_t n = 0;
    for (size_t i = 0; i < lens->count; i++) low = fmin(low, lens->x[i].x), high = fmax(high, lens->x[i].x);
    for (size_t i = 0; i < lens->count; i++) {
        bl_vec3d x = lens->x[i];
        size_t c = (size_t)((x.x - low) / lens->h);
        if (x.x < low + 3 * lens->h || x.x > high - 3 * lens->h || c >= MOST_COLUMNS) continue;
        if (!taken[c] || way * x.y > way * best[c].y) best[c] = x;
        taken[c] = true;
    }
    for (size_t c = 0; c < MOST_COLUMNS; c++)
        if (taken[c]) out[n++] = best[c];
    return n;
}

/* Circles through both surfaces, half a spacing outside of the outermost particles; where they cut each other is the
 * rim. With D the distance of their centres the chord is (D^2 + r1^2 - r2^2)/(2D) from the centre of the first. */
static lens_angles angles_of(const bl_liquid *lens) {
    bl_vec3d points[MOST_COLUMNS];
    bl_sphere_fit up = bl_sphere_fit_points(2, points, rim_to_rim(lens, 1, points));
    bl_sphere_fit down = bl_sphere_fit_points(2, points, rim_to_rim(lens, -1, points));
    if (!up.found || !down.found) return (lens_angles){(double)NAN, (double)NAN};
    double r1 = up.radius + lens->h / 2, r2 = down.radius + lens->h / 2, d = down.center.y - up.center.y;
    return (lens_angles){acos((d * d + r1 * r1 - r2 * r2) / (2 * d * r1)),
                         acos((d * d + r2 * r2 - r1 * r1) / (2 * d * r2))};
}

/* The first fluid is the lens, the second the bath, 2D, y is up, no gravity. `upper`, `lower`: angles (degrees) of its
 * two surfaces to the plane of the bath, over the last third of the run. */
bl_status bl_measure_case_lens(bl_trial *trial) {
    bl_trial_liquid d = bl_trial_describe(trial);
    bl_status status = expect_two(trial);
    if (status != BL_OK) return status;
    const bl_scene *scene = trial->reader.scene;
    double between = interface_tension(scene, d.end), bath = bl_curve_at(&scene->fluids[1].surface_tension, d.end);
    double upper = bl_law_lens_angle(d.gamma, between, bath) * 180 / M_PI, sum_up = 0, sum_down = 0, n = 0;
    double lower = bl_law_lens_angle(between, d.gamma, bath) * 180 / M_PI;
    size_t count = trial->reader.frame_count;
    double *t = bl_alloc(trial->ctx, count, sizeof *t), *y = bl_alloc(trial->ctx, count, sizeof *y);
    double *law = bl_alloc(trial->ctx, count, sizeof *law);
    status = t && y && law ? BL_OK : BL_ERR_MEMORY;
    for (size_t k = 0; k < count && status == BL_OK; k++) {
        bl_liquid lens = {0};
        status = bl_liquid_load(&trial->reader, 0, trial->reader.frames[k].number, &lens);
        lens_angles a = status == BL_OK ? angles_of(&lens) : (lens_angles){0};
        bl_liquid_clear(trial->ctx, &lens);
        t[k] = trial->reader.frames[k].time;
        y[k] = (a.upper + a.lower) * 180 / M_PI;
        law[k] = upper + lower;
        if (t[k] >= d.end * 2 / 3) sum_up += a.upper, sum_down += a.lower, n++;
    }
    if (status == BL_OK) {
        bl_trial_add(trial, "upper", sum_up / n * 180 / M_PI, upper);
        bl_trial_add(trial, "lower", sum_down / n * 180 / M_PI, lower);
        status = bl_trial_draw(trial, "time (s)", "angle at the rim (degrees)", t, y, law, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, y);
    bl_release(trial->ctx, law);
    return status;
}
