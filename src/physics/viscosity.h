/* Viscosity after Weiler et al. 2018: the Laplacian from pairs,
 *   (mu lap v)_i = 2 (dim + 2) sum_j mu_ij V_j (v_ij.x_ij)/(|x_ij|^2 + 0.01 h^2) grad W_ij,
 * whose forces are central (rigid rotation costs nothing, both momenta are conserved). Implicitly (M + dt K) v = M v*,
 * symmetric positive definite, solved by conjugate gradients preconditioned with the blocks of the diagonal. Mean
 * viscosities of unlike pairs are harmonic, so a thin fluid does not drag a thick one. The support is the far one: on a
 * lattice the sum then has 0.96 (3D, cubic or smooth kernels) and 0.94 (2D) of the viscosity asked for, over 2h only
 * 0.71 and 0.66. */
#ifndef BL_PHYSICS_VISCOSITY_H
#define BL_PHYSICS_VISCOSITY_H

#include "physics/gather.h"

/* Pair coefficient: force on i is -coeff (v_ij.x_ij) x_ij, coeff >= 0. */
BL_FN real bl_viscous_pair(BL_CONST const bl_params *par, real mu, real v_j, real r) {
    real dim = (real)BL_FACT(par, dimension);
    return BL_R(-2) * (dim + BL_R(2)) * mu * par->v0 * v_j * bl_kernel_dw_over_r(par->far, r) /
           (r * r + BL_R(0.01) * par->h * par->h);
}
BL_FN real bl_harmonic(real a, real b) { return a + b > BL_R(0) ? BL_R(2) * a * b / (a + b) : BL_R(0); }

/* Viscosity between a wall and liquid of viscosity `fluid`. In a shear flow v = g z over a wall of several layers,
 * which stands below z = 0, a pair across z = 0 should have the difference g (z_i - z_b), and has g z_i: on average
 * half of it, since both sides are alike. Twice the viscosity makes the wall's drag mu g, and the liquid does not slip.
 */
BL_FN real bl_wall_viscosity(bl_body_params body, real fluid) {
    real mu = body.viscosity < BL_R(0) ? fluid : body.viscosity;
    return body.closed ? BL_R(2) * mu : mu;
}

/* Viscous force of the fluid on i for the velocity field `v` ... */
BL_FN bl_vec3 bl_viscous_force_fluid(const bl_view *s, bl_index i, BL_GLOBAL const bl_vec3 *v) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0};
    bl_vec3 xi = s->x[i], vi = v[i];
    real mu_i = s->fluids[BL_PHASE(s, i)].viscosity;
    bl_pairs p;
    bl_index n = s->ff.all[i];
    BL_FOR_BLOCKS(k0, n) {
        real mu[BL_LANES];
        bl_lanes3 u;
        bl_gather(par, &s->ff, i, k0, n, xi, s->x, &p);
        bl_difference3(vi, v, p.j, &u);
        BL_FOR_LANES(l) mu[l] = p.on[l] * bl_harmonic(mu_i, s->fluids[BL_PHASE(s, p.j[l])].viscosity);
        BL_FOR_LANES(l) {
            real c = -bl_viscous_pair(par, mu[l], par->v0, p.r[l]) *
                     (u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l]);
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}
/* ... and of walls, which move with b_v if `moving`, else they stand: the matrix. */
BL_FN bl_vec3 bl_viscous_force_walls(const bl_view *s, bl_index i, BL_GLOBAL const bl_vec3 *v, int moving) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0};
    bl_vec3 xi = s->x[i], vi = v[i];
    real mu_i = s->fluids[BL_PHASE(s, i)].viscosity;
    bl_pairs p;
    bl_index n = s->fb.all[i];
    BL_FOR_BLOCKS(k0, n) {
        real mu[BL_LANES];
        bl_lanes3 u;
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        bl_difference3(vi, s->b_v, p.j, &u);
        if (!moving) BL_FOR_LANES(l) u.x[l] = vi.x, u.y[l] = vi.y, u.z[l] = vi.z;
        BL_FOR_LANES(l) {
            bl_index b = p.j[l];
            mu[l] = p.on[l] * s->b_volume[b] * bl_wall_viscosity(s->bodies[s->b_body[b]], mu_i);
        }
        BL_FOR_LANES(l) {
            real c = -bl_viscous_pair(par, mu[l], BL_R(1), p.r[l]) *
                     (u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l]);
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}
/* The whole, from the fluid's part. */
BL_FN bl_vec3 bl_viscous_force_with(const bl_view *s, bl_index i, BL_GLOBAL const bl_vec3 *v, int moving,
                                    bl_vec3 fluid) {
    return s->fb.all[i] ? bl_v3_add(fluid, bl_viscous_force_walls(s, i, v, moving)) : fluid;
}
BL_FN bl_vec3 bl_viscous_force(const bl_view *s, bl_index i, BL_GLOBAL const bl_vec3 *v, int moving) {
    return bl_viscous_force_with(s, i, v, moving, bl_viscous_force_fluid(s, i, v));
}

/* v + dt F(u)/m: the velocity from the viscous forces of the velocities `u`. */
BL_FN void bl_viscous_velocity_with(const bl_view *s, bl_index i, BL_GLOBAL const bl_vec3 *u, bl_vec3 fluid) {
    real scale = s->step->dt * s->fluids[BL_PHASE(s, i)].inv_mass;
    s->v_next[i] = bl_v3_mad(s->v[i], scale, bl_viscous_force_with(s, i, u, 1, fluid));
}
/* Explicit viscosity, from the fluid's force. */
BL_FN void bl_viscosity_explicit_with(const bl_view *s, bl_index i, bl_vec3 fluid) {
    bl_viscous_velocity_with(s, i, s->v, fluid);
    s->vis_x[i] = s->v[i]; /* what the forces were made from, for those on the walls */
}
/* Pass: the same with its own sum. */
BL_FN void bl_pass_viscosity_explicit(const bl_view *s, bl_index i) {
    bl_viscosity_explicit_with(s, i, bl_viscous_force_fluid(s, i, s->v));
}
/* Pass: take over what a pass wrote to v_next. */
BL_FN void bl_pass_accept_velocity(const bl_view *s, bl_index i) {
    if (!bl_is_held(s, i)) s->v[i] = s->v_next[i];
}

/* Symmetric 3x3 matrix xx xy xz yy yz zz: the diagonal block of (M + dt K)/m. */
typedef struct bl_block {
    real xx, xy, xz, yy, yz, zz;
} bl_block;

BL_FN void bl_block_add_pairs(bl_block *a, const real *c, const bl_pairs *p) {
    BL_FOR_LANES(l) {
        a->xx += c[l] * p->d.x[l] * p->d.x[l], a->xy += c[l] * p->d.x[l] * p->d.y[l],
            a->xz += c[l] * p->d.x[l] * p->d.z[l];
        a->yy += c[l] * p->d.y[l] * p->d.y[l], a->yz += c[l] * p->d.y[l] * p->d.z[l],
            a->zz += c[l] * p->d.z[l] * p->d.z[l];
    }
}

BL_FN bl_block bl_block_row_sum(bl_block a) {
    a.xx = bl_row_sum(a.xx), a.xy = bl_row_sum(a.xy), a.xz = bl_row_sum(a.xz);
    a.yy = bl_row_sum(a.yy), a.yz = bl_row_sum(a.yz), a.zz = bl_row_sum(a.zz);
    return a;
}

/* Its sum over fluid ... */
BL_FN bl_block bl_viscous_block_fluid(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real mu_i = s->fluids[BL_PHASE(s, i)].viscosity, scale = s->step->dt * s->fluids[BL_PHASE(s, i)].inv_mass;
    bl_block a = {BL_R(0), BL_R(0), BL_R(0), BL_R(0), BL_R(0), BL_R(0)};
    bl_vec3 xi = s->x[i];
    bl_pairs p;
    real c[BL_LANES];
    bl_index n = s->ff.all[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->ff, i, k0, n, xi, s->x, &p);
        BL_FOR_LANES(l) {
            real mu = p.on[l] * bl_harmonic(mu_i, s->fluids[BL_PHASE(s, p.j[l])].viscosity);
            c[l] = scale * bl_viscous_pair(par, mu, par->v0, p.r[l]);
        }
        bl_block_add_pairs(&a, c, &p);
    }
    return bl_block_row_sum(a);
}
/* ... and over walls, added. */
BL_FN void bl_viscous_block_walls(const bl_view *s, bl_index i, bl_block *a) {
    BL_CONST const bl_params *par = s->par;
    real mu_i = s->fluids[BL_PHASE(s, i)].viscosity, scale = s->step->dt * s->fluids[BL_PHASE(s, i)].inv_mass;
    bl_vec3 xi = s->x[i];
    bl_pairs p;
    real c[BL_LANES];
    if (BL_ROW_PART > 0) *a = (bl_block){BL_R(0), BL_R(0), BL_R(0), BL_R(0), BL_R(0), BL_R(0)}; /* counts once */
    bl_index n = s->fb.all[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            bl_index b = p.j[l];
            real mu = p.on[l] * s->b_volume[b] * bl_wall_viscosity(s->bodies[s->b_body[b]], mu_i);
            c[l] = scale * bl_viscous_pair(par, mu, BL_R(1), p.r[l]);
        }
        bl_block_add_pairs(a, c, &p);
    }
    *a = bl_block_row_sum(*a);
}

/* Inverse of a symmetric positive definite block, by cofactors; diagonal to *diag, yz xz xy to *off. */
BL_FN void bl_block_invert(bl_block a, bl_vec3 *diag, bl_vec3 *off) {
    real cxx = a.yy * a.zz - a.yz * a.yz, cxy = a.xz * a.yz - a.xy * a.zz, cxz = a.xy * a.yz - a.xz * a.yy;
    real cyy = a.xx * a.zz - a.xz * a.xz, cyz = a.xy * a.xz - a.xx * a.yz, czz = a.xx * a.yy - a.xy * a.xy;
    real inv = BL_R(1) / (a.xx * cxx + a.xy * cxy + a.xz * cxz);
    *diag = bl_v3_make(inv * cxx, inv * cyy, inv * czz);
    *off = bl_v3_make(inv * cyz, inv * cxz, inv * cxy);
}

/* z = P r with the stored inverse of block over mass (masses of 1e-12 kg cubed would leave float's range). */
BL_FN bl_vec3 bl_precondition(const bl_view *s, bl_index i, bl_vec3 r) {
    bl_vec3 d = s->vis_diag[i], o = s->vis_off[i];
    real inv_m = s->fluids[BL_PHASE(s, i)].inv_mass;
    return bl_v3_scale(inv_m, bl_v3_make(d.x * r.x + o.z * r.y + o.y * r.z, o.z * r.x + d.y * r.y + o.x * r.z,
                                         o.y * r.x + o.x * r.y + d.z * r.z));
}

/* Start from x = v, r = M v* - (M + dt K) x = dt F(v), d = z = P r; given are the sums over fluid. */
BL_FN void bl_viscosity_start_with(const bl_view *s, bl_index i, bl_vec3 force, bl_block block) {
    bl_vec3 r = bl_v3_scale(s->step->dt, bl_viscous_force_with(s, i, s->v, 1, force));
    bl_vec3 diag, off;
    if (bl_is_held(s, i)) r = bl_v3_zero(); /* here and below: its velocity is given */
    if (s->fb.all[i]) bl_viscous_block_walls(s, i, &block);
    block.xx += BL_R(1), block.yy += BL_R(1), block.zz += BL_R(1);
    bl_block_invert(block, &diag, &off);
    s->vis_diag[i] = diag, s->vis_off[i] = off;
    s->vis_x[i] = s->v[i];
    s->vis_r[i] = r;
    s->vis_z[i] = s->vis_d[i] = bl_precondition(s, i, r);
}
/* Pass: the same with its own sums. */
BL_FN void bl_pass_viscosity_start(const bl_view *s, bl_index i) {
    bl_viscosity_start_with(s, i, bl_viscous_force_fluid(s, i, s->v), bl_viscous_block_fluid(s, i));
}
/* k = (M + dt K) d, from the fluid's force for d. */
BL_FN void bl_viscosity_apply_with(const bl_view *s, bl_index i, bl_vec3 fluid) {
    bl_vec3 f = bl_viscous_force_with(s, i, s->vis_d, 0, fluid);
    s->vis_k[i] = bl_v3_mad(bl_v3_scale(s->fluids[BL_PHASE(s, i)].mass, s->vis_d[i]), -s->step->dt, f);
}
/* Pass: the same with its own sum. */
BL_FN void bl_pass_viscosity_apply(const bl_view *s, bl_index i) {
    bl_viscosity_apply_with(s, i, bl_viscous_force_fluid(s, i, s->vis_d));
}
/* Pass: x += alpha d, r -= alpha k, z = P r. */
BL_FN void bl_pass_viscosity_advance(const bl_view *s, bl_index i) {
    s->vis_x[i] = bl_v3_mad(s->vis_x[i], s->steer->vis_alpha, s->vis_d[i]);
    s->vis_r[i] = bl_is_held(s, i) ? bl_v3_zero() : bl_v3_mad(s->vis_r[i], -s->steer->vis_alpha, s->vis_k[i]);
    s->vis_z[i] = bl_precondition(s, i, s->vis_r[i]);
}
/* Pass: d = z + beta d. */
BL_FN void bl_pass_viscosity_turn(const bl_view *s, bl_index i) {
    s->vis_d[i] = bl_v3_mad(s->vis_z[i], s->steer->vis_beta, s->vis_d[i]);
}
/* Pass: the velocity from the viscous forces of the solution, v + dt F(x)/m. Equal to x when converged, and
 * conserving momentum to rounding when not. */
BL_FN void bl_pass_viscosity_finish(const bl_view *s, bl_index i) {
    bl_viscous_velocity_with(s, i, s->vis_x, bl_viscous_force_fluid(s, i, s->vis_x));
}

#endif
