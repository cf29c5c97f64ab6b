/* The sums of tension.h over fluid neighbours, for groups of particles of a single fluid. */
#ifndef BL_PHYSICS_GROUP_TENSION_H
#define BL_PHYSICS_GROUP_TENSION_H

#include "physics/groups.h"
#include "physics/tension.h"

/* --- sum_j V0 W_ij over the far support at `x`, themselves included --- */

BL_FN void bl_group_add_w(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far, const bl_vec3 *x,
                          const bl_group3 *xi, real *sum) {
    const bl_params *par = s->par;
    for (bl_index k = 0; k < at.count; ++k) {
        bl_group3 xj;
        bl_slot_load(at, paired, k, x, &xj);
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, xi, l, &xj);
            sum[l] += bl_lean_w(far, BL_SQRT(bl_v3_norm2(d)));
        }
    }
}
BL_FN void bl_group_add_w_tail(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far, const bl_vec3 *x,
                               const bl_group3 *xi, real *sum, real *closest) {
    const bl_params *par = s->par;
    for (bl_index k = 0; k < at.count; ++k) {
        bl_group3 xj;
        bl_slot_load(at, paired, k, x, &xj);
        BL_FOR_GROUP(l) {
            real r = BL_SQRT(bl_v3_norm2(bl_group_offset(par, periodic, xi, l, &xj))), a = bl_lean_tail(far, r);
            sum[l] += a * a * a;
            closest[l] = bl_min(r, closest[l]);
        }
    }
}
/* Lists are made at other positions: should one of the neighbours that were far then have come nearer than the tail of
 * the kernel, all of them are summed as near ones. */
BL_FN void bl_group_far_sum(const bl_view *s, const bl_group *b, int periodic, const bl_vec3 *x, real *out) {
    bl_lean far = bl_lean_of(s->par->far, s->par->v0);
    bl_group3 xi;
    real sum[BL_GROUP] = {0}, tail[BL_GROUP] = {0}, closest[BL_GROUP];
    bl_group_load(b, x, &xi);
    for (int l = 0; l < BL_GROUP; ++l) closest[l] = far.support;
    bl_group_add_w(s, b->near[0], 0, periodic, far, x, &xi, sum);
    bl_group_add_w(s, b->near[1], 1, periodic, far, x, &xi, sum);
    bl_group_add_w_tail(s, b->far[0], 0, periodic, far, x, &xi, tail, closest);
    bl_group_add_w_tail(s, b->far[1], 1, periodic, far, x, &xi, tail, closest);
    int valid = 1;
    for (int l = 0; l < BL_GROUP; ++l) valid &= closest[l] >= far.half;
    if (!valid) {
        for (int l = 0; l < BL_GROUP; ++l) tail[l] = BL_R(0);
        bl_group_add_w(s, b->far[0], 0, periodic, far, x, &xi, tail);
        bl_group_add_w(s, b->far[1], 1, periodic, far, x, &xi, tail);
    }
    BL_FOR_GROUP(l) out[l] = far.w_scale * (sum[l] + tail[l]);
}

/* --- the tension force --- */

/* Of neighbour k, far from those that meet it, subtracted from *f. */
BL_FN void bl_group_subtract_tension(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far, bl_index k,
                                     const bl_group3 *xi, const real *t, bl_group3 *f) {
    bl_group3 xj;
    real tj[BL_GROUP];
    bl_slot_load4(at, paired, k, s->xt, &xj, tj);
    BL_FOR_GROUP(l) {
        bl_vec3 d = bl_group_offset(s->par, periodic, xi, l, &xj);
        real r = BL_SQRT(bl_v3_norm2(d)), a = bl_lean_tail(far, r), g = (t[l] + tj[l]) * a * a / r;
        f->x[l] -= g * d.x, f->y[l] -= g * d.y, f->z[l] -= g * d.z;
    }
}
BL_FN int bl_slot_is_calm(const bl_view *s, bl_slots at, int paired, bl_index k) {
    return s->xt[bl_slot_of(at, paired, k, 0)].w == BL_R(0) && s->xt[bl_slot_of(at, paired, k, 1)].w == BL_R(0);
}
/* ... and of all of them. Deep inside, only neighbours with S > 0 exert a force. */
BL_FN void bl_group_add_far_tension(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                    const bl_group3 *xi, const real *t, bl_group3 *f) {
    if (bl_group_all_zero(t)) {
        for (bl_index k = 0; k < at.count; ++k)
            if (!bl_slot_is_calm(s, at, paired, k))
                bl_group_subtract_tension(s, at, paired, periodic, far, k, xi, t, f);
    } else {
        for (bl_index k = 0; k < at.count; ++k) bl_group_subtract_tension(s, at, paired, periodic, far, k, xi, t, f);
    }
}
BL_FN void bl_group_add_near_tension(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                     const bl_group3 *xi, const real *t, bl_group3 *f) {
    for (bl_index k = 0; k < at.count; ++k) {
        bl_group3 xj;
        real tj[BL_GROUP];
        bl_slot_load4(at, paired, k, s->xt, &xj, tj);
        BL_FOR_GROUP(l) {
            bl_reach x = bl_group_reach(s->par, periodic, far, xi, l, &xj);
            real g = (t[l] + tj[l]) * bl_lean_g(far, x.r) * x.inv_r;
            f->x[l] += g * x.d.x, f->y[l] += g * x.d.y, f->z[l] += g * x.d.z;
        }
    }
}

/* bl_tension_fluid. */
BL_FN void bl_group_tension(const bl_view *s, const bl_group *b, int periodic, bl_group3 *tension) {
    bl_lean far = bl_lean_of(s->par->far, s->par->v0);
    bl_group3 xi, f = {{0}, {0}, {0}};
    real t[BL_GROUP];
    bl_group_load4(b, s->xt, &xi, t);
    bl_group_add_near_tension(s, b->near[0], 0, periodic, far, &xi, t, &f);
    bl_group_add_near_tension(s, b->near[1], 1, periodic, far, &xi, t, &f);
    bl_group_add_far_tension(s, b->far[0], 0, periodic, far, &xi, t, &f);
    bl_group_add_far_tension(s, b->far[1], 1, periodic, far, &xi, t, &f);
    bl_group_put(far.g_scale, &f, tension);
}

/* --- what a solve starts with --- */

/* Stiffness A0 gamma S' of n neighbours, times the square of the kernel's factor: a sum of them with the fourth power
 * of a length would not fit into a float for tiny drops. */
enum { BL_STIFF_BLOCK = 64 };
BL_FN void bl_group_stiffness(const bl_view *s, const bl_index *index, bl_index n, real g_scale, real *out) {
    real a0 = s->fluids[0].a0_fv, eps = s->par->eps;
    for (bl_index k = 0; k < n; ++k) out[k] = s->c_fv[index[k]];
    for (bl_index k = n; k < BL_STIFF_BLOCK; ++k) out[k] = BL_R(0);
    BL_SIMD for (int k = 0; k < BL_STIFF_BLOCK; ++k) out[k] = a0 * bl_smooth_slope(out[k], eps) * g_scale * g_scale;
}

/* The tension, the gradient of C and the squares that its diagonal needs. */
typedef struct bl_start_sums {
    bl_group3 tension, gradient;
    real squares[BL_GROUP];
} bl_start_sums;

/* Over at most BL_STIFF_BLOCK numbers of a list; `tail`: they are far ones. */
BL_FN void bl_group_add_start(const bl_view *s, bl_slots at, int paired, int tail, int periodic, bl_lean far,
                              const real *stiff, const bl_group3 *xi, const real *t, bl_start_sums *sums) {
    bl_group3 *f = &sums->tension, *c = &sums->gradient;
    for (bl_index k = 0; k < at.count; ++k) {
        bl_group3 xj;
        real tj[BL_GROUP], stiff_j[BL_GROUP];
        bl_slot_load4(at, paired, k, s->xt, &xj, tj);
        bl_slot_spread(stiff[paired ? 2 * k : k], stiff[paired ? 2 * k + 1 : k], stiff_j);
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(s->par, periodic, xi, l, &xj);
            real r = BL_SQRT(bl_v3_norm2(d));
            if (!tail) r = bl_max(r, far.smallest);
            real a = bl_lean_tail(far, r), g = tail ? -(a * a) : bl_lean_g(far, r);
            real along = g / r, pull = (t[l] + tj[l]) * along;
            c->x[l] += along * d.x, c->y[l] += along * d.y, c->z[l] += along * d.z;
            f->x[l] += pull * d.x, f->y[l] += pull * d.y, f->z[l] += pull * d.z;
            sums->squares[l] += stiff_j[l] * (g * g);
        }
    }
}
BL_FN void bl_group_start_over(const bl_view *s, bl_slots at, int paired, int tail, int periodic, bl_lean far,
                               const bl_group3 *xi, const real *t, bl_start_sums *sums) {
    const bl_index width = paired ? 2 : 1, block = BL_STIFF_BLOCK / width;
    for (bl_index first = 0; first < at.count; first += block) {
        real stiff[BL_STIFF_BLOCK];
        bl_slots part;
        part.index = at.index + width * first;
        part.count = at.count - first < block ? at.count - first : block;
        bl_group_stiffness(s, part.index, width * part.count, far.g_scale, stiff);
        bl_group_add_start(s, part, paired, tail, periodic, far, stiff, xi, t, sums);
    }
}

/* bl_tension_fluid and bl_tension_diagonal_fluid: a pair is measured once for both. */
BL_FN void bl_group_start(const bl_view *s, const bl_group *b, int periodic, bl_group3 *tension, bl_group3 *gradient,
                          real *squares) {
    bl_lean far = bl_lean_of(s->par->far, s->par->v0);
    bl_start_sums sums = {{{0}, {0}, {0}}, {{0}, {0}, {0}}, {0}};
    bl_group3 xi;
    real t[BL_GROUP];
    bl_group_load4(b, s->xt, &xi, t);
    bl_group_start_over(s, b->near[0], 0, 0, periodic, far, &xi, t, &sums);
    bl_group_start_over(s, b->near[1], 1, 0, periodic, far, &xi, t, &sums);
    bl_group_start_over(s, b->far[0], 0, 1, periodic, far, &xi, t, &sums);
    bl_group_start_over(s, b->far[1], 1, 1, periodic, far, &xi, t, &sums);
    bl_group_put(far.g_scale, &sums.tension, tension);
    bl_group_put(far.g_scale, &sums.gradient, gradient);
    bl_group_put1(BL_R(1), sums.squares, squares);
}

#endif
