/* Writing series.csv. */
#include "output/series.h"

#include "base/file.h"
#include "base/text.h"
#include "base/timer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bl_series_writer {
    bl_context *ctx;
    char *path;
    const char *header;
    FILE *file;
    double last_flush;
};

#define X(name, unit, doc) "," #name
static const char header_with_comma[] = BL_OBSERVATIONS(X) "\n";
#undef X

static bl_status write_failed(bl_series_writer *series) {
    return bl_fail(series->ctx, BL_ERR_IO, "%s: cannot write: %s", series->path, strerror(errno));
}

/* Bytes of the header and of all complete rows up to `last_step`. 0: the file was not made by this program. */
static size_t kept_size(const char *text, const char *header, uint64_t last_step) {
    if (strncmp(text, header, strlen(header)) != 0) return 0;
    const char *row = text + strlen(header);
    for (const char *line_end; (line_end = strchr(row, '\n')); row = line_end + 1)
        if (strtoull(row, NULL, 10) > last_step) break;
    return (size_t)(row - text);
}

/* Cut the file behind the row of the last step. *exists: there was one. */
static bl_status cut_off(bl_context *ctx, const char *path, const char *header, uint64_t last_step, bool *exists) {
    char *text;
    size_t size;
    *exists = bl_file_exists(path);
    if (!*exists) return BL_OK;
    bl_status status = bl_file_read(ctx, path, &text, &size);
    if (status != BL_OK) return status;
    size_t kept = kept_size(text, header, last_step);
    bl_release(ctx, text);
    if (kept == 0)
        return bl_fail(ctx, BL_ERR_DATA, "%s: its columns are not those of this version; move it away to go on", path);
    if (truncate(path, (off_t)kept) != 0)
        return bl_fail(ctx, BL_ERR_IO, "%s: cannot cut off: %s", path, strerror(errno));
    return BL_OK;
}

static bl_status open_file(bl_series_writer *series, bool append) {
    series->file = fopen(series->path, append ? "ab" : "wb");
    if (!series->file)
        return bl_fail(series->ctx, BL_ERR_CANT_CREATE, "%s: cannot create: %s", series->path, strerror(errno));
    if (!append) fputs(series->header, series->file);
    return bl_series_flush(series, false);
}

bl_status bl_series_create(bl_context *ctx, const char *path, bool resume, uint64_t last_step, bl_series_writer **out) {
    return bl_table_create(ctx, path, header_with_comma + 1, resume, last_step, out);
}

bl_status bl_table_create(bl_context *ctx, const char *path, const char *header, bool resume, uint64_t last_step,
                          bl_series_writer **out) {
    *out = NULL;
    bool append = false;
    bl_status status = resume ? cut_off(ctx, path, header, last_step, &append) : BL_OK;
    if (status != BL_OK) return status;
    bl_series_writer *series = bl_alloc(ctx, 1, sizeof *series);
    if (!series) return BL_ERR_MEMORY;
    series->ctx = ctx;
    series->path = bl_strdup(ctx, path);
    series->header = header;
    status = series->path ? open_file(series, append) : BL_ERR_MEMORY;
    if (status == BL_OK)
        *out = series;
    else
        bl_series_destroy(series);
    return status;
}

bl_status bl_series_add(bl_series_writer *series, const bl_observation *row) {
#define X(name, unit, doc) row->name,
    const double values[] = {BL_OBSERVATIONS(X)};
#undef X
    return bl_table_add(series, values, sizeof values / sizeof *values);
}

bl_status bl_table_add(bl_series_writer *series, const double *values, size_t count) {
    char number[32];
    for (size_t c = 0; c < count; c++) {
        if (c) fputc(',', series->file);
        fputs(bl_format_double(number, values[c]), series->file);
    }
    if (fputc('\n', series->file) == EOF) return write_failed(series);
    return bl_now() - series->last_flush > 1 ? bl_series_flush(series, false) : BL_OK;
}

bl_status bl_series_flush(bl_series_writer *series, bool to_disk) {
    series->last_flush = bl_now();
    if (ferror(series->file) || fflush(series->file) != 0) return write_failed(series);
    if (to_disk && fsync(fileno(series->file)) != 0) return write_failed(series);
    return BL_OK;
}

void bl_series_destroy(bl_series_writer *series) {
    if (!series) return;
    if (series->file) fclose(series->file);
    bl_release(series->ctx, series->path);
    bl_release(series->ctx, series);
}
