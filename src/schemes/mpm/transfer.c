/* Particles to nodes and back (eqs. 6 and 10 of Hyde et al. 2020). The affine velocity and the factor 4/dx^2 keep
 * linear and angular momentum. */
#include "base/parallel.h"
#include "physics/spline.h"
#include "schemes/mpm/mpm.h"

#include <stdio.h>
#include <string.h>

/* What a held particle weighs at nodes: nothing pushes it, so what is around it gives way. */
static const double HELD_WEIGHT = 100;
/* In place of the spot of a particle that could not be moved. */
enum { STUCK = INT32_MAX };
/* The least a node weighs, of a particle: one at the very edge of what its particles see. */
static const double LEAST_WEIGHT = 1e-6;

typedef struct transfer {
    const bl_world *world;
    bl_mpm *m;
} transfer;

/* A place that particles see, for each axis: weights of the nodes and how far these are, m. */
typedef struct reach {
    real w[3][3], d[3][3];
} reach;

static reach reach_of(const bl_mpm *m, bl_vec3 f) {
    reach r;
    const real at[3] = {f.x, f.y, f.z};
    for (int a = 0; a < 3; a++) {
        bl_spline_weights(at[a], r.w[a]);
        for (int o = 0; o < 3; o++) r.d[a][o] = ((real)(o - 1) - at[a]) * (real)m->cell[a];
    }
    if (m->flat) {
        r.w[2][1] = 1;
        r.d[2][1] = 0;
    }
    return r;
}

/* Node k of a reach: its weight, and the way to it. */
static real node_of(const bl_mpm *m, const reach *r, int k, bl_vec3 *way) {
    int x = k % 3, y = k / 3 % 3, z = m->flat ? 1 : k / 9;
    *way = bl_v3_make(r->d[0][x], r->d[1][y], r->d[2][z]);
    return r->w[0][x] * r->w[1][y] * r->w[2][z];
}

static void spread_particle(const transfer *t, size_t k, real *patch) {
    const bl_mpm *m = t->m;
    const bl_fluid_store *fluid = &t->world->fluid;
    const uint32_t p = m->order[k];
    const real *affine = fluid->annex + (size_t)p * BL_MPM_ANNEX + BL_MPM_AFFINE;
    const real mass = (real)(fluid->held[p] ? HELD_WEIGHT * m->mass : m->mass);
    const reach r = reach_of(m, m->f[p]);
    const bl_vec3 v = fluid->v[p];
    const size_t pad = (size_t)m->pad;
    for (int s = 0; s < m->stencil; s++) {
        bl_vec3 d;
        const real w = mass * node_of(m, &r, s, &d);
        patch[s] += w;
        patch[pad + (size_t)s] += w * (v.x + affine[0] * d.x + affine[1] * d.y + affine[2] * d.z);
        patch[2 * pad + (size_t)s] += w * (v.y + affine[3] * d.x + affine[4] * d.y + affine[5] * d.z);
        patch[3 * pad + (size_t)s] += w * (v.z + affine[6] * d.x + affine[7] * d.y + affine[8] * d.z);
    }
}

static void spread_cells(void *user, size_t begin, size_t end) {
    const transfer *t = user;
    bl_mpm *m = t->m;
    for (size_t c = begin; c < end; c++) {
        real *patch = m->patch + c * 4 * (size_t)m->pad;
        memset(patch, 0, 4 * (size_t)m->pad * sizeof *patch);
        for (size_t k = m->first[c]; k < m->first[c + 1]; k++) {
            const uint32_t p = m->order[k];
            const real dilation = t->world->fluid.annex[(size_t)p * BL_MPM_ANNEX + BL_MPM_DILATION], j = 1 + dilation;
            m->point[k] = (bl_mpm_point){m->f[p], dilation, j, j * (real)m->volume};
            spread_particle(t, k, patch);
        }
    }
}

/* Mass and momentum of nodes, and their velocity after what gravity does in a step. */
static void gather_nodes(void *user, size_t begin, size_t end) {
    const transfer *t = user;
    bl_mpm *m = t->m;
    const bl_vec3 kick =
        bl_v3_from_d(bl_v3d_scale(m->dt, bl_curve_at3(&t->world->scene->gravity, t->world->time + m->dt)));
    const size_t pad = (size_t)m->pad, stencil = (size_t)m->stencil;
    for (size_t i = begin; i < end; i++) {
        real mass = 0;
        bl_vec3 sum = bl_v3_zero();
        for (size_t s = 0; s < stencil; s++) {
            const uint32_t c = m->near[i * stencil + s];
            if (c >= m->cells) continue;
            const real *patch = m->patch + c * 4 * pad + (stencil - 1 - s);
            mass += patch[0];
            sum = bl_v3_add(sum, bl_v3_make(patch[pad], patch[2 * pad], patch[3 * pad]));
        }
        const real least = (real)(LEAST_WEIGHT * m->mass);
        m->inertia[i] = mass > least ? mass : least;
        m->start[i] = bl_v3_add(bl_v3_scale(1 / m->inertia[i], sum), kick);
        m->v[i] = m->start[i];
    }
}

static bl_status reserve_cells(bl_world *world, bl_mpm *m) {
    if (m->cells <= m->room.cells) return BL_OK;
    size_t n = m->cells + m->cells / 4;
    bl_status status = bl_mpm_renew(world->ctx, &m->patch, n * 4 * (size_t)m->pad, sizeof *m->patch);
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->piece_first, n + 1, sizeof *m->piece_first);
    m->room.cells = status == BL_OK ? n : 0;
    return status;
}

/* Arrays of numbers at nodes follow those of grid.c in size. */
static bl_status reserve_nodes(bl_world *world, bl_mpm *m) {
    size_t n = m->room.nodes;
    if (m->room.numbers == n) return BL_OK;
    real **const reals[] = {&m->inertia, &m->raw, &m->level};
    uint32_t **const words[] = {&m->wall_of, &m->nearest, &m->nearest_next, &m->wall_near, &m->wall_near_next};
    bl_vec3 **const vectors[] = {&m->start,     &m->v,           &m->residual,    &m->change,
                                 &m->direction, &m->image,       &m->scaled,      &m->push_tension,
                                 &m->toward,    &m->toward_next, &m->wall_toward, &m->wall_toward_next};
    bl_status status = BL_OK;
    m->room.numbers = 0;
    for (size_t k = 0; k < sizeof reals / sizeof *reals && status == BL_OK; k++)
        status = bl_mpm_renew(world->ctx, reals[k], n, sizeof(real));
    for (size_t k = 0; k < sizeof words / sizeof *words && status == BL_OK; k++)
        status = bl_mpm_renew(world->ctx, words[k], n, sizeof(uint32_t));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors && status == BL_OK; k++)
        status = bl_mpm_renew(world->ctx, vectors[k], n, sizeof(bl_vec3));
    if (status == BL_OK) m->room.numbers = n;
    return status;
}

bl_status bl_mpm_gather_mass(bl_world *world, bl_mpm *m) {
    transfer t = {world, m};
    bl_status status = reserve_cells(world, m);
    if (status == BL_OK) status = reserve_nodes(world, m);
    if (status != BL_OK) return status;
    bl_parallel_for(world->ctx, m->cells, BL_MPM_CELLS, spread_cells, &t);
    bl_parallel_for(world->ctx, m->masses, BL_MPM_CELLS, gather_nodes, &t);
    return BL_OK;
}

/* --- back --- */

/* What nodes tell a particle. */
typedef struct told {
    bl_vec3 v, tension, load; /* m/s; impulses over mass of the surface and of walls, m/s */
    real affine[9];
    real divergence;
} told;

static void add_affine(real *c, real w, bl_vec3 v, bl_vec3 d) {
    const real a[3] = {v.x, v.y, v.z}, b[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) c[3 * i + j] += w * a[i] * b[j];
}

static void scale_affine(const bl_mpm *m, real *c) {
    for (int k = 0; k < 9; k++) c[k] *= (real)(4 * m->inv_cell[k % 3] * m->inv_cell[k % 3]);
    if (m->flat)
        for (int k = 0; k < 3; k++) c[3 * k + 2] = c[6 + k] = 0;
}

static bl_vec3 wall_impulse(const bl_mpm *m, size_t i) {
    bl_vec3 sum = bl_v3_zero();
    if (m->wall_of[i] == BL_MPM_NONE) return sum;
    const bl_mpm_wall *wall = &m->wall[m->wall_of[i]];
    for (int k = 0; k < wall->count; k++)
        if (wall->held >> k & 1) sum = bl_v3_mad(sum, wall->push[k], wall->normal[k]);
    return sum;
}

static told ask_nodes(const bl_mpm *m, size_t p) {
    const reach r = reach_of(m, m->f[p]);
    const uint32_t *near = m->near + m->base[p] * (size_t)m->stencil;
    told t = {0};
    for (int s = 0; s < m->stencil; s++) {
        bl_vec3 d;
        const uint32_t i = near[s];
        const real w = node_of(m, &r, s, &d), share = w / m->inertia[i];
        t.v = bl_v3_mad(t.v, w, m->v[i]);
        t.tension = bl_v3_mad(t.tension, share, m->push_tension[i]);
        if (m->any_wall) t.load = bl_v3_mad(t.load, share, wall_impulse(m, i));
        add_affine(t.affine, w, m->v[i], d);
    }
    scale_affine(m, t.affine);
    return t;
}

/* Affine velocities of particles that have none yet: those of the flow that their velocities make. */
static void begin_range(void *user, size_t begin, size_t end) {
    const transfer *t = user;
    const bl_mpm *m = t->m;
    for (size_t p = begin; p < end; p++) {
        const reach r = reach_of(m, m->f[p]);
        const uint32_t *near = m->near + m->base[p] * (size_t)m->stencil;
        real affine[9] = {0};
        for (int s = 0; s < m->stencil; s++) {
            bl_vec3 d;
            const real w = node_of(m, &r, s, &d);
            add_affine(affine, w, m->v[near[s]], d);
        }
        scale_affine(m, affine);
        memcpy(t->world->fluid.annex + p * BL_MPM_ANNEX + BL_MPM_AFFINE, affine, sizeof affine);
    }
}

bl_status bl_mpm_begin(bl_world *world, bl_mpm *m) {
    transfer t = {world, m};
    bl_status status = bl_mpm_gather_mass(world, m);
    if (status == BL_OK) bl_parallel_for(world->ctx, m->particles, BL_CHUNK, begin_range, &t);
    return status;
}

/* tr grad v at the particle. */
static real divergence_at(const bl_mpm *m, size_t p) {
    const uint32_t *near = m->near + m->base[p] * (size_t)m->stencil;
    const real f[3] = {m->f[p].x, m->f[p].y, m->f[p].z};
    real w[3][3], s[3][3], sum = 0;
    for (int a = 0; a < 3; a++) {
        bl_spline_weights(f[a], w[a]);
        bl_spline_slopes(f[a], s[a]);
    }
    if (m->flat) w[2][1] = 1, s[2][1] = 0;
    for (int k = 0; k < m->stencil; k++) {
        const int x = k % 3, y = k / 3 % 3, z = m->flat ? 1 : k / 9;
        const bl_vec3 v = m->v[near[k]];
        sum += v.x * m->inv_step[0] * s[0][x] * w[1][y] * w[2][z] + v.y * m->inv_step[1] * w[0][x] * s[1][y] * w[2][z] +
               v.z * m->inv_step[2] * w[0][x] * w[1][y] * s[2][z];
    }
    return sum;
}

/* A particle keeps off the surface of a wall: a quarter of a spacing, half of where a layer at rest has it. */
static void keep_off_wall(const transfer *t, size_t p, bl_vec3 *way, bl_vec3 *v) {
    const bl_mpm *m = t->m;
    const uint32_t c = m->base[p], b = m->any_wall ? m->wall_near[c] : BL_MPM_NONE;
    if (b == BL_MPM_NONE) return;
    const bl_boundary_store *boundary = &t->world->boundary;
    const real h = (real)t->world->scene->spacing, dt = (real)m->dt;
    const bl_vec3 n = boundary->normal[b], f = m->f[p];
    const bl_vec3 here = bl_v3_make(f.x * (real)m->cell[0], f.y * (real)m->cell[1], f.z * (real)m->cell[2]);
    const bl_vec3 from = bl_v3_sub(here, m->wall_toward[c]);
    const bl_vec3 end = bl_v3_sub(bl_v3_add(from, *way), bl_v3_scale(dt, boundary->v[b]));
    const real d = bl_v3_dot(end, n), far = BL_R(1.5) * h, beside = bl_v3_norm2(end) - d * d;
    if (!(d < BL_R(0.25) * h) || d < -far || beside > far * far) return;
    const real inward = bl_v3_dot(bl_v3_sub(*v, boundary->v[b]), n);
    *way = bl_v3_mad(*way, BL_R(0.25) * h - d, n);
    if (inward < 0) *v = bl_v3_mad(*v, -inward, n);
}

/* A step that carries a particle further than a cell, or changes its volume this much, means nothing. */
static bool makes_sense(const bl_mpm *m, bl_vec3 v, real growth) {
    return bl_v3_norm(v) <= (real)(m->cell[0] / m->dt) && growth > BL_R(0.2) && growth < BL_R(5);
}

static void move_range(void *user, size_t begin, size_t end) {
    const transfer *t = user;
    bl_mpm *m = t->m;
    const bl_fluid_store *fluid = &t->world->fluid;
    const real dt = (real)m->dt, mass = (real)m->mass;
    /* liquid that is pulled harder than anything here can pull has come apart */
    const real most = (real)(m->bulk > 0 ? fmin(m->scale / m->bulk, 0.5) : 0.5);
    for (size_t p = begin; p < end; p++) {
        real *annex = fluid->annex + p * BL_MPM_ANNEX;
        const told from = ask_nodes(m, p);
        const bl_vec3 before = fluid->v[p];
        const real growth = dt * divergence_at(m, p);
        bl_vec3 v = fluid->held[p] ? before : from.v, way = bl_v3_scale(dt, v);
        if (!makes_sense(m, from.v, 1 + growth)) {
            m->spot[p][0] = STUCK;
            continue;
        }
        if (!fluid->held[p]) {
            const real grown = annex[BL_MPM_DILATION] + growth * (1 + annex[BL_MPM_DILATION]);
            annex[BL_MPM_DILATION] = grown < most ? grown : most;
            memcpy(annex + BL_MPM_AFFINE, from.affine, sizeof from.affine);
            keep_off_wall(t, p, &way, &v);
        }
        fluid->x[p] = bl_v3_add(fluid->x[p], way);
        fluid->v[p] = v;
        fluid->a[p] = bl_v3_scale(1 / dt, bl_v3_sub(v, before));
        fluid->f_st[p] = bl_v3_scale(mass / dt, from.tension);
        fluid->f_n[p] = bl_v3_scale(mass / dt, from.load);
        fluid->load[p] = bl_v3_norm(fluid->f_n[p]);
    }
}

/* The first particle that was not moved. */
static void check_range(void *user, size_t begin, size_t end, double *acc) {
    const bl_mpm *m = user;
    for (size_t p = begin; p < end; p++)
        if (m->spot[p][0] == STUCK) acc[0] = fmin(acc[0], (double)p);
}

static void describe(const bl_world *world, const bl_mpm *m, size_t p, bl_failure *failure) {
    const double way = (double)bl_v3_norm(ask_nodes(m, p).v) * m->dt / world->scene->spacing;
    failure->term = "pressure";
    failure->id = world->fluid.id[p];
    failure->x = bl_v3d_from(world->fluid.x[p]);
    if (isfinite(way))
        snprintf(failure->text, sizeof failure->text,
                 "it would move %.3g spacings and its volume change by a factor of %.3g in one step", way,
                 1 + m->dt * (double)divergence_at(m, p));
    else
        snprintf(failure->text, sizeof failure->text, "its velocity is not a number");
}

bl_status bl_mpm_move_particles(bl_world *world, bl_mpm *m, bl_failure *failure) {
    transfer t = {world, m};
    double first;
    bl_parallel_for(world->ctx, m->particles, BL_CHUNK, move_range, &t);
    bl_parallel_reduce(world->ctx, m->particles, 1, BL_REDUCE_MIN, check_range, m, &first);
    if (!(first < (double)m->particles)) return BL_OK;
    describe(world, m, (size_t)first, failure);
    return BL_ERR_DIVERGED;
}
