/* The end of a step: particles that come, go, or cross a periodic border.
 *
 * A device keeps its particles. It lends those that sources and sinks may look at, which are few, and these work on a
 * world that holds nobody else: what they do to a particle, and whether there is room for a new one, depends on nobody
 * further away. Then the device is told what became of them. */
#include "sim/sim.h"

enum { MAX_BOXES = 64 };

static void wrap_particle(const bl_domain_def *domain, bl_vec3 *x) {
    real *c[3] = {&x->x, &x->y, &x->z};
    const double lo[3] = {domain->min.x, domain->min.y, domain->min.z};
    const double hi[3] = {domain->max.x, domain->max.y, domain->max.z};
    for (int d = 0; d < 3; d++) {
        double period = hi[d] - lo[d];
        if (domain->periodic[d] && ((double)*c[d] < lo[d] || (double)*c[d] >= hi[d]))
            *c[d] = (real)((double)*c[d] - period * floor(((double)*c[d] - lo[d]) / period));
    }
}

static bool is_periodic(const bl_domain_def *domain) {
    return domain->periodic[0] || domain->periodic[1] || domain->periodic[2];
}

static bl_status exchange_in(bl_world *world, const bl_sources *sources, double start, double end) {
    bl_sources_guide(world, sources, start, end);
    for (size_t i = 0; i < world->fluid.count && is_periodic(&world->scene->domain); i++)
        wrap_particle(&world->scene->domain, &world->fluid.x[i]);
    bl_status status = bl_sources_drain(world, sources, end);
    return status == BL_OK ? bl_sources_emit(world, sources, start, end) : status;
}

/* --- with a device --- */

/* A store of the particles that were lent. The number on the device takes the place of the id. */
static bl_status store_loan(bl_world *world, const bl_loan *loan, bl_fluid_store *store) {
    size_t first;
    bl_fluid_store_init(world->ctx, store);
    bl_status status = bl_fluid_store_append(store, loan->count, &first);
    for (size_t k = 0; k < loan->count && status == BL_OK; k++)
        store->x[k] = loan->x[k], store->v[k] = loan->v[k], store->held[k] = loan->held[k],
        store->id[k] = loan->index[k];
    store->next_id = world->fluid.next_id;
    return status;
}

/* Those who were lent and are not in the store any more go to `removed`, and their number is returned; the state of the
 * others goes back into the loan. */
static size_t settle_loan(const bl_fluid_store *store, bl_loan *loan, bl_index *removed) {
    size_t kept = 0, gone = 0;
    for (size_t k = 0; k < loan->count; k++) {
        bool stays = kept < store->count && store->id[kept] == loan->index[k];
        if (!stays) {
            removed[gone++] = loan->index[k];
            continue;
        }
        loan->index[kept] = loan->index[k], loan->x[kept] = store->x[kept], loan->v[kept] = store->v[kept];
        loan->held[kept] = store->held[kept];
        kept++;
    }
    loan->count = kept;
    return gone;
}

static bl_status return_loan(bl_world *world, const bl_fluid_store *store, bl_loan *loan) {
    size_t mark = bl_arena_mark(world->scratch);
    bl_index *removed = bl_arena_take(world->scratch, loan->count + 1, sizeof *removed);
    bl_status status = removed ? BL_OK : BL_ERR_MEMORY;
    if (removed) {
        size_t gone = settle_loan(store, loan, removed), added = store->count - loan->count;
        bl_device_return(world->device, loan);
        status = bl_fluid_store_reserve(&world->fluid, world->fluid.count + added);
        if (status == BL_OK) bl_device_replace(world->device, removed, gone, store, added);
        world->fluid.next_id = store->next_id;
    }
    bl_arena_release(world->scratch, mark);
    return status == BL_OK ? bl_device_status(world->device) : status;
}

static bl_status exchange_on_device(bl_sim *sim, double start, double end) {
    bl_world *world = &sim->world, small = *world;
    bl_box boxes[MAX_BOXES];
    int count = bl_sources_reach(world, &sim->sources, start, end, boxes, MAX_BOXES);
    bl_vec3d corners[MAX_BOXES][2];
    for (int k = 0; k < count; k++) corners[k][0] = boxes[k].min, corners[k][1] = boxes[k].max;
    bool fence = sim->scene->domain.bounded && sim->scene->domain.outside == BL_OUTSIDE_REMOVE;
    bl_status status =
        bl_device_lend(world->device, (const bl_vec3d(*)[2])corners, count, end - start, fence, &sim->loan);
    if (status == BL_OK && is_periodic(&sim->scene->domain)) bl_device_wrap(world->device);
    if (status == BL_OK) status = store_loan(world, &sim->loan, &small.fluid);
    small.device = NULL;
    if (status == BL_OK) status = exchange_in(&small, &sim->sources, start, end);
    if (status == BL_OK) status = return_loan(world, &small.fluid, &sim->loan);
    bl_fluid_store_clear(&small.fluid);
    return status;
}

bool bl_exchanges(const bl_scene *scene) { return bl_sources_any(scene) || is_periodic(&scene->domain); }

bl_status bl_exchange(bl_sim *sim, double start, double end) {
    bl_world *world = &sim->world;
    if (sim->bodies_move || sim->elastic) bl_wall_map_update(world, &sim->sources.walls);
    if (!world->device) return exchange_in(world, &sim->sources, start, end);
    if (bl_sources_any(sim->scene)) return exchange_on_device(sim, start, end);
    if (is_periodic(&sim->scene->domain)) bl_device_wrap(world->device);
    return bl_device_status(world->device);
}
