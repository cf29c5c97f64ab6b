/* One iteration of the unified solver (algorithm 1, eqs. 18 and 20) and its NNCG combination (algorithm 5). */
#ifndef BL_PHYSICS_UNIFIED_H
#define BL_PHYSICS_UNIFIED_H

#include "physics/friction.h"
#include "physics/tension.h"
#include "physics/volume.h"

/* Pass: the explicit forces of a step, which are the same for all particles (gravity). */
BL_FN void bl_pass_kick(const bl_view *s, bl_index i) {
    if (bl_is_held(s, i)) return;
    s->v[i] = bl_v3_add(s->v[i], bl_v3_make(s->step->kick[0], s->step->kick[1], s->step->kick[2]));
}

/* Pass: the guess a step starts from, x + dt v. */
BL_FN void bl_pass_predict_free(const bl_view *s, bl_index i) {
    s->v_next[i] = s->v[i];
    s->x_next[i] = bl_v3_mad(s->x[i], s->step->dt, s->v[i]);
}

/* Pass: unknowns at the start of a solve. With a warm start p and f_fr are those of the last step, f_fr turned into
 * the present tangential plane. The tension starts from S at x + dt v instead of last step's forces: forces made from
 * S at the present positions are central, so angular momentum is conserved to rounding from the first iteration on. */
BL_FN void bl_pass_start_cold(const bl_view *s, bl_index i) {
    s->p[i] = BL_R(0);
    s->f_st[i] = bl_v3_zero();
    s->f_fr[i] = bl_v3_zero();
}
BL_FN void bl_start_warm_with(const bl_view *s, bl_index i, bl_vec3 fluid_tension) {
    s->f_st[i] = bl_tension_with(s, i, fluid_tension);
    if (BL_ROW_PART == 0) /* read and written: once */
        s->f_fr[i] = s->wall_w[i] > BL_R(0) ? bl_tangential(s->f_fr[i], s->wall_n[i]) : bl_v3_zero();
}

/* ... and the step size of the tension, which needs the same neighbours. */
BL_FN void bl_pass_start_warm(const bl_view *s, bl_index i) {
    bl_start_warm_with(s, i, bl_tension_fluid(s, i, NULL));
    bl_pass_alpha_st(s, i);
}

/* Passes: the same where the tension is the field's: f_st is there already, and stays. */
BL_FN void bl_pass_start_field(const bl_view *s, bl_index i) {
    s->f_fr[i] = s->wall_w[i] > BL_R(0) ? bl_tangential(s->f_fr[i], s->wall_n[i]) : bl_v3_zero();
}
BL_FN void bl_pass_start_field_cold(const bl_view *s, bl_index i) {
    s->p[i] = BL_R(0);
    s->f_fr[i] = bl_v3_zero();
}

/* Forces of the present unknowns, predicted velocity (eq. 20) and position; friction too where it is solved for in
 * closed form. `fluid` is the pressure force of the fluid. Functions with `at_wall` are told whether there is one, and
 * the phase, so that a loop over particles away from walls has no branches. */
BL_FN void bl_predict_of(const bl_view *s, bl_index i, BL_CONST const bl_phase_params *ph, int at_wall, bl_vec3 fluid) {
    real to_speed = s->step->dt * ph->inv_mass;
    bl_vec3 force = bl_v3_add(bl_v3_get(s->f_st, i), fluid);
    if (at_wall) { /* else load and f_fr are zero and stay so */
        bl_vec3 wall = bl_pressure_force_walls(s, i);
        force = bl_v3_add(force, wall);
        real load = bl_v3_dot(wall, s->wall_n[i]) + s->wall_pull[i];
        s->load[i] = BL_FACT(s->par, field) ? load : bl_max(load, BL_R(0));
    }
    if (bl_is_held(s, i)) to_speed = BL_R(0);
    bl_vec3 v = bl_v3_mad(bl_v3_get(s->v, i), to_speed, force);
    if (at_wall) {
        if (BL_FACT(s->par, exact_friction) && s->step->solve_pressure)
            s->f_fr[i] = bl_friction_exact(s, i, ph->mass, v);
        v = bl_v3_mad(v, to_speed, s->f_fr[i]);
    }
    bl_v3_set(s->v_next, i, v);
    bl_v3_set(s->x_next, i, bl_v3_mad(bl_v3_get(s->x, i), s->step->dt, v));
}
BL_FN void bl_predict_with(const bl_view *s, bl_index i, bl_vec3 fluid) {
    bl_predict_of(s, i, &s->fluids[BL_PHASE(s, i)], bl_contacts(s, i) > 0, fluid);
}
/* Pass: the same with its own sum. */
BL_FN void bl_pass_predict(const bl_view *s, bl_index i) { bl_predict_with(s, i, bl_pressure_force_fluid(s, i, NULL)); }

/* The friction part of a Jacobi step (eq. 18c): change to *r, residual (eq. 27) returned. Nothing to do where the
 * friction of the present p is known exactly. */
BL_FN real bl_friction_step(const bl_view *s, bl_index i, real mass, bl_vec3 *r) {
    BL_CONST const bl_params *par = s->par;
    *r = bl_v3_zero();
    if (BL_FACT(par, exact_friction) || !bl_feels_friction(s, i)) return BL_R(0);
    real limit = bl_friction_limit(s, i);
    bl_vec3 f = s->f_fr[i];
    bl_vec3 target = bl_v3_scale(-bl_alpha_friction(s, mass, s->wall_w[i]), bl_wall_slip(s, i, s->v_next[i]));
    target = bl_coulomb(target, limit);
    bl_vec3 next = bl_coulomb(bl_v3_mad(f, par->relaxation, target), limit);
    *r = bl_v3_sub(next, f);
    return bl_v3_norm(bl_v3_sub(f, bl_coulomb(bl_v3_add(f, target), limit)));
}

/* Residuals of the present unknowns and the change that one Jacobi iteration makes (eqs. 18, 41), from the sums over
 * fluid: the rate of the volume and the tension force. Pressure and tension are looked at if they are solved for. */
BL_FN void bl_residual_of(const bl_view *s, bl_index i, BL_CONST const bl_phase_params *ph, int at_wall, int pressure,
                          int tension, real fluid_rate, bl_vec3 fluid_tension) {
    BL_CONST const bl_params *par = s->par;
    real to_displacement = s->step->dt * s->step->dt * ph->inv_mass / par->h;
    real r_p = BL_R(0), e_v = BL_R(0), e_st = BL_R(0), e_fr = BL_R(0);
    bl_vec3 r_st = bl_v3_zero(), r_fr = bl_v3_zero();
    if (pressure) {
        real p = s->p[i];
        e_v = bl_volume_error_of(s, i, at_wall, fluid_rate);
        r_p = bl_max(BL_R(0), p - par->relaxation * s->alpha_p[i] * e_v) - p;
    }
    if (tension) {
        bl_vec3 r = bl_v3_sub(bl_tension_of(s, i, at_wall, fluid_tension), bl_v3_get(s->f_st, i));
        e_st = to_displacement * bl_v3_norm(r);
        r_st = bl_v3_scale(par->relaxation * s->steer->alpha_st, r);
    }
    s->r_p[i] = r_p, s->e_v[i] = e_v, s->e_st[i] = e_st;
    bl_v3_set(s->r_st, i, r_st);
    if (at_wall && bl_contacts(s, i)) { /* friction of others is not looked at */
        if (pressure) e_fr = to_displacement * bl_friction_step(s, i, ph->mass, &r_fr);
        s->e_fr[i] = e_fr;
        if (!BL_FACT(par, exact_friction)) s->r_fr[i] = r_fr;
    }
}
BL_FN void bl_residual_with(const bl_view *s, bl_index i, real fluid_rate, bl_vec3 fluid_tension) {
    bl_residual_of(s, i, &s->fluids[BL_PHASE(s, i)], 1, s->step->solve_pressure, s->step->solve_tension, fluid_rate,
                   fluid_tension);
}

/* Pass: the same with its own sums. */
BL_FN void bl_pass_residual(const bl_view *s, bl_index i) {
    bl_residual_with(s, i, s->step->solve_pressure ? bl_volume_rate_fluid(s, i) : BL_R(0),
                     s->step->solve_tension ? bl_tension_fluid(s, i, NULL) : bl_v3_zero());
}

/* Pass: x <- x + r + beta d, d <- beta d + r (algorithm 5; beta = 0 restarts). p stays >= 0 and friction in its cone.
 * Also forms the products that neighbours read. */
BL_FN void bl_pass_update(const bl_view *s, bl_index i) {
    real d_p = s->r_p[i] + s->steer->beta_p * s->d_p[i];
    bl_vec3 d_st = bl_v3_mad(s->r_st[i], s->steer->beta_st, s->d_st[i]);
    s->d_p[i] = d_p, s->d_st[i] = d_st;
    s->p[i] = bl_max(BL_R(0), s->p[i] + d_p);
    s->f_st[i] = bl_v3_add(s->f_st[i], d_st);
    if (!BL_FACT(s->par, exact_friction) && bl_contacts(s, i)) {
        bl_vec3 d_fr = bl_v3_mad(s->r_fr[i], s->steer->beta_fr, s->d_fr[i]);
        s->d_fr[i] = d_fr;
        s->f_fr[i] = bl_coulomb(bl_v3_add(s->f_fr[i], d_fr), bl_friction_limit(s, i));
    }
    bl_pass_pressure_products(s, i);
}

/* Passes around the relaxing of a filling: stop and remember the velocity (in the viscosity solver's room), stop again
 * after every step, set off. */
BL_FN void bl_pass_hold(const bl_view *s, bl_index i) {
    s->vis_k[i] = s->v[i];
    s->v[i] = bl_v3_zero();
}
BL_FN void bl_pass_stop(const bl_view *s, bl_index i) { s->v[i] = s->a[i] = bl_v3_zero(); }
BL_FN void bl_pass_let_go(const bl_view *s, bl_index i) { s->v[i] = s->vis_k[i]; }

/* Pass: the end of a step. */
BL_FN void bl_pass_integrate(const bl_view *s, bl_index i) {
    bl_vec3 v = s->v_next[i]; /* the same array as s->a */
    s->a[i] = bl_v3_scale(BL_R(1) / s->step->dt, bl_v3_sub(v, s->v[i]));
    s->v[i] = v;
    s->x[i] = s->x_next[i];
    s->f_n[i] = bl_v3_scale(s->load[i], s->wall_n[i]);
}

/* Virials of pressure and tension over dim V0, with the forces and the positions they acted at; given are those of the
 * fluid, half of sum x_ij.F_ij. */
BL_FN void bl_virial_with(const bl_view *s, bl_index i, real pressure, real tension) {
    BL_CONST const bl_params *par = s->par;
    real scale = BL_R(1) / ((real)BL_FACT(par, dimension) * par->v0);
    if (s->fb.all[i]) {
        real walls;
        bl_tension_walls(s, i, &walls);
        tension += walls;
    }
    s->virial_p[i] = scale * pressure;
    s->virial_st[i] = scale * tension;
}
/* Pass: the same with its own sums. */
BL_FN void bl_pass_virial(const bl_view *s, bl_index i) {
    real pressure, tension;
    bl_pressure_force_fluid(s, i, &pressure);
    bl_tension_fluid(s, i, &tension);
    bl_virial_with(s, i, pressure, tension);
}

#endif
