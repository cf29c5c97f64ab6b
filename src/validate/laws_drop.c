#include "validate/laws.h"

#include <math.h>

double bl_law_laplace(int dimension, double gamma, double radius) { return (dimension - 1) * gamma / radius; }

double bl_law_surface(int dimension, double radius) {
    return dimension == 2 ? 2 * M_PI * radius : 4 * M_PI * radius * radius;
}

double bl_law_drop_frequency(int dimension, int n, double gamma, double rho, double radius) {
    double factor = dimension == 2 ? n * (n * n - 1) : n * (n - 1) * (n + 2);
    return sqrt(factor * gamma / (rho * radius * radius * radius));
}

double bl_law_drop_decay(int dimension, int n, double nu, double radius) {
    double factor = dimension == 2 ? 2 * n * (n - 1) : (n - 1) * (2 * n + 1);
    return factor * nu / (radius * radius);
}

double bl_law_culick(double gamma, double rho, double thickness) { return sqrt(2 * gamma / (rho * thickness)); }

double bl_law_pair_angle(double gamma, double between) { return acos(fmax(-1, -between / (2 * gamma))); }

double bl_law_lens_angle(double own, double other, double bath) {
    return acos((own * own + bath * bath - other * other) / (2 * own * bath));
}

double bl_law_channel_speed(double g, double nu, double gap, double time) {
    double missing = 0, rate = M_PI * M_PI * nu / (gap * gap);
    for (int n = 1; n < 200; n += 2) missing += exp(-rate * n * n * time) / pow(n, 4);
    return g * gap * gap / (12 * nu) * (1 - 96 / pow(M_PI, 4) * missing);
}

/* Zero number n, from 1 on, of Bessel's J0. */
static double bessel_zero(int n) {
    double x = (n - 0.25) * M_PI;
    for (int k = 0; k < 6; k++) x += j0(x) / j1(x);
    return x;
}

double bl_law_pipe_speed(double g, double nu, double radius, double time) {
    double missing = 0, rate = nu / (radius * radius);
    for (int n = 1; n < 100; n++) {
        double zero = bessel_zero(n);
        missing += exp(-rate * zero * zero * time) / pow(zero, 4);
    }
    return g * radius * radius / (8 * nu) * (1 - 32 * missing);
}

double bl_law_slot_flow(double gamma, double mu, double width, double length, double r1, double r2) {
    double channel = 12 * mu * length / pow(width, 3), openings = 32 * mu / (M_PI * width * width);
    return gamma * (1 / r1 - 1 / r2) / (channel + openings);
}
