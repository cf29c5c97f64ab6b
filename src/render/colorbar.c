#include "render/colorbar.h"
#include "render/colormap.h"
#include "render/ticks.h"
#include <math.h>
#include <stdio.h>

static const bl_color INK = {30, 30, 30, 255};

static bl_color color_at(double t) {
    bl_vec3d c = bl_colormap(t);
    return (bl_color){(uint8_t)lround(255 * bl_srgb_encode(c.x)), (uint8_t)lround(255 * bl_srgb_encode(c.y)),
                      (uint8_t)lround(255 * bl_srgb_encode(c.z)), 255};
}

typedef struct layout {
    double size, x0, x1, top, bottom; /* of the letters; of the bar */
} layout;

static void draw_bar(bl_canvas *canvas, const layout *l) {
    for (int y = (int)l->top; y < (int)l->bottom; y++)
        bl_canvas_fill(canvas, l->x0, y, l->x1, y + 1, color_at((l->bottom - y - 0.5) / (l->bottom - l->top)));
    bl_canvas_line(canvas, l->x0, l->top, l->x1, l->top, 1, INK);
    bl_canvas_line(canvas, l->x1, l->top, l->x1, l->bottom, 1, INK);
    bl_canvas_line(canvas, l->x1, l->bottom, l->x0, l->bottom, 1, INK);
    bl_canvas_line(canvas, l->x0, l->bottom, l->x0, l->top, 1, INK);
}

bl_status bl_colorbar_draw(bl_canvas *canvas, const char *label, const char *unit, double low, double high) {
    bl_ticks ticks = bl_ticks_linear(low, high, 5);
    char text[160], factor[24] = "";
    if (ticks.exponent) snprintf(factor, sizeof factor, "10^%d ", ticks.exponent);
    bool bare = !*factor && (!*unit || (unit[0] == '1' && !unit[1]));
    snprintf(text, sizeof text, bare ? "%s" : "%s (%s%s)", label, factor, unit[0] == '1' && !unit[1] ? "" : unit);

    layout l = {.size = fmax(9, fmin(canvas->width * 0.028, canvas->height * 0.032))};
    double numbers = 0;
    char number[32];
    for (int i = 0; i < ticks.count; i++)
        numbers = fmax(numbers, bl_text_width(bl_tick_label(&ticks, i, false, number), l.size));
    double right = canvas->width - 1.2 * l.size;
    l.x1 = fmin(right - numbers - 0.6 * l.size, right - bl_text_width(text, l.size) + 1.2 * l.size);
    l.x0 = l.x1 - 1.2 * l.size;
    l.top = floor(canvas->height * 0.24);
    l.bottom = floor(canvas->height * 0.78);

    draw_bar(canvas, &l);
    bl_text_style style = {l.size, 0, BL_ALIGN_LEFT, INK, false};
    bl_status status = bl_canvas_text(canvas, l.x0, l.top - 0.9 * l.size, text, &style);
    for (int i = 0; i < ticks.count && !status; i++) {
        double y = l.bottom - (l.bottom - l.top) * (ticks.at[i] - low) / (high - low);
        bl_canvas_line(canvas, l.x1 - 0.3 * l.size, y, l.x1, y, 1, INK);
        status = bl_canvas_text(canvas, l.x1 + 0.5 * l.size, y + 0.35 * l.size, bl_tick_label(&ticks, i, false, number),
                                &style);
    }
    return status;
}
