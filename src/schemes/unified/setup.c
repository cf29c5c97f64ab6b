/* Scene to parameters. */
#include "geometry/geometry.h"
#include "physics/calibration.h"
#include "schemes/kernels.h"
#include "schemes/unified/unified.h"
#include <math.h>

static double rest_area(const bl_scene *scene, bl_calibration calibration) {
    bool flat = scene->dimension == 2;
    double unit = flat ? scene->spacing : scene->spacing * scene->spacing;
    if (calibration == BL_CALIBRATION_PAPER) return unit * (flat ? BL_A0_PAPER_2D : BL_A0_PAPER_3D);
    return unit * bl_rest_area(scene->dimension, scene->scheme.kernel);
}

static void set_period(const bl_scene *scene, bl_params *par) {
    const double *min = &scene->domain.min.x, *max = &scene->domain.max.x;
    for (int k = 0; k < 3; ++k) {
        bool on = scene->domain.periodic[k];
        par->period[k] = on ? (real)(max[k] - min[k]) : BL_R(0);
        par->inv_period[k] = on ? (real)(1 / (max[k] - min[k])) : BL_R(0);
        par->periodic |= on;
    }
}

/* A single layer is not calibrated: its surface is not half-way between two layers of a lattice. */
static void set_wall_energies(const bl_scene *scene, unified *u) {
    for (int k = 0; k < scene->boundary_count; ++k) {
        int layers = bl_boundary_layers(scene, k);
        if (layers > 1 && scene->scheme.calibration == BL_CALIBRATION_PHYSICAL)
            bl_wall_energies_init(scene->dimension, scene->scheme.kernel, layers, &u->walls[k]);
    }
}

/* No keyframes change what bl_phase_params is made of. */
static bool is_steady(const bl_fluid *fluid) {
    return bl_curve_is_constant(&fluid->surface_tension) && bl_curve_is_constant(&fluid->fluid_fluid) &&
           bl_curve_is_constant(&fluid->fluid_boundary) && bl_curve_is_constant(&fluid->friction);
}

void bl_unified_clear(bl_world *world, unified *u) {
    bl_field_destroy(world->ctx, u->field);
    bl_grip_destroy(world->ctx, u->grip);
    bl_field_walls_clear(world->ctx, &u->field_walls);
    bl_release(world->ctx, u->wetting);
    bl_release(world->ctx, u->bodies);
    bl_release(world->ctx, u->bare);
    bl_release(world->ctx, u->walls);
    bl_release(world->ctx, u->sums);
    bl_release(world->ctx, u->history);
}

bl_status bl_unified_setup(bl_world *world, unified *u) {
    const bl_scene *scene = world->scene;
    bl_params *par = &u->par;
    double h = scene->spacing;
    if (scene->fluid_count > BL_MAX_PHASES)
        return bl_fail(world->ctx, BL_ERR_DATA, "%d fluids found, the unified scheme takes at most %d",
                       scene->fluid_count, BL_MAX_PHASES);
    u->bodies = bl_alloc(world->ctx, (size_t)scene->boundary_count, sizeof *u->bodies);
    u->bare = bl_alloc(world->ctx, (size_t)scene->boundary_count, sizeof *u->bare);
    u->history_capacity = 2 * scene->scheme.max_iterations + 2;
    u->history = bl_alloc(world->ctx, 3 * (size_t)u->history_capacity, sizeof *u->history);
    u->sums = bl_alloc(world->ctx, (size_t)scene->scheme.max_iterations * BL_RESIDUAL_WIDTH, sizeof *u->sums);
    u->walls = bl_alloc(world->ctx, (size_t)scene->boundary_count, sizeof *u->walls);
    if (!u->bodies || !u->bare || !u->walls || !u->history || !u->sums) return BL_ERR_MEMORY;
    set_wall_energies(scene, u);
    for (int k = 0; k < scene->boundary_count; ++k)
        u->reactions |= scene->boundaries[k].elastic.given || scene->boundaries[k].rigid.given;

    par->dimension = scene->dimension;
    par->n_phases = scene->fluid_count;
    par->corrected = scene->scheme.calibration == BL_CALIBRATION_PHYSICAL;
    par->exact_friction = scene->scheme.friction == BL_FRICTION_EXACT;
    par->pairwise = scene->scheme.pairwise;
    par->h = (real)h;
    par->v0 = (real)(scene->dimension == 2 ? h * h : h * h * h);
    par->near = bl_near_kernel(scene->dimension, scene->scheme.kernel, h);
    par->far = bl_far_kernel(scene->dimension, scene->scheme.kernel, h);
    par->eps = BL_R(BL_INTERFACE_EPS);
    par->g_support = (real)(bl_near_reach(scene->scheme.kernel) * h);
    bool flat = scene->dimension == 2;
    if (par->corrected) par->packing = (real)(flat ? BL_PACKING_2D : BL_PACKING_3D);
    par->g_k = (real)(flat ? BL_SURFACE_K_2D : BL_SURFACE_K_3D);
    par->g_f = (real)(flat ? BL_SURFACE_F_2D : BL_SURFACE_F_3D);
    par->g_d = (real)(flat ? BL_SURFACE_D_2D : BL_SURFACE_D_3D);
    par->share = (real)scene->time.correction_share;
    par->relaxation = (real)scene->scheme.relaxation;
    par->hessian_factor = BL_R(9); /* 3 x trace instead of trace/3: stable to dt = 0.96 sqrt(rho h^3/gamma) */
    par->nozzles = scene->emitter_count > 0;
    par->steady = 1;
    for (int k = 0; k < scene->fluid_count; ++k) par->steady &= is_steady(&scene->fluids[k]);
    set_period(scene, par);
    return bl_unified_field_start(world, u);
}

/* Fluid constants at `time`, and the stiffness that limits the step. */
static void set_phases(bl_world *world, unified *u, double time) {
    const bl_scene *scene = world->scene;
    double a0 = rest_area(scene, scene->scheme.calibration), a0_paper = rest_area(scene, BL_CALIBRATION_PAPER);
    u->capillary_stiffness = 0;
    for (int k = 0; k < scene->fluid_count; ++k) {
        const bl_fluid *fluid = &scene->fluids[k];
        bl_phase_params *ph = &u->fluids[k];
        double mass = fluid->density * (double)u->par.v0;
        double gamma = bl_curve_at(&fluid->surface_tension, time), friction = bl_curve_at(&fluid->friction, time);
        ph->mass = (real)mass;
        ph->inv_mass = (real)(1 / mass);
        ph->density = (real)fluid->density;
        ph->viscosity = (real)fluid->viscosity;
        ph->friction = isfinite(friction) ? (real)friction : BL_R(-1);
        ph->a0_surface = (real)(a0 * gamma);
        ph->a0_fv = u->field ? BL_R(0) : ph->a0_surface;
        ph->a0_ff = u->field ? BL_R(0) : (real)(a0 * fmax(0, bl_curve_at(&fluid->fluid_fluid, time)));
        ph->a0_fb = u->field ? BL_R(0) : (real)(a0 * fmax(0, bl_curve_at(&fluid->fluid_boundary, time)));
        double largest =
            fmax(gamma, fmax(bl_curve_at(&fluid->fluid_fluid, time), bl_curve_at(&fluid->fluid_boundary, time)));
        /* the field's forces are smooth, and its steps longer */
        double stiff = u->field ? BL_FIELD_STIFFNESS : a0 / a0_paper;
        u->capillary_stiffness = fmax(u->capillary_stiffness, stiff * largest / fluid->density);
    }
}

/* What a wall of several layers has to gain for a drop on it to see gamma_BV - gamma_BF = `wetting` (walls.c). */
static double wall_energy(const bl_scene *scene, double gamma, double wetting) {
    if (wetting >= 0 || !(gamma > 0)) return wetting;
    return -gamma * bl_wall_repulsion(scene->dimension, scene->scheme.kernel, -wetting / gamma);
}

/* Young's equation, cos(theta) = (gamma_BV - gamma_BF)/gamma_FV, with the smaller of the two energies zero; walls of
 * several layers have their difference as gamma_BV. */
static void set_bodies(bl_world *world, unified *u, double time) {
    const bl_scene *scene = world->scene;
    double a0 = rest_area(scene, scene->scheme.calibration);
    for (int k = 0; k < scene->boundary_count; ++k) {
        const bl_boundary *boundary = &scene->boundaries[k];
        double bv = bl_curve_at(&boundary->boundary_vapor, time), bf = bl_curve_at(&boundary->boundary_fluid, time);
        double angle = bl_curve_at(&boundary->contact_angle, time);
        double friction = bl_curve_at(&boundary->friction, time), drag = bl_curve_at(&boundary->viscosity, time);
        double gamma = bl_curve_at(&scene->fluids[boundary->contact_fluid].surface_tension, time);
        if (isfinite(angle)) {
            double wetting = cos(angle) * gamma;
            bv = fmax(wetting, 0);
            bf = fmax(-wetting, 0);
        }
        bv = isfinite(bv) ? bv : 0, bf = isfinite(bf) ? bf : 0;
        double cosine = gamma > 0 ? fmin(fmax((bv - bf) / gamma, -1), 1) : 1;
        if (u->field) {
            u->wetting[k] = bv - bf;
            bv = bf = 0;
        }
        if (u->walls[k].dry > 0) {
            bv = wall_energy(scene, gamma, bv - bf) / u->walls[k].dry;
            bf = 0;
        }
        u->bodies[k].a0_bv = (real)(a0 * bv);
        u->bodies[k].a0_bf = (real)(a0 * bf);
        u->bodies[k].line_pull = (real)(gamma * sqrt(1 - cosine * cosine));
        u->bodies[k].open = (real)u->walls[k].open;
        u->bodies[k].friction = (real)(isfinite(friction) ? friction : 0);
        u->bodies[k].viscosity = isfinite(drag) ? (real)drag : BL_R(-1);
        u->bodies[k].closed = u->walls[k].dry > 0;
        u->bodies[k].behind = (real)u->walls[k].behind;
        u->bodies[k].deep = (real)u->walls[k].deep;
    }
}

/* What is mended a step is a speed at heart: a step below the limits that the scene itself sets mends as much less as
 * it is shorter, or ever shorter steps would push ever harder. */
static double share_of_limit(const bl_world *world, unified *u, double dt) {
    const bl_scene *scene = world->scene;
    double g = bl_curve_largest(&scene->gravity, world->time, world->time + dt);
    double force = g > 0 ? scene->time.force_factor * sqrt(scene->spacing / g) : (double)INFINITY;
    double share = fmin(1, dt / fmin(bl_unified_capillary_limit(world, u), force));
    return share > 0 ? share : 1;
}

double bl_unified_radius(const unified *u) {
    double volume = (double)u->view.fluid_count * (double)u->par.v0;
    return u->par.dimension == 2 ? sqrt(volume / M_PI) : cbrt(3 * volume / (4 * M_PI));
}

/* Whether the liquid is deeper than a puddle can be (2 l_c, by some margin) and than a few iterations reach. */
static bool is_deep(const bl_world *world, const unified *u, double time) {
    const double puddles = 1.5, reach = 15;
    double g = bl_v3d_norm(bl_curve_at3(&world->scene->gravity, time));
    bool deep = false;
    for (int k = 0; k < world->scene->fluid_count; ++k) {
        const bl_fluid *fluid = &world->scene->fluids[k];
        double puddle = 2 * sqrt(bl_curve_at(&fluid->surface_tension, time) / (fluid->density * g));
        deep |= g > 0 && u->depth > puddles * puddle && u->depth > reach * world->scene->spacing;
    }
    return deep;
}

void bl_unified_set_step(bl_world *world, unified *u, double dt) {
    u->now.dt = (real)dt;
    u->now.solve_pressure = 1;
    u->now.solve_tension = !u->field;
    set_phases(world, u, world->time + dt);
    set_bodies(world, u, world->time + dt);
    u->now.warm_share = is_deep(world, u, world->time + dt) ? (real)world->scene->scheme.warm_share : BL_R(1);
    u->now.correction = (real)(world->scene->time.correction_speed * share_of_limit(world, u, dt));
}

void bl_unified_bind(bl_world *world, unified *u) {
    bl_view *view = &u->view;
    const bl_fluid_store *f = &world->fluid;
    const bl_boundary_store *b = &world->boundary;
    size_t active = 0;
    view->par = &u->par;
    view->fluids = u->fluids;
    view->step = &u->now;
    view->steer = &u->steer;
    view->bodies = u->bodies;
    view->body_count = (bl_index)world->scene->boundary_count;
    view->fluid_count = (bl_index)f->count;
    view->boundary_count = (bl_index)b->count;
    view->active = bl_neighbours_active_boundary(world->neighbours, &active);
    view->active_count = (bl_index)active;
    view->ff = bl_neighbours_ff(world->neighbours);
    view->groups = bl_neighbours_groups(world->neighbours);
    view->fb = bl_neighbours_fb(world->neighbours);
    view->bf = bl_neighbours_bf(world->neighbours);
    view->bb = bl_neighbours_bb(world->neighbours);
#define X(type, name, flags, unit, doc) view->name = f->name;
    BL_FLUID_FIELDS(X)
#undef X
#define X(type, name, of, unit, doc) view->name = f->of;
    BL_FLUID_SHARED(X)
#undef X
#define X(type, name, flags, unit, doc) view->b_##name = b->name;
    BL_BOUNDARY_FIELDS(X)
#undef X
    double radius = bl_unified_radius(u);
    u->now.core_radius = (real)fmax(radius - 4 * (double)u->par.h, radius / 2);
}
