/* Fewer triangles, by meshoptimizer. */
#include "surface/decimate.h"

#ifdef BL_HAVE_MESHOPTIMIZER
#include <meshoptimizer.h>
#include <string.h>

#define LARGEST_ERROR 0.25f /* spacings: beyond it the shape of small drops would go */

/* Largest extent of the mesh: meshoptimizer's errors are relative to it. */
static float extent_of(const float *x, size_t count) {
    float extent = 0.0f;
    for (int a = 0; a < 3; a++) {
        float low = x[a], high = x[a];
        for (size_t v = 1; v < count; v++) {
            const float value = x[3 * v + (size_t)a];
            low = value < low ? value : low, high = value > high ? value : high;
        }
        extent = high - low > extent ? high - low : extent;
    }
    return extent;
}

/* Drop vertices that no triangle uses, keeping the order of the others. `number` has room for all. */
static void compact(bl_surface_mesh *mesh, uint32_t *number) {
    memset(number, 0, mesh->vertex_count * sizeof *number);
    for (size_t k = 0; k < 3 * mesh->triangle_count; k++) number[mesh->triangle[k]] = 1;
    uint32_t n = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        if (!number[v]) continue;
        mesh->x[n] = mesh->x[v], mesh->kind[n] = mesh->kind[v];
        if (mesh->v) mesh->v[n] = mesh->v[v];
        number[v] = n++;
    }
    for (size_t k = 0; k < 3 * mesh->triangle_count; k++) mesh->triangle[k] = number[mesh->triangle[k]];
    mesh->vertex_count = n;
}

bl_status bl_decimate(bl_context *ctx, double share, bl_surface_mesh *mesh) {
    const size_t corners = 3 * mesh->triangle_count, target = 3 * (size_t)(share * (double)mesh->triangle_count);
    float *const x = bl_alloc(ctx, 3 * mesh->vertex_count, sizeof *x);
    uint32_t *const kept = bl_alloc(ctx, corners, sizeof *kept);
    uint32_t *const number = bl_alloc(ctx, mesh->vertex_count, sizeof *number);
    const bl_status status = x && kept && number ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        for (size_t v = 0; v < mesh->vertex_count; v++)
            x[3 * v] = (float)mesh->x[v].x, x[3 * v + 1] = (float)mesh->x[v].y, x[3 * v + 2] = (float)mesh->x[v].z;
        const size_t n = meshopt_simplify(kept, mesh->triangle, corners, x, mesh->vertex_count, 3 * sizeof *x, target,
                                          LARGEST_ERROR / extent_of(x, mesh->vertex_count), 0, NULL);
        memcpy(mesh->triangle, kept, n * sizeof *kept);
        mesh->triangle_count = n / 3;
        compact(mesh, number);
    }
    bl_release(ctx, x);
    bl_release(ctx, kept);
    bl_release(ctx, number);
    return status;
}

#else

bl_status bl_decimate(bl_context *ctx, double share, bl_surface_mesh *mesh) {
    bl_log(ctx, BL_LOG_WARNING, "built without meshoptimizer: all %zu triangles are kept instead of a share of %g",
           mesh->triangle_count, share);
    return BL_OK;
}

#endif
