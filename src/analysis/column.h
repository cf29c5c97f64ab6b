/* The level of a liquid in a tank, a tube or between plates. */
#ifndef BL_ANALYSIS_COLUMN_H
#define BL_ANALYSIS_COLUMN_H

#include "analysis/liquid.h"

typedef struct bl_column_result {
    double height;        /* mean level of the upper surface over the bottom of the liquid */
    double bottom;        /* coordinate of that bottom along `up` */
    double cross_section; /* of the column: an area, a length in 2D */
} bl_column_result;
/* `up` is a unit vector. With A the cross-section at three quarters of the way from the lowest to the highest particle,
 * and V the volume above that level z, the height is z + V/A: the volume of the column over its area, whatever the
 * shape of the meniscus, and whatever the liquid does below (a reservoir, a bend). The meniscus has to lie above z. */
bl_status bl_measure_column(bl_context *ctx, const bl_liquid *liquid, bl_vec3d up, bl_column_result *out);

#endif
