/* Pictures to a film, by ffmpeg. */
#ifndef BL_RENDER_FILM_H
#define BL_RENDER_FILM_H

#include "base/context.h"

/* Whether there is an ffmpeg to call. */
bool bl_film_possible(void);

/* `pattern`: numbered pictures as ffmpeg wants them ("dir/frame_%06d.png"), from number `first` on. The kind of film
 * follows the ending of `path`: .mp4 or .webm. BL_ERR_CANT_CREATE when ffmpeg is not on the PATH or fails. */
bl_status bl_film_make(bl_context *ctx, const char *pattern, int first, double frames_per_second, const char *path);

#endif
