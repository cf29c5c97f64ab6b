/* Sums over fluid neighbours for eight particles side by side (neighbours/groups.h): the CPU's fast path for a single
 * fluid. The pair formulas are those of volume.h, tension.h and viscosity.h; here constant factors are taken out of the
 * sums and what both supports need of a pair is computed once. A particle meets itself in its group: at distance zero
 * all gradients vanish, and what is a difference of two particles does too.
 *
 * `periodic` and `corrected` are constants at each call, so that a loop has no branch for them. */
#ifndef BL_PHYSICS_GROUPS_H
#define BL_PHYSICS_GROUPS_H

#include "neighbours/groups.h"
#include "physics/view.h"

#define BL_FOR_GROUP(l) BL_SIMD for (int l = 0; l < BL_GROUP; ++l)

/* Eight vectors. */
typedef struct bl_group3 {
    real x[BL_GROUP], y[BL_GROUP], z[BL_GROUP];
} bl_group3;

/* Group b: its particles and the list they share. Lanes past the last particle repeat it. */
typedef struct bl_group {
    bl_index first, count; /* particles */
    const bl_index *index;
    bl_index near, all;
} bl_group;

BL_FN bl_group bl_group_at(const bl_view *s, bl_index b) {
    bl_group group;
    group.first = b * BL_GROUP;
    group.count = s->fluid_count - group.first < BL_GROUP ? s->fluid_count - group.first : BL_GROUP;
    group.index = s->groups.index + s->groups.start[b];
    group.near = s->groups.near[b];
    group.all = s->groups.all[b];
    return group;
}

BL_FN bl_index bl_group_lane(const bl_group *b, int l) {
    return b->first + ((bl_index)l < b->count ? (bl_index)l : b->count - 1);
}
/* Whole groups are loaded by loops that vectorise. */
BL_FN void bl_group_load1(const bl_group *b, const real *a, real *out) {
    if (b->count == BL_GROUP) {
        BL_FOR_GROUP(l) out[l] = a[b->first + (bl_index)l];
        return;
    }
    for (int l = 0; l < BL_GROUP; ++l) out[l] = a[bl_group_lane(b, l)];
}
BL_FN void bl_group_load(const bl_group *b, const bl_vec3 *a, bl_group3 *out) {
    if (b->count == BL_GROUP) {
        const bl_vec3 *v = a + b->first;
        BL_FOR_GROUP(l) out->x[l] = v[l].x, out->y[l] = v[l].y, out->z[l] = v[l].z;
        return;
    }
    for (int l = 0; l < BL_GROUP; ++l) {
        bl_vec3 v = a[bl_group_lane(b, l)];
        out->x[l] = v.x, out->y[l] = v.y, out->z[l] = v.z;
    }
}
BL_FN void bl_group_load4(const bl_group *b, const bl_vec4 *a, bl_group3 *out, real *w) {
    if (b->count == BL_GROUP) {
        const bl_vec4 *v = a + b->first;
        BL_FOR_GROUP(l) out->x[l] = v[l].x, out->y[l] = v[l].y, out->z[l] = v[l].z, w[l] = v[l].w;
        return;
    }
    for (int l = 0; l < BL_GROUP; ++l) {
        bl_vec4 v = a[bl_group_lane(b, l)];
        out->x[l] = v.x, out->y[l] = v.y, out->z[l] = v.z, w[l] = v.w;
    }
}
BL_FN int bl_group_all_zero(const real *a) {
    int zero = 1;
    for (int l = 0; l < BL_GROUP; ++l) zero &= a[l] == BL_R(0);
    return zero;
}
BL_FN bl_vec3 bl_group_get(const bl_group3 *a, int l) { return bl_v3_make(a->x[l], a->y[l], a->z[l]); }
/* out = scale a. Results are handed on by loops, not as a whole: a compiler that takes *out for the accumulator `a` of
 * a sum no longer knows that it overlaps nothing. */
BL_FN void bl_group_put(real scale, const bl_group3 *a, bl_group3 *out) {
    BL_FOR_GROUP(l) out->x[l] = scale * a->x[l], out->y[l] = scale * a->y[l], out->z[l] = scale * a->z[l];
}
BL_FN void bl_group_put1(real scale, const real *a, real *out) { BL_FOR_GROUP(l) out[l] = scale * a[l]; }

/* x_i - x_j of lane l. */
BL_FN bl_vec3 bl_group_offset(const bl_params *par, int periodic, const bl_group3 *xi, int l, bl_vec3 xj) {
    bl_vec3 d = bl_v3_make(xi->x[l] - xj.x, xi->y[l] - xj.y, xi->z[l] - xj.z);
    if (!periodic) return d;
    return bl_v3_make(d.x - par->period[0] * BL_RINT(d.x * par->inv_period[0]),
                      d.y - par->period[1] * BL_RINT(d.y * par->inv_period[1]),
                      d.z - par->period[2] * BL_RINT(d.z * par->inv_period[2]));
}

/* The kernel times V0, in the units of r and without its factors (kernel.h): with A = max(H - r, 0), B = max(H/2 - r,
 * 0) V0 W(r) = w_scale (A^3 - 4 B^3),  V0 W'(r) = g_scale (4 B^2 - A^2). Written with minima, which compilers make one
 * instruction of. */
typedef struct bl_lean {
    real support, half, smallest; /* H, H/2, the distance below which W'/r counts as zero */
    real w_scale, g_scale;
} bl_lean;

BL_FN bl_lean bl_lean_of(bl_kernel k, real v0) {
    bl_lean lean;
    lean.support = BL_R(1) / k.inv_support;
    lean.half = BL_R(0.5) * lean.support;
    lean.smallest = BL_R(1e-6) * lean.support;
    lean.w_scale = BL_R(2) * (v0 * k.norm) * k.inv_support * k.inv_support * k.inv_support;
    lean.g_scale = BL_R(3) * lean.w_scale;
    return lean;
}
BL_FN real bl_lean_w(bl_lean k, real r) {
    real a = k.support - bl_min(r, k.support), b = k.half - bl_min(r, k.half);
    return a * a * a - BL_R(4) * b * b * b;
}
BL_FN real bl_lean_g(bl_lean k, real r) {
    real a = k.support - bl_min(r, k.support), b = k.half - bl_min(r, k.half);
    return BL_R(4) * b * b - a * a;
}

/* The same between H/2 and H, where B = 0: what a far neighbour that is not a near one (r >= 2h) needs of the far
 * kernel (H = 3h). */
BL_FN real bl_lean_tail(bl_lean k, real r) { return k.support - bl_min(r, k.support); }

/* An offset, its length (not below k.smallest) and the inverse of that. */
typedef struct bl_reach {
    bl_vec3 d;
    real r, inv_r;
} bl_reach;
BL_FN bl_reach bl_group_reach(const bl_params *par, int periodic, bl_lean k, const bl_group3 *xi, int l, bl_vec3 xj) {
    bl_reach reach;
    reach.d = bl_group_offset(par, periodic, xi, l, xj);
    reach.r = bl_max(BL_SQRT(bl_v3_norm2(reach.d)), k.smallest);
    reach.inv_r = BL_R(1) / reach.r;
    return reach;
}

#endif
