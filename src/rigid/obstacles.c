/* What touches, and what is touched: points of the surfaces of bodies against the shapes themselves. Surfaces are those
 * of the scene, not of their particles, so that a ball rolls on a plane as on a plane. */
#include "geometry/geometry.h"
#include "rigid/body.h"

#include <math.h>

/* --- features --- */

static bl_status add_feature(bl_context *ctx, bl_rigid_body *b, bl_feature feature) {
    size_t n = (size_t)b->feature_count;
    if ((n & (n - 1)) == 0) { /* full at powers of two */
        bl_feature *grown = bl_grow(ctx, b->features, n, n ? 2 * n : 1, sizeof *grown);
        if (!grown) return BL_ERR_MEMORY;
        b->features = grown;
    }
    b->features[b->feature_count++] = feature;
    return BL_OK;
}

/* The samples of a surface leave corners out. */
static bl_status add_corners(bl_context *ctx, bl_rigid_body *b, const bl_solid *box) {
    bl_status status = BL_OK;
    bool flat = box->dimension == 2;
    for (int k = 0; k < (flat ? 4 : 8) && !status; k++) {
        bl_vec3d corner = bl_v3d_make(k & 1 ? box->a.x : -box->a.x, k & 2 ? box->a.y : -box->a.y,
                                      flat    ? 0
                                      : k & 4 ? box->a.z
                                              : -box->a.z);
        status = add_feature(ctx, b, (bl_feature){bl_frame_to_world(&box->frame, corner), 0});
    }
    return status;
}

static bl_status add_samples(bl_context *ctx, const bl_scene *scene, const bl_shape *shape, bl_rigid_body *b) {
    bl_points points;
    bl_status status = bl_sample_surface(ctx, scene, shape, 1, (uint64_t)b->boundary, &points);
    for (size_t k = 0; k < points.count && !status; k++) status = add_feature(ctx, b, (bl_feature){points.x[k], 0});
    bl_points_clear(ctx, &points);
    return status;
}

bl_status bl_body_find_features(bl_context *ctx, const bl_scene *scene, bl_rigid_body *b) {
    const bl_boundary *boundary = &scene->boundaries[b->boundary];
    bl_status status = BL_OK;
    for (int k = 0; k < boundary->shape_count && !status; k++) {
        bl_solid *solid;
        status = bl_solid_create(ctx, &boundary->shapes[k], scene->dimension, &solid);
        if (status) return status;
        if (solid->kind == BL_SHAPE_SPHERE && solid->frame.similar) {
            status = add_feature(ctx, b, (bl_feature){solid->frame.origin, solid->radius * solid->frame.stretch});
        } else {
            if (solid->kind == BL_SHAPE_BOX) status = add_corners(ctx, b, solid);
            if (!status) status = add_samples(ctx, scene, &boundary->shapes[k], b);
        }
        bl_solid_destroy(ctx, solid);
    }
    for (int k = 0; k < b->feature_count; k++)
        b->reach = fmax(b->reach, bl_v3d_norm(bl_v3d_sub(b->features[k].rest, b->mass.center)) + b->features[k].radius);
    return status;
}

/* --- obstacles --- */

static int body_of(const bl_rigid *rigid, int boundary) {
    for (int k = 0; k < rigid->count; k++)
        if (rigid->bodies[k].boundary == boundary) return k;
    return -1;
}

static bl_status add_solid(bl_rigid *rigid, bl_obstacle *obstacle, bl_solid *solid) {
    size_t n = (size_t)obstacle->solid_count;
    bl_solid **grown = bl_grow(rigid->ctx, obstacle->solids, n, n + 1, sizeof *grown);
    if (!grown) return BL_ERR_MEMORY;
    grown[n] = solid;
    obstacle->solids = grown;
    obstacle->solid_count++;
    return BL_OK;
}

static bl_obstacle *new_obstacle(bl_rigid *rigid, int boundary, bool plane) {
    size_t n = (size_t)rigid->obstacle_count;
    bl_obstacle *grown = bl_grow(rigid->ctx, rigid->obstacles, n, n + 1, sizeof *grown);
    if (!grown) return NULL;
    rigid->obstacles = grown;
    grown[n] = (bl_obstacle){.plane = plane, .boundary = boundary, .body = body_of(rigid, boundary)};
    rigid->obstacle_count++;
    return &grown[n];
}

static bl_status add_boundary(bl_rigid *rigid, const bl_scene *scene, int boundary) {
    const bl_boundary *b = &scene->boundaries[boundary];
    int whole = -1; /* the obstacle that is the union of its solids */
    for (int k = 0; k < b->shape_count; k++) {
        bl_solid *solid;
        bl_status status = bl_solid_create(rigid->ctx, &b->shapes[k], scene->dimension, &solid);
        if (status) return status;
        bool plane = solid->kind == BL_SHAPE_PLANE;
        bl_obstacle *obstacle = plane || whole < 0 ? new_obstacle(rigid, boundary, plane) : &rigid->obstacles[whole];
        if (obstacle && !plane) whole = (int)(obstacle - rigid->obstacles);
        status = obstacle ? add_solid(rigid, obstacle, solid) : BL_ERR_MEMORY;
        if (status) {
            bl_solid_destroy(rigid->ctx, solid);
            return status;
        }
    }
    return BL_OK;
}

bl_status bl_rigid_find_obstacles(bl_rigid *rigid, const bl_scene *scene) {
    bl_status status = BL_OK;
    for (int b = 0; b < scene->boundary_count && !status; b++)
        if (!scene->boundaries[b].elastic.given) status = add_boundary(rigid, scene, b);
    return status;
}

void bl_rigid_clear_obstacles(bl_rigid *rigid) {
    for (int k = 0; k < rigid->obstacle_count; k++) {
        for (int s = 0; s < rigid->obstacles[k].solid_count; s++)
            bl_solid_destroy(rigid->ctx, rigid->obstacles[k].solids[s]);
        bl_release(rigid->ctx, rigid->obstacles[k].solids);
    }
    bl_release(rigid->ctx, rigid->obstacles);
}

/* --- distances --- */

/* Beyond the edge of a sheet there is nothing to touch. */
static double plane_distance(const bl_solid *plane, bl_vec3d x, bl_vec3d side) {
    double height = bl_v3d_dot(bl_v3d_sub(x, plane->a), plane->b);
    if (bl_solid_distance(plane, x) > fabs(height) * (1 + 1e-9) + 1e-12) return (double)INFINITY;
    return bl_v3d_dot(bl_v3d_sub(side, plane->a), plane->b) < 0 ? -height : height;
}

double bl_obstacle_distance(const bl_obstacle *o, bl_vec3d x, bl_vec3d side) {
    if (o->plane) return plane_distance(o->solids[0], x, side);
    double d = (double)INFINITY;
    for (int k = 0; k < o->solid_count; k++) d = fmin(d, bl_solid_distance(o->solids[k], x));
    return d;
}

bl_vec3d bl_obstacle_normal(const bl_obstacle *o, bl_vec3d x, bl_vec3d side, double step) {
    const bl_solid *nearest = o->solids[0];
    if (o->plane) return bl_v3d_scale(bl_v3d_dot(bl_v3d_sub(side, nearest->a), nearest->b) < 0 ? -1 : 1, nearest->b);
    double d = (double)INFINITY;
    for (int k = 0; k < o->solid_count; k++) {
        double one = bl_solid_distance(o->solids[k], x);
        if (one < d) d = one, nearest = o->solids[k];
    }
    return bl_solid_normal(nearest, x, step);
}
