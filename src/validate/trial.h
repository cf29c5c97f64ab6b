/* One run of a case as its measure sees it, and what the measure makes of it. */
#ifndef BL_VALIDATE_TRIAL_H
#define BL_VALIDATE_TRIAL_H

#include "output/reader.h"
#include "output/series.h"
#include "validate/case.h"

enum { BL_TRIAL_FIGURES = 16 };

typedef struct bl_trial_figure {
    const char *name; /* static */
    double measured, law;
} bl_trial_figure;

/* The simulated curve beside the law's, in units that runs of all resolutions share. */
typedef struct bl_trial_curve {
    const char *x_label, *y_label; /* static */
    double *x, *y;
    size_t count;
    double *law_x, *law_y;
    size_t law_count;
} bl_trial_curve;

typedef struct bl_trial {
    bl_context *ctx;
    const bl_case_run *run;
    bl_reader reader; /* scene and frames */
    bl_series series;
    int figure_count;
    bl_trial_figure figures[BL_TRIAL_FIGURES];
    bl_trial_curve curve;
} bl_trial;

/* Opens the finished run in `dir`. The caller clears *out, also on failure. */
bl_status bl_trial_open(bl_context *ctx, const bl_case_run *run, const char *dir, bl_trial *out);
void bl_trial_clear(bl_trial *trial);
void bl_trial_curve_clear(bl_context *ctx, bl_trial_curve *curve); /* a zeroed one is fine */

/* --- for measures --- */

/* Number `name` of the run's parameters, or the default. */
double bl_trial_parameter(const bl_trial *trial, const char *name, double fallback);
/* A measure may give more figures than the case judges. NaN: the figure cannot be had. */
void bl_trial_add(bl_trial *trial, const char *name, double measured, double law);
/* A column of series.csv; BL_ERR_DATA if there is none. */
bl_status bl_trial_column(const bl_trial *trial, const char *name, const double **out);
/* Mean of a column over the rows with from <= time <= to, and its standard deviation (NULL: not wanted). */
bl_status bl_trial_mean(const bl_trial *trial, const char *column, double from, double to, double *mean,
                        double *deviation);
/* The curves; the numbers are copied. `y_law` of the same x, or a horizontal line with a NULL. */
bl_status bl_trial_draw(bl_trial *trial, const char *x_label, const char *y_label, const double *x, const double *y,
                        const double *y_law, size_t count);
/* The law on points of its own. */
bl_status bl_trial_draw_law(bl_trial *trial, const double *x, const double *y, size_t count);

/* Properties that every measure needs, of the first fluid. */
typedef struct bl_trial_liquid {
    int dimension;
    double h, rho, mu, gamma, radius; /* radius: of the ball (disc) of the fluid's volume, from series.csv */
    double end;                       /* time of the last row */
    double g;                         /* magnitude of gravity at the end */
} bl_trial_liquid;
bl_trial_liquid bl_trial_describe(const bl_trial *trial);
/* Volume (area in 2D) of all liquid, as in `radius`; and length (area in 3D) of what layers along x, and z, lie on. */
double bl_trial_volume(const bl_trial *trial);
double bl_trial_base(const bl_trial *trial);

/* The drop on its wall, averaged over the frames from time `from` on; angles in radians. */
struct bl_contact_result;
bl_status bl_trial_contact(const bl_trial *trial, double from, struct bl_contact_result *out);

/* A number of every frame, in order of time: `fn` measures one. *times and *values are the caller's to release. */
struct bl_liquid;
typedef double (*bl_frame_number_fn)(const void *user, const struct bl_liquid *liquid, double time);
bl_status bl_trial_follow(const bl_trial *trial, bl_frame_number_fn fn, const void *user, double **times,
                          double **values, size_t *count);

#endif
