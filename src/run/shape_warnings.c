/* Warnings about shapes: meshes that are open or cross themselves, liquid that starts inside walls. */
#include "base/rng.h"
#include "geometry/solid.h"
#include "run/plan.h"

#include <stdio.h>

static const size_t MAX_TRIANGLES = 300000; /* beyond, the search for crossings would take longer than the sampling */

typedef struct owner {
    const char *kind, *name;
    bool filled; /* its inside matters */
} owner;

static bl_status check_mesh(bl_warnings *warnings, owner of, const bl_solid *solid) {
    const bl_mesh *mesh = solid->mesh;
    size_t open = 0, crossings = 0;
    bl_vec3d where = bl_v3d_zero();
    char text[400];
    bl_status status = bl_mesh_open_edges(mesh, &open);
    /* sheets may pass through each other: they have no inside that could be in doubt */
    if (!status && mesh->watertight && mesh->triangle_count <= MAX_TRIANGLES)
        status = bl_mesh_crossings(mesh, &crossings, &where);
    if (!status && of.filled && open > 0) {
        snprintf(text, sizeof text,
                 "%s \"%s\": the mesh is open (%zu edges have no second triangle); its inside is "
                 "guessed, which may be wrong near the holes",
                 of.kind, of.name, open);
        status = bl_warnings_add(warnings, solid->pos, text);
    }
    if (!status && crossings > 0) {
        snprintf(text, sizeof text,
                 "%s \"%s\": the mesh crosses itself (%zu pairs of triangles, the first near (%.4g, %.4g, %.4g) m); "
                 "expected a surface without crossings",
                 of.kind, of.name, crossings, where.x, where.y, where.z);
        status = bl_warnings_add(warnings, solid->pos, text);
    }
    return status;
}

static bl_status check_solid(bl_warnings *warnings, owner of, const bl_solid *solid) {
    bl_status status = solid->kind == BL_SHAPE_MESH ? check_mesh(warnings, of, solid) : BL_OK;
    for (int c = 0; c < solid->child_count && !status; c++) status = check_solid(warnings, of, &solid->children[c]);
    return status;
}

/* --- liquid inside walls --- */

static const double MAX_BURIED = 0.02; /* share of a volume */
enum { PROBES = 4000 };

/* Shares of the volume that lie more than half a spacing behind a wall's surface and in front of it. */
static void probe(const bl_scene *scene, const bl_solid *volume, const bl_solid *wall, double *behind, double *front) {
    bl_box box = bl_solid_bounds(volume);
    bl_vec3d size = bl_v3d_sub(box.max, box.min);
    double inside = 0, keep = scene->spacing / 2;
    *behind = *front = 0;
    for (uint64_t k = 0; k < PROBES; k++) {
        bl_vec3d x = box.min;
        x.x += size.x * bl_rng_uniform(1, 1, k);
        x.y += size.y * bl_rng_uniform(1, 2, k);
        x.z = scene->dimension == 3 ? x.z + size.z * bl_rng_uniform(1, 3, k) : 0;
        if (!bl_solid_inside(volume, x)) continue;
        inside++;
        double height =
            wall->kind == BL_SHAPE_PLANE ? bl_v3d_dot(bl_v3d_sub(x, wall->a), wall->b) : bl_solid_distance(wall, x);
        *behind += height < -keep;
        *front += height > keep;
    }
    *behind /= fmax(inside, 1);
    *front /= fmax(inside, 1);
}

static bl_status check_overlap(bl_warnings *warnings, const bl_scene *scene, const bl_fluid *fluid,
                               const bl_solid *volume, const bl_boundary *body, const bl_solid *wall) {
    bool plane = wall->kind == BL_SHAPE_PLANE && wall->radius == 0; /* an endless one */
    double behind, front;
    char text[320];
    if (!plane && bl_solid_is_sheet(wall)) return BL_OK;
    probe(scene, volume, wall, &behind, &front);
    if (plane && fmin(behind, front) > MAX_BURIED)
        snprintf(text, sizeof text, "fluid \"%s\": %.0f %% of the volume lie behind the plane of the boundary \"%s\"",
                 fluid->name, 100 * fmin(behind, front), body->name);
    else if (!plane && behind > MAX_BURIED)
        snprintf(text, sizeof text, "fluid \"%s\": %.0f %% of the volume lie inside the boundary \"%s\" and stay empty",
                 fluid->name, 100 * behind, body->name);
    else
        return BL_OK;
    return bl_warnings_add(warnings, volume->pos, text);
}

static bl_status check_fluid(bl_warnings *warnings, const bl_scene *scene, const bl_fluid *fluid,
                             const bl_boundary *body, const bl_solid *wall) {
    bl_status status = BL_OK;
    for (int v = 0; v < fluid->volume_count && !status; v++) {
        bl_solid *volume;
        status = bl_solid_create(warnings->ctx, &fluid->volumes[v].shape, scene->dimension, &volume);
        if (!status && !wall) status = check_solid(warnings, (owner){"fluid", fluid->name, true}, volume);
        if (!status && wall) status = check_overlap(warnings, scene, fluid, volume, body, wall);
        bl_solid_destroy(warnings->ctx, volume);
    }
    return status;
}

bl_status bl_find_shape_warnings(const bl_scene *scene, bl_warnings *warnings) {
    bl_status status = BL_OK;
    for (int f = 0; f < scene->fluid_count && !status; f++)
        status = check_fluid(warnings, scene, &scene->fluids[f], NULL, NULL);
    for (int b = 0; b < scene->boundary_count && !status; b++) {
        const bl_boundary *body = &scene->boundaries[b];
        for (int s = 0; s < body->shape_count && !status; s++) {
            bl_solid *wall;
            status = bl_solid_create(warnings->ctx, &body->shapes[s], scene->dimension, &wall);
            if (!status) status = check_solid(warnings, (owner){"boundary", body->name, false}, wall);
            for (int f = 0; f < scene->fluid_count && !status; f++)
                status = check_fluid(warnings, scene, &scene->fluids[f], body, wall);
            bl_solid_destroy(warnings->ctx, wall);
        }
    }
    return status;
}
