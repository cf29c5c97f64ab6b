/* What is in the way of particles that are to appear. There may be millions of wall particles and a drop in every step,
 * so walls are looked up by the boxes around runs of them, which are compact: the store is sorted by place. */
#include "base/parallel.h"
#include "sim/source.h"

typedef struct map_job {
    const bl_boundary_store *walls;
    bl_box *boxes;
} map_job;

static void bound_chunk(void *user, size_t begin, size_t end) {
    const map_job *job = user;
    bl_box box = bl_box_empty();
    for (size_t i = begin; i < end; i++) box = bl_box_add(box, bl_v3d_from(job->walls->x[i]));
    job->boxes[begin / BL_CHUNK] = box;
}

bl_status bl_wall_map_create(bl_world *world, bl_wall_map *map) {
    map->count = (world->boundary.count + BL_CHUNK - 1) / BL_CHUNK;
    map->boxes = bl_alloc(world->ctx, map->count, sizeof *map->boxes);
    if (!map->boxes) return BL_ERR_MEMORY;
    bl_wall_map_update(world, map);
    return BL_OK;
}

void bl_wall_map_update(bl_world *world, const bl_wall_map *map) {
    map_job job = {&world->boundary, map->boxes};
    bl_parallel_for(world->ctx, world->boundary.count, BL_CHUNK, bound_chunk, &job);
}

static bool boxes_meet(bl_box a, bl_box b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
           b.min.z <= a.max.z;
}

/* Fluid particles within the box, counted and, if asked for, copied to `to`. */
static size_t collect_fluid(const bl_fluid_store *fluid, bl_box box, bl_vec3d *to) {
    size_t found = 0;
    for (size_t i = 0; i < fluid->count; i++) {
        bl_vec3d x = bl_v3d_from(fluid->x[i]);
        if (!bl_box_holds(box, x)) continue;
        if (to) to[found] = x;
        found++;
    }
    return found;
}

/* The same for walls, with their volumes. */
static size_t collect_walls(const bl_boundary_store *walls, const bl_wall_map *map, bl_box box, bl_vec3d *to,
                            double *volumes) {
    size_t found = 0;
    for (size_t k = 0; k < map->count; k++) {
        if (!boxes_meet(map->boxes[k], box)) continue;
        size_t end = (k + 1) * BL_CHUNK < walls->count ? (k + 1) * BL_CHUNK : walls->count;
        for (size_t i = k * BL_CHUNK; i < end; i++) {
            bl_vec3d x = bl_v3d_from(walls->x[i]);
            if (!bl_box_holds(box, x)) continue;
            if (to) to[found] = x, volumes[found] = (double)walls->volume[i];
            found++;
        }
    }
    return found;
}

bl_status bl_crowd_find(bl_world *world, const bl_wall_map *map, const bl_births *births, bl_box box, bl_crowd *crowd) {
    size_t of_walls = collect_walls(&world->boundary, map, box, NULL, NULL);
    size_t room = collect_fluid(&world->fluid, box, NULL) + of_walls + births->points.count;
    *crowd =
        (bl_crowd){.x = bl_arena_take(world->scratch, room ? room : 1, sizeof *crowd->x),
                   .wall_volume = bl_arena_take(world->scratch, of_walls ? of_walls : 1, sizeof *crowd->wall_volume)};
    if (!crowd->x || !crowd->wall_volume) return BL_ERR_MEMORY;
    crowd->fluid_count = collect_fluid(&world->fluid, box, crowd->x);
    for (size_t k = 0; k < births->points.count; k++)
        if (bl_box_holds(box, births->points.x[k])) crowd->x[crowd->fluid_count++] = births->points.x[k];
    crowd->count = crowd->fluid_count +
                   collect_walls(&world->boundary, map, box, crowd->x + crowd->fluid_count, crowd->wall_volume);
    return BL_OK;
}

bool bl_crowd_blocks(const bl_crowd *crowd, bl_vec3d x, double fluid_distance, double wall_distance) {
    for (size_t k = 0; k < crowd->count; k++) {
        double distance = k < crowd->fluid_count ? fluid_distance : wall_distance;
        if (bl_v3d_norm2(bl_v3d_sub(x, crowd->x[k])) < distance * distance) return true;
    }
    return false;
}
