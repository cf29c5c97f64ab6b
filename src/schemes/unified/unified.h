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

/* walls.c: energies per area of a wall of several layers (geometry.h) that continue the lattice of the liquid, in the
 * calibration `physical`. `dry`: what it gains when it is wetted, for gamma_BV = 1. `wet`: what it costs then for
 * gamma_BF = 1, and `free`: what the liquid's own surface costs over gamma, when the liquid is lifted off by 0, 0.02 h,
 * 0.04 h, ... */
enum { BL_WALL_GAPS = 101 };
typedef struct bl_wall_energies {
    double dry, wet[BL_WALL_GAPS], free[BL_WALL_GAPS];
} bl_wall_energies;
void bl_wall_energies_init(int dimension, int layers, bl_wall_energies *out);
/* gamma_BF/gamma for which a wet wall costs `share` gamma, at most 2: it lifts the liquid off far enough then. */
double bl_wall_repulsion(const bl_wall_energies *e, double share);

typedef struct unified {
    bl_params par;
    bl_body_params *bodies;
    bl_wall_energies *walls; /* of each boundary; where it has one layer `dry` is 0 and they are not used */
    bl_view view;
    double *history; /* 3 numbers an iteration of the last step */
    int history_count, history_capacity;
    double capillary_stiffness; /* largest A0 gamma/(A0_paper m): what limits the step */
} unified;

/* One pass or reduction over the world. */
void bl_unified_run(bl_world *world, unified *u, bl_pass_id pass);
void bl_unified_reduce(bl_world *world, unified *u, bl_reduction_id reduction, double *out);

/* setup.c: constants of the scene, constants of this step, pointers of the view. */
bl_status bl_unified_setup(bl_world *world, unified *u);
/* The capillary limit of a step, s; INFINITY: none. */
double bl_unified_capillary_limit(const bl_world *world, void *state);
void bl_unified_set_step(bl_world *world, unified *u, double dt);
void bl_unified_bind(bl_world *world, unified *u);

/* viscosity.c: returns the iterations of the implicit solver, 0 for none. */
int bl_unified_viscosity(bl_world *world, unified *u);

/* solver.c: pressure, tension and friction together (or in the separated orders). */
bl_status bl_unified_solve(bl_world *world, unified *u, bl_observation *report, bl_failure *failure);

/* observe.c */
void bl_unified_observe(bl_world *world, unified *u, bl_observation *report);
bl_status bl_unified_check_motion(bl_world *world, unified *u, bl_failure *failure);

#endif
