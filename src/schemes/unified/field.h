/* The tension of a liquid as the energy of its field (physics/field.h), on a lattice of nodes.
 *
 * The lattice stands at another place in every step: what a sum over nodes makes of an integral depends on where they
 * are, and a liquid would be held by nodes that stay. Places follow from the number of the step, so runs can be
 * repeated and resumed to the bit. */
#ifndef BL_SCHEMES_UNIFIED_FIELD_H
#define BL_SCHEMES_UNIFIED_FIELD_H

#include "physics/calibration.h"
#include "physics/field.h"
#include "schemes/unified/node_tiles.h"

/* The law of a kernel, energies per area 1. */
bl_field_law bl_field_law_of(const bl_kernel *kernel, int dimension);

typedef struct bl_field bl_field;

/* What the tension of a step is made from. Wall arrays may be NULL if there are no walls. */
typedef struct bl_field_input {
    double gamma; /* all other energies are over this one */
    int liquid_count;
    bl_field_liquid liquids[BL_MAX_PHASES];
    uint64_t turn; /* chooses the place of the lattice */
    size_t count;
    const bl_vec3 *x;
    const uint32_t *phase; /* NULL: all are liquid 0 */
    size_t wall_count;
    const bl_vec3 *wall_x;
    const real *wall_volume;
    const uint32_t *wall_body;
    const double *wetting; /* gamma cos(theta) of each body */
    bool even;             /* all of them have the same */
} bl_field_input;

/* period: 0 in open directions; `low`: where a period begins. */
bl_status bl_field_create(bl_context *ctx, int dimension, double h, const double period[3], const double low[3],
                          bl_field **out);
void bl_field_destroy(bl_context *ctx, bl_field *field);
/* Forces on the liquid, and the energy; that of dry walls is left out. With what walls bear their sum is zero to
 * rounding, and so is their moment where no direction is periodic; not where walls of different wetting meet: what
 * draws liquid from one to the other is not counted among the forces on them. */
bl_status bl_field_forces(bl_context *ctx, bl_field *field, const bl_field_input *in, bl_vec3 *force, double *energy);
/* The last forces on the points of walls; NULL: there are no walls. */
const bl_vec3 *bl_field_wall_forces(const bl_field *field);
/* Adds the virials of the last forces over the dimension and the volume of a particle: the field's part of the
 * pressure. */
void bl_field_virials(const bl_field *field, double volume, real *virial);

#endif
