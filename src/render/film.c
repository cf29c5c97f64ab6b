#include "render/film.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static bool ends_with(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n > m && !strcmp(text + n - m, ending);
}

static bl_status wait_for(bl_context *ctx, pid_t child, const char *path) {
    int state;
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return bl_fail(ctx, BL_ERR_IO, "%s: lost sight of ffmpeg: %s", path, strerror(errno));
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return BL_OK;
    return bl_fail(ctx, BL_ERR_CANT_CREATE, "%s: ffmpeg failed (%s %d); the pictures are there", path,
                   WIFEXITED(state) ? "exit" : "signal", WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
}

bl_status bl_film_make(bl_context *ctx, const char *pattern, int first, double frames_per_second, const char *path) {
    bool webm = ends_with(path, ".webm");
    if (!webm && !ends_with(path, ".mp4"))
        return bl_fail(ctx, BL_ERR_USAGE, "%s: a film is written as .mp4 or .webm", path);
    char rate[32], start[16];
    snprintf(rate, sizeof rate, "%g", frames_per_second);
    snprintf(start, sizeof start, "%d", first);
    /* both codecs want even edges */
    const char *arguments[] = {"ffmpeg",
                               "-y",
                               "-nostdin",
                               "-loglevel",
                               "error",
                               "-framerate",
                               rate,
                               "-start_number",
                               start,
                               "-i",
                               pattern,
                               "-vf",
                               "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                               "-pix_fmt",
                               "yuv420p",
                               "-c:v",
                               webm ? "libvpx-vp9" : "libx264",
                               "-crf",
                               webm ? "30" : "18",
                               path,
                               NULL};
    pid_t child;
    int code = posix_spawnp(&child, "ffmpeg", NULL, NULL, (char *const *)arguments, environ);
    if (code == ENOENT)
        return bl_fail(ctx, BL_ERR_CANT_CREATE,
                       "%s: a film needs ffmpeg, which is not on the PATH; the pictures are there", path);
    if (code) return bl_fail(ctx, BL_ERR_CANT_CREATE, "%s: ffmpeg cannot be started: %s", path, strerror(code));
    return wait_for(ctx, child, path);
}
