/* The sums of tension.h over fluid neighbours, for groups of particles of a single fluid. */
#ifndef BL_PHYSICS_GROUP_TENSION_H
#define BL_PHYSICS_GROUP_TENSION_H

#include "physics/groups.h"
#include "physics/tension.h"

/* --- sum_j V0 W_ij over the far support at `x`, themselves included --- */

/* Smooth kernels. */
typedef struct bl_w_loop {
    bl_walk walk;
    bl_group1 *sum;
} bl_w_loop;
BL_FN void bl_w_add(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_w_loop *w = loop;
    real *sum = w->sum[turn].of;
    (void)k;
    BL_FOR_WIDTH(l) sum[l] += bl_lean_w(w->walk.far, met->measure[l]);
}
BL_FN void bl_group_walk_w(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far, const bl_vec3 *x,
                           const bl_group3 *xi, bl_group1 *sum) {
    bl_w_loop w = {{s, at, paired, periodic, 0, far, far, xi, 1, x, 0}, sum};
    bl_walk_all(&w.walk, bl_w_add, &w);
}
BL_FN void bl_group_smooth_sum(const bl_view *s, const bl_group *b, const bl_leans *k, int periodic, const bl_vec3 *x,
                               real *out) {
    const bl_lean far = k->far;
    bl_group3 xi;
    bl_group1 sum[BL_TURNS] = {{{0}}};
    bl_group_load(b, x, &xi);
    bl_group_walk_w(s, b->near[0], 0, periodic, far, x, &xi, sum);
    bl_group_walk_w(s, b->near[1], 1, periodic, far, x, &xi, sum);
    bl_group_walk_w(s, b->far[0], 0, periodic, far, x, &xi, sum);
    bl_group_walk_w(s, b->far[1], 1, periodic, far, x, &xi, sum);
    bl_group_put1(far.w_scale, sum, out);
}

/* Cubic ones. Squared distances of neighbour k. */
BL_FN void bl_group_square(const bl_view *s, bl_slots at, int paired, int periodic, size_t k, const bl_vec3 *x,
                           const bl_group3 *xi, real *r2) {
    bl_group3 xj;
    bl_slot_load(at, paired, k, x, &xj);
    BL_FOR_GROUP(l) r2[l] = bl_v3_norm2(bl_group_offset(s->par, periodic, xi, l, &xj));
}
BL_FN void bl_group_measure(const real *r2, real *r) { BL_FOR_GROUP(l) r[l] = bl_lean_measure(r2[l]); }
BL_FN void bl_group_add_w_at(int tail, bl_lean far, const real *r, real *sum, real *closest) {
    BL_FOR_GROUP(l) {
        sum[l] += tail ? bl_lean_tail_w(far, r[l]) : bl_lean_w(far, r[l]);
        if (tail) closest[l] = bl_min(r[l], closest[l]);
    }
}
/* In three stages (groups.h): there is little to a pair, and roots can have one of their own. `tail`: far neighbours,
 * the nearest of which are remembered. */
enum { BL_W_AHEAD = 4 };
#define BL_FOR_W_AHEAD(j) _Pragma("GCC unroll 4") for (size_t j = 0; j < BL_W_AHEAD; ++j)
BL_FN void bl_group_add_w(const bl_view *s, bl_slots at, int paired, int tail, int periodic, bl_lean far,
                          const bl_vec3 *x, const bl_group3 *xi, real *sum, real *closest) {
    real r2[BL_W_AHEAD][BL_GROUP], r[BL_W_AHEAD][BL_GROUP];
    size_t k = 0;
    if (at.count >= 2 * BL_W_AHEAD) {
        BL_FOR_W_AHEAD(j) {
            bl_group_square(s, at, paired, periodic, j, x, xi, r2[j]);
            bl_group_measure(r2[j], r[j]);
            bl_group_square(s, at, paired, periodic, BL_W_AHEAD + j, x, xi, r2[j]);
        }
        for (k = 2 * BL_W_AHEAD; k + BL_W_AHEAD <= at.count; k += BL_W_AHEAD) {
            BL_FOR_W_AHEAD(j) {
                bl_group_add_w_at(tail, far, r[j], sum, closest);
                bl_group_measure(r2[j], r[j]);
                bl_group_square(s, at, paired, periodic, k + j, x, xi, r2[j]);
            }
        }
        BL_FOR_W_AHEAD(j) bl_group_add_w_at(tail, far, r[j], sum, closest);
        BL_FOR_W_AHEAD(j) {
            bl_group_measure(r2[j], r[j]);
            bl_group_add_w_at(tail, far, r[j], sum, closest);
        }
    }
    for (; k < at.count; ++k) {
        bl_group_square(s, at, paired, periodic, k, x, xi, r2[0]);
        bl_group_measure(r2[0], r[0]);
        bl_group_add_w_at(tail, far, r[0], sum, closest);
    }
}
/* Lists are made at other positions: should one of the neighbours that were far then have come nearer than the tail of
 * the kernel, all of them are summed as near ones. A matter of half a spacing in a step, so this is not made to be
 * fast, and is kept out of the way of what is. */
BL_FN void bl_group_add_w_slowly(const bl_view *s, bl_slots at, int paired, bl_lean far, const bl_vec3 *x,
                                 const bl_group3 *xi, real *sum) {
    for (size_t k = 0; k < at.count; ++k) {
        real r2[BL_GROUP], r[BL_GROUP];
        bl_group_square(s, at, paired, s->par->periodic, k, x, xi, r2);
        bl_group_measure(r2, r);
        bl_group_add_w_at(0, far, r, sum, NULL);
    }
}
static __attribute__((noinline)) void bl_group_far_as_near(const bl_view *s, const bl_group *b, const bl_vec3 *x,
                                                           real *out) {
    bl_lean far = bl_lean_of(s->par->far, s->par->v0);
    bl_group3 xi;
    real sum[BL_GROUP] = {0};
    bl_group_load(b, x, &xi);
    bl_group_add_w_slowly(s, b->far[0], 0, far, x, &xi, sum);
    bl_group_add_w_slowly(s, b->far[1], 1, far, x, &xi, sum);
    BL_FOR_GROUP(l) out[l] = sum[l];
}
BL_FN void bl_group_cubic_sum(const bl_view *s, const bl_group *b, const bl_leans *k, int periodic, const bl_vec3 *x,
                              real *out) {
    const bl_lean far = k->far;
    bl_group3 xi;
    real sum[BL_GROUP] = {0}, tail[BL_GROUP] = {0}, closest[BL_GROUP];
    bl_group_load(b, x, &xi);
    for (int l = 0; l < BL_GROUP; ++l) closest[l] = bl_lean_tail(far);
    bl_group_add_w(s, b->near[0], 0, 0, periodic, far, x, &xi, sum, closest);
    bl_group_add_w(s, b->near[1], 1, 0, periodic, far, x, &xi, sum, closest);
    bl_group_add_w(s, b->far[0], 0, 1, periodic, far, x, &xi, tail, closest);
    bl_group_add_w(s, b->far[1], 1, 1, periodic, far, x, &xi, tail, closest);
    int valid = 1;
    for (int l = 0; l < BL_GROUP; ++l) valid &= closest[l] >= bl_lean_tail(far);
    if (!valid) {
        real anew[BL_GROUP];
        bl_group_far_as_near(s, b, x, anew);
        for (int l = 0; l < BL_GROUP; ++l) tail[l] = anew[l];
    }
    BL_FOR_GROUP(l) out[l] = far.w_scale * (sum[l] + tail[l]);
}

BL_FN void bl_group_far_sum(const bl_view *s, const bl_group *b, const bl_leans *k, int periodic, const bl_vec3 *x,
                            real *out) {
    if (BL_LEAN_HAS_TAIL)
        bl_group_cubic_sum(s, b, k, periodic, x, out);
    else
        bl_group_smooth_sum(s, b, k, periodic, x, out);
}

/* --- the tension force --- */

typedef struct bl_tension_loop {
    bl_walk walk;
    const real *t;
    bl_group3 *f;
} bl_tension_loop;

/* Of a neighbour far from those that meet it. */
BL_FN void bl_tension_add_far(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_tension_loop *w = loop;
    bl_group3 *f = &w->f[turn];
    (void)k;
    BL_FOR_WIDTH(l) {
        real g = (w->t[l] + met->t[l]) * bl_lean_tail_slope(w->walk.far, met->measure[l]);
        f->x[l] += g * met->d.x[l], f->y[l] += g * met->d.y[l], f->z[l] += g * met->d.z[l];
    }
}
BL_FN int bl_slot_is_calm(const bl_view *s, bl_slots at, int paired, size_t k) {
    int calm = 1;
    for (size_t half = 0; half < 2 * BL_ABREAST; ++half) calm &= s->xt[bl_slot_of(at, paired, k, half)].w == BL_R(0);
    return calm;
}
/* Deep inside, only neighbours with S > 0 exert a force. */
BL_FN void bl_group_add_far_tension(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                    const bl_group3 *xi, const real *t, bl_group3 *f) {
    bl_tension_loop w = {{s, at, paired, periodic, 0, far, far, xi, 0, NULL, 0}, t, f};
    if (!bl_group_all_zero(t)) {
        bl_walk_all(&w.walk, bl_tension_add_far, &w);
        return;
    }
    for (size_t k = 0; k < at.count / BL_ABREAST; ++k) {
        bl_met met;
        if (bl_slot_is_calm(s, at, paired, k)) continue;
        bl_walk_meet(&w.walk, k, &met);
        bl_tension_add_far(&w, k, k % BL_TURNS, &met);
    }
    if (at.count % BL_ABREAST) bl_walk_last(&w.walk, bl_tension_add_far, &w);
}

/* --- what a solve starts with --- */

/* Stiffness A0 gamma S' of n neighbours, times the square of the kernel's factor: a sum of them with the fourth power
 * of a length would not fit into a float for tiny drops. */
enum { BL_STIFF_BLOCK = 256, BL_STIFF_STEP = 16 };
BL_FN void bl_group_stiffness(const bl_view *s, const bl_index *index, size_t n, real g_scale, real *out) {
    real a0 = s->fluids[0].a0_fv, eps = s->par->eps;
    for (size_t k = 0; k < n; ++k) out[k] = s->c_fv[index[k]];
    for (size_t k = n; k % BL_STIFF_STEP; ++k) out[k] = BL_R(0);
    for (size_t k = 0; k < n; k += BL_STIFF_STEP) {
        real *some = out + k;
        BL_SIMD for (int l = 0; l < BL_STIFF_STEP; ++l) some[l] =
            a0 * bl_smooth_slope(some[l], eps) * g_scale * g_scale;
    }
}

/* The tension, the gradient of C and the squares that its diagonal needs. */
typedef struct bl_start_sums {
    bl_group3 tension[BL_TURNS], gradient[BL_TURNS];
    bl_group1 squares[BL_TURNS];
} bl_start_sums;

typedef struct bl_start_loop {
    bl_walk walk;
    const real *stiff, *t;
    bl_start_sums *sums;
} bl_start_loop;

BL_FN void bl_start_add(const bl_start_loop *w, int tail, size_t k, size_t turn, const bl_met *met) {
    bl_group3 *f = &w->sums->tension[turn], *c = &w->sums->gradient[turn];
    real *squares = w->sums->squares[turn].of, stiff_j[BL_WIDTH];
    bl_slot_spread(w->walk.paired, w->walk.done + k, w->stiff, stiff_j);
    BL_FOR_WIDTH(l) {
        bl_vec3 d = bl_group_get(&met->d, l);
        real along = tail ? bl_lean_tail_slope(w->walk.far, met->measure[l])
                          : bl_lean_slope(w->walk.far, bl_reach_of(w->walk.far, d, met->measure[l]));
        real pull = (w->t[l] + met->t[l]) * along;
        c->x[l] += along * d.x, c->y[l] += along * d.y, c->z[l] += along * d.z;
        f->x[l] += pull * d.x, f->y[l] += pull * d.y, f->z[l] += pull * d.z;
        squares[l] += stiff_j[l] * (along * along * bl_lean_square(met->measure[l]));
    }
}
BL_FN void bl_start_add_near(const void *loop, size_t k, size_t turn, const bl_met *met) {
    bl_start_add(loop, 0, k, turn, met);
}
BL_FN void bl_start_add_far(const void *loop, size_t k, size_t turn, const bl_met *met) {
    bl_start_add(loop, 1, k, turn, met);
}
/* Over at most BL_STIFF_BLOCK numbers of a list; `tail`: they are far ones. */
BL_FN void bl_group_add_start(const bl_view *s, bl_slots at, int paired, int tail, int periodic, bl_lean far,
                              const real *stiff, const bl_group3 *xi, const real *t, bl_start_sums *sums) {
    bl_start_loop w = {{s, at, paired, periodic, 0, far, far, xi, 0, NULL, 0}, stiff, t, sums};
    bl_walk_all(&w.walk, tail ? bl_start_add_far : bl_start_add_near, &w);
}
BL_FN void bl_group_start_over(const bl_view *s, bl_slots at, int paired, int tail, int periodic, bl_lean far,
                               const bl_group3 *xi, const real *t, bl_start_sums *sums) {
    const size_t width = paired ? 2 : 1, block = BL_STIFF_BLOCK / width;
    for (size_t first = 0; first < at.count; first += block) {
        real stiff[BL_STIFF_BLOCK];
        bl_slots part;
        part.index = at.index + width * first;
        part.count = at.count - first < block ? at.count - first : block;
        bl_group_stiffness(s, part.index, width * part.count, far.g_scale, stiff);
        bl_group_add_start(s, part, paired, tail, periodic, far, stiff, xi, t, sums);
    }
}

/* bl_tension_fluid and bl_tension_diagonal_fluid: a pair is measured once for both. */
BL_FN void bl_group_start(const bl_view *s, const bl_group *b, const bl_leans *k, int periodic, bl_group3 *tension,
                          bl_group3 *gradient, real *squares) {
    const bl_lean far = k->far;
    bl_start_sums sums = {{{{0}, {0}, {0}}}, {{{0}, {0}, {0}}}, {{{0}}}};
    bl_group3 xi;
    real t[BL_WIDTH];
    bl_group_load4(b, s->xt, &xi, t);
    bl_group_start_over(s, b->near[0], 0, 0, periodic, far, &xi, t, &sums);
    bl_group_start_over(s, b->near[1], 1, 0, periodic, far, &xi, t, &sums);
    bl_group_start_over(s, b->far[0], 0, 1, periodic, far, &xi, t, &sums);
    bl_group_start_over(s, b->far[1], 1, 1, periodic, far, &xi, t, &sums);
    bl_group_put(far.g_scale, sums.tension, tension);
    bl_group_put(far.g_scale, sums.gradient, gradient);
    bl_group_put1(BL_R(1), sums.squares, squares);
}

#endif
