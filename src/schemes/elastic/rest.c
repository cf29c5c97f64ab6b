/* The rest configuration: who is whose neighbour, and the corrected gradients. */
#include "geometry/geometry.h"
#include "geometry/point_grid.h"
#include "geometry/solid.h"
#include "physics/kernel.h"
#include "schemes/elastic/body.h"

#include <math.h>

static const double SUPPORT = 2;          /* in spacings */
static const double SMALLEST = 1e-3;      /* eigenvalue of N_i over the largest: below, it has no neighbours that way */
static const double CONTACT_FACTOR = 5.0; /* stiffness of a contact over E h^(dim - 2) */

static void set_material(const bl_elastic_def *def, int dimension, double h, bl_elastic_material *out) {
    double nu = def->poisson_ratio, volume = dimension == 2 ? h * h : h * h * h;
    out->mu = def->youngs_modulus / (2 * (1 + nu));
    out->lambda = def->youngs_modulus * nu / ((1 + nu) * (1 - 2 * nu));
    out->mass = def->density * volume;
    out->hold = def->stabilization * out->mu * volume;
    out->contact = CONTACT_FACTOR * def->youngs_modulus * (dimension == 2 ? 1 : h);
}

static bl_vec3d rest_of(const bl_elastic *e, const bl_world *world, size_t i) {
    return e->rest_by_id[world->boundary.id[e->at[i]]];
}

/* Pairs of one body within the support, counted first (rows.neighbour NULL) and then written. */
static void find_rows(bl_elastic *e, const bl_world *world, const bl_vec3d *rest, const bl_point_grid *grid) {
    bl_kernel kernel = bl_kernel_make(world->scene->dimension, SUPPORT * e->spacing);
    double reach = SUPPORT * e->spacing * (1 - 1e-9);
    size_t n = 0;
    for (size_t i = 0; i < e->count; i++) {
        e->rows.start[i] = n;
        bl_grid_walk walk = bl_grid_walk_begin(grid, rest[i], reach);
        const bl_grid_item *item;
        while ((item = bl_grid_walk_next(&walk))) {
            bl_vec3d offset = bl_v3d_sub(item->x, rest[i]);
            double r = bl_v3d_norm(offset);
            if (item->index == i || e->body[item->index] != e->body[i] || !(r < reach)) continue;
            if (e->rows.neighbour) {
                e->rows.neighbour[n] = (uint32_t)item->index;
                e->rows.offset[n] = offset;
                e->rows.weight[n] = -e->volume * (double)bl_kernel_dw_over_r(kernel, (real)r);
            }
            n++;
        }
    }
    e->rows.start[e->count] = n;
}

static bl_status make_rows(bl_elastic *e, const bl_world *world) {
    bl_vec3d *rest = bl_alloc(e->ctx, e->count, sizeof *rest);
    if (!rest) return BL_ERR_MEMORY;
    for (size_t i = 0; i < e->count; i++) rest[i] = rest_of(e, world, i);
    bl_point_grid grid;
    bl_status status = bl_point_grid_build(e->ctx, rest, e->count, SUPPORT * e->spacing, &grid);
    if (!status) {
        find_rows(e, world, rest, &grid);
        size_t pairs = e->rows.start[e->count];
        e->rows.neighbour = bl_alloc(e->ctx, pairs, sizeof *e->rows.neighbour);
        e->rows.offset = bl_alloc(e->ctx, pairs, sizeof *e->rows.offset);
        e->rows.weight = bl_alloc(e->ctx, pairs, sizeof *e->rows.weight);
        if (e->rows.neighbour && e->rows.offset && e->rows.weight)
            find_rows(e, world, rest, &grid);
        else
            status = BL_ERR_MEMORY;
        bl_point_grid_clear(&grid);
    }
    bl_release(e->ctx, rest);
    return status;
}

static void invert_moments(bl_elastic *e) {
    for (size_t i = 0; i < e->count; i++) {
        bl_mat3 n = bl_mat3_zero();
        for (size_t k = e->rows.start[i]; k < e->rows.start[i + 1]; k++)
            bl_mat3_add_outer(&n, e->rows.weight[k], e->rows.offset[k], e->rows.offset[k]);
        bl_mat3_pseudo_inverse(&n, SMALLEST, &e->inverse[i], &e->projection[i]);
    }
}

/* What lies in one of the `fixed` shapes is not free. */
static bl_status hold_fixed(bl_elastic *e, const bl_world *world, int body) {
    const bl_elastic_def *def = &world->scene->boundaries[body].elastic;
    double margin = 1e-6 * e->spacing;
    for (int k = 0; k < def->fixed_count; k++) {
        bl_solid *solid;
        bl_status status = bl_solid_create(e->ctx, &def->fixed[k], world->scene->dimension, &solid);
        if (status) return status;
        size_t held = 0;
        for (size_t i = 0; i < e->count; i++) {
            if (e->body[i] != (uint32_t)body || !(bl_solid_distance(solid, rest_of(e, world, i)) < margin)) continue;
            e->free[i] = false;
            held++;
        }
        if (held == 0)
            bl_scene_warn(e->ctx, def->fixed[k].pos, "elastic boundary `%s`: nothing of it lies in this fixed shape",
                          world->scene->boundaries[body].name);
        bl_solid_destroy(e->ctx, solid);
    }
    return BL_OK;
}

/* The particles that hang together with particle `start`, by a walk over the rows; returns their number. */
static size_t mark_piece(const bl_elastic *e, size_t start, bool *seen, uint32_t *stack) {
    size_t size = 0, waiting = 1;
    stack[0] = (uint32_t)start;
    seen[start] = true;
    while (waiting > 0) {
        uint32_t i = stack[--waiting];
        size++;
        for (size_t k = e->rows.start[i]; k < e->rows.start[i + 1]; k++) {
            uint32_t j = e->rows.neighbour[k];
            if (seen[j]) continue;
            seen[j] = true;
            stack[waiting++] = j;
        }
    }
    return size;
}

/* Crumbs that nothing holds are hardly ever meant. */
static bl_status warn_of_pieces(const bl_elastic *e, const bl_world *world) {
    bool *seen = bl_alloc(e->ctx, e->count, sizeof *seen);
    uint32_t *stack = bl_alloc(e->ctx, e->count, sizeof *stack);
    bl_status status = seen && stack ? BL_OK : BL_ERR_MEMORY;
    for (int b = 0; b < world->scene->boundary_count && !status; b++) {
        size_t pieces = 0, largest = 0, all = 0;
        for (size_t i = 0; i < e->count; i++) {
            if (e->body[i] != (uint32_t)b || seen[i]) continue;
            size_t size = mark_piece(e, i, seen, stack);
            largest = size > largest ? size : largest;
            all += size;
            pieces++;
        }
        if (pieces > 1)
            bl_scene_warn(e->ctx, world->scene->boundaries[b].pos,
                          "elastic boundary `%s` is in %zu pieces at this spacing; %zu of %zu particles do not hang "
                          "together with the largest",
                          world->scene->boundaries[b].name, pieces, all - largest, all);
    }
    bl_release(e->ctx, seen);
    bl_release(e->ctx, stack);
    return status;
}

bl_status bl_elastic_prepare(bl_elastic *e, const bl_world *world) {
    const bl_scene *scene = world->scene;
    e->spacing = scene->spacing;
    e->volume = scene->dimension == 2 ? e->spacing * e->spacing : e->spacing * e->spacing * e->spacing;
    e->tolerance = 1;
    for (int b = 0; b < scene->boundary_count; b++) {
        const bl_elastic_def *def = &scene->boundaries[b].elastic;
        if (!def->given) continue;
        set_material(def, scene->dimension, e->spacing, &e->materials[b]);
        e->tolerance = fmin(e->tolerance, def->tolerance);
        if (def->max_iterations > e->max_iterations) e->max_iterations = def->max_iterations;
    }
    bl_status status = make_rows(e, world);
    if (!status) status = warn_of_pieces(e, world);
    if (!status) invert_moments(e);
    for (size_t i = 0; i < e->count; i++) e->free[i] = true;
    for (int b = 0; b < scene->boundary_count && !status; b++)
        if (scene->boundaries[b].elastic.given) status = hold_fixed(e, world, b);
    return status;
}
