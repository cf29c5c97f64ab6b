/* The parts of the page that are drawn. What cannot be drawn becomes a note on the page: these fail only when memory or
 * the disk does. */
#ifndef BL_REPORT_PARTS_H
#define BL_REPORT_PARTS_H

#include "beadlet/report.h"
#include "report/html.h"

/* Stills and film, drawn in a folder of their own beside `out`, which is gone afterwards. */
bl_status bl_report_add_pictures(bl_html *html, const char *dir, const char *out, const bl_report_def *def);
/* Curves of series.csv. */
bl_status bl_report_add_plots(bl_html *html, const char *dir);

#endif
