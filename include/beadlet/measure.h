/* Numbers from the frames of a run. */
#ifndef BEADLET_MEASURE_H
#define BEADLET_MEASURE_H

#include "beadlet/context.h"
#include "beadlet/convert.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bl_measure_options {
    int first, last;   /* frame numbers; default BL_FRAME_LAST in both; BL_FRAME_ALL in `first` for all */
    const char *fluid; /* its name in the scene; default NULL: all fluids together */
} bl_measure_options;
BL_API bl_measure_options bl_default_measure_options(void);

/* What can be measured, from 0: "pressure", "shape", ..., at last "all"; NULL beyond. */
BL_API const char *bl_measure_name(int index);

/* Unit of a key, "deg" for "angle" or "contact.angle"; "1" for pure numbers, "" for unknown keys. */
BL_API const char *bl_measure_unit(const char *key);

/* Receives one frame as a JSON object on one line, without a newline; SI units, angles in degrees. `line` is valid
 * during the call only. */
typedef void (*bl_measure_fn)(void *user, const char *line);

/* Measures `what` in the frames of the run in `directory`, finished or not, frame by frame. BL_ERR_USAGE: unknown
 * `what` or fluid; BL_ERR_NO_INPUT: no run, or no such frame. */
BL_API bl_status bl_measure(bl_context *ctx, const char *what, const char *directory, const bl_measure_options *options,
                            bl_measure_fn fn, void *user);

#ifdef __cplusplus
}
#endif
#endif
