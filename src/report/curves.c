/* Plots of series.csv for the page. */
#include "output/paths.h"
#include "output/series.h"
#include "plot/plot.h"
#include "report/parts.h"

#include <math.h>

enum { CURVES_MAX = 4, TERMS_MAX = 7 };

/* A curve: the sum of some columns. */
typedef struct curve_def {
    const char *label;
    const char *columns[TERMS_MAX];
    bool from_start; /* less its first value */
} curve_def;

typedef struct chart_def {
    const char *title, *y_label, *unit;
    bool log_y;
    const char *note;
    curve_def curves[CURVES_MAX];
} chart_def;

#define INTERFACES "energy_fv", "energy_ff", "energy_fb", "energy_bv", "energy_bf"
static const chart_def charts[] = {
    {"Energies",
     "energy",
     "J",
     false,
     "Potential, interface and total energy as changes since the first step.",
     {{"kinetic", {"energy_kinetic"}, false},
      {"potential", {"energy_potential"}, true},
      {"interfaces", {INTERFACES}, true},
      {"total", {"energy_kinetic", "energy_potential", INTERFACES}, true}}},
    {"Kinetic energy", "kinetic energy", "J", true, NULL, {{NULL, {"energy_kinetic"}, false}}},
    {"Solver iterations",
     "iterations a step",
     NULL,
     false,
     NULL,
     {{"solver", {"iterations"}, false}, {"viscosity", {"viscosity_iterations"}, false}}},
    {"Residuals",
     "residual",
     NULL,
     true,
     "Volume: relative; tension and friction: displacement in spacings.",
     {{"volume", {"residual_volume"}, false},
      {"tension", {"residual_tension"}, false},
      {"friction", {"residual_friction"}, false}}},
    {"Time step", "time step", "s", false, NULL, {{NULL, {"dt"}, false}}},
    {"Volume error",
     "compression",
     NULL,
     true,
     "Density above rest density, relative.",
     {{"largest", {"volume_error_max"}, false}, {"mean", {"volume_error_mean"}, false}}},
    {"Largest speed", "speed", "m/s", false, NULL, {{NULL, {"speed_max"}, false}}},
    {"Computing time", "time a step", "ms", false, NULL, {{NULL, {"wall_ms"}, false}}},
};
#undef INTERFACES

/* The curve's values; false if a column is missing or nothing can be seen: zero throughout, or on a log axis nowhere
 * positive. */
static bool sum_columns(const bl_series *series, const curve_def *def, bool log_y, double *out) {
    for (size_t i = 0; i < series->row_count; i++) out[i] = 0;
    for (int t = 0; t < TERMS_MAX && def->columns[t]; t++) {
        const double *column = bl_series_column(series, def->columns[t]);
        if (!column) return false;
        for (size_t i = 0; i < series->row_count; i++) out[i] += column[i];
    }
    double start = def->from_start ? out[0] : 0;
    bool visible = false;
    for (size_t i = 0; i < series->row_count; i++) {
        out[i] -= start;
        visible = visible || (isfinite(out[i]) && (log_y ? out[i] > 0 : out[i] != 0));
    }
    return visible;
}

static bl_status add_curves(bl_plot *plot, const bl_series *series, const chart_def *def) {
    bl_plot_style style = series->row_count > 1 ? BL_PLOT_LINE : BL_PLOT_MARKS;
    double *values = bl_alloc(plot->ctx, series->row_count, sizeof *values);
    bl_status status = values ? BL_OK : BL_ERR_MEMORY;
    const double *time = bl_series_column(series, "time");
    for (int k = 0; time && !status && k < CURVES_MAX && def->curves[k].columns[0]; k++)
        if (sum_columns(series, &def->curves[k], def->log_y, values))
            status = bl_plot_add(plot, def->curves[k].label, time, values, series->row_count, style);
    bl_release(plot->ctx, values);
    return status;
}

static void write_chart(bl_html *html, const chart_def *def, const bl_text *svg) {
    bl_html_markup(html, "<figure class=\"plot\">");
    fwrite(svg->data, 1, svg->size, html->file);
    bl_html_markup(html, "<figcaption><b>%s.</b> ", def->title);
    if (def->note) bl_html_text(html, def->note);
    bl_html_markup(html, "</figcaption></figure>\n");
}

/* Nothing for a chart without curves: no friction, no viscosity. */
static bl_status add_chart(bl_html *html, const bl_series *series, const chart_def *def) {
    bl_plot plot;
    bl_plot_init(html->ctx, &plot);
    plot.width = 520;
    plot.height = 320;
    plot.x_label = "time", plot.x_unit = "s";
    plot.y_label = def->y_label, plot.y_unit = def->unit;
    plot.log_y = def->log_y;
    bl_text svg = bl_text_make(html->ctx);
    bl_status status = add_curves(&plot, series, def);
    if (!status && plot.series_count) {
        status = bl_plot_write_svg(&plot, &svg);
        if (!status)
            write_chart(html, def, &svg);
        else if (status == BL_ERR_DATA) /* no finite point */
            status = BL_OK;
    }
    bl_text_clear(&svg);
    bl_plot_clear(&plot);
    return status;
}

bl_status bl_report_add_plots(bl_html *html, const char *dir) {
    bl_series series = {0};
    char *path = bl_path_make(html->ctx, "%s/series.csv", dir);
    if (!path) return BL_ERR_MEMORY;
    bl_html_begin_section(html, "plots", "Plots");
    bl_status status = bl_series_load(html->ctx, path, &series);
    bl_release(html->ctx, path);
    if (status != BL_OK && status != BL_ERR_MEMORY) {
        bl_html_note(html, bl_context_error(html->ctx));
        status = BL_OK;
    } else if (status == BL_OK && !series.row_count) {
        bl_html_note(html, "No plots: the run has not finished a step.");
    } else if (status == BL_OK) {
        bl_html_markup(html, "<div class=\"plots\">\n");
        for (size_t k = 0; k < sizeof charts / sizeof *charts && !status; k++)
            status = add_chart(html, &series, &charts[k]);
        bl_html_markup(html, "</div>\n");
    }
    bl_series_clear(&series);
    bl_html_end_section(html);
    return status;
}
