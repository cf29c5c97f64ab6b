#include "validate/pages_plots.h"

#include "plot/plot.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 256 };

/* The plot with its caption; nothing if there is nothing to draw. */
static bl_status write_plot(bl_html *html, const bl_plot *plot, const char *caption) {
    bl_text svg = bl_text_make(html->ctx);
    bl_status status = plot->series_count ? bl_plot_write_svg(plot, &svg) : BL_ERR_DATA;
    if (status == BL_OK) {
        bl_html_markup(html, "<figure class=\"plot\">");
        fwrite(bl_text_str(&svg), 1, svg.size, html->file);
        bl_html_markup(html, "<figcaption>");
        bl_html_text(html, caption);
        bl_html_markup(html, "</figcaption></figure>\n");
    }
    bl_text_clear(&svg);
    return status == BL_ERR_DATA ? BL_OK : status; /* no finite point */
}

static void init_plot(bl_context *ctx, bl_plot *plot) {
    bl_plot_init(ctx, plot);
    plot->width = 560;
    plot->height = 350;
}

/* --- simulated against law --- */

static bl_status add_outcome(bl_plot *plot, const bl_results *results, const bl_outcome *o) {
    bl_text label = bl_text_make(plot->ctx);
    bl_text_add(&label, "%s%s%s", o->run->label, results->scheme_count > 1 ? ", " : "",
                results->scheme_count > 1 ? o->scheme : "");
    bl_plot_style style = o->curve.count > 40 ? BL_PLOT_LINE : BL_PLOT_MARKS;
    bl_status status = bl_plot_add(plot, bl_text_str(&label), o->curve.x, o->curve.y, o->curve.count, style);
    bl_text_clear(&label);
    return status;
}

static bool same_law(const bl_trial_curve *a, const bl_trial_curve *b) {
    return a->law_count == b->law_count && memcmp(a->law_y, b->law_y, a->law_count * sizeof *a->law_y) == 0;
}

/* Runs of one group in one plot: their curves, and each law that differs from the one before. */
static bl_status add_curves(bl_html *html, const bl_results *results, const bl_case_result *r, const char *group) {
    bl_plot plot;
    init_plot(html->ctx, &plot);
    const bl_trial_curve *law = NULL;
    bl_status status = BL_OK;
    for (int k = 0; k < r->outcome_count && status == BL_OK; k++) {
        const bl_outcome *o = &r->outcomes[k];
        if (!o->curve.count || strcmp(o->run->group, group) != 0) continue;
        plot.x_label = o->curve.x_label;
        plot.y_label = o->curve.y_label;
        status = add_outcome(&plot, results, o);
        bool draw = o->curve.law_count && !(law && same_law(law, &o->curve));
        if (status == BL_OK && draw)
            status =
                bl_plot_add(&plot, law ? NULL : "law", o->curve.law_x, o->curve.law_y, o->curve.law_count, BL_PLOT_LAW);
        law = &o->curve;
    }
    bl_text caption = bl_text_make(html->ctx);
    bl_text_add(&caption, "Simulated and law%s%s.", *group ? ": " : "", group);
    if (status == BL_OK) status = write_plot(html, &plot, bl_text_str(&caption));
    bl_text_clear(&caption);
    bl_plot_clear(&plot);
    return status;
}

/* --- error against resolution --- */

/* |error| of one figure in one group with one scheme, over x; *order of the fit. */
static bl_status add_errors(bl_plot *plot, const bl_case_result *r, const char *scheme, int figure, const char *group,
                            bl_text *caption) {
    double x[MOST_POINTS], y[MOST_POINTS];
    size_t n = 0;
    for (int k = 0; k < r->outcome_count && n < MOST_POINTS; k++) {
        const bl_outcome *o = &r->outcomes[k];
        if (strcmp(o->scheme, scheme) != 0 || strcmp(o->run->group, group) != 0 || !(o->run->x > 0)) continue;
        if (!(fabs(o->error[figure]) > 0)) continue;
        x[n] = o->run->x;
        y[n++] = fabs(o->error[figure]);
    }
    if (n < 2) return BL_OK;
    const char *label = r->c.figures[figure].label;
    double order = bl_judge_order(r, scheme, figure, group);
    bl_text name = bl_text_make(plot->ctx);
    bl_text_add(&name, "%s %s%s%s", label, group, r->scheme_count > 1 ? ", " : "", r->scheme_count > 1 ? scheme : "");
    if (bl_case_has_order(&r->c)) bl_text_add(caption, " %s: order %.1f (%zu runs).", bl_text_str(&name), order, n);
    bl_status status = bl_plot_add(plot, bl_text_str(&name), x, y, n, n > 2 ? BL_PLOT_LINE : BL_PLOT_MARKS);
    bl_text_clear(&name);
    return status;
}

/* The first run of the group: each group is drawn once. */
static bool is_first_of_group(const bl_case_result *r, int k) {
    for (int j = 0; j < k; j++)
        if (strcmp(r->outcomes[j].run->group, r->outcomes[k].run->group) == 0) return false;
    return true;
}

static bl_status add_error_plot(bl_html *html, const bl_results *results, const bl_case_result *r) {
    bl_plot plot;
    init_plot(html->ctx, &plot);
    plot.log_x = plot.log_y = true;
    plot.x_label = r->c.sweep;
    plot.y_label = "|error|";
    bl_text caption = bl_text_make(html->ctx);
    bl_text_add(&caption, "Error over %s.", r->c.sweep);
    bl_status status = BL_OK;
    for (int s = 0; s < results->scheme_count; s++)
        for (int k = 0; k < r->run_count; k++)
            for (int f = 0; f < r->c.figure_count && status == BL_OK && is_first_of_group(r, k); f++)
                status = add_errors(&plot, r, results->schemes[s], f, r->outcomes[k].run->group, &caption);
    if (status == BL_OK) status = write_plot(html, &plot, bl_text_str(&caption));
    bl_text_clear(&caption);
    bl_plot_clear(&plot);
    return status;
}

bl_status bl_validate_add_plots(bl_html *html, const bl_results *results, const bl_case_result *r) {
    bl_status status = BL_OK;
    bl_html_markup(html, "<div class=\"plots\">\n");
    for (int k = 0; k < r->run_count && status == BL_OK; k++)
        if (is_first_of_group(r, k)) status = add_curves(html, results, r, r->outcomes[k].run->group);
    if (status == BL_OK && r->c.sweep) status = add_error_plot(html, results, r);
    bl_html_markup(html, "</div>\n");
    return status;
}
