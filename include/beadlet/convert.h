/* Frames of a run in other formats. */
#ifndef BEADLET_CONVERT_H
#define BEADLET_CONVERT_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BL_FRAME_ALL = -1, BL_FRAME_LAST = -2 };

typedef struct bl_convert_options {
    const char *format; /* "ply" (default), "vtu", "vtu-base64", "vtkhdf" */
    const char *output; /* directory; default NULL: a folder in the run, called as the format */
    int frame;          /* its number; default BL_FRAME_ALL */
} bl_convert_options;
BL_API bl_convert_options bl_default_convert_options(void);

/* Reads the run in `directory`, finished or not, and writes OUTPUT/NAME_000042.EXT for each fluid and boundary; those
 * that never move once, as frame 0. *files counts what was written (NULL is allowed). */
BL_API bl_status bl_convert(bl_context *ctx, const char *directory, const bl_convert_options *options, int *files);

#ifdef __cplusplus
}
#endif
#endif
