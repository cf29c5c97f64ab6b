/* What is measured: the particles of one fluid, or of all fluids, at one time, as plain arrays in SI units.
 *
 * Measurements read these arrays and nothing else, so a test may fill them by hand. Every particle stands for the
 * volume h^dim. A number that cannot be had (no particles, a field that was not written) is NaN. */
#ifndef BL_ANALYSIS_LIQUID_H
#define BL_ANALYSIS_LIQUID_H

#include "base/context.h"
#include "base/vec3.h"
#include "output/reader.h"

typedef struct bl_liquid {
    int dimension; /* 2 or 3 */
    double h;      /* spacing */
    size_t count;
    bl_vec3d *x;
    double *mass;
    /* Those below may be NULL. */
    bl_vec3d *v;
    bl_vec3d *f_n, *f_fr; /* normal and friction forces of walls */
    double *p;
    double *virial; /* of pressure and tension together, Pa */
    double *s_fv;   /* above 1/2: at the free surface */
} bl_liquid;

/* Frame `number` of fluid `set`, or of all fluids with set = -1. The caller clears *out. */
bl_status bl_liquid_load(const bl_reader *reader, int set, int number, bl_liquid *out);
void bl_liquid_clear(bl_context *ctx, bl_liquid *liquid); /* a zeroed one is fine */

double bl_liquid_volume(const bl_liquid *liquid);   /* N h^dim: an area in 2D */
double bl_liquid_radius(const bl_liquid *liquid);   /* of the ball or disc of that volume */
bl_vec3d bl_liquid_center(const bl_liquid *liquid); /* of mass */

typedef struct bl_pressure_result {
    double radius;
    double mean; /* of p over all particles */
    double core; /* of the virials within max(R - 4h, R/2) of the centre of mass */
} bl_pressure_result;
bl_pressure_result bl_measure_pressure(const bl_liquid *liquid);

typedef struct bl_motion_result {
    double speed_center; /* of the centre of mass */
    double speed_max;
    double kinetic_energy; /* per metre of depth in 2D */
} bl_motion_result;
bl_motion_result bl_measure_motion(const bl_liquid *liquid);

#endif
