/* Coulomb friction between fluid and boundary: eqs. 13-16, 26, 39-40 of the unified paper (corrected), support 2h.
 *
 * The normal comes from the geometry alone, n ~ -sum V_b grad W, so it exists where the pressure is zero; friction acts
 * only where the boundary is near. The normal force is the boundary's actual pressure force along n. */
#ifndef BL_PHYSICS_FRICTION_H
#define BL_PHYSICS_FRICTION_H

#include "physics/gather.h"

/* Pass: normal, kernel sum and friction coefficient of the wall near a particle. */
BL_FN void bl_pass_wall_contact(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    bl_index n = s->fb.near[i];
    bl_vec3 xi = s->x[i];
    real gx[BL_LANES] = {0}, gy[BL_LANES] = {0}, gz[BL_LANES] = {0}, w_sum[BL_LANES] = {0}, mu[BL_LANES] = {0};
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            real v = p.on[l] * s->b_volume[p.j[l]];
            real w = v * bl_kernel_w(par->near, p.r[l]), g = v * bl_kernel_dw_over_r(par->near, p.r[l]);
            gx[l] -= g * p.d.x[l], gy[l] -= g * p.d.y[l], gz[l] -= g * p.d.z[l];
            w_sum[l] += w;
            mu[l] += w * s->bodies[s->b_body[p.j[l]]].friction;
        }
    }
    bl_vec3 g = bl_lane_sum3(gx, gy, gz);
    real length = bl_v3_norm(g), w = bl_lane_sum(w_sum);
    /* a gradient of 1e-6/h is rounding: the particle sits between two walls, or on top of a wall particle */
    int contact = w > BL_R(1e-6) && length * par->h > BL_R(1e-6);
    s->wall_w[i] = contact ? w : BL_R(0);
    s->wall_n[i] = contact ? bl_v3_scale(BL_R(1) / length, g) : bl_v3_zero();
    s->wall_mu[i] = contact ? bl_lane_sum(mu) / w : BL_R(0);
}

/* Part of a vector in the tangential plane. */
BL_FN bl_vec3 bl_tangential(bl_vec3 a, bl_vec3 n) { return bl_v3_mad(a, -bl_v3_dot(a, n), n); }

/* Nearest force of length <= limit (prox of eq. 18c); `f` is tangential already. */
BL_FN bl_vec3 bl_coulomb(bl_vec3 f, real limit) {
    real length = bl_v3_norm(f);
    return length > limit ? bl_v3_scale(limit / length, f) : f;
}

/* eq. 26: tangential velocity relative to the wall, weighted by the kernel. */
BL_FN bl_vec3 bl_wall_slip(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    bl_index n = s->fb.near[i];
    bl_vec3 xi = s->x[i], vi = s->v_next[i];
    real vx[BL_LANES] = {0}, vy[BL_LANES] = {0}, vz[BL_LANES] = {0};
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 v;
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        bl_difference3(vi, s->b_v, p.j, &v);
        BL_FOR_LANES(l) {
            real w = p.on[l] * s->b_volume[p.j[l]] * bl_kernel_w(par->near, p.r[l]);
            vx[l] += w * v.x[l], vy[l] += w * v.y[l], vz[l] += w * v.z[l];
        }
    }
    return bl_tangential(bl_lane_sum3(vx, vy, vz), s->wall_n[i]);
}

/* alpha_F of eq. 39 with the time step of eq. 40b corrected: dim/(dim - 1) m/(dt kappa). */
BL_FN real bl_alpha_friction(BL_CONST const bl_params *par, real mass, real kappa) {
    real dim = (real)par->dimension;
    return dim / (dim - BL_R(1)) * mass / (par->dt * kappa);
}

#endif
