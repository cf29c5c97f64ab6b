#include "sim/source.h"

#include "base/parallel.h"
#include "geometry/solid.h"
#include "schemes/kernels.h"

/* --- life --- */

static bl_status create_openings(bl_world *world, bl_sources *sources) {
    const bl_scene *scene = world->scene;
    bl_status status = BL_OK;
    sources->openings = bl_alloc(world->ctx, (size_t)scene->emitter_count, sizeof *sources->openings);
    sources->warned = bl_alloc(world->ctx, (size_t)scene->emitter_count, sizeof *sources->warned);
    if (!sources->openings || !sources->warned) return BL_ERR_MEMORY;
    for (int k = 0; k < scene->emitter_count && !status; k++) {
        status = bl_sample_opening(world->ctx, scene, k, &sources->openings[k]);
        if (!status && sources->openings[k].count == 0)
            status = bl_scene_fail(world->ctx, BL_ERR_DATA, scene->emitters[k].pos,
                                   "emitter `%s` has no opening to let particles out of", scene->emitters[k].name);
    }
    return status;
}

static bl_status create_drains(bl_world *world, bl_sources *sources) {
    const bl_scene *scene = world->scene;
    int count = 0;
    for (int k = 0; k < scene->sink_count; k++) count += scene->sinks[k].shape_count;
    sources->drains = bl_alloc(world->ctx, (size_t)count, sizeof(bl_solid *));
    if (!sources->drains) return BL_ERR_MEMORY;
    for (int k = 0; k < scene->sink_count; k++)
        for (int s = 0; s < scene->sinks[k].shape_count; s++) {
            const bl_sink *sink = &scene->sinks[k];
            bl_solid **drain = &sources->drains[sources->drain_count];
            bl_status status = bl_solid_create(world->ctx, &sink->shapes[s], scene->dimension, drain);
            if (status) return status;
            sources->drain_count++;
            if (bl_solid_is_sheet(*drain))
                return bl_scene_fail(world->ctx, BL_ERR_DATA, sink->shapes[s].pos,
                                     "sink `%s`: an open mesh has no inside; expected a closed one", sink->name);
        }
    return BL_OK;
}

/* A source by its name and the places where its particles appear at first. */
typedef struct outlet {
    const char *kind, *name;
    bl_pos pos;
    const bl_vec3d *x;
    size_t count;
} outlet;

/* Fail when a place of the outlet lies inside the solid. */
static bl_status check_outlet(bl_world *world, const bl_boundary *wall, const bl_solid *solid, outlet o) {
    size_t inside = 0;
    for (size_t k = 0; k < o.count; k++) inside += bl_solid_inside(solid, o.x[k]);
    if (inside == 0) return BL_OK;
    return bl_scene_fail(world->ctx, BL_ERR_DATA, o.pos,
                         "%s `%s` lies inside the boundary `%s`: %zu of its %zu places do; expected it in the open",
                         o.kind, o.name, wall->name, inside, o.count);
}

static bl_status check_outlets(bl_world *world, const bl_sources *sources, const bl_boundary *wall,
                               const bl_solid *solid) {
    const bl_scene *scene = world->scene;
    bl_status status = BL_OK;
    for (int k = 0; k < scene->emitter_count && !status; k++) {
        const bl_emitter *e = &scene->emitters[k];
        outlet o = {"emitter", e->name, e->pos, sources->openings[k].x, sources->openings[k].count};
        status = check_outlet(world, wall, solid, o);
    }
    for (int k = 0; k < scene->rain_count && !status; k++) {
        const bl_rain *rain = &scene->rain[k];
        bl_vec3d center = bl_v3d_scale(0.5, bl_v3d_add(rain->min, rain->max));
        status = check_outlet(world, wall, solid, (outlet){"rain", rain->name, rain->pos, &center, 1});
    }
    for (int k = 0; k < scene->printer_count && !status; k++) {
        const bl_printer *p = &scene->printers[k];
        bl_vec3d head = bl_curve_at3(&p->position, p->start);
        status = check_outlet(world, wall, solid, (outlet){"printer", p->name, p->pos, &head, 1});
    }
    return status;
}

static bl_status check_places(bl_world *world, const bl_sources *sources) {
    const bl_scene *scene = world->scene;
    bl_status status = BL_OK;
    for (int b = 0; b < scene->boundary_count && !status; b++)
        for (int s = 0; s < scene->boundaries[b].shape_count && !status; s++) {
            bl_solid *solid;
            status = bl_solid_create(world->ctx, &scene->boundaries[b].shapes[s], scene->dimension, &solid);
            if (!status && !bl_solid_is_sheet(solid))
                status = check_outlets(world, sources, &scene->boundaries[b], solid);
            bl_solid_destroy(world->ctx, solid);
        }
    return status;
}

bl_status bl_sources_create(bl_world *world, bl_sources *sources) {
    const bl_scene *scene = world->scene;
    *sources = (bl_sources){.filled = world->fluid.count};
    bl_status status = create_openings(world, sources);
    if (!status) status = create_drains(world, sources);
    if (!status && scene->emitter_count + scene->rain_count + scene->printer_count > 0)
        status = check_places(world, sources);
    return status ? status : bl_wall_map_create(world, &sources->walls);
}

void bl_sources_destroy(bl_world *world, bl_sources *sources) {
    for (int k = 0; sources->openings && k < world->scene->emitter_count; k++)
        bl_points_clear(world->ctx, &sources->openings[k]);
    for (int k = 0; k < sources->drain_count; k++) bl_solid_destroy(world->ctx, sources->drains[k]);
    bl_release(world->ctx, sources->openings);
    bl_release(world->ctx, sources->warned);
    bl_release(world->ctx, sources->drains);
    bl_release(world->ctx, sources->walls.boxes);
    *sources = (bl_sources){0};
}

/* --- extent and speed --- */

static void include_ball(bl_box *box, bl_vec3d center, double radius) {
    bl_vec3d corner = bl_v3d_make(radius, radius, radius);
    *box = bl_box_add(bl_box_add(*box, bl_v3d_sub(center, corner)), bl_v3d_add(center, corner));
}

static void include_printer(bl_box *box, const bl_printer *p) {
    double columns = 0, lines = 0, column = 0;
    for (const char *c = p->bitmap ? p->bitmap : ""; *c; c++) {
        column = *c == '\n' ? 0 : column + 1;
        lines += *c == '\n';
        columns = fmax(columns, column);
    }
    for (int k = 0; k < p->position.count; k++) {
        bl_vec3d x = bl_curve_at3(&p->position, p->position.times[k]);
        include_ball(box, x, p->radius);
        x = bl_v3d_mad(x, columns * p->pitch / bl_v3d_norm(p->right), p->right);
        include_ball(box, bl_v3d_mad(x, lines * p->pitch / bl_v3d_norm(p->down), p->down), p->radius);
    }
}

bl_status bl_sources_bounds(bl_context *ctx, const bl_scene *scene, bl_box *box) {
    for (int k = 0; k < scene->emitter_count; k++) {
        bl_points opening;
        bl_status status = bl_sample_opening(ctx, scene, k, &opening);
        if (status) return status;
        for (size_t j = 0; j < opening.count; j++) include_ball(box, opening.x[j], scene->spacing);
        bl_points_clear(ctx, &opening);
    }
    for (int k = 0; k < scene->rain_count; k++) {
        include_ball(box, scene->rain[k].min, scene->rain[k].radius);
        include_ball(box, scene->rain[k].max, scene->rain[k].radius);
    }
    for (int k = 0; k < scene->printer_count; k++) include_printer(box, &scene->printers[k]);
    return BL_OK;
}

/* Adds a box; those beyond the last place are united with what is there. */
static void add_box(bl_box box, bl_box *boxes, int max, int *count) {
    if (*count < max) boxes[(*count)++] = box;
    bl_box *last = &boxes[*count - 1];
    *last = bl_box_add(bl_box_add(*last, box.min), box.max);
}

int bl_sources_reach(const bl_world *world, const bl_sources *sources, double from, double to, bl_box *boxes, int max) {
    const bl_scene *scene = world->scene;
    const double h = scene->spacing, way = bl_sources_speed(world, sources, from, to) * (to - from);
    const double reach = way + bl_far_reach(scene->scheme.kernel) * h;
    int count = 0;
    for (int k = 0; k < scene->emitter_count; k++) {
        bl_vec3d before = bl_curve_integral3(&scene->emitters[k].velocity, from);
        bl_vec3d after = bl_curve_integral3(&scene->emitters[k].velocity, to);
        bl_box box = bl_box_empty();
        for (size_t j = 0; j < sources->openings[k].count; j++) {
            include_ball(&box, bl_v3d_add(sources->openings[k].x[j], before), reach);
            include_ball(&box, bl_v3d_add(sources->openings[k].x[j], after), reach);
        }
        add_box(box, boxes, max, &count);
    }
    for (int k = 0; k < scene->rain_count; k++) { /* drops of up to twice the radius */
        bl_box box = bl_box_empty();
        include_ball(&box, scene->rain[k].min, 2 * scene->rain[k].radius + 4 * h);
        include_ball(&box, scene->rain[k].max, 2 * scene->rain[k].radius + 4 * h);
        add_box(box, boxes, max, &count);
    }
    for (int k = 0; k < scene->printer_count; k++) {
        bl_box box = bl_box_empty();
        bl_vec3d margin = bl_v3d_scale(4 * h, bl_v3d_make(1, 1, 1));
        include_printer(&box, &scene->printers[k]);
        add_box((bl_box){bl_v3d_sub(box.min, margin), bl_v3d_add(box.max, margin)}, boxes, max, &count);
    }
    for (int k = 0; k < sources->drain_count; k++) add_box(bl_solid_bounds(sources->drains[k]), boxes, max, &count);
    return count;
}

double bl_sources_largest_speed(const bl_world *world, const bl_sources *sources) {
    return fmax(bl_sources_speed(world, sources, 0, (double)INFINITY), bl_drops_largest_speed(world->scene));
}

bool bl_sources_any(const bl_scene *scene) {
    return scene->emitter_count > 0 || scene->rain_count > 0 || scene->printer_count > 0 || scene->sink_count > 0 ||
           scene->domain.outside == BL_OUTSIDE_REMOVE;
}

double bl_sources_expected(const bl_world *world, const bl_sources *sources, double end) {
    return bl_nozzles_expected(world, sources, end) + bl_drops_expected(world->scene, end);
}

/* --- emission --- */

static bl_status add_births(bl_world *world, const bl_births *births) {
    const bl_points *new = &births->points;
    bl_fluid_store *fluid = &world->fluid;
    size_t first = 0;
    bl_status status = bl_fluid_store_append(fluid, new->count, &first);
    for (size_t k = 0; k < new->count && !status; k++) {
        fluid->x[first + k] = bl_v3_from_d(new->x[k]);
        fluid->v[first + k] = bl_v3_from_d(new->normal[k]);
        fluid->phase[first + k] = (uint32_t) new->source[k];
        fluid->held[first + k] = (uint32_t) new->volume[k];
        fluid->density[first + k] = (real)world->scene->fluids[new->source[k]].density;
    }
    return status;
}

bl_status bl_sources_emit(bl_world *world, const bl_sources *sources, double from, double to) {
    bl_births births = bl_point_list_make(world->ctx);
    bl_status status = bl_nozzles_emit(world, sources, from, to, &births);
    if (!status) status = bl_drops_emit(world, sources, from, to, &births);
    if (!status) status = add_births(world, &births);
    bl_point_list_clear(&births);
    return status;
}

/* --- removal --- */

typedef struct drain_job {
    bl_world *world;
    const bl_sources *sources;
    double time;
    uint8_t *remove;
} drain_job;

bool bl_domain_has_left(const bl_scene *scene, bl_vec3d x) {
    const bl_domain_def *domain = &scene->domain;
    if (!domain->bounded) return false;
    return (!domain->periodic[0] && (x.x < domain->min.x || x.x > domain->max.x)) ||
           (!domain->periodic[1] && (x.y < domain->min.y || x.y > domain->max.y)) ||
           (scene->dimension == 3 && !domain->periodic[2] && (x.z < domain->min.z || x.z > domain->max.z));
}

static bool is_drained(const drain_job *job, bl_vec3d x) {
    const bl_scene *scene = job->world->scene;
    if (scene->domain.outside == BL_OUTSIDE_REMOVE && bl_domain_has_left(scene, x)) return true;
    int drain = 0;
    for (int k = 0; k < scene->sink_count; k++) {
        const bl_sink *sink = &scene->sinks[k];
        bool open = job->time >= sink->start && (!(sink->stop > 0) || job->time <= sink->stop);
        for (int s = 0; s < sink->shape_count; s++, drain++)
            if (open && bl_solid_inside(job->sources->drains[drain], x)) return true;
    }
    return false;
}

static void drain_range(void *user, size_t begin, size_t end, double *acc) {
    const drain_job *job = user;
    for (size_t i = begin; i < end; i++) {
        job->remove[i] = is_drained(job, bl_v3d_from(job->world->fluid.x[i]));
        acc[0] += job->remove[i];
    }
}

bl_status bl_sources_drain(bl_world *world, const bl_sources *sources, double time) {
    const bl_scene *scene = world->scene;
    size_t count = world->fluid.count;
    if (count == 0 || (scene->sink_count == 0 && scene->domain.outside != BL_OUTSIDE_REMOVE)) return BL_OK;
    size_t mark = bl_arena_mark(world->scratch);
    drain_job job = {world, sources, time, bl_arena_take(world->scratch, count, 1)};
    double removed = 0;
    if (job.remove) bl_parallel_reduce(world->ctx, count, 1, BL_REDUCE_SUM, drain_range, &job, &removed);
    if (removed > 0) bl_fluid_store_remove(&world->fluid, job.remove);
    bl_arena_release(world->scratch, mark);
    return job.remove ? BL_OK : BL_ERR_MEMORY;
}
