/* Plots of what a run recorded. */
#ifndef BEADLET_PLOT_H
#define BEADLET_PLOT_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of series.csv, or measurements (beadlet/measure.h), against each other, for one or several runs. All pointers
 * are borrowed. */
typedef struct bl_plot_def {
    const char *const *sources; /* directories of runs; .csv files with a header line; .json, .jsonl or .ndjson files of
                                   measurements */
    int source_count;
    const char *x;           /* column; default "time" */
    const char *y;           /* columns, separated by commas; default "energy_kinetic". "contact.angle" and so on are
                                measured in all frames of a run */
    const char *fluid;       /* measure only this fluid; default NULL: all together */
    bool log_x, log_y;       /* default false */
    const char *const *laws; /* formulas of x (or t) drawn beside: "0.02*exp(-t/0.1)"; default none */
    int law_count;
    double x_min, x_max, y_min, y_max; /* NaN: from the data; the default */
    const char *title;                 /* default NULL: none */
    int width, height;                 /* default 640 x 400; a PNG has twice as many pixels each way */
    const char *out;                   /* .svg or .png; default "plot.svg" */
} bl_plot_def;

BL_API bl_plot_def bl_default_plot_def(void);

/* A missing run or column is an error that lists the columns there are. */
BL_API bl_status bl_plot_runs(bl_context *ctx, const bl_plot_def *def);

#ifdef __cplusplus
}
#endif
#endif
