/* How the rows are made.
 *
 * The home cells are walked in grid order. Around a home row lie up to 5 x 5 rows of the other grid; in each of them
 * the cells x - 2 .. x + 2 are one run of particles, and while x ascends the ends of the run only move forward. The
 * runs around a cell are copied into a tile, against which every particle of the cell is tested in one long loop that
 * vectorises. A first walk counts, a prefix sum over the caller's order places the rows, a second walk fills them. */
#include "neighbours/rows.h"

#include "base/parallel.h"

#include <string.h>

enum {
    REACH = BL_GRID_REACH,
    SPAN = 2 * REACH + 1,
    MAX_RUNS = 2 * SPAN * SPAN, /* a run may be cut in two at the end of a period */
    CELLS_PER_CHUNK = 64
};

/* Particles of the other grid: [begin, end). */
typedef struct run {
    uint32_t begin, end;
} run;

/* A row of the other grid near the home row, with the cells of the last run found in it. */
typedef struct near_row {
    uint32_t begin, end; /* its cells */
    uint32_t low, high;
} near_row;

typedef struct rows_job {
    const bl_grid *home, *other;
    const bl_pair_test *test;
    bl_rows *rows;
    bool fill; /* second walk */
} rows_job;

typedef struct walk {
    const rows_job *job;
    near_row near_rows[SPAN * SPAN];
    int n_near_rows;
    run runs[MAX_RUNS];
    int n_runs;
    size_t n_candidates;
    size_t first_self; /* which candidate is the first particle of the home cell; SIZE_MAX: none */
    size_t tile_first; /* which candidate is the first in the tile */
    bl_tile tile;
} walk;

/* The cells up to REACH away along an axis, each once. */
static int cells_around(const bl_axis *axis, uint32_t cell, uint32_t out[SPAN]) {
    int n = 0;
    if (axis->kind == BL_AXIS_PERIODIC && axis->n_cells < SPAN) {
        for (uint32_t c = 0; c < axis->n_cells; c++) out[n++] = c;
        return n;
    }
    for (int step = -REACH; step <= REACH; step++) {
        int64_t c = (int64_t)cell + step;
        if (axis->kind == BL_AXIS_PERIODIC) c = (c + axis->n_cells) % axis->n_cells;
        if (c >= 0 && c < axis->n_cells) out[n++] = (uint32_t)c;
    }
    return n;
}

static void enter_row(walk *w, uint64_t row_key) {
    const bl_grid *other = w->job->other;
    uint32_t ys[SPAN], zs[SPAN];
    int n_y = cells_around(&other->frame.axis[1], (uint32_t)(row_key & (BL_FRAME_MAX_CELLS - 1)), ys);
    int n_z = cells_around(&other->frame.axis[2], (uint32_t)(row_key >> BL_FRAME_AXIS_BITS), zs);
    w->n_near_rows = 0;
    for (int z = 0; z < n_z; z++) {
        for (int y = 0; y < n_y; y++) {
            size_t row = bl_grid_find_row(other, ys[y], zs[z]);
            if (row == other->n_rows) continue;
            uint32_t begin = other->row_first[row], end = other->row_first[row + 1];
            w->near_rows[w->n_near_rows++] = (near_row){begin, end, begin, begin};
        }
    }
}

/* First cell of the row with cell_x >= x, searched from `hint` on if that is not behind it already. */
static uint32_t seek_cell(const bl_grid *grid, const near_row *row, uint32_t hint, uint32_t x) {
    const uint32_t *cell_x = grid->cell_x;
    if (hint == row->begin || cell_x[hint - 1] < x) {
        for (int step = 0; step < SPAN; step++, hint++)
            if (hint == row->end || cell_x[hint] >= x) return hint;
    } else {
        hint = row->begin;
    }
    uint32_t end = row->end;
    while (hint < end) {
        uint32_t middle = hint + (end - hint) / 2;
        if (cell_x[middle] < x)
            hint = middle + 1;
        else
            end = middle;
    }
    return hint;
}

/* Add the particles of the row's cells first..last. */
static void add_run(walk *w, near_row *row, uint32_t first, uint32_t last) {
    const bl_grid *other = w->job->other;
    row->low = seek_cell(other, row, row->low, first);
    row->high = seek_cell(other, row, row->high > row->low ? row->high : row->low, last + 1);
    run found = {other->cell_first[row->low], other->cell_first[row->high]};
    if (found.begin == found.end) return;
    w->runs[w->n_runs++] = found;
    w->n_candidates += found.end - found.begin;
}

static void find_runs(walk *w, uint32_t x) {
    const bl_axis *axis = &w->job->other->frame.axis[0];
    uint32_t last = axis->n_cells - 1;
    uint32_t from = x >= REACH ? x - REACH : 0, to = last - x >= REACH ? x + REACH : last;
    w->n_runs = 0;
    w->n_candidates = 0;
    for (int r = 0; r < w->n_near_rows; r++) {
        near_row *row = &w->near_rows[r];
        if (axis->kind == BL_AXIS_PERIODIC && axis->n_cells < SPAN) {
            add_run(w, row, 0, last);
            continue;
        }
        add_run(w, row, from, to);
        if (axis->kind == BL_AXIS_PERIODIC && x < REACH) add_run(w, row, x + axis->n_cells - REACH, last);
        if (axis->kind == BL_AXIS_PERIODIC && last - x < REACH) add_run(w, row, 0, x + REACH - axis->n_cells);
    }
    w->tile_first = SIZE_MAX; /* nothing loaded */
}

/* When a grid is searched for its own particles: where they are among the candidates. */
static void find_self(walk *w, size_t cell) {
    size_t first = w->job->home->cell_first[cell], passed = 0;
    w->first_self = SIZE_MAX;
    for (int r = 0; r < w->n_runs && w->job->home == w->job->other; r++) {
        if (w->runs[r].begin <= first && first < w->runs[r].end) w->first_self = passed + (first - w->runs[r].begin);
        passed += w->runs[r].end - w->runs[r].begin;
    }
}

/* Put the candidates from `first` on into the tile, unless they are there already. */
static void load_tile(walk *w, size_t first) {
    if (w->tile_first == first) return;
    w->tile_first = first;
    w->tile.count = 0;
    for (int r = 0; r < w->n_runs && w->tile.count < BL_TILE_SIZE; r++) {
        size_t length = w->runs[r].end - w->runs[r].begin;
        if (first < length) bl_tile_add(&w->tile, w->job->other, w->runs[r].begin + first, w->runs[r].end);
        first = first < length ? 0 : first - length;
    }
    bl_tile_pad(&w->tile);
}

/* Test x against the candidates from `first` on; candidate `self` is left out. */
static void test_tile(walk *w, size_t first, bl_vec3 x, size_t self) {
    load_tile(w, first);
    bl_tile_test(&w->tile, x, w->job->test);
    if (self - first < BL_TILE_SIZE) w->tile.kind[self - first] = 0;
}

static void count_row(walk *w, bl_index i, bl_vec3 x, size_t self) {
    bl_index n_near = 0, n_all = 0;
    for (size_t first = 0; first < w->n_candidates; first += BL_TILE_SIZE) {
        test_tile(w, first, x, self);
        bl_tile_count(&w->tile, &n_near, &n_all);
    }
    w->job->rows->near[i] = n_near;
    w->job->rows->all[i] = n_all;
}

static void fill_row(walk *w, bl_index i, bl_vec3 x, size_t self) {
    const bl_rows *rows = w->job->rows;
    bl_index *near = rows->index + rows->start[i], *far = near + rows->near[i];
    for (size_t first = 0; first < w->n_candidates; first += BL_TILE_SIZE) {
        test_tile(w, first, x, self);
        bl_tile_collect(&w->tile, &near, &far);
    }
}

static void visit_cell(walk *w, size_t cell) {
    const bl_grid *home = w->job->home;
    find_runs(w, home->cell_x[cell]);
    find_self(w, cell);
    size_t self = w->first_self;
    for (size_t k = home->cell_first[cell]; k < home->cell_first[cell + 1]; k++) {
        bl_vec3 x = {home->x[k], home->y[k], home->z[k]};
        if (w->job->fill)
            fill_row(w, home->index[k], x, self);
        else
            count_row(w, home->index[k], x, self);
        self += self != SIZE_MAX;
    }
}

/* The row that a cell is in. */
static size_t row_of_cell(const bl_grid *grid, size_t cell) {
    size_t begin = 0, end = grid->n_rows;
    while (end - begin > 1) {
        size_t middle = begin + (end - begin) / 2;
        if (grid->row_first[middle] <= cell)
            begin = middle;
        else
            end = middle;
    }
    return begin;
}

static void walk_cells(void *user, size_t begin, size_t end) {
    const rows_job *job = user;
    const bl_grid *home = job->home;
    walk w;
    w.job = job;
    size_t row = row_of_cell(home, begin);
    for (size_t cell = begin; cell < end; cell++) {
        bool row_ended = cell == home->row_first[row + 1];
        row += row_ended;
        if (row_ended || cell == begin) enter_row(&w, home->row_key[row]);
        if (w.n_near_rows > 0) visit_cell(&w, cell);
    }
}

static void walk_all(bl_context *ctx, rows_job *job) {
    if (job->other->count == 0) return; /* nobody to be found: a drop without walls */
    bl_parallel_for(ctx, job->home->n_cells, CELLS_PER_CHUNK, walk_cells, job);
}

static void clear_row_arrays(bl_context *ctx, bl_rows *rows) {
    bl_release(ctx, rows->start);
    bl_release(ctx, rows->near);
    bl_release(ctx, rows->all);
    rows->start = NULL;
    rows->near = rows->all = NULL;
    rows->row_capacity = 0;
}

void bl_rows_clear(bl_context *ctx, bl_rows *rows) {
    clear_row_arrays(ctx, rows);
    bl_release(ctx, rows->index);
    memset(rows, 0, sizeof *rows);
}

bl_status bl_rows_reserve(bl_context *ctx, bl_rows *rows, size_t count) {
    if (count + 1 <= rows->row_capacity) return BL_OK;
    size_t capacity = bl_room_for(count + 1, rows->row_capacity);
    clear_row_arrays(ctx, rows);
    rows->start = bl_alloc(ctx, capacity, sizeof *rows->start);
    rows->near = bl_alloc(ctx, capacity, sizeof *rows->near);
    rows->all = bl_alloc(ctx, capacity, sizeof *rows->all);
    if (!rows->start || !rows->near || !rows->all) return BL_ERR_MEMORY;
    rows->row_capacity = capacity;
    return BL_OK;
}

bl_status bl_rows_reserve_index(bl_context *ctx, bl_rows *rows, size_t count) {
    if (count <= rows->index_capacity) return BL_OK;
    size_t capacity = bl_room_for(count, rows->index_capacity);
    bl_release(ctx, rows->index);
    rows->index_capacity = 0;
    rows->index = bl_alloc(ctx, capacity, sizeof *rows->index);
    if (!rows->index) return BL_ERR_MEMORY;
    rows->index_capacity = capacity;
    return BL_OK;
}

static void clear_counts(void *user, size_t begin, size_t end) {
    const bl_rows *rows = user;
    memset(rows->near + begin, 0, (end - begin) * sizeof *rows->near);
    memset(rows->all + begin, 0, (end - begin) * sizeof *rows->all);
}
static void count_range(void *user, size_t begin, size_t end, size_t *n) {
    const bl_rows *rows = user;
    for (size_t i = begin; i < end; i++) n[0] += rows->all[i];
}
static void place_range(void *user, size_t begin, size_t end, const size_t *at) {
    bl_rows *rows = user;
    bl_offset next = at[0];
    for (size_t i = begin; i < end; i++) {
        rows->start[i] = next;
        next += rows->all[i];
    }
}

/* Lengths and starts of all rows. */
static bl_status count_rows(bl_context *ctx, rows_job *work, size_t count) {
    bl_rows *rows = work->rows;
    rows->count = 0;
    bl_status status = bl_rows_reserve(ctx, rows, count);
    if (status != BL_OK) return status;
    bl_parallel_for(ctx, count, BL_CHUNK, clear_counts, rows);
    walk_all(ctx, work);
    bl_listing places;
    bl_parallel_count(ctx, count, count_range, rows, &places);
    bl_parallel_fill(ctx, &places, place_range, rows);
    rows->start[count] = places.total[0];
    return BL_OK;
}

bl_status bl_rows_measure(bl_context *ctx, size_t count, const bl_grid *home, const bl_grid *other,
                          const bl_pair_test *test, size_t *bytes) {
    bl_rows rows = {0};
    rows_job work = {.home = home, .other = other, .test = test, .rows = &rows};
    bl_status status = count_rows(ctx, &work, count);
    if (status == BL_OK) {
        rows.index_capacity = bl_room_for(rows.start[count] + BL_ROW_ROOM, 0);
        *bytes = bl_rows_memory(&rows);
    }
    bl_rows_clear(ctx, &rows);
    return status;
}

bl_status bl_rows_build(bl_context *ctx, bl_rows *rows, size_t count, const bl_grid *home, const bl_grid *other,
                        const bl_pair_test *test) {
    rows_job work = {.home = home, .other = other, .test = test, .rows = rows};
    bl_status status = count_rows(ctx, &work, count);
    if (status != BL_OK) return status;
    bl_offset total = rows->start[count];
    status = bl_rows_reserve_index(ctx, rows, total + BL_ROW_ROOM);
    if (status != BL_OK) return status;
    memset(rows->index + total, 0, BL_ROW_ROOM * sizeof *rows->index);
    work.fill = true;
    walk_all(ctx, &work);
    rows->count = count;
    return BL_OK;
}

bl_list bl_rows_list(const bl_rows *rows) { return (bl_list){rows->start, rows->near, rows->all, rows->index}; }

size_t bl_rows_memory(const bl_rows *rows) {
    return rows->row_capacity * (sizeof(bl_offset) + 2 * sizeof(bl_index)) + rows->index_capacity * sizeof(bl_index);
}
