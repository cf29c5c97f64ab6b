#include "plot/pen.h"
#include <ctype.h>

static void svg_color(bl_text *out, const char *attribute, bl_color color) {
    bl_text_add(out, " %s=\"#%02x%02x%02x\"", attribute, color.r, color.g, color.b);
    if (color.a < 255) bl_text_add(out, " %s-opacity=\"%.2f\"", attribute, color.a / 255.0);
}

static bl_status svg_status(const bl_pen *pen) { return pen->svg->failed ? BL_ERR_MEMORY : BL_OK; }

static bl_status svg_fill(bl_pen *pen, double x0, double y0, double x1, double y1, bl_color color) {
    bl_text_add(pen->svg, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", x0, y0, x1 - x0, y1 - y0);
    svg_color(pen->svg, "fill", color);
    bl_text_add(pen->svg, "/>\n");
    return svg_status(pen);
}

static bl_status svg_polyline(bl_pen *pen, const double *xy, int count, const bl_stroke *stroke) {
    bl_text_add(pen->svg, "<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"%.2f\"", stroke->width);
    svg_color(pen->svg, "stroke", stroke->color);
    if (stroke->dash_count) {
        bl_text_add(pen->svg, " stroke-dasharray=\"");
        for (int i = 0; i < stroke->dash_count; i++) bl_text_add(pen->svg, "%s%g", i ? " " : "", stroke->dash[i]);
        bl_text_add(pen->svg, "\"");
    }
    bl_text_add(pen->svg, " points=\"");
    for (int i = 0; i < count; i++) bl_text_add(pen->svg, "%s%.2f,%.2f", i ? " " : "", xy[2 * i], xy[2 * i + 1]);
    bl_text_add(pen->svg, "\"/>\n");
    return svg_status(pen);
}

static bl_status svg_disc(bl_pen *pen, double x, double y, double radius, bl_color color) {
    bl_text_add(pen->svg, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", x, y, radius);
    svg_color(pen->svg, "fill", color);
    bl_text_add(pen->svg, "/>\n");
    return svg_status(pen);
}

static void svg_escape(bl_text *out, char c) {
    switch (c) {
    case '<': bl_text_add(out, "&lt;"); break;
    case '>': bl_text_add(out, "&gt;"); break;
    case '&': bl_text_add(out, "&amp;"); break;
    case '"': bl_text_add(out, "&quot;"); break;
    default:
        /* control characters have no place in XML */
        bl_text_add_bytes(out, (unsigned char)c < 32 ? " " : &c, 1);
    }
}

/* The text with "^2" raised; what follows goes back down by the same length. */
static void svg_content(bl_text *out, const char *text) {
    bool lower = false;
    for (const char *c = text; *c;) {
        if (*c == '^' && (c[1] == '-' || isdigit((unsigned char)c[1]))) {
            bl_text_add(out, "<tspan dy=\"-0.38em\" font-size=\"70%%\">");
            c++;
            while (*c == '-' || isdigit((unsigned char)*c)) svg_escape(out, *c++);
            bl_text_add(out, "</tspan>");
            lower = true;
        } else if (lower) {
            bl_text_add(out, "<tspan dy=\"0.27em\">");
            while (*c && *c != '^') svg_escape(out, *c++);
            bl_text_add(out, "</tspan>");
            lower = false;
        } else {
            svg_escape(out, *c++);
        }
    }
}

static bl_status svg_text(bl_pen *pen, double x, double y, const char *text, const bl_text_style *style) {
    static const char *const anchors[] = {"start", "middle", "end"};
    bl_text_add(pen->svg, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.1f\" text-anchor=\"%s\"", x, y, style->size,
                anchors[style->align]);
    if (style->angle != 0)
        bl_text_add(pen->svg, " transform=\"rotate(%.1f %.2f %.2f)\"", -style->angle * (180 / 3.14159265358979323846),
                    x, y);
    if (style->bold) bl_text_add(pen->svg, " font-weight=\"bold\"");
    svg_color(pen->svg, "fill", style->color);
    bl_text_add(pen->svg, ">");
    svg_content(pen->svg, text);
    bl_text_add(pen->svg, "</text>\n");
    return svg_status(pen);
}

bl_pen bl_pen_svg(bl_text *out) {
    return (bl_pen){.fill = svg_fill, .polyline = svg_polyline, .disc = svg_disc, .text = svg_text, .svg = out};
}

static bl_status canvas_fill(bl_pen *pen, double x0, double y0, double x1, double y1, bl_color color) {
    double s = pen->scale;
    bl_canvas_fill(pen->canvas, x0 * s, y0 * s, x1 * s, y1 * s, color);
    return BL_OK;
}

static bl_status canvas_polyline(bl_pen *pen, const double *xy, int count, const bl_stroke *stroke) {
    enum { DASH_MAX = 8 };
    double dash[DASH_MAX];
    bl_stroke scaled = {stroke->width * pen->scale, stroke->color, dash,
                        stroke->dash_count < DASH_MAX ? stroke->dash_count : DASH_MAX};
    for (int i = 0; i < scaled.dash_count; i++) dash[i] = stroke->dash[i] * pen->scale;
    double *points = bl_alloc(pen->canvas->ctx, 2 * (size_t)count, sizeof *points);
    if (!points) return BL_ERR_MEMORY;
    for (int i = 0; i < 2 * count; i++) points[i] = xy[i] * pen->scale;
    bl_status status = bl_canvas_polyline(pen->canvas, points, count, &scaled);
    bl_release(pen->canvas->ctx, points);
    return status;
}

static bl_status canvas_disc(bl_pen *pen, double x, double y, double radius, bl_color color) {
    bl_canvas_disc(pen->canvas, x * pen->scale, y * pen->scale, radius * pen->scale, color);
    return BL_OK;
}

static bl_status canvas_text(bl_pen *pen, double x, double y, const char *text, const bl_text_style *style) {
    bl_text_style scaled = *style;
    scaled.size *= pen->scale;
    return bl_canvas_text(pen->canvas, x * pen->scale, y * pen->scale, text, &scaled);
}

bl_pen bl_pen_canvas(bl_canvas *canvas, double scale) {
    return (bl_pen){.fill = canvas_fill,
                    .polyline = canvas_polyline,
                    .disc = canvas_disc,
                    .text = canvas_text,
                    .canvas = canvas,
                    .scale = scale};
}
