/* The cubic spline kernel of compact support H, in 2D and 3D.
 *
 * W(r) = s w(r/H), w(q) = 2 max(0, 1-q)^3 - 8 max(0, 1/2-q)^3, which is the usual piecewise form without branches;
 * s = 8/(pi H^3) in 3D, 40/(7 pi H^2) in 2D. */
#ifndef BL_PHYSICS_KERNEL_H
#define BL_PHYSICS_KERNEL_H

#include "physics/common.h"

typedef struct bl_kernel {
    real inv_support; /* 1/H */
    real norm;        /* s */
    real grad_norm;   /* s/H^2: gradient = grad_norm g(q) x */
} bl_kernel;

/* w(q) */
BL_FN real bl_kernel_shape(bl_kernel k, real r) {
    real q = r * k.inv_support;
    real a = bl_max(BL_R(1) - q, BL_R(0)), b = bl_max(BL_R(0.5) - q, BL_R(0));
    return BL_R(2) * a * a * a - BL_R(8) * b * b * b;
}
BL_FN real bl_kernel_w(bl_kernel k, real r) { return k.norm * bl_kernel_shape(k, r); }

/* g(q) = w'(q)/q, zero at q = 0, where w is flat. */
BL_FN real bl_kernel_slope(bl_kernel k, real r) {
    real q = r * k.inv_support;
    real a = bl_max(BL_R(1) - q, BL_R(0)), b = bl_max(BL_R(0.5) - q, BL_R(0));
    return (BL_R(24) * b * b - BL_R(6) * a * a) / bl_max(q, BL_R(1e-6));
}
/* W'(r)/r, so that the gradient is this times x. */
BL_FN real bl_kernel_dw_over_r(bl_kernel k, real r) { return k.grad_norm * bl_kernel_slope(k, r); }

#ifndef __OPENCL_C_VERSION__
static inline bl_kernel bl_kernel_make(int dimension, double support) {
    const double pi = 3.14159265358979323846;
    double norm = dimension == 3 ? 8 / (pi * support * support * support) : 40 / (7 * pi * support * support);
    bl_kernel k;
    k.inv_support = (real)(1 / support);
    k.norm = (real)norm;
    k.grad_norm = (real)(norm / (support * support));
    return k;
}
#endif

#endif
