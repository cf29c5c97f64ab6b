/* Kernels as sums over groups need them (groups.h): times V0, in the fewest operations. Constant factors are left to
 * the end of a sum, V0 W = w_scale bl_lean_w and V0 W'/r = g_scale bl_lean_slope. A file is compiled for one family
 * (kernel.h).
 *
 * What a pair is measured by is its distance for cubic kernels and the square of it for smooth ones, which never need
 * the root: bl_lean_measure. */
#ifndef BL_PHYSICS_LEAN_H
#define BL_PHYSICS_LEAN_H

#include "physics/kernel.h"

/* An offset, its measure and what else a kernel wants of it. */
typedef struct bl_reach {
    bl_vec3 d;
    real measure, inverse;
} bl_reach;

#ifdef BL_ALL_SMOOTH

/* With u = 1 - r^2/H^2 and v = u^2 (kernel.h), terms over the highest: w = v (w_0 + v (w_1 + v (w_2 + v))),
 * w'/q = u (g_0 + v (g_1 + v (g_2 + v))). */
typedef struct bl_lean {
    real inv_square; /* 1/H^2 */
    real w[3], g[3];
    real w_scale, g_scale, w_over_g; /* the last: of the scales */
} bl_lean;

BL_FN bl_lean bl_lean_of(bl_kernel k, real v0) {
    bl_lean lean;
    real top = k.c[3];
    lean.inv_square = k.inv_support * k.inv_support;
    for (int n = 0; n < 3; ++n) {
        lean.w[n] = k.c[n] / top;
        lean.g[n] = (real)(n + 1) * BL_R(0.25) * lean.w[n];
    }
    lean.w_scale = v0 * k.norm * top;
    lean.g_scale = BL_R(-16) * (v0 * k.grad_norm) * top;
    lean.w_over_g = lean.w_scale / lean.g_scale;
    return lean;
}
BL_FN real bl_lean_measure(real r2) { return r2; }
BL_FN real bl_lean_square(real measure) { return measure; }
BL_FN bl_reach bl_reach_of(bl_lean k, bl_vec3 d, real measure) {
    bl_reach reach;
    (void)k;
    reach.d = d;
    reach.measure = measure;
    reach.inverse = BL_R(0); /* not needed */
    return reach;
}
BL_FN real bl_lean_u(bl_lean k, real r2) { return BL_R(1) - bl_min(r2 * k.inv_square, BL_R(1)); }
BL_FN real bl_lean_w(bl_lean k, real r2) {
    real u = bl_lean_u(k, r2), v = u * u;
    return v * (k.w[0] + v * (k.w[1] + v * (k.w[2] + v)));
}
BL_FN real bl_lean_slope(bl_lean k, bl_reach x) {
    real u = bl_lean_u(k, x.measure), v = u * u;
    return u * (k.g[0] + v * (k.g[1] + v * (k.g[2] + v)));
}
/* V0 W' r over g_scale. */
BL_FN real bl_lean_outward(bl_lean k, real r2) { return r2 * bl_lean_slope(k, bl_reach_of(k, bl_v3_zero(), r2)); }
/* W'/(r (r^2 + round)) over the same. */
BL_FN real bl_lean_viscous(bl_lean k, real r2, real round) {
    return bl_lean_slope(k, bl_reach_of(k, bl_v3_zero(), r2)) / (r2 + round);
}

/* Far neighbours are like near ones. */
enum { BL_LEAN_HAS_TAIL = 0 };
BL_FN real bl_lean_tail(bl_lean k) {
    (void)k;
    return BL_R(0);
}
BL_FN real bl_lean_tail_w(bl_lean k, real r2) { return bl_lean_w(k, r2); }
BL_FN real bl_lean_tail_slope(bl_lean k, real r2) { return bl_lean_slope(k, bl_reach_of(k, bl_v3_zero(), r2)); }
BL_FN real bl_lean_tail_outward(bl_lean k, real r2) { return bl_lean_outward(k, r2); }

#else

/* With A = max(H - r, 0), B = max(H/2 - r, 0) V0 W = w_scale (A^3 - 4 B^3),  V0 W' = g_scale (4 B^2 - A^2). Written
 * with minima, which compilers make one instruction of. */
typedef struct bl_lean {
    real support, half, smallest; /* H, H/2, the distance below which W'/r counts as zero */
    real w_scale, g_scale, w_over_g;
} bl_lean;

BL_FN bl_lean bl_lean_of(bl_kernel k, real v0) {
    bl_lean lean;
    lean.support = BL_R(1) / k.inv_support;
    lean.half = BL_R(0.5) * lean.support;
    lean.smallest = BL_R(1e-6) * lean.support;
    lean.w_scale = BL_R(2) * (v0 * k.norm) * k.inv_support * k.inv_support * k.inv_support;
    lean.g_scale = BL_R(3) * lean.w_scale;
    lean.w_over_g = BL_R(1.0 / 3);
    return lean;
}
BL_FN real bl_lean_measure(real r2) { return BL_SQRT(r2); }
BL_FN real bl_lean_square(real r) { return r * r; }
/* Distances are not below k.smallest. */
BL_FN bl_reach bl_reach_of(bl_lean k, bl_vec3 d, real r) {
    bl_reach reach;
    reach.d = d;
    reach.measure = bl_max(r, k.smallest);
    reach.inverse = BL_R(1) / reach.measure;
    return reach;
}
BL_FN real bl_lean_w(bl_lean k, real r) {
    real a = k.support - bl_min(r, k.support), b = k.half - bl_min(r, k.half), c = b + b;
    return a * a * a - c * c * b;
}
BL_FN real bl_lean_g(bl_lean k, real r) {
    real a = k.support - bl_min(r, k.support), c = k.support - bl_min(r + r, k.support);
    return (c - a) * (c + a);
}
BL_FN real bl_lean_slope(bl_lean k, bl_reach x) { return bl_lean_g(k, x.measure) * x.inverse; }
/* V0 W' r over g_scale. */
BL_FN real bl_lean_outward(bl_lean k, real r) { return bl_lean_g(k, r) * r; }
/* W'/(r (r^2 + round)) over the same. */
BL_FN real bl_lean_viscous(bl_lean k, real r, real round) {
    real away = bl_max(r, k.smallest);
    return bl_lean_g(k, away) / (away * (away * away + round));
}

/* The same between H/2 and H, where B = 0: what a far neighbour that is not a near one (r >= 2h) needs of the far
 * kernel (H = 3h). */
enum { BL_LEAN_HAS_TAIL = 1 };
BL_FN real bl_lean_tail(bl_lean k) { return k.half; }
BL_FN real bl_lean_tail_w(bl_lean k, real r) {
    real a = k.support - bl_min(r, k.support);
    return a * a * a;
}
BL_FN real bl_lean_tail_slope(bl_lean k, real r) {
    real a = k.support - bl_min(r, k.support);
    return -(a * a) / r;
}
BL_FN real bl_lean_tail_outward(bl_lean k, real r) {
    real a = k.support - bl_min(r, k.support);
    return -(a * a) * r;
}

#endif

#endif
