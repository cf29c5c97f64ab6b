#include "render/tracer.h"
#include "render/tracer_backend.h"

struct bl_tracer {
    bl_context *ctx;
    const bl_tracer_backend *backend;
    void *state;
    uint32_t object_count;
};

bl_status bl_tracer_create(bl_context *ctx, bl_tracer_kind kind, bl_tracer **out) {
    *out = NULL;
    bl_tracer *tracer = bl_alloc(ctx, 1, sizeof *tracer);
    if (!tracer) return BL_ERR_MEMORY;
    tracer->ctx = ctx;
    tracer->backend = kind == BL_TRACER_BEST && bl_tracer_embree ? bl_tracer_embree : &bl_tracer_builtin;
    bl_status status = tracer->backend->create(ctx, &tracer->state);
    if (status) {
        bl_release(ctx, tracer);
        return status;
    }
    *out = tracer;
    return BL_OK;
}

void bl_tracer_destroy(bl_tracer *tracer) {
    if (!tracer) return;
    tracer->backend->destroy(tracer->ctx, tracer->state);
    bl_release(tracer->ctx, tracer);
}

bl_status bl_tracer_add_mesh(bl_tracer *tracer, const float (*x)[3], const float (*x_end)[3], size_t vertex_count,
                             const uint32_t *triangles, size_t triangle_count, uint32_t *object) {
    *object = tracer->object_count++;
    return tracer->backend->add_mesh(tracer->state, x, x_end, vertex_count, triangles, triangle_count, *object);
}

bl_status bl_tracer_add_spheres(bl_tracer *tracer, const bl_sphere *spheres, size_t count, uint32_t *object) {
    *object = tracer->object_count++;
    return tracer->backend->add_spheres(tracer->state, spheres, count, *object);
}

bl_status bl_tracer_commit(bl_tracer *tracer) { return tracer->backend->commit(tracer->state); }

bool bl_tracer_hit(const bl_tracer *tracer, const bl_ray *ray, bl_hit *hit) {
    return tracer->backend->hit(tracer->state, ray, hit);
}

const char *bl_tracer_name(const bl_tracer *tracer) { return tracer->backend->name; }
