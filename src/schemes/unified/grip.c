/* Shares by tiles (node_tiles.h): those around a point's own hold all that is within its reach. */
#include "schemes/unified/grip.h"

#include "base/parallel.h"
#include "physics/common.h"

#include <math.h>
#include <string.h>

enum { TILES_A_CHUNK = 4, REACH = 6 };     /* in spacings of the particles */
static const double LATTICE_SPACING = 1.5; /* a tile is as wide as REACH then */

struct bl_grip {
    bl_lattice lattice;
    double low[3];
    bl_node_tiles tiles;
    bl_node_points contacts, walls;
    bl_vec3 *x; /* of the liquid at walls */
    uint32_t *of;
    real *load;  /* of each of them, ... */
    real *share; /* ... and of each point of walls over the sum of its weights */
    size_t contact_room, share_room;
    real spacing[3]; /* of the lattice, over the reach */
    const bl_grip_input *in;
};

/* 1 at a point, 0 at the reach; `from` and `to` are in the tiles at their homes. */
static real weight(const bl_grip *g, const int32_t from_home[3], const bl_lattice_point *from, const int32_t to_home[3],
                   const bl_lattice_point *to) {
    static const int size[3] = {BL_NODES_X, BL_NODES_Y, BL_NODES_Z};
    real r2 = BL_R(0);
    for (int k = 0; k < 3; ++k) {
        real d = ((real)((to_home[k] - from_home[k]) * size[k]) + to->at[k] - from->at[k]) * g->spacing[k];
        r2 += d * d;
    }
    real w = bl_max(BL_R(1) - r2, BL_R(0));
    return w * w * w;
}

/* The sum over `others` around a point of their weights, times value[index] if there are values. */
static real sum_around(const bl_grip *g, size_t home, const uint32_t *around, const bl_lattice_point *point,
                       const bl_node_points *others, const real *value) {
    real sum = BL_R(0);
    for (int m = 0; m < BL_TILES_AROUND; ++m) {
        if (around[m] == BL_NO_TILE) continue;
        for (uint32_t p = others->first[around[m]]; p < others->first[around[m] + 1]; ++p) {
            const bl_lattice_point *other = &others->of[p];
            real w = weight(g, g->tiles.place[home].at, point, g->tiles.place[around[m]].at, other);
            sum += value ? w * value[other->index] : w;
        }
    }
    return sum;
}

/* Is this tile's point the particle itself, not an image of it? Images lie outside of the period. */
static bool is_first(const bl_grip *g, const int32_t home[3], const bl_lattice_point *point) {
    static const int size[3] = {BL_NODES_X, BL_NODES_Y, BL_NODES_Z};
    for (int k = 0; k < 3; ++k) {
        double at = (double)home[k] * size[k] + (double)point->at[k];
        if (g->lattice.period[k] && (at < 0 || at >= (double)g->lattice.period[k])) return false;
    }
    return true;
}

static void share_walls(void *user, size_t begin, size_t end) {
    bl_grip *g = user;
    const bl_grip_input *in = g->in;
    for (size_t home = begin; home < end; ++home) {
        uint32_t around[BL_TILES_AROUND];
        bl_node_tiles_around(&g->tiles, home, around);
        for (uint32_t p = g->walls.first[home]; p < g->walls.first[home + 1]; ++p) {
            const bl_lattice_point *point = &g->walls.of[p];
            const uint32_t b = point->index;
            if (!is_first(g, g->tiles.place[home].at, point)) continue;
            real pressed = -bl_v3_dot(in->wall_force[b], in->wall_normal[b]);
            if (pressed == BL_R(0)) continue;
            real sum = sum_around(g, home, around, point, &g->contacts, NULL);
            g->share[b] = sum > BL_R(0) ? pressed / sum : BL_R(0);
        }
    }
}

static void gather_loads(void *user, size_t begin, size_t end) {
    bl_grip *g = user;
    for (size_t home = begin; home < end; ++home) {
        uint32_t around[BL_TILES_AROUND];
        bl_node_tiles_around(&g->tiles, home, around);
        for (uint32_t p = g->contacts.first[home]; p < g->contacts.first[home + 1]; ++p) {
            const bl_lattice_point *point = &g->contacts.of[p];
            if (is_first(g, g->tiles.place[home].at, point))
                g->load[point->index] = sum_around(g, home, around, point, &g->walls, g->share);
        }
    }
}

bl_status bl_grip_create(bl_context *ctx, int dimension, double h, const double period[3], const double low[3],
                         bl_grip **out) {
    bl_grip *g = bl_alloc(ctx, 1, sizeof *g);
    if (!g) return BL_ERR_MEMORY;
    g->lattice = (bl_lattice){.dimension = dimension, .reach = REACH * h};
    for (int k = 0; k < 3; ++k) {
        double spacing = LATTICE_SPACING * h;
        if (period[k] > 0) {
            g->lattice.period[k] = (int64_t)fmax(1, floor(period[k] / spacing + 1e-6));
            spacing = period[k] / (double)g->lattice.period[k];
        }
        g->lattice.spacing[k] = spacing;
        g->lattice.origin[k] = low[k];
        g->spacing[k] = (real)(spacing / g->lattice.reach);
    }
    *out = g;
    return BL_OK;
}

void bl_grip_destroy(bl_context *ctx, bl_grip *g) {
    if (!g) return;
    bl_node_tiles_clear(ctx, &g->tiles);
    bl_node_points_clear(ctx, &g->contacts);
    bl_node_points_clear(ctx, &g->walls);
    bl_release(ctx, g->x);
    bl_release(ctx, g->of);
    bl_release(ctx, g->load);
    bl_release(ctx, g->share);
    bl_release(ctx, g);
}

static bl_status make_room(bl_context *ctx, bl_grip *g) {
    if (g->in->count > g->contact_room) {
        bl_release(ctx, g->x);
        bl_release(ctx, g->of);
        bl_release(ctx, g->load);
        g->contact_room = g->in->count;
        g->x = bl_alloc(ctx, g->contact_room, sizeof *g->x);
        g->of = bl_alloc(ctx, g->contact_room, sizeof *g->of);
        g->load = bl_alloc(ctx, g->contact_room, sizeof *g->load);
        if (!g->x || !g->of || !g->load) return BL_ERR_MEMORY;
    }
    if (g->in->wall_count > g->share_room) {
        bl_release(ctx, g->share);
        g->share_room = g->in->wall_count;
        if (!(g->share = bl_alloc(ctx, g->share_room, sizeof *g->share))) return BL_ERR_MEMORY;
    }
    return BL_OK;
}

bl_status bl_grip_share(bl_context *ctx, bl_grip *g, const bl_grip_input *in, real *load) {
    size_t count = 0;
    g->in = in;
    memset(load, 0, in->count * sizeof *load);
    bl_status status = make_room(ctx, g);
    if (status != BL_OK) return status;
    for (size_t i = 0; i < in->count; ++i) {
        if (!(in->at_wall[i] > BL_R(0))) continue;
        g->x[count] = in->x[i];
        g->of[count++] = (uint32_t)i;
    }
    if (count == 0) return BL_OK;
    memset(g->share, 0, in->wall_count * sizeof *g->share);
    status = bl_node_tiles_build(ctx, &g->tiles, &g->lattice, g->x, count, true, &g->contacts);
    if (status == BL_OK) status = bl_node_tiles_sort(ctx, &g->tiles, in->wall_x, in->wall_count, &g->walls);
    if (status != BL_OK) return status;
    bl_parallel_for(ctx, g->tiles.count, TILES_A_CHUNK, share_walls, g);
    bl_parallel_for(ctx, g->tiles.count, TILES_A_CHUNK, gather_loads, g);
    for (size_t k = 0; k < count; ++k) load[g->of[k]] = g->load[k];
    return BL_OK;
}
