/* Nozzles.
 *
 * By the time t the length L(t), the integral of the speed, has passed the opening. Row k is the one that stands at the
 * opening when L = k h, and is at L(t) - k h in front of it from then on: rows of a jet lie exactly h apart, whatever
 * the steps. Over the first GUIDE spacings the particles are held to that course, since a row with nothing behind it
 * would be drawn forward by surface tension.
 *
 * Held particles (the field `held`) are a piston to the solver: they go on with their velocity whatever pushes them,
 * and the liquid in front of them gives way. Where it cannot, in a full vessel or between a nozzle and a wall, they are
 * let go (bl_volume_with), and new ones appear only where they make nothing too dense. */
#include "base/parallel.h"
#include "geometry/point_grid.h"
#include "physics/volume.h"
#include "sim/source.h"

static const double GUIDE = 1;            /* spacings */
static const double IN_PLACE = 0.05;      /* spacings from the place in a row */
static const double ROOM = 0.75;          /* spacings: nearer liquid keeps a particle from appearing */
static const double REACH = 2;            /* spacings: the kernel of the volume constraint */
static const double WORTH_TELLING = 0.25; /* of the places of a row left out */

/* Speed per unit of what the scene gives: 1, or 1 over the area of the opening. */
static double speed_factor(const bl_scene *scene, const bl_emitter *e, const bl_points *opening) {
    return e->speed.count > 0 ? 1 : 1 / ((double)opening->count * scene->spacing * scene->spacing);
}

static const bl_curve *flow_of(const bl_emitter *e) { return e->speed.count > 0 ? &e->speed : &e->rate; }

static double jet_length(const bl_scene *scene, const bl_emitter *e, const bl_points *opening, double time) {
    double clock = bl_source_clock(e->start, e->stop, time);
    return speed_factor(scene, e, opening) *
           (bl_curve_integral(flow_of(e), clock) - bl_curve_integral(flow_of(e), e->start));
}

static bool is_open(const bl_emitter *e, double from, double to) {
    return to > e->start && (!(e->stop > 0) || from < e->stop);
}

double bl_sources_speed(const bl_world *world, const bl_sources *sources, double from, double to) {
    const bl_scene *scene = world->scene;
    double speed = 0;
    for (int k = 0; k < scene->emitter_count; k++) {
        const bl_emitter *e = &scene->emitters[k];
        if (!is_open(e, from, to)) continue;
        double jet = speed_factor(scene, e, &sources->openings[k]) * bl_curve_largest(flow_of(e), from, to);
        speed = fmax(speed, jet + bl_curve_largest(&e->velocity, from, to));
    }
    return speed;
}

/* --- new rows --- */

/* All that a row `ahead` in front of the opening touches. */
static bl_box opening_box(const bl_scene *scene, const bl_points *opening, bl_vec3d shift, double ahead) {
    bl_box box = bl_box_empty();
    for (size_t j = 0; j < opening->count; j++) {
        box = bl_box_add(box, opening->x[j]);
        box = bl_box_add(box, bl_v3d_mad(opening->x[j], ahead, opening->normal[j]));
    }
    bl_vec3d margin = bl_v3d_scale(REACH * scene->spacing, bl_v3d_make(1, 1, 1));
    return (bl_box){bl_v3d_add(bl_v3d_sub(box.min, margin), shift), bl_v3d_add(bl_v3d_add(box.max, margin), shift)};
}

typedef struct nozzle {
    const bl_emitter *emitter;
    const bl_points *opening;
    uint32_t first; /* number of its first place among those of all nozzles */
    bool *warned;
    const bl_wall_map *walls;
} nozzle;

/* A row of particles about to appear, among all that is near. */
typedef struct new_row {
    bl_vec3d *x;                     /* of the row, then of the others: fluid, walls */
    size_t count, fluid_end, length; /* places of the row; where the others' fluid ends; all */
    bl_point_grid grid;
    bl_kernel kernel;
    double spacing, volume;    /* volume: of a particle of fluid */
    const double *wall_volume; /* of the walls, which may be sampled finer */
} new_row;

/* Row `ahead` in front of the opening. */
static bl_status look_around(bl_world *world, const bl_births *births, nozzle n, double ahead, bl_vec3d shift,
                             new_row *r) {
    const bl_scene *scene = world->scene;
    const double h = scene->spacing;
    bl_crowd crowd;
    bl_status status = bl_crowd_find(world, n.walls, births, opening_box(scene, n.opening, shift, ahead), &crowd);
    if (status) return status;
    *r = (new_row){.count = n.opening->count, .spacing = h, .volume = scene->dimension == 3 ? h * h * h : h * h};
    r->kernel = bl_kernel_make(scene->dimension, REACH * h);
    r->wall_volume = crowd.wall_volume;
    r->fluid_end = r->count + crowd.fluid_count;
    r->length = r->count + crowd.count;
    r->x = bl_arena_take(world->scratch, r->length, sizeof *r->x);
    if (!r->x) return BL_ERR_MEMORY;
    for (size_t j = 0; j < r->count; j++)
        r->x[j] = bl_v3d_add(bl_v3d_mad(n.opening->x[j], ahead, n.opening->normal[j]), shift);
    for (size_t k = 0; k < crowd.count; k++) r->x[r->count + k] = crowd.x[k];
    return bl_point_grid_build(world->ctx, r->x, r->length, 2 * REACH * h, &r->grid);
}

/* Whether particle j of the row is far enough from other liquid, and not too dense among it, walls and the row. */
static bool has_room(const new_row *r, size_t j) {
    const bl_vec3d x = r->x[j];
    double density = 0, nearest2 = (double)INFINITY;
    bl_grid_walk walk = bl_grid_walk_begin(&r->grid, x, REACH * r->spacing);
    for (const bl_grid_item *item; (item = bl_grid_walk_next(&walk));) {
        double distance2 = bl_v3d_norm2(bl_v3d_sub(item->x, x));
        double volume = item->index < r->fluid_end ? r->volume : r->wall_volume[item->index - r->fluid_end];
        density += volume * (double)bl_kernel_w(r->kernel, (real)sqrt(distance2));
        if (item->index >= r->count && item->index < r->fluid_end) nearest2 = fmin(nearest2, distance2);
    }
    return density <= BL_HELD_MOST && nearest2 >= ROOM * ROOM * r->spacing * r->spacing;
}

static void warn_held_back(bl_world *world, nozzle n, size_t left_out, double time) {
    if (*n.warned || (double)left_out < WORTH_TELLING * (double)n.opening->count) return;
    *n.warned = true;
    bl_scene_warn(
        world->ctx, n.emitter->pos,
        "emitter `%s` is held back at %.4g s: %zu of its %zu places have no room in front of them, so it "
        "emits less than it should; move it out of other liquid, make it slower, or build a pipe around and behind it",
        n.emitter->name, time, left_out, n.opening->count);
}

/* Adds the row `ahead` in front of the opening, but for particles without room. */
static bl_status emit_row(bl_world *world, nozzle n, double ahead, double speed, double time, bl_births *births) {
    bl_vec3d shift = bl_curve_integral3(&n.emitter->velocity, time), drift = bl_curve_at3(&n.emitter->velocity, time);
    const size_t before = births->points.count;
    new_row r = {0};
    bl_status status = look_around(world, births, n, ahead, shift, &r);
    for (size_t j = 0; j < n.opening->count && !status; j++) {
        if (!has_room(&r, j)) continue;
        bl_vec3d v = bl_v3d_mad(drift, speed, n.opening->normal[j]);
        status = bl_births_add(births, r.x[j], v, n.emitter->fluid, n.first + (uint32_t)j + 1);
    }
    bl_point_grid_clear(&r.grid);
    if (!status) warn_held_back(world, n, n.opening->count - (births->points.count - before), time);
    return status;
}

static bl_status emit_rows(bl_world *world, nozzle n, double from, double to, bl_births *births) {
    const bl_scene *scene = world->scene;
    const bl_emitter *e = n.emitter;
    const double h = scene->spacing, length = jet_length(scene, e, n.opening, to);
    const double first = ceil(jet_length(scene, e, n.opening, from) / h), end = ceil(length / h);
    double clock = bl_source_clock(e->start, e->stop, to);
    double speed = speed_factor(scene, e, n.opening) * bl_curve_at(flow_of(e), clock);
    bl_status status = BL_OK;
    for (double row = first; row < end && !status; row++) {
        size_t mark = bl_arena_mark(world->scratch);
        status = emit_row(world, n, length - row * h, speed, to, births);
        bl_arena_release(world->scratch, mark);
    }
    return status;
}

bl_status bl_nozzles_emit(bl_world *world, const bl_sources *sources, double from, double to, bl_births *births) {
    bl_status status = BL_OK;
    uint32_t first = 0;
    for (int k = 0; k < world->scene->emitter_count && !status; k++) {
        nozzle n = {&world->scene->emitters[k], &sources->openings[k], first, &sources->warned[k], &sources->walls};
        status = emit_rows(world, n, from, to, births);
        first += (uint32_t)n.opening->count;
    }
    return status;
}

double bl_nozzles_expected(const bl_world *world, const bl_sources *sources, double end) {
    double count = 0;
    for (int k = 0; k < world->scene->emitter_count; k++) {
        const bl_points *opening = &sources->openings[k];
        double length = jet_length(world->scene, &world->scene->emitters[k], opening, end);
        count += ceil(length / world->scene->spacing) * (double)opening->count;
    }
    return count;
}

/* --- rows on their way out --- */

typedef struct guide {
    bl_world *world;
    const bl_sources *sources;
    double from, to; /* of the step */
} guide;

/* The emitter whose opening has the place `held` stands for, and its number there. */
static int emitter_of(const guide *g, uint32_t held, size_t *place) {
    int k = 0;
    *place = held - 1;
    while (k < g->world->scene->emitter_count && *place >= g->sources->openings[k].count)
        *place -= g->sources->openings[k++].count;
    return k;
}

/* Where a held particle that was at `old` at the start of the step has to be at its end; false: it goes its own way. */
static bool find_place(const guide *g, uint32_t held, bl_vec3d old, bl_vec3d *place) {
    const bl_scene *scene = g->world->scene;
    const double h = scene->spacing, near2 = IN_PLACE * IN_PLACE * h * h;
    size_t j;
    int k = emitter_of(g, held, &j);
    const bl_emitter *e = &scene->emitters[k];
    if (k == scene->emitter_count || g->from < e->start || (e->stop > 0 && g->to > e->stop)) return false;
    const bl_points *opening = &g->sources->openings[k];
    const double before = jet_length(scene, e, opening, g->from), after = jet_length(scene, e, opening, g->to);
    bl_vec3d origin = opening->x[j], way = opening->normal[j];
    bl_vec3d d = bl_v3d_sub(bl_v3d_sub(old, bl_curve_integral3(&e->velocity, g->from)), origin);
    double ahead = bl_v3d_dot(d, way), row = rint((before - ahead) / h), off = before - row * h - ahead;
    if (ahead >= GUIDE * h || bl_v3d_norm2(d) - ahead * ahead > near2 || off * off > near2) return false;
    *place = bl_v3d_add(bl_v3d_mad(origin, after - row * h, way), bl_curve_integral3(&e->velocity, g->to));
    return true;
}

static void guide_range(void *user, size_t begin, size_t end) {
    const guide *g = user;
    const double dt = g->to - g->from;
    bl_fluid_store *fluid = &g->world->fluid;
    for (size_t i = begin; i < end; i++) {
        if (fluid->held[i] == 0) continue;
        bl_vec3d old = bl_v3d_mad(bl_v3d_from(fluid->x[i]), -dt, bl_v3d_from(fluid->v[i])), place;
        if (find_place(g, fluid->held[i], old, &place)) {
            fluid->x[i] = bl_v3_from_d(place);
            fluid->v[i] = bl_v3_from_d(bl_v3d_scale(1 / dt, bl_v3d_sub(place, old)));
        } else {
            fluid->held[i] = 0;
        }
    }
}

void bl_sources_guide(bl_world *world, const bl_sources *sources, double from, double to) {
    guide g = {world, sources, from, to};
    if (world->scene->emitter_count > 0) bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, guide_range, &g);
}
