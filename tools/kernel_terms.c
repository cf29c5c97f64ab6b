/* The terms of the smooth kernels (physics/kernel.h), from what they are made for.
 *
 *   cc -O2 -DBL_DOUBLE -Isrc -o kernel_terms tools/kernel_terms.c -lm && ./kernel_terms
 *
 * A sum over particles differs from the integral it stands for by what the kernel's Fourier transform W^(k) leaves of
 * the packing's, which begins at about 2 pi/h. So of all W = sum_n c_n u^(2n), u = 1 - r^2/H^2, n from 1 to 4, with the
 * integral 1 and a given second moment <r^2> that one is taken whose integral of k^2 W^(k)^2 over k > k0 is least. The
 * moments are a little more than those of cubic splines over 2h and 3h, 0.9 and 2.025 h^2. In 3D u^m has the transform
 *
 *   pi H^3 m! 2^(m + 2) j_(m + 1)(K)/K^(m + 1),  K = k H,  j the spherical Bessel functions.
 *
 * Printed are the terms, scaled to W = 1 at r = 0, and those of physics/calibration.h with their second moment, their
 * integral over the least one, and the most that is left of |W^| beyond k0. The integral is flat about its least: six
 * digits of the terms leave 2e-5 of it. The exit status is 1 if they leak 1e-4 more or their moment is off by more than
 * 1e-5 of it. */
#include "physics/calibration.h"
#include "physics/kernel.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { TERMS = BL_KERNEL_TERMS, UNKNOWN = TERMS + 2, STEPS = 40000 };

static const double PI = 3.14159265358979323846;
static const double LAST = 60;                           /* of k; what is beyond is 1e-5 of the integral and less */
static const double LEAK_MORE = 1e-4, MOMENT_OFF = 1e-5; /* that terms may have */

/* Lengths in spacings. */
typedef struct aim {
    const char *name;
    double support, second_moment, k0;
    double terms[TERMS]; /* as they are in physics/calibration.h */
} aim;

/* The powers are 2, 4, ... */
static int power(int term) { return 2 * (term + 1); }

/* The integrals of u^m and of q^2 u^m over the ball q < 1. */
static double volume_of(int m) { return 2 * PI * exp(lgamma(1.5) + lgamma(m + 1) - lgamma(m + 2.5)); }
static double moment_of(int m) { return 2 * PI * exp(lgamma(2.5) + lgamma(m + 1) - lgamma(m + 3.5)); }

/* Transforms of all u^m at K, for H = 1. The recurrence loses nothing as long as K is larger than the order. */
static void transforms(double K, double out[TERMS]) {
    double before = sin(K) / K, j = before / K - cos(K) / K, scale = 4 * PI / K;
    for (int m = 1; m <= power(TERMS - 1); m++) {
        double next = (2 * m + 1) / K * j - before;
        before = j, j = next;
        scale *= 2 * m / K;
        if (m % 2 == 0) out[m / 2 - 1] = scale * j;
    }
}

/* Integrals of k^2 A^ B^ over k > k0 for all pairs of powers, by Simpson's rule. */
static void leakage(const aim *a, double out[TERMS][TERMS]) {
    double step = (LAST - a->k0) / STEPS;
    for (int i = 0; i < TERMS; i++)
        for (int j = 0; j < TERMS; j++) out[i][j] = 0;
    for (int s = 0; s <= STEPS; s++) {
        double k = a->k0 + s * step, w = (s == 0 || s == STEPS ? 1 : s % 2 ? 4 : 2) * step / 3, t[TERMS];
        transforms(k * a->support, t);
        for (int i = 0; i < TERMS; i++)
            for (int j = 0; j < TERMS; j++) out[i][j] += w * k * k * t[i] * t[j];
    }
}

/* Solve A x = b; b becomes x. */
static void solve(double A[UNKNOWN][UNKNOWN], double b[UNKNOWN]) {
    for (int c = 0; c < UNKNOWN; c++) {
        int best = c;
        for (int r = c; r < UNKNOWN; r++)
            if (fabs(A[r][c]) > fabs(A[best][c])) best = r;
        for (int k = 0; k < UNKNOWN; k++) {
            double held = A[c][k];
            A[c][k] = A[best][k], A[best][k] = held;
        }
        double held = b[c];
        b[c] = b[best], b[best] = held;
        for (int r = 0; r < UNKNOWN; r++) {
            double factor = r == c ? 0 : A[r][c] / A[c][c];
            for (int k = c; k < UNKNOWN; k++) A[r][k] -= factor * A[c][k];
            b[r] -= factor * b[c];
        }
    }
    for (int c = 0; c < UNKNOWN; c++) b[c] /= A[c][c];
}

/* The least of c M c under both conditions, with multipliers; unknowns in units that make M's diagonal 1. */
static void design(const aim *a, double terms[TERMS]) {
    double M[TERMS][TERMS], A[UNKNOWN][UNKNOWN] = {{0}}, b[UNKNOWN] = {0}, unit[TERMS], sum = 0;
    leakage(a, M);
    for (int i = 0; i < TERMS; i++) unit[i] = 1 / sqrt(M[i][i]);
    for (int i = 0; i < TERMS; i++) {
        for (int j = 0; j < TERMS; j++) A[i][j] = unit[i] * M[i][j] * unit[j];
        A[i][TERMS] = A[TERMS][i] = unit[i] * volume_of(power(i));
        A[i][TERMS + 1] = A[TERMS + 1][i] = unit[i] * a->support * a->support * moment_of(power(i));
    }
    b[TERMS] = 1, b[TERMS + 1] = a->second_moment;
    solve(A, b);
    for (int i = 0; i < TERMS; i++) sum += unit[i] * b[i];
    for (int i = 0; i < TERMS; i++) terms[i] = unit[i] * b[i] / sum;
}

/* The integral that is made least, of a kernel with these terms. */
static double leak_of(const aim *a, const double c[TERMS]) {
    double M[TERMS][TERMS], whole = 0, sum = 0;
    leakage(a, M);
    for (int i = 0; i < TERMS; i++) {
        whole += c[i] * volume_of(power(i));
        for (int j = 0; j < TERMS; j++) sum += c[i] * M[i][j] * c[j];
    }
    return sum / (whole * whole);
}

/* The largest |W^| beyond k0, of W^(0) = 1. */
static double largest_beyond(const aim *a, const double c[TERMS]) {
    double whole = 0, largest = 0;
    for (int i = 0; i < TERMS; i++) whole += c[i] * volume_of(power(i));
    for (int s = 0; s <= STEPS; s++) {
        double t[TERMS], sum = 0;
        transforms((a->k0 + (LAST - a->k0) * s / STEPS) * a->support, t);
        for (int i = 0; i < TERMS; i++) sum += c[i] * t[i];
        largest = fmax(largest, fabs(sum / whole));
    }
    return largest;
}

static double second_moment(const aim *a, const double c[TERMS]) {
    double whole = 0, sum = 0;
    for (int i = 0; i < TERMS; i++) {
        whole += c[i] * volume_of(power(i));
        sum += c[i] * a->support * a->support * moment_of(power(i));
    }
    return sum / whole;
}

static void print_terms(const double c[TERMS], const char *whose) {
    printf("   ");
    for (int i = 0; i < TERMS; i++) printf(" %.6f", c[i]);
    printf("  %s\n", whose);
}

/* Whether the terms in use are as good as the best. */
static bool compare(const aim *a) {
    double best[TERMS];
    design(a, best);
    double leak = leak_of(a, a->terms) / leak_of(a, best), moment = second_moment(a, a->terms);
    printf("%s: H = %g h, <r^2> = %g h^2, k0 = %g/h\n", a->name, a->support, a->second_moment, a->k0);
    print_terms(best, "least");
    print_terms(a->terms, "physics/calibration.h");
    printf("    <r^2> = %.5f h^2, integral over the least %.6f, |W^| beyond k0 at most %.1e\n", moment, leak,
           largest_beyond(a, a->terms));
    return leak < 1 + LEAK_MORE && fabs(moment / a->second_moment - 1) < MOMENT_OFF;
}

int main(void) {
    const aim aims[] = {{"near", BL_NEAR_SMOOTH, 0.9517, 6, BL_NEAR_SMOOTH_TERMS},
                        {"far", BL_FAR_SMOOTH, 2.11, 5, BL_FAR_SMOOTH_TERMS}};
    bool near = compare(&aims[0]), far = compare(&aims[1]);
    return !(near && far);
}
