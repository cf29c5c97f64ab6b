/* The volume constraint and its pressure: eqs. 1-4, 21, 30-32 of the unified paper, with the free-surface correction.
 *
 *   G_i = rho_i + f(m_i) <= 1,  p_i >= 0                    (plain constraint of the paper: f = 0)
 *   rho_i = sum_j V_j W_ij (itself included),  mu_i = sum_j V_j W_ij x_ij,  n_i = mu_i/|mu_i|,  m_i = |mu_i|/(rho_i H)
 *   f(m) = k u in 2D, F (1 - exp(-k u/F)) in 3D, u = sqrt(m^2 + d^2) - d      (docs/theory/calibration.md)
 *
 * j runs over fluid (V0) and boundary (V_b) within the near support H. The gradient, exact:
 *   D_ij = V_j [(1 - b_i + a_i n_i.x_ij) grad W_ij + a_i W_ij n_i],  a = f'/(rho H),  b = f' m/rho
 *   dG_i = sum_j D_ij.(dx_i - dx_j)
 * Force of the multipliers, with c = p (1 - b) and q = p a n, pairwise antisymmetric for fluid pairs:
 *   F_i = -V0 sum_j V_j [(c_i + c_j + (q_i - q_j).x_ij) grad W_ij + W_ij (q_i - q_j)],  c_b = q_b = 0. */
#ifndef BL_PHYSICS_VOLUME_H
#define BL_PHYSICS_VOLUME_H

#include "physics/gather.h"

/* A nozzle is no press: what it holds is let go when it is denser than this. */
#define BL_HELD_MOST 1.05

/* rho and mu of one particle. */
typedef struct bl_moments {
    real rho;
    bl_vec3 mu;
} bl_moments;

/* Their parts over fluid, the particle itself included, ... */
BL_FN bl_moments bl_volume_moments_fluid(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real w_sum[BL_LANES] = {0}, mx[BL_LANES] = {0}, my[BL_LANES] = {0}, mz[BL_LANES] = {0};
    bl_vec3 xi = s->x[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->ff, i, k0, n, xi, s->x, &p);
        BL_FOR_LANES(l) {
            real w = p.on[l] * par->v0 * bl_kernel_w(par->near, p.r[l]);
            w_sum[l] += w, mx[l] += w * p.d.x[l], my[l] += w * p.d.y[l], mz[l] += w * p.d.z[l];
        }
    }
    bl_moments m;
    m.rho = par->v0 * bl_kernel_w(par->near, BL_R(0)) + bl_lane_sum(w_sum);
    m.mu = bl_lane_sum3(mx, my, mz);
    return m;
}
/* ... and over walls. */
BL_FN bl_moments bl_volume_moments_walls(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real w_sum[BL_LANES] = {0}, mx[BL_LANES] = {0}, my[BL_LANES] = {0}, mz[BL_LANES] = {0};
    bl_vec3 xi = s->x[i];
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            real w = p.on[l] * s->b_volume[p.j[l]] * bl_kernel_w(par->near, p.r[l]);
            w_sum[l] += w, mx[l] += w * p.d.x[l], my[l] += w * p.d.y[l], mz[l] += w * p.d.z[l];
        }
    }
    bl_moments m;
    m.rho = bl_lane_sum(w_sum);
    m.mu = bl_lane_sum3(mx, my, mz);
    return m;
}

/* f(m) and f'(m) of the free-surface correction; without F it does not saturate. */
BL_FN real bl_surface_f(BL_CONST const bl_params *par, real m, real *df) {
    real root = BL_SQRT(m * m + par->g_d * par->g_d), linear = par->g_k * (root - par->g_d);
    *df = par->g_k * m / root;
    if (par->g_f <= BL_R(0)) return linear;
    real decay = BL_EXP(-linear / par->g_f);
    *df *= decay;
    return par->g_f * (BL_R(1) - decay);
}

/* G_i; a n to *an and 1 - b to *b1. */
BL_FN real bl_volume_constraint(BL_CONST const bl_params *par, bl_moments m, bl_vec3 *an, real *b1) {
    *an = bl_v3_zero();
    *b1 = BL_R(1);
    real length = bl_v3_norm(m.mu);
    if (!BL_FACT(par, corrected) || length <= BL_R(1e-12) * par->h) return m.rho;
    real df, offset = length / (m.rho * par->g_support);
    real f = bl_surface_f(par, offset, &df);
    *an = bl_v3_scale(df / (m.rho * par->g_support * length), m.mu);
    *b1 = BL_R(1) - df * offset / m.rho;
    return m.rho + f;
}

/* G, its gradient's coefficients and the density, from the positions at t; `m` are the moments over fluid. */
BL_FN void bl_volume_with(const bl_view *s, bl_index i, bl_moments m) {
    BL_CONST const bl_params *par = s->par;
    bl_vec3 an;
    real b1;
    if (s->fb.near[i]) {
        bl_moments walls = bl_volume_moments_walls(s, i);
        m.rho += walls.rho;
        m.mu = bl_v3_add(m.mu, walls.mu);
    }
    real g = bl_volume_constraint(par, m, &an, &b1);
    s->g_err[i] = BL_R(1) - g;
    s->g_a[i] = an;
    s->g_b[i] = b1;
    s->density[i] = m.rho * s->fluids[BL_PHASE(s, i)].density;
    if (bl_is_held(s, i) && g > BL_R(BL_HELD_MOST)) s->held[i] = 0;
}
/* Pass: the same with its own sums. */
BL_FN void bl_pass_volume(const bl_view *s, bl_index i) { bl_volume_with(s, i, bl_volume_moments_fluid(s, i)); }

/* D_ij of one pair without V_j: (b1 + an.x) grad W + W an. `corrected` is a constant at each call that matters for
 * speed: the plain constraint (an = 0) then costs a gradient and nothing more. */
BL_FN bl_vec3 bl_volume_gradient(bl_kernel k, int corrected, bl_vec3 an, real b1, bl_vec3 x, real r) {
    real dw = bl_kernel_dw_over_r(k, r);
    if (!corrected) return bl_v3_scale(b1 * dw, x);
    real g = (b1 + bl_v3_dot(an, x)) * dw, w = bl_kernel_w(k, r);
    return bl_v3_make(g * x.x + w * an.x, g * x.y + w * an.y, g * x.z + w * an.z);
}

/* sum_j D_ij over fluid; sum_j |D_ij|^2/m_j to *squares. */
BL_FN bl_vec3 bl_volume_diagonal_fluid(const bl_view *s, bl_index i, real *squares) {
    BL_CONST const bl_params *par = s->par;
    real dx[BL_LANES] = {0}, dy[BL_LANES] = {0}, dz[BL_LANES] = {0}, d2[BL_LANES] = {0};
    bl_vec3 xi = s->x[i], an = s->g_a[i];
    real b1 = s->g_b[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        real inv_m[BL_LANES];
        bl_gather(par, &s->ff, i, k0, n, xi, s->x, &p);
        BL_FOR_LANES(l) inv_m[l] = s->fluids[BL_PHASE(s, p.j[l])].inv_mass;
        BL_FOR_LANES(l) {
            bl_vec3 d = bl_volume_gradient(par->near, 1, an, b1, bl_pair_offset(&p, l), p.r[l]);
            real v = p.on[l] * par->v0;
            dx[l] += v * d.x, dy[l] += v * d.y, dz[l] += v * d.z;
            d2[l] += v * v * inv_m[l] * (d.x * d.x + d.y * d.y + d.z * d.z);
        }
    }
    *squares = bl_lane_sum(d2);
    return bl_lane_sum3(dx, dy, dz);
}
/* sum_j D_ij over walls. */
BL_FN bl_vec3 bl_volume_diagonal_walls(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real dx[BL_LANES] = {0}, dy[BL_LANES] = {0}, dz[BL_LANES] = {0};
    bl_vec3 xi = s->x[i], an = s->g_a[i];
    real b1 = s->g_b[i];
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            bl_vec3 d = bl_volume_gradient(par->near, 1, an, b1, bl_pair_offset(&p, l), p.r[l]);
            real v = p.on[l] * s->b_volume[p.j[l]];
            dx[l] += v * d.x, dy[l] += v * d.y, dz[l] += v * d.z;
        }
    }
    return bl_lane_sum3(dx, dy, dz);
}

/* The inverse of alpha_P (eq. 30), dV_err/dp = dt^2 V0 (|sum_j D_ij|^2/m_i + sum_f |D_ij|^2/m_j) >= 0, from its sums
 * over fluid. Stored in alpha_p; bl_pass_alpha_finish inverts it once the largest is known. */
BL_FN void bl_diagonal_p_with(const bl_view *s, bl_index i, bl_vec3 sum, real squares) {
    BL_CONST const bl_params *par = s->par;
    if (s->fb.near[i]) sum = bl_v3_add(sum, bl_volume_diagonal_walls(s, i));
    real own = bl_is_held(s, i) ? BL_R(0) : bl_v3_norm2(sum) * s->fluids[BL_PHASE(s, i)].inv_mass;
    s->alpha_p[i] = s->step->dt * s->step->dt * par->v0 * (own + squares);
}
/* Pass: the same with its own sums. */
BL_FN void bl_pass_diagonal_p(const bl_view *s, bl_index i) {
    real squares;
    bl_vec3 sum = bl_volume_diagonal_fluid(s, i, &squares);
    bl_diagonal_p_with(s, i, sum, squares);
}

/* The pressure a solve starts from: a mean over the last steps inside (docs/theory/unified.md, "Deep liquids"); at
 * surfaces, where the pressure is the tension's and changes with the packing, the last one. */
BL_FN real bl_pressure_guess(const bl_view *s, bl_index i) {
    real share = s->p_mean[i] > BL_R(0) ? bl_max(s->step->warm_share, s->s_fv[i]) : BL_R(1); /* 1: no mean yet */
    return s->p_mean[i] + share * (s->p[i] - s->p_mean[i]);
}

/* Pass: alpha_P from its inverse; 0, and no pressure, where the diagonal vanishes (isolated particles).
 *
 * A compression delta that is mended within the step leaves a velocity delta h/dt behind, which the next step must take
 * back: errors of the solver then keep a resting liquid awake and cost iterations. So a step mends only a `share` of
 * it, and at most what a displacement of `correction` spacings can mend: an overlap at the start, or a particle inside
 * a wall, is pushed apart over some steps instead of exploding in one. */
BL_FN void bl_pass_alpha_finish(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real diagonal = s->alpha_p[i];
    int solved = diagonal > s->steer->diagonal_min;
    real slope = BL_SQRT(diagonal * s->fluids[BL_PHASE(s, i)].mass / par->v0) / s->step->dt; /* |dG/dx| */
    real wanted = s->g_err[i] < BL_R(0) ? par->share * s->g_err[i] : s->g_err[i];
    s->g_src[i] = bl_max(wanted, -s->step->correction * par->h * slope);
    s->alpha_p[i] = solved ? BL_R(1) / diagonal : BL_R(0);
    s->p[i] = s->p_mean[i] = solved ? bl_pressure_guess(s, i) : BL_R(0);
}

/* Pass: the products p (1 - b) and p a n that neighbours read. */
BL_FN void bl_pass_pressure_products(const bl_view *s, bl_index i) {
    s->pqc[i] = bl_v4_make(bl_v3_scale(s->p[i], s->g_a[i]), s->p[i] * s->g_b[i]);
}

/* Pressure force of the boundary on particle i (p_b = 0). */
BL_FN bl_vec3 bl_pressure_force_walls(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0};
    real c = s->pqc[i].w;
    bl_vec3 xi = s->x[i], q = bl_v4_xyz(s->pqc[i]);
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            bl_vec3 d = bl_volume_gradient(par->near, 1, q, c, bl_pair_offset(&p, l), p.r[l]);
            real v = p.on[l] * s->b_volume[p.j[l]];
            fx[l] += v * d.x, fy[l] += v * d.y, fz[l] += v * d.z;
        }
    }
    return bl_v3_scale(-par->v0, bl_lane_sum3(fx, fy, fz));
}

/* Pressure force of the fluid on particle i; *virial, if asked for, receives half of sum x_ij.F_ij. */
BL_FN bl_vec3 bl_pressure_force_of(const bl_view *s, bl_index i, int corrected, real *virial) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, xf[BL_LANES] = {0};
    real c = s->pqc[i].w;
    bl_vec3 xi = s->x[i], q = bl_v4_xyz(s->pqc[i]);
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        real cj[BL_LANES];
        bl_lanes3 dq;
        bl_gather(par, &s->ff, i, k0, n, xi, s->x, &p);
        bl_load4(s->pqc, p.j, &dq, cj);
        if (corrected) BL_FOR_LANES(l) dq.x[l] = q.x - dq.x[l], dq.y[l] = q.y - dq.y[l], dq.z[l] = q.z - dq.z[l];
        BL_FOR_LANES(l) {
            bl_vec3 x = bl_pair_offset(&p, l);
            bl_vec3 d =
                bl_volume_gradient(par->near, corrected, bl_v3_make(dq.x[l], dq.y[l], dq.z[l]), c + cj[l], x, p.r[l]);
            fx[l] += p.on[l] * d.x, fy[l] += p.on[l] * d.y, fz[l] += p.on[l] * d.z;
            if (virial) xf[l] += p.on[l] * (x.x * d.x + x.y * d.y + x.z * d.z);
        }
    }
    real scale = -par->v0 * par->v0;
    if (virial) *virial = BL_R(0.5) * scale * bl_lane_sum(xf);
    return bl_v3_scale(scale, bl_lane_sum3(fx, fy, fz));
}
BL_FN bl_vec3 bl_pressure_force_fluid(const bl_view *s, bl_index i, real *virial) {
    return BL_FACT(s->par, corrected) ? bl_pressure_force_of(s, i, 1, virial) : bl_pressure_force_of(s, i, 0, virial);
}

/* sum_j D_ij.(v_i - v_j) of eq. 21 for the predicted velocities, over fluid ... */
BL_FN real bl_volume_rate_fluid_of(const bl_view *s, bl_index i, int corrected) {
    BL_CONST const bl_params *par = s->par;
    real sum[BL_LANES] = {0};
    bl_vec3 xi = s->x[i], vi = s->v_next[i], an = s->g_a[i];
    real b1 = s->g_b[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 v;
        bl_gather(par, &s->ff, i, k0, n, xi, s->x, &p);
        bl_difference3(vi, s->v_next, p.j, &v);
        BL_FOR_LANES(l) {
            bl_vec3 d = bl_volume_gradient(par->near, corrected, an, b1, bl_pair_offset(&p, l), p.r[l]);
            sum[l] += p.on[l] * par->v0 * (d.x * v.x[l] + d.y * v.y[l] + d.z * v.z[l]);
        }
    }
    return bl_lane_sum(sum);
}
BL_FN real bl_volume_rate_fluid(const bl_view *s, bl_index i) {
    return BL_FACT(s->par, corrected) ? bl_volume_rate_fluid_of(s, i, 1) : bl_volume_rate_fluid_of(s, i, 0);
}
/* ... and over walls. */
BL_FN real bl_volume_rate_walls(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real sum[BL_LANES] = {0};
    bl_vec3 xi = s->x[i], vi = s->v_next[i], an = s->g_a[i];
    real b1 = s->g_b[i];
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 v;
        real vol[BL_LANES];
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        bl_difference3(vi, s->b_v, p.j, &v);
        BL_FOR_LANES(l) vol[l] = p.on[l] * s->b_volume[p.j[l]];
        BL_FOR_LANES(l) {
            bl_vec3 d = bl_volume_gradient(par->near, 1, an, b1, bl_pair_offset(&p, l), p.r[l]);
            sum[l] += vol[l] * (d.x * v.x[l] + d.y * v.y[l] + d.z * v.z[l]);
        }
    }
    return bl_lane_sum(sum);
}

/* V_err(t + dt) of eq. 21 from the rate of the fluid; walls are looked for if there may be one. */
BL_FN real bl_volume_error_of(const bl_view *s, bl_index i, int at_wall, real fluid_rate) {
    real walls = at_wall && s->fb.near[i] ? bl_volume_rate_walls(s, i) : BL_R(0);
    return s->g_src[i] - s->step->dt * (fluid_rate + walls);
}
BL_FN real bl_volume_error(const bl_view *s, bl_index i) {
    return bl_volume_error_of(s, i, 1, bl_volume_rate_fluid(s, i));
}

#endif
