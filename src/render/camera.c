#include "render/camera.h"
#include "render/optics.h"
#include <math.h>

bl_camera bl_camera_look_at(bl_vec3d origin, bl_vec3d target, bl_vec3d up, double field_of_view, double aspect) {
    bl_camera c = {.origin = origin, .aspect = aspect, .half_height = tan(field_of_view / 2)};
    bl_vec3d view = bl_v3d_sub(target, origin), side, other;
    c.focus = bl_v3d_norm(view);
    c.forward = c.focus > 0 ? bl_v3d_scale(1 / c.focus, view) : bl_v3d_make(0, 1, 0);
    side = bl_v3d_cross(c.forward, up);
    if (bl_v3d_norm(side) > 1e-9 * bl_v3d_norm(up))
        c.right = bl_v3d_unit(side);
    else /* looking straight up or down */
        bl_frame_around(c.forward, &c.right, &other);
    c.up = bl_v3d_cross(c.right, c.forward);
    return c;
}

bl_camera bl_camera_flat(bl_vec3d min, bl_vec3d max, double aspect) {
    bl_vec3d middle = bl_v3d_scale(0.5, bl_v3d_add(min, max));
    double depth = 4 * bl_v3d_norm(bl_v3d_sub(max, min)) + 1;
    bl_camera c = {.origin = bl_v3d_add(middle, bl_v3d_make(0, 0, depth)),
                   .right = {1, 0, 0},
                   .up = {0, 1, 0},
                   .forward = {0, 0, -1},
                   .aspect = aspect,
                   .orthographic = true,
                   .focus = depth};
    c.half_height = fmax((max.y - min.y) / 2, (max.x - min.x) / 2 / aspect);
    return c;
}

static bl_vec3d corner(bl_vec3d min, bl_vec3d max, int k) {
    return bl_v3d_make(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
}

void bl_camera_fit(bl_camera *camera, bl_vec3d min, bl_vec3d max, double share) {
    bl_vec3d middle = bl_v3d_scale(0.5, bl_v3d_add(min, max));
    double distance = 0;
    for (int k = 0; k < 8; k++) {
        bl_vec3d d = bl_v3d_sub(corner(min, max, k), middle);
        double x = fabs(bl_v3d_dot(d, camera->right)) / camera->aspect, y = fabs(bl_v3d_dot(d, camera->up));
        distance = fmax(distance, fmax(x, y) / (share * camera->half_height) - bl_v3d_dot(d, camera->forward));
    }
    camera->origin = bl_v3d_mad(middle, -distance, camera->forward);
    camera->focus = distance;
}

bl_ray bl_camera_ray(const bl_camera *camera, double x, double y, const double lens[2]) {
    double sx = (2 * x - 1) * camera->half_height * camera->aspect, sy = (1 - 2 * y) * camera->half_height;
    bl_vec3d across = bl_v3d_mad(bl_v3d_scale(sx, camera->right), sy, camera->up);
    if (camera->orthographic) return (bl_ray){bl_v3d_add(camera->origin, across), camera->forward, 0, HUGE_VAL, 0.5};
    bl_vec3d dir = bl_v3d_add(camera->forward, across), origin = camera->origin;
    if (camera->aperture > 0) {
        double r = camera->aperture * sqrt(lens[0]), phi = 2 * 3.14159265358979323846 * lens[1];
        bl_vec3d sharp = bl_v3d_mad(origin, camera->focus, dir);
        origin = bl_v3d_mad(bl_v3d_mad(origin, r * cos(phi), camera->right), r * sin(phi), camera->up);
        dir = bl_v3d_sub(sharp, origin);
    }
    return (bl_ray){origin, bl_v3d_unit(dir), 0, HUGE_VAL, 0.5};
}
