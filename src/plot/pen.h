/* What a plot is drawn with: the same calls end in an SVG text or on a canvas. Coordinates in pixels, y downward. */
#ifndef BL_PLOT_PEN_H
#define BL_PLOT_PEN_H

#include "base/text.h"
#include "render/canvas.h"

typedef struct bl_pen bl_pen;
struct bl_pen {
    bl_status (*fill)(bl_pen *pen, double x0, double y0, double x1, double y1, bl_color color);
    bl_status (*polyline)(bl_pen *pen, const double *xy, int count, const bl_stroke *stroke);
    bl_status (*disc)(bl_pen *pen, double x, double y, double radius, bl_color color);
    bl_status (*text)(bl_pen *pen, double x, double y, const char *text, const bl_text_style *style);
    bl_text *svg;
    bl_canvas *canvas;
    double scale; /* canvas pixels a unit */
};
bl_pen bl_pen_svg(bl_text *out);
bl_pen bl_pen_canvas(bl_canvas *canvas, double scale);

#endif
