#include "schemes/unified/field_walls.h"

#include "physics/tension.h"

#include <string.h>

void bl_field_walls_clear(bl_context *ctx, bl_field_walls *w) {
    bl_release(ctx, w->own_x);
    bl_release(ctx, w->own_volume);
    bl_release(ctx, w->own_body);
    bl_release(ctx, w->of);
    *w = (bl_field_walls){0};
}

static bl_status make_room(bl_context *ctx, bl_field_walls *w, size_t count) {
    if (count <= w->room) return BL_OK;
    bl_field_walls_clear(ctx, w);
    w->room = count;
    w->own_x = bl_alloc(ctx, count, sizeof *w->own_x);
    w->own_volume = bl_alloc(ctx, count, sizeof *w->own_volume);
    w->own_body = bl_alloc(ctx, count, sizeof *w->own_body);
    w->of = bl_alloc(ctx, count, sizeof *w->of);
    return w->own_x && w->own_volume && w->own_body && w->of ? BL_OK : BL_ERR_MEMORY;
}

static void add(bl_field_walls *w, const bl_boundary_store *b, size_t k, real height) {
    w->own_x[w->count] = bl_v3_mad(b->x[k], height, b->normal[k]);
    w->own_volume[w->count] = b->volume[k];
    w->own_body[w->count] = b->body[k];
    w->of[w->count++] = (uint32_t)k;
}

bl_status bl_field_walls_update(bl_context *ctx, const bl_boundary_store *b, real h, bl_field_walls *w) {
    size_t plates = 0;
    for (size_t k = 0; k < b->count; ++k) plates += b->faces[k] == BL_FACES_BOTH;
    if (plates == 0) {
        w->count = b->count, w->x = b->x, w->volume = b->volume, w->body = b->body;
        return BL_OK;
    }
    bl_status status = make_room(ctx, w, b->count + plates);
    if (status != BL_OK) return status;
    w->count = 0;
    for (size_t k = 0; k < b->count; ++k) {
        const bool plate = b->faces[k] == BL_FACES_BOTH;
        add(w, b, k, plate ? BL_R(0.5) * h : BL_R(0));
        if (plate) add(w, b, k, BL_R(-0.5) * h);
    }
    w->x = w->own_x, w->volume = w->own_volume, w->body = w->own_body;
    return BL_OK;
}

void bl_field_walls_collect(const bl_field_walls *w, const bl_vec3 *force, bl_boundary_store *b) {
    if (b->count == 0) return;
    memset(b->pull, 0, b->count * sizeof *b->pull);
    for (size_t k = 0; k < w->count; ++k) {
        bl_vec3 *to = &b->pull[w->x == b->x ? k : w->of[k]];
        *to = bl_v3_add(*to, force[k]);
    }
}
