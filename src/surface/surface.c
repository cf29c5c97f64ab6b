/* Reconstruction from start to end; the parts are in the other files of this folder. */
#include "surface/surface.h"

#include "surface/blocks.h"
#include "surface/decimate.h"
#include "surface/extract.h"
#include "surface/refine.h"

#include <math.h>
#include <string.h>

bl_surface_options bl_default_surface_options(void) {
    return (bl_surface_options){.cell = 0.0, .smooth = 5, .anisotropic = false, .decimate = 1.0, .wall_offset = 0.0};
}

void bl_surface_mesh_clear(bl_context *ctx, bl_surface_mesh *mesh) {
    bl_release(ctx, mesh->x);
    bl_release(ctx, mesh->normal);
    bl_release(ctx, mesh->v);
    bl_release(ctx, mesh->kind);
    bl_release(ctx, mesh->triangle);
    bl_release(ctx, mesh->loop);
    *mesh = (bl_surface_mesh){0};
}

static bl_vec3d corner(const bl_surface_mesh *mesh, size_t t, int c) {
    return bl_v3d_from(mesh->x[mesh->triangle[3 * t + (size_t)c]]);
}

double bl_surface_mesh_volume(const bl_surface_mesh *mesh) {
    double sum = 0.0;
    if (mesh->triangle_count == 0) return sum;
    const bl_vec3d origin = corner(mesh, 0, 0); /* on the mesh: no cancellation far from the world's origin */
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const bl_vec3d a = bl_v3d_sub(corner(mesh, t, 0), origin), b = bl_v3d_sub(corner(mesh, t, 1), origin);
        sum += bl_v3d_dot(bl_v3d_cross(a, b), bl_v3d_sub(corner(mesh, t, 2), origin));
    }
    return sum / 6.0;
}

double bl_surface_mesh_area(const bl_surface_mesh *mesh) {
    double sum = 0.0;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const bl_vec3d a = corner(mesh, t, 0);
        sum += bl_v3d_norm(bl_v3d_cross(bl_v3d_sub(corner(mesh, t, 1), a), bl_v3d_sub(corner(mesh, t, 2), a)));
    }
    return sum / 2.0;
}

static bl_status check_input(bl_context *ctx, const bl_surface_input *input) {
    const bl_surface_options *o = &input->options;
    if (!(input->spacing > 0.0) || !isfinite(input->spacing))
        return bl_fail(ctx, BL_ERR_DATA, "spacing is %g m: expected a positive length", input->spacing);
    if (!(o->cell >= 0.0) || o->cell > input->spacing || (o->cell > 0.0 && o->cell < input->spacing / 16.0))
        return bl_fail(ctx, BL_ERR_USAGE,
                       "cell is %g m: expected between 1/16 and 1 spacing (%g m), or 0 for half a spacing", o->cell,
                       input->spacing);
    if (o->smooth < 0 || o->smooth > 1000)
        return bl_fail(ctx, BL_ERR_USAGE, "smoothing steps are %d: expected 0 to 1000", o->smooth);
    if (!(o->decimate > 0.0) || o->decimate > 1.0)
        return bl_fail(ctx, BL_ERR_USAGE, "share of triangles to keep is %g: expected above 0, at most 1", o->decimate);
    if (input->phase_count < 1 || input->phase_count > BL_SURFACE_MAX_PHASES)
        return bl_fail(ctx, BL_ERR_DATA, "%d fluids: expected 1 to %d", input->phase_count, BL_SURFACE_MAX_PHASES);
    for (size_t i = 0; input->phase && i < input->count; i++) {
        if (input->phase[i] >= (uint32_t)input->phase_count)
            return bl_fail(ctx, BL_ERR_DATA, "particle %zu belongs to fluid %u: expected below %d", i, input->phase[i],
                           input->phase_count);
    }
    return BL_OK;
}

/* Scratch arrays of the refinement, one entry a vertex. */
typedef struct scratch {
    bl_links links;
    bl_vertex_traits *traits;
    float (*wall_normal)[3];
} scratch;

static bl_status refine(bl_context *ctx, const bl_field *field, int phase, bl_surface_mesh *mesh, scratch *s) {
    bl_status status = bl_links_build(ctx, mesh, &s->links);
    s->traits = bl_alloc(ctx, mesh->vertex_count, sizeof *s->traits);
    s->wall_normal = bl_alloc(ctx, mesh->vertex_count, sizeof *s->wall_normal);
    mesh->normal = bl_alloc(ctx, mesh->vertex_count, sizeof *mesh->normal);
    if (field->input->v) mesh->v = bl_alloc(ctx, mesh->vertex_count, sizeof *mesh->v);
    if (!s->traits || !s->wall_normal || !mesh->normal || (field->input->v && !mesh->v)) status = BL_ERR_MEMORY;
    if (status) return status;

    const float(*wall_normal)[3] = (const float(*)[3])s->wall_normal;
    status = bl_vertices_sample(ctx, field, phase, mesh, s->traits);
    if (!status) status = bl_contact_sharpen(ctx, field, phase, &s->links, mesh, s->wall_normal);
    if (!status) status = bl_seam_sharpen(ctx, field, phase, &s->links, mesh);
    if (!status) status = bl_mesh_smooth(ctx, &s->links, s->traits, wall_normal, field->input->options.smooth, mesh);
    if (!status) status = bl_mesh_restore(ctx, &s->links, s->traits, wall_normal, field->cell, mesh);
    bl_contact_keep_out(ctx, field, mesh);
    return status;
}

static void to_metres(const bl_field *field, bl_surface_mesh *mesh) {
    for (size_t v = 0; v < mesh->vertex_count; v++)
        mesh->x[v] = bl_v3_from_d(bl_v3d_scale(field->input->spacing, bl_v3d_from(mesh->x[v])));
}

static bl_status build_phase(bl_context *ctx, const bl_blocks *blocks, int phase, bl_surface_mesh *mesh) {
    const bl_field *field = blocks->field;
    bl_status status = bl_extract(ctx, blocks, phase, mesh);
    if (status || mesh->triangle_count == 0) return status;
    scratch s = {0};
    status = refine(ctx, field, phase, mesh, &s);
    if (!status && field->input->options.decimate < 1.0) {
        status = bl_decimate(ctx, field->input->options.decimate, mesh);
        bl_links_clear(ctx, &s.links);
        if (!status) status = bl_links_build(ctx, mesh, &s.links);
    }
    if (!status) bl_mesh_normals(ctx, &s.links, mesh);
    if (!status) to_metres(field, mesh);
    bl_links_clear(ctx, &s.links);
    bl_release(ctx, s.traits);
    bl_release(ctx, s.wall_normal);
    return status;
}

bl_status bl_surface_build(bl_context *ctx, const bl_surface_input *input, bl_surface_mesh *out) {
    bl_status status = check_input(ctx, input);
    if (status) return status;
    memset(out, 0, (size_t)input->phase_count * sizeof *out);
    if (input->count == 0) return BL_OK;

    bl_field field;
    bl_blocks blocks = {0};
    status = bl_field_init(ctx, input, &field);
    if (status) return status;
    status = bl_blocks_build(ctx, &field, &blocks);
    for (int phase = 0; !status && phase < input->phase_count; phase++)
        status = build_phase(ctx, &blocks, phase, &out[phase]);
    bl_blocks_clear(ctx, &blocks);
    bl_field_clear(ctx, &field);
    for (int phase = 0; status && phase < input->phase_count; phase++) bl_surface_mesh_clear(ctx, &out[phase]);
    return status;
}
