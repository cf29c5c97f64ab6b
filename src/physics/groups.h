/* The sums over fluid neighbours of one iteration, for eight particles side by side (neighbours/groups.h): the CPU's
 * fast path for a single fluid. The pair formulas are those of volume.h and tension.h; only the order of addition
 * differs. A particle meets itself in its group: at distance zero all gradients vanish, and what is a difference of two
 * particles does too. */
#ifndef BL_PHYSICS_GROUPS_H
#define BL_PHYSICS_GROUPS_H

#include "neighbours/groups.h"
#include "physics/unified.h"

#define BL_FOR_GROUP(l) BL_SIMD for (int l = 0; l < BL_GROUP; ++l)

typedef struct bl_group3 {
    real x[BL_GROUP], y[BL_GROUP], z[BL_GROUP];
} bl_group3;

/* Group b of a range: its particles, and the positions that its sums start from. Lanes past the last particle repeat
 * it. */
typedef struct bl_group {
    bl_index first, count; /* particles */
    const bl_index *index;
    bl_index near, all;
} bl_group;

BL_FN bl_group bl_group_at(const bl_view *s, bl_index b) {
    bl_group group;
    group.first = b * BL_GROUP;
    group.count = s->fluid_count - group.first < BL_GROUP ? s->fluid_count - group.first : BL_GROUP;
    group.index = s->groups.index + (bl_offset)b * BL_GROUP_ROOM;
    group.near = s->groups.near[b];
    group.all = s->groups.all[b];
    return group;
}

BL_FN bl_index bl_group_lane(const bl_group *b, int l) {
    return b->first + ((bl_index)l < b->count ? (bl_index)l : b->count - 1);
}
BL_FN void bl_group_load(const bl_group *b, const bl_vec3 *a, bl_group3 *out) {
    for (int l = 0; l < BL_GROUP; ++l) {
        bl_vec3 v = a[bl_group_lane(b, l)];
        out->x[l] = v.x, out->y[l] = v.y, out->z[l] = v.z;
    }
}
BL_FN bl_vec3 bl_group_get(const bl_group3 *a, int l) { return bl_v3_make(a->x[l], a->y[l], a->z[l]); }

/* x_i - x_j of lane l. `periodic` is a constant at each call. */
BL_FN bl_vec3 bl_group_offset(const bl_params *par, int periodic, const bl_group3 *xi, int l, bl_vec3 xj) {
    bl_vec3 d = bl_v3_make(xi->x[l] - xj.x, xi->y[l] - xj.y, xi->z[l] - xj.z);
    if (!periodic) return d;
    return bl_v3_make(d.x - par->period[0] * BL_RINT(d.x * par->inv_period[0]),
                      d.y - par->period[1] * BL_RINT(d.y * par->inv_period[1]),
                      d.z - par->period[2] * BL_RINT(d.z * par->inv_period[2]));
}

/* sum_j V0 W_ij over the far support, themselves included. */
BL_FN void bl_group_far_sum(const bl_view *s, const bl_group *b, int periodic, real *out) {
    const bl_params *par = s->par;
    bl_group3 xi;
    real sum[BL_GROUP] = {0};
    bl_group_load(b, s->x_next, &xi);
    for (bl_index k = 0; k < b->all; ++k) {
        bl_vec3 xj = s->x_next[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, &xi, l, xj);
            sum[l] += bl_kernel_shape(par->far, BL_SQRT(bl_v3_norm2(d)));
        }
    }
    for (int l = 0; l < BL_GROUP; ++l) out[l] = par->v0 * par->far.norm * sum[l];
}

/* bl_tension_fluid without a second fluid. */
BL_FN void bl_group_tension(const bl_view *s, const bl_group *b, int periodic, bl_group3 *out) {
    const bl_params *par = s->par;
    bl_group3 xi, f = {{0}, {0}, {0}};
    real t[BL_GROUP];
    bl_group_load(b, s->x, &xi);
    for (int l = 0; l < BL_GROUP; ++l) t[l] = s->xt[bl_group_lane(b, l)].w;
    for (bl_index k = 0; k < b->all; ++k) {
        bl_vec4 j = s->xt[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, &xi, l, bl_v3_make(j.x, j.y, j.z));
            real g = (t[l] + j.w) * bl_kernel_slope(par->far, BL_SQRT(bl_v3_norm2(d)));
            f.x[l] += g * d.x, f.y[l] += g * d.y, f.z[l] += g * d.z;
        }
    }
    real scale = par->v0 * par->far.grad_norm;
    for (int l = 0; l < BL_GROUP; ++l)
        out->x[l] = scale * f.x[l], out->y[l] = scale * f.y[l], out->z[l] = scale * f.z[l];
}

/* bl_pressure_force_of. */
BL_FN void bl_group_pressure(const bl_view *s, const bl_group *b, int corrected, int periodic, bl_group3 *out) {
    const bl_params *par = s->par;
    bl_group3 xi, q, f = {{0}, {0}, {0}};
    real c[BL_GROUP];
    bl_group_load(b, s->x, &xi);
    for (int l = 0; l < BL_GROUP; ++l) {
        bl_vec4 own = s->pqc[bl_group_lane(b, l)];
        q.x[l] = own.x, q.y[l] = own.y, q.z[l] = own.z, c[l] = own.w;
    }
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec3 xj = s->x[b->index[k]];
        bl_vec4 j = s->pqc[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, &xi, l, xj);
            bl_vec3 dq = bl_v3_make(q.x[l] - j.x, q.y[l] - j.y, q.z[l] - j.z);
            bl_vec3 g = bl_volume_gradient(par->near, corrected, dq, c[l] + j.w, d, BL_SQRT(bl_v3_norm2(d)));
            f.x[l] += g.x, f.y[l] += g.y, f.z[l] += g.z;
        }
    }
    real scale = -par->v0 * par->v0;
    for (int l = 0; l < BL_GROUP; ++l)
        out->x[l] = scale * f.x[l], out->y[l] = scale * f.y[l], out->z[l] = scale * f.z[l];
}

/* bl_volume_rate_fluid. */
BL_FN void bl_group_volume_rate(const bl_view *s, const bl_group *b, int corrected, int periodic, real *out) {
    const bl_params *par = s->par;
    bl_group3 xi, vi, an;
    real b1[BL_GROUP], sum[BL_GROUP] = {0};
    bl_group_load(b, s->x, &xi);
    bl_group_load(b, s->v_next, &vi);
    bl_group_load(b, s->g_a, &an);
    for (int l = 0; l < BL_GROUP; ++l) b1[l] = s->g_b[bl_group_lane(b, l)];
    for (bl_index k = 0; k < b->near; ++k) {
        bl_vec3 xj = s->x[b->index[k]], vj = s->v_next[b->index[k]];
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, &xi, l, xj);
            bl_vec3 g = bl_volume_gradient(par->near, corrected, bl_v3_make(an.x[l], an.y[l], an.z[l]), b1[l], d,
                                           BL_SQRT(bl_v3_norm2(d)));
            sum[l] += g.x * (vi.x[l] - vj.x) + g.y * (vi.y[l] - vj.y) + g.z * (vi.z[l] - vj.z);
        }
    }
    for (int l = 0; l < BL_GROUP; ++l) out[l] = par->v0 * sum[l];
}

/* The passes of an iteration for group b, with the switches of the scene as constants. */
BL_FN void bl_group_predict(const bl_view *s, const bl_group *b, int corrected, int periodic) {
    bl_group3 force;
    bl_group_pressure(s, b, corrected, periodic, &force);
    for (bl_index l = 0; l < b->count; ++l) bl_predict_with(s, b->first + l, bl_group_get(&force, (int)l));
}
BL_FN void bl_group_interface_fluid(const bl_view *s, const bl_group *b, int corrected, int periodic) {
    real sum[BL_GROUP];
    (void)corrected;
    bl_group_far_sum(s, b, periodic, sum);
    for (bl_index l = 0; l < b->count; ++l) bl_interface_with(s, b->first + l, sum[l]);
}
BL_FN void bl_group_residual(const bl_view *s, const bl_group *b, int corrected, int periodic) {
    real rate[BL_GROUP] = {0};
    bl_group3 tension = {{0}, {0}, {0}};
    if (s->par->solve_pressure) bl_group_volume_rate(s, b, corrected, periodic, rate);
    if (s->par->solve_tension) bl_group_tension(s, b, periodic, &tension);
    for (bl_index l = 0; l < b->count; ++l) bl_residual_with(s, b->first + l, rate[l], bl_group_get(&tension, (int)l));
}

BL_FN void bl_group_start_warm(const bl_view *s, const bl_group *b, int corrected, int periodic) {
    bl_group3 tension;
    (void)corrected;
    bl_group_tension(s, b, periodic, &tension);
    for (bl_index l = 0; l < b->count; ++l) bl_start_warm_with(s, b->first + l, bl_group_get(&tension, (int)l));
}

/* X(pass): what has a path for groups. */
#define BL_GROUP_PASSES(X) X(predict) X(interface_fluid) X(residual) X(start_warm)

#endif
