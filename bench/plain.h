/* The yardstick: the sums of one iteration as one would write them at first, a scalar loop over the neighbours of one
 * particle after the other. The same lists (rows), formulas and arrays as in the library, and none of its tricks. Cubic
 * kernels come with the plain volume constraint of the paper, smooth ones with the corrected one (physics/volume.h). */
#ifndef BL_BENCH_PLAIN_H
#define BL_BENCH_PLAIN_H

#include "physics/unified.h"

#ifdef BL_ALL_SMOOTH
#define PLAIN_SCHEME "calibration: physical, kernel: smooth"
/* D_ij over V0: (c + a.x) W'/r x + a W */
static bl_vec3 plain_gradient(bl_kernel kernel, real c, bl_vec3 a, bl_vec3 x) {
    real r = bl_v3_norm(x);
    bl_vec3 along = bl_v3_scale((c + bl_v3_dot(a, x)) * bl_kernel_dw_over_r(kernel, r), x);
    return bl_v3_mad(along, bl_kernel_w(kernel, r), a);
}
#else
#define PLAIN_SCHEME "calibration: paper"
static bl_vec3 plain_gradient(bl_kernel kernel, real c, bl_vec3 a, bl_vec3 x) {
    (void)a;
    return bl_v3_scale(c * bl_kernel_dw_over_r(kernel, bl_v3_norm(x)), x);
}
#endif

static bl_vec3 plain_products(const bl_vec4 *q) { return bl_v3_make(q->x, q->y, q->z); }

static bl_vec3 plain_pressure(const bl_view *s, bl_index i) {
    const bl_params *par = s->par;
    bl_vec3 f = bl_v3_zero();
    for (bl_index k = 0; k < s->ff.near[i]; ++k) {
        bl_index j = bl_neighbour(&s->ff, i, k);
        bl_vec3 q = bl_v3_sub(plain_products(&s->pqc[i]), plain_products(&s->pqc[j]));
        f = bl_v3_add(f, plain_gradient(par->near, s->pqc[i].w + s->pqc[j].w, q, bl_v3_sub(s->x[i], s->x[j])));
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
        sum += bl_v3_dot(plain_gradient(par->near, s->g_b[i], s->g_a[i], x), v);
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

/* One iteration for a single fluid without walls. */
static void plain_iteration(const bl_view *s) {
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_predict_with(s, i, plain_pressure(s, i));
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_interface_with(s, i, plain_far_sum(s, i));
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_residual_with(s, i, plain_volume_rate(s, i), plain_tension(s, i));
    for (bl_index i = 0; i < s->fluid_count; ++i) bl_pass_update(s, i);
}

#endif
