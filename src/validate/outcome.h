/* What a run of a case came to. */
#ifndef BL_VALIDATE_OUTCOME_H
#define BL_VALIDATE_OUTCOME_H

#include "beadlet/validate.h"
#include "validate/trial.h"

/* One run of a case with one scheme, over all seeds. */
typedef struct bl_outcome {
    const bl_case *c;
    const bl_case_run *run;
    const char *scheme;
    char *why;                                               /* it failed; NULL: it did not */
    double measured[BL_CASE_FIGURES], law[BL_CASE_FIGURES];  /* means over the seeds, by the case's figures */
    double error[BL_CASE_FIGURES], scatter[BL_CASE_FIGURES]; /* mean and standard deviation over the seeds */
    bl_trial_curve curve;                                    /* of the first seed */
    char *directory;                                         /* likewise */
} bl_outcome;

/* Runs (or finds) and measures. A failed run is an outcome with a reason; only interruption, memory and the disk make
 * this fail. The caller clears *out, also on failure. */
bl_status bl_outcome_make(bl_context *ctx, const bl_validate_def *def, bl_validate_stage *stage, bl_outcome *out);
void bl_outcome_clear(bl_context *ctx, bl_outcome *outcome);

/* Hash of the sources that make the results (generated when building), and of compiler and flags. */
extern const char bl_code_hash[];

#endif
