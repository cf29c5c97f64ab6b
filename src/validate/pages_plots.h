/* The plots of a case on the page. */
#ifndef BL_VALIDATE_PAGES_PLOTS_H
#define BL_VALIDATE_PAGES_PLOTS_H

#include "report/html.h"
#include "validate/pages.h"

bl_status bl_validate_add_plots(bl_html *html, const bl_results *results, const bl_case_result *result);

#endif
