#include "neighbours/grid.h"

#include "base/parallel.h"
#include "particles/radix.h"

#include <string.h>

static void clear_particles(bl_context *ctx, bl_grid *grid) {
    bl_release(ctx, grid->x);
    bl_release(ctx, grid->y);
    bl_release(ctx, grid->z);
    bl_release(ctx, grid->index);
    grid->x = grid->y = grid->z = NULL;
    grid->index = NULL;
    grid->particle_capacity = 0;
}

static void clear_cells(bl_context *ctx, bl_grid *grid) {
    bl_release(ctx, grid->cell_x);
    bl_release(ctx, grid->cell_first);
    grid->cell_x = grid->cell_first = NULL;
    grid->cell_capacity = 0;
}

static void clear_rows(bl_context *ctx, bl_grid *grid) {
    bl_release(ctx, grid->row_key);
    bl_release(ctx, grid->row_first);
    grid->row_key = NULL;
    grid->row_first = NULL;
    grid->row_capacity = 0;
}

void bl_grid_clear(bl_context *ctx, bl_grid *grid) {
    bl_release(ctx, grid->row_at);
    bl_release(ctx, grid->key);
    clear_particles(ctx, grid);
    clear_cells(ctx, grid);
    clear_rows(ctx, grid);
    memset(grid, 0, sizeof *grid);
}

static bl_status reserve_particles(bl_context *ctx, bl_grid *grid, size_t count) {
    if (count + BL_GRID_ROOM <= grid->particle_capacity) return BL_OK;
    size_t capacity = bl_room_for(count + BL_GRID_ROOM, grid->particle_capacity);
    clear_particles(ctx, grid);
    grid->x = bl_alloc(ctx, capacity, sizeof *grid->x);
    grid->y = bl_alloc(ctx, capacity, sizeof *grid->y);
    grid->z = bl_alloc(ctx, capacity, sizeof *grid->z);
    grid->index = bl_alloc(ctx, capacity, sizeof *grid->index);
    if (!grid->x || !grid->y || !grid->z || !grid->index) return BL_ERR_MEMORY;
    grid->particle_capacity = capacity;
    return BL_OK;
}

static bl_status reserve_keys(bl_context *ctx, bl_grid *grid, size_t count) {
    if (count <= grid->key_capacity) return BL_OK;
    size_t capacity = bl_room_for(count, grid->key_capacity);
    bl_release(ctx, grid->key);
    grid->key_capacity = 0;
    grid->key = bl_alloc(ctx, capacity, sizeof *grid->key);
    if (!grid->key) return BL_ERR_MEMORY;
    grid->key_capacity = capacity;
    return BL_OK;
}

static bl_status reserve_cells(bl_context *ctx, bl_grid *grid, size_t n_cells) {
    if (n_cells + 1 <= grid->cell_capacity) return BL_OK;
    size_t capacity = bl_room_for(n_cells + 1, grid->cell_capacity);
    clear_cells(ctx, grid);
    grid->cell_x = bl_alloc(ctx, capacity, sizeof *grid->cell_x);
    grid->cell_first = bl_alloc(ctx, capacity, sizeof *grid->cell_first);
    if (!grid->cell_x || !grid->cell_first) return BL_ERR_MEMORY;
    grid->cell_capacity = capacity;
    return BL_OK;
}

static bl_status reserve_rows(bl_context *ctx, bl_grid *grid, size_t n_rows) {
    if (n_rows + 1 <= grid->row_capacity) return BL_OK;
    size_t capacity = bl_room_for(n_rows + 1, grid->row_capacity);
    clear_rows(ctx, grid);
    grid->row_key = bl_alloc(ctx, capacity, sizeof *grid->row_key);
    grid->row_first = bl_alloc(ctx, capacity, sizeof *grid->row_first);
    if (!grid->row_key || !grid->row_first) return BL_ERR_MEMORY;
    grid->row_capacity = capacity;
    return BL_OK;
}

static bl_status reserve_table(bl_context *ctx, bl_grid *grid, size_t size) {
    if (size <= grid->table_capacity) return BL_OK;
    size_t capacity = bl_room_for(size, grid->table_capacity);
    bl_release(ctx, grid->row_at);
    grid->table_capacity = 0;
    grid->row_at = bl_alloc(ctx, capacity, sizeof *grid->row_at);
    if (!grid->row_at) return BL_ERR_MEMORY;
    grid->table_capacity = capacity;
    return BL_OK;
}

size_t bl_grid_memory(const bl_grid *grid) {
    return grid->particle_capacity * (3 * sizeof(real) + sizeof(bl_index)) +
           grid->cell_capacity * 2 * sizeof(uint32_t) + grid->row_capacity * (sizeof(uint64_t) + sizeof(uint32_t)) +
           grid->table_capacity * sizeof(uint32_t) + grid->key_capacity * sizeof(uint64_t);
}

static unsigned bits_for(uint32_t n_values) {
    unsigned bits = 0;
    while ((n_values - 1) >> bits) bits++;
    return bits;
}

static bl_grid_layout layout_of(const bl_frame *frame) {
    bl_grid_layout layout = {bits_for(frame->axis[0].n_cells), bits_for(frame->axis[1].n_cells), 0};
    layout.nowhere = (uint64_t)frame->axis[2].n_cells << (layout.x_bits + layout.y_bits);
    return layout;
}

static uint32_t cell_x_of(const bl_grid_layout *layout, uint64_t key) {
    return (uint32_t)(key & (((uint64_t)1 << layout->x_bits) - 1));
}

static uint64_t row_key_of(const bl_grid_layout *layout, uint64_t key) {
    uint64_t row = key >> layout->x_bits;
    return bl_grid_row_key((uint32_t)(row & (((uint64_t)1 << layout->y_bits) - 1)), (uint32_t)(row >> layout->y_bits));
}

typedef struct grid_job {
    bl_grid *grid;
    bl_grid_layout layout;
    const bl_vec3 *positions;
    bl_sort_item *items;
} grid_job;

static void make_items(void *user, size_t begin, size_t end) {
    const grid_job *job = user;
    for (size_t i = begin; i < end; i++) {
        uint32_t cell[3];
        uint64_t key = job->layout.nowhere;
        if (bl_frame_cell(&job->grid->frame, job->positions[i], cell))
            key = ((uint64_t)cell[2] << job->layout.y_bits | cell[1]) << job->layout.x_bits | cell[0];
        job->items[i] = (bl_sort_item){key, 0, (uint32_t)i};
        job->grid->key[i] = key;
    }
}

static void copy_particles(void *user, size_t begin, size_t end) {
    const grid_job *job = user;
    bl_grid *grid = job->grid;
    bool flat = grid->frame.axis[2].kind == BL_AXIS_UNUSED;
    for (size_t k = begin; k < end; k++) {
        uint32_t i = job->items[k].index;
        grid->index[k] = i;
        grid->x[k] = job->positions[i].x;
        grid->y[k] = job->positions[i].y;
        grid->z[k] = flat ? 0 : job->positions[i].z;
    }
}

/* What an item of the sorted list begins: a cell, a row. Neither, if it has no place. */
enum { PLACED, CELLS, ROWS };
static bool begins_cell(const grid_job *job, size_t k) { return k == 0 || job->items[k].key != job->items[k - 1].key; }
static bool begins_row(const grid_job *job, size_t k) {
    return k == 0 || job->items[k].key >> job->layout.x_bits != job->items[k - 1].key >> job->layout.x_bits;
}

static void count_cells(void *user, size_t begin, size_t end, size_t *n) {
    const grid_job *job = user;
    for (size_t k = begin; k < end && job->items[k].key < job->layout.nowhere; k++) {
        n[PLACED]++;
        n[CELLS] += begins_cell(job, k);
        n[ROWS] += begins_row(job, k);
    }
}

static void list_cells(void *user, size_t begin, size_t end, const size_t *at) {
    const grid_job *job = user;
    bl_grid *grid = job->grid;
    size_t cell = at[CELLS], row = at[ROWS];
    for (size_t k = begin; k < end && k < grid->count; k++) {
        if (!begins_cell(job, k)) continue;
        uint64_t key = job->items[k].key;
        if (begins_row(job, k)) {
            grid->row_key[row] = row_key_of(&job->layout, key);
            grid->row_first[row++] = (uint32_t)cell;
        }
        grid->cell_x[cell] = cell_x_of(&job->layout, key);
        grid->cell_first[cell++] = (uint32_t)k;
    }
}

/* A table of all rows makes finding one a matter of a load. It is as large as the shadow of the frame along x: small
 * for a drop, too large for a few particles scattered over a wide domain. */
static bl_status make_table(bl_context *ctx, bl_grid *grid) {
    enum { PLACES_ANYWAY = 4096 };
    uint64_t n_y = grid->frame.axis[1].n_cells, size = n_y * grid->frame.axis[2].n_cells;
    grid->has_table = size <= grid->count + PLACES_ANYWAY;
    if (!grid->has_table) return BL_OK;
    bl_status status = reserve_table(ctx, grid, (size_t)size);
    if (status != BL_OK) return status;
    for (size_t k = 0; k < size; k++) grid->row_at[k] = (uint32_t)grid->n_rows;
    for (size_t row = 0; row < grid->n_rows; row++) {
        uint64_t y = grid->row_key[row] & (BL_FRAME_MAX_CELLS - 1), z = grid->row_key[row] >> BL_FRAME_AXIS_BITS;
        grid->row_at[z * n_y + y] = (uint32_t)row;
    }
    return BL_OK;
}

static bl_status fill_grid(bl_context *ctx, grid_job *job, size_t count, bl_arena *arena) {
    bl_parallel_for(ctx, count, BL_CHUNK, make_items, job);
    bl_status status = bl_radix_sort(ctx, arena, job->items, count, BL_SORT_BY_KEY, job->layout.nowhere);
    if (status != BL_OK) return status;
    bl_grid *grid = job->grid;
    bl_listing cells;
    bl_parallel_count(ctx, count, count_cells, job, &cells);
    grid->count = cells.total[PLACED], grid->n_cells = cells.total[CELLS], grid->n_rows = cells.total[ROWS];
    if ((status = reserve_particles(ctx, grid, grid->count)) != BL_OK ||
        (status = reserve_cells(ctx, grid, grid->n_cells)) != BL_OK ||
        (status = reserve_rows(ctx, grid, grid->n_rows)) != BL_OK)
        return status;
    bl_parallel_fill(ctx, &cells, list_cells, job);
    grid->cell_first[grid->n_cells] = (uint32_t)grid->count;
    grid->row_first[grid->n_rows] = (uint32_t)grid->n_cells;
    bl_parallel_for(ctx, grid->count, BL_CHUNK, copy_particles, job);
    return make_table(ctx, grid);
}

bl_status bl_grid_build(bl_context *ctx, bl_grid *grid, const bl_frame *frame, bl_positions positions,
                        bl_arena *arena) {
    grid->frame = *frame;
    size_t mark = bl_arena_mark(arena);
    size_t count = positions.x ? positions.count : 0;
    grid->layout = layout_of(frame);
    grid_job job = {.grid = grid, .layout = grid->layout, .positions = positions.x};
    job.items = bl_arena_take(arena, count, sizeof *job.items);
    bl_status status = job.items ? reserve_keys(ctx, grid, count) : BL_ERR_MEMORY;
    if (status == BL_OK) status = fill_grid(ctx, &job, count, arena);
    if (status != BL_OK) grid->count = grid->n_cells = grid->n_rows = 0;
    bl_arena_release(arena, mark);
    return status;
}

size_t bl_grid_find_row(const bl_grid *grid, uint32_t cell_y, uint32_t cell_z) {
    if (grid->has_table) return grid->row_at[(size_t)cell_z * grid->frame.axis[1].n_cells + cell_y];
    uint64_t key = bl_grid_row_key(cell_y, cell_z);
    size_t begin = 0, end = grid->n_rows;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (grid->row_key[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin < grid->n_rows && grid->row_key[begin] == key ? begin : grid->n_rows;
}

uint32_t bl_grid_find_cell(const bl_grid *grid, size_t row, uint32_t x) {
    const uint32_t *cell_x = grid->cell_x;
    uint32_t begin = grid->row_first[row], end = grid->row_first[row + 1];
    if (x <= cell_x[begin]) return begin;
    if (x > cell_x[end - 1]) return end;
    /* where a row has no gaps */
    uint32_t guess = begin + (x - cell_x[begin]);
    if (guess < end && cell_x[guess] == x) return guess;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (cell_x[middle] < x)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}
