/* Coulomb friction between fluid and boundary: eqs. 13-16, 26, 39-40 of the unified paper (corrected), near support.
 *
 * The normal comes from the geometry alone, n ~ -sum V_b grad W, so it exists where the pressure is zero; friction acts
 * only where the boundary is near. The normal force is the load of physics/load.h.
 *
 * Eqs. 15 and 16 couple the friction of a particle to its own velocity and normal force alone. So given the other
 * forces they are solved in closed form (bl_friction_exact): the force that stops the particle on the wall, cut to
 * mu F_N. The paper's relaxed iteration (eq. 18c) has the same solution and is kept for comparison. */
#ifndef BL_PHYSICS_FRICTION_H
#define BL_PHYSICS_FRICTION_H

#include "physics/gather.h"

/* The kernel by which liquid touches walls, and how many points of them it touches. A field is as wide as the far one:
 * where a contact line is held, more than the row at the wall has to be, or liquid rolls over that. */
BL_FN bl_kernel bl_contact_kernel(const bl_view *s) { return BL_FACT(s->par, field) ? s->par->far : s->par->near; }
BL_FN bl_index bl_contacts(const bl_view *s, bl_index i) {
    return BL_FACT(s->par, field) ? s->fb.all[i] : s->fb.near[i];
}

/* The largest friction that particle i can have (eq. 15), with what is lent to it (physics/load.h). */
BL_FN real bl_friction_limit(const bl_view *s, bl_index i) {
    return bl_max(s->wall_mu[i] * s->load[i] + s->lent[i], BL_R(0));
}

/* Between which S of its free surface liquid at a wall is at a contact line. A base has less, also on a wall of one
 * layer that repels it, where it hovers. */
#define BL_RIM_FROM BL_R(0.75)
#define BL_RIM_TO BL_R(0.95)

/* Of its own friction a base at rest offers this share again in every step even if it used it. */
#define BL_BASE_YIELDS BL_R(0.5)

/* What a base at rest wants beside a contact line that wants as much. */
#define BL_BASE_WANTS BL_R(0.2)

/* A base is at rest while m v^2 is below this share of the energy A0 gamma of a particle at a free surface. */
#define BL_REST_ENERGY BL_R(0.0002)

/* 1 at a contact line, 0 in a base. */
BL_FN real bl_at_rim(real surface) {
    real t = bl_min(bl_max((surface - BL_RIM_FROM) / (BL_RIM_TO - BL_RIM_FROM), BL_R(0)), BL_R(1));
    return t * t * (BL_R(3) - BL_R(2) * t);
}

/* How far a particle rests on the wall, 0 to 1. Its velocity has this step's gravity already: that is no motion yet. */
BL_FN real bl_at_rest(const bl_view *s, bl_index i) {
    bl_phase_params fluid = s->fluids[BL_PHASE(s, i)];
    bl_vec3 kick = bl_v3_make(s->step->kick[0], s->step->kick[1], s->step->kick[2]);
    bl_vec3 v = bl_v3_sub(bl_v3_sub(s->v[i], kick), s->wall_v[i]);
    real quiet = BL_REST_ENERGY * fluid.a0_surface, motion = fluid.mass * bl_v3_dot(v, v);
    return quiet > BL_R(0) ? quiet / (quiet + motion) : BL_R(0);
}

/* What a particle at a wall had no need of in the last step, and how much it wants to be lent: as much as it used, and
 * by three tenths what it could have used, so that one quiet step does not cost it its hold. A liquid at rest is held
 * by its contact line alone. What its base uses are particles of a packing that push each other to and fro and, since
 * they stick, never find their places: a base at rest gives up what it used bit by bit, slips a little, and has no need
 * any more. One that slides keeps what is its own. Spare may be less than nothing, where the load has fallen below what
 * was lent: friction is neither made nor lost by lending. */
BL_FN void bl_offer_friction(const bl_view *s, bl_index i) {
    real most = s->wall_mu[i] * s->load[i], used = bl_v3_norm(s->f_fr[i]);
    real idle = (BL_R(1) - bl_at_rim(s->s_fv[i])) * bl_at_rest(s, i); /* how far it is a base at rest */
    s->spare[i] = most + s->lent[i] - used * (BL_R(1) - BL_BASE_YIELDS * idle);
    real line = s->wall_mu[i] * s->s_fv[i] * s->fluids[BL_PHASE(s, i)].a0_surface / s->par->h;
    s->want[i] = (BL_R(1) - (BL_R(1) - BL_BASE_WANTS) * idle) *
                 (used + BL_R(0.3) * (bl_friction_limit(s, i) + line + bl_max(most, BL_R(0))));
}

/* One that has left the wall gives back what it was lent. */
BL_FN void bl_return_friction(const bl_view *s, bl_index i) {
    s->spare[i] = s->lent[i];
    s->want[i] = BL_R(0);
    s->load[i] = BL_R(0);
}

/* Pass: normal, kernel sum, velocity and friction coefficient of the wall near a particle. */
BL_FN void bl_pass_wall_contact(const bl_view *s, bl_index i) {
    BL_CONST const bl_params *par = s->par;
    const bl_kernel touch = bl_contact_kernel(s);
    bl_index n = bl_contacts(s, i);
    bl_vec3 xi = s->x[i];
    real gx[BL_LANES] = {0}, gy[BL_LANES] = {0}, gz[BL_LANES] = {0}, w_sum[BL_LANES] = {0}, mu[BL_LANES] = {0};
    real vx[BL_LANES] = {0}, vy[BL_LANES] = {0}, vz[BL_LANES] = {0};
    bl_pairs p;
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 vb;
        bl_gather(par, &s->fb, i, k0, n, xi, s->b_x, &p);
        bl_load3(s->b_v, p.j, &vb);
        BL_FOR_LANES(l) {
            real v = p.on[l] * s->b_volume[p.j[l]];
            real w = v * bl_kernel_w(touch, p.r[l]), g = v * bl_kernel_dw_over_r(touch, p.r[l]);
            gx[l] -= g * p.d.x[l], gy[l] -= g * p.d.y[l], gz[l] -= g * p.d.z[l];
            w_sum[l] += w;
            vx[l] += w * vb.x[l], vy[l] += w * vb.y[l], vz[l] += w * vb.z[l];
            mu[l] += w * s->bodies[s->b_body[p.j[l]]].friction;
        }
    }
    bl_vec3 g = bl_lane_sum3(gx, gy, gz);
    real length = bl_v3_norm(g), w = bl_lane_sum(w_sum);
    /* a gradient of 1e-6/h is rounding: the particle sits between two walls, or on top of a wall particle */
    int contact = w > BL_R(1e-6) && length * par->h > BL_R(1e-6);
    s->wall_w[i] = contact ? w : BL_R(0);
    s->wall_n[i] = contact ? bl_v3_scale(BL_R(1) / length, g) : bl_v3_zero();
    s->wall_v[i] = contact ? bl_v3_scale(BL_R(1) / w, bl_lane_sum3(vx, vy, vz)) : bl_v3_zero();
    real own = s->fluids[BL_PHASE(s, i)].friction, walls = bl_lane_sum(mu) / w;
    s->wall_mu[i] = !contact ? BL_R(0) : own >= BL_R(0) ? own : walls;
    /* where there is a wall, forces come with the predictions; what is about to leave the wide reach of a field gives
     * back what it was lent while it can */
    const real least = BL_FACT(par, field) ? BL_R(1e-3) : BL_R(0);
    if (s->wall_w[i] > least)
        bl_offer_friction(s, i);
    else
        bl_return_friction(s, i);
}

/* Part of a vector in the tangential plane. */
BL_FN bl_vec3 bl_tangential(bl_vec3 a, bl_vec3 n) { return bl_v3_mad(a, -bl_v3_dot(a, n), n); }

/* Nearest force of length <= limit (prox of eq. 18c); `f` is tangential already. */
BL_FN bl_vec3 bl_coulomb(bl_vec3 f, real limit) {
    real length = bl_v3_norm(f);
    return length > limit ? bl_v3_scale(limit / length, f) : f;
}

/* eq. 26: tangential velocity relative to the wall, weighted by the kernel: sum V_b W (v - v_b), tangential. */
BL_FN bl_vec3 bl_wall_slip(const bl_view *s, bl_index i, bl_vec3 v) {
    return bl_v3_scale(s->wall_w[i], bl_tangential(bl_v3_sub(v, s->wall_v[i]), s->wall_n[i]));
}

BL_FN int bl_feels_friction(const bl_view *s, bl_index i) { return s->wall_w[i] > BL_R(0) && s->wall_mu[i] > BL_R(0); }

/* eqs. 15, 16 in closed form for the velocity `v` that all other forces give: stop the slip, with at most mu F_N. */
BL_FN bl_vec3 bl_friction_exact(const bl_view *s, bl_index i, real mass, bl_vec3 v) {
    if (!bl_feels_friction(s, i)) return bl_v3_zero();
    bl_vec3 slip = bl_tangential(bl_v3_sub(v, s->wall_v[i]), s->wall_n[i]);
    return bl_coulomb(bl_v3_scale(-mass / s->step->dt, slip), bl_friction_limit(s, i));
}

/* alpha_F of eq. 39 with the time step of eq. 40b corrected: dim/(dim - 1) m/(dt kappa). */
BL_FN real bl_alpha_friction(const bl_view *s, real mass, real kappa) {
    real dim = (real)BL_FACT(s->par, dimension);
    return dim / (dim - BL_R(1)) * mass / (s->step->dt * kappa);
}

#endif
