/* Results as files. */
#ifndef BL_VALIDATE_PAGES_H
#define BL_VALIDATE_PAGES_H

#include "validate/judge.h"

typedef struct bl_results {
    bl_context *ctx;
    const bl_validate_def *def;
    int scheme_count;
    const char *const *schemes;
    int case_count;
    bl_case_result *cases;
    bl_validate_result totals;
} bl_results;

bl_status bl_results_write_json(const bl_results *results, const char *path);
/* One page that holds everything: tables, plots. */
bl_status bl_results_write_html(const bl_results *results, const char *path);

#endif
