/* One page about a run. */
#include "beadlet/report.h"

#include "base/file.h"
#include "output/formats.h"
#include "output/paths.h"
#include "report/parts.h"
#include "report/record.h"

bl_report_def bl_default_report_def(void) {
    return (bl_report_def){.pictures = 6, .film = 24, .width = 480, .height = 270, .samples = 8};
}

static void add_top(bl_html *html, const bl_record *record) {
    const char *name = bl_record_text(bl_record_member(record->root, "scene"), "name");
    bl_html_begin_page(html, *name ? name : "Beadlet run");
}

static bl_status write_page(bl_html *html, const bl_record *record, const char *dir, const char *out,
                            const bl_report_def *def) {
    add_top(html, record);
    bl_report_add_head(html, record);
    bl_report_add_warnings(html, record);
    bl_status status = bl_report_add_pictures(html, dir, out, def);
    if (status == BL_OK) status = bl_report_add_plots(html, dir);
    bl_report_add_settings(html, record);
    bl_report_add_timings(html, record);
    bl_report_add_versions(html, record);
    bl_html_end_page(html);
    return status;
}

bl_status bl_report(bl_context *ctx, const char *dir, const bl_report_def *def) {
    bl_report_def standard = bl_default_report_def();
    if (!def) def = &standard;
    if (def->pictures < 0 || def->film < 0)
        return bl_fail(ctx, BL_ERR_USAGE, "%d pictures, %d in the film: expected 0 or more", def->pictures, def->film);
    bl_record record;
    bl_status status = bl_record_open(ctx, dir, &record);
    if (status != BL_OK) return status;
    char *out = def->out ? bl_strdup(ctx, def->out) : bl_path_make(ctx, "%s/report.html", dir);
    bl_outfile file;
    status = out ? bl_outfile_open(ctx, out, &file) : BL_ERR_MEMORY;
    if (status == BL_OK) {
        bl_html html = {ctx, file.stream};
        status = bl_finish_file(ctx, &file, write_page(&html, &record, dir, out, def));
    }
    bl_release(ctx, out);
    bl_record_close(&record);
    return status;
}
