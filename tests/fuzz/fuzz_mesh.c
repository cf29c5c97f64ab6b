/* The mesh readers on any bytes: the first byte chooses the name's ending, the rest is the file. No crash, no hang, no
 * leak; and what is read can be asked for distances. */
#include "geometry/bvh.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A mesh that was read has finite vertices, triangles in range and an area. */
static void check_mesh(bl_context *ctx, const bl_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangles[t].v[k] >= mesh->vertex_count) abort();
    if (!(bl_mesh_area(mesh) > 0)) abort();
    bl_bvh *bvh;
    if (bl_bvh_create(ctx, mesh, &bvh) != BL_OK) return;
    bl_hit hit = bl_bvh_closest(bvh, bl_v3d_make(0.1, 0.2, 0.3), INFINITY);
    if (!(hit.distance >= 0) || !(fabs(bl_bvh_winding(bvh, hit.x)) < 1e9)) abort();
    bl_bvh_destroy(bvh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a.obj", "a.ply", "a.stl", "a"};
    if (size == 0) return 0;
    bl_context *ctx;
    if (bl_context_create(NULL, &ctx) != BL_OK) return 0;
    /* The reader is promised a zero byte after the file. */
    char *text = malloc(size);
    if (text) {
        memcpy(text, data + 1, size - 1);
        text[size - 1] = '\0';
        bl_mesh *mesh;
        if (bl_mesh_parse(ctx, text, size - 1, names[data[0] % 4], &mesh) == BL_OK) check_mesh(ctx, mesh);
        bl_mesh_destroy(mesh);
    }
    free(text);
    bl_context_destroy(ctx);
    return 0;
}
