#include "geometry/points.h"

#include <math.h>

void bl_points_clear(bl_context *ctx, bl_points *points) {
    bl_release(ctx, points->x);
    bl_release(ctx, points->normal);
    bl_release(ctx, points->volume);
    bl_release(ctx, points->depth);
    bl_release(ctx, points->source);
    *points = (bl_points){0};
}

bl_box bl_box_empty(void) {
    const double inf = INFINITY;
    return (bl_box){{inf, inf, inf}, {-inf, -inf, -inf}};
}

bool bl_box_is_empty(bl_box box) {
    return !(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z);
}

bl_box bl_box_add(bl_box box, bl_vec3d x) {
    box.min = bl_v3d_make(fmin(box.min.x, x.x), fmin(box.min.y, x.y), fmin(box.min.z, x.z));
    box.max = bl_v3d_make(fmax(box.max.x, x.x), fmax(box.max.y, x.y), fmax(box.max.z, x.z));
    return box;
}

bool bl_box_holds(bl_box box, bl_vec3d x) {
    return x.x >= box.min.x && x.x <= box.max.x && x.y >= box.min.y && x.y <= box.max.y && x.z >= box.min.z &&
           x.z <= box.max.z;
}

bl_box bl_box_of(const bl_vec3d *x, size_t count) {
    bl_box box = bl_box_empty();
    for (size_t i = 0; i < count; i++) box = bl_box_add(box, x[i]);
    return box;
}

bl_box bl_points_bounds(const bl_points *points) { return bl_box_of(points->x, points->count); }

bl_point_list bl_point_list_make(bl_context *ctx) { return (bl_point_list){.ctx = ctx}; }

void bl_point_list_clear(bl_point_list *list) {
    bl_points_clear(list->ctx, &list->points);
    list->capacity = 0;
}

bl_status bl_point_list_reserve(bl_point_list *list, size_t capacity) {
    if (capacity <= list->capacity) return BL_OK;
    bl_points *p = &list->points;
    size_t n = p->count;
    void *x = bl_grow(list->ctx, p->x, n, capacity, sizeof *p->x);
    if (x) p->x = x;
    void *normal = bl_grow(list->ctx, p->normal, n, capacity, sizeof *p->normal);
    if (normal) p->normal = normal;
    void *volume = bl_grow(list->ctx, p->volume, n, capacity, sizeof *p->volume);
    if (volume) p->volume = volume;
    void *depth = bl_grow(list->ctx, p->depth, n, capacity, sizeof *p->depth);
    if (depth) p->depth = depth;
    void *source = bl_grow(list->ctx, p->source, n, capacity, sizeof *p->source);
    if (source) p->source = source;
    if (!x || !normal || !volume || !depth || !source) return BL_ERR_MEMORY;
    list->capacity = capacity;
    return BL_OK;
}

bl_status bl_point_list_add(bl_point_list *list, bl_vec3d x, bl_vec3d normal, double volume, int source) {
    bl_points *p = &list->points;
    if (p->count == list->capacity) {
        bl_status status = bl_point_list_reserve(list, list->capacity ? 2 * list->capacity : 64);
        if (status) return status;
    }
    p->x[p->count] = x;
    p->normal[p->count] = normal;
    p->volume[p->count] = volume;
    p->depth[p->count] = 0;
    p->source[p->count] = source;
    p->count++;
    return BL_OK;
}

void bl_point_list_filter(bl_point_list *list, size_t begin, const bool *keep) {
    bl_points *p = &list->points;
    size_t kept = begin;
    for (size_t i = begin; i < p->count; i++) {
        if (!keep[i - begin]) continue;
        if (kept == i) {
            kept++;
            continue;
        }
        p->x[kept] = p->x[i];
        p->normal[kept] = p->normal[i];
        p->volume[kept] = p->volume[i];
        p->depth[kept] = p->depth[i];
        p->source[kept] = p->source[i];
        kept++;
    }
    p->count = kept;
}
