/* What the fluid does to the wall particles: minus the forces that they exert on it, pair by pair, so that fluid and
 * body together keep their momentum. Pressure (eq. 13) and viscosity to rounding for any number of iterations, friction
 * too; tension from the present S, which is what the fluid was moved by up to the residual of the solver. */
#ifndef BL_PHYSICS_REACTION_H
#define BL_PHYSICS_REACTION_H

#include "physics/tension.h"
#include "physics/viscosity.h"
#include "physics/volume.h"

/* Pass: no force yet. */
BL_FN void bl_pass_reaction_clear(const bl_view *s, bl_index b) { s->b_f[b] = bl_v3_zero(); }

/* By one of the work items that share a row. */
BL_FN void bl_add_reaction(const bl_view *s, bl_index b, bl_vec3 force) {
    if (BL_ROW_PART == 0) s->b_f[b] = bl_v3_add(s->b_f[b], force);
}

/* Pass: drag, from the velocities vis_x that the viscous forces were made from. */
BL_FN void bl_pass_reaction_viscous(const bl_view *s, bl_index b) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0};
    bl_vec3 xb = s->b_x[b], vb = s->b_v[b];
    bl_body_params wall = s->bodies[s->b_body[b]];
    real volume = s->b_volume[b];
    bl_pairs p;
    bl_index n = s->bf.all[b];
    BL_FOR_BLOCKS(k0, n) {
        real mu[BL_LANES];
        bl_lanes3 u;
        bl_gather(par, &s->bf, b, k0, n, xb, s->x, &p);
        bl_difference3(vb, s->vis_x, p.j, &u);
        BL_FOR_LANES(l)
        mu[l] = p.on[l] * volume * bl_wall_viscosity(wall, s->fluids[BL_PHASE(s, p.j[l])].viscosity);
        BL_FOR_LANES(l) {
            real c = -bl_viscous_pair(par, mu[l], BL_R(1), p.r[l]) *
                     (u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l]);
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    bl_add_reaction(s, b, bl_lane_sum3(fx, fy, fz));
}

/* Pressure and friction, near support. The friction of a fluid particle is spread over the wall as its velocity was
 * taken from it: by V_b W. Offsets are x_b - x_f here, so odd terms have the other sign than in the fluid's sums. */
BL_FN bl_vec3 bl_reaction_near(const bl_view *s, bl_index b) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0};
    bl_vec3 xb = s->b_x[b];
    bl_pairs p;
    bl_index n = s->bf.near[b];
    BL_FOR_BLOCKS(k0, n) {
        real c[BL_LANES], share[BL_LANES];
        bl_lanes3 q, friction;
        bl_gather(par, &s->bf, b, k0, n, xb, s->x, &p);
        bl_load4(s->pqc, p.j, &q, c);
        bl_load3(s->f_fr, p.j, &friction);
        BL_FOR_LANES(l) {
            real w = BL_FACT(par, field) ? BL_R(0) : s->wall_w[p.j[l]];
            share[l] = w > BL_R(0) ? p.on[l] * bl_kernel_w(par->near, p.r[l]) / w : BL_R(0);
        }
        BL_FOR_LANES(l) {
            bl_vec3 x = bl_v3_make(-p.d.x[l], -p.d.y[l], -p.d.z[l]);
            bl_vec3 d = bl_volume_gradient(par->near, 1, bl_v3_make(q.x[l], q.y[l], q.z[l]), c[l], x, p.r[l]);
            real pressure = p.on[l] * par->v0;
            fx[l] += pressure * d.x - share[l] * friction.x[l];
            fy[l] += pressure * d.y - share[l] * friction.y[l];
            fz[l] += pressure * d.z - share[l] * friction.z[l];
        }
    }
    return bl_v3_scale(s->b_volume[b], bl_lane_sum3(fx, fy, fz));
}

/* Tension, far support; with a field its friction. */
BL_FN bl_vec3 bl_reaction_far(const bl_view *s, bl_index b) {
    BL_CONST const bl_params *par = s->par;
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0};
    bl_pairs p;
    bl_index n = s->bf.all[b];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->bf, b, k0, n, s->b_x[b], s->x, &p);
        BL_FOR_LANES(l) {
            bl_index i = p.j[l];
            bl_vec3 x = bl_v3_make(-p.d.x[l], -p.d.y[l], -p.d.z[l]);
            real t = bl_wall_tension(s, b, s->xt[i].w - s->t_fb[i], x);
            real g = p.on[l] * t * bl_kernel_dw_over_r(par->far, p.r[l]);
            fx[l] += g * p.d.x[l], fy[l] += g * p.d.y[l], fz[l] += g * p.d.z[l];
            real held = BL_FACT(par, field) ? s->wall_w[i] : BL_R(0);
            real share = held > BL_R(0) ? p.on[l] * s->b_volume[b] * bl_kernel_w(par->far, p.r[l]) / held : BL_R(0);
            bl_vec3 friction = bl_v3_get(s->f_fr, i);
            fx[l] -= share * friction.x, fy[l] -= share * friction.y, fz[l] -= share * friction.z;
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}

/* Pass: pressure, friction and tension of the solution. */
BL_FN void bl_pass_reaction(const bl_view *s, bl_index b) {
    bl_add_reaction(s, b, bl_v3_add(bl_reaction_near(s, b), bl_reaction_far(s, b)));
}

#endif
