/* Inside of the schemes on predictive-corrective SPH: akinci2013 and yang2016 (docs/theory/pcisph.md).
 *
 *  one step:
 *    neighbours ─▶ density ─▶ fixed accelerations (gravity, viscosity; cohesion, curvature, adhesion of akinci2013)
 *      ─▶ solve ─▶ virials, integrate ─▶ observe
 *
 *    solve, from half of the last pressure (the papers: from p = 0):
 *      ┌─▶ predict x*, v* ─▶ density error at x* ─▶ small enough? ─▶ done
 *      └──── forces (pressure at x; pair forces of yang2016 at x*) ◀─ p += w delta error ◀─ no
 *
 * What is integrated is the prediction that was judged. Nothing but x, v, p and the acceleration that limits the
 * step survives one. */
#ifndef BL_SCHEMES_PCISPH_H
#define BL_SCHEMES_PCISPH_H

#include "physics/cohesion.h"
#include "schemes/scheme.h"

/* calibration.c: what the pair forces amount to, by integrals over a liquid of even density. Supports are 1 in what
 * follows, spacings 1/2; cohesion and curvature are the paper's in 3D, and carry the factor of `bl_flat_*` in 2D. */
typedef struct bl_pull_constants {
    double cohesion, curvature;           /* tension of a free surface over gamma rho0^2 h^2, gamma rho0 h^2 */
    double wall_cohesion, wall_curvature; /* the same at a wall, where K_ij = 1 */
    double flat_cohesion, flat_curvature; /* factors of 2D */
    double flat_adhesion;
} bl_pull_constants;
void bl_pull_constants_init(int dimension, bl_pull_constants *out);
/* Work of adhesion over beta rho0^2 h^2 of a wall of so many layers, whose particles have `volume` spacings^dim. */
double bl_adhesion_work(int dimension, int layers, double volume);
/* Tension over s rho0^2 H^(dim + 2), H = 2.8 d, and the share of a half-space's work that the layers have. */
double bl_pairwise_tension(int dimension);
double bl_pairwise_share(int dimension, int layers, double volume);
/* V_b of a flat layer of its own, in spacings^dim: 1/sum W. */
double bl_single_layer_volume(int dimension);

/* template.c: sums over the neighbours of a particle on a full lattice, spacing 1. */
typedef struct bl_template {
    double gradients;     /* sum |grad W|^2 */
    double viscosity;     /* of the pair sum over the viscosity asked for */
    double viscous_rate;  /* largest rate of decay over nu */
    double cohesion_rate; /* squares of the largest frequencies of pair forces, of unit coefficients */
    double curvature_rate;
    double pairwise_rate;
} bl_template;
void bl_template_init(int dimension, bl_template *out);

#define BL_PAIRWISE_REACH 2.8 /* H of yang2016, in spacings */
#define BL_WATER 1000.0       /* density at which the paper's cohesion and curvature have their proportion, kg/m^3 */

typedef enum bl_pcisph_method { BL_METHOD_AKINCI2013, BL_METHOD_YANG2016 } bl_pcisph_method;

typedef struct pcisph {
    bl_pcisph_method method;
    bl_neighbours *neighbours; /* with the reach of the method */
    bl_pull_constants pull;
    bl_template lattice;
    bl_pcisph view;
    double inv_delta;      /* 1/(delta dt^2) */
    double *wall_volume;   /* of each boundary: of its particles, in spacings^dim; 0 where the sampling says it */
    double *wall_work;     /* of each boundary: work of adhesion (akinci2013) or share of a half-space (yang2016) */
    real *b_pull, *b_drag; /* of each boundary and fluid */
    real *b_volume;        /* of each wall particle */
    real mass[BL_MAX_PHASES], density0[BL_MAX_PHASES];
    real viscous[BL_MAX_PHASES * BL_MAX_PHASES], pull_of[BL_MAX_PHASES * BL_MAX_PHASES]; /* of pairs of fluids */
    bl_vec3 *b_x_next;
    size_t walls;          /* room for them */
    double capillary_rate; /* square of the largest frequency of the pair forces */
    double viscous_rate;   /* largest rate of decay */
    double *history;
    int history_count, history_capacity;
} pcisph;

/* setup.c */
bl_status bl_pcisph_setup(bl_world *world, pcisph *s);
void bl_pcisph_clear(bl_world *world, pcisph *s);
void bl_pcisph_set_step(bl_world *world, pcisph *s, double dt);
/* material.c: coefficients at `time` from the scene. */
void bl_pcisph_set_material(bl_world *world, pcisph *s, double time);
/* Refuses what the methods do not know, warns about what they leave out. */
bl_status bl_pcisph_check_scene(bl_world *world, const char *name, int most_fluids);

/* passes.c: loops over all particles. */
typedef enum bl_pcisph_pass {
    BL_PCISPH_DENSITY,
    BL_PCISPH_NORMAL,
    BL_PCISPH_FIXED,
    BL_PCISPH_PREDICT,
    BL_PCISPH_ERROR,
    BL_PCISPH_CORRECT,
    BL_PCISPH_FORCE,
    BL_PCISPH_PASSES
} bl_pcisph_pass;
void bl_pcisph_run(bl_world *world, pcisph *s, bl_pcisph_pass pass);

/* step.c: neighbours and scratch of the step (the caller's mark of the arena), then the constants of the step, then the
 * prediction, then x, v and a of the store. */
bl_status bl_pcisph_begin(bl_world *world, pcisph *s);
bl_status bl_pcisph_solve(bl_world *world, pcisph *s, bl_observation *report, bl_failure *failure);
void bl_pcisph_integrate(bl_world *world, pcisph *s);

/* observe.c: from the forces before particles move, and from the new state. */
void bl_pcisph_observe_forces(bl_world *world, pcisph *s, bl_observation *report);
void bl_pcisph_observe(bl_world *world, pcisph *s, bl_observation *report);
bl_status bl_pcisph_check_motion(bl_world *world, pcisph *s, bl_failure *failure);

#endif
