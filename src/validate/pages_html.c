/* The page: an overview, then a section a case with its law, its figures by scheme, and its plots. */
#include "base/file.h"
#include "output/formats.h"
#include "report/html.h"
#include "validate/pages.h"
#include "validate/pages_plots.h"

#include <math.h>
#include <stdio.h>

/* Error in per cent, or as it is. */
static void add_error(bl_html *html, double error, bool relative, bool sign) {
    if (isnan(error))
        bl_html_markup(html, "-");
    else if (relative)
        bl_html_markup(html, sign ? "%+.2f %%" : "%.2f %%", 100 * error);
    else
        bl_html_markup(html, sign ? "%+.3g" : "%.3g", error);
}

static const char *verdict_class(bl_verdict verdict) {
    switch (verdict) {
    case BL_VERDICT_WORSE:
    case BL_VERDICT_FAILED: return "bad";
    case BL_VERDICT_MISSED: return "fair";
    case BL_VERDICT_MET: return "good";
    case BL_VERDICT_NO_AIM: break;
    }
    return "note";
}

/* measured, error, verdict of one scheme */
static void add_cells(bl_html *html, const bl_validate_row *row) {
    if (isnan(row->measured))
        bl_html_markup(html, "<td>-</td>");
    else
        bl_html_markup(html, "<td>%.4g</td>", row->measured);
    bl_html_markup(html, "<td>");
    add_error(html, row->error, row->relative, true);
    if (row->scatter > 0) {
        bl_html_markup(html, " &plusmn; ");
        add_error(html, row->scatter, row->relative, false);
    }
    bl_html_markup(html, "</td><td>");
    add_error(html, row->recorded, row->relative, false);
    bl_html_markup(html, "</td><td><span class=\"badge %s\"", verdict_class(row->verdict));
    if (row->why) {
        bl_html_markup(html, " title=\"");
        bl_html_text(html, row->why);
        bl_html_markup(html, "\"");
    }
    bl_html_markup(html, ">%s</span></td>", bl_verdict_text(row->verdict));
}

/* `step` leads from a scheme's row to the next scheme's. */
static void add_row(bl_html *html, const bl_results *results, const char *label, const bl_validate_row *row, int step) {
    if (!row->figure) return;
    bl_html_markup(html, "<tr><th>");
    bl_html_text(html, label);
    bl_html_markup(html, "</th><td>");
    bl_html_text(html, row->label);
    bl_html_markup(html, "</td>");
    if (isnan(row->law))
        bl_html_markup(html, "<td>-</td><td>");
    else
        bl_html_markup(html, "<td>%.4g</td><td>", row->law);
    add_error(html, row->aim, row->relative, false);
    bl_html_markup(html, "</td>");
    for (int s = 0; s < results->scheme_count; s++) add_cells(html, row + (ptrdiff_t)s * step);
    bl_html_markup(html, "</tr>\n");
}

static void add_heads(bl_html *html, const bl_results *results) {
    bl_html_markup(html, "<thead><tr><th>run</th><th>figure</th><th>law</th><th>aim</th>");
    for (int s = 0; s < results->scheme_count; s++) {
        bl_html_markup(html, "<th>");
        bl_html_text(html, results->schemes[s]);
        bl_html_markup(html, "</th><th>error</th><th>recorded</th><th></th>");
    }
    bl_html_markup(html, "</tr></thead>\n");
}

static void add_table(bl_html *html, const bl_results *results, const bl_case_result *r) {
    const bl_case *c = &r->c;
    bl_html_markup(html, "<div class=\"scroll\"><table>\n");
    add_heads(html, results);
    bl_html_markup(html, "<tbody>\n");
    for (int i = 0; i < r->run_count; i++)
        for (int k = 0; k < c->figure_count; k++)
            add_row(html, results, r->outcomes[i].run->label, &r->rows[i * c->figure_count + k],
                    r->run_count * c->figure_count);
    for (int k = 0; k < c->summary_count && r->run_count > 0; k++)
        add_row(html, results, "all runs", &r->rows[r->outcome_count * c->figure_count + k], c->summary_count);
    bl_html_markup(html, "</tbody></table></div>\n");
}

static void add_paragraph(bl_html *html, const char *head, const char *text) {
    if (!text) return;
    bl_html_markup(html, "<p><b>%s</b> ", head);
    bl_html_text(html, text);
    bl_html_markup(html, "</p>\n");
}

static bl_status add_case(bl_html *html, const bl_results *results, const bl_case_result *r) {
    bl_html_begin_section(html, r->c.name, r->c.title);
    add_paragraph(html, "Law.", r->c.law);
    add_paragraph(html, "Source.", r->c.source);
    add_paragraph(html, "Note.", r->c.note);
    add_table(html, results, r);
    bl_status status = bl_validate_add_plots(html, results, r);
    bl_html_end_section(html);
    return status;
}

static void add_overview(bl_html *html, const bl_results *results) {
    bl_html_markup(html, "<p class=\"kind\">Beadlet %s, %s precision, code %s, %s runs</p>\n<h1>Validation</h1>\n",
                   bl_version(), BL_REAL_NAME, bl_code_hash, results->def->full ? "full" : "quick");
    bl_html_markup(html, "<dl class=\"figures\">\n");
    for (int v = 0; v <= BL_VERDICT_NO_AIM; v++)
        bl_html_markup(html, "<div><dd class=\"%s\">%d</dd><dt>%s</dt></div>\n", verdict_class((bl_verdict)v),
                       results->totals.counts[v], bl_verdict_text((bl_verdict)v));
    bl_html_markup(html,
                   "</dl>\n<p class=\"note\">An error is measured/law - 1 in per cent, or the difference to the law "
                   "where a number without per cent stands. Recorded is the |error| reached before; a figure "
                   "is WORSE when it exceeds that by more than the case's margin and three times the scatter over "
                   "seeds. Point at a failed figure for the reason.</p>\n");
}

static bl_status write_page(bl_html *html, const bl_results *results) {
    bl_status status = BL_OK;
    bl_html_begin_page(html, "Beadlet validation");
    add_overview(html, results);
    for (int k = 0; k < results->case_count && status == BL_OK; k++)
        status = add_case(html, results, &results->cases[k]);
    bl_html_end_page(html);
    return status;
}

bl_status bl_results_write_html(const bl_results *results, const char *path) {
    bl_outfile file;
    bl_status status = bl_outfile_open(results->ctx, path, &file);
    if (status != BL_OK) return status;
    bl_html html = {results->ctx, file.stream};
    return bl_finish_file(results->ctx, &file, write_page(&html, results));
}
