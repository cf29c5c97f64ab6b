/* A drop on a plane in gravity. */
#include "validate/laws.h"

#include <math.h>

/* The outline from the apex down: r, z below the apex, slope angle phi, volume so far. */
typedef struct outline {
    double r, z, phi, volume;
} outline;

typedef struct problem {
    int dimension;
    double b;        /* radius of curvature at the apex */
    double length_2; /* square of the capillary length */
} problem;

/* Derivatives along the arc: dphi/ds = (d-1)/b + z/l_c^2 - sin(phi)/r (the last term in 3D only; 1/b at the apex). */
static outline slope(const problem *p, outline o) {
    double curvature = (p->dimension - 1) / p->b + o.z / p->length_2;
    if (p->dimension == 3) curvature -= o.r > 1e-9 * p->b ? sin(o.phi) / o.r : 1 / p->b;
    double area = p->dimension == 3 ? M_PI * o.r * o.r : 2 * o.r;
    return (outline){cos(o.phi), sin(o.phi), curvature, area * sin(o.phi)};
}

static outline ahead(outline o, double ds, outline d) {
    return (outline){o.r + ds * d.r, o.z + ds * d.z, o.phi + ds * d.phi, o.volume + ds * d.volume};
}

static outline runge_kutta(const problem *p, outline o, double ds) {
    outline a = slope(p, o), b = slope(p, ahead(o, ds / 2, a)), c = slope(p, ahead(o, ds / 2, b));
    outline d = slope(p, ahead(o, ds, c));
    outline mean = {(a.r + 2 * b.r + 2 * c.r + d.r) / 6, (a.z + 2 * b.z + 2 * c.z + d.z) / 6,
                    (a.phi + 2 * b.phi + 2 * c.phi + d.phi) / 6,
                    (a.volume + 2 * b.volume + 2 * c.volume + d.volume) / 6};
    return ahead(o, ds, mean);
}

/* The outline where its slope has reached `angle`. Steps turn by a two-hundredth of the angle, but are no longer than a
 * fiftieth of the capillary length, over which a flat top begins to bend; the last one is found by bisection. */
static outline integrate(const problem *p, double angle) {
    outline o = {0};
    const double turn = angle / 200;
    for (int k = 0; k < 100000; k++) {
        double ds = fmin(turn / slope(p, o).phi, 0.02 * sqrt(p->length_2));
        outline next = runge_kutta(p, o, ds);
        if (next.phi < angle) {
            o = next;
            continue;
        }
        double low = 0, high = ds;
        for (int j = 0; j < 60; j++) {
            double middle = 0.5 * (low + high);
            if (runge_kutta(p, o, middle).phi < angle)
                low = middle;
            else
                high = middle;
        }
        return runge_kutta(p, o, high);
    }
    return o;
}

bl_sessile bl_law_sessile(int dimension, double angle, double volume, double capillary_length) {
    double low = 1e-3, high = 1e40; /* the volume grows with b; in units of the radius of the free drop */
    double unit = dimension == 3 ? cbrt(volume) : sqrt(volume);
    problem p = {.dimension = dimension, .length_2 = capillary_length * capillary_length};
    for (int k = 0; k < 120; k++) {
        double middle = sqrt(low * high);
        p.b = middle * unit;
        if (integrate(&p, angle).volume < volume)
            low = middle;
        else
            high = middle;
    }
    outline o = integrate(&p, angle);
    return (bl_sessile){.height = o.z, .base_radius = o.r};
}

double bl_law_critical_slope(double weight, double pull, double friction) {
    /* W sin a - mu W cos a = W sqrt(1 + mu^2) sin(a - atan mu) */
    double sine = friction * pull / (weight * sqrt(1 + friction * friction));
    return sine < 1 ? fmin(M_PI / 2, atan(friction) + asin(sine)) : M_PI / 2;
}

double bl_law_pull_off(double capillary_length, double angle) { return 2 * capillary_length * cos(angle / 2); }

/* What a floating cylinder bears, as an area of liquid. */
static double borne(double radius, double length, double angle, double phi) {
    double delta = angle + phi - M_PI, depth = 2 * length * sin(delta / 2);
    return radius * radius * (phi - sin(phi) * cos(phi)) + depth * 2 * radius * sin(phi) +
           2 * length * length * sin(delta);
}

double bl_law_floating(double radius, double length, double angle, double ratio) {
    double weight = ratio * M_PI * radius * radius, phi = 0;
    while (phi < M_PI && borne(radius, length, angle, phi) < weight)
        phi += 1e-5; /* the first that bears it is stable */
    return phi < M_PI ? radius * cos(phi) - 2 * length * sin((angle + phi - M_PI) / 2) : (double)NAN;
}
