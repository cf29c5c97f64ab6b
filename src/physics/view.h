/* What a pass sees: parameters, neighbour lists and every particle array (fluid by name, boundary with b_ in front).
 * On the CPU the pointers are the store's; in an OpenCL kernel they are set from the kernel's arguments. */
#ifndef BL_PHYSICS_VIEW_H
#define BL_PHYSICS_VIEW_H

#include "particles/fields.h"
#include "physics/common.h"
#include "physics/kernel.h"

enum { BL_MAX_PHASES = 16 };

/* Constants of one fluid during a step. Energies a0_* are rest area times surface energy density (J). friction < 0:
 * that of the wall. */
typedef struct bl_phase_params {
    real mass, inv_mass, density, viscosity;
    real a0_fv, a0_ff, a0_fb;
    real a0_surface; /* of a particle at a surface, whatever the tension comes from: what friction measures rest by */
    real friction;
} bl_phase_params;

/* Constants of one boundary body during a step. viscosity < 0: the fluid's own. */
typedef struct bl_body_params {
    real a0_bv, a0_bf, friction, viscosity;
    real line_pull; /* gamma sin(theta): how strongly a contact line pulls at the wall (N/m) */
    int closed;     /* of several layers: goes on behind them */
    real behind;    /* what a half-space of layers is to a particle of liquid on it over what the first of them is */
    real open;      /* C_BV of a dry wall, summed over its layers */
    real deep;      /* what wetting all layers gains over what wetting the first gains */
} bl_body_params;

/* Constants of a run: first the facts, in the order of BL_FACTS, then nothing but numbers. The OpenCL backend writes
 * them into the source of its kernels (backends/opencl/known.c). */
typedef struct bl_params {
    int dimension, n_phases;
    int corrected;      /* the free-surface-corrected volume constraint */
    int pairwise;       /* S = 1: the pairwise model, for comparison */
    int exact_friction; /* friction in closed form; 0: iterated like the other forces */
    int periodic;
    int nozzles;                   /* there are emitters, so particles may be held */
    int field;                     /* the tension is that of a field */
    int steady;                    /* bl_phase_params are constants of the run, too; 0: keyframes change them */
    real period[3], inv_period[3]; /* 0 where not periodic */
    real h, v0;                    /* spacing, rest volume */
    bl_kernel near, far;           /* of pressure and friction, of tension and viscosity */
    real eps;                      /* of the smoothed maximum (eq. 9) */
    real packing;                  /* of C_FV that is no surface (physics/calibration.h) */
    real g_support;                /* H of the constraint's offset measure: the near support */
    real g_k, g_f, g_d;            /* constants of the corrected constraint */
    real share;                    /* of a compression that one step mends */
    real relaxation;
    real hessian_factor; /* safety on the Hessian in eq. 34b */
} bl_params;

/* What may be another in every step. */
typedef struct bl_step_params {
    int solve_pressure, solve_tension; /* 0: frozen (the separated orders) */
    real dt;
    real kick[3];     /* velocity that gravity adds in this step */
    real correction;  /* largest displacement, in spacings, that mends a volume error in one step */
    real warm_share;  /* of the last pressure in the mean that a solve starts from */
    real core_radius; /* within which the core pressure is taken */
} bl_step_params;

/* Members of bl_params that a device's compiler is told as macros: it leaves out what cannot happen. BL_PHASE is the
 * phase of particle j. */
#define BL_FACTS(X)                                                                                                    \
    X(dimension) X(n_phases) X(corrected) X(pairwise) X(exact_friction) X(periodic) X(nozzles) X(field) X(steady)
#ifdef BL_KNOWN
#define BL_FACT(par, name) BL_FACT_##name
#define BL_PHASE(s, j) (BL_FACT_n_phases > 1 ? (s)->phase[j] : 0u)
#else
#define BL_FACT(par, name) ((par)->name)
#define BL_PHASE(s, j) ((s)->phase[j])
#endif

/* When a solve ends. */
typedef struct bl_goal {
    int nncg, paper; /* accelerated; the paper's criterion */
    int min_iterations, max_iterations;
    double volume, tension, friction; /* tolerances; of the viscosity and of the paper's criterion: the first */
} bl_goal;

/* What a solve finds out on its way (physics/steer.h). While `done` is set, passes do nothing: whoever asks for more of
 * them before he knows gets what one who waited would have got. */
typedef struct bl_steer {
    int done, iterations, started;
    int no_lists;                  /* on a device: a search has to be made again, and who could not wait for it stops */
    real diagonal_min;             /* a pressure with a smaller diagonal is not solved for */
    real alpha_st;                 /* step size of the tension (eq. 34a) */
    real beta_p, beta_st, beta_fr; /* NNCG */
    real vis_alpha, vis_beta;      /* conjugate gradients */
    real core_center[3];           /* where the core pressure is taken: the centre of mass */
    double norm_p, norm_st, norm_fr, vis_rz, vis_limit;
    bl_goal goal;
} bl_steer;

typedef struct bl_view {
    BL_CONST const bl_params *par;
    BL_CONST const bl_phase_params *fluids; /* of every phase */
    BL_CONST const bl_step_params *step;
    BL_GLOBAL const bl_steer *steer;
    BL_GLOBAL const bl_body_params *bodies;
    bl_index body_count, fluid_count, boundary_count, active_count;
    BL_GLOBAL const bl_index *active; /* boundary particles near fluid */
    bl_list ff, fb, bf, bb;
#ifndef __OPENCL_C_VERSION__
    bl_list
        groups; /* fluid neighbours of groups of particles (neighbours/groups.h), in place of ff; index NULL: none */
#endif
#define X(type, name, flags, unit, doc) BL_GLOBAL type *name;
    BL_FLUID_FIELDS(X)
#undef X
#define X(type, name, of, unit, doc) BL_GLOBAL type *name;
    BL_FLUID_SHARED(X)
#undef X
#define X(type, name, flags, unit, doc) BL_GLOBAL type *b_##name;
    BL_BOUNDARY_FIELDS(X)
#undef X
} bl_view;

/* A particle in a nozzle: pressure acts on others through it as if its mass had no bounds. */
BL_FN int bl_is_held(const bl_view *s, bl_index i) { return BL_FACT(s->par, nozzles) && s->held[i] != 0; }

#endif
