/* The load that presses liquid to a wall, and the friction it allows.
 *
 * The pressure on a particle at the wall (eq. 14) is not that load. The layers of a free surface bear a pressure of
 * some gamma/h which their tension balances, and where they meet the wall both act on it: only their sum is a load.
 * Beyond 90 degrees it is the tension that keeps the liquid off the wall, and the pressure on it is nearly nothing. So
 *   N = pressure + tension, along the normal, + gamma sin(theta) for a length of contact line:
 * the first two sum to the weight, and the pull of the contact line, which is one of them, is what presses the rest of
 * the base down. Together they are N = W cos(a) + 2 pi r gamma sin(theta) (cases/friction).
 *
 * (With a field the tension is its force on the wall, shared out in schemes/unified/grip.c.)
 *
 * A pair's force belongs to both of its particles, so the wall gathers it and shares it out to the liquid at it, by the
 * weight W_bf kappa_f.
 *
 * A liquid at rest bears no shear: what holds it on a slope is its contact line alone, and the base has friction that
 * nobody asks for. Coulomb's law is one of the whole: it sticks until W sin(a) = mu N. So liquid at a wall lends its
 * neighbours there the friction it has no use for: in every step what is spare is shared as the load is. */
#ifndef BL_PHYSICS_LOAD_H
#define BL_PHYSICS_LOAD_H

#include "physics/friction.h"
#include "physics/tension.h"
#include "physics/volume.h"

/* What is lent goes back by this share a step: friction of liquid that has left the wall is not missed for ever. */
#define BL_LENT_LOSS BL_R(0.00025)

/* Between which shares of its wetness a wall particle is at the contact line. */
#define BL_LINE_FROM BL_R(0.1)
#define BL_LINE_TO BL_R(0.6)

/* |grad g(u)| of the wetness u = C_BF/C, from grad C_BF along the wall. g rises from 0 to 1 at the line, so that the
 * integral over the wall is the length of the line however the kernel smears it. */
BL_FN real bl_line_density(real wet, real all, real slope) {
    const real width = BL_LINE_TO - BL_LINE_FROM;
    real t = (wet / all - BL_LINE_FROM) / width;
    return t > BL_R(0) && t < BL_R(1) ? BL_R(6) * t * (BL_R(1) - t) / width * slope : BL_R(0);
}

/* Normal force of particle i, at the offset x from wall particle b, on b: pressure (q and c of its products) and
 * tension (eq. 22). Behind a thin plate the normal points the other way. */
BL_FN real bl_normal_force(const bl_view *s, bl_index b, bl_index i, bl_vec3 x, real r, bl_vec3 q, real c) {
    BL_CONST const bl_params *par = s->par;
    bl_vec3 normal = s->b_normal[b], d = bl_volume_gradient(par->near, 1, q, c, x, r);
    real height = bl_v3_dot(x, normal);
    real t = bl_wall_tension(s, b, s->xt[i].w - s->t_fb[i], x);
    real force = t * bl_kernel_dw_over_r(par->far, r) * height - s->b_volume[b] * par->v0 * bl_v3_dot(d, normal);
    return height < BL_R(0) ? -force : force;
}

/* What particle i leaves at a wall particle at the distance r, per volume of that: all of them together get what it has
 * to spare. One that has just left the wall is too far for the near kernel. */
BL_FN real bl_offered_friction(const bl_view *s, bl_index i, real r) {
    if (s->wall_w[i] > BL_R(0)) return s->spare[i] * bl_kernel_w(bl_contact_kernel(s), r) / s->wall_w[i];
    if (BL_FACT(s->par, field)) return BL_R(0);
    return s->c_fb[i] > BL_R(0) ? s->spare[i] * bl_kernel_w(s->par->far, r) / s->c_fb[i] : BL_R(0);
}

/* gamma sin(theta) times the length of the contact line that falls to wall particle b; `wet` is its C_BF. The layers of
 * a wall share a line by their C, which is what they have of C_BF at most. */
BL_FN real bl_line_load(const bl_view *s, bl_index b, real wet, bl_vec3 gradient) {
    bl_body_params body = s->bodies[s->b_body[b]];
    real all = BL_R(1) - s->b_w_bb[b];
    if (!body.closed || all < BL_R(1e-3)) return BL_R(0);
    real slope = bl_v3_norm(bl_tangential(gradient, s->b_normal[b]));
    real depth = s->par->h * (s->b_faces[b] == BL_FACES_BOTH ? all : body.open);
    return body.line_pull * bl_line_density(wet, all, slope) * s->b_volume[b] / depth;
}

/* Pass: load and spare friction of the liquid at a wall particle, over the weights by which they will be shared. */
BL_FN void bl_pass_wall_load(const bl_view *s, bl_index b) {
    BL_CONST const bl_params *par = s->par;
    real load[BL_LANES] = {0}, spare[BL_LANES] = {0}, held[BL_LANES] = {0}, wanted[BL_LANES] = {0};
    real wet[BL_LANES] = {0}, gx[BL_LANES] = {0}, gy[BL_LANES] = {0}, gz[BL_LANES] = {0};
    bl_index n = s->bf.all[b];
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        real c[BL_LANES];
        bl_lanes3 q;
        bl_gather(par, &s->bf, b, k0, n, s->b_x[b], s->x, &p);
        bl_load4(s->pqc, p.j, &q, c);
        BL_FOR_LANES(l) {
            bl_index i = p.j[l];
            bl_vec3 x = bl_v3_make(-p.d.x[l], -p.d.y[l], -p.d.z[l]), qi = bl_v3_make(q.x[l], q.y[l], q.z[l]);
            real w = p.on[l] * bl_kernel_w(par->far, p.r[l]);
            real g = p.on[l] * par->v0 * bl_kernel_dw_over_r(par->far, p.r[l]);
            load[l] += p.on[l] * bl_normal_force(s, b, i, x, p.r[l], qi, c[l]);
            spare[l] += p.on[l] * bl_offered_friction(s, i, p.r[l]);
            held[l] += w * s->wall_w[i], wanted[l] += w * s->want[i], wet[l] += par->v0 * w;
            gx[l] += g * x.x, gy[l] += g * x.y, gz[l] += g * x.z;
        }
    }
    real weight = bl_lane_sum(held), want = bl_lane_sum(wanted);
    real beside = bl_line_load(s, b, bl_lane_sum(wet), bl_lane_sum3(gx, gy, gz));
    s->b_load[b] = weight * par->v0 > BL_R(1e-6) ? (bl_lane_sum(load) + beside) / weight : BL_R(0);
    s->b_spare[b] = want > BL_R(0) ? s->b_volume[b] * bl_lane_sum(spare) / want : BL_R(0);
}

/* Pass: what the load of a particle at the wall is beside the pressure on it, and the friction it is lent (negative: it
 * lends). */
BL_FN void bl_pass_wall_share(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    real load[BL_LANES] = {0}, spare[BL_LANES] = {0};
    bl_index n = BL_FACT(par, corrected) && s->wall_w[i] > BL_R(0) ? s->fb.all[i] : 0;
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(par, &s->fb, i, k0, n, s->x[i], s->b_x, &p);
        BL_FOR_LANES(l) {
            real w = p.on[l] * bl_kernel_w(par->far, p.r[l]);
            load[l] += w * s->wall_w[i] * s->b_load[p.j[l]];
            spare[l] += w * s->want[i] * s->b_spare[p.j[l]];
        }
    }
    real pressure = n ? bl_v3_dot(bl_pressure_force_walls(s, i), s->wall_n[i]) : BL_R(0);
    real lent = s->lent[i] - s->spare[i] + bl_lane_sum(spare);
    s->wall_pull[i] = n ? bl_lane_sum(load) - pressure : BL_R(0);
    if (BL_FACT(par, field) && n) s->wall_pull[i] += s->grip[i];
    if (BL_ROW_PART == 0) s->lent[i] = n ? (BL_R(1) - BL_LENT_LOSS) * lent : BL_R(0); /* read and written: once */
}

#endif
