/* Plots of series.csv and of measurements. */
#include "base/file.h"
#include "beadlet/measure.h"
#include "beadlet/plot.h"
#include "output/series.h"
#include "plot/measured.h"
#include "plot/plot.h"
#include "schemes/observation.h"
#include <math.h>
#include <string.h>

bl_plot_def bl_default_plot_def(void) {
    double none = (double)NAN;
    return (bl_plot_def){.x = "time",
                         .y = "energy_kinetic",
                         .x_min = none,
                         .x_max = none,
                         .y_min = none,
                         .y_max = none,
                         .width = 640,
                         .height = 400,
                         .out = "plot.svg"};
}

/* "" for columns that this library does not write. */
static const char *unit_of(const char *column) {
#define X(name, unit, doc)                                                                                             \
    if (!strcmp(column, #name)) return unit;
    BL_OBSERVATIONS(X)
#undef X
    return bl_measure_unit(column);
}

/* What one source has: its series or file, and the measurements of its frames, each made when it is first asked for. */
enum { TABLES_MAX = 16 };
typedef struct source {
    bl_context *ctx;
    const char *name, *fluid;
    bl_series tables[TABLES_MAX]; /* the first: series.csv or the file; then by number of bl_measure_name */
} source;

static void source_clear(source *s) {
    for (int k = 0; k < TABLES_MAX; k++)
        if (s->tables[k].ctx) bl_series_clear(&s->tables[k]);
}

static bool ends_with(const char *text, const char *ending) {
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && !strcmp(text + length - tail, ending);
}
static bool is_csv(const char *name) { return ends_with(name, ".csv"); }
static bool is_json(const char *name) {
    return ends_with(name, ".json") || ends_with(name, ".jsonl") || ends_with(name, ".ndjson");
}

/* Number of the measurement that "contact.angle" belongs to; -1 for columns of series.csv. */
static int measurement_of(const char *column) {
    const size_t length = strcspn(column, ".");
    for (int k = 0; column[length] && bl_measure_name(k); k++)
        if (strlen(bl_measure_name(k)) == length && !strncmp(column, bl_measure_name(k), length)) return k;
    return -1;
}

/* The table that holds both columns: that of y, or all measurements where x is one of another kind. */
static int table_of(const source *s, const char *x, const char *y) {
    if (is_csv(s->name) || is_json(s->name)) return 0;
    int mx = measurement_of(x), my = measurement_of(y);
    if (mx < 0 || my < 0 || mx == my) return 1 + (my >= 0 ? my : mx);
    while (bl_measure_name(my + 1)) my++; /* "all" is the last */
    return 1 + my;
}

static bl_status load_series(const source *s, bl_series *out) {
    if (is_csv(s->name)) return bl_series_load(s->ctx, s->name, out);
    if (is_json(s->name)) return bl_measured_read(s->ctx, s->name, out);
    bl_text path = bl_text_make(s->ctx);
    bl_text_add(&path, "%s/series.csv", s->name);
    bl_status status = path.failed ? BL_ERR_MEMORY : bl_series_load(s->ctx, bl_text_str(&path), out);
    if (status == BL_ERR_NO_INPUT)
        bl_fail(s->ctx, status, "%s: no series.csv there; expected the folder of a run, a .csv, .json or .jsonl file",
                s->name);
    bl_text_clear(&path);
    return status;
}

static bl_status load_table(source *s, int k) {
    if (s->tables[k].ctx) return BL_OK;
    return k ? bl_measured_run(s->ctx, s->name, bl_measure_name(k - 1), s->fluid, &s->tables[k])
             : load_series(s, &s->tables[k]);
}

static bl_status find_column(bl_context *ctx, const bl_series *series, const char *source_name, const char *name,
                             const double **out) {
    *out = bl_series_column(series, name);
    if (*out) return BL_OK;
    bl_text list = bl_text_make(ctx);
    for (int i = 0; i < series->column_count; i++) bl_text_add(&list, "%s%s", i ? ", " : "", series->names[i]);
    bl_status status =
        bl_fail(ctx, BL_ERR_USAGE, "%s: no column '%s'; the columns are: %s", source_name, name, bl_text_str(&list));
    bl_text_clear(&list);
    return status;
}

/* "run: column", or only what differs between the curves. */
static void make_label(bl_text *out, const bl_plot_def *def, const char *name, const char *column, bool many_columns) {
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/') length--;
    if (def->source_count > 1) bl_text_add(out, "%.*s", (int)length, name);
    if (def->source_count > 1 && many_columns) bl_text_add(out, ": ");
    if (many_columns || def->source_count == 1) bl_text_add(out, "%s", column);
}

static bl_status add_column(bl_plot *plot, const bl_plot_def *def, source *from, const char *column,
                            bool many_columns) {
    const int k = table_of(from, def->x, column);
    const bl_series *series = &from->tables[k];
    const double *x, *y;
    bl_status status = load_table(from, k);
    if (!status) status = find_column(plot->ctx, series, from->name, def->x, &x);
    if (!status) status = find_column(plot->ctx, series, from->name, column, &y);
    if (status) return status;
    bl_text label = bl_text_make(plot->ctx);
    make_label(&label, def, from->name, column, many_columns);
    status = bl_plot_add(plot, bl_text_str(&label), x, y, series->row_count,
                         series->row_count > 1 ? BL_PLOT_LINE : BL_PLOT_MARKS);
    bl_text_clear(&label);
    return status;
}

static bl_status add_source(bl_plot *plot, const bl_plot_def *def, const char *name, char *const *columns,
                            int column_count) {
    source from = {.ctx = plot->ctx, .name = name, .fluid = def->fluid};
    bl_status status = BL_OK;
    for (int i = 0; i < column_count && !status; i++)
        status = add_column(plot, def, &from, columns[i], column_count > 1);
    source_clear(&from);
    return status;
}

enum { COLUMNS_MAX = 16 };

/* Cuts `list` at its commas, in place. 0: too many, or an empty name. */
static int split_columns(char *list, char **columns) {
    int count = 0;
    for (char *at = list; at;) {
        if (count == COLUMNS_MAX) return 0;
        columns[count++] = at;
        at = strchr(at, ',');
        if (at) *at++ = 0;
        if (!*columns[count - 1]) return 0;
    }
    return count;
}

/* One name and unit for the axis: of the only column, or the unit that all share. */
static void label_axes(bl_plot *plot, const bl_plot_def *def, char *const *columns, int count) {
    plot->x_label = def->x;
    plot->x_unit = unit_of(def->x);
    plot->y_unit = unit_of(columns[0]);
    plot->y_label = count == 1 ? columns[0] : NULL;
    for (int i = 1; i < count; i++)
        if (strcmp(unit_of(columns[i]), plot->y_unit) != 0) plot->y_unit = NULL;
    if (count > 1 && plot->y_unit && !strcmp(plot->y_unit, "J")) plot->y_label = "energy";
}

static bl_status draw(bl_plot *plot, const bl_plot_def *def, char *const *columns, int column_count) {
    label_axes(plot, def, columns, column_count);
    bl_status status = BL_OK;
    for (int i = 0; i < def->source_count && !status; i++)
        status = add_source(plot, def, def->sources[i], columns, column_count);
    for (int i = 0; i < def->law_count && !status; i++) status = bl_plot_add_law(plot, def->laws[i]);
    return status ? status : bl_plot_save(plot, def->out);
}

bl_status bl_plot_runs(bl_context *ctx, const bl_plot_def *def) {
    if (def->source_count < 1) return bl_fail(ctx, BL_ERR_USAGE, "no run to plot");
    if (def->width < 200 || def->height < 150 || def->width > 10000 || def->height > 10000)
        return bl_fail(ctx, BL_ERR_USAGE, "a plot of %d x %d: expected 200 x 150 to 10000 x 10000", def->width,
                       def->height);
    char *columns[COLUMNS_MAX], *list = bl_strdup(ctx, def->y);
    if (!list) return BL_ERR_MEMORY;
    int count = split_columns(list, columns);
    bl_plot plot;
    bl_plot_init(ctx, &plot);
    plot.title = def->title;
    plot.log_x = def->log_x, plot.log_y = def->log_y;
    plot.x_min = def->x_min, plot.x_max = def->x_max, plot.y_min = def->y_min, plot.y_max = def->y_max;
    plot.width = def->width, plot.height = def->height;
    bl_status status =
        count ? draw(&plot, def, columns, count)
              : bl_fail(ctx, BL_ERR_USAGE, "'%s': expected 1 to %d columns separated by commas", def->y, COLUMNS_MAX);
    bl_plot_clear(&plot);
    bl_release(ctx, list);
    return status;
}
