/* Pressures of particles. There are more of them than nodes, so dilations have parts that no node feels: they push
 * nobody, and nothing takes them back, until particles move on and nodes do feel them. What is reported is the mean
 * that nodes make of them; and in the calibration `physical` dilations go a hundredth of the way there each step. The
 * sum of all, which is the volume, stays. */
#include "base/parallel.h"
#include "physics/spline.h"
#include "schemes/mpm/mpm.h"

#include <string.h>

static const double SHARE = 0.01;

typedef struct pressure_job {
    bl_world *world;
    bl_mpm *m;
    real share;
} pressure_job;

static void find_weights(const bl_mpm *m, size_t p, real *w) {
    const real f[3] = {m->f[p].x, m->f[p].y, m->f[p].z};
    real axis[3][3] = {{0}, {0}, {0, 1, 0}};
    for (int a = 0; a < m->dimension; a++) bl_spline_weights(f[a], axis[a]);
    for (int s = 0; s < m->stencil; s++) w[s] = axis[0][s % 3] * axis[1][s / 3 % 3] * axis[2][m->flat ? 1 : s / 9];
}

static void spread_cells(void *user, size_t begin, size_t end) {
    const pressure_job *job = user;
    const bl_mpm *m = job->m;
    const real *annex = job->world->fluid.annex;
    for (size_t c = begin; c < end; c++) {
        real *patch = m->patch + c * 4 * (size_t)m->pad, w[BL_MPM_MOST];
        memset(patch, 0, 2 * (size_t)m->pad * sizeof *patch);
        for (size_t k = m->first[c]; k < m->first[c + 1]; k++) {
            const uint32_t p = m->order[k];
            find_weights(m, p, w);
            for (int s = 0; s < m->stencil; s++) {
                patch[s] += w[s];
                patch[m->pad + s] += w[s] * annex[(size_t)p * BL_MPM_ANNEX + BL_MPM_DILATION];
            }
        }
    }
}

/* The mean dilation at nodes, in m->raw. */
static void gather_nodes(void *user, size_t begin, size_t end) {
    const pressure_job *job = user;
    const bl_mpm *m = job->m;
    const size_t stencil = (size_t)m->stencil, pad = (size_t)m->pad;
    for (size_t i = begin; i < end; i++) {
        real sum = 0, weight = 0;
        for (size_t s = 0; s < stencil; s++) {
            const uint32_t c = m->near[i * stencil + s];
            if (c >= m->cells) continue;
            const real *patch = m->patch + c * 4 * pad + (stencil - 1 - s);
            weight += patch[0];
            sum += patch[pad];
        }
        m->raw[i] = weight > 0 ? sum / weight : 0;
    }
}

static void tell_particles(void *user, size_t begin, size_t end) {
    const pressure_job *job = user;
    const bl_mpm *m = job->m;
    const bl_fluid_store *fluid = &job->world->fluid;
    for (size_t p = begin; p < end; p++) {
        real w[BL_MPM_MOST], mean = 0, *dilation = fluid->annex + p * BL_MPM_ANNEX + BL_MPM_DILATION;
        find_weights(m, p, w);
        for (int s = 0; s < m->stencil; s++)
            mean += w[s] * m->raw[m->near[m->base[p] * (size_t)m->stencil + (size_t)s]];
        if (!fluid->held[p]) *dilation += job->share * (mean - *dilation);
        fluid->p[p] = (real)(-m->bulk) * mean;
        fluid->virial_p[p] = fluid->p[p] * (1 + mean);
        fluid->density[p] = (real)(m->mass / m->volume) / (1 + mean);
    }
}

void bl_mpm_find_pressures(bl_world *world, bl_mpm *m) {
    const bool paper = world->scene->scheme.calibration == BL_CALIBRATION_PAPER;
    pressure_job job = {world, m, (real)(paper ? 0 : SHARE)};
    bl_parallel_for(world->ctx, m->cells, BL_MPM_CELLS, spread_cells, &job);
    bl_parallel_for(world->ctx, m->masses, BL_MPM_CELLS, gather_nodes, &job);
    bl_parallel_for(world->ctx, m->particles, BL_CHUNK, tell_particles, &job);
}
