#include "view/answers.h"

#include "base/embedded.h"
#include "render/colormap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const bl_embedded bl_view_pages[]; /* web/, put into the library by cmake/ViewPages.cmake */

bl_status bl_viewer_open(bl_context *ctx, const char *dir, bl_viewer *out) {
    *out = (bl_viewer){.ctx = ctx, .dir = dir};
    return bl_reader_open(ctx, dir, &out->reader);
}

void bl_viewer_close(bl_viewer *viewer) { bl_reader_close(&viewer->reader); }

/* --- queries --- */

bool bl_query_text(const char *query, const char *name, char *value, size_t size) {
    const size_t length = strlen(name);
    for (const char *at = query; at && *at; at = strchr(at, '&') ? strchr(at, '&') + 1 : NULL) {
        if (strncmp(at, name, length) != 0 || at[length] != '=') continue;
        const char *from = at + length + 1;
        const size_t count = strcspn(from, "&");
        if (count >= size) return false;
        memcpy(value, from, count);
        value[count] = 0;
        return true;
    }
    return false;
}

bool bl_query_integer(const char *query, const char *name, int *value) {
    char text[16], *end;
    if (!bl_query_text(query, name, text, sizeof text) || !*text) return false;
    const long number = strtol(text, &end, 10);
    if (*end || number < 0 || number > 1000000000) return false;
    *value = (int)number;
    return true;
}

/* --- answers --- */

void bl_answer_fail(bl_answer *out, int code, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    out->code = code;
    out->type = "text/plain; charset=utf-8";
    bl_text_clear(&out->body);
    bl_text_add(&out->body, "%s\n", text);
}

void bl_answer_status(bl_answer *out, const bl_context *ctx, bl_status status) {
    bl_answer_fail(out, status == BL_ERR_NO_INPUT ? 404 : 500, "%s", bl_context_error(ctx));
}

static void answer_colormap(bl_answer *out) {
    unsigned char rgb[256 * 3];
    for (int k = 0; k < 256; k++) {
        const bl_vec3d c = bl_colormap(k / 255.0);
        rgb[3 * k] = (unsigned char)lrint(255 * bl_srgb_encode(c.x));
        rgb[3 * k + 1] = (unsigned char)lrint(255 * bl_srgb_encode(c.y));
        rgb[3 * k + 2] = (unsigned char)lrint(255 * bl_srgb_encode(c.z));
    }
    bl_text_add_bytes(&out->body, (const char *)rgb, sizeof rgb);
}

static const char *type_of(const char *name) {
    const char *ending = strrchr(name, '.');
    if (ending && strcmp(ending, ".html") == 0) return "text/html; charset=utf-8";
    if (ending && strcmp(ending, ".css") == 0) return "text/css; charset=utf-8";
    if (ending && strcmp(ending, ".svg") == 0) return "image/svg+xml";
    return "text/javascript; charset=utf-8";
}

static void answer_page(const char *name, bl_answer *out) {
    for (const bl_embedded *page = bl_view_pages; page->name; page++) {
        if (strcmp(page->name, name) != 0) continue;
        out->type = type_of(name);
        bl_text_add(&out->body, "%s", page->text);
        return;
    }
    bl_answer_fail(out, 404, "there is no /%s here", name);
}

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

void bl_viewer_answer(bl_viewer *viewer, const char *path, const char *query, bl_answer *out) {
    out->code = 200;
    out->type = "application/octet-stream";
    if (strcmp(path, "/api/run") == 0)
        bl_answer_run(viewer, out);
    else if (strcmp(path, "/api/frame") == 0)
        bl_answer_frame(viewer, query, out);
    else if (strcmp(path, "/api/surface") == 0)
        bl_answer_surface(viewer, query, out);
    else if (strcmp(path, "/api/series") == 0)
        bl_answer_series(viewer, "", out);
    else if (starts_with(path, "/api/series/"))
        bl_answer_series(viewer, path + strlen("/api/series/"), out);
    else if (strcmp(path, "/api/colormap") == 0)
        answer_colormap(out);
    else
        answer_page(strcmp(path, "/") == 0 ? "index.html" : path + 1, out);
    if (out->body.failed) bl_answer_fail(out, 500, "out of memory");
}
