/* Where a picture is taken from. */
#ifndef BL_RENDER_CAMERA_H
#define BL_RENDER_CAMERA_H

#include "render/tracer.h"

typedef struct bl_camera {
    bl_vec3d origin, right, up, forward; /* unit axes */
    double half_height; /* perspective: tangent of half the field of view; orthographic: half the height seen */
    double aspect;      /* width / height */
    bool orthographic;
    double aperture; /* radius of the lens; 0: pinhole */
    double focus;    /* distance of the sharp plane along forward */
} bl_camera;

/* A camera at `origin` looking at `target`; `up` need not be perpendicular to the view. */
bl_camera bl_camera_look_at(bl_vec3d origin, bl_vec3d target, bl_vec3d up, double field_of_view, double aspect);
bl_camera bl_camera_flat(bl_vec3d min, bl_vec3d max, double aspect); /* orthographic onto the x-y plane */
/* Move the camera along its view so that the box fills `share` of the picture. */
void bl_camera_fit(bl_camera *camera, bl_vec3d min, bl_vec3d max, double share);
/* The ray through (x, y) in [0, 1]^2, from the upper left corner; `lens` is uniform in [0, 1)^2. */
bl_ray bl_camera_ray(const bl_camera *camera, double x, double y, const double lens[2]);

#endif
