/* Cases with known answers: run, measured, compared with the law and with what was reached before. */
#ifndef BEADLET_VALIDATE_H
#define BEADLET_VALIDATE_H

#include "beadlet/context.h"
#include "beadlet/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a figure stands. The first of these that applies. */
typedef enum bl_verdict {
    BL_VERDICT_WORSE,  /* further off than the recorded figure and its margin, or failed where one is recorded */
    BL_VERDICT_FAILED, /* the run ended early, or the figure cannot be had */
    BL_VERDICT_MISSED, /* the aim is not reached */
    BL_VERDICT_MET,
    BL_VERDICT_NO_AIM /* too coarse a run for the aim */
} bl_verdict;
BL_API const char *bl_verdict_text(bl_verdict verdict); /* "met" */

/* One figure of one run. Texts are valid during the call only; numbers that do not exist are NaN. */
typedef struct bl_validate_row {
    const char *case_name, *run, *scheme, *figure;
    const char *label;        /* of the figure: "core pressure" */
    const char *why;          /* it failed; NULL: it did not */
    double measured, law;     /* SI, angles in degrees */
    double error;             /* measured/law - 1, or measured - law, as the case says */
    bool relative;            /* the error is a ratio */
    double aim;               /* largest |error| that is good */
    double recorded, allowed; /* |error| reached before, and how large it may be now */
    double scatter;           /* standard deviation over seeds */
    bl_verdict verdict;
} bl_validate_row;
typedef void (*bl_validate_row_fn)(void *user, const bl_validate_row *row);

/* What is going on: a run begins (progress NULL) or has taken a step. */
typedef struct bl_validate_stage {
    const char *case_name, *run, *scheme;
    int number, count; /* of the run, from 1, and of all runs */
    bool reused;       /* a run of the same inputs is there already */
    const bl_progress *progress;
} bl_validate_stage;
typedef void (*bl_validate_stage_fn)(void *user, const bl_validate_stage *stage);

/* All pointers are borrowed. */
typedef struct bl_validate_def {
    const char *cases;        /* folder with the cases; default NULL: "cases" here, else those that are installed */
    const char *const *names; /* which of them; default none: all */
    int name_count;
    const char *const *schemes; /* default none: "unified" */
    int scheme_count;
    bool full;                              /* all runs; default false: the quick ones */
    int seeds;                              /* repeat every run with this many seeds and judge the mean; default 1 */
    bool record;                            /* write what was reached to CASE/recorded.yaml; default false */
    const char *directory;                  /* of the runs; default "out/validate" */
    const char *json, *html;                /* files to write; default NULL: none */
    bl_validate_row_fn row;                 /* called for each figure when its case is done; default NULL */
    bl_validate_stage_fn stage;             /* default NULL */
    void *user;                             /* of both */
    const volatile sig_atomic_t *interrupt; /* as for bl_run; default NULL */
} bl_validate_def;
BL_API bl_validate_def bl_default_validate_def(void);

/* How many figures stand how, by bl_verdict. */
typedef struct bl_validate_result {
    int counts[BL_VERDICT_NO_AIM + 1];
} bl_validate_result;

/* Runs the cases. A run whose scene, code and precision are those of a finished one in `directory` is not repeated. A
 * failed run is a row of the result, not an error; BL_INTERRUPTED, bad case files and full disks are. */
BL_API bl_status bl_validate(bl_context *ctx, const bl_validate_def *def, bl_validate_result *result);

/* Calls `fn` with the name and title of each case, in the order of their names. */
typedef void (*bl_case_fn)(void *user, const char *name, const char *title, const char *law);
BL_API bl_status bl_validate_list(bl_context *ctx, const char *cases, bl_case_fn fn, void *user);

#ifdef __cplusplus
}
#endif
#endif
