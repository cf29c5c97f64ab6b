/* Predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009) with walls of Akinci et al. 2012: density,
 * pressure, viscosity (docs/theory/pcisph.md). All kernels are cubic splines of support 2d, d the spacing.
 *
 * Forces are per mass. Walls count by Psi_b = rho0 V_b in the place of a mass. */
#ifndef BL_PHYSICS_PCISPH_H
#define BL_PHYSICS_PCISPH_H

#include "physics/gather.h"

/* What the passes of a step see. Arrays are the store's or scratch of the step. */
typedef struct bl_pcisph {
    bl_params par; /* dimension, period, h, v0, near */
    bl_list ff, fb;
    bl_index count;
    real dt, mass, rho0, inv_rho2; /* inv_rho2 = 1/rho0^2 */
    real gravity[3];
    real viscosity;  /* coefficient of the physical viscosity over mass, or ... */
    real artificial; /* ... alpha h c_s of the artificial one (0: physical) */
    real stiffness;  /* w delta: pressure that a unit of density error adds */
    real warm;       /* share of the last pressure that a step starts from */
    int walls_move;
    real cohesion, curvature; /* akinci2013, including all constants; 0: none */
    real pairwise;            /* yang2016: s_ff m; 0: none */
    real inv_reach;           /* of it, 1/H */
    const real *b_pull;       /* of each wall: coefficient of adhesion, or s_sb */
    const real *b_drag;       /* viscosity coefficient of each wall for V_b = 1, or alpha h c_s */
    const bl_vec3 *x, *v, *b_x, *b_x_next, *b_v;
    const real *b_psi;
    const uint32_t *b_body, *held;
    bl_vec3 *x_next, *v_next;
    bl_vec4 *x_p; /* positions at t and the pressures */
    real *p, *density, *error;
    bl_vec3 *normal;   /* n of akinci2013 */
    bl_vec3 *a_fixed;  /* acceleration that iterations do not change */
    bl_vec3 *a_solved; /* ... and that they do */
} bl_pcisph;

/* sum m_j W_ij over fluid, the particle itself included, at positions `x` and sum Psi_b W_ib over walls at `b_x`. */
BL_FN real bl_pcisph_density(const bl_pcisph *s, bl_index i, const bl_vec3 *x, const bl_vec3 *b_x) {
    real sum[BL_LANES] = {0}, wall[BL_LANES] = {0};
    const bl_vec3 xi = x[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->ff, i, k0, n, xi, x, &p);
        BL_FOR_LANES(l) sum[l] += p.on[l] * bl_kernel_shape(s->par.near, p.r[l]);
    }
    n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->fb, i, k0, n, xi, b_x, &p);
        BL_FOR_LANES(l) wall[l] += p.on[l] * s->b_psi[p.j[l]] * bl_kernel_shape(s->par.near, p.r[l]);
    }
    return s->par.near.norm * (s->mass * (BL_R(1) + bl_lane_sum(sum)) + bl_lane_sum(wall));
}

/* Pressure per mass: -sum_j m (p_i + p_j)/rho0^2 grad W - sum_b Psi_b p_i/rho0^2 grad W; the part of walls also to
 * *wall. */
BL_FN bl_vec3 bl_pcisph_pressure(const bl_pcisph *s, bl_index i, bl_vec3 *wall) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, pj[BL_LANES];
    const bl_vec3 xi = s->x[i];
    const real pi = s->p[i], scale = -s->inv_rho2 * s->par.near.grad_norm;
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather4(&s->par, &s->ff, i, k0, n, xi, s->x_p, &p, pj);
        BL_FOR_LANES(l) {
            real c = p.on[l] * (pi + pj[l]) * bl_kernel_slope(s->par.near, p.r[l]);
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    const bl_vec3 fluid = bl_v3_scale(scale * s->mass, bl_lane_sum3(fx, fy, fz));
    *wall = bl_v3_zero();
    n = s->fb.near[i];
    if (n == 0 || pi == BL_R(0)) return fluid;
    for (int l = 0; l < BL_LANES; ++l) fx[l] = fy[l] = fz[l] = BL_R(0);
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            real c = p.on[l] * s->b_psi[p.j[l]] * bl_kernel_slope(s->par.near, p.r[l]);
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    *wall = bl_v3_scale(scale * pi, bl_lane_sum3(fx, fy, fz));
    return bl_v3_add(fluid, *wall);
}

/* 2 rho0/(rho_i + rho_j) (eq. 4 of Akinci et al. 2013). */
BL_FN real bl_deficiency(real rho0, real rho_i, real rho_j) { return BL_R(2) * rho0 / (rho_i + rho_j); }

/* Pair coefficient of the physical viscosity: the acceleration is coeff (v_ij.x_ij) x_ij; Monaghan's central form
 * 2 (dim + 2) mu V_j (v_ij.x_ij)/(|x_ij|^2 + 0.01 d^2) grad W_ij/rho0, with the constants in `coefficient`. */
BL_FN real bl_pcisph_viscous_pair(const bl_pcisph *s, real coefficient, real r) {
    return coefficient * bl_kernel_slope(s->par.near, r) / (r * r + BL_R(0.01) * s->par.h * s->par.h);
}
/* Artificial viscosity -m Pi grad W, Pi = -nu min(v_ij.x_ij, 0)/(|x_ij|^2 + 0.01 H^2), H = 2d; the coefficient holds
 * nu. */
BL_FN real bl_artificial_pair(const bl_pcisph *s, real nu, real approach, real r) {
    return nu * (approach < BL_R(0) ? BL_R(1) : BL_R(0)) * s->par.near.grad_norm * bl_kernel_slope(s->par.near, r) /
           (r * r + BL_R(0.04) * s->par.h * s->par.h);
}

/* Viscosity per mass, of the other particles. */
BL_FN bl_vec3 bl_pcisph_viscosity_fluid(const bl_pcisph *s, bl_index i) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, rho[BL_LANES];
    const bl_vec3 xi = s->x[i], vi = s->v[i];
    const real rho_i = s->density[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 u;
        bl_gather(&s->par, &s->ff, i, k0, n, xi, s->x, &p);
        bl_difference3(vi, s->v, p.j, &u);
        if (s->artificial > BL_R(0)) {
            for (int l = 0; l < BL_LANES; ++l) rho[l] = s->density[p.j[l]];
            BL_FOR_LANES(l) {
                real along = u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l];
                real nu = BL_R(2) * s->artificial / (rho_i + rho[l]) * bl_deficiency(s->rho0, rho_i, rho[l]);
                real c = p.on[l] * s->mass * along * bl_artificial_pair(s, nu, along, p.r[l]);
                fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
            }
        } else {
            BL_FOR_LANES(l) {
                real along = u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l];
                real c = p.on[l] * along * bl_pcisph_viscous_pair(s, s->viscosity, p.r[l]);
                fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
            }
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}

/* The same, of walls. */
BL_FN bl_vec3 bl_pcisph_viscosity_walls(const bl_pcisph *s, bl_index i) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, drag[BL_LANES];
    const bl_vec3 xi = s->x[i], vi = s->v[i];
    const real rho_i = s->density[i], deficient = bl_deficiency(s->rho0, rho_i, rho_i);
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 u;
        bl_gather(&s->par, &s->fb, i, k0, n, xi, s->b_x, &p);
        bl_difference3(vi, s->b_v, p.j, &u);
        for (int l = 0; l < BL_LANES; ++l) drag[l] = p.on[l] * s->b_psi[p.j[l]] * s->b_drag[s->b_body[p.j[l]]];
        BL_FOR_LANES(l) {
            real along = u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l];
            real pair = s->artificial > BL_R(0) ? bl_artificial_pair(s, drag[l] * deficient / rho_i, along, p.r[l])
                                                : bl_pcisph_viscous_pair(s, drag[l], p.r[l]);
            real c = along * pair;
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}

/* v* and x* = x + dt v*; what is held goes on. */
BL_FN void bl_pcisph_predict(const bl_pcisph *s, bl_index i) {
    const real dt = s->held[i] ? BL_R(0) : s->dt;
    const bl_vec3 a = bl_v3_add(s->a_fixed[i], s->a_solved[i]), v = bl_v3_mad(s->v[i], dt, a);
    s->v_next[i] = v;
    s->x_next[i] = bl_v3_mad(s->x[i], s->dt, v);
}

/* p <- max(0, p + w delta (rho* - rho0)) */
BL_FN void bl_pcisph_correct(const bl_pcisph *s, bl_index i) {
    s->p[i] = bl_max(BL_R(0), s->p[i] + s->stiffness * s->error[i]);
    s->x_p[i].w = s->p[i];
}

#endif
