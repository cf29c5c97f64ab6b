/* Elastic bodies: the shapes of a boundary as a lattice of particles. */
#include "geometry/points.h"
#include "geometry/sites.h"

#include <math.h>

static const double SAME_PLACE =
    0.9; /* in spacings: sites of a later shape this near to an earlier one's are left out */
static const double NORMAL_STEP = 0.25;

static bl_status check_solid(bl_context *ctx, const bl_scene *scene, const bl_boundary *b, const bl_solid *solid,
                             double sites) {
    if (bl_solid_is_sheet(solid))
        return bl_scene_fail(ctx, BL_ERR_DATA, solid->pos,
                             "elastic boundary `%s`: an open mesh has no inside to fill; expected a closed one",
                             b->name);
    if (sites > BL_SITES_MAX)
        return bl_scene_fail(ctx, BL_ERR_DATA, solid->pos,
                             "elastic boundary `%s` needs too many particles at a spacing of %g m (about %g)", b->name,
                             scene->spacing, sites);
    return BL_OK;
}

static bl_status add_sites(const bl_scene *scene, const bl_solid *solid, int shape, const bl_sites *sites, size_t total,
                           bl_point_list *list) {
    double h = scene->spacing, volume = scene->dimension == 2 ? h * h : h * h * h;
    bl_status status = BL_OK;
    for (size_t site = 0; site < total && !status; site++) {
        if (!bl_sites_inside(sites, solid, site)) continue;
        bl_vec3d x = bl_sites_at(sites, site);
        status = bl_point_list_add(list, x, bl_solid_normal(solid, x, NORMAL_STEP * h), volume, shape);
        if (!status) list->points.depth[list->points.count - 1] = fmax(-bl_solid_distance(solid, x), 0);
    }
    return status;
}

static bl_status fill_shape(bl_context *ctx, const bl_scene *scene, int boundary, int shape, bl_point_list *list) {
    const bl_boundary *b = &scene->boundaries[boundary];
    bl_solid *solid;
    bl_status status = bl_solid_create(ctx, &b->shapes[shape], scene->dimension, &solid);
    if (status) return status;
    bl_sites sites = {.filling = BL_FILL_LATTICE, .dimension = scene->dimension, .h = scene->spacing};
    double total = bl_solid_is_sheet(solid) ? 0 : bl_sites_plan(ctx, &sites, solid);
    size_t begin = list->points.count;
    status = check_solid(ctx, scene, b, solid, total);
    if (!status) status = add_sites(scene, solid, shape, &sites, (size_t)total, list);
    bl_solid_destroy(ctx, solid);
    size_t added = list->points.count - begin;
    bool *keep = status || begin == 0 ? NULL : bl_alloc(ctx, added, sizeof *keep);
    if (!status && begin > 0 && !keep) status = BL_ERR_MEMORY;
    if (keep) {
        status =
            bl_points_thin(ctx, list->points.x, list->points.count, begin, SAME_PLACE * scene->spacing, NULL, keep);
        if (!status) bl_point_list_filter(list, begin, keep);
    }
    bl_release(ctx, keep);
    return status;
}

bl_status bl_fill_elastic(bl_context *ctx, const bl_scene *scene, int boundary, bl_points *out) {
    const bl_boundary *b = &scene->boundaries[boundary];
    bl_point_list list = bl_point_list_make(ctx);
    bl_status status = BL_OK;
    for (int shape = 0; shape < b->shape_count && !status; shape++)
        status = fill_shape(ctx, scene, boundary, shape, &list);
    if (!status && list.points.count == 0)
        status = bl_scene_fail(ctx, BL_ERR_DATA, b->pos,
                               "elastic boundary `%s` has no particles: it is too small for the spacing of %g m",
                               b->name, scene->spacing);
    *out = (bl_points){0};
    if (status)
        bl_point_list_clear(&list);
    else
        *out = list.points;
    return status;
}
