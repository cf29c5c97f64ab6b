/* series.csv: a header, then one row of numbers a step; shortest decimals that read back the same double. */
#ifndef BL_OUTPUT_SERIES_H
#define BL_OUTPUT_SERIES_H

#include "base/context.h"
#include "schemes/observation.h"

typedef struct bl_series_writer bl_series_writer;
/* Starts a new file, or (resume) goes on after the row of `last_step`; later rows are cut off. */
bl_status bl_series_create(bl_context *ctx, const char *path, bool resume, uint64_t last_step, bl_series_writer **out);
/* The same for a table of its own, whose first column is the step; `header` ends in a newline and must outlive it. */
bl_status bl_table_create(bl_context *ctx, const char *path, const char *header, bool resume, uint64_t last_step,
                          bl_series_writer **out);
bl_status bl_table_add(bl_series_writer *table, const double *values, size_t count);
bl_status bl_series_add(bl_series_writer *series, const bl_observation *row);
bl_status bl_series_flush(bl_series_writer *series, bool to_disk); /* to_disk: fsync too */
void bl_series_destroy(bl_series_writer *series);                  /* flushes; NULL is allowed */

typedef struct bl_series {
    bl_context *ctx;
    int column_count;
    char **names;
    size_t row_count;
    double **columns; /* [column][row] */
} bl_series;
/* Any CSV of numbers with a header line; an unfinished last line (a running or killed run) is left out. */
bl_status bl_series_load(bl_context *ctx, const char *path, bl_series *out);
void bl_series_clear(bl_series *series);
const double *bl_series_column(const bl_series *series, const char *name); /* NULL if there is none */

#endif
