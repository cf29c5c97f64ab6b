/* Waves on jets and on layers. */
#include "validate/laws.h"

#include <complex.h>
#include <math.h>

/* Modified Bessel function of integer order n >= 0, by its power series: sum (x/2)^(2m+n)/(m! (m+n)!). */
double bl_bessel_i(int n, double x) {
    double term = 1, sum;
    for (int k = 1; k <= n; k++) term *= 0.5 * x / k;
    sum = term;
    for (int m = 1; m < 500 && fabs(term) > 1e-17 * fabs(sum); m++) {
        term *= 0.25 * x * x / (m * (double)(m + n));
        sum += term;
    }
    return sum;
}

double bl_law_jet_growth_2(double x) { return x * (1 - x * x) * bl_bessel_i(1, x) / bl_bessel_i(0, x); }

/* I1'(z)/I1(z) = I0(z)/I1(z) - 1/z, from the continued fraction I_n/I_(n+1) = 2 (n + 1)/z + I_(n+2)/I_(n+1). Its terms
 * shrink once n > z. */
static double bessel_slope(double z) {
    double ratio = (double)INFINITY; /* I_n/I_(n+1) */
    for (int n = 20 + (int)(2 * z); n >= 0; n--) ratio = 2 * (n + 1) / z + 1 / ratio;
    return ratio - 1 / z;
}

/* What is left of the dispersion relation of a viscous jet for a rate s. */
static double jet_relation(double x, double oh, double s) {
    double y = sqrt(x * x + s / oh), share = bl_bessel_i(1, x) / bl_bessel_i(0, x);
    double bracket = (x * x + y * y) * bessel_slope(x) - 2 * x * y * bessel_slope(y);
    return s * s + 2 * oh * x * x * s + 2 * oh * oh * x * x * share * bracket - bl_law_jet_growth_2(x);
}

double bl_law_jet_growth(double x, double oh) {
    enum { BISECTIONS = 60 };
    double inviscid = bl_law_jet_growth_2(x), low = 0, high = sqrt(fmax(inviscid, 0));
    if (!(inviscid > 0)) return 0;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        *(jet_relation(x, oh, middle) < 0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

double bl_law_wave_frequency(double gamma, double rho, double k, double depth) {
    return sqrt(gamma * k * k * k / rho * tanh(k * depth));
}

/* --- Prosperetti's initial-value solution --- */

/* w(z) = exp(-z^2) erfc(-iz) for Im z >= 0, by Weideman's rational expansion (SIAM J. Numer. Anal. 31, 1994): with
 * L = sqrt(N/sqrt 2) and Z = (L + iz)/(L - iz), w = 2 p(Z)/(L - iz)^2 + 1/(sqrt(pi) (L - iz)), where the coefficients
 * of the polynomial p are Fourier coefficients of exp(-t^2)(L^2 + t^2) with t = L tan(theta/2). */
static double complex faddeeva(double complex z) {
    enum { N = 32, M = 2 * N };
    const double length = sqrt(N / sqrt(2.0));
    double complex i_z = bl_complex(-cimag(z), creal(z)), below = length - i_z, power = 1,
                   ratio = (length + i_z) / below, sum = 0;
    for (int n = 1; n <= N; n++) {
        double coefficient = 0;
        for (int k = -M + 1; k < M; k++) {
            double theta = k * M_PI / M, t = length * tan(theta / 2);
            coefficient += exp(-t * t) * (length * length + t * t) * cos(n * theta) / (2 * M);
        }
        sum += coefficient * power;
        power *= ratio;
    }
    return 2 * sum / (below * below) + 1 / (sqrt(M_PI) * below);
}

double complex bl_faddeeva(double complex z) { return cimag(z) >= 0 ? faddeeva(z) : 2 * cexp(-z * z) - faddeeva(-z); }

/* Roots of z^4 + c2 z^2 + c1 z + c0 by simultaneous iteration (Durand and Kerner). */
static void find_roots(double c2, double c1, double c0, double complex *z) {
    double size = pow(c0, 0.25);
    for (int i = 0; i < 4; i++) z[i] = size * cpow(bl_complex(0.4, 0.9), i);
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 4; i++) {
            double complex value = ((z[i] * z[i] + c2) * z[i] + c1) * z[i] + c0, below = 1;
            for (int j = 0; j < 4; j++)
                if (j != i) below *= z[i] - z[j];
            z[i] -= value / below;
        }
    }
}

/* exp((z^2 - s) t) erfc(z sqrt t) = exp(-s t) w(i z sqrt t), without overflow where Re z < 0. */
static double complex decaying_erfc(double complex z, double s, double t) {
    double complex zeta = bl_complex(0, sqrt(t)) * z;
    if (cimag(zeta) >= 0) return exp(-s * t) * faddeeva(zeta);
    return 2 * cexp((z * z - s) * t) - exp(-s * t) * faddeeva(-zeta);
}

double bl_law_prosperetti(double w0, double nu, double k, double t) {
    double s = nu * k * k;
    double complex z[4], sum = 4 * s * s / (8 * s * s + w0 * w0) * erfc(sqrt(s * t));
    find_roots(2 * s, 4 * s * sqrt(s), s * s + w0 * w0, z);
    for (int i = 0; i < 4; i++) {
        double complex product = 1;
        for (int j = 0; j < 4; j++)
            if (j != i) product *= z[j] - z[i];
        sum += z[i] / product * w0 * w0 / (z[i] * z[i] - s) * decaying_erfc(z[i], s, t);
    }
    return creal(sum);
}

double bl_law_taylor_growth_2(const bl_layers *l, double k) {
    double inertia = l->above / tanh(k * l->depth_above) + l->below / tanh(k * l->depth_below);
    return ((l->above - l->below) * l->g * k - l->gamma * k * k * k) / inertia;
}
