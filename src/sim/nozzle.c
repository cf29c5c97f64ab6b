/* Nozzles.
 *
 * By the time t the length L(t), the integral of the speed, has passed the opening. Row k is the one that stands at the
 * opening when L = k h, and is at L(t) - k h in front of it from then on: rows of a jet lie exactly h apart, whatever
 * the steps. Over the first GUIDE spacings the particles are held to that course, since a row with nothing behind it
 * would be drawn forward by surface tension.
 *
 * The solver takes a held row for liquid that gives way, so against a wall or in a full vessel holding it would press
 * it into what is in front of it. Where that is too dense the particle is not held, and none appears. */
#include "base/parallel.h"
#include "physics/kernel.h"
#include "sim/source.h"

static const double GUIDE = 1;            /* spacings */
static const double IN_PLACE = 0.05;      /* spacings from the place in a row */
static const double ROOM = 0.75;          /* spacings: nearer liquid keeps a particle from appearing */
static const double REACH = 2;            /* spacings: the kernel of the volume constraint */
static const double WORTH_TELLING = 0.25; /* of the places of a row left out */
static const double SQUEEZED = 0.8;       /* spacings of rows: what is denser in front of a particle holds it back */

/* --- room in front of the opening --- */

/* Kernel sum over all liquid and walls in front of x. */
static double sum_ahead(const bl_crowd *crowd, bl_kernel kernel, bl_vec3d x, bl_vec3d way, double h) {
    double sum = 0;
    for (size_t k = 0; k < crowd->count; k++) {
        bl_vec3d d = bl_v3d_sub(crowd->x[k], x);
        if (bl_v3d_dot(d, way) > 0.5 * h) sum += (double)bl_kernel_w(kernel, (real)bl_v3d_norm(d));
    }
    return sum;
}

/* The same for a lattice whose rows lie SQUEEZED h apart: the most that may be there. */
static double most_ahead(const bl_scene *scene, bl_kernel kernel) {
    const double h = scene->spacing, gap2 = SQUEEZED * SQUEEZED;
    double sum = 0;
    for (int row = 1; row <= 2; row++)
        for (int i = -1; i <= 1; i++)
            for (int j = -1; j <= 1; j++)
                if (scene->dimension == 3 || j == 0)
                    sum += (double)bl_kernel_w(kernel, (real)(h * sqrt(gap2 * row * row + i * i + j * j)));
    return sum;
}

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

static bl_box opening_box(const bl_scene *scene, const bl_points *opening, bl_vec3d shift, double reach) {
    bl_box box = bl_box_empty();
    for (size_t j = 0; j < opening->count; j++) {
        box = bl_box_add(box, opening->x[j]);
        box = bl_box_add(box, bl_v3d_mad(opening->x[j], reach, opening->normal[j]));
    }
    bl_vec3d margin = bl_v3d_scale(scene->spacing, bl_v3d_make(1, 1, 1));
    return (bl_box){bl_v3d_add(bl_v3d_sub(box.min, margin), shift), bl_v3d_add(bl_v3d_add(box.max, margin), shift)};
}

/* What is near an opening, to tell whether there is room for a particle. */
typedef struct surroundings {
    bl_crowd crowd;
    bl_kernel kernel;
    double spacing, most; /* see most_ahead */
} surroundings;

static bl_status look_around(bl_world *world, const bl_births *births, const bl_points *opening, bl_vec3d shift,
                             double reach, surroundings *s) {
    const bl_scene *scene = world->scene;
    *s = (surroundings){.kernel = bl_kernel_make(scene->dimension, REACH * scene->spacing), .spacing = scene->spacing};
    s->most = most_ahead(scene, s->kernel);
    bl_box box = opening_box(scene, opening, shift, reach + REACH * scene->spacing);
    return bl_crowd_find(world, births, box, &s->crowd);
}

static bool is_squeezed(const surroundings *s, bl_vec3d x, bl_vec3d way) {
    return sum_ahead(&s->crowd, s->kernel, x, way, s->spacing) > s->most;
}

typedef struct nozzle {
    const bl_emitter *emitter;
    const bl_points *opening;
    bool *warned;
} nozzle;

static void warn_held_back(bl_world *world, nozzle n, size_t left_out, double time) {
    if (*n.warned || (double)left_out < WORTH_TELLING * (double)n.opening->count) return;
    *n.warned = true;
    bl_scene_warn(world->ctx, n.emitter->pos,
                  "emitter `%s` is held back at %.4g s: %zu of its %zu places have no room in front of them, so it "
                  "emits less than it should; move it away from walls and other liquid, or make it slower",
                  n.emitter->name, time, left_out, n.opening->count);
}

/* Row `ahead` in front of the opening. */
static bl_status emit_row(const surroundings *s, nozzle n, double ahead, double speed, bl_vec3d shift, bl_vec3d drift,
                          bl_births *births) {
    const bl_points *opening = n.opening;
    bl_status status = BL_OK;
    for (size_t j = 0; j < opening->count && !status; j++) {
        bl_vec3d way = opening->normal[j], x = bl_v3d_add(bl_v3d_mad(opening->x[j], ahead, way), shift);
        if (bl_crowd_blocks(&s->crowd, x, ROOM * s->spacing, 0) || is_squeezed(s, x, way)) continue;
        status = bl_point_list_add(births, x, bl_v3d_mad(drift, speed, way), 0, n.emitter->fluid);
    }
    return status;
}

static bl_status emit_rows(bl_world *world, nozzle n, double from, double to, bl_births *births) {
    const bl_scene *scene = world->scene;
    const bl_emitter *e = n.emitter;
    const double h = scene->spacing, length = jet_length(scene, e, n.opening, to);
    const double first = ceil(jet_length(scene, e, n.opening, from) / h), end = ceil(length / h);
    if (!(end > first)) return BL_OK;
    double clock = bl_source_clock(e->start, e->stop, to);
    double speed = speed_factor(scene, e, n.opening) * bl_curve_at(flow_of(e), clock);
    bl_vec3d shift = bl_curve_integral3(&e->velocity, to), drift = bl_curve_at3(&e->velocity, to);
    surroundings around;
    bl_status status = look_around(world, births, n.opening, shift, length - first * h, &around);
    for (double row = first; row < end && !status; row++) {
        size_t before = births->points.count;
        status = emit_row(&around, n, length - row * h, speed, shift, drift, births);
        warn_held_back(world, n, n.opening->count - (births->points.count - before), to);
    }
    return status;
}

bl_status bl_nozzles_emit(bl_world *world, const bl_sources *sources, double from, double to, bl_births *births) {
    bl_status status = BL_OK;
    for (int k = 0; k < world->scene->emitter_count && !status; k++) {
        size_t mark = bl_arena_mark(world->scratch);
        nozzle n = {&world->scene->emitters[k], &sources->openings[k], &sources->warned[k]};
        status = emit_rows(world, n, from, to, births);
        bl_arena_release(world->scratch, mark);
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
    const bl_points *opening;
    bl_box box;
    double dt;
    double length[2];  /* of the jet at the start and the end of the step */
    bl_vec3d shift[2]; /* of the nozzle */
    surroundings around;
} guide;

/* Where the particle that was at `old` at the start of the step has to be at its end; false: it goes its own way. */
static bool find_place(const guide *g, bl_vec3d old, bl_vec3d *place) {
    const double h = g->world->scene->spacing, near2 = IN_PLACE * IN_PLACE * h * h;
    bl_vec3d local = bl_v3d_sub(old, g->shift[0]);
    for (size_t j = 0; j < g->opening->count; j++) {
        bl_vec3d origin = g->opening->x[j], way = g->opening->normal[j], d = bl_v3d_sub(local, origin);
        double ahead = bl_v3d_dot(d, way), row = rint((g->length[0] - ahead) / h), off = g->length[0] - row * h - ahead;
        if (ahead < -IN_PLACE * h || ahead >= GUIDE * h) continue;
        if (bl_v3d_norm2(d) - ahead * ahead > near2 || off * off > near2) continue;
        *place = bl_v3d_add(bl_v3d_mad(origin, g->length[1] - row * h, way), g->shift[1]);
        return !is_squeezed(&g->around, *place, way);
    }
    return false;
}

static void guide_range(void *user, size_t begin, size_t end) {
    const guide *g = user;
    bl_fluid_store *fluid = &g->world->fluid;
    for (size_t i = begin; i < end; i++) {
        bl_vec3d old = bl_v3d_mad(bl_v3d_from(fluid->x[i]), -g->dt, bl_v3d_from(fluid->v[i])), place;
        if (!bl_box_holds(g->box, old) || !find_place(g, old, &place)) continue;
        fluid->x[i] = bl_v3_from_d(place);
        fluid->v[i] = bl_v3_from_d(bl_v3d_scale(1 / g->dt, bl_v3d_sub(place, old)));
    }
}

static bl_status guide_jet(bl_world *world, const bl_emitter *e, const bl_points *opening, double from, double to) {
    const bl_scene *scene = world->scene;
    guide g = {world, opening, .dt = to - from};
    g.length[0] = jet_length(scene, e, opening, from), g.length[1] = jet_length(scene, e, opening, to);
    g.shift[0] = bl_curve_integral3(&e->velocity, from), g.shift[1] = bl_curve_integral3(&e->velocity, to);
    g.box = opening_box(scene, opening, g.shift[0], GUIDE * scene->spacing);
    const bl_births none = {0};
    double reach = GUIDE * scene->spacing + g.length[1] - g.length[0];
    bl_status status = look_around(world, &none, opening, g.shift[1], reach, &g.around);
    if (!status) bl_parallel_for(world->ctx, world->fluid.count, BL_CHUNK, guide_range, &g);
    return status;
}

bl_status bl_sources_guide(bl_world *world, const bl_sources *sources, double from, double to) {
    bl_status status = BL_OK;
    for (int k = 0; k < world->scene->emitter_count && !status; k++) {
        const bl_emitter *e = &world->scene->emitters[k];
        if (from < e->start || (e->stop > 0 && to > e->stop)) continue;
        size_t mark = bl_arena_mark(world->scratch);
        status = guide_jet(world, e, &sources->openings[k], from, to);
        bl_arena_release(world->scratch, mark);
    }
    return status;
}
