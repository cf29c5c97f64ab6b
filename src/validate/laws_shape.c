/* Shapes of drops on balls, of bridges, and of drops that hang. */
#include "analysis/contact.h"
#include "validate/laws.h"

#include <math.h>

/* --- a drop on a ball --- */

/* The drop of radius r whose surface cuts the solid ball at `angle`: what is outside of the solid is its ball less two
 * caps, one on each side of the plane of the contact line. *volume is that of the liquid. */
static bl_perched perch(int dimension, double angle, double r, double solid, double *volume) {
    double d = sqrt(solid * solid + r * r - 2 * solid * r * cos(angle));
    double plane = (d * d + solid * solid - r * r) / (2 * d); /* from the middle of the solid */
    double a = acos(fmin(1, plane / solid)), b = acos(fmax(-1, fmin(1, (d - plane) / r)));
    double ball = dimension == 2 ? M_PI * r * r : 4 * M_PI / 3 * r * r * r;
    double inner = pow(solid, dimension) * bl_cap_volume(dimension, a);
    double outer = pow(r, dimension) * bl_cap_volume(dimension, b);
    double moment = ball * d;
    if (inner > 0) moment -= inner * (plane + solid * bl_cap_center(dimension, a));
    if (outer > 0) moment -= outer * (plane - r * bl_cap_center(dimension, b));
    *volume = ball - inner - outer;
    return (bl_perched){r, d, moment / *volume};
}

bl_perched bl_law_perched(int dimension, double angle, double volume, double solid) {
    double unit = dimension == 2 ? sqrt(volume) : cbrt(volume), low = 0.1 * unit, high = 1e3 * unit, found;
    for (int k = 0; k < 100; k++) {
        double middle = sqrt(low * high);
        perch(dimension, angle, middle, solid, &found);
        if (found < volume)
            low = middle;
        else
            high = middle;
    }
    return perch(dimension, angle, high, solid, &found);
}

/* --- a bridge between rods --- */

typedef struct bridge {
    double r, slope, volume; /* at the end; r NaN: it closed on the way */
} bridge;

static double bend(double r, double slope, double curvature) {
    double q = 1 + slope * slope;
    return q / r - 2 * curvature * q * sqrt(q);
}

/* From the neck outwards over half the separation. */
static bridge outwards(double neck, double curvature, double half) {
    enum { STEPS = 400 };
    double dz = half / STEPS;
    bridge b = {neck, 0, 0};
    for (int k = 0; k < STEPS && b.r > 0; k++) {
        double a1 = bend(b.r, b.slope, curvature), s2 = b.slope + dz / 2 * a1, r2 = b.r + dz / 2 * b.slope;
        double a2 = bend(r2, s2, curvature), s3 = b.slope + dz / 2 * a2, r3 = b.r + dz / 2 * s2;
        double a3 = bend(r3, s3, curvature), s4 = b.slope + dz * a3, r4 = b.r + dz * s3;
        double a4 = bend(r4, s4, curvature), before = b.r;
        b.r += dz / 6 * (b.slope + 2 * s2 + 2 * s3 + s4);
        b.slope += dz / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        b.volume += M_PI * dz / 6 * (before * before + 4 * r2 * r2 + b.r * b.r);
    }
    return b;
}

/* The bridge of this neck that ends at the radius of the rods. */
static bridge to_the_edge(double neck, double radius, double half) {
    double low = -20 / radius, high = 20 / radius;
    for (int k = 0; k < 80; k++) {
        double middle = 0.5 * (low + high);
        double r = outwards(neck, middle, half).r;
        if (r > radius || isnan(r)) /* too little pressure: it opens too far */
            low = middle;
        else
            high = middle;
    }
    return outwards(neck, high, half);
}

double bl_law_bridge_neck(double radius, double separation, double volume) {
    double low = 0.1 * radius, high = 1.5 * radius, half = separation / 2;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (2 * to_the_edge(middle, radius, half).volume < volume)
            low = middle;
        else
            high = middle;
    }
    bridge found = to_the_edge(high, radius, half);
    return fabs(found.r / radius - 1) < 1e-6 && fabs(2 * found.volume / volume - 1) < 1e-6 ? high : (double)NAN;
}

double bl_law_catenoid_neck(double radius, double separation) {
    /* c cosh(L/(2c)) has its least value, 0.7544 L, at c = 0.4168 L; the stable branch is above */
    double low = 0.41678 * separation, high = radius;
    if (low * cosh(separation / (2 * low)) > radius) return (double)NAN;
    for (int k = 0; k < 80; k++) {
        double middle = 0.5 * (low + high);
        if (middle * cosh(separation / (2 * middle)) < radius)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* --- a drop that hangs --- */

typedef struct hanging {
    double r, z, phi, volume, moment; /* moment: of the volume about the apex */
} hanging;

static hanging hang_slope(int dimension, double b, hanging o) {
    double curvature = (dimension - 1) / b - o.z;
    if (dimension == 3) curvature -= o.r > 1e-9 * b ? sin(o.phi) / o.r : 1 / b;
    double area = dimension == 3 ? M_PI * o.r * o.r : 2 * o.r;
    return (hanging){cos(o.phi), sin(o.phi), curvature, area * sin(o.phi), area * sin(o.phi) * o.z};
}

static hanging hang_ahead(hanging o, double ds, hanging d) {
    return (hanging){o.r + ds * d.r, o.z + ds * d.z, o.phi + ds * d.phi, o.volume + ds * d.volume,
                     o.moment + ds * d.moment};
}

static hanging hang_step(int dimension, double b, hanging o, double ds) {
    hanging a = hang_slope(dimension, b, o), c = hang_slope(dimension, b, hang_ahead(o, ds / 2, a));
    hanging e = hang_slope(dimension, b, hang_ahead(o, ds / 2, c)), f = hang_slope(dimension, b, hang_ahead(o, ds, e));
    hanging next = hang_ahead(hang_ahead(o, ds / 6, a), ds / 3, c);
    return hang_ahead(hang_ahead(next, ds / 3, e), ds / 6, f);
}

/* The largest drop below a place where the outline with apex radius b is as wide as the edge; capillary length 1. The
 * outline ends where it turns back downwards or closes. */
static bl_pendant widest_fit(int dimension, double radius, double b) {
    hanging o = {0};
    bl_pendant best = {0, 0};
    double ds = fmin(2e-3, 0.02 * b);
    int met = 0; /* below, beside and above the widest place of the drop; beyond are outlines with two bellies */
    for (int k = 0; k < 20000 && met < 3 && o.phi > -1e-9 && o.phi < M_PI && o.r >= 0; k++) {
        hanging next = hang_step(dimension, b, o, ds);
        if ((o.r - radius) * (next.r - radius) <= 0 && k > 0) {
            hanging edge = hang_step(dimension, b, o, ds * (radius - o.r) / (next.r - o.r));
            if (edge.volume > best.volume) best = (bl_pendant){edge.volume, edge.moment / edge.volume - edge.z};
            met++;
        }
        o = next;
    }
    return best;
}

bl_pendant bl_law_pendant(int dimension, double radius, double capillary_length) {
    double r = radius / capillary_length, at = 1;
    bl_pendant best = {0, 0};
    for (double b = 0.05; b < 20; b *= 1.03) {
        bl_pendant p = widest_fit(dimension, r, b);
        if (p.volume > best.volume) best = p, at = b;
    }
    for (double b = at / 1.03; b < at * 1.03; b *= 1.001) {
        bl_pendant p = widest_fit(dimension, r, b);
        if (p.volume > best.volume) best = p;
    }
    return (bl_pendant){best.volume * pow(capillary_length, dimension), best.center * capillary_length};
}

double bl_law_pendant_limit(int dimension, double radius, double volume) {
    double low = 0.05 * radius, high = 50 * radius; /* capillary lengths: long ones hold more */
    for (int k = 0; k < 24; k++) {
        double middle = sqrt(low * high);
        if (bl_law_pendant(dimension, radius, middle).volume < volume)
            low = middle;
        else
            high = middle;
    }
    return 1 / (low * high);
}

double bl_law_harkins_brown(double x) {
    static const double f[] = {0.7256, 0.7011, 0.6828, 0.6669, 0.6515, 0.6362, 0.6250, 0.6171,
                               0.6093, 0.6032, 0.6000, 0.5992, 0.5998, 0.6034, 0.6098}; /* x = 0.3, 0.35 ... 1 */
    double at = (x - 0.3) / 0.05;
    if (!(at >= 0 && at <= 14)) return (double)NAN;
    int k = at < 13 ? (int)at : 13;
    return f[k] + (at - k) * (f[k + 1] - f[k]);
}
