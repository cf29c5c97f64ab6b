/* What a pass sees: parameters, neighbour lists and every particle array (fluid by name, boundary with b_ in front).
 * On the CPU the pointers are the store's; in an OpenCL kernel they are set from the kernel's arguments. */
#ifndef BL_PHYSICS_VIEW_H
#define BL_PHYSICS_VIEW_H

#include "particles/fields.h"
#include "physics/common.h"
#include "physics/kernel.h"

enum { BL_MAX_PHASES = 16 };

/* Constants of one fluid during a step. Energies a0_* are rest area times surface energy density (J). */
typedef struct bl_phase_params {
    real mass, inv_mass, density, viscosity;
    real a0_fv, a0_ff, a0_fb;
} bl_phase_params;

/* Constants of one boundary body during a step. viscosity < 0: the fluid's own. */
typedef struct bl_body_params {
    real a0_bv, a0_bf, friction, viscosity;
} bl_body_params;

typedef struct bl_params {
    int dimension, n_phases;
    int corrected;                     /* the free-surface-corrected volume constraint */
    int pairwise;                      /* S = 1: the pairwise model, for comparison */
    int solve_pressure, solve_tension; /* 0: frozen (the separated orders) */
    int periodic;
    real period[3], inv_period[3]; /* 0 where not periodic */
    real h, v0;                    /* spacing, rest volume */
    real dt;
    bl_kernel near, far; /* supports 2h and 3h */
    real eps;            /* of the smoothed maximum (eq. 9) */
    real g_support;      /* H of the constraint's offset measure: the near support */
    real g_k, g_f, g_d;  /* constants of the corrected constraint */
    real correction;     /* largest displacement, in spacings, that mends a volume error in one step */
    real relaxation, alpha_st;
    real hessian_factor;           /* safety on the Hessian in eq. 34b */
    real beta_p, beta_st, beta_fr; /* NNCG */
    real diagonal_min;             /* a pressure with a smaller diagonal is not solved for */
    real vis_alpha, vis_beta;
    bl_vec3 core_center; /* where the core pressure is taken */
    real core_radius;
    bl_phase_params phase[BL_MAX_PHASES];
} bl_params;

typedef struct bl_view {
    const bl_params *par;
    BL_GLOBAL const bl_body_params *bodies;
    bl_index fluid_count, boundary_count, active_count;
    BL_GLOBAL const bl_index *active; /* boundary particles near fluid */
    bl_list ff, fb, bf, bb;
#define X(type, name, flags, unit, doc) BL_GLOBAL type *name;
    BL_FLUID_FIELDS(X)
#undef X
#define X(type, name, flags, unit, doc) BL_GLOBAL type *b_##name;
    BL_BOUNDARY_FIELDS(X)
#undef X
} bl_view;

/* a - b, by the nearest image in periodic directions. */
BL_FN bl_vec3 bl_delta(const bl_params *par, bl_vec3 a, bl_vec3 b) {
    bl_vec3 d = bl_v3_sub(a, b);
    if (par->periodic) {
        d.x -= par->period[0] * BL_RINT(d.x * par->inv_period[0]);
        d.y -= par->period[1] * BL_RINT(d.y * par->inv_period[1]);
        d.z -= par->period[2] * BL_RINT(d.z * par->inv_period[2]);
    }
    return d;
}

/* The two loops of every neighbour sum: over blocks of a row, and over the lanes of a block. */
#define BL_FOR_BLOCKS(k0, n) for (bl_index k0 = 0; k0 < (n); k0 += BL_LANES)
#define BL_FOR_LANES(l) BL_SIMD for (int l = 0; l < BL_LANES; ++l)

/* A block of pairs: offsets x_i - x_j, distances, and `on` = 1, or 0 for lanes past the end of the row. */
typedef struct bl_pairs {
    real x[BL_LANES], y[BL_LANES], z[BL_LANES], r[BL_LANES], on[BL_LANES];
    bl_index j[BL_LANES];
} bl_pairs;

/* Neighbours k0 .. k0 + BL_LANES - 1 (at most n) of the row of i, with positions from `x`. */
BL_FN void bl_gather(const bl_params *par, const bl_list *list, bl_index i, bl_index k0, bl_index n, bl_vec3 xi,
                     BL_GLOBAL const bl_vec3 *x, bl_pairs *p) {
    for (int l = 0; l < BL_LANES; ++l) {
        bl_index k = k0 + (bl_index)l;
        bl_index j = bl_neighbour(list, i, k < n ? k : n - 1);
        bl_vec3 d = bl_delta(par, xi, x[j]);
        p->j[l] = j;
        p->on[l] = k < n ? BL_R(1) : BL_R(0);
        p->x[l] = d.x, p->y[l] = d.y, p->z[l] = d.z;
    }
    BL_FOR_LANES(l)
    p->r[l] = BL_SQRT(p->x[l] * p->x[l] + p->y[l] * p->y[l] + p->z[l] * p->z[l]);
}

#endif
