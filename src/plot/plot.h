/* Plots of curves, written as SVG or PNG.
 *
 *   bl_plot plot;
 *   bl_plot_init(ctx, &plot);
 *   plot.x_label = "time"; plot.x_unit = "s";
 *   bl_plot_add(&plot, "drop", x, y, count, BL_PLOT_LINE);
 *   bl_plot_save(&plot, "out.svg");
 *   bl_plot_clear(&plot);
 *
 * Curves differ in colour (a palette that colour-blind people can tell apart) and in dashes. */
#ifndef BL_PLOT_PLOT_H
#define BL_PLOT_PLOT_H

#include "base/text.h"

typedef enum bl_plot_style {
    BL_PLOT_LINE,
    BL_PLOT_MARKS, /* points */
    BL_PLOT_LAW    /* a thin black line: theory beside measurements */
} bl_plot_style;

typedef struct bl_plot_series {
    char *label; /* NULL: not in the legend */
    double *x, *y;
    size_t count;
    bl_plot_style style;
} bl_plot_series;

typedef struct bl_plot {
    bl_context *ctx;
    const char *title, *x_label, *y_label, *x_unit, *y_unit; /* borrowed; NULL: none. "m^2" raises the 2 */
    bool log_x, log_y;
    double x_min, x_max, y_min, y_max; /* NaN: from the data */
    int width, height;                 /* pixels; 640 x 400 */
    int series_count, series_capacity;
    bl_plot_series *series;
} bl_plot;

void bl_plot_init(bl_context *ctx, bl_plot *plot); /* everything at its default */
void bl_plot_clear(bl_plot *plot);
/* The numbers and the label are copied. Points that are not finite, or not positive on a log axis, are gaps. */
bl_status bl_plot_add(bl_plot *plot, const char *label, const double *x, const double *y, size_t count,
                      bl_plot_style style);
/* A formula (expression.h) over the range of x that the plot has so far. */
bl_status bl_plot_add_law(bl_plot *plot, const char *formula);

/* An <svg> element, ready for a file or for HTML. BL_ERR_DATA when there is nothing to draw. */
bl_status bl_plot_write_svg(const bl_plot *plot, bl_text *out);
/* By the ending of the name: .svg or .png. */
bl_status bl_plot_save(const bl_plot *plot, const char *path);

#endif
