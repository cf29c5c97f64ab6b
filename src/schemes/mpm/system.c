/* Forces at nodes, what they lack, and how they change (eqs. 8 and 9 of Hyde et al. 2020). All as impulses over the
 * step, so that the matrix is m + dt^2 H.
 *
 * Pressure: dt k_p (J' - 1) J V0 grad N, with J' = (1 + dt tr grad v) J; surface: dt P grad N; viscosity:
 * dt V mu (grad v + grad v^T) grad N. Liquid within a cell sees the same nodes, whose velocities are copied once. */
#include "base/clones.h"
#include "base/parallel.h"
#include "physics/spline.h"
#include "schemes/mpm/mpm.h"

#include <string.h>

enum { LANES = 8 };
/* Inlined into each clone of the loops over cells: called, they would be code for the oldest processors. */
#define INLINE static inline __attribute__((always_inline))

typedef struct system_job {
    const bl_world *world;
    bl_mpm *m;
    const bl_vec3 *x;
    bl_vec3 *y;
} system_job;

/* Numbers at the nodes of a cell's surroundings, filled up with zeros. */
typedef struct nodes3 {
    real c[3][BL_MPM_PAD];
} nodes3;

INLINE nodes3 copy_nodes(const bl_mpm *m, size_t cell, const bl_vec3 *x) {
    nodes3 n = {{{0}}};
    for (int s = 0; s < m->stencil; s++) {
        const bl_vec3 v = x[m->near[cell * (size_t)m->stencil + (size_t)s]];
        n.c[0][s] = v.x, n.c[1][s] = v.y, n.c[2][s] = v.z;
    }
    return n;
}

/* grad N of all nodes around a place; `g` is zero where there are none. */
INLINE void find_gradients(const bl_mpm *m, bl_vec3 at, nodes3 *g) {
    const real f[3] = {at.x, at.y, at.z};
    real w[3][3], d[3][3];
    for (int a = 0; a < 3; a++) {
        bl_spline_weights(f[a], w[a]);
        bl_spline_slopes(f[a], d[a]);
        for (int o = 0; o < 3; o++) d[a][o] *= m->inv_step[a];
    }
    for (int z = 0; z < (m->flat ? 1 : 3); z++)
        for (int y = 0; y < 3; y++) {
            const real wz = m->flat ? 1 : w[2][z], dz = m->flat ? 0 : d[2][z];
            const real yz = w[1][y] * wz, dyz = d[1][y] * wz, ydz = w[1][y] * dz;
            real *const gx = &g->c[0][9 * z + 3 * y], *const gy = &g->c[1][9 * z + 3 * y];
            real *const gz = &g->c[2][9 * z + 3 * y];
            for (int x = 0; x < 3; x++) gx[x] = d[0][x] * yz, gy[x] = w[0][x] * dyz, gz[x] = w[0][x] * ydz;
        }
}

/* Sums over nodes in lanes, which are added up in a fixed order. */
INLINE real add_lanes(const real *lane) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

INLINE real dot(const real *a, const real *b, int pad) {
    real lane[LANES] = {0};
    for (int k = 0; k < pad; k += LANES)
        for (int l = 0; l < LANES; l++) lane[l] += a[k + l] * b[k + l];
    return add_lanes(lane);
}

INLINE real dot_all(const nodes3 *a, const nodes3 *b, int pad) {
    real lane[LANES] = {0};
    for (int k = 0; k < pad; k += LANES)
        for (int l = 0; l < LANES; l++)
            lane[l] +=
                a->c[0][k + l] * b->c[0][k + l] + a->c[1][k + l] * b->c[1][k + l] + a->c[2][k + l] * b->c[2][k + l];
    return add_lanes(lane);
}

INLINE void add_scaled(nodes3 *sum, real factor, const nodes3 *g, int pad) {
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < pad; k++) sum->c[a][k] += factor * g->c[a][k];
}

/* sum += s (x) w . g over all nodes, w . g given. */
INLINE void add_vector(nodes3 *sum, bl_vec3 s, const real *along, int pad) {
    for (int k = 0; k < pad; k++) {
        sum->c[0][k] += s.x * along[k];
        sum->c[1][k] += s.y * along[k];
        sum->c[2][k] += s.z * along[k];
    }
}

/* grad x at a place. */
INLINE void find_slopes(const nodes3 *x, const nodes3 *g, int pad, real l[3][3]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) l[a][b] = dot(x->c[a], g->c[b], pad);
}

/* sum += [pressure + viscous (l + l^T)] g. */
INLINE void add_stress(nodes3 *sum, real pressure, real viscous, real l[3][3], const nodes3 *g, int pad) {
    for (int a = 0; a < 3; a++) {
        const real s0 = viscous * (l[a][0] + l[0][a]) + (a == 0 ? pressure : 0);
        const real s1 = viscous * (l[a][1] + l[1][a]) + (a == 1 ? pressure : 0);
        const real s2 = viscous * (l[a][2] + l[2][a]) + (a == 2 ? pressure : 0);
        for (int k = 0; k < pad; k++) sum->c[a][k] += s0 * g->c[0][k] + s1 * g->c[1][k] + s2 * g->c[2][k];
    }
}

INLINE void find_along(const nodes3 *g, bl_vec3 w, real *along, int pad) {
    for (int k = 0; k < pad; k++) along[k] = w.x * g->c[0][k] + w.y * g->c[1][k] + w.z * g->c[2][k];
}

INLINE bl_vec3 change_along(const nodes3 *x, const real *along, int pad) {
    return bl_v3_make(dot(x->c[0], along, pad), dot(x->c[1], along, pad), dot(x->c[2], along, pad));
}

INLINE void store_patch(const bl_mpm *m, size_t cell, const nodes3 *sum) {
    real *patch = m->patch + cell * 4 * (size_t)m->pad;
    for (int a = 0; a < 3; a++) memcpy(patch + a * m->pad, sum->c[a], (size_t)m->pad * sizeof(real));
}

static bl_vec3 sum_patches(const bl_mpm *m, size_t i) {
    const size_t stencil = (size_t)m->stencil, pad = (size_t)m->pad;
    bl_vec3 sum = bl_v3_zero();
    for (size_t s = 0; s < stencil; s++) {
        const uint32_t c = m->near[i * stencil + s];
        if (c >= m->cells) continue;
        const real *patch = m->patch + c * 4 * pad + (stencil - 1 - s);
        sum = bl_v3_add(sum, bl_v3_make(patch[0], patch[pad], patch[2 * pad]));
    }
    return sum;
}

/* --- the residual --- */

/* Surface forces of a cell at the velocities x, which also set the frames of its pieces. */
INLINE void add_tension(const bl_mpm *m, size_t cell, const nodes3 *x, nodes3 *sum) {
    const real dt = (real)m->dt;
    nodes3 g = {{{0}}};
    real along0[BL_MPM_PAD] = {0}, along1[BL_MPM_PAD] = {0};
    for (size_t q = m->piece_first[cell]; q < m->piece_first[cell + 1]; q++) {
        bl_mpm_sheet *sheet = &m->sheet[q];
        find_gradients(m, m->piece[q].f, &g);
        find_along(&g, sheet->w.a0, along0, m->pad);
        find_along(&g, sheet->w.a1, along1, m->pad);
        sheet->f.a0 = bl_v3_mad(sheet->w.a0, dt, change_along(x, along0, m->pad));
        sheet->f.a1 = bl_v3_mad(sheet->w.a1, dt, change_along(x, along1, m->pad));
        sheet->frame = bl_surface_frame_of(sheet->f);
        const bl_pair3 p = bl_surface_stress(sheet->energy, sheet->f);
        add_vector(sum, bl_v3_scale(dt, p.a0), along0, m->pad);
        add_vector(sum, bl_v3_scale(dt, p.a1), along1, m->pad);
    }
}

BL_CLONES static void residual_cells(void *user, size_t begin, size_t end) {
    const system_job *job = user;
    const bl_mpm *m = job->m;
    const real dt = (real)m->dt, bulk = (real)m->bulk, viscous = (real)(m->dt * m->viscosity);
    for (size_t c = begin; c < end; c++) {
        const nodes3 x = copy_nodes(m, c, job->x);
        nodes3 sum = {{{0}}}, g = {{{0}}};
        for (size_t k = m->first[c]; k < m->first[c + 1]; k++) {
            const bl_mpm_point *point = &m->point[k];
            find_gradients(m, point->f, &g);
            real l[3][3];
            if (viscous > 0) find_slopes(&x, &g, m->pad, l);
            const real divergence = viscous > 0 ? l[0][0] + l[1][1] + l[2][2] : dot_all(&x, &g, m->pad);
            const real pressure = dt * bulk * (point->dilation + dt * divergence * point->j) * point->volume;
            if (viscous > 0)
                add_stress(&sum, pressure, viscous * point->volume, l, &g, m->pad);
            else
                add_scaled(&sum, pressure, &g, m->pad);
        }
        add_tension(m, c, &x, &sum);
        store_patch(m, c, &sum);
    }
}

/* The drag of walls on velocities x beside those of the walls, kg m/s. */
static bl_vec3 wall_drag(const bl_mpm *m, size_t i, bl_vec3 x, bool moving) {
    if (m->wall_of[i] == BL_MPM_NONE) return bl_v3_zero();
    const bl_mpm_wall *wall = &m->wall[m->wall_of[i]];
    if (!(wall->drag > 0)) return bl_v3_zero();
    bl_vec3 slip = moving ? bl_v3_sub(x, wall->velocity[0]) : x;
    slip = bl_v3_mad(slip, -bl_v3_dot(slip, wall->normal[0]), wall->normal[0]);
    return bl_v3_scale(wall->drag, slip);
}

static void residual_nodes(void *user, size_t begin, size_t end) {
    const system_job *job = user;
    bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3 inertial = bl_v3_scale(m->inertia[i], bl_v3_sub(m->v[i], m->start[i]));
        const bl_vec3 forced = bl_v3_add(sum_patches(m, i), wall_drag(m, i, m->v[i], true));
        m->residual[i] = bl_v3_add(inertial, forced);
    }
}

void bl_mpm_find_residual(bl_world *world, bl_mpm *m) {
    system_job job = {world, m, m->v, NULL};
    bl_parallel_for(world->ctx, m->cells, BL_MPM_CELLS, residual_cells, &job);
    bl_parallel_for(world->ctx, m->masses, BL_MPM_CELLS, residual_nodes, &job);
}

/* --- the surface alone, for reports --- */

BL_CLONES static void tension_cells(void *user, size_t begin, size_t end) {
    const system_job *job = user;
    for (size_t c = begin; c < end; c++) {
        const nodes3 x = copy_nodes(job->m, c, job->x);
        nodes3 sum = {{{0}}};
        add_tension(job->m, c, &x, &sum);
        store_patch(job->m, c, &sum);
    }
}

static void tension_nodes(void *user, size_t begin, size_t end) {
    const system_job *job = user;
    for (size_t i = begin; i < end; i++) job->m->push_tension[i] = bl_v3_scale(-1, sum_patches(job->m, i));
}

void bl_mpm_find_tension(bl_world *world, bl_mpm *m) {
    system_job job = {world, m, m->v, NULL};
    bl_parallel_for(world->ctx, m->cells, BL_MPM_CELLS, tension_cells, &job);
    bl_parallel_for(world->ctx, m->masses, BL_MPM_CELLS, tension_nodes, &job);
}

/* --- the matrix --- */

INLINE void bend(const bl_mpm *m, size_t cell, const nodes3 *x, nodes3 *sum) {
    const real dt2 = (real)(m->dt * m->dt);
    nodes3 g = {{{0}}};
    real along0[BL_MPM_PAD] = {0}, along1[BL_MPM_PAD] = {0};
    for (size_t q = m->piece_first[cell]; q < m->piece_first[cell + 1]; q++) {
        const bl_mpm_sheet *sheet = &m->sheet[q];
        find_gradients(m, m->piece[q].f, &g);
        find_along(&g, sheet->w.a0, along0, m->pad);
        find_along(&g, sheet->w.a1, along1, m->pad);
        const bl_pair3 u = {change_along(x, along0, m->pad), change_along(x, along1, m->pad)};
        /* of a wet piece that pulls outwards the other part is the one that resists */
        const bl_surface_part part = sheet->energy > 0 ? BL_SURFACE_CONVEX : BL_SURFACE_CONCAVE;
        const bl_pair3 r = bl_surface_stiffness(sheet->energy, &sheet->frame, u, part, m->flat);
        add_vector(sum, bl_v3_scale(dt2, r.a0), along0, m->pad);
        add_vector(sum, bl_v3_scale(dt2, r.a1), along1, m->pad);
    }
}

BL_CLONES static void apply_cells(void *user, size_t begin, size_t end) {
    const system_job *job = user;
    const bl_mpm *m = job->m;
    const real stiff = (real)(m->dt * m->dt * m->bulk), viscous = (real)(m->dt * m->viscosity);
    for (size_t c = begin; c < end; c++) {
        const nodes3 x = copy_nodes(m, c, job->x);
        nodes3 sum = {{{0}}}, g = {{{0}}};
        for (size_t k = m->first[c]; k < m->first[c + 1]; k++) {
            const bl_mpm_point *point = &m->point[k];
            find_gradients(m, point->f, &g);
            real l[3][3];
            if (viscous > 0) find_slopes(&x, &g, m->pad, l);
            const real divergence = viscous > 0 ? l[0][0] + l[1][1] + l[2][2] : dot_all(&x, &g, m->pad);
            const real pressure = stiff * point->j * point->volume * divergence;
            if (viscous > 0)
                add_stress(&sum, pressure, viscous * point->volume, l, &g, m->pad);
            else
                add_scaled(&sum, pressure, &g, m->pad);
        }
        bend(m, c, &x, &sum);
        store_patch(m, c, &sum);
    }
}

static void apply_nodes(void *user, size_t begin, size_t end) {
    const system_job *job = user;
    const bl_mpm *m = job->m;
    for (size_t i = begin; i < end; i++) {
        const bl_vec3 own = bl_v3_mad(sum_patches(m, i), m->inertia[i], job->x[i]);
        job->y[i] = bl_mpm_project(m, i, bl_v3_add(own, wall_drag(m, i, job->x[i], false)));
    }
}

void bl_mpm_apply(bl_world *world, bl_mpm *m, const bl_vec3 *x, bl_vec3 *y) {
    system_job job = {world, m, x, y};
    bl_parallel_for(world->ctx, m->cells, BL_MPM_CELLS, apply_cells, &job);
    bl_parallel_for(world->ctx, m->masses, BL_MPM_CELLS, apply_nodes, &job);
}
