/* The light around a scene: an infinitely far dome with soft boxes on it. */
#ifndef BL_RENDER_LIGHT_H
#define BL_RENDER_LIGHT_H

#include "render/optics.h"

/* A rectangular lamp seen in the directions unit(axis + a right + b up), -1 <= a, b <= 1; it fades towards its edge. */
typedef struct bl_softbox {
    bl_vec3d axis, right, up; /* axis of unit length, the others perpendicular to it */
    bl_vec3d radiance;
} bl_softbox;

enum { BL_SOFTBOX_MAX = 4, BL_FADE_STEPS = 8 };
typedef struct bl_light {
    bl_vec3d up;
    bl_vec3d zenith, horizon, nadir; /* radiance of the dome */
    int box_count;
    bl_softbox boxes[BL_SOFTBOX_MAX];
    double share[BL_SOFTBOX_MAX]; /* of each box in the power of all */
    /* how the fading rim of a box is sampled: half widths that cut its light into equal parts */
    double rim[BL_FADE_STEPS + 1];
    double profile; /* integral of a box's profile over its 2 x 2 square */
} bl_light;

/* name: "studio", "sky", "white", "black", or "diagram" (even light for particles coloured by values). `forward` is the
 * horizontal direction the camera looks in: the boxes stand relative to it. Unknown names are false. */
bool bl_light_make(const char *name, bl_vec3d up, bl_vec3d forward, bl_light *out);

bl_vec3d bl_light_dome(const bl_light *light, bl_vec3d dir);
bl_vec3d bl_light_all(const bl_light *light, bl_vec3d dir); /* dome and boxes */

/* A box for u in [0, 1), by power; *chance is how often it comes. There must be one. */
int bl_light_choose(const bl_light *light, double u, double *chance);
/* A direction to box `box`; *weight = radiance over probability density (per solid angle). */
bl_vec3d bl_light_sample(const bl_light *light, int box, const double u[2], bl_vec3d *weight);

#endif
