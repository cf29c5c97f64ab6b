/* A drop on a flat wall: contact angle, base, height, forces. */
#ifndef BL_ANALYSIS_CONTACT_H
#define BL_ANALYSIS_CONTACT_H

#include "analysis/liquid.h"
#include "analysis/wall.h"

/* Spherical caps (3D) and circular segments (2D) of radius 1 that meet the wall at `angle` (radians). */
double bl_cap_volume(int dimension, double angle); /* an area in 2D */
double bl_cap_center(int dimension, double angle); /* height of the centre of mass over the wall */

/* The angle of the cap with this volume and height of the centre of mass. It rises with the height; heights that no
 * cap has give 0 or pi. */
double bl_cap_angle_from_center(int dimension, double volume, double center_height);
/* The angle of the cap with this volume whose sphere has its centre at `sphere_height` over the wall. */
double bl_cap_angle_from_sphere(int dimension, double volume, double sphere_height);

typedef struct bl_contact_result {
    double angle;       /* radians: from volume and height of the centre of mass */
    double angle_fit;   /* radians: from the sphere through the surface particles further than 2h from the wall */
    double base_radius; /* of the wetted disc; half the wetted length in 2D */
    double height;      /* of the liquid over the wall, above its centre of mass */
    double load;        /* sum of the normal forces along the wall's normal; without a flat wall, of their magnitudes */
    double friction;    /* magnitude of the sum of friction forces */
} bl_contact_result;
/* Angles, base and height are NaN without a flat wall under the liquid. */
bl_status bl_measure_contact(bl_context *ctx, const bl_liquid *liquid, const bl_base *base, bl_contact_result *out);

#endif
