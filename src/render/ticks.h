/* Where the marks of an axis stand and how they are written. */
#ifndef BL_RENDER_TICKS_H
#define BL_RENDER_TICKS_H

#include <stdbool.h>

enum { BL_TICKS_MAX = 64 };
typedef struct bl_ticks {
    int count;
    double at[BL_TICKS_MAX];
    bool major[BL_TICKS_MAX]; /* with a number */
    double step;              /* linear axis: distance of the major ticks */
    int exponent;             /* linear axis: labels are in units of 10^exponent, 0 or a multiple of 3 */
} bl_ticks;

/* The largest of 1, 2, 5 times a power of ten that divides `range` into at most `count` parts. */
double bl_nice_step(double range, int count);
/* Ticks inside [low, high], about `count` of them. */
bl_ticks bl_ticks_linear(double low, double high, int count);
/* Decades; with few of them also 2 and 5, and minor ticks. low > 0. */
bl_ticks bl_ticks_log(double low, double high, int count);
/* Text of a major tick; `buffer` of at least 32 bytes; returned. Powers of ten are written "10^-3". */
char *bl_tick_label(const bl_ticks *ticks, int index, bool log, char *buffer);

#endif
