/* Drops on balls, plugs in gaps, bridges between rods: shapes at rest whose law is geometry. Means over the last third
 * of a run. */
#include "analysis/liquid.h"
#include "analysis/sphere_fit.h"
#include "validate/laws.h"
#include "validate/measures.h"

#include <math.h>

static double wall_angle(const bl_trial *trial) {
    const bl_boundary *wall = &trial->reader.scene->boundaries[0];
    return wall->contact_angle.count ? bl_curve_at(&wall->contact_angle, bl_trial_describe(trial).end) : M_PI / 2;
}

/* Mean of the values at and after two thirds of the last time. */
static double late_mean(const double *t, const double *y, size_t count) {
    double sum = 0, n = 0;
    for (size_t k = 0; k < count; k++)
        if (t[k] >= t[count - 1] * 2 / 3) sum += y[k], n++;
    return sum / n;
}

/* The curve of a number that should come to `law`. */
static bl_status draw_level(bl_trial *trial, const char *label, const double *t, const double *y, double law,
                            size_t count) {
    double ends[2] = {t[0], t[count - 1]}, level[2] = {law, law};
    bl_status status = bl_trial_draw(trial, "time (s)", label, t, y, NULL, count);
    return status == BL_OK ? bl_trial_draw_law(trial, ends, level, 2) : status;
}

/* One number of a frame, settled: its mean late in the run as `figure`, and a plot of it. */
static bl_status settled(bl_trial *trial, bl_frame_number_fn of_frame, const void *user, const char *figure,
                         const char *label, double law) {
    double *t, *value;
    size_t count;
    bl_status status = bl_trial_follow(trial, of_frame, user, &t, &value, &count);
    if (status == BL_OK) {
        bl_trial_add(trial, figure, late_mean(t, value, count), law);
        status = draw_level(trial, label, t, value, law, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, value);
    return status;
}

/* --- a drop on a ball around the origin --- */

typedef struct perch_view {
    bl_context *ctx;
    double solid;
    bool by_fit;
} perch_view;

/* Centre of the sphere through the surface particles further than 2h from the solid, from the origin. */
static double fitted_distance(const perch_view *view, const bl_liquid *liquid) {
    bl_vec3d *points = bl_alloc(view->ctx, liquid->count, sizeof *points);
    size_t n = 0;
    for (size_t i = 0; points && liquid->s_fv && i < liquid->count; i++)
        if (liquid->s_fv[i] > 0.5 && bl_v3d_norm(liquid->x[i]) > view->solid + 2 * liquid->h)
            points[n++] = liquid->x[i];
    bl_sphere_fit fit = bl_sphere_fit_points(liquid->dimension, points, n);
    bl_release(view->ctx, points);
    return fit.found ? bl_v3d_norm(fit.center) : (double)NAN;
}

/* The angle at which the law has this place of the centre (of mass, or of the sphere); both rise with it. */
static double perched_angle(const void *user, const bl_liquid *liquid, double time) {
    const perch_view *view = user;
    double found = view->by_fit ? fitted_distance(view, liquid) : bl_v3d_norm(bl_liquid_center(liquid));
    double volume = bl_liquid_volume(liquid), low = 1e-3, high = M_PI - 1e-3;
    (void)time;
    if (isnan(found)) return (double)NAN;
    for (int k = 0; k < 40; k++) {
        double middle = 0.5 * (low + high);
        bl_perched p = bl_law_perched(liquid->dimension, middle, volume, view->solid);
        if ((view->by_fit ? p.distance : p.center) < found)
            low = middle;
        else
            high = middle;
    }
    return high * 180 / M_PI;
}

/* `angle`, `angle_fit` (degrees): from the centre of mass, and from a sphere through the surface. Parameter radius: of
 * the solid ball, m. */
bl_status bl_measure_case_perched(bl_trial *trial) {
    perch_view view = {trial->ctx, bl_trial_parameter(trial, "radius", (double)NAN), false};
    double law = wall_angle(trial) * 180 / M_PI, *t = NULL, *angle = NULL, *again = NULL, *fit = NULL;
    size_t count;
    bl_status status = bl_trial_follow(trial, perched_angle, &view, &t, &angle, &count);
    view.by_fit = true;
    if (status == BL_OK) status = bl_trial_follow(trial, perched_angle, &view, &again, &fit, &count);
    if (status == BL_OK) {
        bl_trial_add(trial, "angle", late_mean(t, angle, count), law);
        bl_trial_add(trial, "angle_fit", late_mean(t, fit, count), law);
        status = draw_level(trial, "contact angle (degrees)", t, angle, law, count);
    }
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, angle);
    bl_release(trial->ctx, again);
    bl_release(trial->ctx, fit);
    return status;
}

/* --- a plug along x, between plates y = +- d/2 or in a tube around the x axis --- */

typedef struct gap_view {
    bl_context *ctx;
    double gap, gamma;
} gap_view;

static double off_axis(const bl_liquid *liquid, size_t i) {
    return liquid->dimension == 2 ? fabs(liquid->x[i].y) : hypot(liquid->x[i].y, liquid->x[i].z);
}

/* x of the centre of the sphere through the surface particles on one side (-1, 1) of the centre of mass. */
static double end_center(const gap_view *view, const bl_liquid *liquid, double side) {
    bl_vec3d *points = bl_alloc(view->ctx, liquid->count, sizeof *points);
    double middle = bl_liquid_center(liquid).x;
    size_t n = 0;
    for (size_t i = 0; points && liquid->s_fv && i < liquid->count; i++)
        if (liquid->s_fv[i] > 0.5 && side * (liquid->x[i].x - middle) > 0 &&
            off_axis(liquid, i) < view->gap / 2 - 2 * liquid->h)
            points[n++] = liquid->x[i];
    bl_sphere_fit fit = bl_sphere_fit_points(liquid->dimension, points, n);
    bl_release(view->ctx, points);
    return fit.found ? fit.center.x : (double)NAN;
}

/* Integral of sqrt(r^2 - y^2) over the gap, or of 2 pi rho sqrt(r^2 - rho^2) over the tube. */
static double under_arc(int dimension, double r, double half) {
    double root = sqrt(fmax(0, r * r - half * half));
    return dimension == 2 ? half * root + r * r * asin(fmin(1, half / r))
                          : 2 * M_PI / 3 * (r * r * r - root * root * root);
}

/* With the distance D of the two centres a plug has the volume A D -+ 2 (integral of the arc), where the ends are
 * hollow (the centres outside) or round: solved for r. */
static double meniscus_angle(const void *user, const bl_liquid *liquid, double time) {
    const gap_view *view = user;
    double half = view->gap / 2, area = liquid->dimension == 2 ? 2 * half : M_PI * half * half;
    double apart = end_center(view, liquid, 1) - end_center(view, liquid, -1), volume = bl_liquid_volume(liquid);
    double sign = area * apart > volume ? 1 : -1, wanted = sign * (area * apart - volume) / 2;
    double low = half, high = 1e4 * half;
    (void)time;
    if (isnan(apart)) return (double)NAN;
    for (int k = 0; k < 100; k++) {
        double middle = sqrt(low * high);
        if (under_arc(liquid->dimension, middle, half) < wanted)
            low = middle;
        else
            high = middle;
    }
    return acos(sign * half / high) * 180 / M_PI;
}

/* From the pressure in the middle of a plug, -2 gamma cos(theta)/d between plates and twice that in a tube: what a
 * column that rises feels, wherever the surface of a narrow meniscus may lie. */
static double pressure_angle(const void *user, const bl_liquid *liquid, double time) {
    const gap_view *view = user;
    double middle = bl_liquid_center(liquid).x, sum = 0, n = 0;
    (void)time;
    for (size_t i = 0; liquid->virial && i < liquid->count; i++) {
        if (fabs(liquid->x[i].x - middle) > view->gap / 4 || off_axis(liquid, i) > view->gap / 4) continue;
        sum += liquid->virial[i], n++;
    }
    if (n == 0) return (double)NAN;
    double cosine = -sum / n * view->gap / (2 * (liquid->dimension - 1) * view->gamma);
    return acos(fmax(-1, fmin(1, cosine))) * 180 / M_PI;
}

/* `angle` (degrees) of both ends by their shape; `angle_pressure`, where the scheme writes virials. Parameter gap: d,
 * or the diameter of the tube, m. */
bl_status bl_measure_case_meniscus(bl_trial *trial) {
    gap_view view = {trial->ctx, bl_trial_parameter(trial, "gap", (double)NAN), bl_trial_describe(trial).gamma};
    double law = wall_angle(trial) * 180 / M_PI, *t = NULL, *angle = NULL;
    size_t count;
    bl_status status = bl_trial_follow(trial, pressure_angle, &view, &t, &angle, &count);
    if (status == BL_OK && isfinite(late_mean(t, angle, count)))
        bl_trial_add(trial, "angle_pressure", late_mean(t, angle, count), law);
    bl_release(trial->ctx, t);
    bl_release(trial->ctx, angle);
    if (status) return status;
    return settled(trial, meniscus_angle, &view, "angle", "contact angle (degrees)", law);
}

/* --- a bridge along z --- */

/* Radius of the disc that has the volume of a slice of two spacings in the middle. */
static double neck_of_frame(const void *user, const bl_liquid *liquid, double time) {
    double radius = *(const double *)user, count = 0;
    (void)time;
    for (size_t i = 0; i < liquid->count; i++) count += fabs(liquid->x[i].z) < liquid->h;
    return sqrt(count * liquid->h * liquid->h / (2 * M_PI)) / radius;
}

/* `neck`, in radii of the rods, against the bridge of the liquid's volume. Parameters radius, separation of the rods'
 * ends, m. */
bl_status bl_measure_case_bridge(bl_trial *trial) {
    double radius = bl_trial_parameter(trial, "radius", (double)NAN);
    double separation = bl_trial_parameter(trial, "separation", (double)NAN);
    double law = bl_law_bridge_neck(radius, separation, bl_trial_volume(trial)) / radius;
    return settled(trial, neck_of_frame, &radius, "neck", "neck / R", law);
}
