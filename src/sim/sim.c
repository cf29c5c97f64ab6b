/* Making, ending and reading a simulation. */
#include "sim/sim.h"

#include "base/hash.h"
#include "schemes/kernels.h"

#include <string.h>

/* --- life --- */

static bl_search_def search_of(const bl_scene *scene) {
    bl_search_def def = {.dimension = scene->dimension,
                         .near_radius = bl_near_reach(scene->scheme.kernel) * scene->spacing,
                         .far_radius = bl_far_reach(scene->scheme.kernel) * scene->spacing,
                         .min = scene->domain.min,
                         .max = scene->domain.max};
    memcpy(def.periodic, scene->domain.periodic, sizeof def.periodic);
    return def;
}

static bool walls_stand(const bl_scene *scene) {
    for (int b = 0; b < scene->boundary_count; b++)
        if (bl_body_moves(&scene->boundaries[b]) || scene->boundaries[b].elastic.given) return false;
    return true;
}

/* The device that the context asks for. Schemes whose passes are not on the list of physics/passes.h stay on the CPU.
 */
static bl_status create_device(bl_world *world) {
    const char *name = bl_context_device(world->ctx);
    if (world->scene->scheme.name != BL_SCHEME_UNIFIED) {
        if (strncmp(name, "opencl", strlen("opencl")) == 0)
            return bl_fail(world->ctx, BL_ERR_USAGE, "device \"%s\": only the scheme unified runs there", name);
        if (strcmp(name, "auto") == 0) {
            bl_log(world->ctx, BL_LOG_WARNING, "computing on the cpu: only the scheme unified runs on devices");
            return BL_OK;
        }
    }
    bl_device_def def = {.name = name,
                         .search = search_of(world->scene),
                         .fluid = &world->fluid,
                         .boundary = &world->boundary,
                         .timers = &world->timers,
                         .walls_stand = walls_stand(world->scene)};
    return bl_device_create(world->ctx, &def, &world->device);
}

static bl_status create_world(bl_sim *sim) {
    bl_world *world = &sim->world;
    world->ctx = sim->ctx;
    world->scene = sim->scene;
    world->step_scale = 1;
    world->boundary_moved = true;
    bl_fluid_store_init(sim->ctx, &world->fluid);
    bl_boundary_store_init(sim->ctx, &world->boundary);
    bl_status status = bl_arena_create(sim->ctx, "step", &world->scratch);
    bl_search_def search = search_of(world->scene);
    if (status == BL_OK) status = bl_neighbours_create(sim->ctx, &search, &world->neighbours);
    if (status == BL_OK) status = create_device(world);
    if (status == BL_OK) status = bl_fill_world(world, &sim->rest);
    if (status == BL_OK) status = bl_sources_create(world, &sim->sources);
    return status;
}

static bl_status create_scheme(bl_sim *sim) {
    sim->scheme = bl_scheme_find(sim->scene->scheme.name);
    if (!sim->scheme) return bl_fail(sim->ctx, BL_ERR_DATA, "scheme.name: this build has no such scheme");
    for (int b = 0; b < sim->scene->boundary_count; b++) sim->bodies_move |= bl_body_moves(&sim->scene->boundaries[b]);
    sim->arms = bl_alloc(sim->ctx, (size_t)sim->scene->boundary_count, sizeof *sim->arms);
    if (!sim->arms) return BL_ERR_MEMORY;
    bl_status status = bl_elastic_create(&sim->world, sim->rest.x, sim->rest.normal, &sim->elastic);
    if (status == BL_OK) status = bl_rigid_create(&sim->world, sim->rest.x, sim->rest.normal, &sim->rigid);
    bl_watch_start(sim);
    return status == BL_OK ? sim->scheme->create(&sim->world, &sim->scheme_state) : status;
}

bl_status bl_sim_create(bl_context *ctx, const bl_scene *scene, bl_sim **out) {
    *out = NULL;
    bl_sim *sim = bl_alloc(ctx, 1, sizeof *sim);
    if (!sim) return BL_ERR_MEMORY;
    sim->ctx = ctx;
    sim->scene = scene;
    sim->limit = "";
    bl_status status = create_world(sim);
    if (status == BL_OK) status = create_scheme(sim);
    if (status != BL_OK) {
        bl_sim_destroy(sim);
        return status;
    }
    *out = sim;
    return BL_OK;
}

void bl_sim_destroy(bl_sim *sim) {
    if (!sim) return;
    bl_world *world = &sim->world;
    if (sim->scheme_state) sim->scheme->destroy(world, sim->scheme_state);
    bl_elastic_destroy(sim->elastic);
    bl_rigid_destroy(sim->rigid);
    bl_sources_destroy(world, &sim->sources);
    bl_loan_clear(sim->ctx, &sim->loan);
    bl_neighbours_destroy(world->neighbours);
    bl_device_destroy(world->device);
    bl_arena_destroy(world->scratch);
    bl_fluid_store_clear(&world->fluid);
    bl_boundary_store_clear(&world->boundary);
    bl_release(sim->ctx, sim->snapshot.data);
    bl_release(sim->ctx, sim->arms);
    bl_release(sim->ctx, sim->rest.x);
    bl_release(sim->ctx, sim->rest.normal);
    bl_release(sim->ctx, sim);
}

/* --- resuming --- */

static bl_status check_resumed(bl_sim *sim) {
    const bl_world *world = &sim->world;
    if (world->boundary.count != sim->rest.count)
        return bl_fail(sim->ctx, BL_ERR_DATA, "the checkpoint has %zu boundary particles, the scene makes %zu",
                       world->boundary.count, sim->rest.count);
    for (size_t i = 0; i < world->boundary.count; i++)
        if (world->boundary.id[i] >= sim->rest.count || world->boundary.body[i] >= (uint32_t)sim->scene->boundary_count)
            return bl_fail(sim->ctx, BL_ERR_DATA, "the checkpoint's boundary particle %zu does not belong to the scene",
                           i);
    for (size_t i = 0; i < world->fluid.count; i++)
        if (world->fluid.phase[i] >= (uint32_t)sim->scene->fluid_count)
            return bl_fail(sim->ctx, BL_ERR_DATA, "the checkpoint's particle %zu belongs to fluid %u of %d", i,
                           (unsigned)world->fluid.phase[i], sim->scene->fluid_count);
    if (!isfinite(world->time) || !(world->step_scale > 0 && world->step_scale <= 1))
        return bl_fail(sim->ctx, BL_ERR_DATA, "the checkpoint's time (%g) or step scale (%g) makes no sense",
                       world->time, world->step_scale);
    return BL_OK;
}

bl_status bl_sim_resumed(bl_sim *sim) {
    bl_status status = check_resumed(sim);
    if (status != BL_OK) return status;
    sim->world.boundary_moved = true;
    bl_device_changed(sim->world.device, BL_ALL_FIELDS, BL_ALL_FIELDS);
    sim->scheme->destroy(&sim->world, sim->scheme_state);
    sim->scheme_state = NULL;
    bl_elastic_destroy(sim->elastic);
    status = bl_elastic_create(&sim->world, sim->rest.x, sim->rest.normal, &sim->elastic);
    bl_rigid_destroy(sim->rigid);
    sim->rigid = NULL;
    if (status == BL_OK) status = bl_rigid_create(&sim->world, sim->rest.x, sim->rest.normal, &sim->rigid);
    if (status != BL_OK) return status;
    return sim->scheme->create(&sim->world, &sim->scheme_state);
}

/* --- reading --- */

bl_status bl_sim_fetch(const bl_sim *sim) {
    bl_device_fetch(sim->world.device, BL_ALL_FIELDS, BL_ALL_FIELDS);
    return bl_device_status(sim->world.device);
}

double bl_sim_time(const bl_sim *sim) { return sim->world.time; }
uint64_t bl_sim_steps(const bl_sim *sim) { return sim->world.step; }
size_t bl_sim_fluid_count(const bl_sim *sim) { return sim->world.fluid.count; }
size_t bl_sim_boundary_count(const bl_sim *sim) { return sim->world.boundary.count; }

double bl_sim_value(const bl_sim *sim, const char *column) {
#define X(name, unit, doc)                                                                                             \
    if (strcmp(column, #name) == 0) return sim->report.name;
    BL_OBSERVATIONS(X)
#undef X
    return (double)NAN;
}

static void copy_vectors(const bl_vec3 *from, size_t count, float *to) {
    for (size_t i = 0; i < count; i++) {
        to[3 * i] = (float)from[i].x;
        to[3 * i + 1] = (float)from[i].y;
        to[3 * i + 2] = (float)from[i].z;
    }
}

void bl_sim_copy_positions(const bl_sim *sim, float *xyz) {
    bl_sim_fetch(sim);
    copy_vectors(sim->world.fluid.x, sim->world.fluid.count, xyz);
}

void bl_sim_copy_velocities(const bl_sim *sim, float *xyz) {
    bl_sim_fetch(sim);
    copy_vectors(sim->world.fluid.v, sim->world.fluid.count, xyz);
}

void bl_sim_copy_boundary_positions(const bl_sim *sim, float *xyz) {
    copy_vectors(sim->world.boundary.x, sim->world.boundary.count, xyz);
}

void bl_sim_copy_ids(const bl_sim *sim, uint32_t *ids) {
    bl_sim_fetch(sim);
    memcpy(ids, sim->world.fluid.id, sim->world.fluid.count * sizeof *ids);
}

void bl_sim_copy_phases(const bl_sim *sim, uint32_t *phases) {
    bl_sim_fetch(sim);
    memcpy(phases, sim->world.fluid.phase, sim->world.fluid.count * sizeof *phases);
}

uint64_t bl_sim_hash(const bl_sim *sim) {
    bl_sim_fetch(sim);
    const bl_world *world = &sim->world;
    const uint64_t stores[2] = {bl_fluid_store_hash(&world->fluid), bl_boundary_store_hash(&world->boundary)};
    const double numbers[3] = {world->time, world->dt, world->step_scale};
    uint64_t hash = bl_hash(BL_HASH_START, stores, sizeof stores);
    hash = bl_hash(hash, numbers, sizeof numbers);
    return bl_hash(hash, &world->step, sizeof world->step);
}
