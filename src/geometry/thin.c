/* Thinning points that lie too close together.
 *
 * A point is in when all that come before it and are near are out, and out when one of them is in. Asking again and
 * again those that are still open comes to the same end in any order, so threads may do it side by side; a thread that
 * asks in the order of the points needs to ask once. */
#include "base/parallel.h"
#include "geometry/point_grid.h"
#include "geometry/points.h"

enum { POINT_OPEN, POINT_IN, POINT_OUT };

typedef struct contest {
    const bl_vec3d *x;
    size_t begin;
    double distance;
    const uint64_t *priority;
    uint8_t *state; /* of point begin + k at k, as all below */
    size_t *open;   /* those to ask; NULL: all */
    bl_point_grid grid;
} contest;

static uint8_t state_of(const contest *c, size_t i) {
    uint8_t state = POINT_IN;
    if (i >= c->begin) {
#pragma omp atomic read
        state = c->state[i - c->begin];
    }
    return state;
}

static bool comes_before(const contest *c, size_t j, size_t i) {
    if (!c->priority || j < c->begin) return j < i;
    uint64_t a = c->priority[j - c->begin], b = c->priority[i - c->begin];
    return a > b || (a == b && j < i);
}

static uint8_t judge(const contest *c, size_t i) {
    uint8_t result = POINT_IN;
    bl_grid_walk walk = bl_grid_walk_begin(&c->grid, c->x[i], c->distance);
    const bl_grid_item *item;
    while ((item = bl_grid_walk_next(&walk))) {
        size_t j = item->index;
        if (j == i || bl_v3d_norm2(bl_v3d_sub(c->x[i], item->x)) >= c->distance * c->distance || !comes_before(c, j, i))
            continue;
        uint8_t other = state_of(c, j);
        if (other == POINT_IN) return POINT_OUT;
        if (other == POINT_OPEN) result = POINT_OPEN;
    }
    return result;
}

static void ask_range(void *user, size_t begin, size_t end) {
    contest *c = user;
    for (size_t a = begin; a < end; a++) {
        size_t k = c->open ? c->open[a] : a;
        uint8_t state = judge(c, c->begin + k);
        if (state == POINT_OPEN) continue;
#pragma omp atomic write
        c->state[k] = state;
    }
}

/* Those still open, of the list or of the first `count`. */
static size_t gather_open(contest *c, size_t *open, size_t count) {
    size_t still = 0;
    for (size_t a = 0; a < count; a++) {
        size_t k = c->open ? c->open[a] : a;
        if (c->state[k] == POINT_OPEN) open[still++] = k;
    }
    c->open = open;
    return still;
}

static bl_status run_contest(bl_context *ctx, contest *c, size_t count) {
    bl_parallel_for(ctx, count, BL_CHUNK, ask_range, c);
    size_t still = 0;
    for (size_t k = 0; k < count; k++) still += c->state[k] == POINT_OPEN;
    if (still == 0) return BL_OK;
    size_t *open = bl_alloc(ctx, still, sizeof *open);
    if (!open) return BL_ERR_MEMORY;
    for (still = gather_open(c, open, count); still > 0; still = gather_open(c, open, still))
        bl_parallel_for(ctx, still, BL_CHUNK, ask_range, c);
    bl_release(ctx, open);
    return BL_OK;
}

bl_status bl_points_thin(bl_context *ctx, const bl_vec3d *x, size_t count, size_t begin, double distance,
                         const uint64_t *priority, bool *keep) {
    contest c = {.x = x, .begin = begin, .distance = distance, .priority = priority};
    bl_status status = bl_point_grid_build(ctx, x, count, 2 * distance, &c.grid);
    if (status) return status;
    c.state = bl_alloc(ctx, count - begin, sizeof *c.state);
    status = c.state ? run_contest(ctx, &c, count - begin) : BL_ERR_MEMORY;
    for (size_t k = 0; k < count - begin && !status; k++) keep[k] = c.state[k] == POINT_IN;
    bl_release(ctx, c.state);
    bl_point_grid_clear(&c.grid);
    return status;
}
