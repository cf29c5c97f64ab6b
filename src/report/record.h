/* run.json as a tree, and the parts of the page that come from it. */
#ifndef BL_REPORT_RECORD_H
#define BL_REPORT_RECORD_H

#include "report/html.h"

struct fy_document;
struct fy_node;
typedef struct bl_record {
    struct fy_document *document;
    struct fy_diag *diag;
    struct fy_node *root;
} bl_record;

/* BL_ERR_NO_INPUT: no run.json in `dir`; BL_ERR_DATA: not one. */
bl_status bl_record_open(bl_context *ctx, const char *dir, bl_record *out);
void bl_record_close(bl_record *record); /* a zeroed one is fine */

/* A member's text ("" if there is none or it is no scalar) or number (NaN). */
const char *bl_record_text(struct fy_node *map, const char *key);
double bl_record_number(struct fy_node *map, const char *key);
struct fy_node *bl_record_member(struct fy_node *map, const char *key); /* NULL if there is none */
bool bl_record_is_null(struct fy_node *node);                           /* missing or `null` */

/* facts.c */
void bl_report_add_head(bl_html *html, const bl_record *record);     /* title, how it ended, key figures */
void bl_report_add_warnings(bl_html *html, const bl_record *record); /* nothing if there are none */
void bl_report_add_timings(bl_html *html, const bl_record *record);
void bl_report_add_versions(bl_html *html, const bl_record *record);
/* settings.c: the resolved scene, with units from the key table. */
void bl_report_add_settings(bl_html *html, const bl_record *record);

#endif
