/* What a step reports, and the check that it went well. */
#include "schemes/unified/unified.h"

#include "physics/bare.h"

#include <math.h>
#include <stdio.h>

static void observe_momentum(bl_world *world, unified *u, bl_observation *o) {
    double s[BL_MOMENTUM_WIDTH];
    bl_unified_answer(world, u, BL_RED_momentum, s);
    double mass = s[BL_SUM_MASS] > 0 ? s[BL_SUM_MASS] : 1, n = fmax(1, (double)world->fluid.count);
    o->center_x = s[BL_SUM_CENTER] / mass;
    o->center_y = s[BL_SUM_CENTER + 1] / mass;
    o->center_z = s[BL_SUM_CENTER + 2] / mass;
    o->momentum_x = s[BL_SUM_MOMENTUM];
    o->momentum_y = s[BL_SUM_MOMENTUM + 1];
    o->momentum_z = s[BL_SUM_MOMENTUM + 2];
    o->angular_x = s[BL_SUM_ANGULAR];
    o->angular_y = s[BL_SUM_ANGULAR + 1];
    o->angular_z = s[BL_SUM_ANGULAR + 2];
    o->energy_kinetic = s[BL_SUM_KINETIC];
    const double *f = &s[BL_SUM_FRICTION];
    o->contact_friction = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    o->contact_load = s[BL_SUM_LOAD];
    o->volume_error_mean = s[BL_SUM_COMPRESSION] / n;
    bl_vec3d g = bl_curve_at3(&world->scene->gravity, world->time + (double)u->now.dt);
    o->energy_potential = -(g.x * s[BL_SUM_CENTER] + g.y * s[BL_SUM_CENTER + 1] + g.z * s[BL_SUM_CENTER + 2]);
}

void bl_unified_sum_bare(bl_world *world, unified *u) {
    const bl_view *s = &u->view;
    memset(u->bare, 0, (size_t)world->scene->boundary_count * sizeof *u->bare);
    for (bl_index b = 0; b < s->boundary_count; ++b) {
        const double share = (double)s->b_share[b];
        real dry, wet;
        bl_bare_parts(s, b, &dry, &wet);
        u->bare[s->b_body[b]][0] += share * (double)dry;
        u->bare[s->b_body[b]][1] += share * (double)wet;
    }
}

/* Energies of walls, where a device sums up what liquid makes of them alone. */
static void add_bare(const bl_world *world, const unified *u, double wall[2]) {
    for (int k = 0; u->bare_apart && k < world->scene->boundary_count; ++k) {
        wall[0] += (double)u->bodies[k].a0_bv * u->bare[k][0];
        wall[1] += (double)u->bodies[k].a0_bf * u->bare[k][1];
    }
}

void bl_unified_observe(bl_world *world, unified *u, bl_observation *o) {
    uint64_t sums =
        BL_BIT(BL_RED_momentum) | BL_BIT(BL_RED_energy) | BL_BIT(BL_RED_energy_wall) | BL_BIT(BL_RED_extremes);
    double fluid[BL_ENERGY_WIDTH], wall[2], extremes[2], core[2];
    /* the next step begins with this, and on a device it comes along */
    if (world->device) sums |= BL_STATE_REDUCTIONS;
    bl_unified_ask(world, u, sums);
    bl_unified_ask(world, u, BL_BIT(BL_RED_core)); /* takes its centre from `momentum` */
    if (world->device && world->stays) { /* a device is busy with it while the host waits, and then begins a step */
        bl_device_fetch_answers(world->device);
        bl_device_find_neighbours(world->device);
    }
    observe_momentum(world, u, o);
    bl_unified_answer(world, u, BL_RED_core, core);
    bl_unified_answer(world, u, BL_RED_energy, fluid);
    bl_unified_answer(world, u, BL_RED_energy_wall, wall);
    add_bare(world, u, wall);
    bl_unified_answer(world, u, BL_RED_extremes, extremes);
    o->radius = bl_unified_radius(u);
    o->core_pressure = core[1] > 0 ? core[0] / core[1] : 0;
    o->energy_fv = fluid[BL_ENERGY_FV] + u->energy_field;
    o->energy_ff = fluid[BL_ENERGY_FF];
    o->energy_fb = fluid[BL_ENERGY_FB];
    o->energy_bv = wall[0];
    o->energy_bf = wall[1];
    o->speed_max = sqrt(fmax(0, extremes[0]));
    o->volume_error_max = fmax(0, extremes[1]);
}

/* The force that moved a particle most. */
static const char *largest_term(const bl_view *s, bl_index i) {
    real m = s->fluids[s->phase[i]].mass;
    bl_vec3 total = bl_v3_scale(m / s->step->dt, bl_v3_sub(s->v_next[i], s->v[i]));
    bl_vec3 pressure = bl_v3_sub(bl_v3_sub(total, s->f_st[i]), s->f_fr[i]);
    real tension = bl_v3_norm(s->f_st[i]), friction = bl_v3_norm(s->f_fr[i]);
    if (!(bl_v3_norm(pressure) >= tension)) return "surface tension";
    return bl_v3_norm(pressure) >= friction ? "pressure" : "friction";
}

bl_status bl_unified_check_motion(bl_world *world, unified *u, bl_failure *failure) {
    double bad;
    bl_unified_answer(world, u, BL_RED_finite, &bad);
    if (bl_device_status(world->device) != BL_OK) return bl_device_status(world->device);
    if (bad == 0) return BL_OK;
    bl_device_fetch(world->device, BL_ALL_FIELDS, 0);
    if (bl_device_status(world->device) != BL_OK) return bl_device_status(world->device);
    const bl_view *s = &u->view;
    for (bl_index i = 0; i < s->fluid_count; ++i) {
        double reach = (double)(s->step->dt * bl_v3_norm(s->v_next[i]) / s->par->h);
        if (reach <= 1) continue;
        failure->term = largest_term(s, i);
        failure->id = s->id[i];
        failure->x = bl_v3d_from(s->x[i]);
        if (isfinite(reach))
            snprintf(failure->text, sizeof failure->text,
                     "%.0f particles move further than their spacing in one step (particle %u by %.3g spacings)", bad,
                     (unsigned)failure->id, reach);
        else
            snprintf(failure->text, sizeof failure->text, "the velocity of particle %u is not a number",
                     (unsigned)failure->id);
        break;
    }
    return BL_ERR_DIVERGED;
}
