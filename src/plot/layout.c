#include "plot/layout.h"
#include "render/ticks.h"
#include <math.h>
#include <stdio.h>

static const bl_color INK = {40, 40, 40, 255}, GRID = {225, 225, 225, 255}, WHITE = {255, 255, 255, 255};
enum { TEXT_SIZE = 13, LABEL_SIZE = 14, TITLE_SIZE = 15 };

/* Colours that differ in hue and lightness also for colour-blind eyes (after Okabe and Ito), each with its dashes. */
typedef struct look {
    bl_color color;
    double dash[4];
    int dash_count;
} look;
static const look looks[] = {
    {{0, 114, 178, 255}, {0}, 0},           {{213, 94, 0, 255}, {7, 3}, 2},
    {{0, 158, 115, 255}, {2, 2.5}, 2},      {{204, 121, 167, 255}, {8, 3, 2, 3}, 4},
    {{86, 180, 233, 255}, {12, 3}, 2},      {{120, 90, 0, 255}, {4, 2}, 2},
    {{230, 159, 0, 255}, {10, 2, 2, 2}, 4}, {{60, 60, 60, 255}, {1.5, 4}, 2},
};
enum { LOOK_COUNT = sizeof looks / sizeof *looks };

static bool drawable(double value, bool log_axis) { return isfinite(value) && (!log_axis || value > 0); }

typedef struct limits {
    double low, high;
} limits;

/* Room above and below the data; a log axis in decades. A single value gets a range around it. */
static limits widen(limits l, bool log_axis, double margin) {
    double a = log_axis ? log10(l.low) : l.low, b = log_axis ? log10(l.high) : l.high, extra = margin * (b - a);
    if (b - a <= 1e-12 * fmax(fabs(a), fabs(b)) || b == a) extra = log_axis ? 0.5 : a != 0 ? fabs(a) / 2 : 0.5;
    a -= extra;
    b += extra;
    return log_axis ? (limits){pow(10, a), pow(10, b)} : (limits){a, b};
}

static void choose(double *low, double *high, limits found, double given_low, double given_high) {
    *low = isnan(given_low) ? found.low : given_low;
    *high = isnan(given_high) ? found.high : given_high;
}

bl_status bl_plot_find_range(const bl_plot *plot, bl_plot_range *out) {
    limits x = {HUGE_VAL, -HUGE_VAL}, y = x;
    for (int i = 0; i < plot->series_count; i++) {
        const bl_plot_series *s = &plot->series[i];
        for (size_t k = 0; k < s->count; k++) {
            if (!drawable(s->x[k], plot->log_x) || !drawable(s->y[k], plot->log_y)) continue;
            if (s->x[k] < plot->x_min || s->x[k] > plot->x_max) continue;
            x.low = fmin(x.low, s->x[k]), x.high = fmax(x.high, s->x[k]);
            y.low = fmin(y.low, s->y[k]), y.high = fmax(y.high, s->y[k]);
        }
    }
    if (x.low > x.high)
        return bl_fail(plot->ctx, BL_ERR_DATA, "nothing to plot: no point with finite%s coordinates",
                       plot->log_x || plot->log_y ? ", on log axes positive" : "");
    choose(&out->x0, &out->x1, widen(x, plot->log_x, 0), plot->x_min, plot->x_max);
    choose(&out->y0, &out->y1, widen(y, plot->log_y, 0.05), plot->y_min, plot->y_max);
    if (!(out->x0 < out->x1) || !(out->y0 < out->y1) || (plot->log_x && !(out->x0 > 0)) ||
        (plot->log_y && !(out->y0 > 0)))
        return bl_fail(plot->ctx, BL_ERR_USAGE, "the axes' limits leave no range: x %g to %g, y %g to %g", out->x0,
                       out->x1, out->y0, out->y1);
    return BL_OK;
}

/* The plot area on the page, and how numbers map to it. */
typedef struct area {
    const bl_plot *plot;
    bl_plot_range range;
    bl_pen *pen;
    double left, right, top, bottom;
    bl_ticks x_ticks, y_ticks;
} area;

static double share(double value, double low, double high, bool log_axis) {
    return log_axis ? log(value / low) / log(high / low) : (value - low) / (high - low);
}
static double to_x(const area *a, double x) {
    return a->left + (a->right - a->left) * share(x, a->range.x0, a->range.x1, a->plot->log_x);
}
static double to_y(const area *a, double y) {
    return a->bottom - (a->bottom - a->top) * share(y, a->range.y0, a->range.y1, a->plot->log_y);
}

static double widest_label(const bl_ticks *ticks, bool log_axis) {
    double widest = 0;
    char text[32];
    for (int i = 0; i < ticks->count; i++)
        if (ticks->major[i]) widest = fmax(widest, bl_text_width(bl_tick_label(ticks, i, log_axis, text), TEXT_SIZE));
    return widest;
}

static area lay_out(const bl_plot *plot, const bl_plot_range *range, bl_pen *pen) {
    area a = {.plot = plot, .range = *range, .pen = pen};
    int across = plot->width / 90 > 2 ? plot->width / 90 : 2, down = plot->height / 55 > 2 ? plot->height / 55 : 2;
    a.x_ticks =
        plot->log_x ? bl_ticks_log(range->x0, range->x1, across) : bl_ticks_linear(range->x0, range->x1, across);
    a.y_ticks = plot->log_y ? bl_ticks_log(range->y0, range->y1, down) : bl_ticks_linear(range->y0, range->y1, down);
    a.left = 38 + widest_label(&a.y_ticks, plot->log_y);
    a.right = plot->width - 22;
    a.top = plot->title ? 38 : 18;
    a.bottom = plot->height - 50;
    return a;
}

static bl_status line(const area *a, double x0, double y0, double x1, double y1, double width, bl_color color) {
    double xy[4] = {x0, y0, x1, y1};
    bl_stroke stroke = {width, color, NULL, 0};
    return a->pen->polyline(a->pen, xy, 2, &stroke);
}

static bl_status draw_x_ticks(const area *a) {
    bl_text_style style = {TEXT_SIZE, 0, BL_ALIGN_CENTER, INK, false};
    bl_status status = BL_OK;
    for (int i = 0; i < a->x_ticks.count && !status; i++) {
        double x = to_x(a, a->x_ticks.at[i]);
        char text[32];
        if (a->x_ticks.major[i]) status = line(a, x, a->top, x, a->bottom, 1, GRID);
        if (!status) status = line(a, x, a->bottom, x, a->bottom + (a->x_ticks.major[i] ? 5 : 3), 1, INK);
        if (!status && a->x_ticks.major[i])
            status =
                a->pen->text(a->pen, x, a->bottom + 19, bl_tick_label(&a->x_ticks, i, a->plot->log_x, text), &style);
    }
    return status;
}

static bl_status draw_y_ticks(const area *a) {
    bl_text_style style = {TEXT_SIZE, 0, BL_ALIGN_RIGHT, INK, false};
    bl_status status = BL_OK;
    for (int i = 0; i < a->y_ticks.count && !status; i++) {
        double y = to_y(a, a->y_ticks.at[i]);
        char text[32];
        if (a->y_ticks.major[i]) status = line(a, a->left, y, a->right, y, 1, GRID);
        if (!status) status = line(a, a->left - (a->y_ticks.major[i] ? 5 : 3), y, a->left, y, 1, INK);
        if (!status && a->y_ticks.major[i])
            status =
                a->pen->text(a->pen, a->left - 8, y + 4.5, bl_tick_label(&a->y_ticks, i, a->plot->log_y, text), &style);
    }
    return status;
}

/* "label (10^-3 unit)". */
static void axis_title(char *out, size_t size, const char *label, const char *unit, const bl_ticks *ticks,
                       bool log_axis) {
    char factor[24] = "";
    if (!log_axis && ticks->exponent) snprintf(factor, sizeof factor, "10^%d", ticks->exponent);
    bool has_unit = unit && *unit && !(unit[0] == '1' && !unit[1]);
    if (has_unit || *factor)
        snprintf(out, size, "%s (%s%s%s)", label ? label : "", factor, *factor && has_unit ? " " : "",
                 has_unit ? unit : "");
    else
        snprintf(out, size, "%s", label ? label : "");
}

static bl_status draw_titles(const area *a) {
    const bl_plot *plot = a->plot;
    bl_text_style style = {LABEL_SIZE, 0, BL_ALIGN_CENTER, INK, false};
    char text[256];
    axis_title(text, sizeof text, plot->x_label, plot->x_unit, &a->x_ticks, plot->log_x);
    bl_status status = a->pen->text(a->pen, (a->left + a->right) / 2, plot->height - 12, text, &style);
    axis_title(text, sizeof text, plot->y_label, plot->y_unit, &a->y_ticks, plot->log_y);
    style.angle = 3.14159265358979323846 / 2;
    if (!status) status = a->pen->text(a->pen, 18, (a->top + a->bottom) / 2, text, &style);
    if (plot->title && !status) {
        bl_text_style title = {TITLE_SIZE, 0, BL_ALIGN_CENTER, INK, true};
        status = a->pen->text(a->pen, (a->left + a->right) / 2, 22, plot->title, &title);
    }
    return status;
}

static look look_of(const bl_plot *plot, int series) {
    if (plot->series[series].style == BL_PLOT_LAW) return (look){{0, 0, 0, 255}, {0}, 0};
    int number = 0;
    for (int i = 0; i < series; i++) number += plot->series[i].style != BL_PLOT_LAW;
    look l = looks[number % LOOK_COUNT];
    return l;
}

static bl_stroke stroke_of(const bl_plot *plot, int series, const look *l) {
    double width = plot->series[series].style == BL_PLOT_LAW ? 1 : 1.9;
    return (bl_stroke){width, l->color, l->dash, l->dash_count};
}

/* Cut the piece p-q to the plot area (Liang and Barsky). */
static bool clip(const area *a, double p[2], double q[2]) {
    double d[2] = {q[0] - p[0], q[1] - p[1]}, t0 = 0, t1 = 1;
    double lows[2] = {a->left, a->top}, highs[2] = {a->right, a->bottom};
    for (int k = 0; k < 2; k++) {
        if (d[k] == 0 && (p[k] < lows[k] || p[k] > highs[k])) return false;
        if (d[k] == 0) continue;
        double u = (lows[k] - p[k]) / d[k], v = (highs[k] - p[k]) / d[k];
        t0 = fmax(t0, fmin(u, v));
        t1 = fmin(t1, fmax(u, v));
    }
    if (t0 > t1) return false;
    for (int k = 0; k < 2; k++) {
        q[k] = p[k] + t1 * d[k];
        p[k] = p[k] + t0 * d[k];
    }
    return true;
}

/* A curve on its way to the pen: pieces that hang together become one polyline. */
typedef struct curve {
    const area *a;
    bl_stroke stroke;
    double *xy;
    int count;
    bl_status status;
} curve;

static void curve_flush(curve *c) {
    if (c->count > 1 && !c->status) c->status = c->a->pen->polyline(c->a->pen, c->xy, c->count, &c->stroke);
    c->count = 0;
}

static void curve_piece(curve *c, const double from[2], const double to[2]) {
    double p[2] = {from[0], from[1]}, q[2] = {to[0], to[1]};
    if (!clip(c->a, p, q)) return;
    bool joined = c->count && c->xy[2 * c->count - 2] == p[0] && c->xy[2 * c->count - 1] == p[1];
    if (!joined) {
        curve_flush(c);
        c->xy[0] = p[0], c->xy[1] = p[1];
        c->count = 1;
    }
    c->xy[2 * c->count] = q[0], c->xy[2 * c->count + 1] = q[1];
    c->count++;
}

/* Many points in one pixel column say no more than their first, lowest, highest and last one: thins long series. */
typedef struct column {
    bool open;
    long index;
    size_t first, low, high, last;
} column;

static void emit(curve *c, const bl_plot_series *s, size_t i, double last[2], bool *has_last) {
    double p[2] = {to_x(c->a, s->x[i]), to_y(c->a, s->y[i])};
    if (*has_last && (p[0] != last[0] || p[1] != last[1])) curve_piece(c, last, p);
    last[0] = p[0], last[1] = p[1];
    *has_last = true;
}

static void emit_column(curve *c, const bl_plot_series *s, column *col, double last[2], bool *has_last) {
    if (!col->open) return;
    size_t a = col->low < col->high ? col->low : col->high, b = col->low < col->high ? col->high : col->low;
    size_t order[4] = {col->first, a, b, col->last};
    for (int k = 0; k < 4; k++)
        if (k == 0 || order[k] > order[k - 1]) emit(c, s, order[k], last, has_last);
    col->open = false;
}

static void trace_series(curve *c, const bl_plot_series *s) {
    const bl_plot *plot = c->a->plot;
    bool thin = s->count > 4000, has_last = false;
    double last[2];
    column col = {0};
    for (size_t i = 0; i < s->count; i++) {
        if (!drawable(s->x[i], plot->log_x) || !drawable(s->y[i], plot->log_y)) {
            emit_column(c, s, &col, last, &has_last);
            has_last = false;
            continue;
        }
        long index = thin ? (long)floor(2 * fmax(-1e6, fmin(1e6, to_x(c->a, s->x[i])))) : (long)i;
        if (col.open && index != col.index) emit_column(c, s, &col, last, &has_last);
        if (!col.open) col = (column){true, index, i, i, i, i};
        if (s->y[i] < s->y[col.low]) col.low = i;
        if (s->y[i] > s->y[col.high]) col.high = i;
        col.last = i;
    }
    emit_column(c, s, &col, last, &has_last);
    curve_flush(c);
}

static bl_status draw_line_series(const area *a, int index, const look *l) {
    const bl_plot_series *s = &a->plot->series[index];
    curve c = {.a = a, .stroke = stroke_of(a->plot, index, l)};
    c.xy = bl_alloc(a->plot->ctx, 2 * (s->count + 2), sizeof *c.xy);
    if (!c.xy) return BL_ERR_MEMORY;
    trace_series(&c, s);
    bl_release(a->plot->ctx, c.xy);
    return c.status;
}

static bl_status draw_mark_series(const area *a, int index, const look *l) {
    const bl_plot_series *s = &a->plot->series[index];
    bl_status status = BL_OK;
    for (size_t i = 0; i < s->count && !status; i++) {
        if (!drawable(s->x[i], a->plot->log_x) || !drawable(s->y[i], a->plot->log_y)) continue;
        double x = to_x(a, s->x[i]), y = to_y(a, s->y[i]);
        if (x >= a->left && x <= a->right && y >= a->top && y <= a->bottom)
            status = a->pen->disc(a->pen, x, y, 3, l->color);
    }
    return status;
}

/* The corner of the plot area that the fewest points fall into. */
static void free_corner(const area *a, double width, double height, double *x, double *y) {
    double best = HUGE_VAL;
    for (int corner = 0; corner < 4; corner++) {
        double x0 = corner % 2 ? a->left + 10 : a->right - 10 - width,
               y0 = corner / 2 ? a->bottom - 10 - height : a->top + 10;
        double hits = 0.1 * corner; /* all free: upper right */
        for (int i = 0; i < a->plot->series_count; i++) {
            const bl_plot_series *s = &a->plot->series[i];
            for (size_t k = 0; k < s->count; k++) {
                if (!drawable(s->x[k], a->plot->log_x) || !drawable(s->y[k], a->plot->log_y)) continue;
                double px = to_x(a, s->x[k]), py = to_y(a, s->y[k]);
                hits += (px > x0 && px < x0 + width && py > y0 && py < y0 + height) * 1000.0 / (double)s->count;
            }
        }
        if (hits < best) best = hits, *x = x0, *y = y0;
    }
}

static bl_status draw_legend(const area *a) {
    enum { ROW = 19, SAMPLE = 34 };
    int rows = 0;
    double width = 0;
    for (int i = 0; i < a->plot->series_count; i++)
        if (a->plot->series[i].label) {
            rows++;
            width = fmax(width, bl_text_width(a->plot->series[i].label, TEXT_SIZE));
        }
    if (!rows || (rows == 1 && a->plot->series_count == 1)) return BL_OK; /* the axis says it already */
    double x = a->left, y = a->top, box = SAMPLE + 22 + 1.05 * width;
    free_corner(a, box, rows * ROW + 8, &x, &y);
    bl_color veil = WHITE;
    veil.a = 215;
    bl_status status = a->pen->fill(a->pen, x, y, x + box, y + rows * ROW + 8, veil);
    y += 4 + ROW / 2.0;
    for (int i = 0; i < a->plot->series_count && !status; i++) {
        const bl_plot_series *s = &a->plot->series[i];
        if (!s->label) continue;
        look l = look_of(a->plot, i);
        double xy[4] = {x + 8, y, x + 8 + SAMPLE, y};
        bl_stroke stroke = stroke_of(a->plot, i, &l);
        bl_text_style style = {TEXT_SIZE, 0, BL_ALIGN_LEFT, INK, false};
        status = s->style == BL_PLOT_MARKS ? a->pen->disc(a->pen, x + 8 + SAMPLE / 2.0, y, 3, l.color)
                                           : a->pen->polyline(a->pen, xy, 2, &stroke);
        if (!status) status = a->pen->text(a->pen, x + SAMPLE + 14, y + 4.5, s->label, &style);
        y += ROW;
    }
    return status;
}

bl_status bl_plot_draw(const bl_plot *plot, const bl_plot_range *range, bl_pen *pen) {
    area a = lay_out(plot, range, pen);
    bl_status status = pen->fill(pen, 0, 0, plot->width, plot->height, WHITE);
    if (!status) status = draw_x_ticks(&a);
    if (!status) status = draw_y_ticks(&a);
    if (!status) status = line(&a, a.left, a.bottom, a.right, a.bottom, 1, INK);
    if (!status) status = line(&a, a.left, a.top, a.left, a.bottom, 1, INK);
    for (int i = 0; i < plot->series_count && !status; i++) {
        look l = look_of(plot, i);
        status = plot->series[i].style == BL_PLOT_MARKS ? draw_mark_series(&a, i, &l) : draw_line_series(&a, i, &l);
    }
    if (!status) status = draw_titles(&a);
    return status ? status : draw_legend(&a);
}
