/* From a scene to particles: walls first, then the fluids around them, then velocities. */
#include "geometry/points.h"
#include "sim/sim.h"

#include <string.h>

/* `more` is taken over where it is the first and complete, copied otherwise. */
static bl_status join_points(bl_point_list *all, bl_points *more) {
    if (all->points.count == 0 && more->normal && more->volume && more->depth) {
        bl_point_list_clear(all);
        all->points = *more;
        all->capacity = more->count;
        *more = (bl_points){0};
        return BL_OK;
    }
    bl_status status = bl_point_list_reserve(all, all->points.count + more->count);
    for (size_t k = 0; status == BL_OK && k < more->count; k++) {
        status = bl_point_list_add(all, more->x[k], more->normal ? more->normal[k] : bl_v3d_zero(),
                                   more->volume ? more->volume[k] : 0, more->source[k]);
        if (status == BL_OK && more->depth) all->points.depth[all->points.count - 1] = more->depth[k];
    }
    return status;
}

/* --- where the fluids will be --- */

static void include_interval(double lo, double hi, double *min, double *max) {
    if (isfinite(lo) && isfinite(hi)) {
        *min = fmin(*min, lo);
        *max = fmax(*max, hi);
    }
}

/* A box around all finite fluid volumes: tells how far an infinite plane has to reach. */
static bl_status find_fluid_bounds(bl_context *ctx, const bl_scene *scene, bl_box *out) {
    *out = bl_box_empty();
    for (int f = 0; f < scene->fluid_count; f++) {
        for (int k = 0; k < scene->fluids[f].volume_count; k++) {
            bl_solid *solid = NULL;
            bl_status status = bl_solid_create(ctx, &scene->fluids[f].volumes[k].shape, scene->dimension, &solid);
            if (status != BL_OK) return status;
            bl_box box = bl_solid_bounds(solid);
            bl_solid_destroy(ctx, solid);
            include_interval(box.min.x, box.max.x, &out->min.x, &out->max.x);
            include_interval(box.min.y, box.max.y, &out->min.y, &out->max.y);
            include_interval(box.min.z, box.max.z, &out->min.z, &out->max.z);
        }
    }
    return bl_sources_bounds(ctx, scene, out);
}

/* --- boundaries --- */

static bl_status store_boundary(bl_world *world, int body, const bl_points *points) {
    size_t first = 0;
    bl_status status = bl_boundary_store_append(&world->boundary, points->count, &first);
    for (size_t k = 0; status == BL_OK && k < points->count; k++) {
        size_t i = first + k;
        world->boundary.body[i] = (uint32_t)body;
        world->boundary.x[i] = bl_v3_from_d(points->x[k]);
        world->boundary.normal[i] = points->normal ? bl_v3_from_d(points->normal[k]) : bl_v3_zero();
        world->boundary.volume[i] = (real)points->volume[k];
    }
    return status;
}

/* Rest positions by id: particles were stored in the order of `walls`, so ids count through it. */
static bl_status keep_rest(bl_context *ctx, const bl_points *walls, bl_rest *rest) {
    rest->x = bl_alloc(ctx, walls->count, sizeof *rest->x);
    rest->normal = bl_alloc(ctx, walls->count, sizeof *rest->normal);
    if (!rest->x || !rest->normal) return BL_ERR_MEMORY;
    rest->count = walls->count;
    if (walls->count > 0) {
        memcpy(rest->x, walls->x, walls->count * sizeof *rest->x);
        if (walls->normal) memcpy(rest->normal, walls->normal, walls->count * sizeof *rest->normal);
    }
    return BL_OK;
}

static bl_status fill_boundaries(bl_world *world, bl_point_list *walls, bl_rest *rest) {
    bl_box bounds;
    bl_status status = find_fluid_bounds(world->ctx, world->scene, &bounds);
    for (int b = 0; status == BL_OK && b < world->scene->boundary_count; b++) {
        bl_points points = {0};
        status = bl_sample_boundary(world->ctx, world->scene, b, bounds, &points);
        if (status == BL_OK) status = store_boundary(world, b, &points);
        if (status == BL_OK) status = join_points(walls, &points);
        bl_points_clear(world->ctx, &points);
    }
    return status == BL_OK ? keep_rest(world->ctx, &walls->points, rest) : status;
}

/* --- fluids --- */

/* Velocity of a volume, turning about the centre of its own particles. */
static void set_velocities(bl_world *world, const bl_fluid *fluid, const bl_points *points, size_t first) {
    for (int volume = 0; volume < fluid->volume_count; volume++) {
        bl_vec3d center = bl_v3d_zero();
        size_t count = 0;
        for (size_t k = 0; k < points->count; k++) {
            if (points->source[k] == volume) {
                center = bl_v3d_add(center, points->x[k]);
                count++;
            }
        }
        center = bl_v3d_scale(count ? 1 / (double)count : 0, center);
        const bl_volume *def = &fluid->volumes[volume];
        for (size_t k = 0; k < points->count; k++) {
            if (points->source[k] != volume) continue;
            bl_vec3d spin = bl_v3d_cross(def->angular_velocity, bl_v3d_sub(points->x[k], center));
            world->fluid.v[first + k] = bl_v3_from_d(bl_v3d_add(def->velocity, spin));
        }
    }
}

static bl_status store_fluid(bl_world *world, int phase, const bl_points *points) {
    const bl_fluid *fluid = &world->scene->fluids[phase];
    size_t first = 0;
    bl_status status = bl_fluid_store_append(&world->fluid, points->count, &first);
    if (status != BL_OK) return status;
    for (size_t k = 0; k < points->count; k++) {
        world->fluid.phase[first + k] = (uint32_t)phase;
        world->fluid.x[first + k] = bl_v3_from_d(points->x[k]);
        world->fluid.density[first + k] = (real)fluid->density;
    }
    set_velocities(world, fluid, points, first);
    return BL_OK;
}

static bl_status fill_fluids(bl_world *world, const bl_points *walls) {
    bl_point_list taken = bl_point_list_make(world->ctx);
    bl_status status = BL_OK;
    for (int f = 0; status == BL_OK && f < world->scene->fluid_count; f++) {
        if (world->scene->fluids[f].volume_count == 0) continue; /* a source will bring it */
        bl_points points = {0};
        status = bl_fill_fluid(world->ctx, world->scene, f, walls, &taken.points, &points);
        if (status == BL_OK) status = store_fluid(world, f, &points);
        if (status == BL_OK) status = join_points(&taken, &points);
        bl_points_clear(world->ctx, &points);
    }
    bl_point_list_clear(&taken);
    return status;
}

bl_status bl_fill_world(bl_world *world, bl_rest *rest) {
    bl_point_list walls = bl_point_list_make(world->ctx);
    bl_status status = bl_fill_check(world->ctx, world->scene);
    if (status == BL_OK) status = fill_boundaries(world, &walls, rest);
    if (status == BL_OK) status = fill_fluids(world, &walls.points);
    bl_point_list_clear(&walls);
    bool moved;
    if (status == BL_OK)
        status = bl_boundary_store_sort(&world->boundary, bl_sort_cell(world->scene), world->scratch, &moved);
    if (status == BL_OK)
        status = bl_fluid_store_sort(&world->fluid, bl_sort_cell(world->scene), world->scratch, &moved);
    return status;
}
