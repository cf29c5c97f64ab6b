/* An 8-bit sRGB picture with a few anti-aliased drawing calls: lines, discs, boxes, text in a built-in stroke font. */
#ifndef BL_RENDER_CANVAS_H
#define BL_RENDER_CANVAS_H

#include "base/context.h"

typedef struct bl_color {
    uint8_t r, g, b, a;
} bl_color;

typedef struct bl_canvas {
    bl_context *ctx;
    int width, height;
    uint8_t *rgb; /* rows from the top, 3 bytes a pixel */
} bl_canvas;

bl_status bl_canvas_init(bl_context *ctx, int width, int height, bl_color background, bl_canvas *out);
void bl_canvas_clear(bl_canvas *canvas);

/* Coordinates in pixels, y downward, pixel centres at .5. What lies outside is clipped. */
void bl_canvas_fill(bl_canvas *canvas, double x0, double y0, double x1, double y1, bl_color color);
void bl_canvas_line(bl_canvas *canvas, double x0, double y0, double x1, double y1, double width, bl_color color);
void bl_canvas_disc(bl_canvas *canvas, double x, double y, double radius, bl_color color);

/* A polyline drawn as one shape (overlaps of a translucent colour do not add up). `dash` is NULL or `dash_count`
 * lengths on, off, on, off ... in pixels. */
typedef struct bl_stroke {
    double width;
    bl_color color;
    const double *dash;
    int dash_count;
} bl_stroke;
bl_status bl_canvas_polyline(bl_canvas *canvas, const double *xy, int count, const bl_stroke *stroke);

typedef enum bl_align { BL_ALIGN_LEFT, BL_ALIGN_CENTER, BL_ALIGN_RIGHT } bl_align;
typedef struct bl_text_style {
    double size;  /* height of a capital letter is 0.7 of it, as in common type */
    double angle; /* radians, counter-clockwise */
    bl_align align;
    bl_color color;
    bool bold;
} bl_text_style;
/* (x, y) is the start, middle or end of the base line. `^` raises the digits that follow: "m^2/s". */
bl_status bl_canvas_text(bl_canvas *canvas, double x, double y, const char *text, const bl_text_style *style);
double bl_text_width(const char *text, double size);

/* Write as PNG (through a .part file). */
bl_status bl_canvas_write_png(bl_canvas *canvas, const char *path);

#endif
