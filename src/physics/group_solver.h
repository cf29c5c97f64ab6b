/* The sums of volume.h and tension.h over fluid neighbours, for groups of particles of a single fluid. */
#ifndef BL_PHYSICS_GROUP_SOLVER_H
#define BL_PHYSICS_GROUP_SOLVER_H

#include "physics/groups.h"
#include "physics/tension.h"
#include "physics/volume.h"

/* sum_j V0 W_ij over the far support at `x`, themselves included. Lists are made at other positions: should one of the
 * neighbours that were far then have come nearer than the tail of the kernel, `all` of them are summed as near ones. */
BL_FN int bl_group_far_sum_of(const bl_view *s, const bl_group *b, int periodic, int all, const bl_vec3 *x, real *out) {
    const bl_params *par = s->par;
    bl_lean far = bl_lean_of(par->far, par->v0);
    bl_group3 xi;
    real sum[BL_GROUP] = {0}, closest[BL_GROUP];
    bl_index near = all ? b->all : b->near;
    bl_group_load(b, x, &xi);
    for (int l = 0; l < BL_GROUP; ++l) closest[l] = far.support;
    for (bl_index k = 0; k < near; ++k) {
        bl_vec3 xj = x[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, &xi, l, xj);
            sum[l] += bl_lean_w(far, BL_SQRT(bl_v3_norm2(d)));
        }
    }
    for (bl_index k = near; k < b->all; ++k) {
        bl_vec3 xj = x[b->index[k]];
        BL_FOR_GROUP(l) {
            real r = BL_SQRT(bl_v3_norm2(bl_group_offset(par, periodic, &xi, l, xj))), a = bl_lean_tail(far, r);
            sum[l] += a * a * a;
            closest[l] = bl_min(r, closest[l]);
        }
    }
    int valid = 1;
    for (int l = 0; l < BL_GROUP; ++l) valid &= closest[l] >= far.half;
    bl_group_put1(far.w_scale, sum, out);
    return valid;
}
BL_FN void bl_group_far_sum(const bl_view *s, const bl_group *b, int periodic, const bl_vec3 *x, real *out) {
    if (!bl_group_far_sum_of(s, b, periodic, 0, x, out)) bl_group_far_sum_of(s, b, periodic, 1, x, out);
}

/* --- volume.h --- */

/* bl_volume_moments: rho and, for the corrected constraint, mu. */
BL_FN void bl_group_moments(const bl_view *s, const bl_group *b, int corrected, int periodic, real *rho,
                            bl_group3 *mu) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0);
    bl_group3 xi, m = {{0}, {0}, {0}};
    real sum[BL_GROUP] = {0};
    bl_group_load(b, s->x, &xi);
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec3 xj = s->x[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, &xi, l, xj);
            real w = bl_lean_w(near, BL_SQRT(bl_v3_norm2(d)));
            sum[l] += w;
            if (corrected) m.x[l] += w * d.x, m.y[l] += w * d.y, m.z[l] += w * d.z;
        }
    }
    bl_group_put1(near.w_scale, sum, rho);
    bl_group_put(near.w_scale, &m, mu);
}

/* D_ij over g_scale (bl_volume_gradient): (b1 + an.x) G/r x + an W/3. */
BL_FN bl_vec3 bl_group_gradient(bl_lean k, int corrected, bl_vec3 an, real b1, bl_reach x) {
    real g = bl_lean_g(k, x.r) * x.inv_r;
    if (!corrected) return bl_v3_scale(b1 * g, x.d);
    real w = BL_R(1.0 / 3) * bl_lean_w(k, x.r);
    g *= b1 + bl_v3_dot(an, x.d);
    return bl_v3_make(g * x.d.x + w * an.x, g * x.d.y + w * an.y, g * x.d.z + w * an.z);
}

/* The constraint's own coefficients: a n and 1 - b. */
BL_FN void bl_group_load_constraint(const bl_view *s, const bl_group *b, real scale, bl_group3 *an, real *b1) {
    bl_group_load(b, s->g_a, an);
    bl_group_load1(b, s->g_b, b1);
    bl_group_put(scale, an, an);
    bl_group_put1(scale, b1, b1);
}

/* sum_j D_ij and sum_j |D_ij|^2. */
BL_FN void bl_group_volume_diagonal(const bl_view *s, const bl_group *b, int corrected, int periodic, bl_group3 *out,
                                    real *squares) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0);
    bl_group3 xi, an, f = {{0}, {0}, {0}};
    real b1[BL_GROUP], sum[BL_GROUP] = {0};
    bl_group_load(b, s->x, &xi);
    bl_group_load_constraint(s, b, near.g_scale, &an, b1);
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec3 xj = s->x[b->index[k]];
        bl_index self = b->index[k] - b->first; /* its lane, if it is one of the group */
        BL_FOR_GROUP(l) {
            bl_reach x = bl_group_reach(par, periodic, near, &xi, l, xj);
            bl_vec3 d = bl_group_gradient(near, corrected, bl_v3_make(an.x[l], an.y[l], an.z[l]), b1[l], x);
            /* the term with W does not vanish for the particle itself, which is no neighbour of its own */
            if (corrected) d = bl_v3_scale(self == (bl_index)l ? BL_R(0) : BL_R(1), d);
            f.x[l] += d.x, f.y[l] += d.y, f.z[l] += d.z;
            sum[l] += bl_v3_norm2(d);
        }
    }
    bl_group_put(BL_R(1), &f, out);
    bl_group_put1(BL_R(1), sum, squares);
}

/* bl_pressure_force_of. */
BL_FN void bl_group_pressure(const bl_view *s, const bl_group *b, int corrected, int periodic, bl_group3 *out) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0);
    bl_group3 xi, q, f = {{0}, {0}, {0}};
    real c[BL_GROUP];
    bl_group_load(b, s->x, &xi);
    bl_group_load4(b, s->pqc, &q, c);
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec3 xj = s->x[b->index[k]];
        bl_vec4 j = s->pqc[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_reach x = bl_group_reach(par, periodic, near, &xi, l, xj);
            bl_vec3 dq = bl_v3_make(q.x[l] - j.x, q.y[l] - j.y, q.z[l] - j.z);
            bl_vec3 d = bl_group_gradient(near, corrected, dq, c[l] + j.w, x);
            f.x[l] += d.x, f.y[l] += d.y, f.z[l] += d.z;
        }
    }
    bl_group_put(-par->v0 * near.g_scale, &f, out);
}

/* D_ij.u over g_scale: bl_group_gradient, cheaper where only that is wanted. */
BL_FN real bl_group_along(bl_lean k, int corrected, bl_vec3 an, real b1, bl_reach x, bl_vec3 u) {
    real g = bl_lean_g(k, x.r) * x.inv_r;
    if (!corrected) return b1 * g * bl_v3_dot(x.d, u);
    real w = BL_R(1.0 / 3) * bl_lean_w(k, x.r);
    return (b1 + bl_v3_dot(an, x.d)) * g * bl_v3_dot(x.d, u) + w * bl_v3_dot(an, u);
}

/* sum_j D_ij.(v_i - v_j) of bl_volume_rate_fluid. */
BL_FN void bl_group_volume_rate(const bl_view *s, const bl_group *b, int corrected, int periodic, real *out) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0);
    bl_group3 xi, vi, an;
    real b1[BL_GROUP], sum[BL_GROUP] = {0};
    bl_group_load(b, s->x, &xi);
    bl_group_load(b, s->v_next, &vi);
    bl_group_load_constraint(s, b, near.g_scale, &an, b1);
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec3 xj = s->x[b->index[k]], vj = s->v_next[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_reach x = bl_group_reach(par, periodic, near, &xi, l, xj);
            bl_vec3 v = bl_v3_make(vi.x[l] - vj.x, vi.y[l] - vj.y, vi.z[l] - vj.z);
            sum[l] += bl_group_along(near, corrected, bl_v3_make(an.x[l], an.y[l], an.z[l]), b1[l], x, v);
        }
    }
    bl_group_put1(BL_R(1), sum, out);
}

/* --- tension.h --- */

/* The tension of a neighbour that is far from all of the group, subtracted from *f. */
BL_FN void bl_group_tension_far(const bl_params *par, bl_lean far, int periodic, const bl_group3 *xi, const real *t,
                                bl_vec4 j, bl_group3 *f) {
    BL_FOR_GROUP(l) {
        bl_vec3 d = bl_group_offset(par, periodic, xi, l, bl_v4_xyz(j));
        real r = BL_SQRT(bl_v3_norm2(d)), a = bl_lean_tail(far, r), g = (t[l] + j.w) * a * a / r;
        f->x[l] -= g * d.x, f->y[l] -= g * d.y, f->z[l] -= g * d.z;
    }
}

/* The tension of all neighbours that are far from the group. */
BL_FN void bl_group_tension_of_far(const bl_view *s, const bl_group *b, bl_lean far, int periodic, const bl_group3 *xi,
                                   const real *t, bl_group3 *f) {
    const bl_params *par = s->par;
    if (bl_group_all_zero(t)) { /* deep inside: only neighbours with S > 0 exert a force */
        for (bl_index k = b->near; k < b->all; ++k)
            if (s->xt[b->index[k]].w != BL_R(0)) bl_group_tension_far(par, far, periodic, xi, t, s->xt[b->index[k]], f);
    } else {
        for (bl_index k = b->near; k < b->all; ++k)
            bl_group_tension_far(par, far, periodic, xi, t, s->xt[b->index[k]], f);
    }
}

/* bl_tension_fluid and bl_group_volume_rate: a near pair is measured once for both. */
BL_FN void bl_group_residuals(const bl_view *s, const bl_group *b, int corrected, int periodic, real *rate,
                              bl_group3 *tension) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0), far = bl_lean_of(par->far, par->v0);
    bl_group3 xi, vi, an, f = {{0}, {0}, {0}};
    real t[BL_GROUP], b1[BL_GROUP], sum[BL_GROUP] = {0};
    bl_group_load4(b, s->xt, &xi, t);
    bl_group_load(b, s->v_next, &vi);
    bl_group_load_constraint(s, b, near.g_scale, &an, b1);
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec4 j = s->xt[b->index[k]];
        bl_vec3 vj = s->v_next[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_reach x = bl_group_reach(par, periodic, near, &xi, l, bl_v4_xyz(j));
            real g = (t[l] + j.w) * bl_lean_g(far, x.r) * x.inv_r;
            bl_vec3 v = bl_v3_make(vi.x[l] - vj.x, vi.y[l] - vj.y, vi.z[l] - vj.z);
            f.x[l] += g * x.d.x, f.y[l] += g * x.d.y, f.z[l] += g * x.d.z;
            sum[l] += bl_group_along(near, corrected, bl_v3_make(an.x[l], an.y[l], an.z[l]), b1[l], x, v);
        }
    }
    bl_group_tension_of_far(s, b, far, periodic, &xi, t, &f);
    bl_group_put1(BL_R(1), sum, rate);
    bl_group_put(far.g_scale, &f, tension);
}

/* bl_tension_fluid alone. */
BL_FN void bl_group_tension(const bl_view *s, const bl_group *b, int periodic, bl_group3 *tension) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0), far = bl_lean_of(par->far, par->v0);
    bl_group3 xi, f = {{0}, {0}, {0}};
    real t[BL_GROUP];
    bl_group_load4(b, s->xt, &xi, t);
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec4 j = s->xt[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_reach x = bl_group_reach(par, periodic, near, &xi, l, bl_v4_xyz(j));
            real g = (t[l] + j.w) * bl_lean_g(far, x.r) * x.inv_r;
            f.x[l] += g * x.d.x, f.y[l] += g * x.d.y, f.z[l] += g * x.d.z;
        }
    }
    bl_group_tension_of_far(s, b, far, periodic, &xi, t, &f);
    bl_group_put(far.g_scale, &f, tension);
}

/* D_ij.x_ij over g_scale: bl_group_along needs no division there. */
BL_FN real bl_group_outward(bl_lean k, int corrected, bl_vec3 an, real b1, bl_vec3 d, real r) {
    real g = bl_lean_g(k, r) * r;
    if (!corrected) return b1 * g;
    real along = bl_v3_dot(an, d);
    return (b1 + along) * g + BL_R(1.0 / 3) * bl_lean_w(k, r) * along;
}

/* Half of sum x_ij.F_ij, of the pressure forces (bl_pressure_force_of) and of the tension. */
BL_FN void bl_group_virials(const bl_view *s, const bl_group *b, int corrected, int periodic, real *pressure,
                            real *tension) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0), far = bl_lean_of(par->far, par->v0);
    bl_group3 xi, q;
    real c[BL_GROUP], t[BL_GROUP], sum_p[BL_GROUP] = {0}, sum_t[BL_GROUP] = {0};
    bl_group_load4(b, s->xt, &xi, t);
    bl_group_load4(b, s->pqc, &q, c);
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec4 j = s->xt[b->index[k]], p = s->pqc[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, &xi, l, bl_v4_xyz(j));
            real r = BL_SQRT(bl_v3_norm2(d));
            bl_vec3 dq = bl_v3_make(q.x[l] - p.x, q.y[l] - p.y, q.z[l] - p.z);
            sum_p[l] += bl_group_outward(near, corrected, dq, c[l] + p.w, d, r);
            sum_t[l] += (t[l] + j.w) * bl_lean_g(far, r) * r;
        }
    }
    for (bl_index k = b->near; k < b->all; ++k) {
        bl_vec4 j = s->xt[b->index[k]];
        BL_FOR_GROUP(l) {
            real r = BL_SQRT(bl_v3_norm2(bl_group_offset(par, periodic, &xi, l, bl_v4_xyz(j))));
            real a = bl_lean_tail(far, r);
            sum_t[l] -= (t[l] + j.w) * a * a * r;
        }
    }
    bl_group_put1(BL_R(-0.5) * par->v0 * near.g_scale, sum_p, pressure);
    bl_group_put1(BL_R(0.5) * far.g_scale, sum_t, tension);
}

/* Stiffness A0 gamma S' of the neighbours [first, first + n) of the list, times the square of the kernel's factor: a
 * sum of them with the fourth power of a length would not fit into a float for tiny drops. */
enum { BL_STIFF_BLOCK = 64 };
BL_FN void bl_group_stiffness(const bl_view *s, const bl_group *b, real g_scale, bl_index first, bl_index n,
                              real *out) {
    real a0 = s->fluids[0].a0_fv, eps = s->par->eps;
    for (bl_index k = 0; k < n; ++k) out[k] = s->c_fv[b->index[first + k]];
    for (bl_index k = n; k < BL_STIFF_BLOCK; ++k) out[k] = BL_R(0);
    BL_SIMD for (int k = 0; k < BL_STIFF_BLOCK; ++k) out[k] = a0 * bl_smooth_slope(out[k], eps) * g_scale * g_scale;
}

/* bl_tension_fluid and bl_tension_diagonal_fluid, what a solve starts with: a pair is measured once for both. */
BL_FN void bl_group_start(const bl_view *s, const bl_group *b, int periodic, bl_group3 *tension, bl_group3 *gradient,
                          real *squares) {
    const bl_params *par = s->par;
    bl_lean far = bl_lean_of(par->far, par->v0);
    bl_group3 xi, f = {{0}, {0}, {0}}, c = {{0}, {0}, {0}};
    real t[BL_GROUP], sum[BL_GROUP] = {0}, stiff[BL_STIFF_BLOCK];
    bl_group_load4(b, s->xt, &xi, t);
    for (bl_index first = 0; first < b->all; first += BL_STIFF_BLOCK) {
        bl_index n = b->all - first < BL_STIFF_BLOCK ? b->all - first : BL_STIFF_BLOCK;
        bl_index near = b->near < first ? 0 : b->near - first < n ? b->near - first : n;
        bl_group_stiffness(s, b, far.g_scale, first, n, stiff);
        for (bl_index k = 0; k < near; ++k) {
            bl_vec4 j = s->xt[b->index[first + k]];
            real stiff_j = stiff[k];
            BL_FOR_GROUP(l) {
                bl_reach x = bl_group_reach(par, periodic, far, &xi, l, bl_v4_xyz(j));
                real g = bl_lean_g(far, x.r), along = g * x.inv_r, pull = (t[l] + j.w) * along;
                c.x[l] += along * x.d.x, c.y[l] += along * x.d.y, c.z[l] += along * x.d.z;
                f.x[l] += pull * x.d.x, f.y[l] += pull * x.d.y, f.z[l] += pull * x.d.z;
                sum[l] += stiff_j * (g * g);
            }
        }
        for (bl_index k = near; k < n; ++k) {
            bl_vec4 j = s->xt[b->index[first + k]];
            real stiff_j = stiff[k];
            BL_FOR_GROUP(l) {
                bl_vec3 d = bl_group_offset(par, periodic, &xi, l, bl_v4_xyz(j));
                real r = BL_SQRT(bl_v3_norm2(d)), a = bl_lean_tail(far, r);
                real g = a * a, along = g / r, pull = (t[l] + j.w) * along;
                c.x[l] -= along * d.x, c.y[l] -= along * d.y, c.z[l] -= along * d.z;
                f.x[l] -= pull * d.x, f.y[l] -= pull * d.y, f.z[l] -= pull * d.z;
                sum[l] += stiff_j * (g * g);
            }
        }
    }
    bl_group_put(far.g_scale, &f, tension);
    bl_group_put(far.g_scale, &c, gradient);
    bl_group_put1(BL_R(1), sum, squares);
}

#endif
