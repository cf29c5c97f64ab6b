#include "neighbours/near_walls.h"

#include "base/parallel.h"
#include "neighbours/rows.h"

#include <stdatomic.h>
#include <string.h>

enum {
    BLOCK = 4,            /* cells; at least BL_GRID_REACH, so that what is within reach lies in two blocks at most */
    MOST_BLOCKS = 1 << 24 /* of a wide, scattered scene: then all particles are searched */
};

/* Cells on each side of the fluid: its reach and a block without marks. */
enum { MARGIN = 2 * BLOCK };

void bl_near_walls_widen(bl_frame *frame) {
    for (int a = 0; a < 3; a++) {
        bl_axis *axis = &frame->axis[a];
        if (axis->kind != BL_AXIS_OPEN || axis->n_cells + 2 * MARGIN > BL_FRAME_MAX_CELLS) continue;
        axis->origin -= MARGIN;
        axis->n_cells += 2 * MARGIN;
    }
}

typedef struct near_job {
    const bl_frame *frame;
    bl_positions boundary;
    bl_vec3 low, high; /* beyond are only the outermost blocks, without marks: a quick test for walls that go on */
    size_t n_blocks[3];
    const bl_grid *fluid;
    atomic_uchar *marked; /* per block */
    uint8_t *near;        /* per boundary particle */
    bl_vec3 *x;           /* of those that are near */
    bl_index *index;
} near_job;

static size_t count_blocks(near_job *job) {
    double total = 1;
    for (int a = 0; a < 3; a++) {
        job->n_blocks[a] = (job->frame->axis[a].n_cells + BLOCK - 1) / BLOCK;
        total *= (double)job->n_blocks[a];
    }
    return total <= MOST_BLOCKS ? (size_t)total : 0;
}

static void find_bounds(near_job *job) {
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        const bl_axis *axis = &job->frame->axis[a];
        bool widened = axis->kind == BL_AXIS_OPEN && axis->n_cells < BL_FRAME_MAX_CELLS - 2 * MARGIN;
        low[a] = widened ? (axis->origin + BLOCK) / axis->scale : -(double)INFINITY;
        high[a] = widened ? (axis->origin + axis->n_cells - BLOCK) / axis->scale : (double)INFINITY;
    }
    job->low = bl_v3_from_d(bl_v3d_make(low[0], low[1], low[2]));
    job->high = bl_v3_from_d(bl_v3d_make(high[0], high[1], high[2]));
}

static bool is_within(const near_job *job, bl_vec3 x) {
    return !(x.x < job->low.x || x.x > job->high.x || x.y < job->low.y || x.y > job->high.y || x.z < job->low.z ||
             x.z > job->high.z); /* a position that is not finite passes */
}

/* Blocks along an axis that hold the cells up to BL_GRID_REACH away, each once. */
static int blocks_around(const bl_axis *axis, uint32_t cell, size_t out[2 * BL_GRID_REACH + 1]) {
    int n = 0;
    for (int step = -BL_GRID_REACH; step <= BL_GRID_REACH; step++) {
        int64_t c = (int64_t)cell + step, cells = axis->n_cells;
        if (axis->kind == BL_AXIS_PERIODIC) c = (c % cells + cells) % cells;
        if (c < 0 || c >= cells) continue;
        size_t block = (size_t)c / BLOCK;
        bool known = false;
        for (int k = 0; k < n; k++) known |= out[k] == block;
        if (!known) out[n++] = block;
    }
    return n;
}

static size_t block_at(const near_job *job, size_t x, size_t y, size_t z) {
    return (z * job->n_blocks[1] + y) * job->n_blocks[0] + x;
}

static void mark_row(const near_job *job, size_t row) {
    const bl_grid *fluid = job->fluid;
    size_t xs[2 * BL_GRID_REACH + 1], ys[2 * BL_GRID_REACH + 1], zs[2 * BL_GRID_REACH + 1];
    const bl_axis *axis = job->frame->axis;
    int n_y = blocks_around(&axis[1], (uint32_t)(fluid->row_key[row] & (BL_FRAME_MAX_CELLS - 1)), ys);
    int n_z = blocks_around(&axis[2], (uint32_t)(fluid->row_key[row] >> BL_FRAME_AXIS_BITS), zs);
    for (uint32_t cell = fluid->row_first[row]; cell < fluid->row_first[row + 1]; cell++) {
        int n_x = blocks_around(&axis[0], fluid->cell_x[cell], xs);
        for (int z = 0; z < n_z; z++)
            for (int y = 0; y < n_y; y++)
                for (int x = 0; x < n_x; x++)
                    atomic_store_explicit(&job->marked[block_at(job, xs[x], ys[y], zs[z])], 1, memory_order_relaxed);
    }
}
static void mark_rows(void *user, size_t begin, size_t end) {
    for (size_t row = begin; row < end; row++) mark_row(user, row);
}
static bool is_marked(const near_job *job, const uint32_t cell[3]) {
    return atomic_load_explicit(&job->marked[block_at(job, cell[0] / BLOCK, cell[1] / BLOCK, cell[2] / BLOCK)],
                                memory_order_relaxed);
}

static void count_near(void *user, size_t begin, size_t end, size_t *n) {
    const near_job *job = user;
    for (size_t i = begin; i < end; i++) {
        uint32_t cell[3];
        job->near[i] = is_within(job, job->boundary.x[i]) && bl_frame_cell(job->frame, job->boundary.x[i], cell) &&
                       is_marked(job, cell);
        n[0] += job->near[i];
    }
}
static void list_near(void *user, size_t begin, size_t end, const size_t *at) {
    const near_job *job = user;
    size_t n = at[0];
    for (size_t i = begin; i < end; i++) {
        if (!job->near[i]) continue;
        job->x[n] = job->boundary.x[i];
        job->index[n++] = (bl_index)i;
    }
}

bl_status bl_near_walls_find(bl_context *ctx, const bl_grid *fluid, bl_positions boundary, bl_arena *arena,
                             bl_near_walls *out) {
    enum { ROWS_PER_CHUNK = 16 };
    near_job job = {.frame = &fluid->frame, .boundary = boundary, .fluid = fluid};
    size_t n_blocks = count_blocks(&job), count = boundary.count;
    *out = (bl_near_walls){.at = boundary};
    if (n_blocks == 0 || count == 0) return BL_OK;
    job.marked = bl_arena_take(arena, n_blocks, sizeof *job.marked);
    job.near = bl_arena_take(arena, count, 1);
    if (!job.marked || !job.near) return BL_ERR_MEMORY;
    memset(job.marked, 0, n_blocks * sizeof *job.marked);
    find_bounds(&job);
    bl_parallel_for(ctx, fluid->n_rows, ROWS_PER_CHUNK, mark_rows, &job);
    bl_listing near;
    bl_parallel_count(ctx, count, count_near, &job, &near);
    const size_t found = near.total[0];
    if (found == count) return BL_OK;

    job.x = bl_arena_take(arena, found + 1, sizeof *job.x);
    job.index = bl_arena_take(arena, found + 1, sizeof *job.index);
    if (!job.x || !job.index) return BL_ERR_MEMORY;
    bl_parallel_fill(ctx, &near, list_near, &job);
    out->index = job.index;
    out->at = (bl_positions){job.x, found};
    return BL_OK;
}
