/* Kernels of compact support H.
 *
 * Cubic spline, in 2D and 3D: W(r) = s w(r/H), w(q) = 2 max(0, 1-q)^3 - 8 max(0, 1/2-q)^3, which is the usual piecewise
 * form without branches; s = 8/(pi H^3) in 3D, 40/(7 pi H^2) in 2D.
 *
 * Smooth, in 3D: w(q) = sum_k c_k u^(2k) with u = max(0, 1 - q^2), k from 1 to BL_KERNEL_TERMS. Its Fourier transform
 * nearly vanishes where that of a packing of particles begins, and it needs neither root nor quotient. */
#ifndef BL_PHYSICS_KERNEL_H
#define BL_PHYSICS_KERNEL_H

#include "physics/common.h"

#define BL_KERNEL_TERMS 4

typedef struct bl_kernel {
    real inv_support;        /* 1/H */
    real norm;               /* s */
    real grad_norm;          /* s/H^2: gradient = grad_norm g(q) x */
    real c[BL_KERNEL_TERMS]; /* c_1 ... of a smooth kernel; all zero: the cubic spline */
    real root_w, root_g;     /* of a smooth kernel: its w/u^2 and dw/d(u^2) vanish at u^2 = -root (physics/lean.h) */
} bl_kernel;

/* Loops over many pairs are compiled for one family each (BL_ALL_CUBIC, BL_ALL_SMOOTH): a question to every pair would
 * cost a third. A device knows the numbers when it compiles. */
#if defined(BL_ALL_CUBIC)
BL_FN int bl_kernel_is_smooth(bl_kernel k) {
    (void)k;
    return 0;
}
#elif defined(BL_ALL_SMOOTH)
BL_FN int bl_kernel_is_smooth(bl_kernel k) {
    (void)k;
    return 1;
}
#else
BL_FN int bl_kernel_is_smooth(bl_kernel k) { return k.c[0] > BL_R(0); }
#endif

/* w of a smooth kernel at u = 1 - q^2 >= 0, v = u^2 */
BL_FN real bl_window_shape(bl_kernel k, real v) { return v * (k.c[0] + v * (k.c[1] + v * (k.c[2] + v * k.c[3]))); }
/* ... and its w'(q)/q = -2 dw/du */
BL_FN real bl_window_slope(bl_kernel k, real u, real v) {
    return u * (BL_R(-4) * k.c[0] + v * (BL_R(-8) * k.c[1] + v * (BL_R(-12) * k.c[2] + v * (BL_R(-16) * k.c[3]))));
}
/* ... and the derivative of that with respect to u; at u = 0, too, where the kernel has none */
BL_FN real bl_window_bend(bl_kernel k, real v) {
    return BL_R(-4) * k.c[0] + v * (BL_R(-24) * k.c[1] + v * (BL_R(-60) * k.c[2] + v * (BL_R(-112) * k.c[3])));
}

/* w(q) */
BL_FN real bl_kernel_shape(bl_kernel k, real r) {
    real q = r * k.inv_support, u = bl_max(BL_R(1) - q * q, BL_R(0));
    if (bl_kernel_is_smooth(k)) return bl_window_shape(k, u * u);
    real a = bl_max(BL_R(1) - q, BL_R(0)), b = bl_max(BL_R(0.5) - q, BL_R(0));
    return BL_R(2) * a * a * a - BL_R(8) * b * b * b;
}
BL_FN real bl_kernel_w(bl_kernel k, real r) { return k.norm * bl_kernel_shape(k, r); }

/* g(q) = w'(q)/q, zero at q = 0, where w is flat. */
BL_FN real bl_kernel_slope(bl_kernel k, real r) {
    real q = r * k.inv_support, u = bl_max(BL_R(1) - q * q, BL_R(0));
    if (bl_kernel_is_smooth(k)) return bl_window_slope(k, u, u * u);
    real a = bl_max(BL_R(1) - q, BL_R(0)), b = bl_max(BL_R(0.5) - q, BL_R(0));
    return (BL_R(24) * b * b - BL_R(6) * a * a) / bl_max(q, BL_R(1e-6));
}
/* W'(r)/r, so that the gradient is this times x. */
BL_FN real bl_kernel_dw_over_r(bl_kernel k, real r) { return k.grad_norm * bl_kernel_slope(k, r); }

#ifndef __OPENCL_C_VERSION__
static inline bl_kernel bl_kernel_make(int dimension, double support) {
    const double pi = 3.14159265358979323846;
    double norm = dimension == 3 ? 8 / (pi * support * support * support) : 40 / (7 * pi * support * support);
    return (bl_kernel){
        .inv_support = (real)(1 / support), .norm = (real)norm, .grad_norm = (real)(norm / (support * support))};
}

/* The smallest r > 0 with a_0 - a_1 r + a_2 r^2 - a_3 r^3 = 0: Newton's steps from 0 come to it from below. */
static inline double bl_kernel_root(const double a[BL_KERNEL_TERMS]) {
    double r = 0;
    for (int step = 0; step < 60; ++step)
        r += (a[0] - r * (a[1] - r * (a[2] - r * a[3]))) / (a[1] - r * (2 * a[2] - r * 3 * a[3]));
    return r;
}

/* The integral of u^n over a ball of radius H is 4 pi H^3 I_n with I_0 = 1/3, I_n = I_(n-1) 2n/(2n + 3); over a disc it
 * is 2 pi H^2 I_n with I_n = 1/(2n + 2). */
static inline bl_kernel bl_kernel_make_window(int dimension, double support, const double c[BL_KERNEL_TERMS]) {
    const double pi = 3.14159265358979323846;
    double part = 1.0 / 3, sum = 0;
    double volume = dimension == 3 ? 4 * pi * support * support * support : 2 * pi * support * support;
    for (int n = 1; n <= 2 * BL_KERNEL_TERMS; ++n) {
        part = dimension == 3 ? part * 2.0 * n / (2 * n + 3) : 1.0 / (2 * n + 2);
        if (n % 2 == 0) sum += c[n / 2 - 1] * part;
    }
    double norm = 1 / (volume * sum);
    bl_kernel k = {
        .inv_support = (real)(1 / support), .norm = (real)norm, .grad_norm = (real)(norm / (support * support))};
    double slope[BL_KERNEL_TERMS];
    for (int n = 0; n < BL_KERNEL_TERMS; ++n) k.c[n] = (real)c[n], slope[n] = (n + 1) * c[n];
    k.root_w = (real)bl_kernel_root(c);
    k.root_g = (real)bl_kernel_root(slope);
    return k;
}
static inline bl_kernel bl_kernel_make_smooth(double support, const double c[BL_KERNEL_TERMS]) {
    return bl_kernel_make_window(3, support, c);
}
#endif

#endif
