/* Fewer triangles, by meshoptimizer. */
#include "surface/decimate.h"

#ifdef BL_HAVE_MESHOPTIMIZER
#include "surface/refine.h"

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

/* Does every edge belong to two triangles that pass it in opposite directions? */
static bool is_closed(const bl_surface_mesh *mesh, const bl_links *links) {
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t begin = links->start[v], end = links->start[v + 1];
        for (uint32_t i = begin; i < end; i++) {
            int leaving = 0, coming = 0;
            for (uint32_t k = begin; k < end; k++) {
                leaving += links->around[k][0] == links->around[i][0];
                coming += links->around[k][1] == links->around[i][0];
            }
            if (leaving != 1 || coming != 1) return false;
        }
    }
    return true;
}

/* Simplify to `target` corners into `kept`; *count is 0 where the result is not closed. */
static bl_status simplify(bl_context *ctx, const bl_surface_mesh *mesh, const float *x, size_t target, uint32_t *kept,
                          size_t *count) {
    *count = meshopt_simplify(kept, mesh->triangle, 3 * mesh->triangle_count, x, mesh->vertex_count, 3 * sizeof *x,
                              target, LARGEST_ERROR / extent_of(x, mesh->vertex_count), 0, NULL);
    bl_surface_mesh view = *mesh;
    bl_links links = {0};
    view.triangle = kept, view.triangle_count = *count / 3;
    bl_status status = bl_links_build(ctx, &view, &links);
    if (!status && !is_closed(&view, &links)) *count = 0;
    bl_links_clear(ctx, &links);
    return status;
}

/* meshoptimizer sometimes pinches a mesh: two sheets then share an edge. Keeping a little more avoids that. */
static bl_status simplify_closed(bl_context *ctx, double share, const bl_surface_mesh *mesh, const float *x,
                                 uint32_t *kept, size_t *count) {
    static const double more[] = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4};
    bl_status status = BL_OK;
    *count = 0;
    for (size_t k = 0; k < sizeof more / sizeof *more && !status && *count == 0; k++) {
        const double now = share + more[k] * (1.0 - share);
        status = simplify(ctx, mesh, x, 3 * (size_t)(now * (double)mesh->triangle_count), kept, count);
    }
    if (!status && *count == 0)
        bl_log(ctx, BL_LOG_WARNING, "a mesh of %zu triangles could not be simplified without tearing it: all are kept",
               mesh->triangle_count);
    return status;
}

bl_status bl_decimate(bl_context *ctx, double share, bl_surface_mesh *mesh) {
    float *const x = bl_alloc(ctx, 3 * mesh->vertex_count, sizeof *x);
    uint32_t *const kept = bl_alloc(ctx, 3 * mesh->triangle_count, sizeof *kept);
    uint32_t *const number = bl_alloc(ctx, mesh->vertex_count, sizeof *number);
    bl_status status = x && kept && number ? BL_OK : BL_ERR_MEMORY;
    if (!status) {
        size_t n = 0;
        for (size_t v = 0; v < mesh->vertex_count; v++)
            x[3 * v] = (float)mesh->x[v].x, x[3 * v + 1] = (float)mesh->x[v].y, x[3 * v + 2] = (float)mesh->x[v].z;
        status = simplify_closed(ctx, share, mesh, x, kept, &n);
        if (n > 0) {
            memcpy(mesh->triangle, kept, n * sizeof *kept);
            mesh->triangle_count = n / 3;
            compact(mesh, number);
        }
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
