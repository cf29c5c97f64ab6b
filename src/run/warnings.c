/* Values that are allowed but probably not meant. */
#include "geometry/geometry.h"
#include "run/plan.h"

#include <stdio.h>

static const double MIN_PARTICLES_PER_RADIUS = 5;
static const double MAX_BOND_NUMBER = 100;

void bl_warnings_clear(bl_warnings *warnings) {
    for (int k = 0; k < warnings->count; k++) bl_release(warnings->ctx, warnings->items[k]);
    bl_release(warnings->ctx, warnings->items);
    *warnings = (bl_warnings){0};
}

bl_status bl_warnings_add(bl_warnings *warnings, bl_pos pos, const char *text) {
    bl_context *ctx = warnings->ctx;
    size_t count = (size_t)warnings->count;
    char **grown = bl_grow(ctx, warnings->items, count, count + 1, sizeof *grown);
    char *copy = grown ? bl_strdup(ctx, text) : NULL;
    if (grown) warnings->items = grown;
    if (!copy) return BL_ERR_MEMORY;
    warnings->items[warnings->count++] = copy;
    bl_scene_warn(ctx, pos, "%s", text);
    return BL_OK;
}

/* Half a width of a volume; endless where it fills a periodic direction. */
static double half_width(double width, bool periodic, double period) {
    return periodic && width > (1 - 1e-6) * period ? (double)INFINITY : width / 2;
}

/* Half the smallest width of a volume: the radius of a ball. Boxes are mostly pools, with a wall below: their width. */
static bl_status find_radius(bl_context *ctx, const bl_scene *scene, const bl_volume *volume, double *radius) {
    bl_solid *solid = NULL;
    bl_status status = bl_solid_create(ctx, &volume->shape, scene->dimension, &solid);
    if (status != BL_OK) return status;
    bl_box box = bl_solid_bounds(solid);
    bl_solid_destroy(ctx, solid);
    const bl_domain_def *d = &scene->domain;
    bl_vec3d width = bl_v3d_sub(box.max, box.min), period = bl_v3d_sub(d->max, d->min);
    *radius = fmin(half_width(width.x, d->periodic[0], period.x), half_width(width.y, d->periodic[1], period.y));
    if (scene->dimension == 3) *radius = fmin(*radius, half_width(width.z, d->periodic[2], period.z));
    if (volume->shape.kind == BL_SHAPE_BOX) *radius *= 2;
    return BL_OK;
}

static bl_status check_volume(bl_warnings *warnings, const bl_scene *scene, const bl_fluid *fluid,
                              const bl_volume *volume) {
    double radius = 0;
    char text[320];
    bl_status status = find_radius(warnings->ctx, scene, volume, &radius);
    if (status != BL_OK || !isfinite(radius)) return status;
    double resolution = radius / scene->spacing;
    if (resolution < MIN_PARTICLES_PER_RADIUS) {
        snprintf(
            text, sizeof text,
            "fluid \"%s\": only %.2g particles per radius (%.3g mm at a spacing of %.3g mm); surface tension needs "
            "%g or more: make spacing at most %.3g mm",
            fluid->name, resolution, 1e3 * radius, 1e3 * scene->spacing, MIN_PARTICLES_PER_RADIUS,
            1e3 * radius / MIN_PARTICLES_PER_RADIUS);
        status = bl_warnings_add(warnings, volume->pos, text);
    }
    double gravity = bl_v3d_norm(bl_curve_at3(&scene->gravity, 0)), tension = bl_curve_at(&fluid->surface_tension, 0);
    double bond = fluid->density * gravity * radius * radius / tension;
    if (status == BL_OK && tension > 0 && bond > MAX_BOND_NUMBER) {
        snprintf(text, sizeof text,
                 "fluid \"%s\": Bond number rho g R^2 / gamma = %.3g (R = %.3g mm): gravity swamps surface tension, "
                 "which matters below %.3g mm here",
                 fluid->name, bond, 1e3 * radius, 1e3 * sqrt(tension / (fluid->density * gravity)));
        status = bl_warnings_add(warnings, volume->pos, text);
    }
    return status;
}

static bl_status check_steps(bl_warnings *warnings, const bl_sim *sim) {
    const bl_time_def *time = &sim->scene->time;
    double limit = sim->scheme->capillary_limit(&sim->world, sim->scheme_state);
    double step = time->fixed_step > 0 ? time->fixed_step : time->max_step;
    if (!(step > limit)) return BL_OK;
    char text[320];
    snprintf(text, sizeof text, "time.%s = %.3g ms is above the capillary limit %.3g ms of this scheme%s",
             time->fixed_step > 0 ? "fixed_step" : "max_step", 1e3 * step, 1e3 * limit,
             time->fixed_step > 0 ? ": the run may become unstable" : "; the limit will govern");
    bl_pos pos = {.file = sim->scene->path, .line = 1, .column = 1};
    return bl_warnings_add(warnings, pos, text);
}

/* With adaptive steps the CFL number sees the walls; a fixed step has to be short enough. */
static bl_status check_bodies(bl_warnings *warnings, const bl_sim *sim) {
    const bl_scene *scene = sim->scene;
    int body = 0;
    double way = bl_bodies_speed(sim, 0, scene->time.end, &body) * scene->time.fixed_step / scene->spacing;
    if (!(way > scene->time.cfl)) return BL_OK;
    char text[320];
    snprintf(
        text, sizeof text,
        "boundary \"%s\" moves up to %.3g spacings in a fixed_step of %.3g ms, more than time.cfl = %g: liquid may "
        "get through it; make fixed_step at most %.3g ms",
        scene->boundaries[body].name, way, 1e3 * scene->time.fixed_step, scene->time.cfl,
        1e3 * scene->time.fixed_step * scene->time.cfl / way);
    return bl_warnings_add(warnings, scene->boundaries[body].pos, text);
}

/* Those that need no particles. */
static bl_status find_scene_warnings(const bl_scene *scene, bl_warnings *warnings) {
    bl_status status = bl_find_shape_warnings(scene, warnings);
    for (int f = 0; f < scene->fluid_count; f++)
        for (int k = 0; status == BL_OK && k < scene->fluids[f].volume_count; k++)
            status = check_volume(warnings, scene, &scene->fluids[f], &scene->fluids[f].volumes[k]);
    return status;
}

bl_status bl_find_warnings(const bl_sim *sim, bl_warnings *warnings) {
    const bl_scene *scene = sim->scene;
    *warnings = (bl_warnings){.ctx = sim->ctx};
    bl_status status = check_steps(warnings, sim);
    if (status == BL_OK) status = check_bodies(warnings, sim);
    return status == BL_OK ? find_scene_warnings(scene, warnings) : status;
}

bl_status bl_run_check(bl_context *ctx, const bl_scene *scene) {
    bl_warnings warnings = {.ctx = ctx};
    bl_world empty = {.ctx = ctx, .scene = scene};
    bl_sources sources = {0};
    bl_status status = bl_fill_check(ctx, scene);
    if (status == BL_OK) status = find_scene_warnings(scene, &warnings);
    if (status == BL_OK) status = bl_sources_create(&empty, &sources);
    bl_sources_destroy(&empty, &sources);
    bl_warnings_clear(&warnings);
    return status;
}
