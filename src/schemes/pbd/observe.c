/* What a step reports and leaves in the store: multipliers and displacements as pressures and forces, m/dt^2 times. */
#include "schemes/observe.h"
#include "base/parallel.h"
#include "schemes/pbd/pbd.h"

#include <math.h>
#include <stdio.h>

/* Force of the walls on i. */
static bl_vec3 force_of_walls(const pbd *s, bl_index i, real to_force) {
    bl_vec3 sum = bl_v3_scale(s->multiplier[i], s->wall_gradient[i]);
    for (int k = 0; k < PBD_PLANES; ++k)
        if (s->plane[k][i] != PBD_NO_WALL) sum = bl_v3_mad(sum, s->push[k][i], s->base.view.b_normal[s->plane[k][i]]);
    return bl_v3_scale(to_force, sum);
}

/* A constraint's multiplier Lambda displaces by Lambda grad C, which is the impulse dt^2/m times the force -p V0 grad C
 * of a pressure p = -Lambda rho0/dt^2. */
static void fill_fields(pbd *s, size_t begin, size_t end) {
    const bl_view *view = &s->base.view;
    const bl_phase_params *fluid = &view->fluids[0];
    real inv_dt2 = BL_R(1) / (view->step->dt * view->step->dt), to_force = fluid->mass * inv_dt2;
    real to_virial = to_force / ((real)view->par->dimension * view->par->v0);
    for (size_t k = begin; k < end; ++k) {
        bl_index i = (bl_index)k, wall = s->plane[0][i];
        view->density[i] = fluid->density * (BL_R(1) - view->g_err[i]);
        view->p[i] = view->p_mean[i] = -s->multiplier[i] * fluid->density * inv_dt2;
        view->f_st[i] = bl_v3_scale(to_force, s->pull[i]);
        view->virial_p[i] = to_virial * s->virial[i];
        view->virial_st[i] = to_virial * s->virial_area[i];
        view->s_fv[i] = s->label[i] & PBD_SURFACE ? BL_R(1) : BL_R(0);
        view->f_fr[i] = bl_v3_zero();
        view->f_n[i] = bl_v3_zero();
        view->load[i] = view->lent[i] = BL_R(0);
        if (wall == PBD_NO_WALL) continue;
        bl_vec3 force = force_of_walls(s, i, to_force);
        if (bl_v3_dot(force, view->b_normal[wall]) <= BL_R(0)) continue;
        view->f_n[i] = force;
        view->load[i] = bl_v3_norm(force);
    }
}

/* sigma A, and -sigma cos(theta) A of what is wet. */
static void add_energies(void *user, size_t begin, size_t end, double *acc) {
    const pbd *s = user;
    for (size_t k = begin; k < end; ++k) {
        const pbd_star *star = &s->stars[k];
        acc[star->wet ? 1 : 0] += (double)star->area * (star->wet ? -(double)star->gain : 1);
    }
}

void bl_pbd_observe(bl_world *world, pbd *s, bl_observation *o) {
    double momentum[BL_MOMENTUM_WIDTH], extremes[2], core[2], areas[2] = {0, 0};
    double n = fmax(1, (double)world->fluid.count), once = s->sigma / world->scene->dimension;
    bl_pbd_for(world, s, "fields", world->fluid.count, fill_fields);
    bl_observe_motion(world, world->time + (double)s->base.now.dt, o);
    bl_unified_reduce(world, &s->base, BL_RED_momentum, momentum);
    bl_unified_reduce(world, &s->base, BL_RED_core, core); /* about the centre that `momentum` found */
    bl_unified_reduce(world, &s->base, BL_RED_extremes, extremes);
    if (s->star_count) bl_parallel_reduce(world->ctx, s->star_count, 2, BL_REDUCE_SUM, add_energies, s, areas);
    o->energy_fv = once * areas[0];
    o->energy_bf = once * areas[1];
    o->contact_load = momentum[BL_SUM_LOAD];
    o->volume_error_mean = momentum[BL_SUM_COMPRESSION] / n;
    o->volume_error_max = fmax(0, extremes[1]);
    o->core_pressure = core[1] > 0 ? core[0] / core[1] : 0;
}

/* --- whether it went well --- */

static const char *largest_term(const pbd *s, bl_index i) {
    const bl_view *view = &s->base.view;
    bl_vec3 rest = bl_v3_mad(s->moved[i], -view->step->dt, view->v[i]);
    real pull = bl_v3_norm(s->pull[i]), others = bl_v3_norm(bl_v3_sub(rest, s->pull[i]));
    if (bl_v3_norm(rest) < view->step->dt * bl_v3_norm(view->v[i])) return "speed";
    return pull >= others || !(pull >= BL_R(0)) ? "area constraint" : "density constraint";
}

static void find_far(void *user, size_t begin, size_t end, double *acc) {
    const pbd *s = user;
    for (size_t i = begin; i < end; ++i) {
        double far = (double)(bl_v3_norm(s->moved[i]) / s->d);
        if (isfinite(far) && far <= s->furthest && isfinite((double)s->multiplier[i])) continue;
        acc[0] = fmin(acc[0], (double)i);
    }
}

bl_status bl_pbd_check_motion(bl_world *world, pbd *s, bl_failure *failure) {
    double first = INFINITY;
    if (world->fluid.count) bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_MIN, find_far, s, &first);
    if (!(first < (double)world->fluid.count)) return BL_OK;
    bl_index i = (bl_index)first;
    double far = (double)(bl_v3_norm(s->moved[i]) / s->d);
    failure->term = largest_term(s, i);
    failure->id = world->fluid.id[i];
    failure->x = bl_v3d_from(world->fluid.x[i]);
    if (isfinite(far))
        snprintf(failure->text, sizeof failure->text,
                 "it was displaced by %.3g spacings in one step, and at most %.3g are expected", far, s->furthest);
    else
        snprintf(failure->text, sizeof failure->text, "its displacement is not a number");
    return BL_ERR_DIVERGED;
}
