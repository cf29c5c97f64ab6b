/* Pictures and films of a run. */
#ifndef BEADLET_RENDER_H
#define BEADLET_RENDER_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bl_render_mode {
    BL_RENDER_LIQUID,   /* the liquid's surface, ray traced; scenes in 2D are drawn as particles */
    BL_RENDER_PARTICLES /* particles as balls, coloured by a field, with a colour bar */
} bl_render_mode;

/* Called after each picture, on the calling thread. */
typedef void (*bl_render_fn)(void *user, const char *path, double seconds);

/* All pointers are borrowed. */
typedef struct bl_render_def {
    const char *out;   /* folder of the pictures; default NULL: DIR/pictures */
    const char *frame; /* "last" (the default), "all", one number "42", or a range "10..20" */
    int most;          /* at most this many frames, evenly spread from first to last; default 0: no limit */
    bl_render_mode mode;
    const char *field; /* particles: v (its length, the default), v.x, p, density, ... */
    double range[2];   /* values at the ends of the colour bar; NaN: from the data, the default */
    int width, height; /* default 960 x 540 */
    int samples;       /* light paths a pixel; default 0: 16 */
    bool denoise;      /* take the grain out; default true */
    double shutter;    /* motion blur: open for this share of the time between frames; default 0: sharp */
    uint64_t seed;     /* default 1; same seed, same bytes, whatever the number of threads */
    bool view_given;   /* default false: the scene's camera, else slightly from above */
    double view[3];    /* direction from the fluid to the camera; the distance fits the picture */
    const char *film;  /* also make this film (.mp4 or .webm) through ffmpeg; default NULL */
    double film_rate;  /* pictures a second of the film; default 0: the scene's frames_per_second if that is 10 to 60,
                          else 25 */
    bl_render_fn progress; /* default NULL */
    void *progress_user;
} bl_render_def;

BL_API bl_render_def bl_default_render_def(void);

/* Draw frames of the run in `dir`. BL_ERR_NO_INPUT: no run or no such frame; BL_ERR_USAGE: unknown field (the message
 * lists the fields) or senseless numbers; BL_ERR_CANT_CREATE: the folder or file, or no ffmpeg for the film (the
 * pictures are there then). */
BL_API bl_status bl_render(bl_context *ctx, const char *dir, const bl_render_def *def);

#ifdef __cplusplus
}
#endif
#endif
