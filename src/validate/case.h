/* A validation case: the folder cases/NAME with case.yaml, its scenes, and recorded.yaml.
 *
 *   case.yaml      title, law, source; a scene; the runs with their overrides; the figures with their aims
 *   recorded.yaml  what was reached before, by scheme, run and figure; written by `beadlet validate --record`
 *
 * The measure, a C function named by the case, turns a run into figures and the law's values for them. */
#ifndef BL_VALIDATE_CASE_H
#define BL_VALIDATE_CASE_H

#include "base/arena.h"
#include "base/context.h"

enum { BL_CASE_FIGURES = 8 };

typedef enum bl_error_kind {
    BL_ERROR_RATIO,      /* measured/law - 1 */
    BL_ERROR_DIFFERENCE, /* measured - law */
} bl_error_kind;

/* What is judged. */
typedef struct bl_case_figure {
    char *name, *label;
    bl_error_kind error;
    double aim;    /* largest |error|; negative: none */
    double margin; /* |error| may exceed the recorded one by this, or by 3 times the scatter if that is more */
} bl_case_figure;

typedef enum bl_case_size { BL_CASE_QUICK, BL_CASE_FULL } bl_case_size;

typedef struct bl_case_run {
    char *name, *label;
    char *group;       /* runs of a group make one curve in the plot of errors */
    double x;          /* place on the axis of the sweep; 0: none */
    bl_case_size size; /* quick runs belong to the full set too */
    char *scene;       /* NULL: the case's */
    int set_count;
    char **set;                   /* overrides "key.path=value" */
    double aims[BL_CASE_FIGURES]; /* of the case's figures: its own, or the run's; negative: none */
    bool skips[BL_CASE_FIGURES];  /* figures that this run has nothing to say about */
    int parameter_count;          /* numbers for the measure */
    char **parameter_names;
    double *parameters;
} bl_case_run;

/* A figure of several runs together. It is left out where one of its runs is not of the chosen size. */
typedef enum bl_summary_kind {
    BL_SUMMARY_SPREAD,     /* (largest - smallest)/mean of measured/law */
    BL_SUMMARY_MEAN,       /* mean of measured/law */
    BL_SUMMARY_HALF_SWING, /* (largest - smallest)/2 of measured/law */
    BL_SUMMARY_EXPONENT,   /* slope of log measured over log x */
    BL_SUMMARY_RATIO,      /* measured/law of the first run over that of the second */
    BL_SUMMARY_DIFFERENCE  /* measured of the first run minus that of the second */
} bl_summary_kind;
typedef struct bl_case_summary {
    char *name, *label;
    char *of; /* figure */
    bl_summary_kind kind;
    double law, aim, margin; /* the error is the difference to the law */
    int run_count;           /* of these runs; 0: of all */
    char **runs;
} bl_case_summary;

typedef struct bl_recorded {
    const char *scheme, *run, *figure;
    double error, scatter; /* error NaN: the run failed */
} bl_recorded;

typedef struct bl_case {
    char *name; /* of the folder */
    char *dir;
    char *title, *law, *source, *note, *scene, *measure;
    char *sweep; /* what x is: "R/h" */
    int figure_count;
    bl_case_figure *figures;
    int run_count;
    bl_case_run *runs;
    int summary_count;
    bl_case_summary *summaries;
    int recorded_count;
    bl_recorded *recorded;
    bl_arena *memory; /* everything above */
} bl_case;

/* The case in the folder `dir`. Mistakes are reported through the log with their places, as for scenes. */
bl_status bl_case_load(bl_context *ctx, const char *dir, bl_case *out);
void bl_case_clear(bl_case *c); /* a zeroed one is fine */

/* NULL: nothing is recorded. */
const bl_recorded *bl_case_find_recorded(const bl_case *c, const char *scheme, const char *run, const char *figure);
/* Lay `count` entries over the case's recorded figures and write CASE/recorded.yaml. */
bl_status bl_case_record(bl_context *ctx, const bl_case *c, const bl_recorded *entries, int count);

#endif
