#include "render/canvas.h"
#include "base/file.h"
#include "render/font.h"
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

bl_status bl_canvas_init(bl_context *ctx, int width, int height, bl_color background, bl_canvas *out) {
    *out = (bl_canvas){ctx, width, height, bl_alloc(ctx, (size_t)width * (size_t)height, 3)};
    if (!out->rgb) return BL_ERR_MEMORY;
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        out->rgb[3 * i] = background.r;
        out->rgb[3 * i + 1] = background.g;
        out->rgb[3 * i + 2] = background.b;
    }
    return BL_OK;
}

void bl_canvas_clear(bl_canvas *canvas) {
    bl_release(canvas->ctx, canvas->rgb);
    canvas->rgb = NULL;
}

static void blend(bl_canvas *canvas, int x, int y, bl_color color, double coverage) {
    uint8_t *p = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
    double a = coverage * color.a / 255;
    p[0] = (uint8_t)lround(p[0] + a * (color.r - p[0]));
    p[1] = (uint8_t)lround(p[1] + a * (color.g - p[1]));
    p[2] = (uint8_t)lround(p[2] + a * (color.b - p[2]));
}

static double clamp01(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* Pixels touched by [lo, hi], clipped to [0, size). */
static void pixel_range(double lo, double hi, int size, int *begin, int *end) {
    *begin = lo <= 0 ? 0 : lo >= size ? size : (int)floor(lo);
    *end = hi <= 0 ? 0 : hi >= size ? size : (int)ceil(hi);
}

void bl_canvas_fill(bl_canvas *canvas, double x0, double y0, double x1, double y1, bl_color color) {
    int i0, i1, j0, j1;
    pixel_range(x0, x1, canvas->width, &i0, &i1);
    pixel_range(y0, y1, canvas->height, &j0, &j1);
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++) {
            double w = fmin(i + 1, x1) - fmax(i, x0), h = fmin(j + 1, y1) - fmax(j, y0);
            blend(canvas, i, j, color, clamp01(w) * clamp01(h));
        }
}

void bl_canvas_disc(bl_canvas *canvas, double x, double y, double radius, bl_color color) {
    int i0, i1, j0, j1;
    pixel_range(x - radius - 1, x + radius + 1, canvas->width, &i0, &i1);
    pixel_range(y - radius - 1, y + radius + 1, canvas->height, &j0, &j1);
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++)
            blend(canvas, i, j, color, clamp01(radius + 0.5 - hypot(i + 0.5 - x, j + 0.5 - y)));
}

/* Coverage of a shape made of thick segments, gathered before it is blended once. */
typedef struct mask {
    int x, y, width, height;
    float *coverage;
} mask;

typedef struct segment {
    double x0, y0, x1, y1;
} segment;

static bl_status mask_init(bl_canvas *canvas, const segment *segments, size_t count, double width, mask *out) {
    double x0 = HUGE_VAL, y0 = HUGE_VAL, x1 = -HUGE_VAL, y1 = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        x0 = fmin(x0, fmin(segments[i].x0, segments[i].x1));
        y0 = fmin(y0, fmin(segments[i].y0, segments[i].y1));
        x1 = fmax(x1, fmax(segments[i].x0, segments[i].x1));
        y1 = fmax(y1, fmax(segments[i].y0, segments[i].y1));
    }
    int i0, i1, j0, j1;
    pixel_range(x0 - width, x1 + width, canvas->width, &i0, &i1);
    pixel_range(y0 - width, y1 + width, canvas->height, &j0, &j1);
    *out = (mask){i0, j0, i1 > i0 ? i1 - i0 : 0, j1 > j0 ? j1 - j0 : 0, NULL};
    out->coverage = bl_alloc(canvas->ctx, (size_t)out->width * (size_t)out->height, sizeof(float));
    return out->coverage ? BL_OK : BL_ERR_MEMORY;
}

static double segment_distance(const segment *s, double x, double y) {
    double dx = s->x1 - s->x0, dy = s->y1 - s->y0, l2 = dx * dx + dy * dy;
    double t = l2 > 0 ? clamp01(((x - s->x0) * dx + (y - s->y0) * dy) / l2) : 0;
    return hypot(x - s->x0 - t * dx, y - s->y0 - t * dy);
}

static void mask_add(mask *m, const segment *s, double half) {
    int i0, i1, j0, j1;
    pixel_range(fmin(s->x0, s->x1) - half - 1 - m->x, fmax(s->x0, s->x1) + half + 1 - m->x, m->width, &i0, &i1);
    pixel_range(fmin(s->y0, s->y1) - half - 1 - m->y, fmax(s->y0, s->y1) + half + 1 - m->y, m->height, &j0, &j1);
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++) {
            double d = segment_distance(s, m->x + i + 0.5, m->y + j + 0.5);
            float c = (float)clamp01(half + 0.5 - d), *p = m->coverage + (size_t)j * (size_t)m->width + (size_t)i;
            if (c > *p) *p = c;
        }
}

/* Draw thick segments as one shape. Lines thinner than a pixel are drawn a pixel wide and fainter. */
static bl_status draw_segments(bl_canvas *canvas, const segment *segments, size_t count, double width, bl_color color) {
    if (!count) return BL_OK;
    mask m;
    bl_status status = mask_init(canvas, segments, count, width, &m);
    if (status) return status;
    double drawn = fmax(width, 1), strength = width / drawn;
    for (size_t i = 0; i < count; i++) mask_add(&m, &segments[i], drawn / 2);
    for (int j = 0; j < m.height; j++)
        for (int i = 0; i < m.width; i++) {
            double c = (double)m.coverage[(size_t)j * (size_t)m.width + (size_t)i];
            if (c > 0) blend(canvas, m.x + i, m.y + j, color, c * strength);
        }
    bl_release(canvas->ctx, m.coverage);
    return BL_OK;
}

void bl_canvas_line(bl_canvas *canvas, double x0, double y0, double x1, double y1, double width, bl_color color) {
    segment s = {x0, y0, x1, y1};
    draw_segments(canvas, &s, 1, width, color);
}

/* A list of segments under construction. */
typedef struct path {
    bl_context *ctx;
    segment *items;
    size_t count, capacity;
    bool failed;
} path;

static void path_add(path *p, double x0, double y0, double x1, double y1) {
    if (p->count == p->capacity && !p->failed) {
        size_t capacity = p->capacity ? 2 * p->capacity : 64;
        segment *items = bl_grow(p->ctx, p->items, p->capacity, capacity, sizeof *items);
        p->failed = !items;
        if (items) p->items = items, p->capacity = capacity;
    }
    if (!p->failed) p->items[p->count++] = (segment){x0, y0, x1, y1};
}

static bl_status path_draw(path *p, bl_canvas *canvas, double width, bl_color color) {
    bl_status status = p->failed ? BL_ERR_MEMORY : draw_segments(canvas, p->items, p->count, width, color);
    bl_release(p->ctx, p->items);
    return status;
}

/* Where a dash pattern stands along a line. */
typedef struct dasher {
    const bl_stroke *stroke;
    int index;
    double left; /* of the current piece */
} dasher;

static void dash_segment(path *p, dasher *d, double x0, double y0, double x1, double y1) {
    double length = hypot(x1 - x0, y1 - y0), at = 0;
    if (!d->stroke->dash_count) {
        path_add(p, x0, y0, x1, y1);
        return;
    }
    while (at < length) {
        double next = fmin(length, at + d->left), a = at / length, b = next / length;
        if (d->index % 2 == 0)
            path_add(p, x0 + a * (x1 - x0), y0 + a * (y1 - y0), x0 + b * (x1 - x0), y0 + b * (y1 - y0));
        d->left -= next - at;
        at = next;
        if (d->left <= 1e-6) { /* pixels; a rest by rounding would never be used up */
            d->index = (d->index + 1) % d->stroke->dash_count;
            d->left = d->stroke->dash[d->index];
        }
    }
}

bl_status bl_canvas_polyline(bl_canvas *canvas, const double *xy, int count, const bl_stroke *stroke) {
    path p = {.ctx = canvas->ctx};
    dasher d = {stroke, 0, stroke->dash_count ? stroke->dash[0] : 0};
    for (int i = 0; i + 1 < count; i++) dash_segment(&p, &d, xy[2 * i], xy[2 * i + 1], xy[2 * i + 2], xy[2 * i + 3]);
    return path_draw(&p, canvas, stroke->width, stroke->color);
}

/* Where a glyph's grid lands on the canvas. */
typedef struct placing {
    double x, y, scale, cos_a, sin_a;
} placing;

static void place(const placing *at, double gx, double gy, double *x, double *y) {
    double u = gx * at->scale, v = (gy - BL_FONT_BASE) * at->scale;
    *x = at->x + u * at->cos_a - v * at->sin_a;
    *y = at->y - u * at->sin_a - v * at->cos_a;
}

static int digit36(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

enum { STROKE_MAX = 24, CURVE_STEPS = 6 };

/* Catmull-Rom curve through the points; closed when the ends meet. */
static void add_curve(path *p, const placing *at, const double (*points)[2], int n) {
    bool closed = points[0][0] == points[n - 1][0] && points[0][1] == points[n - 1][1];
    double px, py, qx, qy;
    place(at, points[0][0], points[0][1], &px, &py);
    for (int i = 0; i + 1 < n; i++) {
        const double *b = points[i], *c = points[i + 1];
        const double *a = i > 0 ? points[i - 1] : closed ? points[n - 2] : b;
        const double *d = i + 2 < n ? points[i + 2] : closed ? points[1] : c;
        for (int k = 1; k <= CURVE_STEPS; k++) {
            double t = (double)k / CURVE_STEPS, t2 = t * t, t3 = t2 * t, g[2];
            for (int e = 0; e < 2; e++)
                g[e] = 0.5 * (2 * b[e] + (c[e] - a[e]) * t + (2 * a[e] - 5 * b[e] + 4 * c[e] - d[e]) * t2 +
                              (3 * b[e] - a[e] - 3 * c[e] + d[e]) * t3);
            place(at, g[0], g[1], &qx, &qy);
            path_add(p, px, py, qx, qy);
            px = qx, py = qy;
        }
    }
}

static void add_lines(path *p, const placing *at, const double (*points)[2], int n) {
    for (int i = 0; i + 1 < n; i++) {
        double x0, y0, x1, y1;
        place(at, points[i][0], points[i][1], &x0, &y0);
        place(at, points[i + 1][0], points[i + 1][1], &x1, &y1);
        path_add(p, x0, y0, x1, y1);
    }
}

static void add_glyph(path *p, const placing *at, const char *strokes) {
    while (*strokes) {
        char kind = *strokes++;
        double points[STROKE_MAX][2];
        int n = 0;
        for (; strokes[0] && strokes[0] != ' ' && n < STROKE_MAX; strokes += 2, n++) {
            points[n][0] = digit36(strokes[0]);
            points[n][1] = digit36(strokes[1]);
        }
        if (kind == '~')
            add_curve(p, at, points, n);
        else
            add_lines(p, at, points, n);
        while (*strokes == ' ') strokes++;
    }
}

/* Walks over a text; superscripts follow '^'. */
static double walk_text(const char *text, double size, placing *at, path *p) {
    static const double small = 0.7, raise = 0.42; /* of the size */
    double unit = size / BL_FONT_EM, pen = 0, x0 = at ? at->x : 0, y0 = at ? at->y : 0;
    bool raised = false;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '^' && (c[1] == '-' || (c[1] >= '0' && c[1] <= '9'))) {
            raised = true;
            continue;
        }
        raised = raised && ((*c >= '0' && *c <= '9') || *c == '-' || *c == '.');
        bl_glyph glyph = bl_font_glyph(*c);
        double scale = raised ? small * unit : unit, lift = raised ? raise * size : 0;
        if (at) {
            at->scale = scale;
            at->x = x0 + pen * at->cos_a - lift * at->sin_a;
            at->y = y0 - pen * at->sin_a - lift * at->cos_a;
            add_glyph(p, at, glyph.strokes);
        }
        pen += (glyph.width + BL_FONT_GAP) * scale;
    }
    return pen > 0 ? pen - BL_FONT_GAP * unit : 0;
}

double bl_text_width(const char *text, double size) { return walk_text(text, size, NULL, NULL); }

bl_status bl_canvas_text(bl_canvas *canvas, double x, double y, const char *text, const bl_text_style *style) {
    double shift = style->align == BL_ALIGN_LEFT ? 0 : bl_text_width(text, style->size);
    if (style->align == BL_ALIGN_CENTER) shift /= 2;
    placing at = {x, y, 0, cos(style->angle), sin(style->angle)};
    at.x -= shift * at.cos_a;
    at.y += shift * at.sin_a;
    path p = {.ctx = canvas->ctx};
    walk_text(text, style->size, &at, &p);
    return path_draw(&p, canvas, style->size * (style->bold ? 0.12 : 0.08), style->color);
}

static void png_failed(png_structp png, png_const_charp message) {
    (void)message;
    longjmp(png_jmpbuf(png), 1);
}
static void png_warned(png_structp png, png_const_charp message) { (void)png, (void)message; }

static bool encode_png(const bl_canvas *canvas, FILE *stream) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, png_failed, png_warned);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, info ? &info : NULL);
        return false;
    }
    png_init_io(png, stream);
    png_set_IHDR(png, info, (png_uint_32)canvas->width, (png_uint_32)canvas->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < canvas->height; y++) png_write_row(png, canvas->rgb + 3 * (size_t)y * (size_t)canvas->width);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

bl_status bl_canvas_write_png(bl_canvas *canvas, const char *path_name) {
    bl_outfile file;
    bl_status status = bl_outfile_open(canvas->ctx, path_name, &file);
    if (status) return status;
    if (!encode_png(canvas, file.stream)) {
        bl_outfile_abandon(canvas->ctx, &file);
        return bl_fail(canvas->ctx, BL_ERR_IO, "%s: writing the picture failed", path_name);
    }
    return bl_outfile_commit(canvas->ctx, &file);
}
