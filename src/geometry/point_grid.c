#include "geometry/point_grid.h"

static uint64_t key_of(bl_vec3d x, double inv_cell) {
    return bl_grid_key(bl_grid_cell(x.x, inv_cell), bl_grid_cell(x.y, inv_cell), bl_grid_cell(x.z, inv_cell));
}

bl_status bl_point_grid_build(bl_context *ctx, const bl_vec3d *x, size_t count, double cell, bl_point_grid *grid) {
    size_t buckets = 64;
    while (buckets < count) buckets *= 2;
    *grid = (bl_point_grid){.ctx = ctx, .inv_cell = 1 / cell, .mask = buckets - 1};
    grid->start = bl_alloc(ctx, buckets + 2, sizeof *grid->start);
    grid->items = bl_alloc(ctx, count, sizeof *grid->items);
    if (!grid->start || !grid->items) {
        bl_point_grid_clear(grid);
        return BL_ERR_MEMORY;
    }
    /* Counting sort: start[b + 2] counts, start[b + 1] is the place to write, which ends as the end of bucket b. */
    for (size_t i = 0; i < count; i++) grid->start[bl_grid_bucket(key_of(x[i], grid->inv_cell), grid->mask) + 2]++;
    for (size_t b = 0; b < buckets; b++) grid->start[b + 2] += grid->start[b + 1];
    for (size_t i = 0; i < count; i++) {
        uint64_t key = key_of(x[i], grid->inv_cell);
        grid->items[grid->start[bl_grid_bucket(key, grid->mask) + 1]++] = (bl_grid_item){key, i, x[i]};
    }
    return BL_OK;
}

void bl_point_grid_clear(bl_point_grid *grid) {
    bl_release(grid->ctx, grid->start);
    bl_release(grid->ctx, grid->items);
    *grid = (bl_point_grid){0};
}
