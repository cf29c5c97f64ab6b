/* Reading series.csv, or any CSV of numbers with a header line. */
#include "base/file.h"
#include "output/series.h"

#include <stdlib.h>
#include <string.h>

void bl_series_clear(bl_series *series) {
    for (int c = 0; c < series->column_count; c++) {
        if (series->names) bl_release(series->ctx, series->names[c]);
        if (series->columns) bl_release(series->ctx, series->columns[c]);
    }
    bl_release(series->ctx, series->names);
    bl_release(series->ctx, series->columns);
    memset(series, 0, sizeof *series);
}

const double *bl_series_column(const bl_series *series, const char *name) {
    for (int c = 0; c < series->column_count; c++)
        if (strcmp(series->names[c], name) == 0) return series->columns[c];
    return NULL;
}

static size_t count_char(const char *text, const char *end, char wanted) {
    size_t n = 0;
    for (; text < end; text++) n += *text == wanted;
    return n;
}

/* Names of the columns from the first line, and room for as many rows as there are further complete lines. */
static bl_status read_header(bl_series *series, const char *text, const char *line_end, size_t lines) {
    series->column_count = (int)count_char(text, line_end, ',') + 1;
    series->names = bl_alloc(series->ctx, (size_t)series->column_count, sizeof *series->names);
    series->columns = bl_alloc(series->ctx, (size_t)series->column_count, sizeof *series->columns);
    if (!series->names || !series->columns) return BL_ERR_MEMORY;
    for (int c = 0; c < series->column_count; c++) {
        size_t length = strcspn(text, ",\r\n");
        series->names[c] = bl_alloc(series->ctx, length + 1, 1);
        series->columns[c] = bl_alloc(series->ctx, lines, sizeof **series->columns);
        if (!series->names[c] || !series->columns[c]) return BL_ERR_MEMORY;
        memcpy(series->names[c], text, length);
        text += length + 1;
    }
    return BL_OK;
}

static bl_status read_row(bl_series *series, const char *path, const char *text) {
    for (int c = 0; c < series->column_count; c++) {
        char *behind;
        series->columns[c][series->row_count] = strtod(text, &behind);
        bool last = c + 1 == series->column_count;
        bool ends = last ? *behind == '\n' || *behind == '\r' : *behind == ',';
        if (behind == text || !ends)
            return bl_fail(series->ctx, BL_ERR_DATA,
                           "%s:%zu: expected %d numbers with commas, found another thing in "
                           "column %d",
                           path, series->row_count + 2, series->column_count, c + 1);
        text = behind + 1;
    }
    series->row_count++;
    return BL_OK;
}

static bl_status parse(bl_series *series, const char *path, const char *text, size_t size) {
    const char *line_end = strchr(text, '\n');
    if (!line_end) return bl_fail(series->ctx, BL_ERR_DATA, "%s: no header line", path);
    size_t lines = count_char(text, text + size, '\n') - 1;
    bl_status status = read_header(series, text, line_end, lines);
    for (const char *row = line_end + 1; status == BL_OK && (line_end = strchr(row, '\n')); row = line_end + 1)
        status = read_row(series, path, row);
    return status;
}

bl_status bl_series_load(bl_context *ctx, const char *path, bl_series *out) {
    *out = (bl_series){.ctx = ctx};
    char *text;
    size_t size;
    bl_status status = bl_file_read(ctx, path, &text, &size);
    if (status != BL_OK) return status;
    status = parse(out, path, text, size);
    bl_release(ctx, text);
    if (status != BL_OK) bl_series_clear(out);
    return status;
}
