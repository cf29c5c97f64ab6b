#include "analysis/wall.h"

#include "geometry/point_grid.h"

#include <math.h>
#include <string.h>

void bl_walls_sample_clear(bl_context *ctx, bl_walls_sample *walls) {
    bl_release(ctx, walls->x);
    bl_release(ctx, walls->normal);
    memset(walls, 0, sizeof *walls);
}

static bl_status append_boundary(bl_context *ctx, bl_walls_sample *walls, const bl_frame *frame) {
    const bl_array *normal = bl_frame_array(frame, "normal");
    if (!normal || normal->components != 3) return BL_OK;
    size_t begin = walls->count, end = begin + frame->count;
    bl_vec3d *x = bl_grow(ctx, walls->x, begin, end, sizeof *x);
    if (x) walls->x = x;
    bl_vec3d *n = bl_grow(ctx, walls->normal, begin, end, sizeof *n);
    if (n) walls->normal = n;
    if (!x || !n) return BL_ERR_MEMORY;
    for (size_t i = 0; i < frame->count; i++) {
        x[begin + i] = bl_array_vec3(&frame->points, i);
        n[begin + i] = bl_array_vec3(normal, i);
    }
    walls->count = end;
    return BL_OK;
}

bl_status bl_walls_sample_load(const bl_reader *reader, int number, bl_walls_sample *out) {
    *out = (bl_walls_sample){0};
    bl_status status = BL_OK;
    for (int s = 0; s < reader->sets.count && reader->scene->output.boundaries && status == BL_OK; s++) {
        if (reader->sets.items[s].kind != BL_SET_BOUNDARY) continue;
        bl_frame frame = {0};
        status = bl_reader_load(reader, s, number, &frame);
        if (status == BL_OK) status = append_boundary(reader->ctx, out, &frame);
        bl_frame_clear(&frame);
    }
    if (status != BL_OK) bl_walls_sample_clear(reader->ctx, out);
    return status;
}

static bool is_near(const bl_point_grid *grid, bl_vec3d x, double distance) {
    bl_grid_walk walk = bl_grid_walk_begin(grid, x, distance);
    const bl_grid_item *item;
    while ((item = bl_grid_walk_next(&walk)))
        if (bl_v3d_norm2(bl_v3d_sub(item->x, x)) < distance * distance) return true;
    return false;
}

/* The boundary particles near the liquid. */
typedef struct patch {
    bl_vec3d normal; /* mean; of length 1 only if all agree */
    size_t count;
    bool *near; /* of all boundary particles */
} patch;

static bl_status find_patch(bl_context *ctx, const bl_liquid *liquid, const bl_walls_sample *walls, patch *out) {
    const double reach = 2 * liquid->h;
    bl_point_grid grid = {0};
    *out = (patch){.near = bl_alloc(ctx, walls->count, sizeof *out->near)};
    bl_status status = out->near ? BL_OK : BL_ERR_MEMORY;
    if (status == BL_OK) status = bl_point_grid_build(ctx, liquid->x, liquid->count, 2 * reach, &grid);
    for (size_t b = 0; b < walls->count && status == BL_OK; b++) {
        out->near[b] = is_near(&grid, walls->x[b], reach);
        if (!out->near[b]) continue;
        out->normal = bl_v3d_add(out->normal, walls->normal[b]);
        out->count++;
    }
    if (status == BL_OK) bl_point_grid_clear(&grid);
    if (out->count > 0) out->normal = bl_v3d_scale(1 / (double)out->count, out->normal);
    return status;
}

/* The outermost layer of the patch along its normal. */
static double patch_level(const patch *p, const bl_walls_sample *walls, bl_vec3d normal) {
    double level = -(double)INFINITY;
    for (size_t b = 0; b < walls->count; b++)
        if (p->near[b]) level = fmax(level, bl_v3d_dot(walls->x[b], normal));
    return level;
}

/* Mean height of the particles above `floor` in the layer of thickness h around `middle`; `middle` if it is empty. */
static double layer_mean(const bl_liquid *liquid, bl_vec3d normal, double floor, double middle) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < liquid->count; i++) {
        double z = bl_v3d_dot(liquid->x[i], normal);
        if (z < floor || fabs(z - middle) > 0.5 * liquid->h) continue;
        sum += z;
        n += 1;
    }
    return n > 0 ? sum / n : middle;
}

bl_base bl_base_along(const bl_liquid *liquid, bl_vec3d normal, double floor) {
    double lowest = (double)INFINITY;
    for (size_t i = 0; i < liquid->count; i++) {
        double z = bl_v3d_dot(liquid->x[i], normal);
        if (z >= floor) lowest = fmin(lowest, z);
    }
    if (!isfinite(lowest)) return (bl_base){.found = false};
    /* The layer around the lowest particle, then around its own mean, until that stands. */
    double layer = lowest + 0.1 * liquid->h;
    for (int pass = 0; pass < 8; pass++) layer = layer_mean(liquid, normal, floor, layer);
    return (bl_base){.found = true, .normal = normal, .level = layer - 0.5 * liquid->h};
}

bl_status bl_base_find(bl_context *ctx, const bl_liquid *liquid, const bl_walls_sample *walls, bl_base *out) {
    *out = (bl_base){0};
    if (liquid->count == 0 || walls->count == 0) return BL_OK;
    patch p;
    bl_status status = find_patch(ctx, liquid, walls, &p);
    double agreement = bl_v3d_norm(p.normal);
    if (status == BL_OK && agreement > 0.95) {
        bl_vec3d normal = bl_v3d_scale(1 / agreement, p.normal);
        double level = patch_level(&p, walls, normal);
        *out = bl_base_along(liquid, normal, level);
        out->gap = out->found ? out->level - level : 0;
    }
    bl_release(ctx, p.near);
    return status;
}
