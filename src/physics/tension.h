/* Interface energies and their forces: eqs. 5-12, 22-25 and 33-38 of the unified paper (corrected).
 *
 *   C_FV = 1 - c - sum_f V0 W - sum_b V_b W,  C_FF = sum over other phases,  C_FB = sum_b V_b W      (fluid particles)
 *   C_BV = 1 - sum_f V0 W - sum_b V_b W,  C_BF = sum_f V0 W                                     (boundary particles)
 *   E = A0 gamma max_eps(C, 0),  S = dmax_eps/dC;  a boundary particle counts with V_b/V0
 * with c of physics/calibration.h (0 in the paper), over the support 3h, the particle itself included. Contributions
 * use the predicted positions, gradients the ones at t: so every force is central between positions that stay fixed
 * during the solve, and both momenta are conserved. */
#ifndef BL_PHYSICS_TENSION_H
#define BL_PHYSICS_TENSION_H

#include "physics/gather.h"

/* eq. 9 */
BL_FN real bl_smooth_max(real c, real eps) {
    c = bl_max(c, BL_R(0));
    /* -eps + sqrt(c^2 + eps^2) without cancellation */
    return c * c / (eps + BL_SQRT(c * c + eps * eps));
}
/* S, eq. 12 */
BL_FN real bl_smooth_step(real c, real eps) {
    c = bl_max(c, BL_R(0));
    return c / BL_SQRT(c * c + eps * eps);
}
/* S' = eps^2/(C^2 + eps^2)^1.5, 0 for C < 0 (eq. 36) */
BL_FN real bl_smooth_slope(real c, real eps) {
    real root = BL_SQRT(c * c + eps * eps);
    return c < BL_R(0) ? BL_R(0) : eps * eps / (root * root * root);
}

/* Sum of V_j W_ij over row i of a list, far support, positions `x`. V_j is volume[j], or V0 if volume is NULL. */
BL_FN real bl_far_sum(const bl_view *s, const bl_list *list, bl_index i, bl_vec3 xi, BL_GLOBAL const bl_vec3 *x,
                      BL_GLOBAL const real *volume) {
    BL_CONST const bl_params *par = s->par;
    real sum[BL_LANES] = {0};
    bl_pairs p;
    bl_index n = list->all[i];
    BL_FOR_BLOCKS(k0, n) {
        real v[BL_LANES];
        bl_gather(par, list, i, k0, n, xi, x, &p);
        BL_FOR_LANES(l) v[l] = p.on[l] * (volume ? volume[p.j[l]] : par->v0);
        BL_FOR_LANES(l) sum[l] += v[l] * bl_kernel_w(par->far, p.r[l]);
    }
    return bl_lane_sum(sum);
}

/* C_FF: like bl_far_sum over fluid neighbours of other phases. */
BL_FN real bl_other_phase_sum(const bl_view *s, bl_index i, bl_vec3 xi, BL_GLOBAL const bl_vec3 *x) {
    BL_CONST const bl_params *par = s->par;
    real sum[BL_LANES] = {0};
    bl_pairs p;
    bl_index n = s->ff.all[i];
    uint32_t own = BL_PHASE(s, i);
    BL_FOR_BLOCKS(k0, n) {
        real v[BL_LANES];
        bl_gather(par, &s->ff, i, k0, n, xi, x, &p);
        BL_FOR_LANES(l) v[l] = BL_PHASE(s, p.j[l]) != own ? p.on[l] * par->v0 : BL_R(0);
        BL_FOR_LANES(l) sum[l] += v[l] * bl_kernel_w(par->far, p.r[l]);
    }
    return bl_lane_sum(sum);
}

/* Pass: boundary positions at t + dt; the boundary is not moved by forces. */
BL_FN void bl_pass_boundary_predict(const bl_view *s, bl_index b) {
    s->b_x_next[b] = bl_v3_mad(s->b_x[b], s->step->dt, s->b_v[b]);
}

/* Contributions and A0 gamma S of a fluid particle at x_next; `fluid` is its kernel sum over fluid, itself included. */
BL_FN void bl_interface_of(const bl_view *s, bl_index i, BL_CONST const bl_phase_params *ph, int at_wall, int others,
                           real fluid) {
    BL_CONST const bl_params *par = s->par;
    real walls = BL_R(0), c_ff = BL_R(0);
    if (at_wall) walls = bl_far_sum(s, &s->fb, i, s->x_next[i], s->b_x_next, s->b_volume);
    if (others) c_ff = bl_other_phase_sum(s, i, s->x_next[i], s->x_next);
    real c_fv = BL_R(1) - par->packing - fluid - walls;
    real s_fv = BL_FACT(par, pairwise) ? BL_R(1) : bl_smooth_step(c_fv, par->eps);
    s->c_fv[i] = c_fv, s->c_ff[i] = c_ff, s->c_fb[i] = walls;
    s->s_fv[i] = s_fv;
    s->xt[i] = bl_v4_make(s->x[i], ph->a0_fv * s_fv);
    if (others) s->t_ff[i] = ph->a0_ff * bl_smooth_step(c_ff, par->eps);
    if (at_wall) s->t_fb[i] = ph->a0_fb * bl_smooth_step(walls, par->eps);
}
BL_FN void bl_interface_with(const bl_view *s, bl_index i, real fluid) {
    bl_interface_of(s, i, &s->fluids[BL_PHASE(s, i)], s->fb.all[i] > 0, BL_FACT(s->par, n_phases) > 1, fluid);
}
/* Pass: the same with its own sum. */
BL_FN void bl_pass_interface_fluid(const bl_view *s, bl_index i) {
    real self = s->par->v0 * bl_kernel_w(s->par->far, BL_R(0));
    bl_interface_with(s, i, self + bl_far_sum(s, &s->ff, i, s->x_next[i], s->x_next, NULL));
}

/* How many particles of the lattice a boundary particle stands for. */
BL_FN real bl_boundary_share(const bl_view *s, bl_index b) { return s->b_volume[b] / s->par->v0; }

/* Pass: contributions and V_b/V0 A0 (gamma_BV S_BV - gamma_BF S_BF) of boundary particles at t + dt. */
BL_FN void bl_pass_interface_boundary(const bl_view *s, bl_index b) {
    BL_CONST const bl_params *par = s->par;
    bl_body_params body = s->bodies[s->b_body[b]];
    real fluid = bl_far_sum(s, &s->bf, b, s->b_x_next[b], s->x_next, NULL);
    real c_bv = BL_R(1) - s->b_w_bb[b] - fluid;
    s->b_c_bv[b] = c_bv, s->b_c_bf[b] = fluid;
    s->b_t_b[b] = bl_boundary_share(s, b) *
                  (body.a0_bv * bl_smooth_step(c_bv, par->eps) - body.a0_bf * bl_smooth_step(fluid, par->eps));
}

/* Pass: boundary particles with no fluid near; bl_pass_interface_boundary overwrites the active ones. */
BL_FN void bl_pass_interface_bare(const bl_view *s, bl_index b) {
    real c_bv = BL_R(1) - s->b_w_bb[b];
    s->b_c_bv[b] = c_bv, s->b_c_bf[b] = BL_R(0);
    s->b_t_b[b] = bl_boundary_share(s, b) * s->bodies[s->b_body[b]].a0_bv * bl_smooth_step(c_bv, s->par->eps);
}

/* The kernel sums over boundary particles in front of b, along its normal, and beside it. */
BL_FN void bl_boundary_sides(const bl_view *s, bl_index b, real *front, real *beside) {
    BL_CONST const bl_params *par = s->par;
    real ahead[BL_LANES] = {0}, level[BL_LANES] = {0}, middle = BL_R(0.5) * par->h;
    bl_vec3 normal = s->b_normal[b];
    bl_index n = s->bb.all[b];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->bb, b, k0, n, s->b_x[b], s->b_x, &p);
        BL_FOR_LANES(l) {
            real w = p.on[l] * s->b_volume[p.j[l]] * bl_kernel_w(par->far, p.r[l]);
            real height = -(p.d.x[l] * normal.x + p.d.y[l] * normal.y + p.d.z[l] * normal.z);
            ahead[l] += height > middle ? w : BL_R(0);
            level[l] += height <= middle && height >= -middle ? w : BL_R(0);
        }
    }
    *front = bl_lane_sum(ahead);
    *beside = s->b_volume[b] * bl_kernel_w(par->far, BL_R(0)) + bl_lane_sum(level);
}

/* Pass: the part of C_BV that boundary particles themselves make up; changes only when bodies move. A wall of several
 * layers has no back: behind a particle there is as much as in front of it in a full space, (1 - beside)/2. What is one
 * layer only, a thin plate, has two sides. */
BL_FN void bl_pass_boundary_sum(const bl_view *s, bl_index b) {
    const real least = BL_R(0.05);
    real self = s->b_volume[b] * bl_kernel_w(s->par->far, BL_R(0)), front, beside;
    real all = self + bl_far_sum(s, &s->bb, b, s->b_x[b], s->b_x, s->b_volume);
    if (s->bodies[s->b_body[b]].closed) {
        bl_boundary_sides(s, b, &front, &beside);
        if (all - beside > least) all = bl_max(all, front + beside + BL_R(0.5) * (BL_R(1) - beside));
    }
    s->b_w_bb[b] = all;
}

/* -dE/dx_i of eq. 22 over fluid neighbours; *virial, if asked for, receives half of sum x_ij.F_ij. */
BL_FN bl_vec3 bl_tension_fluid(const bl_view *s, bl_index i, real *virial) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, xf[BL_LANES] = {0};
    real t_fv = s->xt[i].w, t_ff = s->t_ff[i];
    uint32_t own = BL_PHASE(s, i);
    bl_vec3 xi = s->x[i];
    bl_pairs p;
    bl_index n = s->ff.all[i];
    BL_FOR_BLOCKS(k0, n) {
        real t[BL_LANES];
        bl_gather4(par, &s->ff, i, k0, n, xi, s->xt, &p, t);
        BL_FOR_LANES(l) t[l] += t_fv;
        if (BL_FACT(par, n_phases) > 1)
            BL_FOR_LANES(l) t[l] -= BL_PHASE(s, p.j[l]) != own ? t_ff + s->t_ff[p.j[l]] : BL_R(0);
        BL_FOR_LANES(l) {
            real g = p.on[l] * par->v0 * t[l] * bl_kernel_dw_over_r(par->far, p.r[l]);
            fx[l] += g * p.d.x[l], fy[l] += g * p.d.y[l], fz[l] += g * p.d.z[l];
            if (virial) xf[l] += BL_R(0.5) * g * p.r[l] * p.r[l];
        }
    }
    if (virial) *virial = bl_lane_sum(xf);
    return bl_lane_sum3(fx, fy, fz);
}
/* The same over walls; pairs count whole in the virial. */
BL_FN bl_vec3 bl_tension_walls(const bl_view *s, bl_index i, real *virial) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, xf[BL_LANES] = {0};
    real t_wall = s->xt[i].w - s->t_fb[i];
    bl_vec3 xi = s->x[i];
    bl_pairs p;
    bl_index n = s->fb.all[i];
    BL_FOR_BLOCKS(k0, n) {
        real t[BL_LANES];
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) t[l] = s->b_volume[p.j[l]] * t_wall + par->v0 * s->b_t_b[p.j[l]];
        BL_FOR_LANES(l) {
            real g = p.on[l] * t[l] * bl_kernel_dw_over_r(par->far, p.r[l]);
            fx[l] += g * p.d.x[l], fy[l] += g * p.d.y[l], fz[l] += g * p.d.z[l];
            if (virial) xf[l] += g * p.r[l] * p.r[l];
        }
    }
    if (virial) *virial = bl_lane_sum(xf);
    return bl_lane_sum3(fx, fy, fz);
}
/* The whole force of eq. 22, from its part over fluid; walls are looked for if there may be one. */
BL_FN bl_vec3 bl_tension_of(const bl_view *s, bl_index i, int at_wall, bl_vec3 fluid) {
    return at_wall && s->fb.all[i] ? bl_v3_add(fluid, bl_tension_walls(s, i, NULL)) : fluid;
}
BL_FN bl_vec3 bl_tension_with(const bl_view *s, bl_index i, bl_vec3 fluid) { return bl_tension_of(s, i, 1, fluid); }
BL_FN bl_vec3 bl_tension_force(const bl_view *s, bl_index i) {
    return bl_tension_with(s, i, bl_tension_fluid(s, i, NULL));
}

/* Gradients dC/dx_i and squares that the diagonal of the tension needs, over fluid neighbours. */
BL_FN void bl_tension_diagonal_fluid(const bl_view *s, bl_index i, bl_vec3 *grad_all, bl_vec3 *grad_other,
                                     real *squares) {
    BL_CONST const bl_params *par = s->par;
    real gx[BL_LANES] = {0}, gy[BL_LANES] = {0}, gz[BL_LANES] = {0};
    real ox[BL_LANES] = {0}, oy[BL_LANES] = {0}, oz[BL_LANES] = {0}, sum[BL_LANES] = {0};
    bl_vec3 xi = s->x[i];
    uint32_t own = BL_PHASE(s, i);
    bl_pairs p;
    bl_index n = s->ff.all[i];
    BL_FOR_BLOCKS(k0, n) {
        real stiff[BL_LANES], other[BL_LANES] = {0}, g_of[BL_LANES];
        bl_gather(par, &s->ff, i, k0, n, xi, s->x, &p);
        BL_FOR_LANES(l) {
            bl_index j = p.j[l];
            stiff[l] = s->fluids[BL_PHASE(s, j)].a0_fv * bl_smooth_slope(s->c_fv[j], par->eps);
        }
        if (BL_FACT(par, n_phases) > 1) {
            BL_FOR_LANES(l) {
                bl_index j = p.j[l];
                other[l] = BL_PHASE(s, j) != own ? BL_R(1) : BL_R(0);
                stiff[l] += other[l] * s->fluids[BL_PHASE(s, j)].a0_ff * bl_smooth_slope(s->c_ff[j], par->eps);
            }
        }
        BL_FOR_LANES(l) {
            real g = g_of[l] = p.on[l] * par->v0 * bl_kernel_dw_over_r(par->far, p.r[l]);
            gx[l] += g * p.d.x[l], gy[l] += g * p.d.y[l], gz[l] += g * p.d.z[l];
            sum[l] += stiff[l] * g * g * p.r[l] * p.r[l];
        }
        if (BL_FACT(par, n_phases) > 1) {
            BL_FOR_LANES(l) {
                real g = other[l] * g_of[l];
                ox[l] += g * p.d.x[l], oy[l] += g * p.d.y[l], oz[l] += g * p.d.z[l];
            }
        }
    }
    *grad_all = bl_lane_sum3(gx, gy, gz);
    *grad_other = bl_lane_sum3(ox, oy, oz);
    *squares = bl_lane_sum(sum);
}

/* The same over boundary neighbours: dC_FB/dx_i, and the boundary particles' own squares. */
BL_FN void bl_tension_diagonal_walls(const bl_view *s, bl_index i, bl_vec3 *grad, real *squares) {
    BL_CONST const bl_params *par = s->par;
    real gx[BL_LANES] = {0}, gy[BL_LANES] = {0}, gz[BL_LANES] = {0}, sum[BL_LANES] = {0};
    bl_vec3 xi = s->x[i];
    bl_pairs p;
    bl_index n = s->fb.all[i];
    BL_FOR_BLOCKS(k0, n) {
        real stiff[BL_LANES];
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            bl_index b = p.j[l];
            bl_body_params body = s->bodies[s->b_body[b]];
            stiff[l] = body.a0_bv * bl_smooth_slope(s->b_c_bv[b], par->eps) +
                       body.a0_bf * bl_smooth_slope(s->b_c_bf[b], par->eps);
        }
        BL_FOR_LANES(l) {
            real dw = p.on[l] * bl_kernel_dw_over_r(par->far, p.r[l]);
            real g = s->b_volume[p.j[l]] * dw, f = par->v0 * dw;
            gx[l] += g * p.d.x[l], gy[l] += g * p.d.y[l], gz[l] += g * p.d.z[l];
            sum[l] += stiff[l] * g * f * p.r[l] * p.r[l];
        }
    }
    *grad = bl_lane_sum3(gx, gy, gz);
    *squares = bl_lane_sum(sum);
}

/* alpha* of eq. 34b for one particle, 1/(1 + factor dt^2/(dim m) sum A0 gamma S' |dC/dx_i|^2), from the C that a solve
 * starts with and its sums over fluid. */
BL_FN void bl_alpha_st_with(const bl_view *s, bl_index i, bl_vec3 all, bl_vec3 other, real squares) {
    BL_CONST const bl_params *par = s->par;
    BL_CONST const bl_phase_params *ph = &s->fluids[BL_PHASE(s, i)];
    bl_vec3 walls = bl_v3_zero();
    real wall_squares = BL_R(0);
    if (s->fb.all[i]) bl_tension_diagonal_walls(s, i, &walls, &wall_squares);
    real own = ph->a0_fv * bl_smooth_slope(s->c_fv[i], par->eps) * bl_v3_norm2(bl_v3_add(all, walls)) +
               ph->a0_ff * bl_smooth_slope(s->c_ff[i], par->eps) * bl_v3_norm2(other) +
               ph->a0_fb * bl_smooth_slope(s->c_fb[i], par->eps) * bl_v3_norm2(walls);
    real hessian = BL_FACT(par, pairwise) ? BL_R(0) : own + squares + wall_squares;
    s->alpha_st[i] = BL_R(1) / (BL_R(1) + par->hessian_factor * s->step->dt * s->step->dt * ph->inv_mass /
                                              (real)BL_FACT(par, dimension) * hessian);
}
/* Pass: the same with its own sums. */
BL_FN void bl_pass_alpha_st(const bl_view *s, bl_index i) {
    bl_vec3 all, other;
    real squares;
    bl_tension_diagonal_fluid(s, i, &all, &other, &squares);
    bl_alpha_st_with(s, i, all, other, squares);
}

#endif
