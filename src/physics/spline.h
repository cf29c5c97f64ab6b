/* Quadratic B-splines of a grid (eq. 6 of Hyde et al. 2020): the weights of the three nodes around a point along one
 * axis. `f` is how far the point is from the nearest of them, in steps of the grid: -1/2 to 1/2. The nodes are at -1, 0
 * and 1. Weights add up to 1, and weighted places to f; so do their slopes to 0 and 1. */
#ifndef BL_PHYSICS_SPLINE_H
#define BL_PHYSICS_SPLINE_H

#include "base/real.h"

static inline void bl_spline_weights(real f, real w[3]) {
    const real a = BL_R(0.5) - f, b = BL_R(0.5) + f;
    w[0] = BL_R(0.5) * a * a;
    w[1] = BL_R(0.75) - f * f;
    w[2] = BL_R(0.5) * b * b;
}

/* Derivatives to the place of the point, times the step of the grid. */
static inline void bl_spline_slopes(real f, real d[3]) {
    d[0] = f - BL_R(0.5);
    d[1] = -2 * f;
    d[2] = f + BL_R(0.5);
}

#endif
