/* Numbers from curves: least-squares fits, and where a level is crossed. */
#ifndef BL_VALIDATE_FIT_H
#define BL_VALIDATE_FIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bl_line_fit {
    double slope, offset;
    double deviation; /* root mean square of the residuals */
} bl_line_fit;
/* NaN with fewer than two different x. */
bl_line_fit bl_fit_line(const double *x, const double *y, size_t count);

/* y = e^(-decay t) (a cos(frequency t) + b sin(frequency t)) + offset. */
typedef struct bl_wave_fit {
    double decay, frequency; /* NaN: too few points */
    double a, b, offset;
    double deviation; /* root mean square of the residuals over that of y - mean */
} bl_wave_fit;
/* Frequencies from 0.2 to 3 times `guess` are searched, and decays from -0.2 to 2 times it. a, b and the offset are
 * solved for, so that only two numbers are searched: first on a grid, then on ever finer ones around the best. */
bl_wave_fit bl_fit_wave(const double *t, const double *y, size_t count, double guess);
double bl_wave_at(const bl_wave_fit *fit, double t);

/* The rate in y = a e^(rate t) + b e^(-rate t), as a linear instability grows from rest; a and b are solved for, rates
 * from 0 to 3 times `guess` are searched. NaN with fewer than six points. */
double bl_fit_growth(const double *t, const double *y, size_t count, double guess);

/* When y first is below `level` and when it last rises above it, along lines between the points. `first` is NaN if it
 * never is below, `last` if it still is at the end. */
void bl_span_below(const double *t, const double *y, size_t count, double level, double *first, double *last);

/* Where on a slope that gets steeper steadily a block began to slide, from its way at these slopes: its speed grows
 * with the square of time since then and its way with the third power, so a line through the cube root of the way,
 * between `from` and `to`, leads back to the beginning. One that does not come as far as `to` does not slide: the last
 * slope. */
double bl_fit_sliding(const double *slope, const double *way, size_t count, double from, double to);

#endif
