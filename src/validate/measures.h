/* The measures: a finished run in, figures with the law's values and a curve out. Each in the file of its topic, with
 * the formulas it uses at its top. */
#ifndef BL_VALIDATE_MEASURES_H
#define BL_VALIDATE_MEASURES_H

#include "validate/trial.h"

/* X(name): the function is bl_measure_case_NAME. */
/* clang-format off */
#define BL_CASE_MEASURES(X) \
    X(drop) X(oscillation) X(roundness) X(conservation) X(pair) X(bounce) X(lens) X(taylor) X(connected) \
    X(film) X(retraction) X(jet) X(wave) \
    X(contact) X(perched) X(meniscus) X(bridge) X(hanging) X(friction) X(rise) X(pull_off) X(floating) X(plug) X(channel) X(hydrostatics) \
    X(leak)
/* clang-format on */

#define X(name) bl_status bl_measure_case_##name(bl_trial *trial);
BL_CASE_MEASURES(X)
#undef X

typedef bl_status (*bl_case_measure_fn)(bl_trial *trial);
bl_case_measure_fn bl_case_measure_find(const char *name); /* NULL: unknown */
void bl_case_measure_names(char *buffer, size_t size);     /* "drop, oscillation" */

#endif
