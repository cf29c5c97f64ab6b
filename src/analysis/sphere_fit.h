/* The sphere (in 2D the circle) nearest to given points. */
#ifndef BL_ANALYSIS_SPHERE_FIT_H
#define BL_ANALYSIS_SPHERE_FIT_H

#include "base/vec3.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct bl_sphere_fit {
    bool found; /* false: too few points, or all in a plane (on a line) */
    bl_vec3d center;
    double radius;
} bl_sphere_fit;
/* Least squares of the distances to the surface: an algebraic fit, bettered by Gauss-Newton steps. */
bl_sphere_fit bl_sphere_fit_points(int dimension, const bl_vec3d *x, size_t count);

#endif
