/* Constants of a run, as text in front of the kernels' source: the compiler then works with the numbers themselves, and
 * leaves out what cannot happen. They are written in hexadecimal, so that no bit is lost. */
#include "backends/opencl/opencl.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* What is behind the facts is nothing but numbers. */
enum { NUMBERS_FROM = offsetof(bl_params, period), NUMBERS = (sizeof(bl_params) - NUMBERS_FROM) / sizeof(real) };
_Static_assert(offsetof(bl_params, steady) == (BL_CL_FACTS - 1) * sizeof(int), "the facts come first");
_Static_assert(NUMBERS_FROM + NUMBERS * sizeof(real) == sizeof(bl_params), "behind the facts there are only numbers");

enum { PHASE_NUMBERS = sizeof(bl_phase_params) / sizeof(real) };
_Static_assert(PHASE_NUMBERS * sizeof(real) == sizeof(bl_phase_params), "a phase has only numbers");

static bool all_finite(const void *data, size_t count) {
    real number;
    for (size_t k = 0; k < count; k++) {
        memcpy(&number, (const char *)data + k * sizeof number, sizeof number);
        if (!isfinite(number)) return false;
    }
    return true;
}

bool bl_cl_can_know(const bl_view *view) {
    const int phases = view->par->n_phases;
    return phases > 0 && all_finite((const char *)view->par + NUMBERS_FROM, NUMBERS) &&
           all_finite(view->fluids, (size_t)phases * PHASE_NUMBERS);
}

void bl_cl_know(const bl_view *view, bl_cl_known *known) {
    memset(known, 0, sizeof *known);
    memcpy(&known->par, view->par, sizeof known->par);
    if (view->par->steady) memcpy(known->fluids, view->fluids, (size_t)view->par->n_phases * sizeof known->fluids[0]);
}

static void add_number(bl_text *text, real number) {
    bl_text_add(text, sizeof number == sizeof(float) ? "%af," : "%a,", (double)number);
}

static void add_numbers(bl_text *text, const void *data, size_t count) {
    real number;
    for (size_t k = 0; k < count; k++) {
        memcpy(&number, (const char *)data + k * sizeof number, sizeof number);
        add_number(text, number);
    }
}

void bl_cl_add_known(const bl_device *d, bl_text *text) {
    const bl_params *par = &d->known.par;
    bl_text_add(text, "#define BL_KNOWN\n");
#define X(name) bl_text_add(text, "#define BL_FACT_" #name " %d\n", par->name);
    BL_FACTS(X)
#undef X
    bl_text_add(text, "#define KNOWN_PARAMS ");
#define X(name) bl_text_add(text, "%d,", par->name);
    BL_FACTS(X)
#undef X
    add_numbers(text, (const char *)par + NUMBERS_FROM, NUMBERS);
    if (par->steady) {
        bl_text_add(text, "\n#define KNOWN_FLUIDS ");
        add_numbers(text, d->known.fluids, (size_t)par->n_phases * PHASE_NUMBERS);
    }
    bl_text_add(text, "\n");
}
