#include "geometry/point_grid.h"

enum { FIRST_BLOCKS = 16 };

/* While the grid is built. */
typedef struct builder {
    bl_point_grid *grid;
    size_t blocks, capacity; /* the table has twice as many places as there may be blocks */
    uint64_t key;            /* the block of the last point: the next one is mostly in it, too */
    uint32_t block;
} builder;

static bl_status grow_table(builder *b) {
    bl_point_grid *grid = b->grid;
    size_t capacity = b->capacity ? 2 * b->capacity : FIRST_BLOCKS, places = 2 * capacity;
    bl_grid_entry *table = bl_alloc(grid->ctx, places, sizeof *table);
    size_t used = b->capacity ? b->blocks * BL_GRID_BLOCK_CELLS + 1 : 0;
    uint32_t *start = bl_grow(grid->ctx, grid->start, used, capacity * BL_GRID_BLOCK_CELLS + 1, sizeof *start);
    if (start) grid->start = start;
    if (!table || !start) {
        bl_release(grid->ctx, table);
        return BL_ERR_MEMORY;
    }
    for (size_t p = 0; p < 2 * b->capacity; p++)
        if (grid->table[p].block) table[bl_grid_place(table, places - 1, grid->table[p].key)] = grid->table[p];
    bl_release(grid->ctx, grid->table);
    grid->table = table;
    grid->mask = places - 1;
    b->capacity = capacity;
    return BL_OK;
}

/* The cell of a point, counted through all blocks. The block must be known. */
static size_t find_cell(builder *b, bl_vec3d x) {
    const bl_point_grid *grid = b->grid;
    int64_t i = bl_grid_cell(x.x, grid->inv_cell), j = bl_grid_cell(x.y, grid->inv_cell),
            k = bl_grid_cell(x.z, grid->inv_cell);
    uint64_t key = bl_grid_block_key(i, j, k);
    if (key != b->key) {
        b->key = key;
        b->block = grid->table[bl_grid_place(grid->table, grid->mask, key)].block;
    }
    return b->block ? (size_t)(b->block - 1) * BL_GRID_BLOCK_CELLS + bl_grid_cell_in_block(i, j, k) : SIZE_MAX;
}

/* A new block gets the next number: blocks, and so the points, lie in memory as they first appear. */
static bl_status add_block(builder *b) {
    if (b->blocks == b->capacity) {
        bl_status status = grow_table(b);
        if (status) return status;
    }
    uint64_t place = bl_grid_place(b->grid->table, b->grid->mask, b->key);
    b->block = (uint32_t)++b->blocks;
    b->grid->table[place] = (bl_grid_entry){b->key, b->block};
    return BL_OK;
}

/* Counts go to start[cell + 1]. */
static bl_status count_points(builder *b, const bl_vec3d *x, size_t count) {
    bl_status status = grow_table(b);
    for (size_t i = 0; i < count && !status; i++) {
        size_t cell = find_cell(b, x[i]);
        if (cell == SIZE_MAX) {
            status = add_block(b);
            if (!status) cell = find_cell(b, x[i]);
        }
        if (!status) b->grid->start[cell + 1]++;
    }
    return status;
}

/* Counting sort: start[cell + 1] becomes the place to write, which ends as the end of the cell. */
static void place_points(builder *b, const bl_vec3d *x, size_t count) {
    uint32_t *start = b->grid->start, sum = 0;
    for (size_t cell = 0; cell < b->blocks * BL_GRID_BLOCK_CELLS; cell++) {
        uint32_t n = start[cell + 1];
        start[cell + 1] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) b->grid->items[start[find_cell(b, x[i]) + 1]++] = (bl_grid_item){x[i], i};
}

bl_status bl_point_grid_build(bl_context *ctx, const bl_vec3d *x, size_t count, double cell, bl_point_grid *grid) {
    *grid = (bl_point_grid){.ctx = ctx, .inv_cell = 1 / cell};
    if (count >= UINT32_MAX) return bl_fail(ctx, BL_ERR_MEMORY, "%zu points are too many to search among", count);
    builder b = {.grid = grid, .key = UINT64_MAX};
    grid->items = bl_alloc(ctx, count, sizeof *grid->items);
    bl_status status = grid->items ? count_points(&b, x, count) : BL_ERR_MEMORY;
    if (status)
        bl_point_grid_clear(grid);
    else
        place_points(&b, x, count);
    return status;
}

void bl_point_grid_clear(bl_point_grid *grid) {
    bl_release(grid->ctx, grid->table);
    bl_release(grid->ctx, grid->start);
    bl_release(grid->ctx, grid->items);
    *grid = (bl_point_grid){0};
}
