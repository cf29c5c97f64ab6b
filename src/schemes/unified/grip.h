/* What the field presses liquid to walls with.
 *
 * The field's force on a wall reaches further than neighbour lists do: at a contact line half of it acts on points that
 * no liquid at the wall has in its list. So its normal part is shared out by a wider kernel: what a point of the wall
 * bears goes to the liquid at walls around it, all of it, by weights (1 - (r/reach)^2)^3. */
#ifndef BL_SCHEMES_UNIFIED_GRIP_H
#define BL_SCHEMES_UNIFIED_GRIP_H

#include "schemes/unified/node_tiles.h"

typedef struct bl_grip bl_grip;

typedef struct bl_grip_input {
    size_t count, wall_count;
    const bl_vec3 *x, *wall_x, *wall_normal, *wall_force;
    const real *at_wall; /* > 0: this particle is at a wall */
} bl_grip_input;

/* period: 0 in open directions; `low`: where a period begins. */
bl_status bl_grip_create(bl_context *ctx, int dimension, double h, const double period[3], const double low[3],
                         bl_grip **out);
void bl_grip_destroy(bl_context *ctx, bl_grip *grip);
/* The load of each particle, in N; negative where it is pulled off. 0 away from walls. */
bl_status bl_grip_share(bl_context *ctx, bl_grip *grip, const bl_grip_input *in, real *load);

#endif
