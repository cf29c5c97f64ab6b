/* Per-particle contributions to sums and extremes, in double. */
#ifndef BL_PHYSICS_REDUCTIONS_H
#define BL_PHYSICS_REDUCTIONS_H

#include "physics/tension.h"

BL_FN void bl_keep_max(double *a, double b) { *a = b > *a ? b : *a; }
BL_FN void bl_keep_min(double *a, double b) { *a = b < *a ? b : *a; }

BL_FN double bl_dot_double(bl_vec3 a, bl_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

BL_FN void bl_reduce_diagonal_p(const bl_view *s, bl_index i, double *acc) { bl_keep_max(acc, (double)s->alpha_p[i]); }
BL_FN void bl_reduce_alpha_st(const bl_view *s, bl_index i, double *acc) { bl_keep_min(acc, (double)s->alpha_st[i]); }

/* Sums over an iteration: residuals in their own scales, the paper's residual in SI, norms for NNCG. */
enum {
    BL_RES_COMPRESSION,
    BL_RES_VOLUME,
    BL_RES_TENSION,
    BL_RES_FRICTION,
    BL_RES_CONTACTS,
    BL_RES_TENSION_SI,
    BL_RES_FRICTION_SI,
    BL_RES_MOTION,
    BL_RES_NORM_P,
    BL_RES_NORM_ST,
    BL_RES_NORM_FR,
    BL_RESIDUAL_WIDTH
};
BL_FN void bl_reduce_residual(const bl_view *s, bl_index i, double *acc) {
    BL_CONST const bl_params *par = s->par;
    double to_force =
        (double)s->fluids[BL_PHASE(s, i)].mass * (double)par->h / ((double)s->step->dt * (double)s->step->dt);
    double e_st = (double)s->e_st[i];
    /* eq. 2 both ways: compressed, or expanding under pressure; signs are those of noise, so no branch asks for them */
    double step = (double)(par->relaxation * s->alpha_p[i]), r_p = (double)s->r_p[i], e_v = (double)s->e_v[i];
    acc[BL_RES_COMPRESSION] += 0.5 * (fabs(e_v) - e_v);
    acc[BL_RES_VOLUME] += step > 0.0 ? fabs(r_p) / step : 0.0;
    acc[BL_RES_TENSION] += e_st;
    acc[BL_RES_TENSION_SI] += to_force * e_st;
    acc[BL_RES_MOTION] += (double)(s->step->dt * bl_v3_norm(s->v_next[i]) / par->h);
    acc[BL_RES_NORM_P] += r_p * r_p;
    acc[BL_RES_NORM_ST] += bl_dot_double(s->r_st[i], s->r_st[i]);
    if (s->wall_w[i] > BL_R(0)) {
        double e_fr = (double)s->e_fr[i];
        acc[BL_RES_CONTACTS] += 1.0;
        acc[BL_RES_FRICTION] += e_fr;
        acc[BL_RES_FRICTION_SI] += to_force * e_fr;
        if (!BL_FACT(par, exact_friction)) acc[BL_RES_NORM_FR] += bl_dot_double(s->r_fr[i], s->r_fr[i]);
    }
}

/* Largest speed and acceleration, squared, of the state, and its extent. */
enum { BL_MOTION_SPEED, BL_MOTION_ACCELERATION, BL_MOTION_HIGHEST, BL_MOTION_LOWEST = 5, BL_MOTION_WIDTH = 8 };
BL_FN void bl_reduce_motion(const bl_view *s, bl_index i, double *acc) {
    bl_vec3 x = s->x[i];
    bl_keep_max(&acc[BL_MOTION_SPEED], (double)bl_v3_norm2(s->v[i]));
    bl_keep_max(&acc[BL_MOTION_ACCELERATION], (double)bl_v3_norm2(s->a[i]));
    bl_keep_max(&acc[BL_MOTION_HIGHEST], (double)x.x), bl_keep_max(&acc[BL_MOTION_LOWEST], -(double)x.x);
    bl_keep_max(&acc[BL_MOTION_HIGHEST + 1], (double)x.y), bl_keep_max(&acc[BL_MOTION_LOWEST + 1], -(double)x.y);
    bl_keep_max(&acc[BL_MOTION_HIGHEST + 2], (double)x.z), bl_keep_max(&acc[BL_MOTION_LOWEST + 2], -(double)x.z);
}

/* (p/rho)^4: its mean is the largest one of a column of liquid to the fourth over 5, whatever single particles have. */
BL_FN void bl_reduce_pressure(const bl_view *s, bl_index i, double *acc) {
    double p = (double)s->p[i] / (double)s->fluids[BL_PHASE(s, i)].density;
    acc[0] += p * p * (p * p);
}

/* Count of particles whose predicted velocity is not finite or carries them further than one spacing in a step. */
BL_FN void bl_reduce_finite(const bl_view *s, bl_index i, double *acc) {
    real reach = s->step->dt * bl_v3_norm(s->v_next[i]);
    acc[0] += reach <= s->par->h ? 0.0 : 1.0;
}

/* r.z, r.r and |M v|^2, the scale of the residual, of the viscosity solver, masses of 1e-12 kg and all: in double. */
enum { BL_VIS_RZ, BL_VIS_RR, BL_VIS_SCALE, BL_VIS_WIDTH };
BL_FN void bl_reduce_vis_rz(const bl_view *s, bl_index i, double *acc) {
    double m = (double)s->fluids[BL_PHASE(s, i)].mass;
    acc[BL_VIS_RZ] += bl_dot_double(s->vis_r[i], s->vis_z[i]);
    acc[BL_VIS_RR] += bl_dot_double(s->vis_r[i], s->vis_r[i]);
    acc[BL_VIS_SCALE] += m * m * bl_dot_double(s->v[i], s->v[i]);
}
BL_FN void bl_reduce_vis_dk(const bl_view *s, bl_index i, double *acc) {
    acc[0] += bl_dot_double(s->vis_d[i], s->vis_k[i]);
}

/* Mass, first moments, momenta. */
enum {
    BL_SUM_MASS,
    BL_SUM_CENTER,
    BL_SUM_MOMENTUM = BL_SUM_CENTER + 3,
    BL_SUM_ANGULAR = BL_SUM_MOMENTUM + 3,
    BL_SUM_KINETIC = BL_SUM_ANGULAR + 3,
    BL_SUM_FRICTION, /* vector */
    BL_SUM_LOAD = BL_SUM_FRICTION + 3,
    BL_SUM_COMPRESSION,
    BL_MOMENTUM_WIDTH
};
BL_FN void bl_reduce_momentum(const bl_view *s, bl_index i, double *acc) {
    BL_CONST const bl_phase_params *ph = &s->fluids[BL_PHASE(s, i)];
    double m = (double)ph->mass, excess = -(double)s->g_err[i];
    bl_vec3 x = s->x[i], v = s->v[i], f = s->f_fr[i];
    double p[3] = {m * (double)v.x, m * (double)v.y, m * (double)v.z};
    acc[BL_SUM_MASS] += m;
    acc[BL_SUM_CENTER] += m * (double)x.x;
    acc[BL_SUM_CENTER + 1] += m * (double)x.y;
    acc[BL_SUM_CENTER + 2] += m * (double)x.z;
    acc[BL_SUM_MOMENTUM] += p[0];
    acc[BL_SUM_MOMENTUM + 1] += p[1];
    acc[BL_SUM_MOMENTUM + 2] += p[2];
    acc[BL_SUM_ANGULAR] += (double)x.y * p[2] - (double)x.z * p[1];
    acc[BL_SUM_ANGULAR + 1] += (double)x.z * p[0] - (double)x.x * p[2];
    acc[BL_SUM_ANGULAR + 2] += (double)x.x * p[1] - (double)x.y * p[0];
    acc[BL_SUM_KINETIC] += 0.5 * (p[0] * (double)v.x + p[1] * (double)v.y + p[2] * (double)v.z);
    acc[BL_SUM_FRICTION] += (double)f.x;
    acc[BL_SUM_FRICTION + 1] += (double)f.y;
    acc[BL_SUM_FRICTION + 2] += (double)f.z;
    acc[BL_SUM_LOAD] += (double)s->load[i];
    acc[BL_SUM_COMPRESSION] += excess > 0.0 ? excess : 0.0;
}

/* Interface energies of fluid particles. */
enum { BL_ENERGY_FV, BL_ENERGY_FF, BL_ENERGY_FB, BL_ENERGY_WIDTH };
BL_FN void bl_reduce_energy(const bl_view *s, bl_index i, double *acc) {
    BL_CONST const bl_phase_params *ph = &s->fluids[BL_PHASE(s, i)];
    real eps = s->par->eps;
    acc[BL_ENERGY_FV] +=
        (double)ph->a0_fv * (double)(BL_FACT(s->par, pairwise) ? s->c_fv[i] : bl_smooth_max(s->c_fv[i], eps));
    acc[BL_ENERGY_FF] += (double)ph->a0_ff * (double)bl_smooth_max(s->c_ff[i], eps);
    acc[BL_ENERGY_FB] += (double)ph->a0_fb * (double)bl_smooth_max(s->c_fb[i], eps);
}
/* Of boundary particles: BV, BF. */
BL_FN void bl_reduce_energy_wall(const bl_view *s, bl_index b, double *acc) {
    bl_body_params body = s->bodies[s->b_body[b]];
    real share = s->b_share[b], eps = s->par->eps;
    real dry = bl_smooth_max(s->b_c_bv[b], eps) + bl_smooth_max(s->b_c_back[b], eps);
    real wet = bl_smooth_max(s->b_c_bf[b], eps) + bl_smooth_max(bl_boundary_wet_back(s, b), eps);
    acc[0] += (double)(share * body.a0_bv) * (double)dry;
    acc[1] += (double)(share * body.a0_bf) * (double)wet;
}

/* Largest speed squared and compression G - 1. */
BL_FN void bl_reduce_extremes(const bl_view *s, bl_index i, double *acc) {
    bl_keep_max(&acc[0], (double)bl_v3_norm2(s->v[i]));
    bl_keep_max(&acc[1], -(double)s->g_err[i]);
}

/* Both virials, and the count, of particles within core_radius of core_center. */
BL_FN void bl_reduce_core(const bl_view *s, bl_index i, double *acc) {
    BL_GLOBAL const real *c = s->steer->core_center;
    bl_vec3 d = bl_delta(s->par, s->x[i], bl_v3_make(c[0], c[1], c[2]));
    int in_core = bl_v3_norm(d) < s->step->core_radius;
    acc[0] += in_core ? (double)s->virial_p[i] + (double)s->virial_st[i] : 0.0;
    acc[1] += in_core ? 1.0 : 0.0;
}

#endif
