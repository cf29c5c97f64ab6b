/* What a step reports, and the check that it went well. */
#include "base/clones.h"
#include "base/parallel.h"
#include "schemes/pcisph/pcisph.h"

#include <math.h>
#include <stdio.h>

/* --- forces of the step that was just solved, before particles move --- */

/* Virial of the pressure of pairs: sum of x_ij.f_ij/2. */
static real pressure_virial(const bl_pcisph *s, bl_index i) {
    real sum[BL_LANES] = {0}, pj[BL_LANES];
    const real pi = s->p[i];
    bl_pairs p;
    bl_index n = s->ff.near[i];
    BL_FOR_BLOCKS(k0, n) {
        bl_gather4(&s->par, &s->ff, i, k0, n, s->x[i], s->x_p, &p, pj);
        BL_FOR_LANES(l)
        sum[l] -= p.on[l] * (pi + pj[l]) * bl_kernel_slope(s->par.near, p.r[l]) * p.r[l] * p.r[l];
    }
    return BL_R(0.5) * s->par.v0 * s->par.v0 * s->par.near.grad_norm * bl_lane_sum(sum);
}

typedef struct force_job {
    const bl_pcisph *s;
    const bl_fluid_store *f;
} force_job;

BL_CLONES static void virial_range(void *user, size_t begin, size_t end) {
    const force_job *job = user;
    const bl_pcisph *s = job->s;
    const bl_fluid_store *f = job->f;
    const real over_volume = 1 / ((real)s->par.dimension * s->par.v0);
    for (size_t k = begin; k < end; ++k) {
        const bl_index i = (bl_index)k;
        real virial;
        bl_vec3 wall, pull = bl_v3_zero();
        bl_pcisph_pressure(s, i, &wall);
        bl_vec3 st = s->normal ? bl_cohesion_force(s, i, &virial) : bl_pairwise_fluid(s, i, &virial);
        if (s->fb.all[i]) pull = s->normal ? bl_adhesion_force(s, i) : bl_pairwise_walls(s, i);
        f->virial_p[i] = over_volume * pressure_virial(s, i);
        f->virial_st[i] = over_volume * virial;
        f->f_st[i] = bl_v3_add(st, pull);
        f->f_n[i] = bl_v3_add(wall, pull);
        f->s_fv[i] = bl_surface_share(s, i, s->normal ? s->normal[i] : bl_cohesion_normal(s, i));
    }
}

static void load_range(void *user, size_t begin, size_t end, double *acc) {
    const bl_fluid_store *f = user;
    for (size_t i = begin; i < end; ++i) acc[0] += bl_v3d_norm(bl_v3d_from(f->f_n[i]));
}

void bl_pcisph_observe_forces(bl_world *world, pcisph *s, bl_observation *o) {
    force_job job = {&s->view, &world->fluid};
    double start = bl_now();
    bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, virial_range, &job);
    if (world->fluid.count > 0)
        bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_SUM, load_range, &world->fluid,
                           &o->contact_load);
    bl_timers_add(&world->timers, "virials", bl_now() - start);
}

/* --- figures of the new state --- */

typedef struct core {
    const bl_pcisph *s;
    const bl_fluid_store *f;
    bl_vec3d center;
    double radius2;
} core;

/* Compressions of the prediction. */
static double compression(const bl_pcisph *s, size_t i) { return fmax(0, (double)s->error[i] + (double)s->excess[i]); }
static void compression_range(void *user, size_t begin, size_t end, double *acc) {
    const core *c = user;
    for (size_t i = begin; i < end; ++i) acc[0] = fmax(acc[0], compression(c->s, i));
}

static void core_range(void *user, size_t begin, size_t end, double *acc) {
    const core *c = user;
    for (size_t i = begin; i < end; ++i) {
        bl_vec3d x = bl_v3d_from(c->f->x[i]);
        acc[2] += compression(c->s, i);
        if (bl_v3d_norm2(bl_v3d_sub(x, c->center)) > c->radius2) continue;
        acc[0] += (double)c->f->virial_p[i] + (double)c->f->virial_st[i];
        acc[1] += 1;
    }
}

void bl_pcisph_observe(bl_world *world, pcisph *s, bl_observation *o) {
    double sums[3] = {0}, most = 0, d = world->scene->spacing;
    double radius = fmax(o->radius - 4 * d, o->radius / 2);
    core c = {&s->view, &world->fluid, {o->center_x, o->center_y, o->center_z}, radius * radius};
    if (world->fluid.count == 0) return;
    bl_parallel_reduce(world->ctx, world->fluid.count, 3, BL_REDUCE_SUM, core_range, &c, sums);
    bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_MAX, compression_range, &c, &most);
    o->core_pressure = sums[1] > 0 ? sums[0] / sums[1] : 0;
    o->volume_error_mean = sums[2] / (double)world->fluid.count;
    o->volume_error_max = most;
}

/* --- divergence --- */

static void motion_range(void *user, size_t begin, size_t end, double *acc) {
    const bl_pcisph *s = user;
    double reach2 = (double)(s->par.h * s->par.h);
    for (size_t i = begin; i < end; ++i) {
        double v2 = bl_v3d_norm2(bl_v3d_from(s->v_next[i])), dt = (double)s->dt;
        if (!(v2 * dt * dt <= reach2)) acc[0] = fmin(acc[0], (double)i);
    }
}

/* The force that moved a particle most. */
static const char *largest_term(const bl_pcisph *s, bl_index i) {
    bl_vec3 wall;
    real virial, pressure = bl_v3_norm(bl_pcisph_pressure(s, i, &wall));
    bl_vec3 tension = s->normal ? bl_cohesion_force(s, i, &virial) : bl_pairwise_fluid(s, i, &virial);
    bl_vec3 drag = bl_v3_add(bl_pcisph_viscosity_fluid(s, i), bl_pcisph_viscosity_walls(s, i));
    if (bl_v3_norm(drag) > bl_max(pressure, bl_v3_norm(tension))) return "viscosity";
    return pressure >= bl_v3_norm(tension) ? "pressure" : "surface tension";
}

bl_status bl_pcisph_check_motion(bl_world *world, pcisph *s, bl_failure *failure) {
    const bl_pcisph *view = &s->view;
    double bad = INFINITY;
    if (world->fluid.count > 0)
        bl_parallel_reduce(world->ctx, world->fluid.count, 1, BL_REDUCE_MIN, motion_range, (void *)view, &bad);
    if (isinf(bad)) return BL_OK;
    bl_index i = (bl_index)bad;
    double reach = (double)view->dt * bl_v3d_norm(bl_v3d_from(view->v_next[i])) / (double)view->par.h;
    failure->id = world->fluid.id[i];
    failure->x = bl_v3d_from(world->fluid.x[i]);
    failure->term = isfinite(reach) ? largest_term(view, i) : "pressure";
    if (isfinite(reach))
        snprintf(failure->text, sizeof failure->text,
                 "particle %u moves by %.3g spacings in one step, expected less than 1: a smaller time.max_step or "
                 "time.cfl may help",
                 (unsigned)failure->id, reach);
    else
        snprintf(failure->text, sizeof failure->text, "the velocity of particle %u is not a number",
                 (unsigned)failure->id);
    return BL_ERR_DIVERGED;
}
