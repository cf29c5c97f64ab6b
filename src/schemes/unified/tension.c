/* Where the tension of a step comes from, if it is a field's. */
#include "geometry/geometry.h"
#include "schemes/kernels.h"
#include "schemes/unified/unified.h"

#include <math.h>
#include <string.h>

/* Jets that collide, drops that run over glass: sheets and trails of a single layer, which tear with a field. */
static bool has_sources(const bl_scene *scene) {
    return scene->emitter_count > 0 || scene->rain_count > 0 || scene->printer_count > 0;
}

/* What recedes from a wall with friction leaves single particles behind, which a field holds less than energies of
 * particles do. */
static bool has_friction(const bl_scene *scene) {
    bool any = false;
    for (int k = 0; k < scene->boundary_count; ++k) {
        double friction = bl_curve_largest(&scene->boundaries[k].friction, 0, scene->time.end);
        any |= isfinite(friction) && friction > 0;
    }
    for (int k = 0; k < scene->fluid_count; ++k) {
        double friction = bl_curve_largest(&scene->fluids[k].friction, 0, scene->time.end);
        any |= isfinite(friction) && friction > 0 && scene->boundary_count > 0;
    }
    return any;
}

static bool has_thin_walls(const bl_scene *scene) {
    bool any = false;
    for (int k = 0; k < scene->boundary_count; ++k) any |= bl_boundary_layers(scene, k) < 2;
    return any;
}

/* Whether scheme.interface, by itself or as `auto`, asks for a field. */
static bool wants_field(const bl_scene *scene) {
    const bl_scheme_def *def = &scene->scheme;
    if (def->interface != BL_INTERFACE_AUTO) return def->interface == BL_INTERFACE_FIELD;
    return def->name == BL_SCHEME_UNIFIED && def->calibration == BL_CALIBRATION_PHYSICAL && scene->fluid_count == 1 &&
           !has_sources(scene) && !has_thin_walls(scene) && !has_friction(scene) && !def->pairwise &&
           def->order == BL_ORDER_UNIFIED;
}

static bl_status refuse(const bl_world *world) {
    const bl_scene *scene = world->scene;
    if (world->device)
        return bl_fail(world->ctx, BL_ERR_DATA,
                       "scheme.interface: field is computed on the CPU, found a device; use --device cpu, or "
                       "scheme.interface: particles");
    for (int k = 0; k < scene->boundary_count; ++k) {
        if (bl_boundary_layers(scene, k) < 2)
            return bl_fail(
                world->ctx, BL_ERR_DATA,
                "boundaries.%s: a wall of one layer is transparent to scheme.interface: field; use particles, "
                "or a thicker solid with layers: 3",
                scene->boundaries[k].name);
    }
    return BL_OK;
}

bl_status bl_unified_field_start(bl_world *world, unified *u) {
    const bl_scene *scene = world->scene;
    const bool automatic = scene->scheme.interface == BL_INTERFACE_AUTO;
    const double low[3] = {scene->domain.min.x, scene->domain.min.y, scene->domain.min.z};
    double period[3];
    if (!wants_field(scene) || (automatic && world->device)) return BL_OK;
    bl_status status = refuse(world);
    if (status != BL_OK) return status;
    for (int k = 0; k < 3; ++k) period[k] = (double)u->par.period[k];
    u->wetting = bl_alloc(world->ctx, 2 * (size_t)scene->boundary_count + 1, sizeof *u->wetting);
    if (!u->wetting) return BL_ERR_MEMORY;
    u->par.field = 1;
    if (scene->dimension == 2) u->par.g_d = BL_R(BL_FIELD_SURFACE_D_2D);
    status = bl_field_create(world->ctx, scene->dimension, scene->spacing, period, low, &u->field);
    if (status == BL_OK && scene->boundary_count > 0)
        status = bl_grip_create(world->ctx, scene->dimension, scene->spacing, period, low, &u->grip);
    return status;
}

/* Energies at a time, over the largest: the scene gives those of free surfaces, what each liquid adds to interfaces
 * with others and to walls, and what walls gain by being wet (u->wetting). */
static void set_energies(const bl_scene *scene, double time, const double *wetting, double *over, bl_field_input *in) {
    double inner[BL_MAX_PHASES], walls[BL_MAX_PHASES];
    in->liquid_count = scene->fluid_count;
    in->gamma = 0;
    for (int k = 0; k < scene->fluid_count; ++k) {
        const bl_fluid *fluid = &scene->fluids[k];
        inner[k] = fmax(0, bl_curve_at(&fluid->fluid_fluid, time));
        walls[k] = fmax(0, bl_curve_at(&fluid->fluid_boundary, time));
        in->gamma = fmax(in->gamma, fmax(bl_curve_at(&fluid->surface_tension, time), inner[k]));
    }
    if (!(in->gamma > 0)) return;
    for (int k = 0; k < scene->fluid_count; ++k) {
        double outer = bl_curve_at(&scene->fluids[k].surface_tension, time) - inner[k];
        in->liquids[k] = (bl_field_liquid){.outer = (real)(outer / in->gamma),
                                           .inner = (real)(inner[k] / in->gamma),
                                           .repelled = (real)(walls[k] / in->gamma)};
    }
    in->even = true;
    for (int k = 0; k < scene->boundary_count; ++k) {
        over[k] = fmin(fmax(wetting[k] / in->gamma, -1), 1);
        in->even &= over[k] == over[0];
    }
    in->wetting = over;
}

bl_status bl_unified_field_force(bl_world *world, unified *u, uint64_t turn) {
    if (!u->field) return BL_OK;
    if (world->fluid.count == 0) { /* what is gone pulls at nothing */
        if (world->boundary.count) memset(world->boundary.pull, 0, world->boundary.count * sizeof(bl_vec3));
        return BL_OK;
    }
    double start = bl_now();
    const bl_fluid_store *f = &world->fluid;
    bl_field_walls *walls = &u->field_walls;
    bl_status status = bl_field_walls_update(world->ctx, &world->boundary, u->par.h, walls);
    if (status != BL_OK) return status;
    bl_field_input in = {.turn = turn,
                         .count = f->count,
                         .x = f->x,
                         .phase = world->scene->fluid_count > 1 ? f->phase : NULL,
                         .wall_count = walls->count,
                         .wall_x = walls->x,
                         .wall_volume = walls->volume,
                         .wall_body = walls->body};
    set_energies(world->scene, world->time + (double)u->now.dt, u->wetting, u->wetting + world->scene->boundary_count,
                 &in);
    status = bl_field_forces(world->ctx, u->field, &in, f->f_st, &u->energy_field);
    if (status == BL_OK) bl_field_walls_collect(walls, bl_field_wall_forces(u->field), &world->boundary);
    bl_timers_add(&world->timers, "field", bl_now() - start);
    return status;
}

bl_status bl_unified_field_load(bl_world *world, unified *u) {
    const bl_fluid_store *f = &world->fluid;
    const bl_boundary_store *b = &world->boundary;
    if (b->count == 0) return BL_OK;
    const bl_grip_input in = {.count = f->count,
                              .wall_count = b->count,
                              .x = f->x,
                              .wall_x = b->x,
                              .wall_normal = b->normal,
                              .wall_force = b->pull,
                              .at_wall = f->wall_w};
    return bl_grip_share(world->ctx, u->grip, &in, f->e_st);
}

void bl_unified_field_react(bl_world *world) {
    const bl_boundary_store *b = &world->boundary;
    for (size_t k = 0; k < b->count; ++k) b->f[k] = bl_v3_add(b->f[k], b->pull[k]);
}
