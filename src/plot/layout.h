/* The drawing of a plot: ranges, axes, curves, legend. */
#ifndef BL_PLOT_LAYOUT_H
#define BL_PLOT_LAYOUT_H

#include "plot/pen.h"
#include "plot/plot.h"

typedef struct bl_plot_range {
    double x0, x1, y0, y1;
} bl_plot_range;

/* From the given limits, else from the data with a margin. BL_ERR_DATA: no point can be drawn. */
bl_status bl_plot_find_range(const bl_plot *plot, bl_plot_range *out);
bl_status bl_plot_draw(const bl_plot *plot, const bl_plot_range *range, bl_pen *pen);

#endif
