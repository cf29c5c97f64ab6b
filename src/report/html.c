#include "report/html.h"

#include "base/base64.h"
#include "base/file.h"

#include <stdarg.h>

void bl_html_markup(bl_html *html, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vfprintf(html->file, fmt, args);
    va_end(args);
}

void bl_html_text(bl_html *html, const char *text) {
    for (const char *c = text; *c; c++) switch (*c) {
        case '<': fputs("&lt;", html->file); break;
        case '>': fputs("&gt;", html->file); break;
        case '&': fputs("&amp;", html->file); break;
        case '"': fputs("&quot;", html->file); break;
        case '\'': fputs("&#39;", html->file); break;
        default: fputc((unsigned char)*c < 32 && *c != '\n' ? ' ' : *c, html->file);
        }
}

bl_status bl_html_data(bl_html *html, const char *type, const char *path) {
    char *bytes;
    size_t size;
    bl_status status = bl_file_read(html->ctx, path, &bytes, &size);
    if (status != BL_OK) return status;
    bl_html_markup(html, "data:%s;base64,", type);
    bl_base64 stream = {.file = html->file};
    bl_base64_write(&stream, bytes, size);
    bl_base64_end(&stream);
    bl_release(html->ctx, bytes);
    return BL_OK;
}

void bl_html_begin_page(bl_html *html, const char *title) {
    /* the policy makes sure that the page asks for nothing, whatever a run's texts hold */
    bl_html_markup(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                         "<meta name=\"color-scheme\" content=\"light dark\">\n"
                         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
                         "media-src data:; style-src 'unsafe-inline'\">\n<title>");
    bl_html_text(html, title);
    bl_html_markup(html, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", bl_report_style);
}

void bl_html_end_page(bl_html *html) { bl_html_markup(html, "</main>\n</body>\n</html>\n"); }

void bl_html_begin_section(bl_html *html, const char *id, const char *title) {
    bl_html_markup(html, "<section id=\"%s\">\n<h2>", id);
    bl_html_text(html, title);
    bl_html_markup(html, "</h2>\n");
}

void bl_html_end_section(bl_html *html) { bl_html_markup(html, "</section>\n"); }

void bl_html_note(bl_html *html, const char *text) {
    bl_html_markup(html, "<p class=\"note\">");
    bl_html_text(html, text);
    bl_html_markup(html, "</p>\n");
}
