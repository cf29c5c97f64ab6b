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

#include <string.h>

#define BL_FOR_GROUP(l) BL_SIMD for (int l = 0; l < BL_GROUP; ++l)

/* Eight vectors. */
typedef struct bl_group3 {
    real x[BL_GROUP], y[BL_GROUP], z[BL_GROUP];
} bl_group3;

/* Neighbours that a loop meets one after the other: one number each for the whole group, or pairs of them, one for the
 * first and one for the last half of it (neighbours/halves.h). Which of the two is a constant at each call, `paired`.
 */
typedef struct bl_slots {
    const bl_index *index;
    bl_index count;
} bl_slots;

/* Group b: its particles and the lists they share. Lanes past the last particle repeat it. */
typedef struct bl_group {
    bl_index first, count;    /* particles */
    bl_slots near[2], far[2]; /* by `paired` */
} bl_group;

BL_FN void bl_group_slots(const bl_index *index, bl_index count, bl_index pairs, bl_slots *out) {
    out[1].count = pairs;
    out[0].count = count - 2 * pairs;
    out[0].index = index;
    out[1].index = index + out[0].count;
}
BL_FN bl_group bl_group_at(const bl_view *s, bl_index b) {
    bl_group group;
    const bl_index *row = s->groups.index + s->groups.start[b];
    bl_index near = s->groups.near[b], all = s->groups.all[b];
    group.first = b * BL_GROUP;
    group.count = s->fluid_count - group.first < BL_GROUP ? s->fluid_count - group.first : BL_GROUP;
    bl_group_slots(row + BL_GROUP_HEAD, near, row[BL_GROUP_NEAR_PAIRS], group.near);
    bl_group_slots(row + BL_GROUP_HEAD + near, all - near, row[BL_GROUP_FAR_PAIRS], group.far);
    return group;
}

/* What the lanes read of neighbour k. */
BL_FN bl_index bl_slot_of(bl_slots at, int paired, bl_index k, int half) {
    return paired ? at.index[2 * k + (bl_index)half] : at.index[k];
}
BL_FN void bl_slot_spread(real first, real last, real *out) {
    BL_FOR_GROUP(l) out[l] = l < BL_GROUP / 2 ? first : last;
}
BL_FN void bl_slot_load(bl_slots at, int paired, bl_index k, const bl_vec3 *a, bl_group3 *out) {
    bl_vec3 u = a[bl_slot_of(at, paired, k, 0)], v = a[bl_slot_of(at, paired, k, 1)];
    bl_slot_spread(u.x, v.x, out->x), bl_slot_spread(u.y, v.y, out->y), bl_slot_spread(u.z, v.z, out->z);
}
/* Two vectors of four are loaded as they are and spread afterwards, in half as many instructions. */
typedef real bl_half __attribute__((vector_size(BL_GROUP / 2 * sizeof(real))));
typedef real bl_whole __attribute__((vector_size(BL_GROUP * sizeof(real))));
#define BL_SPREAD(v, n) __builtin_shufflevector(v, v, n, n, n, n, n + 4, n + 4, n + 4, n + 4)
BL_FN void bl_slot_load4(bl_slots at, int paired, bl_index k, const bl_vec4 *a, bl_group3 *out, real *w) {
    const bl_vec4 *u = &a[bl_slot_of(at, paired, k, 0)], *v = &a[bl_slot_of(at, paired, k, 1)];
    if (paired) {
        bl_half first = {u->x, u->y, u->z, u->w}, last = {v->x, v->y, v->z, v->w};
        bl_whole all = __builtin_shufflevector(first, last, 0, 1, 2, 3, 4, 5, 6, 7);
        bl_whole x = BL_SPREAD(all, 0), y = BL_SPREAD(all, 1), z = BL_SPREAD(all, 2), rest = BL_SPREAD(all, 3);
        memcpy(out->x, &x, sizeof x), memcpy(out->y, &y, sizeof y), memcpy(out->z, &z, sizeof z);
        memcpy(w, &rest, sizeof rest);
    } else {
        BL_FOR_GROUP(l) out->x[l] = u->x, out->y[l] = u->y, out->z[l] = u->z, w[l] = u->w;
    }
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
/* Eight particles away from all walls. */
BL_FN int bl_group_is_free(const bl_view *s, const bl_group *b) {
    bl_index at_walls = 0;
    if (b->count < BL_GROUP) return 0;
    for (int l = 0; l < BL_GROUP; ++l) at_walls |= s->fb.all[b->first + (bl_index)l];
    return at_walls == 0;
}
BL_FN int bl_group_all_zero(const real *a) {
    int zero = 1;
    for (int l = 0; l < BL_GROUP; ++l) zero &= a[l] == BL_R(0);
    return zero;
}
BL_FN bl_vec3 bl_group_get(const bl_group3 *a, int l) { return bl_v3_make(a->x[l], a->y[l], a->z[l]); }
BL_FN bl_vec3 bl_group_difference(const bl_group3 *a, const bl_group3 *b, int l) {
    return bl_v3_make(a->x[l] - b->x[l], a->y[l] - b->y[l], a->z[l] - b->z[l]);
}
/* out = scale a. Results are handed on by loops, not as a whole: a compiler that takes *out for the accumulator `a` of
 * a sum no longer knows that it overlaps nothing. */
BL_FN void bl_group_put(real scale, const bl_group3 *a, bl_group3 *out) {
    BL_FOR_GROUP(l) out->x[l] = scale * a->x[l], out->y[l] = scale * a->y[l], out->z[l] = scale * a->z[l];
}
BL_FN void bl_group_put1(real scale, const real *a, real *out) { BL_FOR_GROUP(l) out[l] = scale * a[l]; }

/* x_i - x_j of lane l. */
BL_FN bl_vec3 bl_group_offset(const bl_params *par, int periodic, const bl_group3 *xi, int l, const bl_group3 *xj) {
    bl_vec3 d = bl_group_difference(xi, xj, l);
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
BL_FN bl_reach bl_group_reach(const bl_params *par, int periodic, bl_lean k, const bl_group3 *xi, int l,
                              const bl_group3 *xj) {
    bl_reach reach;
    reach.d = bl_group_offset(par, periodic, xi, l, xj);
    reach.r = bl_max(BL_SQRT(bl_v3_norm2(reach.d)), k.smallest);
    reach.inv_r = BL_R(1) / reach.r;
    return reach;
}

/* Some neighbours measured ahead: a loop that does much with a pair would have too few of them under way while it waits
 * for roots and quotients. */
enum { BL_REACHES = 16 };
typedef struct bl_reaches {
    bl_group3 d[BL_REACHES];
    real r[BL_REACHES][BL_GROUP], inv_r[BL_REACHES][BL_GROUP];
} bl_reaches;
BL_FN void bl_group_measure(const bl_params *par, int periodic, bl_lean k, const bl_group3 *xi, const bl_group3 *xj,
                            bl_reaches *out, bl_index at) {
    BL_FOR_GROUP(l) {
        bl_reach reach = bl_group_reach(par, periodic, k, xi, l, xj);
        out->d[at].x[l] = reach.d.x, out->d[at].y[l] = reach.d.y, out->d[at].z[l] = reach.d.z;
        out->r[at][l] = reach.r, out->inv_r[at][l] = reach.inv_r;
    }
}
BL_FN bl_reach bl_group_measured(const bl_reaches *from, bl_index at, int l) {
    bl_reach reach;
    reach.d = bl_group_get(&from->d[at], l);
    reach.r = from->r[at][l], reach.inv_r = from->inv_r[at][l];
    return reach;
}

#endif
