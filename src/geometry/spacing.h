/* How evenly points lie: statistics of the distance to the nearest neighbour. */
#ifndef BL_GEOMETRY_SPACING_H
#define BL_GEOMETRY_SPACING_H

#include "geometry/geometry.h"

typedef struct bl_spacing {
    double least, mean, deviation; /* in units of h; a neighbour farther than 2 h counts as 2 h away */
} bl_spacing;

bl_status bl_spacing_measure(bl_context *ctx, const bl_points *points, double h, bl_spacing *out);

#endif
