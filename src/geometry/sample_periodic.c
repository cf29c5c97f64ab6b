/* Walls in periodic space: what a shape has outside the cell counts as its image inside, and must not count twice. A
 * plane, say, is made as large as the fluids need, wherever the cell ends. */
#include "geometry/sample.h"

#include <math.h>

/* In distances along the wall: over a lattice, and over points of blue noise, no other lies further from all. */
static const double IMAGE_DISTANCE = 0.72;

static double wrapped(double x, double low, double high, bool periodic) {
    return periodic ? x - (high - low) * floor((x - low) / (high - low)) : x;
}

static bl_vec3d image_of(const bl_domain_def *d, bl_vec3d x) {
    return bl_v3d_make(wrapped(x.x, d->min.x, d->max.x, d->periodic[0]),
                       wrapped(x.y, d->min.y, d->max.y, d->periodic[1]),
                       wrapped(x.z, d->min.z, d->max.z, d->periodic[2]));
}

/* The points' images with those of points inside the cell first; order[k] is the point of image k. Returns how many
 * lie inside. */
static size_t sort_images(const bl_domain_def *domain, const bl_points *points, bl_vec3d *images, size_t *order) {
    size_t inside = 0, outside = points->count;
    for (size_t i = 0; i < points->count; i++) {
        bl_vec3d image = image_of(domain, points->x[i]);
        bool moved = bl_v3d_norm(bl_v3d_sub(image, points->x[i])) > 0;
        size_t k = moved ? --outside : inside++;
        images[k] = image;
        order[k] = i;
    }
    return inside;
}

bl_status bl_drop_images(bl_context *ctx, const bl_scene *scene, double along, bl_point_list *list) {
    const bl_domain_def *domain = &scene->domain;
    size_t count = list->points.count;
    if (count == 0 || (!domain->periodic[0] && !domain->periodic[1] && !domain->periodic[2])) return BL_OK;
    bl_vec3d *images = bl_alloc(ctx, count, sizeof *images);
    size_t *order = bl_alloc(ctx, count, sizeof *order);
    bool *keep = bl_alloc(ctx, count, sizeof *keep), *kept = bl_alloc(ctx, count, sizeof *kept);
    bl_status status = images && order && keep && kept ? BL_OK : BL_ERR_MEMORY;
    if (status == BL_OK) {
        size_t inside = sort_images(domain, &list->points, images, order);
        for (size_t k = 0; k < count; k++) kept[k] = true;
        status = bl_points_thin(ctx, images, count, inside, IMAGE_DISTANCE * along, NULL, keep);
        for (size_t k = inside; k < count; k++) kept[order[k]] = keep[k - inside];
        if (status == BL_OK) bl_point_list_filter(list, 0, kept);
    }
    bl_release(ctx, kept);
    bl_release(ctx, keep);
    bl_release(ctx, order);
    bl_release(ctx, images);
    return status;
}
