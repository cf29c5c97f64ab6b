/* Control flow of the viscosity step: explicit, or conjugate gradients (physics/viscosity.h). */
#include "schemes/unified/unified.h"
#include <math.h>

static bool is_viscous(const bl_scene *scene) {
    for (int k = 0; k < scene->fluid_count; ++k)
        if (scene->fluids[k].viscosity > 0) return true;
    for (int k = 0; k < scene->boundary_count; ++k)
        if (scene->boundaries[k].viscosity.count) return true;
    return false;
}

static int conjugate_gradients(bl_world *world, unified *u) {
    const bl_scheme_def *def = &world->scene->scheme;
    int queued = 0;
    bl_goal goal = {.max_iterations = def->viscosity_max_iterations, .volume = def->viscosity_tolerance};
    bl_unified_solve_begin(world, u, goal, u->expected_viscosity);
    bl_unified_run_settled(world, u, BL_SETTLED_viscosity_start);
    while (queued < goal.max_iterations && !bl_unified_solve_done(world, u, queued)) {
        bl_unified_run_settled(world, u, BL_SETTLED_viscosity_apply);
        bl_unified_run_settled(world, u, BL_SETTLED_viscosity_advance);
        bl_unified_run(world, u, BL_PASS_viscosity_turn);
        queued++;
    }
    bl_unified_solve_end(world, u);
    bl_unified_run(world, u, BL_PASS_viscosity_finish);
    return u->expected_viscosity = bl_unified_solve_iterations(world, u, queued, false);
}

int bl_unified_viscosity(bl_world *world, unified *u) {
    if (!is_viscous(world->scene)) return 0;
    int iterations = 0;
    if (world->scene->scheme.viscosity == BL_VISCOSITY_EXPLICIT)
        bl_unified_run(world, u, BL_PASS_viscosity_explicit);
    else
        iterations = conjugate_gradients(world, u);
    if (u->reactions) bl_unified_run(world, u, BL_PASS_reaction_viscous);
    bl_unified_run(world, u, BL_PASS_accept_velocity);
    return iterations;
}
