/* Where the tension of a step comes from, if it is a field's. */
#include "geometry/geometry.h"
#include "schemes/kernels.h"
#include "schemes/unified/unified.h"

#include <math.h>

static bl_status refuse(const bl_world *world) {
    const bl_scene *scene = world->scene;
    if (world->device)
        return bl_fail(world->ctx, BL_ERR_DATA,
                       "scheme.interface: field is computed on the CPU, found a device; use --device cpu, or "
                       "scheme.interface: particles");
    if (scene->fluid_count != 1)
        return bl_fail(world->ctx, BL_ERR_DATA, "scheme.interface: field is for one fluid, found %d; use particles",
                       scene->fluid_count);
    for (int k = 0; k < scene->boundary_count; ++k) {
        const bl_boundary *b = &scene->boundaries[k];
        double friction = bl_curve_largest(&b->friction, 0, scene->time.end);
        if (isfinite(friction) && friction > 0)
            return bl_fail(
                world->ctx, BL_ERR_DATA,
                "boundaries.%s.friction: found a coefficient of %g, expected 0 with scheme.interface: field, "
                "which does not know what presses liquid to a wall; use particles",
                b->name, friction);
        if (bl_boundary_layers(scene, k) < 2)
            return bl_fail(
                world->ctx, BL_ERR_DATA,
                "boundaries.%s: a wall of one layer is transparent to scheme.interface: field; use particles, "
                "or a thicker solid with layers: 3",
                b->name);
        if (b->elastic.given || b->rigid.given)
            return bl_fail(world->ctx, BL_ERR_DATA,
                           "boundaries.%s: bodies that the liquid moves need scheme.interface: particles, found field",
                           b->name);
    }
    return BL_OK;
}

bl_status bl_unified_field_start(bl_world *world, unified *u) {
    const bl_scene *scene = world->scene;
    const bool automatic = scene->scheme.interface == BL_INTERFACE_AUTO;
    const double low[3] = {scene->domain.min.x, scene->domain.min.y, scene->domain.min.z};
    double period[3];
    if (!bl_scene_has_field(scene) || (automatic && world->device)) return BL_OK;
    bl_status status = refuse(world);
    if (status != BL_OK) return status;
    for (int k = 0; k < 3; ++k) period[k] = (double)u->par.period[k];
    u->cosine = bl_alloc(world->ctx, (size_t)scene->boundary_count, sizeof *u->cosine);
    if (!u->cosine) return BL_ERR_MEMORY;
    if (scene->dimension == 2) u->par.g_d = BL_R(BL_FIELD_SURFACE_D_2D);
    return bl_field_create(world->ctx, scene->dimension, scene->spacing, period, low, &u->field);
}

bl_status bl_unified_field_force(bl_world *world, unified *u, uint64_t turn) {
    if (!u->field || world->fluid.count == 0) return BL_OK;
    double start = bl_now();
    const bl_fluid_store *f = &world->fluid;
    const bl_boundary_store *b = &world->boundary;
    const bl_field_input in = {
        .gamma = bl_curve_at(&world->scene->fluids[0].surface_tension, world->time + (double)u->now.dt),
        .turn = turn,
        .count = f->count,
        .x = f->x,
        .wall_count = b->count,
        .wall_x = b->x,
        .wall_volume = b->volume,
        .wall_body = b->body,
        .cosine = u->cosine};
    bl_status status = bl_field_forces(world->ctx, u->field, &in, f->f_st, &u->energy_field);
    bl_timers_add(&world->timers, "field", bl_now() - start);
    return status;
}
