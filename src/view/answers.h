/* What the page of `beadlet view` asks for, independent of how it is asked.
 *
 *   /                   the page, and its parts from web/
 *   /api/run            JSON: the scene's name, frames, sets, fields; asked for again while a run grows
 *   /api/frame          ?set=0&number=12&field=v: positions and one field of a set
 *   /api/surface        ?number=12: meshes of all fluids (in 2D outlines)
 *   /api/series         JSON: columns of series.csv
 *   /api/series/NAME    that column over time, thinned
 *   /api/colormap       256 colours
 *
 * Binary answers are little-endian 4-byte words (series: 8-byte), so that the page lays typed arrays over them:
 *   frame     count, components of the field (0: none), points (3 floats each), field (floats)
 *   surface   fluids; then for each: vertices, indices, corners of an element (3: triangles, 2: lines), points,
 * normals, indices series    time, value, time, value, ... */
#ifndef BL_VIEW_ANSWERS_H
#define BL_VIEW_ANSWERS_H

#include "base/text.h"
#include "output/reader.h"

typedef struct bl_viewer {
    bl_context *ctx;
    const char *dir; /* borrowed */
    bl_reader reader;
} bl_viewer;

typedef struct bl_answer {
    int code;         /* of HTTP */
    const char *type; /* MIME */
    bl_text body;
} bl_answer;

bl_status bl_viewer_open(bl_context *ctx, const char *dir, bl_viewer *out);
void bl_viewer_close(bl_viewer *viewer); /* a zeroed one is fine */

/* Fills *out, whose body is made by the caller; what cannot be had is an answer too (400, 404, 500 with a text).
 * `query` is what stood behind the question mark, or NULL. One call at a time. */
void bl_viewer_answer(bl_viewer *viewer, const char *path, const char *query, bl_answer *out);

/* parts of the above, by file */
void bl_answer_fail(bl_answer *out, int code, const char *fmt, ...) BL_PRINTF(3, 4);
void bl_answer_status(bl_answer *out, const bl_context *ctx, bl_status status); /* the context's error */
void bl_answer_run(bl_viewer *viewer, bl_answer *out);
void bl_answer_frame(bl_viewer *viewer, const char *query, bl_answer *out);
void bl_answer_surface(bl_viewer *viewer, const char *query, bl_answer *out);
void bl_answer_series(bl_viewer *viewer, const char *column, bl_answer *out); /* "": the names */

/* The value of NAME=VALUE in a query: false if there is none or it does not fit. */
bool bl_query_text(const char *query, const char *name, char *value, size_t size);
bool bl_query_integer(const char *query, const char *name, int *value);

#endif
