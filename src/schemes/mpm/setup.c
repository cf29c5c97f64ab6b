/* Scene to parameters. */
#include "base/parallel.h"
#include "geometry/geometry.h"
#include "schemes/mpm/mpm.h"
#include "schemes/observe.h"

#include <math.h>

/* The bulk modulus of the paper's examples, Pa. */
static const double PAPER_BULK = 416.67;

/* --- what makes pressure --- */

typedef struct extent {
    bl_vec3d min, max;
    double speed, radius; /* largest speed to begin with; smallest half-width of a volume of liquid */
} extent;

static void include(extent *e, bl_vec3d lo, bl_vec3d hi) {
    const double a[3] = {lo.x, lo.y, lo.z}, b[3] = {hi.x, hi.y, hi.z};
    double *const min = &e->min.x, *const max = &e->max.x;
    for (int k = 0; k < 3; k++) {
        if (isfinite(a[k])) min[k] = fmin(min[k], a[k]);
        if (isfinite(b[k])) max[k] = fmax(max[k], b[k]);
    }
}

static bl_status include_shape(const bl_scene *scene, const bl_shape *shape, extent *e, double *half_width) {
    bl_solid *solid = NULL;
    if (shape->kind == BL_SHAPE_PLANE || shape->kind == BL_SHAPE_HALF_SPACE) {
        include(e, shape->a, shape->a);
        return BL_OK;
    }
    bl_status status = bl_solid_create(scene->ctx, shape, scene->dimension, &solid);
    if (status != BL_OK) return status;
    const bl_box box = bl_solid_bounds(solid);
    bl_solid_destroy(scene->ctx, solid);
    include(e, box.min, box.max);
    const bl_vec3d size = bl_v3d_sub(box.max, box.min);
    *half_width = fmin(*half_width, 0.5 * fmin(size.x, scene->dimension == 2 ? size.y : fmin(size.y, size.z)));
    return BL_OK;
}

static bl_status include_volumes(const bl_scene *scene, extent *e) {
    bl_status status = BL_OK;
    for (int f = 0; f < scene->fluid_count; f++)
        for (int k = 0; k < scene->fluids[f].volume_count && status == BL_OK; k++) {
            const bl_volume *volume = &scene->fluids[f].volumes[k];
            double half = (double)INFINITY;
            status = include_shape(scene, &volume->shape, e, &half);
            e->radius = fmin(e->radius, half);
            const double spin = isfinite(half) ? bl_v3d_norm(volume->angular_velocity) * half : 0;
            e->speed = fmax(e->speed, bl_v3d_norm(volume->velocity) + spin);
        }
    return status;
}

static void include_sources(const bl_scene *scene, extent *e) {
    const double end = (double)INFINITY;
    for (int k = 0; k < scene->emitter_count; k++) {
        const bl_emitter *emitter = &scene->emitters[k];
        const double wide = emitter->radius > 0 ? 2 * emitter->radius : fmin(emitter->width, emitter->height);
        const double area = emitter->radius > 0 ? M_PI * emitter->radius * emitter->radius : wide * wide;
        const double rate = bl_curve_largest(&emitter->rate, 0, end);
        include(e, emitter->center, emitter->center);
        if (wide > 0) e->radius = fmin(e->radius, wide / 2);
        e->speed = fmax(e->speed, bl_curve_largest(&emitter->speed, 0, end) + (area > 0 ? rate / area : 0));
    }
    for (int k = 0; k < scene->rain_count; k++) {
        include(e, scene->rain[k].min, scene->rain[k].max);
        e->radius = fmin(e->radius, scene->rain[k].radius);
        e->speed = fmax(e->speed, bl_curve_largest(&scene->rain[k].velocity, 0, end));
    }
    for (int k = 0; k < scene->printer_count; k++) {
        const bl_vec3d at = bl_curve_at3(&scene->printers[k].position, 0);
        include(e, at, at);
        e->radius = fmin(e->radius, scene->printers[k].radius);
        e->speed = fmax(e->speed, bl_v3d_norm(scene->printers[k].velocity));
    }
}

static bl_status include_walls(const bl_scene *scene, extent *e) {
    bl_status status = BL_OK;
    for (int b = 0; b < scene->boundary_count; b++) {
        double ignored = (double)INFINITY;
        e->speed = fmax(e->speed, bl_curve_largest(&scene->boundaries[b].velocity, 0, (double)INFINITY));
        for (int k = 0; k < scene->boundaries[b].shape_count && status == BL_OK; k++)
            status = include_shape(scene, &scene->boundaries[b].shapes[k], e, &ignored);
    }
    return status;
}

/* The pressures that a scene can come to: of its depth, of its speed, and of the curvature of its smallest liquid. It
 * depends on the scene alone, so a resumed run has the same. */
static bl_status find_pressure(bl_world *world, double *pressure) {
    const bl_scene *scene = world->scene;
    const double huge = (double)INFINITY, h = scene->spacing;
    extent e = {{huge, huge, huge}, {-huge, -huge, -huge}, 0, huge};
    bl_status status = include_volumes(scene, &e);
    if (status == BL_OK) status = include_walls(scene, &e);
    include_sources(scene, &e);
    if (status != BL_OK) return status;
    const bl_fluid *fluid = &scene->fluids[0];
    const bl_vec3d size = bl_v3d_sub(e.max, e.min);
    const double width = fmax(0, fmax(size.x, fmax(size.y, scene->dimension == 3 ? size.z : 0)));
    const double depth = isfinite(width) ? width : 0, radius = isfinite(e.radius) ? fmax(e.radius, h) : 5 * h;
    const double gravity = bl_curve_largest(&scene->gravity, 0, huge);
    const double tension = bl_curve_largest(&fluid->surface_tension, 0, huge);
    *pressure =
        fluid->density * (gravity * depth + 0.5 * e.speed * e.speed) + (scene->dimension - 1) * tension / radius;
    return BL_OK;
}

/* --- walls --- */

/* Boundary particles of the first layer: none lies a spacing above them, neither of their own body nor of another that
 * they are inside of. */
typedef struct layer_job {
    const bl_world *world;
    const uint32_t *first, *next;
    uint64_t mask;
    uint8_t *top;
} layer_job;

static uint64_t bin_of(const layer_job *job, bl_vec3d x) {
    const double h = job->world->scene->spacing;
    const uint64_t a = (uint64_t)(int64_t)floor(x.x / h), b = (uint64_t)(int64_t)floor(x.y / h),
                   c = (uint64_t)(int64_t)floor(x.z / h);
    uint64_t key = (a * 73856093u) ^ (b * 19349663u) ^ (c * 83492791u);
    return (key ^ key >> 17) & job->mask;
}

static bool has_above(const layer_job *job, size_t i) {
    const bl_boundary_store *s = &job->world->boundary;
    const double h = job->world->scene->spacing;
    const bl_vec3d up = bl_v3d_mad(bl_v3d_from(s->x[i]), h, bl_v3d_from(s->normal[i]));
    for (int k = 0; k < 27; k++) {
        const bl_vec3d at = {up.x + (k % 3 - 1) * h, up.y + (k / 3 % 3 - 1) * h, up.z + (k / 9 - 1) * h};
        for (uint32_t n = job->first[bin_of(job, at)]; n; n = job->next[n - 1]) {
            const bl_vec3d d = bl_v3d_sub(bl_v3d_from(s->x[n - 1]), up);
            if (n - 1 != i && bl_v3d_norm(d) < 0.72 * h) return true;
        }
    }
    return false;
}

static void find_top(void *user, size_t begin, size_t end) {
    const layer_job *job = user;
    for (size_t i = begin; i < end; i++)
        job->top[i] = bl_v3_norm2(job->world->boundary.normal[i]) > 0 && !has_above(job, i);
}

static bl_status find_layers(bl_world *world, uint8_t *top) {
    const bl_boundary_store *s = &world->boundary;
    uint64_t bins = 1024;
    while (bins < 2 * s->count) bins *= 2;
    uint32_t *first = bl_alloc(world->ctx, bins, sizeof *first), *next = bl_alloc(world->ctx, s->count, sizeof *next);
    layer_job job = {world, first, next, bins - 1, top};
    bl_status status = first && next ? BL_OK : BL_ERR_MEMORY;
    for (size_t i = 0; status == BL_OK && i < s->count; i++) {
        const uint64_t bin = bin_of(&job, bl_v3d_from(s->x[i]));
        next[i] = first[bin];
        first[bin] = (uint32_t)i + 1;
    }
    if (status == BL_OK) bl_parallel_for(world->ctx, s->count, BL_CHUNK, find_top, &job);
    bl_release(world->ctx, first);
    bl_release(world->ctx, next);
    return status;
}

static bl_status set_surface(bl_world *world, bl_mpm *m) {
    const bl_boundary_store *s = &world->boundary;
    m->any_wall = s->count > 0;
    uint8_t *top = bl_alloc(world->ctx, s->count, 1);
    bl_status status = top ? find_layers(world, top) : BL_ERR_MEMORY;
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->surface, s->count, sizeof *m->surface);
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->surface_cell, s->count, sizeof *m->surface_cell);
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->surface_order, s->count, sizeof *m->surface_order);
    if (status == BL_OK) status = bl_mpm_renew(world->ctx, &m->surface_f, s->count, sizeof *m->surface_f);
    for (size_t i = 0; status == BL_OK && i < s->count; i++)
        if (top[i]) m->surface[m->surface_points++] = (uint32_t)i;
    bl_release(world->ctx, top);
    return status;
}

/* Nodes stand on the surface of the first wall that is level in that direction, if there is one. Elsewhere they are put
 * off what lattices are centred on by an eighth of a cell: then they are as far from the nearest particle as the mean
 * of all places, where otherwise all would be as far as can be, or as near. */
static void place_origin(const bl_world *world, bl_mpm *m) {
    const bl_boundary_store *s = &world->boundary;
    bool done[3] = {false, false, false};
    const double *const low = &world->scene->domain.min.x;
    for (int a = 0; a < 3; a++) m->origin[a] = (m->period[a] > 0 ? low[a] : 0) + m->cell[a] / 8;
    for (size_t k = 0; k < m->surface_points; k++) {
        const uint32_t b = m->surface[k];
        const double off = m->bodies[s->body[b]].offset;
        const real *const n = &s->normal[b].x, *const x = &s->x[b].x;
        for (int a = 0; a < m->dimension; a++)
            if (!done[a] && fabs((double)n[a]) > 0.9999) {
                m->origin[a] = (double)x[a] + off * (double)n[a];
                done[a] = true;
            }
        if (done[0] && done[1] && (m->flat || done[2])) break;
    }
}

/* --- all --- */

/* Is there liquid on both sides of a sheet? */
static bool is_between(const bl_world *world, const bl_shape *sheet) {
    const double h = world->scene->spacing, length = bl_v3d_norm(sheet->b);
    bool side[2] = {false, false};
    if (sheet->kind != BL_SHAPE_PLANE || !(length > 0)) return false;
    for (size_t p = 0; p < world->fluid.count && !(side[0] && side[1]); p++) {
        const bl_vec3d from = bl_v3d_sub(bl_v3d_from(world->fluid.x[p]), sheet->a);
        const double d = bl_v3d_dot(from, sheet->b) / length, beside = bl_v3d_norm2(from) - d * d;
        if (fabs(d) < 0.25 * h || (sheet->radius > 0 && beside > 0.25 * sheet->radius * sheet->radius)) continue;
        side[d > 0] = true;
    }
    return side[0] && side[1];
}

static bl_status refuse_sheets(const bl_world *world) {
    const bl_scene *scene = world->scene;
    for (int b = 0; b < scene->boundary_count; b++)
        for (int k = 0; k < scene->boundaries[b].shape_count; k++)
            if (is_between(world, &scene->boundaries[b].shapes[k]))
                return bl_scene_fail(world->ctx, BL_ERR_DATA, scene->boundaries[b].pos,
                                     "boundary \"%s\" is a sheet with liquid on both sides: the scheme hyde2020 has "
                                     "walls of one side, a thin box is one",
                                     scene->boundaries[b].name);
    return BL_OK;
}

static bl_status refuse(const bl_world *world) {
    const bl_scene *scene = world->scene;
    if (scene->fluid_count != 1)
        return bl_scene_fail(world->ctx, BL_ERR_DATA,
                             scene->fluid_count > 0 ? scene->fluids[scene->fluid_count - 1].pos : (bl_pos){0},
                             "%d fluids found: the scheme hyde2020 knows one", scene->fluid_count);
    for (int b = 0; b < scene->boundary_count; b++)
        if (scene->boundaries[b].elastic.given)
            return bl_scene_fail(world->ctx, BL_ERR_DATA, scene->boundaries[b].pos,
                                 "boundary \"%s\" is elastic: the scheme hyde2020 has walls that keep their shape only",
                                 scene->boundaries[b].name);
    if (bl_curve_largest(&scene->fluids[0].fluid_boundary, 0, (double)INFINITY) > 0)
        return bl_scene_fail(world->ctx, BL_ERR_DATA, scene->fluids[0].pos,
                             "fluid_boundary: the scheme hyde2020 takes contact_angle, or boundary_vapor and "
                             "boundary_fluid, of the boundary");
    return world->step == 0 ? refuse_sheets(world) : BL_OK; /* later liquid may have come round */
}

/* In a periodic direction a whole number of nodes, so cells may be a little larger or smaller. */
static bl_status set_cells(bl_world *world, bl_mpm *m) {
    const bl_domain_def *domain = &world->scene->domain;
    const double *const lo = &domain->min.x, *const hi = &domain->max.x;
    for (int a = 0; a < 3; a++) {
        m->cell[a] = BL_MPM_CELL * world->scene->spacing;
        m->period[a] = 0;
        if (domain->periodic[a] && a < m->dimension) {
            const double length = hi[a] - lo[a];
            m->period[a] = (int64_t)fmax(1, rint(length / m->cell[a]));
            if (m->period[a] < 5)
                return bl_fail(
                    world->ctx, BL_ERR_DATA,
                    "domain.periodic: a direction of %.4g m is %lld cells of 2 spacings, the scheme hyde2020 "
                    "needs 5 or more",
                    length, (long long)m->period[a]);
            m->cell[a] = length / (double)m->period[a];
        }
        m->inv_cell[a] = 1 / m->cell[a];
        m->inv_step[a] = (real)m->inv_cell[a];
    }
    return BL_OK;
}

bl_status bl_mpm_setup(bl_world *world, bl_mpm *m) {
    const bl_scene *scene = world->scene;
    bl_status status = refuse(world);
    if (status != BL_OK) return status;
    m->dimension = scene->dimension;
    m->flat = scene->dimension == 2;
    m->stencil = m->flat ? 9 : 27;
    m->middle = m->stencil / 2;
    m->pad = m->flat ? 16 : 32;
    m->volume = bl_particle_volume(scene);
    m->mass = m->volume * scene->fluids[0].density;
    m->radius = (real)((m->flat ? BL_MPM_RADIUS_2D : BL_MPM_RADIUS_3D) * BL_MPM_CELL * scene->spacing);
    bl_cubes_init(&m->cubes);
    m->bodies = bl_alloc(world->ctx, (size_t)scene->boundary_count, sizeof *m->bodies);
    if (!m->bodies) return BL_ERR_MEMORY;
    for (int b = 0; b < scene->boundary_count; b++)
        m->bodies[b].offset = bl_boundary_layers(scene, b) > 1 ? scene->spacing / 2 : 0;
    status = set_cells(world, m);
    if (status == BL_OK) status = find_pressure(world, &m->scale);
    if (status == BL_OK) status = set_surface(world, m);
    if (status == BL_OK) status = bl_fluid_store_extend(&world->fluid, BL_MPM_ANNEX);
    if (status != BL_OK) return status;
    m->bulk = scene->scheme.calibration == BL_CALIBRATION_PAPER ? PAPER_BULK : m->scale / scene->scheme.tolerance;
    return BL_OK;
}

static void set_body(const bl_scene *scene, const bl_boundary *boundary, double time, double tension,
                     bl_mpm_body *body) {
    const bl_fluid *fluid = &scene->fluids[0];
    const double angle = bl_curve_at(&boundary->contact_angle, time), own = bl_curve_at(&fluid->friction, time);
    const double bv = bl_curve_at(&boundary->boundary_vapor, time), bf = bl_curve_at(&boundary->boundary_fluid, time);
    const double friction = isfinite(own) ? own : bl_curve_at(&boundary->friction, time);
    const double drag = bl_curve_at(&boundary->viscosity, time);
    if (scene->scheme.calibration == BL_CALIBRATION_PAPER)
        body->tension = tension - (scene->scheme.adhesion_given ? scene->scheme.adhesion : 0);
    else if (isfinite(angle))
        body->tension = -tension * cos(angle);
    else
        body->tension = isfinite(bv) && isfinite(bf) ? bf - bv : 0;
    if (fabs(body->tension) < 1e-9 * tension) body->tension = 0; /* the cosine of 90 degrees */
    const double cosine = tension > 0 ? fmin(fmax(-body->tension / tension, -1), 1) : -1;
    body->adhesion = fmax(0, tension - body->tension);
    body->line = tension * sqrt(1 - cosine * cosine);
    body->friction = isfinite(friction) ? friction : 0;
    body->viscosity = isfinite(drag) ? drag : fluid->viscosity;
}

void bl_mpm_set_step(bl_world *world, bl_mpm *m, double dt) {
    const bl_scene *scene = world->scene;
    const bool paper = scene->scheme.calibration == BL_CALIBRATION_PAPER;
    const double time = world->time + dt;
    m->dt = dt;
    m->tension = paper && scene->scheme.tension_given ? scene->scheme.tension
                                                      : bl_curve_at(&scene->fluids[0].surface_tension, time);
    if (!isfinite(m->tension)) m->tension = 0;
    m->viscosity = scene->fluids[0].viscosity;
    for (int b = 0; b < scene->boundary_count; b++)
        set_body(scene, &scene->boundaries[b], time, m->tension, &m->bodies[b]);
    place_origin(world, m);
}
