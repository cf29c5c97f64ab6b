/* Walls at the nodes of the grid.
 *
 * A node on a wall's surface or behind it may not move into the wall: where it would, the component of its velocity
 * along the normal is that of the wall. The wall pushes as hard as that takes; it lets a node go when it would have to
 * pull harder than liquid sticks to it. What is liquid between nodes and surface follows from the places of the
 * particles alone, so nodes stand on the surface of level walls where they can (setup.c). */
#include "base/parallel.h"
#include "schemes/mpm/mpm.h"

#include <string.h>

typedef struct wall_job {
    const bl_world *world;
    bl_mpm *m;
} wall_job;

/* Places of surface points on the grid; where there is no node they are of no interest. */
static void place_surface(void *user, size_t begin, size_t end) {
    const wall_job *job = user;
    const bl_mpm *m = job->m;
    const bl_boundary_store *boundary = &job->world->boundary;
    for (size_t k = begin; k < end; k++) {
        const uint32_t b = m->surface[k];
        const real off = (real)m->bodies[boundary->body[b]].offset;
        int32_t spot[3];
        bl_mpm_locate(m, bl_v3_mad(boundary->x[b], off, boundary->normal[b]), spot, &m->surface_f[k]);
        m->surface_cell[k] = bl_mpm_find_node(m, spot);
    }
}

static bl_status sort_surface(bl_world *world, bl_mpm *m) {
    if (m->room.walls < m->nodes) {
        m->room.walls = 0;
        bl_status status = bl_mpm_renew(world->ctx, &m->surface_first, m->room.nodes + 1, sizeof *m->surface_first);
        if (status != BL_OK) return status;
        m->room.walls = m->room.nodes;
    }
    memset(m->surface_first, 0, (m->nodes + 1) * sizeof *m->surface_first);
    for (size_t k = 0; k < m->surface_points; k++)
        if (m->surface_cell[k] != BL_MPM_NONE) m->surface_first[m->surface_cell[k] + 1]++;
    for (size_t i = 0; i < m->nodes; i++) m->surface_first[i + 1] += m->surface_first[i];
    for (size_t k = 0; k < m->surface_points; k++)
        if (m->surface_cell[k] != BL_MPM_NONE) m->surface_order[m->surface_first[m->surface_cell[k]]++] = (uint32_t)k;
    for (size_t i = m->nodes; i > 0; i--) m->surface_first[i] = m->surface_first[i - 1];
    m->surface_first[0] = 0;
    return BL_OK;
}

static bl_vec3 way_to(const bl_mpm *m, int s, bl_vec3 f) {
    int d[3];
    bl_mpm_offset(m, s, d);
    return bl_v3_make(((real)d[0] + f.x) * (real)m->cell[0], ((real)d[1] + f.y) * (real)m->cell[1],
                      ((real)d[2] + f.z) * (real)m->cell[2]);
}

/* The nearest surface point of those in the cells around a node. */
static void find_nearest(void *user, size_t begin, size_t end) {
    const wall_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        m->wall_near[i] = BL_MPM_NONE;
        m->wall_toward[i] = bl_v3_zero();
        real best = (real)INFINITY;
        for (int s = 0; s < m->stencil; s++) {
            const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)s];
            if (c == BL_MPM_NONE) continue;
            for (size_t n = m->surface_first[c]; n < m->surface_first[c + 1]; n++) {
                const uint32_t k = m->surface_order[n];
                const bl_vec3 way = way_to(m, s, m->surface_f[k]);
                const real r2 = bl_v3_norm2(way);
                if (!(r2 < best)) continue;
                best = r2;
                m->wall_near[i] = m->surface[k];
                m->wall_toward[i] = way;
            }
        }
    }
}

/* Those that the nodes around a node have found. */
static void ask_around(void *user, size_t begin, size_t end) {
    const wall_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        m->wall_near_next[i] = m->wall_near[i];
        m->wall_toward_next[i] = m->wall_toward[i];
        real best = m->wall_near[i] == BL_MPM_NONE ? (real)INFINITY : bl_v3_norm2(m->wall_toward[i]);
        for (int s = 0; s < m->stencil; s++) {
            const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)s];
            if (c == BL_MPM_NONE || m->wall_near[c] == BL_MPM_NONE) continue;
            const bl_vec3 way = bl_v3_add(way_to(m, s, bl_v3_zero()), m->wall_toward[c]);
            if (!(bl_v3_norm2(way) < best)) continue;
            best = bl_v3_norm2(way);
            m->wall_near_next[i] = m->wall_near[c];
            m->wall_toward_next[i] = way;
        }
    }
}

static void find_all_nearest(bl_world *world, bl_mpm *m) {
    wall_job job = {world, m};
    bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, find_nearest, &job);
    for (int pass = 0; pass < 2; pass++) {
        bl_parallel_for(world->ctx, m->nodes, BL_MPM_CELLS, ask_around, &job);
        uint32_t *const near = m->wall_near;
        bl_vec3 *const toward = m->wall_toward;
        m->wall_near = m->wall_near_next, m->wall_near_next = near;
        m->wall_toward = m->wall_toward_next, m->wall_toward_next = toward;
    }
}

/* Is a node this way from a surface point held by it? Nodes a quarter of a cell before the surface are, too: half of
 * those that are not on it lie before it then. */
static bool is_behind(const wall_job *job, bl_vec3 toward, bl_vec3 n, bool own) {
    const bl_mpm *m = job->m;
    const double d = -(double)bl_v3_dot(toward, n), beside = (double)bl_v3_norm2(toward) - d * d;
    return d <= 0.25 * m->cell[0] && d > -2 * m->cell[0] && beside < bl_mpm_beside(job->world, m, own);
}

static void add_face(const wall_job *job, bl_mpm_wall *wall, uint32_t b, bl_vec3 toward, bool own) {
    const bl_mpm *m = job->m;
    const bl_boundary_store *boundary = &job->world->boundary;
    const bl_vec3 n = boundary->normal[b];
    const double h = job->world->scene->spacing;
    if (!is_behind(job, toward, n, own) || wall->count == BL_MPM_FACES) return;
    for (int k = 0; k < wall->count; k++)
        if (bl_v3_dot(n, wall->normal[k]) > BL_R(0.7)) return;
    const int k = wall->count++;
    const bl_mpm_body *body = &m->bodies[boundary->body[b]];
    const double area = m->flat ? m->cell[0] : m->cell[0] * m->cell[1];
    const double full = m->mass / m->volume * area * m->cell[0] / 2; /* half a cell of liquid */
    const double wet = fmin(1, (double)m->inertia[wall->node] / full), d = -(double)bl_v3_dot(toward, n);
    const bool on = fabs(d) <= m->cell[0] / 2;
    wall->body[k] = boundary->body[b];
    wall->normal[k] = n;
    wall->velocity[k] = boundary->v[b];
    wall->push[k] = 0;
    wall->glue[k] = (real)(m->dt * area * body->adhesion / h);
    if (on) wall->drag += (real)(m->dt * wet * area * body->viscosity / (m->cell[0] / 4));
}

static void fill_walls(void *user, size_t begin, size_t end) {
    const wall_job *job = user;
    bl_mpm *m = job->m;
    for (size_t w = begin; w < end; w++) {
        bl_mpm_wall *wall = &m->wall[w];
        const uint32_t i = wall->node;
        *wall = (bl_mpm_wall){.node = i};
        add_face(job, wall, m->wall_near[i], m->wall_toward[i], true);
        for (int s = 0; s < m->stencil; s++) {
            const uint32_t c = m->near[i * (size_t)m->stencil + (size_t)s];
            if (c == BL_MPM_NONE || m->wall_near[c] == BL_MPM_NONE) continue;
            add_face(job, wall, m->wall_near[c], bl_v3_add(way_to(m, s, bl_v3_zero()), m->wall_toward[c]), false);
        }
    }
}

bl_status bl_mpm_find_walls(bl_world *world, bl_mpm *m) {
    wall_job job = {world, m};
    memset(m->wall_of, 0xff, m->masses * sizeof *m->wall_of);
    m->walls = 0;
    if (!m->any_wall) return BL_OK;
    bl_parallel_for(world->ctx, m->surface_points, BL_CHUNK, place_surface, &job);
    bl_status status = sort_surface(world, m);
    if (status != BL_OK) return status;
    find_all_nearest(world, m);
    for (size_t i = 0; i < m->masses; i++)
        if (m->wall_near[i] != BL_MPM_NONE) m->wall_of[i] = (uint32_t)m->walls++;
    if (m->walls > m->wall_room) {
        m->wall_room = 0;
        status = bl_mpm_renew(world->ctx, &m->wall, m->walls + m->walls / 4, sizeof *m->wall);
        if (status != BL_OK) return status;
        m->wall_room = m->walls + m->walls / 4;
    }
    for (size_t i = 0; i < m->masses; i++)
        if (m->wall_of[i] != BL_MPM_NONE) m->wall[m->wall_of[i]].node = (uint32_t)i;
    bl_parallel_for(world->ctx, m->walls, BL_MPM_CELLS, fill_walls, &job);
    return BL_OK;
}

/* Orthonormal directions of the faces that hold the node, and what they ask for along them. */
static void find_axes(bl_mpm_wall *wall) {
    wall->axes = 0;
    for (int k = 0; k < wall->count; k++) {
        if (!(wall->held >> k & 1)) continue;
        bl_vec3 n = wall->normal[k];
        real c = bl_v3_dot(wall->velocity[k], n);
        for (int a = 0; a < wall->axes; a++) {
            const real along = bl_v3_dot(n, wall->axis[a]);
            n = bl_v3_mad(n, -along, wall->axis[a]);
            c -= along * wall->target[a];
        }
        const real length = bl_v3_norm(n);
        if (length < BL_R(0.1)) continue;
        wall->axis[wall->axes] = bl_v3_scale(1 / length, n);
        wall->target[wall->axes++] = c / length;
    }
}

typedef struct hold_job {
    bl_mpm *m;
    bool first;
} hold_job;

/* Which faces hold a node, by its velocity and what they push with. */
static uint8_t faces_that_hold(const bl_mpm *m, const bl_mpm_wall *wall, bool first) {
    uint8_t held = 0;
    for (int k = 0; k < wall->count; k++) {
        const real leaves = bl_v3_dot(bl_v3_sub(m->v[wall->node], wall->velocity[k]), wall->normal[k]);
        const bool holds = first                 ? m->inertia[wall->node] * leaves <= wall->glue[k]
                           : wall->held >> k & 1 ? wall->push[k] >= -wall->glue[k]
                                                 : leaves < 0;
        held |= (uint8_t)(holds ? 1u << k : 0u);
    }
    return held;
}

/* Where a free surface meets the wall it pulls at it with gamma sin(theta) a length, which the wall bears. */
static void line_range(void *user, size_t begin, size_t end) {
    const wall_job *job = user;
    bl_mpm *m = job->m;
    for (size_t w = begin; w < end; w++) {
        bl_mpm_wall *wall = &m->wall[w];
        const double length = m->flat ? 1 : m->cell[0];
        if (!(BL_FABS(m->level[wall->node]) < (real)(0.75 * m->cell[0]))) continue;
        for (int k = 0; k < wall->count; k++) wall->glue[k] += (real)(m->dt * length * m->bodies[wall->body[k]].line);
    }
}

void bl_mpm_find_lines(bl_world *world, bl_mpm *m) {
    wall_job job = {world, m};
    bl_parallel_for(world->ctx, m->walls, BL_MPM_CELLS, line_range, &job);
}

static void hold_range(void *user, size_t begin, size_t end) {
    const hold_job *job = user;
    bl_mpm *m = job->m;
    for (size_t w = begin; w < end; w++) {
        bl_mpm_wall *wall = &m->wall[w];
        const uint32_t i = wall->node;
        wall->held = faces_that_hold(m, wall, job->first);
        find_axes(wall);
        bl_vec3 v = bl_mpm_project(m, i, m->v[i]);
        for (int a = 0; a < wall->axes; a++) v = bl_v3_mad(v, wall->target[a], wall->axis[a]);
        m->v[i] = v;
    }
}

void bl_mpm_hold_walls(bl_world *world, bl_mpm *m, bool first) {
    bl_parallel_for(world->ctx, m->walls, BL_MPM_CELLS, hold_range, &(hold_job){m, first});
}

static void change_count(void *user, size_t begin, size_t end, double *acc) {
    const bl_mpm *m = user;
    for (size_t w = begin; w < end; w++) acc[0] += faces_that_hold(m, &m->wall[w], false) != m->wall[w].held;
}

bool bl_mpm_walls_change(const bl_world *world, const bl_mpm *m) {
    double count = 0;
    if (m->walls > 0) bl_parallel_reduce(world->ctx, m->walls, 1, BL_REDUCE_SUM, change_count, (void *)m, &count);
    return count > 0;
}

/* How hard walls push, from the residual: what the other forces lack. */
static void push_range(void *user, size_t begin, size_t end) {
    bl_mpm *m = user;
    for (size_t w = begin; w < end; w++) {
        bl_mpm_wall *wall = &m->wall[w];
        bl_vec3 left = m->residual[wall->node];
        for (int k = 0; k < wall->count; k++) {
            wall->push[k] = wall->held >> k & 1 ? bl_v3_dot(left, wall->normal[k]) : 0;
            left = bl_v3_mad(left, -wall->push[k], wall->normal[k]);
        }
    }
}

void bl_mpm_push_walls(bl_world *world, bl_mpm *m) {
    bl_parallel_for(world->ctx, m->walls, BL_MPM_CELLS, push_range, m);
}

/* Coulomb friction at nodes: at most the coefficient times the push, and never more than stops the node. */
static void rub_range(void *user, size_t begin, size_t end) {
    bl_mpm *m = user;
    for (size_t w = begin; w < end; w++) {
        bl_mpm_wall *wall = &m->wall[w];
        const uint32_t i = wall->node;
        wall->rubbed = bl_v3_zero();
        for (int k = 0; k < wall->count; k++) {
            const real most = (real)m->bodies[wall->body[k]].friction * wall->push[k] / m->inertia[i];
            if (!(wall->held >> k & 1) || !(most > 0)) continue;
            bl_vec3 slip = bl_v3_sub(m->v[i], wall->velocity[k]);
            slip = bl_v3_mad(slip, -bl_v3_dot(slip, wall->normal[k]), wall->normal[k]);
            const real speed = bl_v3_norm(slip), share = speed > most ? most / speed : 1;
            m->v[i] = bl_v3_mad(m->v[i], -share, slip);
            wall->rubbed = bl_v3_mad(wall->rubbed, -share * m->inertia[i], slip);
        }
    }
}

void bl_mpm_rub_walls(bl_world *world, bl_mpm *m) { bl_parallel_for(world->ctx, m->walls, BL_MPM_CELLS, rub_range, m); }
