/* Rain and printers: drops that are due at certain times.
 *
 * With N(t) the integral of the rate, drop k of a printer is due when N > k, drop k of rain when N > k + u_k, where u_k
 * is a random number in [0, 1): as many drops as the rate says, at irregular times. All random numbers are functions of
 * the seed and k. */
#include "base/rng.h"
#include "sim/source.h"

static const double ROOM_LIQUID = 0.9, ROOM_WALL = 0.5; /* spacings, as for the fluids of the start */

double bl_terminal_speed(double radius, double density, double gravity) {
    const double air_density = 1.204, air_viscosity = 1.82e-5;
    double weight = 4.0 / 3 * density * gravity * 2 * radius / air_density; /* = Cd v^2 */
    double low = 0, high = 100;
    for (int k = 0; k < 60; k++) {
        double v = 0.5 * (low + high), re = 2 * radius * v * air_density / air_viscosity;
        double drag = re < 1000 ? 24 / re * (1 + 0.15 * pow(re, 0.687)) : 0.44;
        *(drag * v * v < weight ? &low : &high) = v;
    }
    return 0.5 * (low + high);
}

/* What rain and printers have in common. */
typedef struct schedule {
    const bl_curve *rate;
    double start, stop;
} schedule;

static double drops_due(const schedule *s, double time) {
    return bl_curve_integral(s->rate, bl_source_clock(s->start, s->stop, time)) - bl_curve_integral(s->rate, s->start);
}

/* When `due` was reached between `from` and `to`. */
static double due_time(const schedule *s, double due, double from, double to) {
    for (int k = 0; k < 50; k++) {
        double middle = 0.5 * (from + to);
        *(drops_due(s, middle) > due ? &to : &from) = middle;
    }
    return to;
}

typedef struct drop {
    const char *name; /* of the source */
    int fluid;
    double radius;
    bl_vec3d center, velocity;
    double age; /* at the end of the step */
} drop;

/* Add a drop, unless it has no room. It is where its age has brought it, but no further than a spacing from where it
 * should have appeared. */
static bl_status add_drop(bl_world *world, const bl_sources *sources, drop d, bl_births *births) {
    const bl_scene *scene = world->scene;
    const double h = scene->spacing, speed = bl_v3d_norm(d.velocity);
    if (scene->dimension == 2) d.center.z = d.velocity.z = 0;
    d.center = bl_v3d_mad(d.center, speed > 0 ? fmin(d.age, h / speed) : 0, d.velocity);
    bl_points points;
    bl_status status = bl_fill_drop(world->ctx, scene, d.radius, &points);
    if (status) return status;
    double reach = d.radius + 2 * h;
    bl_vec3d corner = bl_v3d_make(reach, reach, reach);
    bl_crowd crowd;
    bool blocked = false;
    size_t mark = bl_arena_mark(world->scratch);
    bl_box box = {bl_v3d_sub(d.center, corner), bl_v3d_add(d.center, corner)};
    status = bl_crowd_find(world, &sources->walls, births, box, &crowd);
    for (size_t k = 0; k < points.count && !status && !blocked; k++)
        blocked = bl_crowd_blocks(&crowd, bl_v3d_add(d.center, points.x[k]), ROOM_LIQUID * h, ROOM_WALL * h);
    for (size_t k = 0; k < points.count && !status && !blocked; k++)
        status = bl_births_add(births, bl_v3d_add(d.center, points.x[k]), d.velocity, d.fluid, 0);
    if (blocked)
        bl_log(world->ctx, BL_LOG_DEBUG, "`%s`: no room for a drop at (%.4g, %.4g, %.4g) m", d.name, d.center.x,
               d.center.y, d.center.z);
    bl_arena_release(world->scratch, mark);
    bl_points_clear(world->ctx, &points);
    return status;
}

/* --- rain --- */

enum { DRAW_TIME, DRAW_X, DRAW_Y, DRAW_Z, DRAW_SIZE, DRAWS };

static double draw(const bl_rain *rain, int index, double k, int what) {
    return bl_rng_uniform(rain->seed, 0x7261696eu + (uint64_t)index, (uint64_t)k * DRAWS + (uint64_t)what);
}

/* Log-normal with the given mean and relative deviation, cut at half and twice the mean. */
static double draw_radius(const bl_rain *rain, int index, double k) {
    double sigma2 = log1p(rain->spread * rain->spread);
    double normal = bl_rng_normal(rain->seed, 0x7261696eu + (uint64_t)index, (uint64_t)k * DRAWS + DRAW_SIZE);
    double factor = exp(sqrt(sigma2) * normal - sigma2 / 2);
    return rain->radius * fmin(2, fmax(0.5, factor));
}

static bl_vec3d rain_velocity(const bl_scene *scene, const bl_rain *rain, double radius, double time) {
    if (rain->velocity.count > 0) return bl_curve_at3(&rain->velocity, time);
    bl_vec3d g = bl_curve_at3(&scene->gravity, time);
    double strength = bl_v3d_norm(g);
    if (!(strength > 0)) return bl_v3d_zero();
    return bl_v3d_scale(bl_terminal_speed(radius, scene->fluids[rain->fluid].density, strength) / strength, g);
}

static bl_status emit_rain(bl_world *world, const bl_sources *sources, int index, double from, double to,
                           bl_births *births) {
    const bl_rain *rain = &world->scene->rain[index];
    schedule s = {&rain->rate, rain->start, rain->stop};
    const double before = drops_due(&s, from), after = drops_due(&s, to);
    bl_status status = BL_OK;
    for (double k = floor(before); k < after && !status; k++) {
        double due = k + draw(rain, index, k, DRAW_TIME);
        if (due < before || due >= after) continue;
        double time = due_time(&s, due, from, to), radius = draw_radius(rain, index, k);
        bl_vec3d size = bl_v3d_sub(rain->max, rain->min), center = rain->min;
        center.x += size.x * draw(rain, index, k, DRAW_X);
        center.y += size.y * draw(rain, index, k, DRAW_Y);
        center.z += size.z * draw(rain, index, k, DRAW_Z);
        drop d = {rain->name, rain->fluid, radius, center, rain_velocity(world->scene, rain, radius, time), to - time};
        status = add_drop(world, sources, d, births);
    }
    return status;
}

/* --- printers --- */

static bool is_mark(char c) { return c != ' ' && c != '.' && c != '0' && c != '-' && c != '\t' && c != '\r'; }

/* Line and column of mark k of a bitmap; false: it has fewer. */
static bool find_mark(const char *bitmap, double k, int *line, int *column) {
    *line = *column = 0;
    for (const char *c = bitmap; *c; c++) {
        if (*c == '\n') {
            ++*line;
            *column = 0;
            continue;
        }
        if (is_mark(*c) && k-- < 1) return true;
        ++*column;
    }
    return false;
}

static bl_status emit_print(bl_world *world, const bl_sources *sources, const bl_printer *p, double from, double to,
                            bl_births *births) {
    schedule s = {&p->rate, p->start, p->stop};
    const double end = ceil(drops_due(&s, to));
    bl_status status = BL_OK;
    for (double k = ceil(drops_due(&s, from)); k < end && !status; k++) {
        int line = 0, column = 0;
        if (p->bitmap && !find_mark(p->bitmap, k, &line, &column)) break;
        double time = due_time(&s, k, from, to);
        bl_vec3d x = bl_curve_at3(&p->position, time);
        x = bl_v3d_mad(x, column * p->pitch / bl_v3d_norm(p->right), p->right);
        x = bl_v3d_mad(x, line * p->pitch / bl_v3d_norm(p->down), p->down);
        status = add_drop(world, sources, (drop){p->name, p->fluid, p->radius, x, p->velocity, to - time}, births);
    }
    return status;
}

bl_status bl_drops_emit(bl_world *world, const bl_sources *sources, double from, double to, bl_births *births) {
    bl_status status = BL_OK;
    for (int k = 0; k < world->scene->rain_count && !status; k++)
        status = emit_rain(world, sources, k, from, to, births);
    for (int k = 0; k < world->scene->printer_count && !status; k++)
        status = emit_print(world, sources, &world->scene->printers[k], from, to, births);
    return status;
}

/* Particles of a drop, whose radius varies by `spread`: the mean of r^3 is (1 + spread^2)^3 times that of the mean. */
static double drop_size(const bl_scene *scene, double radius, double spread) {
    const double pi = 3.14159265358979323846;
    double r = radius / scene->spacing, spread2 = 1 + spread * spread;
    return scene->dimension == 2 ? pi * r * r * spread2 : 4 * pi / 3 * r * r * r * spread2 * spread2 * spread2;
}

double bl_drops_expected(const bl_scene *scene, double end) {
    double count = 0;
    for (int k = 0; k < scene->rain_count; k++) {
        const bl_rain *rain = &scene->rain[k];
        schedule s = {&rain->rate, rain->start, rain->stop};
        count += drops_due(&s, end) * drop_size(scene, rain->radius, rain->spread);
    }
    for (int k = 0; k < scene->printer_count; k++) {
        const bl_printer *p = &scene->printers[k];
        schedule s = {&p->rate, p->start, p->stop};
        double drops = ceil(drops_due(&s, end)), marks = 0;
        for (const char *c = p->bitmap; c && *c; c++) marks += *c != '\n' && is_mark(*c);
        count += (p->bitmap ? fmin(drops, marks) : drops) * drop_size(scene, p->radius, 0);
    }
    return count;
}

double bl_drops_largest_speed(const bl_scene *scene) {
    const double ever = (double)INFINITY;
    double speed = 0;
    for (int k = 0; k < scene->rain_count; k++) {
        const bl_rain *rain = &scene->rain[k];
        double g = bl_curve_largest(&scene->gravity, 0, ever);
        speed = fmax(speed, rain->velocity.count > 0
                                ? bl_curve_largest(&rain->velocity, 0, ever)
                                : bl_terminal_speed(2 * rain->radius, scene->fluids[rain->fluid].density, g));
    }
    for (int k = 0; k < scene->printer_count; k++) speed = fmax(speed, bl_v3d_norm(scene->printers[k].velocity));
    return speed;
}
