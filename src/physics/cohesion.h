/* Pair forces that make surface tension and adhesion: those of Akinci et al. 2013 (cohesion, curvature, adhesion) and
 * of Yang et al. 2016 (one cosine for all). Equation numbers are the papers'; docs/theory/pcisph.md. */
#ifndef BL_PHYSICS_COHESION_H
#define BL_PHYSICS_COHESION_H

#include "physics/pcisph.h"

/* --- shapes, of q = r over the support --- */

/* C of eq. (2), over 32/(pi h^3): attraction beyond q = 0.273, repulsion below. */
BL_FN real bl_cohesion_shape(real q) {
    real a = bl_max(BL_R(1) - q, BL_R(0)) * q, t = a * a * a;
    return q > BL_R(0.5) ? t : BL_R(2) * t - BL_R(0.015625);
}
/* A of eq. (7), over 0.007 2^(1/4)/h^3: the radicand is 2h (1 - q)(2q - 1), which rounding must not make negative. */
BL_FN real bl_adhesion_shape(real q) {
    return BL_SQRT(BL_SQRT(bl_max((BL_R(1) - q) * (BL_R(2) * q - BL_R(1)), BL_R(0))));
}
/* -cos(3 pi q/2) of eq. (4) of Yang et al.: attraction beyond q = 1/3, zero from q = 1 on. By cos 3t = 4 cos^3 t - 3
 * cos t, and the series of cos t up to t = pi/2, which is 7e-11 off at most. */
BL_FN real bl_cosine_shape(real q) {
    real t = BL_R(1.5707963267948966) * bl_min(q, BL_R(1)), u = t * t;
    real c =
        BL_R(1) -
        u * (BL_R(1.0 / 2) -
             u * (BL_R(1.0 / 24) -
                  u * (BL_R(1.0 / 720) -
                       u * (BL_R(1.0 / 40320) -
                            u * (BL_R(1.0 / 3628800) - u * (BL_R(1.0 / 479001600) - u * BL_R(1.0 / 87178291200.0)))))));
    return c * (BL_R(3) - BL_R(4) * c * c);
}

/* Attraction by a factor over r; particles at one place have no direction. */
BL_FN real bl_over(real f, real r, real h) { return f / bl_max(r, BL_R(1e-6) * h); }

/* --- akinci2013 --- */

/* n_i = h sum_j m_j/rho_j grad W_ij over fluid: it points inwards. */
BL_FN bl_vec3 bl_cohesion_normal(const bl_pcisph *s, bl_index i) {
    real nx[BL_LANES] = {0}, ny[BL_LANES] = {0}, nz[BL_LANES] = {0}, fill[BL_LANES];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->ff, i, k0, n, s->x[i], s->x, &p);
        for (int l = 0; l < BL_LANES; ++l) fill[l] = s->fill[p.j[l]];
        BL_FOR_LANES(l) {
            real c = p.on[l] * bl_kernel_slope(s->par.near, p.r[l]) / fill[l];
            nx[l] += c * p.d.x[l], ny[l] += c * p.d.y[l], nz[l] += c * p.d.z[l];
        }
    }
    return bl_v3_scale(s->par.v0 * s->par.near.grad_norm / s->par.near.inv_support, bl_lane_sum3(nx, ny, nz));
}

/* How far i is at a free surface, 0 to 1: |n| with walls for fluid, which is 1 at a flat surface of a lattice. */
BL_FN real bl_surface_share(const bl_pcisph *s, bl_index i, bl_vec3 normal) {
    real nx[BL_LANES] = {0}, ny[BL_LANES] = {0}, nz[BL_LANES] = {0};
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->fb, i, k0, n, s->x[i], s->b_x, &p);
        BL_FOR_LANES(l) {
            real c = p.on[l] * s->b_volume[p.j[l]] * bl_kernel_slope(s->par.near, p.r[l]);
            nx[l] += c * p.d.x[l], ny[l] += c * p.d.y[l], nz[l] += c * p.d.z[l];
        }
    }
    real scale = s->par.near.grad_norm / s->par.near.inv_support;
    return bl_min(BL_R(1), bl_v3_norm(bl_v3_mad(normal, scale, bl_lane_sum3(nx, ny, nz))));
}

/* Cohesion and curvature (eqs. 1, 3, 5). The masses of a pair are equal, so it conserves momentum. *virial:
 * sum of x_ij.f_ij/2. */
BL_FN bl_vec3 bl_cohesion_force(const bl_pcisph *s, bl_index i, real *virial) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, vir[BL_LANES] = {0}, fill[BL_LANES];
    const bl_vec3 ni = s->normal[i];
    const real own = s->fill[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_lanes3 u;
        bl_gather(&s->par, &s->ff, i, k0, n, s->x[i], s->x, &p);
        bl_difference3(ni, s->normal, p.j, &u);
        for (int l = 0; l < BL_LANES; ++l) fill[l] = s->fill[p.j[l]];
        BL_FOR_LANES(l) {
            real k = p.on[l] * bl_deficiency(own, fill[l]), curve = s->bend * k;
            real pull = bl_cohesion_shape(p.r[l] * s->par.near.inv_support);
            real c = s->cohesion * k * bl_over(pull, p.r[l], s->par.h);
            real ax = c * p.d.x[l] + curve * u.x[l], ay = c * p.d.y[l] + curve * u.y[l],
                 az = c * p.d.z[l] + curve * u.z[l];
            vir[l] -= ax * p.d.x[l] + ay * p.d.y[l] + az * p.d.z[l];
            fx[l] -= ax, fy[l] -= ay, fz[l] -= az;
        }
    }
    *virial = BL_R(0.5) * bl_lane_sum(vir);
    return bl_lane_sum3(fx, fy, fz);
}

/* Adhesion (eq. 6). */
BL_FN bl_vec3 bl_adhesion_force(const bl_pcisph *s, bl_index i) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, pull[BL_LANES];
    bl_pairs p;
    bl_index n = s->fb.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->fb, i, k0, n, s->x[i], s->b_x, &p);
        for (int l = 0; l < BL_LANES; ++l)
            pull[l] = p.on[l] * s->b_volume[p.j[l]] * bl_of_wall(s, s->b_pull, i, p.j[l]);
        BL_FOR_LANES(l) {
            real c = pull[l] * bl_over(bl_adhesion_shape(p.r[l] * s->par.near.inv_support), p.r[l], s->par.h);
            fx[l] -= c * p.d.x[l], fy[l] -= c * p.d.y[l], fz[l] -= c * p.d.z[l];
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}

/* --- yang2016 --- */

/* Pair forces over the enlarged support at the predicted places, which stands for damping: at the places of now (or
 * along the lines between them, which would keep the angular momentum) they stir drops up that touch a wall. *virial as
 * above. */
BL_FN bl_vec3 bl_pairwise_fluid(const bl_pcisph *s, bl_index i, real *virial) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, vir[BL_LANES] = {0}, pull[BL_LANES];
    bl_pairs p;
    bl_index n = s->ff.all[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->ff, i, k0, n, s->x_next[i], s->x_next, &p);
        for (int l = 0; l < BL_LANES; ++l) pull[l] = p.on[l] * bl_of_phases(s, s->pull, i, p.j[l]);
        BL_FOR_LANES(l) {
            real f = pull[l] * bl_cosine_shape(p.r[l] * s->inv_reach);
            real c = bl_over(f, p.r[l], s->par.h);
            vir[l] -= f * p.r[l];
            fx[l] -= c * p.d.x[l], fy[l] -= c * p.d.y[l], fz[l] -= c * p.d.z[l];
        }
    }
    *virial = BL_R(0.5) * bl_lane_sum(vir);
    return bl_lane_sum3(fx, fy, fz);
}
BL_FN bl_vec3 bl_pairwise_walls(const bl_pcisph *s, bl_index i) {
    real fx[BL_LANES] = {0}, fy[BL_LANES] = {0}, fz[BL_LANES] = {0}, pull[BL_LANES];
    bl_pairs p;
    bl_index n = s->fb.all[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather(&s->par, &s->fb, i, k0, n, s->x_next[i], s->b_x_next, &p);
        for (int l = 0; l < BL_LANES; ++l)
            pull[l] = p.on[l] * s->b_volume[p.j[l]] * bl_of_wall(s, s->b_pull, i, p.j[l]);
        BL_FOR_LANES(l) {
            real c = pull[l] * bl_over(bl_cosine_shape(p.r[l] * s->inv_reach), p.r[l], s->par.h);
            fx[l] -= c * p.d.x[l], fy[l] -= c * p.d.y[l], fz[l] -= c * p.d.z[l];
        }
    }
    return bl_lane_sum3(fx, fy, fz);
}

#endif
