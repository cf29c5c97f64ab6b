/* Vertex neighbourhoods and normals. */
#include "base/parallel.h"
#include "surface/refine.h"

bl_status bl_links_build(bl_context *ctx, const bl_surface_mesh *mesh, bl_links *out) {
    const size_t n_corners = 3 * mesh->triangle_count;
    out->start = bl_alloc(ctx, mesh->vertex_count + 2, sizeof *out->start);
    out->around = bl_alloc(ctx, n_corners, sizeof *out->around);
    if (!out->start || !out->around) {
        bl_links_clear(ctx, out);
        return BL_ERR_MEMORY;
    }
    /* Counted two places ahead, so that after filling, start[v] is where v begins. */
    uint32_t *const ahead = out->start + 2, *const fill = out->start + 1;
    for (size_t k = 0; k < n_corners; k++) ahead[mesh->triangle[k]]++;
    for (size_t v = 1; v < mesh->vertex_count; v++) fill[v] += fill[v - 1];
    for (size_t k = 0; k < n_corners; k++) {
        const uint32_t *t = mesh->triangle + k / 3 * 3;
        uint32_t *const entry = out->around[fill[t[k % 3]]++];
        entry[0] = t[(k + 1) % 3], entry[1] = t[(k + 2) % 3];
    }
    return BL_OK;
}

void bl_links_clear(bl_context *ctx, bl_links *links) {
    bl_release(ctx, links->start);
    bl_release(ctx, links->around);
    *links = (bl_links){0};
}

typedef struct normal_job {
    const bl_links *links;
    bl_surface_mesh *mesh;
} normal_job;

/* Does a triangle at a line (a contact line or a seam) belong to the wall or interface that ends there? */
static bool is_beyond_line(uint8_t line, uint8_t a, uint8_t b) {
    const uint8_t sheet = line == BL_SURFACE_SEAM ? BL_SURFACE_INTERFACE : BL_SURFACE_WALL;
    return (a == sheet || a == line) && (b == sheet || b == line);
}

static bl_vec3d sum_of_areas(const normal_job *job, size_t v, bool free_only) {
    const bl_surface_mesh *mesh = job->mesh;
    const bl_vec3d x = bl_v3d_from(mesh->x[v]);
    bl_vec3d sum = bl_v3d_zero();
    for (uint32_t k = job->links->start[v]; k < job->links->start[v + 1]; k++) {
        const uint32_t a = job->links->around[k][0], b = job->links->around[k][1];
        if (free_only && is_beyond_line(mesh->kind[v], mesh->kind[a], mesh->kind[b])) continue;
        sum = bl_v3d_add(sum,
                         bl_v3d_cross(bl_v3d_sub(bl_v3d_from(mesh->x[a]), x), bl_v3d_sub(bl_v3d_from(mesh->x[b]), x)));
    }
    return sum;
}

static void make_normals(void *user, size_t begin, size_t end) {
    const normal_job *job = user;
    for (size_t v = begin; v < end; v++) {
        const bool line = job->mesh->kind[v] == BL_SURFACE_CONTACT || job->mesh->kind[v] == BL_SURFACE_SEAM;
        bl_vec3d n = sum_of_areas(job, v, line);
        if (line && bl_v3d_norm2(n) == 0.0) n = sum_of_areas(job, v, false);
        const double length = bl_v3d_norm(n);
        job->mesh->normal[v] = bl_v3_from_d(length > 0.0 ? bl_v3d_scale(1.0 / length, n) : bl_v3d_make(0.0, 0.0, 1.0));
    }
}

void bl_mesh_normals(bl_context *ctx, const bl_links *links, bl_surface_mesh *mesh) {
    normal_job job = {links, mesh};
    bl_parallel_for(ctx, mesh->vertex_count, 0, make_normals, &job);
}
