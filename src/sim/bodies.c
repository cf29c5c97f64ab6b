/* Boundary particles follow their bodies. */
#include "base/parallel.h"
#include "rigid/motion.h"
#include "sim/sim.h"

typedef struct body_move {
    bl_sim *sim;
    const bl_pose *from, *to; /* of every body, `from` may be NULL */
    double inv_dt;
} body_move;

static bl_pose *poses_at(bl_sim *sim, double time) {
    int count = sim->scene->boundary_count;
    bl_pose *poses = bl_arena_take(sim->world.scratch, (size_t)count, sizeof *poses);
    for (int b = 0; poses && b < count; b++) poses[b] = bl_body_pose(&sim->scene->boundaries[b], time);
    return poses;
}

static bool moves_by_forces(const bl_sim *sim, size_t i) {
    return sim->scene->boundaries[sim->world.boundary.body[i]].rigid.given || bl_elastic_is_free(sim->elastic, i);
}

static void velocity_range(void *user, size_t begin, size_t end) {
    const body_move *move = user;
    const bl_boundary_store *boundary = &move->sim->world.boundary;
    for (size_t i = begin; i < end; i++) {
        if (moves_by_forces(move->sim, i)) continue;
        bl_vec3d rest = move->sim->rest.x[boundary->id[i]];
        uint32_t body = boundary->body[i];
        bl_vec3d way = bl_v3d_sub(bl_pose_point(&move->to[body], rest), bl_pose_point(&move->from[body], rest));
        boundary->v[i] = bl_v3_from_d(bl_v3d_scale(move->inv_dt, way));
    }
}

static void place_range(void *user, size_t begin, size_t end) {
    const body_move *move = user;
    const bl_rest *rest = &move->sim->rest;
    const bl_boundary_store *boundary = &move->sim->world.boundary;
    for (size_t i = begin; i < end; i++) {
        if (moves_by_forces(move->sim, i)) continue;
        const bl_pose *pose = &move->to[boundary->body[i]];
        boundary->x[i] = bl_v3_from_d(bl_pose_point(pose, rest->x[boundary->id[i]]));
        boundary->normal[i] = bl_v3_from_d(bl_pose_direction(pose, rest->normal[boundary->id[i]]));
    }
}

/* The mean velocity of a step, so that the walls arrive where the fluid was told they would. */
bl_status bl_bodies_set_velocity(bl_sim *sim, double from, double to) {
    size_t mark = bl_arena_mark(sim->world.scratch);
    body_move move = {sim, poses_at(sim, from), poses_at(sim, to), 1 / (to - from)};
    bool ok = move.from && move.to;
    if (ok) bl_parallel_for(sim->ctx, sim->world.boundary.count, BL_CHUNK, velocity_range, &move);
    bl_device_changed(sim->world.device, 0, BL_BIT(BL_B_v));
    bl_arena_release(sim->world.scratch, mark);
    return ok ? BL_OK : BL_ERR_MEMORY;
}

bl_status bl_bodies_place(bl_sim *sim, double time) {
    size_t mark = bl_arena_mark(sim->world.scratch);
    body_move move = {sim, NULL, poses_at(sim, time), 0};
    if (move.to) bl_parallel_for(sim->ctx, sim->world.boundary.count, BL_CHUNK, place_range, &move);
    bl_arena_release(sim->world.scratch, mark);
    bl_device_changed(sim->world.device, 0, BL_BIT(BL_B_x) | BL_BIT(BL_B_normal));
    sim->world.boundary_moved = true;
    return move.to ? BL_OK : BL_ERR_MEMORY;
}
