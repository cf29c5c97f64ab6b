/* Predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009) with walls of Akinci et al. 2012: density,
 * pressure, viscosity (docs/theory/pcisph.md). All kernels are cubic splines of support 2d, d the spacing.
 *
 * Every particle of liquid has the rest volume V0 = d^dim, whatever its density, and a wall's has V_b. Densities are
 * therefore sums of volumes (Solenthaler and Pajarola 2008), which for a single liquid is the sum of masses. */
#ifndef BL_PHYSICS_PCISPH_H
#define BL_PHYSICS_PCISPH_H

#include "physics/gather.h"

/* What the passes of a step see. Arrays are the store's or scratch of the step. */
typedef struct bl_pcisph {
    bl_params par; /* dimension, period, h, v0, near, n_phases */
    bl_list ff, fb;
    bl_index count;
    real dt, gravity[3];
    real stiffness;       /* w delta/rho0: pressure that a unit of volume error adds, over the density */
    real warm;            /* share of the last pressure that a step starts from */
    int viscid;           /* liquids have a viscosity */
    real artificial;      /* alpha h c_s of the artificial viscosity; 0: the physical one */
    real cohesion, bend;  /* akinci2013: gamma m^2 and gamma m with all constants */
    real inv_reach;       /* yang2016: 1/H */
    const real *mass;     /* of each phase */
    const real *density0; /* rest densities of them */
    const real *viscous;  /* of each pair of phases: coefficient of the physical viscosity */
    const real *pull;     /* yang2016: of each pair of phases, newtons */
    const real *b_pull;   /* of each wall and phase: newtons for V_b = 1 */
    const real *b_drag;   /* of each wall and phase: coefficient of viscosity for V_b = 1 */
    const bl_vec3 *x, *v, *b_x, *b_x_next, *b_v;
    const real *b_volume;
    const uint32_t *phase, *b_body, *held;
    bl_vec3 *x_next, *v_next;
    bl_vec4 *x_p;                /* positions at t and the pressures */
    real *p, *fill, *density;    /* fill: density over rest density at t, ... */
    real *lightest;              /* rest density of the lightest liquid around it */
    real *error;                 /* ... and less 1 of the prediction, beyond ... */
    real *excess;                /* ... what this step leaves of an overlap */
    real mend;                   /* and mends of it */
    bl_vec3 *normal;             /* n of akinci2013 */
    bl_vec3 *a_fixed, *a_solved; /* accelerations that iterations do not change, and that they do */
} bl_pcisph;

/* What belongs to the pair of particle i and neighbour j in a table of phases. */
BL_FN real bl_of_phases(const bl_pcisph *s, const real *table, bl_index i, bl_index j) {
    return s->par.n_phases > 1 ? table[s->phase[i] * (uint32_t)s->par.n_phases + s->phase[j]] : table[0];
}
/* ... and to that of i and particle b of a wall. */
BL_FN real bl_of_wall(const bl_pcisph *s, const real *table, bl_index i, bl_index b) {
    return table[s->b_body[b] * (uint32_t)s->par.n_phases + s->phase[i]];
}

/* Density over rest density: V0 sum W_ij over fluid, the particle itself included, at positions `x`, and sum V_b W_ib
 * over walls at `b_x`. */
BL_FN real bl_pcisph_fill(const bl_pcisph *s, bl_index i, const bl_vec3 *x, const bl_vec3 *b_x) {
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
        BL_FOR_LANES(l) wall[l] += p.on[l] * s->b_volume[p.j[l]] * bl_kernel_shape(s->par.near, p.r[l]);
    }
    return s->par.near.norm * (s->par.v0 * (BL_R(1) + bl_lane_sum(sum)) + bl_lane_sum(wall));
}

/* Pressure: -V0^2 sum_j (p_i + p_j) grad W - V0 p_i sum_b V_b grad W, which is -m^2 (p_i + p_j)/rho0^2 for one liquid;
 * the part of walls also to *wall. */
BL_FN bl_vec3 bl_pcisph_pressure(const bl_pcisph *s, bl_index i, bl_vec3 *wall) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, pj[BL_LANES];
    const bl_vec3 xi = s->x[i];
    const real pi = s->p[i], scale = -s->par.v0 * s->par.near.grad_norm;
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather4(&s->par, &s->ff, i, k0, n, xi, s->x_p, &p, pj);
        BL_FOR_LANES(l) {
            real c = p.on[l] * (pi + pj[l]) * bl_kernel_slope(s->par.near, p.r[l]);
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    const bl_vec3 fluid = bl_v3_scale(scale * s->par.v0, bl_lane_sum3(fx, fy, fz));
    *wall = bl_v3_zero();
    n = s->fb.near[i];
    if (n == 0 || pi == BL_R(0)) return fluid;
    for (int l = 0; l < BL_LANES; ++l) fx[l] = fy[l] = fz[l] = BL_R(0);
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->fb, i, k0, n, xi, s->b_x, &p);
        BL_FOR_LANES(l) {
            real c = p.on[l] * s->b_volume[p.j[l]] * bl_kernel_slope(s->par.near, p.r[l]);
            fx[l] += c * p.d.x[l], fy[l] += c * p.d.y[l], fz[l] += c * p.d.z[l];
        }
    }
    *wall = bl_v3_scale(scale * pi, bl_lane_sum3(fx, fy, fz));
    return bl_v3_add(fluid, *wall);
}

/* 2 rho0/(rho_i + rho_j) (eq. 4 of Akinci et al. 2013) from densities over rest densities. */
BL_FN real bl_deficiency(real fill_i, real fill_j) { return BL_R(2) / (fill_i + fill_j); }

/* Pair coefficient of the physical viscosity: the force is coeff (v_ij.x_ij) x_ij; Monaghan's central form
 * 2 (dim + 2) mu V_i V_j (v_ij.x_ij)/(|x_ij|^2 + 0.01 d^2) grad W_ij, with the constants in `coefficient`. */
BL_FN real bl_pcisph_viscous_pair(const bl_pcisph *s, real coefficient, real r) {
    return coefficient * bl_kernel_slope(s->par.near, r) / (r * r + BL_R(0.01) * s->par.h * s->par.h);
}
/* Artificial viscosity -m_i m_j Pi grad W, Pi = -nu min(v_ij.x_ij, 0)/(|x_ij|^2 + 0.01 H^2), H = 2d, over the number
 * v_ij.x_ij, here `approach`; m_i m_j nu is `strength`. */
BL_FN real bl_artificial_pair(const bl_pcisph *s, real strength, real approach, real r) {
    return (approach < BL_R(0) ? strength : BL_R(0)) * s->par.near.grad_norm * bl_kernel_slope(s->par.near, r) /
           (r * r + BL_R(0.04) * s->par.h * s->par.h);
}

/* m_i m_j nu K_ij of a pair, nu = 2 alpha h c_s/(rho_i + rho_j). */
BL_FN real bl_artificial_strength(const bl_pcisph *s, bl_index i, bl_index j) {
    const real k = bl_deficiency(s->fill[i], s->fill[j]), rho = s->density[i] + s->density[j];
    return s->mass[s->phase[i]] * s->mass[s->phase[j]] * BL_R(2) * s->artificial / rho * k;
}

/* Viscosity of the other particles. */
BL_FN bl_vec3 bl_pcisph_viscosity_fluid(const bl_pcisph *s, bl_index i) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, c[BL_LANES];
    const bl_vec3 xi = s->x[i], vi = s->v[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 u;
        bl_gather(&s->par, &s->ff, i, k0, n, xi, s->x, &p);
        bl_difference3(vi, s->v, p.j, &u);
        if (s->artificial > BL_R(0))
            for (int l = 0; l < BL_LANES; ++l) c[l] = p.on[l] * bl_artificial_strength(s, i, p.j[l]);
        else
            for (int l = 0; l < BL_LANES; ++l) c[l] = p.on[l] * bl_of_phases(s, s->viscous, i, p.j[l]);
        BL_FOR_LANES(l) {
            real along = u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l];
            real pair = s->artificial > BL_R(0) ? bl_artificial_pair(s, c[l], along, p.r[l])
                                                : bl_pcisph_viscous_pair(s, c[l], p.r[l]);
            fx[l] += pair * along * p.d.x[l], fy[l] += pair * along * p.d.y[l], fz[l] += pair * along * p.d.z[l];
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}

/* The same, of walls; the artificial one has nu_b = alpha h c_s/(2 rho_i) and Psi_b = rho0 V_b for a mass. */
BL_FN bl_vec3 bl_pcisph_viscosity_walls(const bl_pcisph *s, bl_index i) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, c[BL_LANES];
    const bl_vec3 xi = s->x[i], vi = s->v[i];
    const real own =
        s->artificial > BL_R(0) ? s->mass[s->phase[i]] * bl_deficiency(s->fill[i], s->fill[i]) / s->fill[i] : BL_R(1);
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 u;
        bl_gather(&s->par, &s->fb, i, k0, n, xi, s->b_x, &p);
        bl_difference3(vi, s->b_v, p.j, &u);
        for (int l = 0; l < BL_LANES; ++l)
            c[l] = p.on[l] * own * s->b_volume[p.j[l]] * bl_of_wall(s, s->b_drag, i, p.j[l]);
        BL_FOR_LANES(l) {
            real along = u.x[l] * p.d.x[l] + u.y[l] * p.d.y[l] + u.z[l] * p.d.z[l];
            real pair = s->artificial > BL_R(0) ? bl_artificial_pair(s, c[l], along, p.r[l])
                                                : bl_pcisph_viscous_pair(s, c[l], p.r[l]);
            fx[l] += pair * along * p.d.x[l], fy[l] += pair * along * p.d.y[l], fz[l] += pair * along * p.d.z[l];
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

/* The least rest density of i and its neighbours: these are what its pressure moves, in a full template. */
BL_FN real bl_pcisph_lightest(const bl_pcisph *s, bl_index i) {
    real least = s->density0[s->phase[i]];
    if (s->par.n_phases < 2) return least;
    for (bl_index k = 0; k < s->ff.near[i]; ++k)
        least = bl_min(least, s->density0[s->phase[bl_neighbour(&s->ff, i, k)]]);
    return least;
}

/* p <- max(0, p + w delta (rho* - rho0)) */
BL_FN void bl_pcisph_correct(const bl_pcisph *s, bl_index i) {
    s->p[i] = bl_max(BL_R(0), s->p[i] + s->stiffness * s->lightest[i] * s->error[i]);
    s->x_p[i].w = s->p[i];
}

#endif
