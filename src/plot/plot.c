#include "plot/plot.h"
#include "base/file.h"
#include "plot/expression.h"
#include "plot/layout.h"
#include <math.h>
#include <string.h>

void bl_plot_init(bl_context *ctx, bl_plot *plot) {
    double none = (double)NAN;
    *plot =
        (bl_plot){.ctx = ctx, .x_min = none, .x_max = none, .y_min = none, .y_max = none, .width = 640, .height = 400};
}

void bl_plot_clear(bl_plot *plot) {
    for (int i = 0; i < plot->series_count; i++) {
        bl_release(plot->ctx, plot->series[i].label);
        bl_release(plot->ctx, plot->series[i].x);
        bl_release(plot->ctx, plot->series[i].y);
    }
    if (plot->ctx) bl_release(plot->ctx, plot->series);
    *plot = (bl_plot){0};
}

bl_status bl_plot_add(bl_plot *plot, const char *label, const double *x, const double *y, size_t count,
                      bl_plot_style style) {
    if (plot->series_count == plot->series_capacity) {
        int capacity = plot->series_capacity ? 2 * plot->series_capacity : 8;
        bl_plot_series *series =
            bl_grow(plot->ctx, plot->series, (size_t)plot->series_capacity, (size_t)capacity, sizeof *series);
        if (!series) return BL_ERR_MEMORY;
        plot->series = series;
        plot->series_capacity = capacity;
    }
    bl_plot_series *s = &plot->series[plot->series_count++];
    *s = (bl_plot_series){label ? bl_strdup(plot->ctx, label) : NULL, bl_alloc(plot->ctx, count, sizeof *x),
                          bl_alloc(plot->ctx, count, sizeof *y), count, style};
    if ((label && !s->label) || !s->x || !s->y) {
        s->count = 0;
        return BL_ERR_MEMORY;
    }
    if (count) {
        memcpy(s->x, x, count * sizeof *x);
        memcpy(s->y, y, count * sizeof *y);
    }
    return BL_OK;
}

enum { LAW_POINTS = 400 };

bl_status bl_plot_add_law(bl_plot *plot, const char *formula) {
    bl_plot_range range;
    bl_status status = bl_plot_find_range(plot, &range);
    if (status) return status;
    double x[LAW_POINTS + 1], y[LAW_POINTS + 1];
    for (int i = 0; i <= LAW_POINTS; i++) {
        double s = (double)i / LAW_POINTS;
        x[i] = plot->log_x ? range.x0 * pow(range.x1 / range.x0, s) : range.x0 + s * (range.x1 - range.x0);
        status = bl_expression_at(plot->ctx, formula, x[i], &y[i]);
        if (status) return status;
    }
    return bl_plot_add(plot, formula, x, y, LAW_POINTS + 1, BL_PLOT_LAW);
}

bl_status bl_plot_write_svg(const bl_plot *plot, bl_text *out) {
    bl_plot_range range;
    bl_status status = bl_plot_find_range(plot, &range);
    if (status) return status;
    bl_text_add(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                "font-family=\"Helvetica, Arial, sans-serif\">\n",
                plot->width, plot->height, plot->width, plot->height);
    bl_pen pen = bl_pen_svg(out);
    status = bl_plot_draw(plot, &range, &pen);
    bl_text_add(out, "</svg>\n");
    return out->failed ? BL_ERR_MEMORY : status;
}

static bl_status save_svg(const bl_plot *plot, const char *path) {
    bl_text text = bl_text_make(plot->ctx);
    bl_outfile file;
    bl_status status = bl_plot_write_svg(plot, &text);
    if (!status) status = bl_outfile_open(plot->ctx, path, &file);
    if (!status) {
        fwrite(bl_text_str(&text), 1, text.size, file.stream); /* commit finds write errors */
        status = bl_outfile_commit(plot->ctx, &file);
    }
    bl_text_clear(&text);
    return status;
}

static bl_status save_png(const bl_plot *plot, const char *path) {
    enum { SCALE = 2 }; /* for today's screens */
    bl_plot_range range;
    bl_status status = bl_plot_find_range(plot, &range);
    if (status) return status;
    bl_canvas canvas;
    status =
        bl_canvas_init(plot->ctx, SCALE * plot->width, SCALE * plot->height, (bl_color){255, 255, 255, 255}, &canvas);
    if (status) return status;
    bl_pen pen = bl_pen_canvas(&canvas, SCALE);
    status = bl_plot_draw(plot, &range, &pen);
    if (!status) status = bl_canvas_write_png(&canvas, path);
    bl_canvas_clear(&canvas);
    return status;
}

bl_status bl_plot_save(const bl_plot *plot, const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot && !strcmp(dot, ".svg")) return save_svg(plot, path);
    if (dot && !strcmp(dot, ".png")) return save_png(plot, path);
    return bl_fail(plot->ctx, BL_ERR_USAGE, "%s: a plot is written as .svg or .png", path);
}
