/* Tiles by a hash table of their places. */
#include "schemes/unified/node_tiles.h"

#include <math.h>
#include <string.h>

static const int SIZE[3] = {BL_NODES_X, BL_NODES_Y, BL_NODES_Z};

void bl_node_points_clear(bl_context *ctx, bl_node_points *points) {
    bl_release(ctx, points->first);
    bl_release(ctx, points->of);
    bl_release(ctx, points->found);
    bl_release(ctx, points->home);
    *points = (bl_node_points){0};
}

void bl_node_tiles_clear(bl_context *ctx, bl_node_tiles *tiles) {
    bl_release(ctx, tiles->place);
    bl_release(ctx, tiles->slot);
    *tiles = (bl_node_tiles){0};
}

/* Room for `count` items of what *memory points to; what was there is kept. */
static bl_status make_room(bl_context *ctx, void *memory, size_t old_room, size_t room, size_t item) {
    void **at = memory;
    void *grown = bl_grow(ctx, *at, old_room, room, item);
    if (!grown) return BL_ERR_MEMORY;
    *at = grown;
    return BL_OK;
}

/* --- places --- */

static uint64_t mix(const int32_t at[3]) {
    uint64_t h = (uint32_t)at[0] * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29) ^ (uint32_t)at[1]) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 32) ^ (uint32_t)at[2]) * 0x94d049bb133111ebull;
    return h ^ (h >> 31);
}

static bool same(const int32_t a[3], const int32_t b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/* The slot of a place: with its tile, or free. */
static size_t slot_of(const bl_node_tiles *tiles, const int32_t at[3]) {
    size_t k = mix(at) & (tiles->slots - 1);
    while (tiles->slot[k] != BL_NO_TILE && !same(tiles->place[tiles->slot[k]].at, at)) k = (k + 1) & (tiles->slots - 1);
    return k;
}

uint32_t bl_node_tiles_find(const bl_node_tiles *tiles, const int32_t at[3]) {
    return tiles->slots ? tiles->slot[slot_of(tiles, at)] : BL_NO_TILE;
}

static bl_status enlarge(bl_context *ctx, bl_node_tiles *tiles) {
    size_t room = tiles->room ? 2 * tiles->room : 1024, slots = 4 * room;
    bl_status status = make_room(ctx, &tiles->place, tiles->room, room, sizeof *tiles->place);
    if (status == BL_OK) status = make_room(ctx, &tiles->slot, tiles->slots, slots, sizeof *tiles->slot);
    if (status != BL_OK) return status;
    tiles->room = room, tiles->slots = slots;
    memset(tiles->slot, 0xff, slots * sizeof *tiles->slot);
    for (size_t t = 0; t < tiles->count; ++t) tiles->slot[slot_of(tiles, tiles->place[t].at)] = (uint32_t)t;
    return BL_OK;
}

/* The tile at a place, made if it is not there. */
static bl_status visit(bl_context *ctx, bl_node_tiles *tiles, const int32_t at[3], uint32_t *tile) {
    if (tiles->count == tiles->room) {
        bl_status status = enlarge(ctx, tiles);
        if (status != BL_OK) return status;
    }
    size_t k = slot_of(tiles, at);
    if (tiles->slot[k] == BL_NO_TILE) {
        memcpy(tiles->place[tiles->count].at, at, sizeof tiles->place->at);
        tiles->slot[k] = (uint32_t)tiles->count++;
    }
    *tile = tiles->slot[k];
    return BL_OK;
}

/* --- points --- */

/* Where a point and its images are, in spacings along one axis; how many. */
static int images_of(const bl_lattice *l, int axis, double x, double out[3]) {
    double at = (x - l->origin[axis]) / l->spacing[axis], reach = l->reach / l->spacing[axis];
    double length = (double)l->period[axis];
    int n = 0;
    if (l->period[axis] == 0) {
        out[0] = at;
        return 1;
    }
    at -= length * floor(at / length);
    out[n++] = at;
    if (at - length > -reach - 1) out[n++] = at - length;
    if (at < reach) out[n++] = at + length;
    return n;
}

typedef bl_status (*tile_fn)(bl_context *ctx, bl_node_tiles *tiles, const int32_t at[3], uint32_t *tile);

static bl_status look_up(bl_context *ctx, bl_node_tiles *tiles, const int32_t at[3], uint32_t *tile) {
    (void)ctx;
    *tile = bl_node_tiles_find(tiles, at);
    return BL_OK;
}

static bl_status reserve(bl_context *ctx, bl_node_points *points, size_t room) {
    if (room <= points->room) return BL_OK;
    bl_status status = make_room(ctx, &points->found, points->room, room, sizeof *points->found);
    if (status == BL_OK) status = make_room(ctx, &points->home, points->room, room, sizeof *points->home);
    if (status == BL_OK) status = make_room(ctx, &points->of, points->room, room, sizeof *points->of);
    if (status == BL_OK) points->room = room;
    return status;
}

static bl_status push(bl_context *ctx, bl_node_points *points, uint32_t tile, bl_lattice_point point) {
    if (points->count == points->room) {
        bl_status status = reserve(ctx, points, points->room ? 2 * points->room : 4096);
        if (status != BL_OK) return status;
    }
    points->home[points->count] = tile;
    points->found[points->count++] = point;
    return BL_OK;
}

/* Point `index` and its images, as far as `tile_of` has tiles for them. */
static bl_status place(bl_context *ctx, bl_node_tiles *tiles, bl_vec3 x, uint32_t index, tile_fn tile_of,
                       bl_node_points *points) {
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    double image[3][3] = {{0}};
    int n[3] = {1, 1, 1}, axes = tiles->lattice.dimension;
    if (!isfinite(at[0] + at[1] + at[2])) return BL_OK;
    for (int k = 0; k < axes; ++k) n[k] = images_of(&tiles->lattice, k, at[k], image[k]);
    for (int m = 0; m < n[0] * n[1] * n[2]; ++m) {
        const int which[3] = {m % n[0], m / n[0] % n[1], m / n[0] / n[1]};
        bl_lattice_point point = {.index = index};
        int32_t home[3] = {0};
        uint32_t tile;
        for (int k = 0; k < axes; ++k) {
            double here = image[k][which[k]], first = floor(here / SIZE[k]);
            if (fabs(first) > 1e9) return BL_OK; /* out of the world: a diverging step */
            home[k] = (int32_t)first;
            point.at[k] = (real)(here - first * SIZE[k]);
        }
        bl_status status = tile_of(ctx, tiles, home, &tile);
        if (status == BL_OK && tile != BL_NO_TILE) status = push(ctx, points, tile, point);
        if (status != BL_OK) return status;
    }
    return BL_OK;
}

/* By tiles, each in the order in which they came. */
static bl_status sort(bl_context *ctx, const bl_node_tiles *tiles, bl_node_points *points) {
    if (tiles->count + 1 > points->tiles_room) {
        bl_status status = make_room(ctx, &points->first, 0, tiles->room + 1, sizeof *points->first);
        if (status != BL_OK) return status;
        points->tiles_room = tiles->room + 1;
    }
    uint32_t *first = points->first;
    memset(first, 0, (tiles->count + 1) * sizeof *first);
    for (size_t k = 0; k < points->count; ++k) ++first[points->home[k]];
    uint32_t end = 0;
    for (size_t t = 0; t < tiles->count; ++t) end += first[t], first[t] = end;
    first[tiles->count] = end;
    for (size_t k = points->count; k-- > 0;) points->of[--first[points->home[k]]] = points->found[k];
    return BL_OK;
}

static int32_t tiles_in_period(const bl_lattice *l, int axis) {
    return (int32_t)((l->period[axis] + SIZE[axis] - 1) / SIZE[axis]);
}

/* The tiles around those that are there; `beyond`: also those beyond a period, which hold images of points. */
static bl_status surround(bl_context *ctx, bl_node_tiles *tiles, int beyond) {
    const bl_lattice *l = &tiles->lattice;
    const int deep = l->dimension == 3 ? 1 : 0;
    const size_t homes = tiles->count;
    for (size_t t = 0; t < homes; ++t) {
        for (int m = 0; m < 9 * (2 * deep + 1); ++m) {
            int32_t at[3] = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - deep};
            bool inside = true;
            for (int k = 0; k < 3; ++k) {
                at[k] += tiles->place[t].at[k];
                inside &= l->period[k] == 0 || (at[k] >= -beyond && at[k] < tiles_in_period(l, k) + beyond);
            }
            uint32_t tile;
            bl_status status = inside ? visit(ctx, tiles, at, &tile) : BL_OK;
            if (status != BL_OK) return status;
        }
    }
    return BL_OK;
}

bl_status bl_node_tiles_build(bl_context *ctx, bl_node_tiles *tiles, const bl_lattice *lattice, const bl_vec3 *x,
                              size_t count, bool wider, bl_node_points *points) {
    bl_status status = BL_OK;
    tiles->lattice = *lattice;
    tiles->count = points->count = 0;
    if (tiles->slots) memset(tiles->slot, 0xff, tiles->slots * sizeof *tiles->slot);
    for (size_t i = 0; i < count && status == BL_OK; ++i) status = place(ctx, tiles, x[i], (uint32_t)i, visit, points);
    if (status == BL_OK) status = surround(ctx, tiles, 0);
    tiles->with_nodes = tiles->count;
    if (status == BL_OK && wider) status = surround(ctx, tiles, 1);
    return status == BL_OK ? sort(ctx, tiles, points) : status;
}

bl_status bl_node_tiles_sort(bl_context *ctx, const bl_node_tiles *tiles, const bl_vec3 *x, size_t count,
                             bl_node_points *points) {
    bl_node_tiles found = *tiles; /* look_up makes none */
    bl_status status = BL_OK;
    points->count = 0;
    for (size_t i = 0; i < count && status == BL_OK; ++i)
        status = place(ctx, &found, x[i], (uint32_t)i, look_up, points);
    return status == BL_OK ? sort(ctx, tiles, points) : status;
}

void bl_node_tiles_around(const bl_node_tiles *tiles, size_t tile, uint32_t around[BL_TILES_AROUND]) {
    const int32_t *middle = tiles->place[tile].at;
    const bool flat = tiles->lattice.dimension == 2;
    for (int m = 0; m < BL_TILES_AROUND; ++m) {
        const int32_t at[3] = {middle[0] + m % 3 - 1, middle[1] + m / 3 % 3 - 1, middle[2] + m / 9 - 1};
        around[m] = flat && m / 9 != 1 ? BL_NO_TILE : bl_node_tiles_find(tiles, at);
    }
}

void bl_node_tiles_extent(const bl_node_tiles *tiles, size_t tile, int nodes[3]) {
    const bl_lattice *l = &tiles->lattice;
    for (int k = 0; k < 3; ++k) {
        int64_t left = l->period[k] - (int64_t)tiles->place[tile].at[k] * SIZE[k];
        nodes[k] = l->period[k] == 0 ? SIZE[k] : (int)(left < 0 ? 0 : left < SIZE[k] ? left : SIZE[k]);
        if (l->period[k] && tiles->place[tile].at[k] < 0) nodes[k] = 0;
    }
    if (l->dimension == 2) nodes[2] = 1;
}
