/* How the lists of groups are made.
 *
 * The candidates of a group are the particles of the cells around its own that are within reach of its box, in runs
 * along x. They are copied into a tile and tested against all eight particles in loops that vectorise. A group is as a
 * rule compact; where the curve jumps, or drops are scattered, it falls apart into clusters, each of which searches the
 * cells around itself. A neighbour of several clusters is taken from the first.
 *
 * Where a list ends up in memory depends on threads, what it holds does not. */
#include "neighbours/groups.h"

#include "base/parallel.h"
#include "neighbours/halves.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MAX_EXTENT = 4, /* cells between the ends of a cluster */
    MAX_SPAN = MAX_EXTENT + 1 + 2 * BL_GRID_REACH,
    MAX_RUNS = 2 * MAX_SPAN * MAX_SPAN, /* a run may be cut in two at the end of a period */
    SCRATCH = 2048,                     /* candidates whose neighbours fit on the stack */
    GROUPS_PER_CHUNK = 16
};

typedef struct groups_job {
    const bl_grid *grid;
    const bl_pair_test *test;
    bl_positions particles;
    bl_rows *groups;
    double reach;       /* the far radius in cells, with room for the rounding of the pair test */
    bool open;          /* the frame has no period, and no particles beyond its outermost cells */
    atomic_size_t used; /* of groups->index, or wanted if that is more than there is */
} groups_job;

/* Lanes [first, end) and the cells [low, high] that they are in. */
typedef struct cluster {
    int first, end;
    uint32_t low[3], high[3];
} cluster;

typedef struct run {
    uint32_t begin, end; /* particles of the grid */
} run;

typedef struct search {
    groups_job *job;
    bl_tile_points points; /* the group */
    bool placed[BL_GROUP];
    uint32_t cell[BL_GROUP][3];
    cluster clusters[BL_GROUP];
    run runs[BL_GROUP][MAX_RUNS];
    int n_clusters, n_runs[BL_GROUP];
    size_t n_candidates;
    bl_tile tile;
    bl_index near[SCRATCH], far[SCRATCH];
    bl_halves halves;
} search;

static void load_points(search *s, size_t b) {
    const bl_positions *particles = &s->job->particles;
    bool flat = s->job->grid->frame.axis[2].kind == BL_AXIS_UNUSED;
    for (size_t l = 0; l < BL_GROUP; l++) {
        size_t i = b * BL_GROUP + l;
        s->placed[l] = i < particles->count && bl_grid_place(s->job->grid, i, s->cell[l]);
        bl_vec3 x = s->placed[l] ? particles->x[i] : bl_v3_make((real)NAN, (real)NAN, (real)NAN);
        s->points.x[l] = x.x, s->points.y[l] = x.y, s->points.z[l] = flat ? 0 : x.z;
    }
}

/* Add a cell to the cluster, unless that would make it too wide. */
static bool widen(cluster *c, const uint32_t cell[3]) {
    cluster wider = *c;
    for (int a = 0; a < 3; a++) {
        if (cell[a] < wider.low[a]) wider.low[a] = cell[a];
        if (cell[a] > wider.high[a]) wider.high[a] = cell[a];
        if (wider.high[a] - wider.low[a] > MAX_EXTENT) return false;
    }
    *c = wider;
    return true;
}

static void find_clusters(search *s) {
    s->n_clusters = 0;
    for (int l = 0; l < BL_GROUP; l++) {
        if (!s->placed[l]) continue;
        cluster *last = s->n_clusters > 0 ? &s->clusters[s->n_clusters - 1] : NULL;
        if (!last || !widen(last, s->cell[l])) {
            last = &s->clusters[s->n_clusters++];
            last->first = l;
            memcpy(last->low, s->cell[l], sizeof last->low);
            memcpy(last->high, s->cell[l], sizeof last->high);
        }
        last->end = l + 1;
    }
}

/* Ranges of cells along an axis within reach of [low, high], each cell once: [first, last] of up to two. */
static int ranges_around(const bl_axis *axis, uint32_t low, uint32_t high, uint32_t first[2], uint32_t last[2]) {
    int64_t from = (int64_t)low - BL_GRID_REACH, to = (int64_t)high + BL_GRID_REACH, n = axis->n_cells;
    bool wraps = axis->kind == BL_AXIS_PERIODIC && to - from + 1 < n;
    first[0] = (uint32_t)(from > 0 ? from : 0);
    last[0] = (uint32_t)(to < n ? to : n - 1);
    if (axis->kind == BL_AXIS_PERIODIC && !wraps) first[0] = 0, last[0] = (uint32_t)(n - 1);
    if (!wraps || (from >= 0 && to < n)) return 1;
    first[1] = (uint32_t)(from < 0 ? from + n : 0);
    last[1] = (uint32_t)(from < 0 ? n - 1 : to - n);
    return 2;
}

static int cells_around(const bl_axis *axis, uint32_t low, uint32_t high, uint32_t out[MAX_SPAN]) {
    uint32_t first[2], last[2];
    int n = 0, n_ranges = ranges_around(axis, low, high, first, last);
    for (int r = 0; r < n_ranges; r++)
        for (uint32_t c = first[r]; c <= last[r]; c++) out[n++] = c;
    return n;
}

/* Where the particles of a cluster are along an open axis, in cells. */
typedef struct extent {
    double low, high;
} extent;

static extent extent_of(const bl_axis *axis, const real *x, const cluster *c) {
    real low = (real)INFINITY, high = -(real)INFINITY;
    for (int l = c->first; l < c->end; l++) {
        low = x[l] < low ? x[l] : low;
        high = x[l] > high ? x[l] : high;
    }
    return (extent){(double)low * axis->scale - axis->origin, (double)high * axis->scale - axis->origin};
}

/* Squares of the distances from there to some cells; zero along an axis that is not used. */
static void gaps_to(const bl_axis *axis, extent e, int n, const uint32_t *cells, double *gap2) {
    for (int k = 0; k < n; k++) {
        double above = cells[k] - e.high, below = e.low - (cells[k] + 1.0), gap = above > below ? above : below;
        gap2[k] = gap > 0 && axis->kind == BL_AXIS_OPEN ? gap * gap : 0;
    }
}

/* Add the particles of the row's cells first..last. */
static void add_run(search *s, int k, size_t row, uint32_t first, uint32_t last) {
    const bl_grid *grid = s->job->grid;
    run found = {grid->cell_first[bl_grid_find_cell(grid, row, first)],
                 grid->cell_first[bl_grid_find_cell(grid, row, last + 1)]};
    if (found.begin == found.end) return;
    s->runs[k][s->n_runs[k]++] = found;
    s->n_candidates += found.end - found.begin;
}

static void find_runs(search *s, int k) {
    const bl_grid *grid = s->job->grid;
    const bl_axis *axis = grid->frame.axis;
    const cluster *c = &s->clusters[k];
    uint32_t first[2], last[2], ys[MAX_SPAN], zs[MAX_SPAN];
    double gap2_y[MAX_SPAN] = {0}, gap2_z[MAX_SPAN] = {0}, reach2 = s->job->reach * s->job->reach;
    double last_cell = axis[0].n_cells - 1.0;
    int n_x = ranges_around(&axis[0], c->low[0], c->high[0], first, last);
    int n_y = cells_around(&axis[1], c->low[1], c->high[1], ys);
    int n_z = cells_around(&axis[2], c->low[2], c->high[2], zs);
    extent x = extent_of(&axis[0], s->points.x, c);
    if (s->job->open) {
        gaps_to(&axis[1], extent_of(&axis[1], s->points.y, c), n_y, ys, gap2_y);
        gaps_to(&axis[2], extent_of(&axis[2], s->points.z, c), n_z, zs, gap2_z);
    }
    s->n_runs[k] = 0;
    for (int z = 0; z < n_z; z++)
        for (int y = 0; y < n_y; y++) {
            double left2 = reach2 - gap2_y[y] - gap2_z[z];
            size_t row = left2 > 0 ? bl_grid_find_row(grid, ys[y], zs[z]) : grid->n_rows;
            if (row == grid->n_rows) continue;
            if (s->job->open) { /* the part of the row that is within reach */
                double left = sqrt(left2), from = x.low - left, to = x.high + left;
                first[0] = from > 0 ? (uint32_t)from : 0;
                last[0] = (uint32_t)(to < last_cell ? to : last_cell);
            }
            for (int r = 0; r < n_x; r++) add_run(s, k, row, first[r], last[r]);
        }
}

/* Where neighbours are collected: of both sorts, or in halves if near is NULL. */
typedef struct basket {
    bl_index *near, *far;
} basket;

/* Take what is in the tile: neighbours of cluster k, but not of an earlier one. */
static void finish_tile(search *s, int k, basket *to) {
    const cluster *c = &s->clusters[k];
    bl_tile_pad(&s->tile);
    if (to->near) {
        bl_tile_test_points(&s->tile, &s->points, c->first, c->end, s->job->test);
        bl_tile_collect(&s->tile, &to->near, &to->far);
    } else {
        bl_tile_test_halves(&s->tile, &s->points, s->job->test);
        bl_halves_collect(&s->halves, &s->tile);
    }
    s->tile.count = 0;
}

static void collect_cluster(search *s, int k, basket *to) {
    s->tile.count = 0;
    for (int r = 0; r < s->n_runs[k]; r++) {
        uint32_t begin = s->runs[k][r].begin, end = s->runs[k][r].end;
        while (begin < end) {
            size_t before = s->tile.count;
            bl_tile_add(&s->tile, s->job->grid, begin, end);
            begin += (uint32_t)(s->tile.count - before);
            if (s->tile.count == BL_TILE_SIZE) finish_tile(s, k, to);
        }
    }
    if (s->tile.count > 0) finish_tile(s, k, to);
}

/* Room for `count` numbers of group b in the index; NULL: there is not enough left. */
static bl_index *take_room(groups_job *job, size_t b, size_t count) {
    bl_rows *groups = job->groups;
    size_t start = atomic_fetch_add_explicit(&job->used, count, memory_order_relaxed);
    groups->start[b] = start;
    return start + count <= groups->index_capacity ? groups->index + start : NULL;
}

static void begin_row(bl_rows *groups, size_t b, bl_index *out, bl_index near, bl_index all) {
    out[BL_GROUP_NEAR_PAIRS] = out[BL_GROUP_FAR_PAIRS] = 0;
    groups->near[b] = near;
    groups->all[b] = all;
}

/* The list of a group in one piece, as a rule. False: it is in several, crowded, or cannot be split in halves. */
static bool build_halves(search *s, size_t b) {
    bl_halves_size size;
    if (s->n_clusters != 1 || s->n_candidates > BL_HALVES_ROOM) return false;
    bl_halves_clear(&s->halves);
    collect_cluster(s, 0, &(basket){0});
    if (!bl_halves_measure(&s->halves, &size)) return false;
    bl_index near = bl_halves_length(&size.near), all = near + bl_halves_length(&size.far);
    bl_index *out = take_room(s->job, b, BL_GROUP_HEAD + all);
    if (!out) return true;
    begin_row(s->job->groups, b, out, near, all);
    out[BL_GROUP_NEAR_PAIRS] = size.near.pairs;
    out[BL_GROUP_FAR_PAIRS] = size.far.pairs;
    bl_halves_write(&s->halves, &size, out + BL_GROUP_HEAD);
    return true;
}

/* Any list: what is a neighbour of one half is shown to both. */
static void build_whole(search *s, size_t b) {
    /* a crowd is collected where it stays, in room enough for all candidates of both sorts */
    bool crowded = s->n_candidates > SCRATCH;
    bl_index *crowd = crowded ? take_room(s->job, b, BL_GROUP_HEAD + 2 * s->n_candidates) : NULL;
    if (crowded && !crowd) return;
    bl_index *near = crowd ? crowd + BL_GROUP_HEAD : s->near, *far = crowd ? near + s->n_candidates : s->far;
    basket to = {near, far};
    for (int k = 0; k < s->n_clusters; k++) collect_cluster(s, k, &to);
    size_t n_near = (size_t)(to.near - near), n_far = (size_t)(to.far - far);
    bl_index *out = crowd ? crowd : take_room(s->job, b, BL_GROUP_HEAD + n_near + n_far);
    if (!out) return;
    begin_row(s->job->groups, b, out, (bl_index)n_near, (bl_index)(n_near + n_far));
    memmove(out + BL_GROUP_HEAD, near, n_near * sizeof *out);
    memmove(out + BL_GROUP_HEAD + n_near, far, n_far * sizeof *out);
}

static void build_group(search *s, size_t b) {
    s->n_candidates = 0;
    load_points(s, b);
    find_clusters(s);
    for (int k = 0; k < s->n_clusters; k++) find_runs(s, k);
    s->job->groups->near[b] = s->job->groups->all[b] = 0;
    if (!build_halves(s, b)) build_whole(s, b);
}

static void build_range(void *user, size_t begin, size_t end) {
    search s;
    s.job = user;
    for (size_t b = begin; b < end; b++) build_group(&s, b);
}

static bool is_open(const bl_frame *frame) {
    for (int a = 0; a < 3; a++)
        if (frame->axis[a].kind == BL_AXIS_PERIODIC || frame->axis[a].n_cells == BL_FRAME_MAX_CELLS) return false;
    return true;
}

bl_status bl_groups_build(bl_context *ctx, bl_rows *groups, const bl_grid *grid, bl_positions particles,
                          const bl_pair_test *test) {
    size_t n_groups = bl_group_count(particles.count);
    groups->count = 0;
    bl_status status = bl_rows_reserve(ctx, groups, n_groups);
    if (status == BL_OK) status = bl_rows_reserve_index(ctx, groups, 1); /* lists without an index are no lists */
    if (status != BL_OK) return status;
    groups_job job = {.grid = grid, .test = test, .particles = particles, .groups = groups};
    job.open = is_open(&grid->frame);
    job.reach = (1 + 1e-5) * sqrt((double)test->far_radius2) * grid->frame.axis[0].scale; /* the same along all axes */
    for (;;) {
        atomic_store(&job.used, 0);
        bl_parallel_for(ctx, n_groups, GROUPS_PER_CHUNK, build_range, &job);
        size_t used = atomic_load(&job.used);
        if (used + BL_GROUP_HEAD <= groups->index_capacity) break;
        /* now it is known how much is needed */
        status = bl_rows_reserve_index(ctx, groups, used + BL_GROUP_HEAD);
        if (status != BL_OK) return status;
    }
    /* an empty row */
    groups->start[n_groups] = job.used;
    begin_row(groups, n_groups, groups->index + job.used, 0, 0);
    groups->count = n_groups;
    return BL_OK;
}
