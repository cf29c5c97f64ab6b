/* Names of the files of a run: made, taken apart, and cleaned up in one place. */
#ifndef BL_OUTPUT_PATHS_H
#define BL_OUTPUT_PATHS_H

#include "base/context.h"

/* A path from a format; the caller releases it. NULL: no memory. */
char *bl_path_make(bl_context *ctx, const char *fmt, ...) BL_PRINTF(2, 3);

/* Take "SET_000042.vtu" apart: the number, if `file` is that of `set` (NULL: any) with this extension. */
bool bl_frame_file_number(const char *file, const char *set, const char *extension, int *number);
/* Likewise "frame_000042_step_000001234.h5". */
bool bl_checkpoint_file_number(const char *file, int *frame, uint64_t *step);

/* Call `visit` with the name of each entry of a folder (a missing folder has none). Stops at a failure. */
typedef bl_status (*bl_visit_fn)(void *user, const char *file);
bl_status bl_dir_visit(bl_context *ctx, const char *dir, bl_visit_fn visit, void *user);
/* Delete a file; one that is already gone is fine. */
bl_status bl_file_remove(bl_context *ctx, const char *path);

#endif
