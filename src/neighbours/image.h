/* The difference of two positions, over the nearest periodic image (C11 and OpenCL C 1.2).
 *
 * The search and the passes use this one function, so that a pair is in the lists exactly if the pass finds it closer
 * than the radius. image(a - b) is exactly -image(b - a), hence the lists are symmetric to the last bit. */
#ifndef BL_NEIGHBOURS_IMAGE_H
#define BL_NEIGHBOURS_IMAGE_H

#include "base/vec3.h"

/* Zero in directions that are not periodic. */
typedef struct bl_period {
    bl_vec3 length, inv_length;
} bl_period;

static inline real bl_nearest_image(real d, real length, real inv_length) {
    return d - length * BL_RINT(d * inv_length);
}

static inline bl_vec3 bl_difference(bl_vec3 a, bl_vec3 b, bl_period period) {
    bl_vec3 d;
    d.x = bl_nearest_image(a.x - b.x, period.length.x, period.inv_length.x);
    d.y = bl_nearest_image(a.y - b.y, period.length.y, period.inv_length.y);
    d.z = bl_nearest_image(a.z - b.z, period.length.z, period.inv_length.z);
    return d;
}

#endif
