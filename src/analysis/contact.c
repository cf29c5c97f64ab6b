/* Particles are counted with smooth weights or by moments only, so where a lattice happens to lie does not show. */
#include "analysis/contact.h"

#include "analysis/sphere_fit.h"

#include <math.h>

enum { BISECTIONS = 60, BASE_SLABS = 3 };

double bl_cap_volume(int dimension, double angle) {
    double c = cos(angle);
    if (dimension == 2) return angle - sin(angle) * c;
    return M_PI * (1 - c) * (1 - c) * (2 + c) / 3;
}

double bl_cap_center(int dimension, double angle) {
    double c = cos(angle), s = sin(angle);
    if (dimension == 2) return 2 * s * s * s / (3 * bl_cap_volume(2, angle)) - c;
    double height = 1 - c;
    return height * (4 - height) / (4 * (3 - height));
}

/* Radius of the cap of this volume and angle. */
static double cap_radius(int dimension, double volume, double angle) {
    double ratio = volume / bl_cap_volume(dimension, angle);
    return dimension == 2 ? sqrt(ratio) : cbrt(ratio);
}

/* The angle where the rising function `height` of a cap reaches `target`. */
static double bisect(int dimension, double volume, double target, double (*height)(int dimension, double angle)) {
    if (!isfinite(target) || !(volume > 0)) return (double)NAN;
    double low = 0, high = M_PI;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if (cap_radius(dimension, volume, middle) * height(dimension, middle) < target)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double bl_cap_angle_from_center(int dimension, double volume, double center_height) {
    return bisect(dimension, volume, center_height, bl_cap_center);
}

static double sphere_height(int dimension, double angle) {
    (void)dimension;
    return -cos(angle);
}

double bl_cap_angle_from_sphere(int dimension, double volume, double height) {
    return bisect(dimension, volume, height, sphere_height);
}

static bl_status fit_angle(bl_context *ctx, const bl_liquid *liquid, const bl_base *base, double *angle) {
    if (!liquid->s_fv) return BL_OK;
    bl_vec3d *points = bl_alloc(ctx, liquid->count, sizeof *points);
    if (!points) return BL_ERR_MEMORY;
    size_t n = 0;
    for (size_t i = 0; i < liquid->count; i++)
        if (liquid->s_fv[i] > 0.5 && bl_base_height(base, liquid->x[i]) > 2 * liquid->h) points[n++] = liquid->x[i];
    bl_sphere_fit fit = bl_sphere_fit_points(liquid->dimension, points, n);
    /* The points lie somewhat inside of the surface, on a sphere with the same centre: the volume gives the radius. */
    if (fit.found)
        *angle =
            bl_cap_angle_from_sphere(liquid->dimension, bl_liquid_volume(liquid), bl_base_height(base, fit.center));
    bl_release(ctx, points);
    return BL_OK;
}

/* Squared radius of the cross-section between `from` and `to` over the wall, from the second moment of its particles
 * (each a cell of its own second moment); 0 if there are none. */
static double section_radius2(const bl_liquid *liquid, const bl_base *base, double from, double to) {
    bl_vec3d mean = bl_v3d_zero();
    double n = 0, r2 = 0, h2 = liquid->h * liquid->h;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < liquid->count; i++) {
            double z = bl_base_height(base, liquid->x[i]);
            if (z < from || z >= to) continue;
            bl_vec3d flat = bl_v3d_mad(liquid->x[i], -z, base->normal);
            if (pass == 0) {
                mean = bl_v3d_add(mean, flat);
                n += 1;
            } else {
                r2 += bl_v3d_norm2(bl_v3d_sub(flat, mean));
            }
        }
        if (n == 0) return 0;
        if (pass == 0) mean = bl_v3d_scale(1 / n, mean);
    }
    return liquid->dimension == 2 ? 3 * (r2 / n + h2 / 12) : 2 * (r2 / n + h2 / 6);
}

/* On a sphere r^2 + z^2 is linear in the height z: the line through the three lowest slabs leads to the wall. */
static double base_radius(const bl_liquid *liquid, const bl_base *base) {
    double h = liquid->h, n = 0, sz = 0, sy = 0, szz = 0, szy = 0;
    for (int k = 0; k < BASE_SLABS; k++) {
        double r2 = section_radius2(liquid, base, k * h, (k + 1) * h), z = (k + 0.5) * h;
        if (!(r2 > 0)) break;
        double y = r2 + z * z + h * h / 12; /* the mean of z^2 over the slab */
        n += 1, sz += z, sy += y, szz += z * z, szy += z * y;
    }
    if (n == 0) return (double)NAN;
    double slope = n > 1 ? (n * szy - sz * sy) / (n * szz - sz * sz) : 0;
    return sqrt(fmax(0, (sy - slope * sz) / n));
}

/* Liquid over a point of the wall, averaged with a Gaussian of width `sigma` around the axis. */
static double column_height(const bl_liquid *liquid, const bl_base *base, bl_vec3d axis, double sigma) {
    double sum = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        bl_vec3d d = bl_v3d_sub(liquid->x[i], axis);
        d = bl_v3d_mad(d, -bl_v3d_dot(d, base->normal), base->normal);
        sum += exp(-bl_v3d_norm2(d) / (2 * sigma * sigma));
    }
    return sum * pow(liquid->h, liquid->dimension) / pow(sqrt(2 * M_PI) * sigma, liquid->dimension - 1);
}

/* Height on the axis: a Gaussian mean falls short of it by an amount that grows with sigma^2, so two of them tell. */
static double axis_height(const bl_liquid *liquid, const bl_base *base) {
    bl_vec3d axis = bl_liquid_center(liquid);
    double sigma = fmax(liquid->h, bl_liquid_radius(liquid) / 6);
    return 2 * column_height(liquid, base, axis, sigma) - column_height(liquid, base, axis, sqrt(2.0) * sigma);
}

static void sum_forces(const bl_liquid *liquid, const bl_base *base, bl_contact_result *out) {
    bl_vec3d friction = bl_v3d_zero();
    double load = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        if (liquid->f_fr) friction = bl_v3d_add(friction, liquid->f_fr[i]);
        if (!liquid->f_n) continue;
        load += base->found ? bl_v3d_dot(liquid->f_n[i], base->normal) : bl_v3d_norm(liquid->f_n[i]);
    }
    out->load = liquid->f_n ? load : (double)NAN;
    out->friction = liquid->f_fr ? bl_v3d_norm(friction) : (double)NAN;
}

bl_status bl_measure_contact(bl_context *ctx, const bl_liquid *liquid, const bl_base *base, bl_contact_result *out) {
    const double none = (double)NAN;
    *out = (bl_contact_result){none, none, none, none, none, none};
    sum_forces(liquid, base, out);
    if (!base->found || liquid->count == 0) return BL_OK;
    out->angle = bl_cap_angle_from_center(liquid->dimension, bl_liquid_volume(liquid),
                                          bl_base_height(base, bl_liquid_center(liquid)));
    out->base_radius = base_radius(liquid, base);
    out->height = axis_height(liquid, base);
    return fit_angle(ctx, liquid, base, &out->angle_fit);
}
