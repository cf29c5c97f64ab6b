/* What a step reports. */
#include "schemes/observe.h"
#include "base/parallel.h"
#include "schemes/mpm/mpm.h"

#include <math.h>

enum { COMPRESSION, SUMS };
enum { LARGEST, EXTREMES };

static void compression_sum(void *user, size_t begin, size_t end, double *acc) {
    const bl_world *world = user;
    for (size_t p = begin; p < end; p++) {
        const double j = 1 + (double)world->fluid.annex[p * BL_MPM_ANNEX + BL_MPM_DILATION];
        acc[COMPRESSION] += fmax(0, 1 / j - 1);
    }
}

static void compression_max(void *user, size_t begin, size_t end, double *acc) {
    const bl_world *world = user;
    for (size_t p = begin; p < end; p++)
        acc[LARGEST] = fmax(acc[LARGEST], -(double)world->fluid.annex[p * BL_MPM_ANNEX + BL_MPM_DILATION]);
}

static void clear_virials(void *user, size_t begin, size_t end) {
    const bl_world *world = user;
    for (size_t p = begin; p < end; p++) world->fluid.virial_st[p] = world->fluid.s_fv[p] = 0;
}

/* Energies of pieces after the step, and what each pulls with: tr P F^T = k |dA| times the stretch times the
 * dimension of the surface. */
static void observe_surface(bl_world *world, bl_mpm *m, bl_observation *report) {
    bl_parallel_for(world->ctx, m->particles, BL_CHUNK, clear_virials, world);
    const double share = (m->dimension - 1) / (m->dimension * m->volume);
    for (size_t q = 0; q < m->pieces; q++) {
        const double energy = (double)(m->sheet[q].energy * bl_surface_stretch(m->sheet[q].f));
        const uint32_t p = m->piece[q].owner;
        if (m->piece[q].wet)
            report->energy_bf += energy;
        else
            report->energy_fv += energy;
        world->fluid.virial_st[p] -= (real)(share * energy);
        if (!m->piece[q].wet) world->fluid.s_fv[p] = 1;
    }
}

static void observe_walls(const bl_mpm *m, bl_observation *report) {
    bl_vec3d along = bl_v3d_zero();
    for (size_t w = 0; w < m->walls; w++) {
        const bl_mpm_wall *wall = &m->wall[w];
        for (int k = 0; k < wall->count; k++)
            if (wall->held >> k & 1) report->contact_load += fabs((double)wall->push[k]) / m->dt;
        along = bl_v3d_add(along, bl_v3d_from(wall->rubbed));
    }
    report->contact_friction = bl_v3d_norm(along) / m->dt;
}

void bl_mpm_observe(bl_world *world, bl_mpm *m, bl_observation *report) {
    double sum = 0, largest = 0;
    bl_observe_motion(world, world->time + m->dt, report);
    observe_surface(world, m, report);
    observe_walls(m, report);
    bl_parallel_reduce(world->ctx, m->particles, SUMS, BL_REDUCE_SUM, compression_sum, world, &sum);
    bl_parallel_reduce(world->ctx, m->particles, EXTREMES, BL_REDUCE_MAX, compression_max, world, &largest);
    report->volume_error_mean = sum / (double)m->particles;
    report->volume_error_max = fmax(0, largest / (1 - largest));
    report->residual_volume = report->volume_error_mean;
    for (int k = 0; k <= m->newton_iterations; k++) m->history[3 * k] = report->volume_error_mean;
    bl_observe_core(world, report);
}
