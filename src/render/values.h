/* Numbers of particles to colour them by. */
#ifndef BL_RENDER_VALUES_H
#define BL_RENDER_VALUES_H

#include "output/frame.h"

/* Values of `field` for every particle of the frame: "p", "v" (length of a vector) or "v.x" (a component). The caller
 * releases *out. An unknown field is BL_ERR_USAGE with the list of fields. */
bl_status bl_values_read(bl_context *ctx, const bl_frame *frame, const char *field, double **out);
const char *bl_values_unit(const char *field); /* "" if the field is none of this library's */

/* Values below which `share` of the `count` numbers lie; reorders them. NaN without numbers. */
double bl_quantile(double *values, size_t count, double share);

#endif
