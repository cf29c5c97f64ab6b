/* What bodies touch, or may touch within a step. */
#include "rigid/body.h"

#include <math.h>

enum { MOST_TOUCHES = 16 };             /* of a body with an obstacle: more say nothing new */
static const double NORMAL_STEP = 1e-3; /* in spacings */
static const double ON_SURFACE = 0.1;   /* likewise */
static const double MARGIN = 1;         /* likewise; steps are limited so that nothing moves that far */

static bl_status add_touch(bl_rigid *r, bl_touch touch) {
    if (r->touch_count == r->touch_capacity) {
        int room = 2 * r->touch_capacity + 64;
        bl_touch *grown = bl_grow(r->ctx, r->touches, (size_t)r->touch_capacity, (size_t)room, sizeof *grown);
        if (!grown) return BL_ERR_MEMORY;
        r->touches = grown;
        r->touch_capacity = room;
    }
    r->touches[r->touch_count++] = touch;
    return BL_OK;
}

static void swap(bl_touch *touches, int i, int k) {
    bl_touch t = touches[i];
    touches[i] = touches[k];
    touches[k] = t;
}

/* Of the touches from `begin` on keep the deepest and those that are furthest from the ones kept: the corners of what
 * the body stands on. */
static void thin_touches(bl_rigid *r, int begin) {
    bl_touch *t = r->touches + begin;
    int count = r->touch_count - begin;
    if (count <= MOST_TOUCHES) return;
    for (int i = 1; i < count; i++)
        if (t[i].gap < t[0].gap) swap(t, 0, i);
    for (int i = 1; i < count; i++) t[i].push = (double)INFINITY; /* squared distance from those kept */
    for (int kept = 1; kept < MOST_TOUCHES; kept++) {
        int best = kept;
        for (int i = kept; i < count; i++) {
            t[i].push = fmin(t[i].push, bl_v3d_norm2(bl_v3d_sub(t[i].at, t[kept - 1].at)));
            if (t[i].push > t[best].push) best = i;
        }
        swap(t, kept, best);
    }
    for (int i = 0; i < MOST_TOUCHES; i++) t[i].push = 0;
    r->touch_count = begin + MOST_TOUCHES;
}

/* Of two rigid bodies the root of the product counts, of a body and a wall that of the body. */
static double friction_of(const bl_rigid *r, int a, int b) {
    double own = r->bodies[a].def->friction;
    return b < 0 ? own : sqrt(own * r->bodies[b].def->friction);
}

/* Over the nearest image of a body, where the domain is periodic. */
static bl_vec3d image_shift(const bl_scene *scene, bl_vec3d difference) {
    const double d[3] = {difference.x, difference.y, difference.z};
    const double *min = &scene->domain.min.x, *max = &scene->domain.max.x;
    double shift[3] = {0};
    for (int k = 0; k < 3; k++)
        if (scene->domain.periodic[k]) shift[k] = (max[k] - min[k]) * rint(d[k] / (max[k] - min[k]));
    return bl_v3d_make(shift[0], shift[1], shift[2]);
}

/* Distances of combined shapes may be too small: above the opening of a cup that is a difference they are those from a
 * lid. Where the surface should be, such a distance is not zero. */
static bool is_surface(const bl_rigid *r, const bl_obstacle *o, bl_vec3d x, bl_vec3d side) {
    return o->plane || fabs(bl_obstacle_distance(o, x, side)) < ON_SURFACE * r->spacing;
}

static bl_status touch_obstacle(bl_rigid *r, const bl_scene *scene, int a, const bl_obstacle *o, double inv_dt) {
    const bl_rigid_body *body = &r->bodies[a];
    const bl_pose *pose = o->body < 0 ? &r->from[o->boundary] : &r->bodies[o->body].now.pose;
    const bl_vec3d center = bl_body_center(&body->now.pose);
    bl_vec3d shift = o->body < 0 ? bl_v3d_zero() : image_shift(scene, bl_v3d_sub(center, bl_body_center(pose)));
    const bl_vec3d side = bl_pose_point_back(pose, bl_v3d_sub(center, shift));
    const double margin = MARGIN * r->spacing;
    if (bl_obstacle_distance(o, side, side) > body->reach + margin && !o->plane) return BL_OK;
    int begin = r->touch_count;
    for (int k = 0; k < body->feature_count; k++) {
        const bl_feature *f = &body->features[k];
        bl_vec3d x = bl_v3d_sub(bl_pose_point(&body->now.pose, f->rest), shift), local = bl_pose_point_back(pose, x);
        double gap = bl_obstacle_distance(o, local, side) - f->radius;
        if (!(gap < margin)) continue;
        bl_touch touch = {.a = a, .b = o->body, .gap = gap, .friction = friction_of(r, a, o->body)};
        const bl_vec3d away = bl_obstacle_normal(o, local, side, NORMAL_STEP * r->spacing);
        if (!(bl_v3d_norm2(away) > 0) || !is_surface(r, o, bl_v3d_mad(local, -gap - f->radius, away), side)) continue;
        touch.normal = bl_pose_direction(pose, away);
        touch.at = bl_v3d_mad(x, -f->radius, touch.normal);
        touch.arm_a = bl_v3d_sub(bl_v3d_add(touch.at, shift), center);
        if (o->body >= 0) touch.arm_b = bl_v3d_sub(touch.at, bl_body_center(pose));
        if (o->body < 0) {
            bl_vec3d rest = bl_pose_point_back(&r->from[o->boundary], touch.at);
            bl_vec3d way = bl_v3d_sub(bl_pose_point(&r->to[o->boundary], rest), touch.at);
            touch.wall = bl_v3d_scale(inv_dt, way);
        }
        if (add_touch(r, touch) != BL_OK) return BL_ERR_MEMORY;
    }
    thin_touches(r, begin);
    return BL_OK;
}

/* Two bodies that are both single balls would find the same touch twice. */
static bool is_double(const bl_rigid *r, int a, int b) {
    const bl_rigid_body *one = &r->bodies[a], *other = &r->bodies[b];
    return b < a && one->feature_count == 1 && other->feature_count == 1 && one->features[0].radius > 0 &&
           other->features[0].radius > 0;
}

bl_status bl_rigid_find_touches(bl_rigid *r, const bl_scene *scene, double dt) {
    r->touch_count = 0;
    bl_status status = BL_OK;
    for (int a = 0; a < r->count && !status; a++)
        for (int k = 0; k < r->obstacle_count && !status; k++) {
            const bl_obstacle *o = &r->obstacles[k];
            if (o->body == a || (o->body >= 0 && is_double(r, a, o->body))) continue;
            status = touch_obstacle(r, scene, a, o, 1 / dt);
        }
    return status;
}
