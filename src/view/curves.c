/* Columns of series.csv for the page's plot. */
#include "output/paths.h"
#include "output/series.h"
#include "view/answers.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name, *unit, *doc;
} columns[] = {
#define X(name, unit, doc) {#name, unit, doc},
    BL_OBSERVATIONS(X)
#undef X
};

static void add_names(const bl_series *series, bl_answer *out) {
    out->type = "application/json";
    bl_json json = bl_json_make(&out->body, 0);
    bl_json_begin_array(&json, NULL);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        if (!bl_series_column(series, columns[k].name)) continue;
        bl_json_begin_object(&json, NULL);
        bl_json_string(&json, "name", columns[k].name);
        bl_json_string(&json, "unit", columns[k].unit);
        bl_json_string(&json, "doc", columns[k].doc);
        bl_json_end_object(&json);
    }
    bl_json_end_array(&json);
}

static void add_point(bl_text *body, double time, double value) {
    const double pair[2] = {time, value};
    bl_text_add_bytes(body, (const char *)pair, sizeof pair);
}

/* At most about 4,000 points: of each stretch of rows the smallest and the largest value in their order, so that no
 * spike is lost. */
static void add_curve(const double *time, const double *value, size_t rows, bl_text *body) {
    enum { STRETCHES = 2000 };
    const size_t step = rows / STRETCHES + 1;
    for (size_t from = 0; from < rows; from += step) {
        const size_t to = from + step < rows ? from + step : rows;
        size_t low = from, high = from;
        for (size_t i = from; i < to; i++) {
            if (value[i] < value[low] || isnan(value[low])) low = i;
            if (value[i] > value[high] || isnan(value[high])) high = i;
        }
        const size_t first = low < high ? low : high, second = low < high ? high : low;
        add_point(body, time[first], value[first]);
        if (second != first) add_point(body, time[second], value[second]);
    }
}

void bl_answer_series(bl_viewer *viewer, const char *column, bl_answer *out) {
    bl_series series = {0};
    char *path = bl_path_make(viewer->ctx, "%s/series.csv", viewer->dir);
    const bl_status status = path ? bl_series_load(viewer->ctx, path, &series) : BL_ERR_MEMORY;
    const double *time = status ? NULL : bl_series_column(&series, "time");
    const double *value = status ? NULL : bl_series_column(&series, column);
    if (status)
        bl_answer_status(out, viewer->ctx, status);
    else if (!*column)
        add_names(&series, out);
    else if (!time || !value)
        bl_answer_fail(out, 404, "series.csv has no column \"%s\"", time ? column : "time");
    else
        add_curve(time, value, series.row_count, &out->body);
    bl_series_clear(&series);
    bl_release(viewer->ctx, path);
}
