#include "run/resume.h"

#include <string.h>

static const char STEP_SCALE[] = "step_scale", RIGID_BODIES[] = "rigid_bodies";

/* The states of all rigid bodies, to or from one block; NULL: there are none, or no memory. */
static bl_rigid_state *collect_bodies(bl_sim *sim) {
    int count = bl_rigid_count(sim->rigid);
    bl_rigid_state *states = count ? bl_alloc(sim->ctx, (size_t)count, sizeof *states) : NULL;
    for (int k = 0; states && k < count; k++) states[k] = *bl_rigid_state_at(sim->rigid, k);
    return states;
}

static bl_status restore_bodies(bl_sim *sim, const bl_checkpoint *checkpoint) {
    int count = bl_rigid_count(sim->rigid);
    const bl_blob *blob = bl_checkpoint_blob(checkpoint, RIGID_BODIES);
    if (count == 0) return BL_OK;
    if (!blob || blob->size != (size_t)count * sizeof(bl_rigid_state))
        return bl_fail(sim->ctx, BL_ERR_DATA, "%s: the entry \"%s\" of %d rigid bodies is missing", checkpoint->path,
                       RIGID_BODIES, count);
    for (int k = 0; k < count; k++)
        memcpy(bl_rigid_state_at(sim->rigid, k), (const char *)blob->data + (size_t)k * sizeof(bl_rigid_state),
               sizeof(bl_rigid_state));
    return BL_OK;
}

bl_status bl_run_checkpoint(bl_sim *sim, bl_writer *writer, int frame) {
    const bl_world *world = &sim->world;
    bl_checkpoint_head head = {.frame = frame, .step = world->step, .time = world->time, .dt = world->dt};
    const int bodies = bl_rigid_count(sim->rigid);
    bl_rigid_state *states = collect_bodies(sim);
    if (bodies > 0 && !states) return BL_ERR_MEMORY;
    bl_blob blobs[] = {{.name = STEP_SCALE, .data = &sim->world.step_scale, .size = sizeof world->step_scale},
                       {.name = RIGID_BODIES, .data = states, .size = (size_t)bodies * sizeof *states}};
    bl_status status = bl_sim_fetch(sim);
    if (status == BL_OK) status = bl_checkpoint_scene_hash(sim->scene, &head.scene_hash);
    if (status == BL_OK)
        status = bl_writer_checkpoint(writer, &head, &world->fluid, &world->boundary, blobs, bodies > 0 ? 2 : 1);
    bl_release(sim->ctx, states);
    return status;
}

/* Move the checkpoint's stores and numbers into the world. */
static bl_status take_over(bl_sim *sim, bl_checkpoint *checkpoint) {
    bl_world *world = &sim->world;
    const bl_blob *scale = bl_checkpoint_blob(checkpoint, STEP_SCALE);
    if (!scale || scale->size != sizeof world->step_scale)
        return bl_fail(sim->ctx, BL_ERR_DATA, "%s: the entry \"%s\" is missing", checkpoint->path, STEP_SCALE);
    memcpy(&world->step_scale, scale->data, sizeof world->step_scale);
    world->step = checkpoint->head.step;
    world->time = checkpoint->head.time;
    world->dt = checkpoint->head.dt;
    bl_fluid_store_clear(&world->fluid);
    world->fluid = checkpoint->fluid;
    bl_fluid_store_init(sim->ctx, &checkpoint->fluid);
    bl_boundary_store_clear(&world->boundary);
    world->boundary = checkpoint->boundary;
    bl_boundary_store_init(sim->ctx, &checkpoint->boundary);
    bl_status status = bl_sim_resumed(sim);
    return status == BL_OK ? restore_bodies(sim, checkpoint) : status;
}

static void log_refusals(bl_context *ctx, const bl_refusals *refused) {
    for (int k = 0; k < refused->count; k++)
        bl_log(ctx, BL_LOG_WARNING, "%s: not used: %s", refused->items[k].path, refused->items[k].reason);
}

bl_status bl_run_restore(bl_sim *sim, const char *dir, int frame, int *found) {
    bl_checkpoint checkpoint = {0};
    bl_refusals refused = {0};
    uint64_t hash = 0;
    bl_status status = bl_checkpoint_scene_hash(sim->scene, &hash);
    if (status == BL_OK) {
        status = bl_checkpoint_find(sim->ctx, dir, frame, hash, &checkpoint, &refused);
        log_refusals(sim->ctx, &refused);
    }
    if (status == BL_OK) {
        *found = checkpoint.head.frame;
        bl_log(sim->ctx, BL_LOG_INFO, "resuming from %s: frame %d, t = %.6g s, step %llu", checkpoint.path, *found,
               checkpoint.head.time, (unsigned long long)checkpoint.head.step);
        status = take_over(sim, &checkpoint);
    }
    bl_refusals_clear(&refused);
    bl_checkpoint_clear(&checkpoint);
    return status;
}
