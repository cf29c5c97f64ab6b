/* Where passes, reductions and solves are run: on the CPU, or on the device of the world. */
#include "schemes/unified/unified.h"

#include <string.h>

void bl_unified_run(bl_world *world, unified *u, bl_pass_id pass) {
    if (world->device)
        bl_device_run(world->device, pass, &u->view);
    else if (!u->steer.done)
        bl_cpu_run(world->ctx, &world->timers, pass, &u->view);
}

static void run_together(bl_world *world, unified *u, const bl_together *t) {
    for (int k = 0; k < t->count; ++k) bl_unified_run(world, u, t->passes[k]);
}

void bl_unified_run_bundle(bl_world *world, unified *u, bl_bundle_id bundle) {
    if (world->device)
        bl_device_run_bundle(world->device, bundle, &u->view);
    else
        run_together(world, u, &bl_bundles[bundle]);
}

void bl_unified_run_settled(bl_world *world, unified *u, bl_settled_id settled) {
    if (world->device) {
        bl_device_run_settled(world->device, settled, &u->view);
    } else {
        run_together(world, u, &bl_settled[settled]);
        bl_unified_ask(world, u, BL_BIT(bl_settled[settled].reduction));
    }
}

/* --- reductions --- */

static void reduce_on_cpu(bl_world *world, unified *u, bl_reduction_id reduction) {
    double *sums = u->results[reduction];
    bl_cpu_reduce(world->ctx, &world->timers, reduction, &u->view, sums);
    int row = bl_settlers[reduction](&u->steer, sums, (double)world->fluid.count);
    if (row >= 0) memcpy(u->sums + (size_t)row * BL_RESIDUAL_WIDTH, sums, BL_RESIDUAL_WIDTH * sizeof *sums);
}

void bl_unified_ask(bl_world *world, unified *u, uint64_t reductions) {
    if (world->device) bl_device_ask(world->device, reductions, &u->view);
    if (world->device || u->steer.done) return;
    for (int id = 0; reductions >> id; ++id)
        if (reductions >> id & 1) reduce_on_cpu(world, u, (bl_reduction_id)id);
}

void bl_unified_answer(bl_world *world, unified *u, bl_reduction_id reduction, double *out) {
    if (world->device)
        bl_device_answer(world->device, reduction, out);
    else
        memcpy(out, u->results[reduction], (size_t)bl_reduction_widths[reduction] * sizeof *out);
}

void bl_unified_reduce(bl_world *world, unified *u, bl_reduction_id reduction, double *out) {
    bl_unified_ask(world, u, BL_BIT(reduction));
    bl_unified_answer(world, u, reduction, out);
}

/* --- solves --- */

void bl_unified_solve_begin(bl_world *world, unified *u, bl_goal goal, int expected) {
    u->look_from = expected;
    bl_solve_begin(&u->steer, goal);
    if (world->device) bl_device_solve_begin(world->device, goal);
}

bool bl_unified_solve_at_once(bl_world *world, unified *u, bl_goal goal, bool share) {
    return world->device && bl_device_solve_at_once(world->device, goal, share, &u->view);
}

/* A look costs a pause of some microseconds: the first one comes when the solve is expected to be done, later ones at
 * every other iteration. */
bool bl_unified_solve_done(bl_world *world, unified *u, int iteration) {
    enum { LOOK_EVERY = 2 };
    if (!world->device) return u->steer.done;
    bool look = iteration >= u->look_from && (iteration - u->look_from) % LOOK_EVERY == 0;
    return look && bl_device_solve_done(world->device);
}

void bl_unified_solve_end(bl_world *world, unified *u) {
    u->steer.done = 0;
    if (world->device) bl_device_solve_end(world->device);
}

void bl_unified_solve_fetch(bl_world *world, int queued) {
    if (world->device) bl_device_solve_fetch(world->device, queued);
}

int bl_unified_solve_iterations(bl_world *world, unified *u, int queued, bool logged) {
    if (!world->device) return u->steer.iterations;
    return bl_device_solve_log(world->device, logged ? u->sums : NULL, queued);
}
