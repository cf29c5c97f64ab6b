/* Per-particle quantities of the field: weight, own value, kernel shape. */
#ifndef BL_SURFACE_SAMPLES_H
#define BL_SURFACE_SAMPLES_H

#include "surface/field.h"

/* Fill field->weight and ->near, and ->form and ->spread where they are allocated. */
void bl_samples_measure(bl_context *ctx, bl_field *field);

/* The longest axis of a stretched kernel relative to the isotropic one: along a thread, the two others being a quarter
 * of it, at equal volume. */
#define BL_FORM_WIDEST 2.52f
/* The kernel of particle i after Yu and Turk 2013: axes along those of the particles around it, in these runs. `share`
 * is how much of the stretching is applied, 0 to 1. Returns the field at the particle if all kernels were like its
 * own. */
float bl_sample_form(bl_field *field, const bl_run *runs, int run_count, uint32_t i, float share);

#endif
