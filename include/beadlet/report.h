/* A page about a run. */
#ifndef BEADLET_REPORT_H
#define BEADLET_REPORT_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All pointers are borrowed. */
typedef struct bl_report_def {
    const char *out;   /* the file; default NULL: DIR/report.html */
    int pictures;      /* stills, evenly spread from the first frame to the last; default 6, 0: none */
    int film;          /* pictures of the film, likewise; default 24, 0: no film. Needs ffmpeg, else it is left out */
    int width, height; /* of pictures and film; default 480 x 270 */
    int samples;       /* light paths a pixel; default 8 */
} bl_report_def;

BL_API bl_report_def bl_default_report_def(void);

/* One HTML file that holds everything: pictures, film, plots, settings, timings, warnings; it asks for nothing from
 * elsewhere. What a run does not have (frames, rows, ffmpeg) is left out and said on the page. `def` may be NULL for
 * the defaults. BL_ERR_NO_INPUT: no run in `dir`; BL_ERR_DATA: its run.json is damaged; BL_ERR_CANT_CREATE, BL_ERR_IO:
 * the file. */
BL_API bl_status bl_report(bl_context *ctx, const char *dir, const bl_report_def *def);

#ifdef __cplusplus
}
#endif
#endif
