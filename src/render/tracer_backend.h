/* What stands behind bl_tracer: a table of functions, so that Embree is known to one file only. */
#ifndef BL_RENDER_TRACER_BACKEND_H
#define BL_RENDER_TRACER_BACKEND_H

#include "render/tracer.h"

typedef struct bl_tracer_backend {
    const char *name;
    bl_status (*create)(bl_context *ctx, void **state);
    void (*destroy)(bl_context *ctx, void *state);
    bl_status (*add_mesh)(void *state, const float (*x)[3], const float (*x_end)[3], size_t vertex_count,
                          const uint32_t *triangles, size_t triangle_count, uint32_t object);
    bl_status (*add_spheres)(void *state, const bl_sphere *spheres, size_t count, uint32_t object);
    bl_status (*commit)(void *state);
    bool (*hit)(const void *state, const bl_ray *ray, bl_hit *hit);
} bl_tracer_backend;

extern const bl_tracer_backend bl_tracer_builtin;
extern const bl_tracer_backend *const bl_tracer_embree; /* NULL when built without Embree */

#endif
