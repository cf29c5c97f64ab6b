/* The yardstick: the sums of one iteration as one would write them at first, a scalar loop over the neighbours of one
 * particle after the other. The same lists (rows), formulas and arrays as in the library, and none of its tricks. */
#ifndef BL_BENCH_PLAIN_H
#define BL_BENCH_PLAIN_H

#include "physics/unified.h"

static bl_vec3 plain_pressure(const bl_view *s, bl_index i) {
    const bl_params *par = s->par;
    bl_vec3 f = bl_v3_zero();
    for (bl_index k = 0; k < s->ff.near[i]; ++k) {
        bl_index j = bl_neighbour(&s->ff, i, k);
        bl_vec3 x = bl_v3_sub(s->x[i], s->x[j]);
        real c = s->pqc[i].w + s->pqc[j].w;
        f = bl_v3_mad(f, c * bl_kernel_dw_over_r(par->near, bl_v3_norm(x)), x);
    }
    return bl_v3_scale(-par->v0 * par->v0, f);
}

static real plain_far_sum(const bl_view *s, bl_index i) {
    const bl_params *par = s->par;
    real sum = bl_kernel_w(par->far, BL_R(0));
    for (bl_index k = 0; k < s->ff.all[i]; ++k)
        sum += bl_kernel_w(par->far, bl_v3_norm(bl_v3_sub(s->x_next[i], s->x_next[bl_neighbour(&s->ff, i, k)])));
    return par->v0 * sum;
}

static real plain_volume_rate(const bl_view *s, bl_index i) {
    const bl_params *par = s->par;
    real sum = BL_R(0);
    for (bl_index k = 0; k < s->ff.near[i]; ++k) {
        bl_index j = bl_neighbour(&s->ff, i, k);
        bl_vec3 x = bl_v3_sub(s->x[i], s->x[j]), v = bl_v3_sub(s->v_next[i], s->v_next[j]);
        sum += s->g_b[i] * bl_kernel_dw_over_r(par->near, bl_v3_norm(x)) * bl_v3_dot(x, v);
    }
    return par->v0 * sum;
}

static bl_vec3 plain_tension(const bl_view *s, bl_index i) {
    const bl_params *par = s->par;
    bl_vec3 f = bl_v3_zero();
    for (bl_index k = 0; k < s->ff.all[i]; ++k) {
        bl_index j = bl_neighbour(&s->ff, i, k);
        bl_vec3 x = bl_v3_sub(s->x[i], s->x[j]);
        real t = s->xt[i].w + s->xt[j].w;
        f = bl_v3_mad(f, par->v0 * t * bl_kernel_dw_over_r(par->far, bl_v3_norm(x)), x);
    }
    return f;
}

/* One iteration for the plain constraint of a single fluid without walls. */
static void plain_iteration(const bl_view *s) {
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_predict_with(s, i, plain_pressure(s, i));
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_interface_with(s, i, plain_far_sum(s, i));
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_residual_with(s, i, plain_volume_rate(s, i), plain_tension(s, i));
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_pass_update(s, i);
}

#endif
