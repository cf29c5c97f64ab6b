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
    double rz[2], dk, scale, residual;
    bl_unified_run(world, u, BL_PASS_viscosity_start);
    bl_unified_reduce(world, u, BL_RED_vis_rz, rz);
    bl_unified_reduce(world, u, BL_RED_vis_scale, &scale);
    /* relative to M v, or to the first residual when everything stands still but a wall moves */
    double limit = def->viscosity_tolerance * def->viscosity_tolerance * fmax(scale, rz[1]);
    int iterations = 0;
    for (residual = rz[1]; residual > limit && iterations < def->viscosity_max_iterations; ++iterations) {
        double old = rz[0];
        bl_unified_run(world, u, BL_PASS_viscosity_apply);
        bl_unified_reduce(world, u, BL_RED_vis_dk, &dk);
        if (!(dk > 0)) break;
        u->par.vis_alpha = (real)(old / dk);
        bl_unified_run(world, u, BL_PASS_viscosity_advance);
        bl_unified_reduce(world, u, BL_RED_vis_rz, rz);
        residual = rz[1];
        u->par.vis_beta = (real)(rz[0] / old);
        bl_unified_run(world, u, BL_PASS_viscosity_turn);
    }
    bl_unified_run(world, u, BL_PASS_viscosity_finish);
    return iterations;
}

int bl_unified_viscosity(bl_world *world, unified *u) {
    if (!is_viscous(world->scene)) return 0;
    int iterations = 0;
    if (world->scene->scheme.viscosity == BL_VISCOSITY_EXPLICIT)
        bl_unified_run(world, u, BL_PASS_viscosity_explicit);
    else
        iterations = conjugate_gradients(world, u);
    bl_unified_run(world, u, BL_PASS_accept_velocity);
    return iterations;
}
