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
