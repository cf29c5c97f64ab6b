/* Interface energies and their forces: eqs. 5-12, 22-25 and 33-38 of the unified paper (corrected).
 *
 *   C_FV = 1 - c - sum_f V0 W - sum_b V_b W,  C_FF = sum over other phases,  C_FB = sum_b V_b W      (fluid particles)
 *   C_BV = 1 - sum_f V0 W - sum_b V_b W,  C_BF = sum_f V0 W                                     (boundary particles)
 *   E = A0 gamma max_eps(C, 0),  S = dmax_eps/dC;  a boundary particle counts with V_b/V0
 * with c of physics/calibration.h (0 in the paper), over the far support, the particle itself included. Contributions
 * use the predicted positions, gradients the ones at t: so every force is central between positions that stay fixed
 * during the solve, and both momenta are conserved.
 *
 * Thin plates have two faces that know nothing of each other, and liquid counts for the one it is at
 * (bl_pass_boundary_sum). */
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
    if (s->b_x_next == s->b_x) return; /* on a device, where all walls stand */
    s->b_x_next[b] = bl_v3_mad(s->b_x[b], s->step->dt, s->b_v[b]);
}

/* Contributions and A0 gamma S of a fluid particle at x_next; `fluid` is its kernel sum over fluid, itself included. */
BL_FN void bl_interface_of(const bl_view *s, bl_index i, BL_CONST const bl_phase_params *ph, int at_wall, int others,
                           real fluid) {
    BL_CONST const bl_params *par = s->par;
    real walls = BL_R(0), c_ff = BL_R(0);
    if (at_wall) walls = bl_far_sum(s, &s->fb, i, s->x_next[i], s->b_x_next, s->b_v_far);
    if (others) c_ff = bl_other_phase_sum(s, i, s->x_next[i], s->x_next);
    real c_fv = BL_R(1) - par->packing - fluid - walls;
    real s_fv = BL_FACT(par, pairwise) ? BL_R(1) : bl_smooth_step(c_fv, par->eps);
    s->c_fv[i] = c_fv, s->c_ff[i] = c_ff, s->c_fb[i] = walls;
    s->s_fv[i] = s_fv;
    bl_v4_set(s->xt, i, bl_v3_get(s->x, i), ph->a0_fv * s_fv);
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

/* How liquid wets a boundary particle: from wherever it is, in front of it only, or from two sides of its own. */
#define BL_FACES_ALL 0
#define BL_FACES_FRONT 1
#define BL_FACES_BOTH 2

/* Share of the surface times A0 (gamma_BV S_BV - gamma_BF S_BF). */
BL_FN real bl_boundary_pull(const bl_view *s, bl_index b, real c_bv, real c_bf) {
    bl_body_params body = s->bodies[s->b_body[b]];
    return s->b_share[b] *
           (body.a0_bv * bl_smooth_step(c_bv, s->par->eps) - body.a0_bf * bl_smooth_step(c_bf, s->par->eps));
}

/* C_BF of the back of a plate that has two faces. */
BL_FN real bl_boundary_wet_back(const bl_view *s, bl_index b) {
    return s->b_faces[b] == BL_FACES_BOTH ? BL_R(1) - s->b_w_bb[b] - s->b_c_back[b] : BL_R(0);
}

/* Kernel sums over fluid in front of b and behind it, at t + dt. */
BL_FN void bl_fluid_sides(const bl_view *s, bl_index b, real *front, real *back) {
    BL_CONST const bl_params *par = s->par;
    real ahead[BL_LANES] = {0}, behind[BL_LANES] = {0};
    bl_vec3 normal = s->b_normal[b];
    bl_index n = s->bf.all[b];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->bf, b, k0, n, s->b_x_next[b], s->x_next, &p);
        BL_FOR_LANES(l) {
            real w = p.on[l] * par->v0 * bl_kernel_w(par->far, p.r[l]);
            int is_behind = bl_v3_dot(bl_pair_offset(&p, l), normal) > BL_R(0);
            ahead[l] += is_behind ? BL_R(0) : w;
            behind[l] += is_behind ? w : BL_R(0);
        }
    }
    *front = bl_lane_sum(ahead);
    *back = bl_lane_sum(behind);
}

/* Pass: contributions and forces' weights of boundary particles at t + dt. */
BL_FN void bl_pass_interface_boundary(const bl_view *s, bl_index b) {
    uint32_t faces = s->b_faces[b];
    real front, back = BL_R(0), dry = BL_R(1) - s->b_w_bb[b];
    if (faces == BL_FACES_ALL)
        front = bl_far_sum(s, &s->bf, b, s->b_x_next[b], s->x_next, NULL);
    else
        bl_fluid_sides(s, b, &front, &back);
    s->b_c_bv[b] = dry - front, s->b_c_bf[b] = front;
    s->b_t_b[b] = bl_boundary_pull(s, b, dry - front, front);
    s->b_c_back[b] = faces == BL_FACES_BOTH ? dry - back : BL_R(0);
    s->b_t_back[b] = faces == BL_FACES_ALL    ? s->b_t_b[b]
                     : faces == BL_FACES_BOTH ? bl_boundary_pull(s, b, dry - back, back)
                                              : BL_R(0);
}

/* Pass: boundary particles with no fluid near; bl_pass_interface_boundary overwrites the active ones. */
BL_FN void bl_pass_interface_bare(const bl_view *s, bl_index b) {
    real dry = BL_R(1) - s->b_w_bb[b];
    s->b_c_bv[b] = dry, s->b_c_bf[b] = BL_R(0);
    s->b_c_back[b] = s->b_faces[b] == BL_FACES_BOTH ? dry : BL_R(0);
    s->b_t_b[b] = s->b_t_back[b] = bl_boundary_pull(s, b, dry, BL_R(0));
}

/* Mean curvature (1/m) of the layer of a wall that b belongs to, positive where the solid is convex: how fast normals
 * turn beside it. Neighbours beyond an edge do not belong to the layer. */
BL_FN real bl_wall_bend(const bl_view *s, bl_index b) {
    BL_CONST const bl_params *par = s->par;
    const real sharpest = BL_R(0.5) / par->h; /* what layers can follow */
    real turned[BL_LANES] = {0}, away[BL_LANES] = {0};
    real middle = BL_R(0.5) * par->h;
    bl_vec3 normal = s->b_normal[b];
    bl_index n = s->bb.all[b];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 other;
        bl_gather(par, &s->bb, b, k0, n, s->b_x[b], s->b_x, &p);
        bl_load3(s->b_normal, p.j, &other);
        BL_FOR_LANES(l) {
            real height = p.d.x[l] * normal.x + p.d.y[l] * normal.y + p.d.z[l] * normal.z;
            real facing = other.x[l] * normal.x + other.y[l] * normal.y + other.z[l] * normal.z;
            real w = BL_FABS(height) <= middle && facing > BL_R(0.5)
                         ? p.on[l] * s->b_volume[p.j[l]] * bl_kernel_w(par->far, p.r[l])
                         : BL_R(0);
            turned[l] += w * (p.d.x[l] * (normal.x - other.x[l]) + p.d.y[l] * (normal.y - other.y[l]) +
                              p.d.z[l] * (normal.z - other.z[l]));
            away[l] += w * p.r[l] * p.r[l];
        }
    }
    real sum = bl_lane_sum(away);
    return sum > BL_R(0) ? bl_max(-sharpest, bl_min(bl_lane_sum(turned) / sum, sharpest)) : BL_R(0);
}

/* Kernel sums over the boundary particles around one, by where they are along its normal. What is in front and behind
 * counts as it would in a flat wall: a layer at the height z over one with the curvature k has 1 + (dim - 1) k z/2
 * times as much of its area within reach. Behind it is not more than there is: in a ball it would scatter around half
 * of a full space, of which the pass takes the larger. */
typedef struct bl_sides {
    real front, beside, behind;
    real opposite; /* what is behind and faces the other way: the other side of a plate */
} bl_sides;

BL_FN bl_sides bl_boundary_sides(const bl_view *s, bl_index b, real bend) {
    BL_CONST const bl_params *par = s->par;
    real ahead[BL_LANES] = {0}, level[BL_LANES] = {0}, back[BL_LANES] = {0}, turned[BL_LANES] = {0};
    real middle = BL_R(0.5) * par->h, crowded = BL_R(0.5) * (real)(BL_FACT(par, dimension) - 1) * bend;
    bl_vec3 normal = s->b_normal[b];
    bl_index n = s->bb.all[b];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 other;
        bl_gather(par, &s->bb, b, k0, n, s->b_x[b], s->b_x, &p);
        bl_load3(s->b_normal, p.j, &other);
        BL_FOR_LANES(l) {
            real w = p.on[l] * s->b_volume[p.j[l]] * bl_kernel_w(par->far, p.r[l]);
            real height = -(p.d.x[l] * normal.x + p.d.y[l] * normal.y + p.d.z[l] * normal.z);
            real facing = other.x[l] * normal.x + other.y[l] * normal.y + other.z[l] * normal.z;
            real flat = w / bl_max(BL_R(1) + crowded * height, BL_R(0.5)); /* where it bends sharply, half */
            ahead[l] += height > middle ? flat : BL_R(0);
            back[l] += height < -middle ? bl_min(flat, w) : BL_R(0);
            level[l] += height <= middle && height >= -middle ? w : BL_R(0);
            turned[l] += height < -middle && facing < BL_R(-0.5) ? w : BL_R(0);
        }
    }
    bl_sides sides;
    sides.front = bl_lane_sum(ahead);
    sides.beside = s->b_volume[b] * bl_kernel_w(par->far, BL_R(0)) + bl_lane_sum(level);
    sides.behind = bl_lane_sum(back);
    sides.opposite = bl_lane_sum(turned);
    return sides;
}

/* How much of the surface of a wall lies over a unit of its first layer, h/2 below it. */
BL_FN real bl_surface_over_layer(const bl_view *s, real bend) {
    real along = BL_R(1) + BL_R(0.5) * s->par->h * bend;
    return BL_FACT(s->par, dimension) == 3 ? along * along : along;
}

/* Pass: the part of C_BV that boundary particles themselves make up, the faces they have, and how many particles on the
 * surface of a lattice they stand for; changes only when bodies move. A wall of several layers has no back: behind a
 * particle there is as much as in front of it in a full space, (1 - beside)/2. So liquid behind it, on the other side
 * of a plate with two or three layers, must not count again. A plate of one layer has two faces, each with that much
 * behind it; and as liquid at either face must not look through the plate for vapor, it stands for the layers that
 * would be behind it. */
BL_FN void bl_pass_boundary_sum(const bl_view *s, bl_index b) {
    const real least = BL_R(0.05);
    real self = s->b_volume[b] * bl_kernel_w(s->par->far, BL_R(0));
    real all = self + bl_far_sum(s, &s->bb, b, s->b_x[b], s->b_x, s->b_volume);
    s->b_faces[b] = BL_FACES_ALL;
    s->b_v_far[b] = s->b_volume[b];
    s->b_share[b] = s->b_volume[b] / s->par->v0;
    if (s->bodies[s->b_body[b]].closed) {
        real bend = bl_wall_bend(s, b);
        bl_sides sides = bl_boundary_sides(s, b, bend);
        real back = BL_R(0.5) * (BL_R(1) - sides.beside);
        if (all - sides.beside > least) {
            all = sides.front + (sides.beside + bl_max(back, sides.behind));
            s->b_share[b] *= bl_surface_over_layer(s, bend);
            if (sides.opposite > least) s->b_faces[b] = BL_FACES_FRONT;
        } else {
            all = sides.beside + back;
            s->b_faces[b] = BL_FACES_BOTH;
            s->b_v_far[b] *= s->bodies[s->b_body[b]].behind;
            s->b_share[b] *= s->bodies[s->b_body[b]].deep;
        }
    }
    s->b_w_bb[b] = all;
}

/* The pull of boundary particle b on liquid at the offset x from it. */
BL_FN real bl_pull_towards(const bl_view *s, bl_index b, bl_vec3 x) {
    return bl_v3_dot(x, s->b_normal[b]) < BL_R(0) ? s->b_t_back[b] : s->b_t_b[b];
}

/* What multiplies grad W in the tension between boundary particle b and a particle of liquid at the offset x from it,
 * which has t_liquid = A0 (gamma_FV S_FV - gamma_FB S_FB). */
BL_FN real bl_wall_tension(const bl_view *s, bl_index b, real t_liquid, bl_vec3 x) {
    return s->b_v_far[b] * t_liquid + s->par->v0 * bl_pull_towards(s, b, x);
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
        BL_FOR_LANES(l) t[l] = bl_wall_tension(s, p.j[l], t_wall, bl_pair_offset(&p, l));
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
            stiff[l] = BL_FABS(body.a0_bv) * bl_smooth_slope(s->b_c_bv[b], par->eps) +
                       body.a0_bf * bl_smooth_slope(s->b_c_bf[b], par->eps);
            if (s->b_faces[b] == BL_FACES_BOTH)
                stiff[l] += BL_FABS(body.a0_bv) * bl_smooth_slope(s->b_c_back[b], par->eps) +
                            body.a0_bf * bl_smooth_slope(bl_boundary_wet_back(s, b), par->eps);
        }
        BL_FOR_LANES(l) {
            real dw = p.on[l] * bl_kernel_dw_over_r(par->far, p.r[l]);
            real g = s->b_v_far[p.j[l]] * dw, f = par->v0 * dw;
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
