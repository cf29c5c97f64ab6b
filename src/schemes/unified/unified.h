/* Inside of the unified scheme.
 *
 *  one step:
 *    neighbours ─▶ gravity, viscosity ─▶ volume, walls, diagonals (alphas) ─▶ solve ─▶ virial, integrate ─▶ observe
 *                                                                    │
 *    solve:  ┌─▶ predict (forces, v_next) ─▶ interface (S) ─▶ residual ─▶ converged? ─▶ done
 *            └───────────────────── update (Jacobi or NNCG) ◀──────────── no
 *
 * The residual pass judges the unknowns that v_next was made from, so a converged iteration needs no further force
 * evaluation, and what is integrated is exactly what was judged. */
#ifndef BL_SCHEMES_UNIFIED_H
#define BL_SCHEMES_UNIFIED_H

#include "backends/backend.h"
#include "schemes/scheme.h"
#include "schemes/unified/field.h"
#include "schemes/unified/field_walls.h"
#include "schemes/unified/grip.h"

/* walls.c: energies of a wall of several layers (geometry.h) that continue the lattice of the liquid, in the
 * calibration `physical`. */
typedef struct bl_wall_energies {
    double behind; /* C_FB of liquid on a half-space over that of liquid on its first layer alone */
    double open;   /* C_BV of a dry wall, summed over its layers */
    double deep;   /* `dry` over what the first layer gains of it */
    double dry;    /* what the wall gains per area when it is wetted, for gamma_BV = 1 */
} bl_wall_energies;
void bl_wall_energies_init(int dimension, bl_kernel_family family, int layers, bl_wall_energies *out);
/* -gamma_BV dry/gamma for which a wet wall costs `share` gamma, once the liquid on it has relaxed. */
double bl_wall_repulsion(int dimension, bl_kernel_family family, double share);

typedef struct unified {
    bl_params par;
    bl_phase_params fluids[BL_MAX_PHASES];
    bl_step_params now;
    bl_body_params *bodies;
    bl_wall_energies *walls; /* of each boundary; where it has one layer `dry` is 0 and they are not used */
    bl_field *field;         /* the tension is its; NULL: that of particles */
    bl_field_walls field_walls;
    bl_grip *grip;   /* its load on walls */
    double *wetting; /* gamma cos(theta) of each boundary, for the field; and room for as many more */
    double energy_field;
    bl_view view;
    bl_steer steer;                                    /* on a device it has its own */
    double results[BL_RED_COUNT][BL_REDUCE_MAX_WIDTH]; /* of reductions on the CPU */
    double *sums;                     /* of the residuals, BL_RESIDUAL_WIDTH numbers an iteration of the last solve */
    int expected, expected_viscosity; /* iterations that the last solves took */
    int look_from;                    /* iteration at which a device is asked for the first time */
    double *history;                  /* 3 numbers an iteration of the last step */
    bool virials;                     /* of the forces of a solve are asked for */
    bool reactions;                   /* forces on the walls are asked for: some move by them */
    int history_count, history_capacity;
    bool bare_apart;            /* a device leaves out what walls have without liquid, ... */
    double (*bare)[2];          /* ... which is this, of each boundary, times a0_bv and a0_bf */
    double depth;               /* of the liquid along gravity, at the beginning of the step */
    double capillary_stiffness; /* largest A0 gamma/(A0_paper m): what limits the step */
} unified;

/* passes.c: one pass, several, or some with the reduction of what they wrote. While a solve is done they do nothing. */
void bl_unified_run(bl_world *world, unified *u, bl_pass_id pass);
void bl_unified_run_bundle(bl_world *world, unified *u, bl_bundle_id bundle);
void bl_unified_run_settled(bl_world *world, unified *u, bl_settled_id settled);
/* Reductions, by their bits: ask for them, then look at the answers. On a device the first answer waits, and brings all
 * that was asked for until then. */
void bl_unified_ask(bl_world *world, unified *u, uint64_t reductions);
void bl_unified_answer(bl_world *world, unified *u, bl_reduction_id reduction, double *out);
void bl_unified_reduce(bl_world *world, unified *u, bl_reduction_id reduction, double *out); /* both */
/* A solve is begun, asked after each iteration whether it is done (a device says so late: it is told to go on before
 * it is asked, and what is too much does nothing), and ended. */
void bl_unified_solve_begin(bl_world *world, unified *u, bl_goal goal, int expected);
/* All of it, from the pass `wall_share`, if it is to be run, to the reduction `finite`; false: not here. */
bool bl_unified_solve_at_once(bl_world *world, unified *u, bl_goal goal, bool share);
bool bl_unified_solve_done(bl_world *world, unified *u, int iteration);
void bl_unified_solve_end(bl_world *world, unified *u);
/* Asks for the log of as many iterations; what is run before it is looked at does not make it wait. */
void bl_unified_solve_fetch(bl_world *world, int queued);
/* Iterations of the solve; `logged`: their sums are in u->sums. */
int bl_unified_solve_iterations(bl_world *world, unified *u, int queued, bool logged);

/* setup.c: constants of the scene, constants of this step, pointers of the view. */
bl_status bl_unified_setup(bl_world *world, unified *u);
void bl_unified_clear(bl_world *world, unified *u); /* frees what it made */
/* The capillary limit of a step, s; INFINITY: none. */
double bl_unified_capillary_limit(const bl_world *world, void *state);
void bl_unified_set_step(bl_world *world, unified *u, double dt);
void bl_unified_bind(bl_world *world, unified *u);
/* Radius of a ball of all the liquid. */
double bl_unified_radius(const unified *u);

/* viscosity.c: returns the iterations of the implicit solver, 0 for none. */
int bl_unified_viscosity(bl_world *world, unified *u);

/* tension.c: the force of the field to f_st, if there is one; `turn` chooses the place of its lattice. */
bl_status bl_unified_field_start(bl_world *world, unified *u);
bl_status bl_unified_field_force(bl_world *world, unified *u, uint64_t turn);
/* Its load on liquid at walls, once it is known which is. */
bl_status bl_unified_field_load(bl_world *world, unified *u);
/* Its forces on walls, added to those of the liquid: also where no liquid is in reach of neighbour lists. */
void bl_unified_field_react(bl_world *world);

/* solver.c: pressure, tension and friction together (or in the separated orders). */
bl_status bl_unified_solve(bl_world *world, unified *u, bl_observation *report, bl_failure *failure);

/* observe.c */
void bl_unified_sum_bare(bl_world *world, unified *u); /* u->bare, from the sums of walls over each other */
void bl_unified_observe(bl_world *world, unified *u, bl_observation *report);
bl_status bl_unified_check_motion(bl_world *world, unified *u, bl_failure *failure);

#endif
