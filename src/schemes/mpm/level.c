/* The level set of the liquid at the nodes: the distance to the nearest particle less a radius, then one Jacobi
 * iteration of Laplace's equation (section 5.1 of Hyde et al. 2020).
 *
 * At a wall the liquid goes on in the wall: a node that is nearer to a wall than a layer at rest, or behind it, has the
 * level of the place above it in that layer. Free surfaces then run straight into walls. */
#include "base/parallel.h"
#include "schemes/mpm/mpm.h"

typedef struct level_job {
    const bl_world *world;
    bl_mpm *m;
} level_job;

static bl_vec3 way_to(const bl_mpm *m, int s, bl_vec3 f) {
    int d[3];
    bl_mpm_offset(m, s, d);
    return bl_v3_make(((real)d[0] + f.x) * (real)m->cell[0], ((real)d[1] + f.y) * (real)m->cell[1],
                      ((real)d[2] + f.z) * (real)m->cell[2]);
}

/* From a node to the place whose level it has. */
static bl_vec3 stand_in(const level_job *job, size_t i) {
    const bl_mpm *m = job->m;
    const uint32_t b = m->any_wall ? m->wall_near[i] : BL_MPM_NONE;
    if (b == BL_MPM_NONE) return bl_v3_zero();
    const bl_vec3 n = job->world->boundary.normal[b];
    const real layer = (real)(0.5 * job->world->scene->spacing), d = -bl_v3_dot(m->wall_toward[i], n);
    const real beside = bl_v3_norm2(m->wall_toward[i]) - d * d;
    if (d >= layer || beside > 6 * layer * layer) return bl_v3_zero();
    return bl_v3_scale(layer - d, n);
}

/* The nearest particle of those in the cells around a node, as seen from its stand-in. */
static void find_nearest(void *user, size_t begin, size_t end) {
    const level_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3 from = stand_in(job, i);
        real best = (real)INFINITY;
        m->nearest[i] = BL_MPM_NONE;
        m->toward[i] = bl_v3_zero();
        for (int s = 0; s < m->stencil; s++) {
            const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)s];
            if (c >= m->cells) continue;
            for (size_t k = m->first[c]; k < m->first[c + 1]; k++) {
                const bl_vec3 way = way_to(m, s, m->point[k].f);
                const real r2 = bl_v3_norm2(bl_v3_sub(way, from));
                if (!(r2 < best)) continue;
                best = r2;
                m->nearest[i] = m->order[k];
                m->toward[i] = way;
            }
        }
    }
}

/* Those that the nodes around a node have found. */
static void ask_around(void *user, size_t begin, size_t end) {
    const level_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3 from = stand_in(job, i);
        real best = m->nearest[i] == BL_MPM_NONE ? (real)INFINITY : bl_v3_norm2(bl_v3_sub(m->toward[i], from));
        m->nearest_next[i] = m->nearest[i];
        m->toward_next[i] = m->toward[i];
        for (int s = 0; s < m->stencil; s++) {
            const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)s];
            if (c == BL_MPM_NONE || m->nearest[c] == BL_MPM_NONE) continue;
            const bl_vec3 way = bl_v3_add(way_to(m, s, bl_v3_zero()), m->toward[c]);
            const real r2 = bl_v3_norm2(bl_v3_sub(way, from));
            if (!(r2 < best)) continue;
            best = r2;
            m->nearest_next[i] = m->nearest[c];
            m->toward_next[i] = way;
        }
        const real far = (real)(3 * m->cell[0]);
        m->raw[i] = m->nearest_next[i] == BL_MPM_NONE ? far : BL_SQRT(best) - (real)m->radius;
    }
}

static void smooth_range(void *user, size_t begin, size_t end) {
    const level_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        real sum = 0;
        for (int a = 0, step = 1; a < m->dimension; a++, step *= BL_MPM_SPAN)
            for (int side = -1; side <= 1; side += 2) {
                const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)(m->middle + side * step)];
                sum += c == BL_MPM_NONE ? m->raw[i] + (real)m->cell[a] : m->raw[c];
            }
        m->level[i] = sum / (real)(2 * m->dimension);
    }
}

void bl_mpm_find_level(bl_world *world, bl_mpm *m) {
    level_job job = {world, m};
    bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, find_nearest, &job);
    for (int pass = 0; pass < 2; pass++) {
        bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, ask_around, &job);
        uint32_t *const nearest = m->nearest;
        bl_vec3 *const toward = m->toward;
        m->nearest = m->nearest_next, m->nearest_next = nearest;
        m->toward = m->toward_next, m->toward_next = toward;
    }
    bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, smooth_range, &job);
}
