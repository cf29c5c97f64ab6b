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

typedef struct unified {
    bl_params par;
    bl_body_params *bodies;
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

/* walls.c: what a wall of several layers (geometry.h) that lie on the lattice of the liquid gains per area when it is
 * wetted, for gamma_BV = 1 (`dry`), and costs, for gamma_BF = 1 (`wet`), in the calibration `physical`. */
typedef struct bl_wall_energies {
    double dry, wet;
} bl_wall_energies;
bl_wall_energies bl_wall_energies_of(int dimension, int layers);

/* viscosity.c: returns the iterations of the implicit solver, 0 for none. */
int bl_unified_viscosity(bl_world *world, unified *u);

/* solver.c: pressure, tension and friction together (or in the separated orders). */
bl_status bl_unified_solve(bl_world *world, unified *u, bl_observation *report, bl_failure *failure);

/* observe.c */
void bl_unified_observe(bl_world *world, unified *u, bl_observation *report);
bl_status bl_unified_check_motion(bl_world *world, unified *u, bl_failure *failure);

#endif
