/* The level set of the liquid at the nodes.
 *
 * The paper's (calibration `paper`): the distance to the nearest particle less a radius, then one Jacobi iteration of
 * Laplace's equation (section 5.1 of Hyde et al. 2020). It jumps where another particle becomes the nearest, by a tenth
 * of a cell, and these jumps stir a drop at rest. So the calibration `physical` takes the share of a node's volume that
 * is filled with mass instead, which is smooth: it is 1/2 on a flat surface, whatever the places of node and particles,
 * and falls by 3/4 a cell there.
 *
 * At a wall the liquid goes on in the wall, so that free surfaces run straight into it. The paper's level of a node
 * that is nearer to a wall than a layer at rest, or behind it, is that of the place above it in that layer. The share
 * is that of the volume before the wall, and behind it as it is before it. */
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

/* --- by mass --- */

/* What a node a distance u before a wall, in cells, has before it of its spline. */
static double share_before(double u) {
    const double a = fmin(fabs(u), 1.5), rest = 1.5 - a;
    const double beyond = a > 0.5 ? rest * rest * rest / 6 : 0.5 - 0.75 * a + a * a * a / 3;
    return u > 0 ? 1 - beyond : beyond;
}

/* The same before all walls around node i. */
static double open_share(const level_job *job, size_t i) {
    const bl_mpm *m = job->m;
    const bl_boundary_store *boundary = &job->world->boundary;
    bl_vec3 seen[BL_MPM_FACES];
    double share = 1;
    int count = 0;
    if (!m->any_wall || m->wall_near[i] == BL_MPM_NONE) return 1;
    for (int n = -1; n < m->stencil && count < BL_MPM_FACES; n++) { /* the node itself first */
        const int s = n < 0 ? m->middle : n;
        const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)s];
        if (c == BL_MPM_NONE || m->wall_near[c] == BL_MPM_NONE) continue;
        const bl_vec3 normal = boundary->normal[m->wall_near[c]];
        const bl_vec3 toward = bl_v3_add(way_to(m, s, bl_v3_zero()), m->wall_toward[c]);
        const double d = -(double)bl_v3_dot(toward, normal);
        const double beside = (double)bl_v3_norm2(toward) - d * d;
        bool known = d > 1.5 * m->cell[0] || beside > bl_mpm_beside(job->world, m, n < 0);
        for (int k = 0; k < count && !known; k++) known = bl_v3_dot(seen[k], normal) > BL_R(0.7);
        if (known) continue;
        seen[count++] = normal;
        share *= share_before(d * m->inv_cell[0]);
    }
    return share;
}

/* The level of nodes with enough before walls; INFINITY for the others. */
static void fill_range(void *user, size_t begin, size_t end) {
    const level_job *job = user;
    bl_mpm *m = job->m;
    const double least = 0.2, slope = 0.75 * m->inv_cell[0];
    const double full = m->mass / m->volume * m->cell[0] * m->cell[1] * (m->flat ? 1 : m->cell[2]);
    for (size_t i = begin; i < end; i++) {
        const double open = open_share(job, i), mass = i < m->masses ? (double)m->inertia[i] : 0;
        m->raw[i] = open < least ? (real)INFINITY : (real)((0.5 - mass / (full * open)) / slope);
        m->level[i] = m->raw[i];
    }
}

/* Behind a wall: the mean of those nearer to its surface, most of all of the one straight ahead. */
static void extend_range(void *user, size_t begin, size_t end) {
    const level_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        m->level[i] = m->raw[i];
        if (!(m->raw[i] == (real)INFINITY) || m->wall_near[i] == BL_MPM_NONE) continue;
        const bl_vec3 normal = job->world->boundary.normal[m->wall_near[i]];
        real sum = 0, weight = 0;
        for (int s = 0; s < m->stencil; s++) {
            const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)s];
            if (s == m->middle || c == BL_MPM_NONE || m->raw[c] == (real)INFINITY) continue;
            const bl_vec3 way = way_to(m, s, bl_v3_zero());
            const real ahead = bl_v3_dot(way, normal), w = ahead > 0 ? ahead * ahead / bl_v3_norm2(way) : 0;
            sum += w * w * w * w * m->raw[c];
            weight += w * w * w * w;
        }
        if (weight > BL_R(1e-6)) m->level[i] = sum / weight;
    }
}

static void close_range(void *user, size_t begin, size_t end) {
    const level_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++)
        if (m->level[i] == (real)INFINITY) m->level[i] = (real)m->cell[0];
}

static void find_level_by_mass(bl_world *world, bl_mpm *m, level_job *job) {
    bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, fill_range, job);
    for (int pass = 0; pass < 2 && m->any_wall; pass++) {
        bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, extend_range, job);
        real *const raw = m->raw;
        m->raw = m->level, m->level = raw;
    }
    if (!m->any_wall) return;
    real *const raw = m->raw;
    m->raw = m->level, m->level = raw;
    bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, close_range, job);
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
    if (world->scene->scheme.calibration == BL_CALIBRATION_PAPER)
        bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, smooth_range, &job);
    else
        find_level_by_mass(world, m, &job);
}
