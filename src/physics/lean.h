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

/* What a pair of the corrected constraint needs: W and W'/r (or W' r), both over g_scale. */
typedef struct bl_lean_pair {
    real w, slope;
} bl_lean_pair;

#ifdef BL_ALL_SMOOTH

/* With u = 1 - r^2/H^2 and v = u^2 (kernel.h) w is v times a cubic of v that has a root -r, so
 *   w = c_4 v (v + r) (v^2 + p v + q),
 * all numbers positive. u is scaled such that p - r = 1; with y = v (v + r) then
 *   w = y (y + v + q),  dw/dv = (2 v + r) (2 y + v + q) + y,
 * which are fewer operations than Horner's, and more of them at once. Where w'/q = -4 u dw/dv is wanted alone it is in
 * factors, too, with a scale of u that makes it the same number. */
typedef struct bl_lean {
    real at_zero, square;             /* u = max(at_zero - square r^2, 0) */
    real r, q;                        /* of w */
    real slope_at_zero, slope_square; /* the same for w'/q alone */
    real slope_r, slope_p, slope_q;
    real w_scale, g_scale, w_over_g; /* the last: of the scales */
} bl_lean;

BL_FN bl_lean bl_lean_of(bl_kernel k, real v0) {
    const real more = BL_R(1.2190136542044754); /* 4^(1/7) */
    bl_lean lean;
    real inv_square = k.inv_support * k.inv_support, inv_top = BL_R(1) / k.c[3];
    /* p, q of w and of dw/dv */
    real p = k.c[2] * inv_top - k.root_w, q = k.c[1] * inv_top - k.root_w * p;
    real sp = BL_R(0.75) * k.c[2] * inv_top - k.root_g, sq = BL_R(0.5) * k.c[1] * inv_top - k.root_g * sp;
    real v_scale = BL_R(1) / (p - k.root_w), u_scale = BL_SQRT(v_scale);
    lean.at_zero = u_scale, lean.square = u_scale * inv_square;
    lean.r = v_scale * k.root_w, lean.q = v_scale * v_scale * q;
    real w_unit = v_scale * v_scale * v_scale * v_scale;
    lean.w_scale = v0 * k.norm * k.c[3] / w_unit;
    lean.g_scale = BL_R(-4) * (v0 * k.grad_norm) * k.c[3] * u_scale / w_unit;
    lean.w_over_g = lean.w_scale / lean.g_scale;
    u_scale *= more, v_scale *= more * more;
    lean.slope_at_zero = u_scale, lean.slope_square = u_scale * inv_square;
    lean.slope_r = v_scale * k.root_g, lean.slope_p = v_scale * sp, lean.slope_q = v_scale * v_scale * sq;
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
BL_FN real bl_lean_w(bl_lean k, real r2) {
    real u = bl_max(k.at_zero - r2 * k.square, BL_R(0)), v = u * u, y = v * (v + k.r);
    return y * (y + (v + k.q));
}
BL_FN real bl_lean_slope(bl_lean k, bl_reach x) {
    real u = bl_max(k.slope_at_zero - x.measure * k.slope_square, BL_R(0)), v = u * u;
    return (u * (v + k.slope_r)) * (v * (v + k.slope_p) + k.slope_q);
}
/* Both. */
BL_FN bl_lean_pair bl_lean_both(bl_lean k, bl_reach x) {
    real u = bl_max(k.at_zero - x.measure * k.square, BL_R(0)), v = u * u, t = v + k.r, y = v * t, z = y + (v + k.q);
    bl_lean_pair pair;
    pair.w = k.w_over_g * (y * z);
    pair.slope = u * ((v + t) * (z + y) + y);
    return pair;
}
/* V0 W' r over g_scale. */
BL_FN real bl_lean_outward(bl_lean k, real r2) { return r2 * bl_lean_slope(k, bl_reach_of(k, bl_v3_zero(), r2)); }
BL_FN bl_lean_pair bl_lean_outward_both(bl_lean k, real r2) {
    bl_lean_pair pair = bl_lean_both(k, bl_reach_of(k, bl_v3_zero(), r2));
    pair.slope *= r2;
    return pair;
}
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
BL_FN bl_lean_pair bl_lean_both(bl_lean k, bl_reach x) {
    bl_lean_pair pair;
    pair.w = k.w_over_g * bl_lean_w(k, x.measure);
    pair.slope = bl_lean_slope(k, x);
    return pair;
}
/* V0 W' r over g_scale. */
BL_FN real bl_lean_outward(bl_lean k, real r) { return bl_lean_g(k, r) * r; }
BL_FN bl_lean_pair bl_lean_outward_both(bl_lean k, real r) {
    bl_lean_pair pair;
    pair.w = k.w_over_g * bl_lean_w(k, r);
    pair.slope = bl_lean_outward(k, r);
    return pair;
}
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
