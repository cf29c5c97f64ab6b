/* Outcomes to rows: errors against aims and against what was reached before. */
#ifndef BL_VALIDATE_JUDGE_H
#define BL_VALIDATE_JUDGE_H

#include "validate/outcome.h"

/* A case with all its outcomes: [scheme][run], runs of the chosen size only. */
typedef struct bl_case_result {
    bl_case c;
    int scheme_count, run_count; /* outcome_count = scheme_count * run_count */
    int outcome_count;           /* made so far */
    bl_outcome *outcomes;
    int row_count;
    /* Figures of the runs, then summaries; texts belong to the case and the outcomes. Those that a run skips stand
     * there with figure = NULL. */
    bl_validate_row *rows;
} bl_case_result;

/* Fills result->rows. */
bl_status bl_judge_case(bl_context *ctx, bl_case_result *result);

/* Order of convergence of a figure in a group of runs with one scheme: the errors fall as x^-order. NaN with fewer
 * than two runs. */
double bl_judge_order(const bl_case_result *result, const char *scheme, int figure, const char *group);
/* The sweep of the case is one of resolutions ("R/h"). */
bool bl_case_has_order(const bl_case *c);

#endif
