/* Building the grid. Threads note which blocks their points are in, one thread numbers the blocks as they first appear,
 * and then all count the points of each cell and write them, in whatever order; in the end each cell is sorted. */
#include "geometry/point_grid.h"
#include "base/parallel.h"

#include <stdlib.h>

enum {
    FIRST_BLOCKS = 16,
    NOTE_CHUNK = 4096,
    RECENT = 256,      /* blocks that a chunk remembers not to note again */
    INSERTION_MAX = 32 /* points of a cell up to which insertion sort is best */
};

/* While the grid is built. */
typedef struct builder {
    bl_point_grid *grid;
    const bl_vec3d *x;
    size_t count;
    size_t blocks, capacity; /* the table has twice as many places as there may be blocks */
    uint64_t *keys;          /* of the blocks noted; those of a chunk from its first point on */
    uint32_t *n_keys;        /* of each chunk */
} builder;

/* --- blocks ------------------------------------------------------------------------------------------------------ */

static bl_status grow_table(builder *b) {
    bl_point_grid *grid = b->grid;
    size_t capacity = b->capacity ? 2 * b->capacity : FIRST_BLOCKS, places = 2 * capacity;
    bl_grid_entry *table = bl_alloc(grid->ctx, places, sizeof *table);
    if (!table) return BL_ERR_MEMORY;
    for (size_t p = 0; p < 2 * b->capacity; p++)
        if (grid->table[p].block) table[bl_grid_place(table, places - 1, grid->table[p].key)] = grid->table[p];
    bl_release(grid->ctx, grid->table);
    grid->table = table;
    grid->mask = places - 1;
    b->capacity = capacity;
    return BL_OK;
}

static uint64_t block_of(const bl_point_grid *grid, bl_vec3d x, unsigned *cell) {
    int64_t i = bl_grid_cell(x.x, grid->inv_cell), j = bl_grid_cell(x.y, grid->inv_cell),
            k = bl_grid_cell(x.z, grid->inv_cell);
    *cell = bl_grid_cell_in_block(i, j, k);
    return bl_grid_block_key(i, j, k);
}

/* Blocks of one chunk of points as they appear, most of them once. */
static void note_blocks(void *user, size_t begin, size_t end) {
    builder *b = user;
    uint64_t recent[RECENT], *keys = b->keys + begin;
    uint32_t n = 0;
    for (size_t r = 0; r < RECENT; r++) recent[r] = UINT64_MAX; /* the key of no block */
    for (size_t i = begin; i < end; i++) {
        unsigned cell;
        uint64_t key = block_of(b->grid, b->x[i], &cell);
        uint64_t *known = &recent[bl_grid_hash(key) % RECENT];
        if (*known != key) keys[n++] = *known = key;
    }
    b->n_keys[begin / NOTE_CHUNK] = n;
}

/* A new block gets the next number: blocks, and so the points, lie in memory as they first appear. */
static bl_status add_block(builder *b, uint64_t key) {
    if (b->blocks == b->capacity) {
        bl_status status = grow_table(b);
        if (status) return status;
    }
    bl_grid_entry *entry = &b->grid->table[bl_grid_place(b->grid->table, b->grid->mask, key)];
    if (!entry->block) *entry = (bl_grid_entry){key, (uint32_t)++b->blocks};
    return BL_OK;
}

static bl_status find_blocks(builder *b) {
    bl_context *ctx = b->grid->ctx;
    size_t n_chunks = b->count / NOTE_CHUNK + 1;
    b->keys = bl_alloc(ctx, b->count, sizeof *b->keys);
    b->n_keys = bl_alloc(ctx, n_chunks, sizeof *b->n_keys);
    bl_status status = b->keys && b->n_keys ? grow_table(b) : BL_ERR_MEMORY;
    if (!status) bl_parallel_for(ctx, b->count, NOTE_CHUNK, note_blocks, b);
    for (size_t chunk = 0; chunk < n_chunks && !status; chunk++)
        for (uint32_t n = 0; n < b->n_keys[chunk] && !status; n++)
            status = add_block(b, b->keys[chunk * NOTE_CHUNK + n]);
    bl_release(ctx, b->keys);
    bl_release(ctx, b->n_keys);
    return status;
}

/* --- points ------------------------------------------------------------------------------------------------------ */

/* The cell of a point, counted through all blocks. */
static size_t find_cell(const builder *b, size_t i) {
    unsigned cell;
    uint64_t key = block_of(b->grid, b->x[i], &cell);
    uint32_t block = b->grid->table[bl_grid_place(b->grid->table, b->grid->mask, key)].block;
    return (size_t)(block - 1) * BL_GRID_BLOCK_CELLS + cell;
}

/* Counts go to start[cell + 1]. */
static void count_points(void *user, size_t begin, size_t end) {
    const builder *b = user;
    for (size_t i = begin; i < end; i++) {
        uint32_t *count = &b->grid->start[find_cell(b, i) + 1];
#pragma omp atomic
        ++*count;
    }
}

/* start[cell + 1] becomes the place to write, which ends as the end of the cell. */
static void sum_counts(builder *b) {
    uint32_t *start = b->grid->start, sum = 0;
    for (size_t cell = 0; cell < b->blocks * BL_GRID_BLOCK_CELLS; cell++) {
        uint32_t n = start[cell + 1];
        start[cell + 1] = sum;
        sum += n;
    }
}

static void place_points(void *user, size_t begin, size_t end) {
    const builder *b = user;
    for (size_t i = begin; i < end; i++) {
        uint32_t *next = &b->grid->start[find_cell(b, i) + 1], place;
#pragma omp atomic capture
        place = (*next)++;
        b->grid->items[place] = (bl_grid_item){b->x[i], i};
    }
}

static int compare_items(const void *a, const void *b) {
    size_t i = ((const bl_grid_item *)a)->index, j = ((const bl_grid_item *)b)->index;
    return i < j ? -1 : i > j;
}

static void sort_items(bl_grid_item *items, size_t count) {
    if (count > INSERTION_MAX) {
        qsort(items, count, sizeof *items, compare_items);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        bl_grid_item item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].index > item.index; at--) items[at] = items[at - 1];
        items[at] = item;
    }
}

static void sort_cells(void *user, size_t begin, size_t end) {
    const builder *b = user;
    const uint32_t *start = b->grid->start;
    for (size_t cell = begin; cell < end; cell++)
        sort_items(b->grid->items + start[cell], start[cell + 1] - start[cell]);
}

/* --- together ---------------------------------------------------------------------------------------------------- */

static bl_status build(builder *b) {
    bl_point_grid *grid = b->grid;
    bl_status status = find_blocks(b);
    if (status) return status;
    size_t cells = b->blocks * BL_GRID_BLOCK_CELLS;
    grid->items = bl_alloc(grid->ctx, b->count, sizeof *grid->items);
    grid->start = bl_alloc(grid->ctx, cells + 1, sizeof *grid->start);
    if (!grid->items || !grid->start) return BL_ERR_MEMORY;
    bl_parallel_for(grid->ctx, b->count, BL_CHUNK, count_points, b);
    sum_counts(b);
    bl_parallel_for(grid->ctx, b->count, BL_CHUNK, place_points, b);
    if (bl_threads(grid->ctx) > 1) bl_parallel_for(grid->ctx, cells, BL_CHUNK, sort_cells, b);
    return BL_OK;
}

bl_status bl_point_grid_build(bl_context *ctx, const bl_vec3d *x, size_t count, double cell, bl_point_grid *grid) {
    *grid = (bl_point_grid){.ctx = ctx, .inv_cell = 1 / cell};
    if (count >= UINT32_MAX) return bl_fail(ctx, BL_ERR_MEMORY, "%zu points are too many to search among", count);
    builder b = {.grid = grid, .x = x, .count = count};
    bl_status status = build(&b);
    if (status) bl_point_grid_clear(grid);
    return status;
}

void bl_point_grid_clear(bl_point_grid *grid) {
    bl_release(grid->ctx, grid->table);
    bl_release(grid->ctx, grid->start);
    bl_release(grid->ctx, grid->items);
    *grid = (bl_point_grid){0};
}
