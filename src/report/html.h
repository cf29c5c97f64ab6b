/* HTML on its way into a file. Write errors stay in the stream until the end. */
#ifndef BL_REPORT_HTML_H
#define BL_REPORT_HTML_H

#include "base/context.h"
#include <stdio.h>

typedef struct bl_html {
    bl_context *ctx;
    FILE *file;
} bl_html;

/* Markup as it is: only for text of this module's own and for numbers. */
void bl_html_markup(bl_html *html, const char *fmt, ...) BL_PRINTF(2, 3);
/* Text from elsewhere, between tags or in a quoted attribute: every character stands for itself. */
void bl_html_text(bl_html *html, const char *text);
/* "data:TYPE;base64,..." of a file. */
bl_status bl_html_data(bl_html *html, const char *type, const char *path);

/* Everything up to <main>, and from </main> on. The page asks for nothing from elsewhere. */
void bl_html_begin_page(bl_html *html, const char *title);
void bl_html_end_page(bl_html *html);
/* A section with an anchor and a heading, and its end. */
void bl_html_begin_section(bl_html *html, const char *id, const char *title);
void bl_html_end_section(bl_html *html);
/* A sentence about what is missing. */
void bl_html_note(bl_html *html, const char *text);

extern const char bl_report_style[]; /* CSS */

#endif
