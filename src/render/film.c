#include "render/film.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

bool bl_film_possible(void) {
    const char *const arguments[] = {"ffmpeg", "-version", NULL};
    posix_spawn_file_actions_t quiet;
    if (posix_spawn_file_actions_init(&quiet) != 0) return false;
    pid_t child = 0;
    int state = 1;
    bool started = posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
                   posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
                   posix_spawnp(&child, "ffmpeg", &quiet, NULL, (char *const *)arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&quiet);
    while (started && waitpid(child, &state, 0) < 0)
        if (errno != EINTR) return false;
    return started && WIFEXITED(state) && WEXITSTATUS(state) == 0;
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
