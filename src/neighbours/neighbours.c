#include "neighbours/neighbours.h"

#include "base/parallel.h"
#include "neighbours/groups.h"
#include "neighbours/near_walls.h"

struct bl_neighbours {
    bl_context *ctx;
    bl_arena *arena;
    bl_pair_test test;
    bl_frame frame; /* open axes are placed anew by every build */
    bl_grid fluid, boundary;
    bl_rows ff, groups, fb, bf, bb;
    bl_index *active;
    size_t n_active, active_capacity;
};

static bl_status check_def(bl_context *ctx, const bl_search_def *def) {
    const double *min = &def->min.x, *max = &def->max.x;
    if (def->dimension != 2 && def->dimension != 3)
        return bl_fail(ctx, BL_ERR_DATA, "neighbour search: dimension is %d, expected 2 or 3", def->dimension);
    if (!(def->near_radius > 0) || !(def->far_radius >= def->near_radius) || !isfinite(def->far_radius))
        return bl_fail(ctx, BL_ERR_DATA,
                       "neighbour search: radii are %g m and %g m, expected two positive lengths, the larger one last",
                       def->near_radius, def->far_radius);
    for (int a = 0; a < def->dimension; a++) {
        double period = max[a] - min[a];
        if (def->periodic[a] && (!isfinite(period) || period < 2 * def->far_radius * (1 - 1e-9)))
            return bl_fail(ctx, BL_ERR_DATA,
                           "neighbour search: the period along %c is %g m, expected at least %g m (twice the largest "
                           "radius)",
                           "xyz"[a], period, 2 * def -> far_radius);
    }
    return BL_OK;
}

/* Cells must be a little longer than a share of the radius, since the pair test rounds: relative to the radius, and
 * with a period also relative to the period. */
static bl_frame make_frame(const bl_search_def *def) {
    bl_frame frame;
    const double *min = &def->min.x, *max = &def->max.x;
    double radius = def->far_radius * (1 + 1e-5);
    for (int a = 0; a < 3; a++) {
        double period = max[a] - min[a];
        if (a >= def->dimension)
            frame.axis[a] = bl_axis_unused();
        else if (def->periodic[a])
            frame.axis[a] =
                bl_axis_periodic(min[a], period, (radius + 8 * (double)BL_REAL_EPSILON * period) / BL_GRID_REACH);
        else
            frame.axis[a] = bl_axis_open(radius / BL_GRID_REACH);
    }
    return frame;
}

static bl_pair_test make_test(const bl_search_def *def) {
    bl_pair_test test = {0};
    real near = (real)def->near_radius, far = (real)def->far_radius;
    test.near_radius2 = near * near;
    test.far_radius2 = far * far;
    test.period = bl_search_period(def);
    for (int a = 0; a < def->dimension; a++) test.periodic = test.periodic || def->periodic[a];
    return test;
}

bl_period bl_search_period(const bl_search_def *def) {
    bl_vec3d length = {0, 0, 0}, inv_length = {0, 0, 0};
    if (def->periodic[0]) length.x = def->max.x - def->min.x, inv_length.x = 1 / length.x;
    if (def->periodic[1]) length.y = def->max.y - def->min.y, inv_length.y = 1 / length.y;
    if (def->periodic[2] && def->dimension == 3) length.z = def->max.z - def->min.z, inv_length.z = 1 / length.z;
    return (bl_period){bl_v3_from_d(length), bl_v3_from_d(inv_length)};
}

bl_status bl_neighbours_create(bl_context *ctx, const bl_search_def *def, bl_neighbours **out) {
    *out = NULL;
    bl_status status = check_def(ctx, def);
    if (status != BL_OK) return status;
    bl_neighbours *nb = bl_alloc(ctx, 1, sizeof *nb);
    if (!nb) return BL_ERR_MEMORY;
    nb->ctx = ctx;
    nb->frame = make_frame(def);
    nb->test = make_test(def);
    status = bl_arena_create(ctx, "neighbours", &nb->arena);
    if (status != BL_OK) {
        bl_release(ctx, nb);
        return status;
    }
    *out = nb;
    return BL_OK;
}

void bl_neighbours_destroy(bl_neighbours *nb) {
    if (!nb) return;
    bl_context *ctx = nb->ctx;
    bl_grid_clear(ctx, &nb->fluid);
    bl_grid_clear(ctx, &nb->boundary);
    bl_rows_clear(ctx, &nb->ff);
    bl_rows_clear(ctx, &nb->fb);
    bl_rows_clear(ctx, &nb->bf);
    bl_rows_clear(ctx, &nb->bb);
    bl_rows_clear(ctx, &nb->groups);
    bl_release(ctx, nb->active);
    bl_arena_destroy(nb->arena);
    bl_release(ctx, nb);
}

static bl_positions checked(bl_positions positions) { return positions.x ? positions : (bl_positions){NULL, 0}; }

static bl_status check_count(bl_context *ctx, bl_positions positions) {
    if (positions.count < UINT32_MAX) return BL_OK;
    return bl_fail(ctx, BL_ERR_DATA, "neighbour search: %zu particles, expected fewer than %u", positions.count,
                   UINT32_MAX);
}

static void count_active(void *user, size_t begin, size_t end, size_t *n) {
    const bl_neighbours *nb = user;
    for (size_t b = begin; b < end; b++) n[0] += nb->bf.all[b] > 0;
}
static void fill_active(void *user, size_t begin, size_t end, const size_t *at) {
    bl_neighbours *nb = user;
    bl_index *next = nb->active + at[0];
    for (size_t b = begin; b < end; b++)
        if (nb->bf.all[b] > 0) *next++ = (bl_index)b;
}
static bl_status list_active(bl_neighbours *nb) {
    if (nb->bf.count > nb->active_capacity) {
        bl_release(nb->ctx, nb->active);
        nb->active_capacity = 0;
        nb->active = bl_alloc(nb->ctx, nb->bf.count, sizeof *nb->active);
        if (!nb->active) return BL_ERR_MEMORY;
        nb->active_capacity = nb->bf.count;
    }
    bl_listing active;
    bl_parallel_count(nb->ctx, nb->bf.count, count_active, nb, &active);
    bl_parallel_fill(nb->ctx, &active, fill_active, nb);
    nb->n_active = active.total[0];
    return BL_OK;
}

typedef struct naming {
    bl_index *index;
    const bl_index *names;
} naming;
static void rename_range(void *user, size_t begin, size_t end) {
    const naming *job = user;
    for (size_t k = begin; k < end; k++) job->index[k] = job->names[job->index[k]];
}

/* The grid of those boundary particles that may have fluid neighbours; it names them as the caller does. */
static bl_status build_near_walls(bl_neighbours *nb, const bl_frame *frame, bl_positions boundary) {
    size_t mark = bl_arena_mark(nb->arena);
    bl_near_walls walls;
    bl_status status = bl_near_walls_find(nb->ctx, &nb->fluid, boundary, nb->arena, &walls);
    if (status == BL_OK) status = bl_grid_build(nb->ctx, &nb->boundary, frame, walls.at, nb->arena);
    if (status == BL_OK && walls.index)
        bl_parallel_for(nb->ctx, nb->boundary.count, BL_CHUNK, rename_range,
                        &(naming){nb->boundary.index, walls.index});
    bl_arena_release(nb->arena, mark);
    return status;
}

/* Grids of both sets in the same cells, and the lists between them. */
static bl_status build_walls(bl_neighbours *nb, bl_positions fluid, bl_positions boundary) {
    bl_context *ctx = nb->ctx;
    bl_status status;
    nb->n_active = 0;
    nb->ff.count = nb->groups.count = 0;
    if ((status = check_count(ctx, fluid)) != BL_OK || (status = check_count(ctx, boundary)) != BL_OK) return status;
    bl_frame frame = nb->frame;
    bl_frame_fit(ctx, &frame, 1, &fluid.x, &fluid.count);
    bl_near_walls_widen(&frame);
    if ((status = bl_grid_build(ctx, &nb->fluid, &frame, fluid, nb->arena)) != BL_OK ||
        (status = build_near_walls(nb, &frame, boundary)) != BL_OK ||
        (status = bl_rows_build(ctx, &nb->fb, fluid.count, &nb->fluid, &nb->boundary, &nb->test)) != BL_OK ||
        (status = bl_rows_build(ctx, &nb->bf, boundary.count, &nb->boundary, &nb->fluid, &nb->test)) != BL_OK)
        return status;
    return list_active(nb);
}

bl_status bl_neighbours_build(bl_neighbours *nb, bl_positions fluid, bl_positions boundary) {
    fluid = checked(fluid);
    bl_status status = build_walls(nb, fluid, checked(boundary));
    if (status != BL_OK) return status;
    return bl_rows_build(nb->ctx, &nb->ff, fluid.count, &nb->fluid, &nb->fluid, &nb->test);
}

bl_status bl_neighbours_build_grouped(bl_neighbours *nb, bl_positions fluid, bl_positions boundary) {
    fluid = checked(fluid);
    bl_status status = build_walls(nb, fluid, checked(boundary));
    if (status != BL_OK) return status;
    return bl_groups_build(nb->ctx, &nb->groups, &nb->fluid, fluid, &nb->test);
}

static bl_status lay_out_boundary(bl_neighbours *nb, bl_positions boundary) {
    bl_status status = check_count(nb->ctx, boundary);
    if (status != BL_OK) return status;
    bl_frame frame = nb->frame;
    bl_frame_fit(nb->ctx, &frame, 1, &boundary.x, &boundary.count);
    return bl_grid_build(nb->ctx, &nb->boundary, &frame, boundary, nb->arena);
}

bl_status bl_neighbours_build_boundary(bl_neighbours *nb, bl_positions boundary) {
    boundary = checked(boundary);
    bl_status status = lay_out_boundary(nb, boundary);
    if (status != BL_OK) return status;
    return bl_rows_build(nb->ctx, &nb->bb, boundary.count, &nb->boundary, &nb->boundary, &nb->test);
}

bl_status bl_neighbours_measure_boundary(bl_neighbours *nb, bl_positions boundary, size_t *bytes) {
    boundary = checked(boundary);
    bl_status status = lay_out_boundary(nb, boundary);
    if (status != BL_OK) return status;
    return bl_rows_measure(nb->ctx, boundary.count, &nb->boundary, &nb->boundary, &nb->test, bytes);
}

static bl_list list_of(const bl_rows *rows) { return rows->count > 0 ? bl_rows_list(rows) : (bl_list){0}; }

bl_list bl_neighbours_ff(const bl_neighbours *nb) { return list_of(&nb->ff); }
bl_list bl_neighbours_groups(const bl_neighbours *nb) { return list_of(&nb->groups); }
bl_list bl_neighbours_fb(const bl_neighbours *nb) { return bl_rows_list(&nb->fb); }
bl_list bl_neighbours_bf(const bl_neighbours *nb) { return bl_rows_list(&nb->bf); }
bl_list bl_neighbours_bb(const bl_neighbours *nb) { return bl_rows_list(&nb->bb); }

const bl_index *bl_neighbours_active_boundary(const bl_neighbours *nb, size_t *count) {
    *count = nb->n_active;
    return nb->active;
}

size_t bl_neighbours_memory(const bl_neighbours *nb) {
    return sizeof *nb + bl_arena_peak(nb->arena) + bl_grid_memory(&nb->fluid) + bl_grid_memory(&nb->boundary) +
           bl_rows_memory(&nb->ff) + bl_rows_memory(&nb->fb) + bl_rows_memory(&nb->bf) + bl_rows_memory(&nb->bb) +
           bl_rows_memory(&nb->groups) + nb->active_capacity * sizeof *nb->active;
}
