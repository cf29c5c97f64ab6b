/* Openings of emitters and single drops: small sets of particles that appear during a run. */
#include "geometry/points.h"
#include "geometry/sites.h"
#include "geometry/solid.h"

#include <math.h>

static bl_shape plain_shape(bl_shape_kind kind) { return (bl_shape){.kind = kind, .scale = bl_v3d_make(1, 1, 1)}; }

/* All sites inside a shape, mapped to center + x u + y v + z w. */
typedef struct placing {
    bl_vec3d center, u, v, w;
} placing;

static bl_status fill_shape(bl_context *ctx, const bl_shape *shape, bl_sites *sites, placing at, bl_vec3d direction,
                            bl_point_list *list) {
    bl_solid *solid;
    bl_status status = bl_solid_create(ctx, shape, sites->dimension, &solid);
    if (status) return status;
    double total = bl_sites_plan(ctx, sites, solid);
    for (size_t site = 0; site < (size_t)fmin(total, BL_SITES_MAX) && !status; site++) {
        if (!bl_sites_inside(sites, solid, site)) continue;
        bl_vec3d s = bl_sites_at(sites, site);
        bl_vec3d x = bl_v3d_mad(bl_v3d_mad(bl_v3d_mad(at.center, s.x, at.u), s.y, at.v), s.z, at.w);
        status = bl_point_list_add(list, x, direction, 0, 0);
    }
    /* Smaller than a site: one particle in the middle. */
    if (!status && list->points.count == 0) status = bl_point_list_add(list, at.center, direction, 0, 0);
    bl_solid_destroy(ctx, solid);
    return status;
}

/* In 2D an opening is a line across the jet. */
static bl_status fill_line(const bl_emitter *e, double h, bl_vec3d direction, bl_point_list *list) {
    double width = e->radius > 0 ? 2 * e->radius : e->width;
    long count = (long)fmax(1, rint(width / h));
    bl_vec3d across = bl_v3d_make(-direction.y, direction.x, 0);
    bl_status status = BL_OK;
    for (long k = 0; k < count && !status; k++)
        status = bl_point_list_add(list, bl_v3d_mad(e->center, ((double)k - 0.5 * (double)(count - 1)) * h, across),
                                   direction, 0, 0);
    return status;
}

static bl_status fill_section(bl_context *ctx, const bl_emitter *e, double h, bl_vec3d direction, bl_point_list *list) {
    placing at = {.center = e->center};
    bl_vec3d up = bl_unit(bl_v3d_mad(e->up, -bl_v3d_dot(e->up, direction), direction));
    bl_tangents(direction, &at.u, &at.v);
    if (bl_v3d_norm2(up) > 0) {
        at.v = up;
        at.u = bl_v3d_cross(up, direction);
    }
    bl_shape shape = plain_shape(e->radius > 0 ? BL_SHAPE_SPHERE : BL_SHAPE_BOX);
    shape.radius = e->radius;
    if (shape.kind == BL_SHAPE_BOX) {
        shape.a = bl_v3d_make(-e->width / 2, -e->height / 2, -1);
        shape.b = bl_v3d_make(e->width / 2, e->height / 2, 1);
    }
    bl_sites sites = {.filling = e->filling, .dimension = 2, .h = h};
    return fill_shape(ctx, &shape, &sites, at, direction, list);
}

bl_status bl_sample_opening(bl_context *ctx, const bl_scene *scene, int emitter, bl_points *out) {
    const bl_emitter *e = &scene->emitters[emitter];
    const uint64_t stream = 0x656d6974u + (uint64_t)emitter; /* apart from those of boundaries */
    if (e->shape_count > 0) return bl_sample_surface(ctx, scene, e->shapes, e->shape_count, stream, out);
    bl_point_list list = bl_point_list_make(ctx);
    bool flat = scene->dimension == 2;
    bl_vec3d direction = bl_unit(flat ? bl_v3d_make(e->direction.x, e->direction.y, 0) : e->direction);
    bl_status status =
        flat ? fill_line(e, scene->spacing, direction, &list) : fill_section(ctx, e, scene->spacing, direction, &list);
    *out = status ? (bl_points){0} : list.points;
    if (status) bl_point_list_clear(&list);
    return status;
}

bl_status bl_fill_drop(bl_context *ctx, const bl_scene *scene, double radius, bl_points *out) {
    bl_point_list list = bl_point_list_make(ctx);
    bl_shape ball = plain_shape(BL_SHAPE_SPHERE);
    ball.radius = radius;
    bl_sites sites = {.filling = BL_FILL_LATTICE, .dimension = scene->dimension, .h = scene->spacing};
    placing at = {bl_v3d_zero(), bl_v3d_make(1, 0, 0), bl_v3d_make(0, 1, 0), bl_v3d_make(0, 0, 1)};
    bl_status status = fill_shape(ctx, &ball, &sites, at, bl_v3d_zero(), &list);
    *out = status ? (bl_points){0} : list.points;
    if (status) bl_point_list_clear(&list);
    return status;
}
