/* The sparse grid: cells of particles, the nodes they see, and one more node all around those. */
#include "base/parallel.h"
#include "schemes/mpm/mpm.h"

#include <string.h>

enum { KEY_BITS = 21 };

bl_status bl_mpm_renew(bl_context *ctx, void *array, size_t count, size_t item_size) {
    void *old, *fresh;
    memcpy(&old, array, sizeof old);
    bl_release(ctx, old);
    fresh = bl_alloc(ctx, count, item_size);
    memcpy(array, &fresh, sizeof fresh);
    return fresh ? BL_OK : BL_ERR_MEMORY;
}

/* Places 2^21 nodes apart share a key: nothing there can matter to each other. */
static uint64_t key_of(const int32_t place[3]) {
    const uint64_t mask = ((uint64_t)1 << KEY_BITS) - 1;
    return ((uint64_t)(uint32_t)place[0] & mask) | ((uint64_t)(uint32_t)place[1] & mask) << KEY_BITS |
           ((uint64_t)(uint32_t)place[2] & mask) << 2 * KEY_BITS;
}

static uint64_t slot_of(const bl_mpm *m, uint64_t key) {
    uint64_t x = key * 0x9e3779b97f4a7c15ull;
    return (x ^ x >> 29) & m->table_mask;
}

uint32_t bl_mpm_find_node(const bl_mpm *m, const int32_t place[3]) {
    const uint64_t key = key_of(place);
    uint64_t slot = slot_of(m, key);
    while (m->table_node[slot] != BL_MPM_NONE && m->table_key[slot] != key) slot = (slot + 1) & m->table_mask;
    return m->table_node[slot];
}

static void put_key(bl_mpm *m, uint64_t key, uint32_t node) {
    uint64_t slot = slot_of(m, key);
    while (m->table_node[slot] != BL_MPM_NONE) slot = (slot + 1) & m->table_mask;
    m->table_key[slot] = key;
    m->table_node[slot] = node;
}

/* Less than half of the table is ever full. */
static bl_status grow_table(bl_world *world, bl_mpm *m) {
    size_t size = m->room.table ? 2 * m->room.table : 4096;
    bl_status status = bl_mpm_renew(world->ctx, &m->table_key, size, sizeof *m->table_key);
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->table_node, size, sizeof *m->table_node);
    if (status != BL_OK) return status;
    m->room.table = size;
    m->table_mask = size - 1;
    memset(m->table_node, 0xff, size * sizeof *m->table_node);
    for (size_t i = 0; i < m->nodes; i++) put_key(m, key_of(m->place[i]), (uint32_t)i);
    return BL_OK;
}

/* Arrays that are filled while nodes are found. */
static bl_status grow_nodes(bl_world *world, bl_mpm *m) {
    size_t old = m->room.nodes, room = old ? old + old / 2 : 1024, stencil = (size_t)m->stencil;
    void *place = bl_grow(world->ctx, m->place, old, room, sizeof *m->place);
    if (!place) return BL_ERR_MEMORY;
    m->place = place;
    void *near = bl_grow(world->ctx, m->near, old * stencil, room * stencil, sizeof *m->near);
    if (!near) return BL_ERR_MEMORY;
    m->near = near;
    m->room.nodes = room;
    return BL_OK;
}

static bl_status put_node(bl_world *world, bl_mpm *m, const int32_t place[3], uint32_t *node) {
    *node = bl_mpm_find_node(m, place);
    if (*node != BL_MPM_NONE) return BL_OK;
    bl_status status = BL_OK;
    if (m->nodes == m->room.nodes) status = grow_nodes(world, m);
    if (status == BL_OK && 2 * (m->nodes + 1) > m->room.table) status = grow_table(world, m);
    if (status != BL_OK) return status;
    *node = (uint32_t)m->nodes++;
    memcpy(m->place[*node], place, sizeof m->place[0]);
    put_key(m, key_of(place), *node);
    return BL_OK;
}

static void neighbour_place(const bl_mpm *m, const int32_t from[3], int k, int32_t place[3]) {
    int d[3];
    bl_mpm_offset(m, k, d);
    for (int a = 0; a < 3; a++) {
        int64_t at = (int64_t)from[a] + d[a];
        if (m->period[a] > 0) at = (at + m->period[a]) % m->period[a];
        place[a] = (int32_t)at;
    }
}

/* All nodes around nodes [begin, end). */
static bl_status put_surroundings(bl_world *world, bl_mpm *m, size_t begin, size_t end) {
    bl_status status = BL_OK;
    for (size_t i = begin; i < end; i++)
        for (int k = 0; k < m->stencil && status == BL_OK; k++) {
            int32_t place[3];
            uint32_t node = 0;
            neighbour_place(m, m->place[i], k, place);
            status = put_node(world, m, place, &node);
            m->near[i * (size_t)m->stencil + (size_t)k] = node;
        }
    return status;
}

static void find_surroundings(void *user, size_t begin, size_t end) {
    bl_mpm *m = user;
    for (size_t n = begin; n < end; n++) {
        size_t i = m->masses + n;
        for (int k = 0; k < m->stencil; k++) {
            int32_t place[3];
            neighbour_place(m, m->place[i], k, place);
            m->near[i * (size_t)m->stencil + (size_t)k] = bl_mpm_find_node(m, place);
        }
    }
}

void bl_mpm_locate(const bl_mpm *m, bl_vec3 x, int32_t spot[3], bl_vec3 *f) {
    const double c[3] = {(double)x.x, (double)x.y, (double)x.z}, far = 1e9;
    real *fraction[3] = {&f->x, &f->y, &f->z};
    for (int a = 0; a < 3; a++) {
        if (a == 2 && m->flat) {
            spot[2] = 0;
            f->z = 0;
            continue;
        }
        double s = fmin(fmax((c[a] - m->origin[a]) * m->inv_cell[a], -far), far), nearest = floor(s + 0.5);
        int64_t at = (int64_t)nearest;
        *fraction[a] = (real)(s - nearest);
        if (m->period[a] > 0) at = (at % m->period[a] + m->period[a]) % m->period[a];
        spot[a] = (int32_t)at;
    }
}

typedef struct locate_job {
    const bl_world *world;
    bl_mpm *m;
} locate_job;

static void locate_range(void *user, size_t begin, size_t end) {
    const locate_job *job = user;
    for (size_t p = begin; p < end; p++) bl_mpm_locate(job->m, job->world->fluid.x[p], job->m->spot[p], &job->m->f[p]);
}

/* Particles by cell, those of one in the order of their numbers. */
static void sort_particles(bl_mpm *m) {
    memset(m->first, 0, (m->cells + 1) * sizeof *m->first);
    for (size_t p = 0; p < m->particles; p++) m->first[m->base[p] + 1]++;
    for (size_t c = 0; c < m->cells; c++) m->first[c + 1] += m->first[c];
    for (size_t p = 0; p < m->particles; p++) m->order[m->first[m->base[p]]++] = (uint32_t)p;
    for (size_t c = m->cells; c > 0; c--) m->first[c] = m->first[c - 1];
    m->first[0] = 0;
}

static bl_status reserve_particles(bl_world *world, bl_mpm *m) {
    size_t n = world->fluid.count;
    if (n <= m->room.particles) return BL_OK;
    n += n / 8;
    bl_context *ctx = world->ctx;
    bl_status status = bl_mpm_renew(ctx, &m->spot, n, sizeof *m->spot);
    if (status == BL_OK) status = bl_mpm_renew(ctx, &m->f, n, sizeof *m->f);
    if (status == BL_OK) status = bl_mpm_renew(ctx, &m->base, n, sizeof *m->base);
    if (status == BL_OK) status = bl_mpm_renew(ctx, &m->order, n, sizeof *m->order);
    if (status == BL_OK) status = bl_mpm_renew(ctx, &m->first, n + 1, sizeof *m->first);
    if (status == BL_OK) status = bl_mpm_renew(ctx, &m->point, n, sizeof *m->point);
    m->room.particles = status == BL_OK ? n : 0;
    return status;
}

static bl_status put_particles(bl_world *world, bl_mpm *m) {
    bl_status status = BL_OK;
    for (size_t p = 0; p < m->particles && status == BL_OK; p++) status = put_node(world, m, m->spot[p], &m->base[p]);
    m->cells = m->nodes;
    return status;
}

bl_status bl_mpm_build_grid(bl_world *world, bl_mpm *m) {
    m->particles = world->fluid.count;
    m->nodes = m->cells = m->masses = 0;
    bl_status status = reserve_particles(world, m);
    if (status == BL_OK && m->room.table == 0) status = grow_table(world, m);
    if (status != BL_OK) return status;
    memset(m->table_node, 0xff, m->room.table * sizeof *m->table_node);
    bl_parallel_for(world->ctx, m->particles, BL_CHUNK, locate_range, &(locate_job){world, m});
    status = put_particles(world, m);
    if (status == BL_OK) status = put_surroundings(world, m, 0, m->cells);
    if (status != BL_OK) return status;
    sort_particles(m);
    m->masses = m->nodes;
    status = put_surroundings(world, m, m->cells, m->masses);
    if (status != BL_OK) return status;
    bl_parallel_for(world->ctx, m->nodes - m->masses, BL_MPM_CELLS, find_surroundings, m);
    return BL_OK;
}
