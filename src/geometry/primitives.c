#include "geometry/primitives.h"
#include "geometry/frame.h"

#include <math.h>

double bl_box_distance(bl_vec3d x, bl_vec3d half) {
    double qx = fabs(x.x) - half.x, qy = fabs(x.y) - half.y, qz = fabs(x.z) - half.z;
    double inside = fmin(fmax(qx, fmax(qy, qz)), 0);
    return bl_v3d_norm(bl_v3d_make(fmax(qx, 0), fmax(qy, 0), fmax(qz, 0))) + inside;
}

/* The nearest point q of x satisfies q_i = r_i^2 x_i / (t + r_i^2) with the largest root t of
 * F(t) = sum (r_i x_i / (t + r_i^2))^2 - 1. F falls and is convex right of all poles, so Newton's iteration, started
 * left of the root, climbs to it without overshooting. The unknown is s = t + r_min^2: the distance from the pole,
 * which would be lost to rounding deep inside. */
double bl_ellipsoid_distance(bl_vec3d x, bl_vec3d radii) {
    const double r[3] = {radii.x, radii.y, radii.z}, least = fmin(r[0], fmin(r[1], r[2]));
    double p[3] = {fabs(x.x), fabs(x.y), fabs(x.z)}, more[3], s = 0, level = -1;
    for (int i = 0; i < 3; i++) {
        /* A point on a plane of symmetry may have its nearest point off that plane: step aside by nothing. */
        p[i] = fmax(p[i], 1e-13 * r[i]);
        more[i] = (r[i] - least) * (r[i] + least);
        s = fmax(s, r[i] * p[i] - more[i]);
        level += (p[i] / r[i]) * (p[i] / r[i]);
    }
    for (int iteration = 0; iteration < 100; iteration++) {
        double f = -1, slope = 0;
        for (int i = 0; i < 3; i++) {
            double d = s + more[i], c = r[i] * p[i] / d;
            f += c * c;
            slope -= 2 * c * c / d;
        }
        double step = -f / slope;
        s += step;
        if (!(step > 1e-15 * s)) break;
    }
    double d2 = 0;
    for (int i = 0; i < 3; i++) {
        double gap = p[i] * (s - least * least) / (s + more[i]); /* p_i - q_i */
        d2 += gap * gap;
    }
    return level < 0 ? -sqrt(d2) : sqrt(d2);
}

/* Coordinates along and across the line from `from` to `to`, measured from its middle. */
static double across_axis(bl_vec3d x, bl_vec3d from, bl_vec3d to, double *along, double *half) {
    bl_vec3d d = bl_v3d_sub(to, from), axis = bl_unit(d);
    bl_vec3d w = bl_v3d_sub(x, bl_v3d_scale(0.5, bl_v3d_add(from, to)));
    *along = bl_v3d_dot(w, axis);
    *half = 0.5 * bl_v3d_norm(d);
    return bl_v3d_norm(bl_v3d_mad(w, -*along, axis));
}

double bl_cylinder_distance(bl_vec3d x, bl_vec3d from, bl_vec3d to, double radius) {
    double along, half, across = across_axis(x, from, to, &along, &half);
    return bl_box_distance(bl_v3d_make(across, along, 0), bl_v3d_make(radius, half, INFINITY));
}

double bl_capsule_distance(bl_vec3d x, bl_vec3d from, bl_vec3d to, double radius) {
    double along, half, across = across_axis(x, from, to, &along, &half);
    return hypot(across, fmax(fabs(along) - half, 0)) - radius;
}

double bl_torus_distance(bl_vec3d x, bl_vec3d axis, double major, double minor) {
    double along = bl_v3d_dot(x, axis);
    double across = bl_v3d_norm(bl_v3d_mad(x, -along, axis));
    return hypot(across - major, along) - minor;
}

double bl_sheet_distance(bl_vec3d x, bl_vec3d normal, double size) {
    double height = bl_v3d_dot(x, normal);
    if (size <= 0) return fabs(height);
    bl_vec3d u, v;
    bl_tangents(normal, &u, &v);
    double a = fmax(fabs(bl_v3d_dot(x, u)) - 0.5 * size, 0), b = fmax(fabs(bl_v3d_dot(x, v)) - 0.5 * size, 0);
    return bl_v3d_norm(bl_v3d_make(a, b, height));
}
