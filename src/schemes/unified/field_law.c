/* The law of an interface (physics/field.h) that a kernel asks for.
 *
 * In front of a sharp edge of the liquid a rises from 0 to 1 as P(z), with the slope p(z), the integral of the kernel
 * over a plane. The flat interface is at rest if F'(P) = kappa p', that is F(P) = kappa/2 p^2, and its energy per area
 * is kappa int p^2 dz, which is to be 1. The powers that physics/field.h has are fitted to that by least squares, once
 * for a kernel and a dimension. */
#include "schemes/unified/field.h"

#include <math.h>

enum { SAMPLES = 2000, RINGS = 400, MOST = 4 };

/* The integral of the kernel over the plane (in 2D the line) at distance z. */
static double plane(const bl_kernel *kernel, int dimension, double z) {
    double support = 1 / (double)kernel->inv_support, reach2 = support * support - z * z, sum = 0;
    if (reach2 <= 0) return 0;
    double step = sqrt(reach2) / RINGS;
    for (int k = 0; k < RINGS; ++k) {
        double r = (k + 0.5) * step;
        sum += (double)bl_kernel_w(*kernel, (real)sqrt(r * r + z * z)) * (dimension == 3 ? 2 * M_PI * r : 2) * step;
    }
    return sum;
}

/* Solves the symmetric system a x = b of n equations in place. */
static void eliminate(int n, double a[MOST][MOST], double b[MOST]) {
    for (int k = 0; k < n; ++k) {
        for (int i = k + 1; i < n; ++i) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < n; ++j) a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
}

/* Coefficients of sum_k x_k s^(from + k) nearest to y over z, with s = P (1 - P). */
static void fit(int n, double from, const double *s, const double *y, double *x) {
    double a[MOST][MOST] = {{0}}, b[MOST] = {0};
    for (int i = 0; i < SAMPLES; ++i) {
        double row[MOST];
        for (int k = 0; k < n; ++k) row[k] = pow(s[i], from + k);
        for (int k = 0; k < n; ++k) {
            for (int j = 0; j < n; ++j) a[k][j] += row[k] * row[j];
            b[k] += row[k] * y[i];
        }
    }
    eliminate(n, a, b);
    for (int k = 0; k < n; ++k) x[k] = b[k];
}

bl_field_law bl_field_law_of(const bl_kernel *kernel, int dimension) {
    double support = 1 / (double)kernel->inv_support, dz = 2 * support / SAMPLES, total = 0, squares = 0, below = 0;
    double p[SAMPLES], g[SAMPLES], s[SAMPLES], bulk[SAMPLES], k[MOST];
    for (int i = 0; i < SAMPLES; ++i) {
        p[i] = plane(kernel, dimension, -support + (i + 0.5) * dz);
        total += p[i] * dz;
    }
    const double blunt = BL_FIELD_BLUNT / support;
    for (int i = 0; i < SAMPLES; ++i) {
        p[i] /= total;
        g[i] = p[i] * p[i] / sqrt(p[i] * p[i] + blunt * blunt); /* what the law sees of it */
        squares += g[i] * g[i] * dz;
    }
    double kappa = 1 / squares;
    for (int i = 0; i < SAMPLES; ++i) {
        double level = below + 0.5 * p[i] * dz;
        below += p[i] * dz;
        s[i] = fmax(level * (1 - level), 0);
        bulk[i] = 0.5 * kappa * g[i] * g[i];
    }
    fit(BL_FIELD_TERMS, 2, s, bulk, k);
    bl_field_law law = {.kappa = (real)kappa};
    law.cohesion = BL_R(BL_FIELD_COHESION);
    law.blunt = (real)blunt;
    for (int n = 0; n < BL_FIELD_TERMS; ++n) law.k[n] = (real)k[n];
    return law;
}
