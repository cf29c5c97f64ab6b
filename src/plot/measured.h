/* Measurements as columns: what `beadlet measure` prints, from a file or straight from a run. */
#ifndef BL_PLOT_MEASURED_H
#define BL_PLOT_MEASURED_H

#include "output/series.h"

/* JSON lines (an object a line, as `beadlet measure` prints them), one JSON object, or a JSON array of objects.
 * Members of inner objects become "contact.angle", those of arrays "center.x", "center.y", "center.z" (beyond the third
 * "modes.3"). What is no number, and what a row lacks, is NaN. An unfinished last line is left out. */
bl_status bl_measured_read(bl_context *ctx, const char *path, bl_series *out);

/* Measure all frames of the run in `dir`. `what`: a name of bl_measure_name; columns are "contact.angle" and so on,
 * with "frame" and "time". `fluid`: NULL for all of them. */
bl_status bl_measured_run(bl_context *ctx, const char *dir, const char *what, const char *fluid, bl_series *out);

#endif
