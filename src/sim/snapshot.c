/* The state before a step, to go back to. */
#include "base/parallel.h"
#include "sim/sim.h"

#include <string.h>

static size_t state_size(const bl_field_info *fields, int field_count, size_t particles) {
    size_t size = 0;
    for (int f = 0; f < field_count; f++)
        if (fields[f].flags & BL_FIELD_STATE) size += fields[f].item_size * particles;
    return size;
}

typedef enum direction { SAVE, RESTORE } direction;

/* The STATE fields of a store, to or from `data`, one behind the other. */
typedef struct state_copy {
    direction way;
    const bl_field_info *fields;
    int field_count;
    const void *store;
    size_t particles;
    char *data;
} state_copy;

static void copy_range(void *user, size_t begin, size_t end) {
    const state_copy *job = user;
    char *data = job->data;
    for (int f = 0; f < job->field_count; f++) {
        const bl_field_info *field = &job->fields[f];
        if (!(field->flags & BL_FIELD_STATE)) continue;
        const size_t at = begin * field->item_size, size = (end - begin) * field->item_size;
        char *array = (char *)bl_field_data(field, job->store) + at;
        memcpy(job->way == SAVE ? data + at : array, job->way == SAVE ? array : data + at, size);
        data += field->item_size * job->particles;
    }
}

/* Returns the end of what was used of its data. */
static char *copy_state(bl_context *ctx, const state_copy *job) {
    enum { PARTICLES_PER_CHUNK = 4096 };
    bl_parallel_for(ctx, job->particles, PARTICLES_PER_CHUNK, copy_range, (void *)job);
    return job->data + state_size(job->fields, job->field_count, job->particles);
}

/* A device keeps the fluid's state itself, and walls that stand are as they were. */
static size_t kept_fluid(const bl_world *world) { return world->device ? 0 : world->fluid.count; }
static size_t kept_walls(const bl_snapshot *snapshot, const bl_world *world) {
    return snapshot->walls_move ? world->boundary.count : 0;
}

static size_t annex_size(const bl_world *world) { return kept_fluid(world) * bl_fluid_store_annex_size(&world->fluid); }

static char *copy_annex(direction way, const bl_world *world, char *data) {
    size_t size = annex_size(world);
    char *annex = (char *)world->fluid.annex;
    if (size > 0) bl_parallel_copy(world->ctx, way == SAVE ? data : annex, way == SAVE ? annex : data, size);
    return data + size;
}

static void copy_world(direction way, const bl_snapshot *snapshot, const bl_world *world) {
    const state_copy fluid = {way, bl_fluid_fields, BL_F_COUNT, &world->fluid, kept_fluid(world), snapshot->data};
    char *rest = copy_state(world->ctx, &fluid);
    rest = copy_annex(way, world, rest);
    const state_copy walls = {way, bl_boundary_fields, BL_B_COUNT, &world->boundary, kept_walls(snapshot, world), rest};
    copy_state(world->ctx, &walls);
}

bl_status bl_snapshot_save(bl_snapshot *snapshot, const bl_world *world, bool walls_move) {
    snapshot->walls_move = walls_move;
    snapshot->boundary_moved = world->boundary_moved;
    size_t size = state_size(bl_fluid_fields, BL_F_COUNT, kept_fluid(world)) + annex_size(world) +
                  state_size(bl_boundary_fields, BL_B_COUNT, kept_walls(snapshot, world));
    if (size > snapshot->capacity) {
        bl_release(world->ctx, snapshot->data);
        snapshot->data = bl_alloc(world->ctx, size, 1);
        snapshot->capacity = snapshot->data ? size : 0;
        if (!snapshot->data) return BL_ERR_MEMORY;
    }
    copy_world(SAVE, snapshot, world);
    bl_device_save(world->device);
    return bl_device_status(world->device);
}

void bl_snapshot_restore(const bl_snapshot *snapshot, bl_world *world) {
    copy_world(RESTORE, snapshot, world);
    bl_device_restore(world->device);
    if (snapshot->walls_move) bl_device_changed(world->device, 0, BL_ALL_FIELDS);
    world->boundary_moved = snapshot->boundary_moved;
}
