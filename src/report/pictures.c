/* Stills and film of the run for the page. */
#include "beadlet/render.h"
#include "output/paths.h"
#include "output/reader.h"
#include "render/film.h"
#include "report/parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILM_SECONDS = 5, FILM_MAX_RATE = 25, FILM_MIN_RATE = 4 };

/* The pictures drawn, in order: FOLDER/shot_000000.png and on. */
typedef struct album {
    bl_context *ctx;
    char *folder;
    int count, capacity;
    int *frames; /* numbers */
    bl_status status;
} album;

/* --- the folder --- */

static bl_status make_folder(album *a, const char *out) {
    a->folder = bl_path_make(a->ctx, "%s.pictures-XXXXXX", out);
    if (!a->folder) return BL_ERR_MEMORY;
    if (mkdtemp(a->folder)) return BL_OK;
    bl_status status = bl_fail(a->ctx, BL_ERR_CANT_CREATE, "%s: cannot make it: %s", a->folder, strerror(errno));
    bl_release(a->ctx, a->folder);
    a->folder = NULL;
    return status;
}

static bl_status remove_one(void *user, const char *file) {
    const album *a = user;
    if (!strcmp(file, ".") || !strcmp(file, "..")) return BL_OK;
    char *path = bl_path_make(a->ctx, "%s/%s", a->folder, file);
    bl_status status = path ? bl_file_remove(a->ctx, path) : BL_ERR_MEMORY;
    bl_release(a->ctx, path);
    return status;
}

static void drop_album(album *a) {
    if (a->folder) {
        bl_dir_visit(a->ctx, a->folder, remove_one, a);
        rmdir(a->folder);
    }
    bl_release(a->ctx, a->folder);
    bl_release(a->ctx, a->frames);
}

/* --- drawing --- */

static char *shot_path(const album *a, int k) { return bl_path_make(a->ctx, "%s/shot_%06d.png", a->folder, k); }

static bl_status keep_shot(album *a, const char *path) {
    int number;
    const char *slash = strrchr(path, '/');
    if (!slash || !bl_frame_file_number(slash + 1, "frame", ".png", &number))
        return bl_fail(a->ctx, BL_ERR_INTERNAL, "%s: not a picture's name", path);
    if (a->count == a->capacity) {
        int capacity = a->capacity ? 2 * a->capacity : 64;
        int *grown = bl_grow(a->ctx, a->frames, (size_t)a->capacity, (size_t)capacity, sizeof *grown);
        if (!grown) return BL_ERR_MEMORY;
        a->frames = grown;
        a->capacity = capacity;
    }
    char *name = shot_path(a, a->count);
    bl_status status = !name                ? BL_ERR_MEMORY
                       : rename(path, name) ? bl_fail(a->ctx, BL_ERR_IO, "%s: %s", name, strerror(errno))
                                            : BL_OK;
    bl_release(a->ctx, name);
    a->frames[a->count++] = number;
    return status;
}

static void on_picture(void *user, const char *path, double seconds) {
    album *a = user;
    (void)seconds;
    if (a->status == BL_OK) a->status = keep_shot(a, path);
}

static bl_status draw(album *a, const char *dir, const bl_report_def *def, int most) {
    bl_render_def render = bl_default_render_def();
    render.out = a->folder;
    render.frame = "all";
    render.most = most;
    render.width = def->width;
    render.height = def->height;
    render.samples = def->samples;
    render.progress = on_picture;
    render.progress_user = a;
    bl_status status = bl_render(a->ctx, dir, &render);
    return status ? status : a->status;
}

/* --- the page --- */

static bl_status add_still(bl_html *html, const album *a, const bl_reader *reader, int k) {
    char *path = shot_path(a, k);
    if (!path) return BL_ERR_MEMORY;
    bl_html_markup(html, "<figure><img alt=\"frame %d\" src=\"", a->frames[k]);
    bl_status status = bl_html_data(html, "image/png", path);
    long at = bl_reader_find_frame(reader, a->frames[k]);
    bl_html_markup(html, "\"><figcaption>frame %d", a->frames[k]);
    if (at >= 0) bl_html_markup(html, ", t&nbsp;=&nbsp;%.4g&nbsp;ms", 1e3 * reader->frames[at].time);
    bl_html_markup(html, "</figcaption></figure>\n");
    bl_release(a->ctx, path);
    return status;
}

static bl_status add_stills(bl_html *html, const album *a, const char *dir, int stills) {
    bl_reader reader;
    bl_status status = bl_reader_open(a->ctx, dir, &reader);
    if (status) return status;
    int count = stills < a->count ? stills : a->count;
    bl_html_markup(html, "<div class=\"stills\">\n");
    for (int k = 0; k < count && !status; k++)
        status = add_still(html, a, &reader, count > 1 ? k * (a->count - 1) / (count - 1) : a->count - 1);
    bl_html_markup(html, "</div>\n");
    bl_reader_close(&reader);
    return status;
}

/* As MP4, or where ffmpeg lacks that encoder as WebM. Without either the page says so. */
static bl_status add_film(bl_html *html, const album *a) {
    double rate = fmin(FILM_MAX_RATE, fmax(FILM_MIN_RATE, (double)a->count / FILM_SECONDS));
    char *pattern = bl_path_make(a->ctx, "%s/shot_%%06d.png", a->folder);
    char *mp4 = bl_path_make(a->ctx, "%s/film.mp4", a->folder), *webm = bl_path_make(a->ctx, "%s/film.webm", a->folder);
    bl_status status = pattern && mp4 && webm ? BL_OK : BL_ERR_MEMORY;
    bool is_mp4 = !status && bl_film_make(a->ctx, pattern, 0, rate, mp4) == BL_OK;
    if (!status && !is_mp4 && bl_film_make(a->ctx, pattern, 0, rate, webm) != BL_OK) {
        bl_html_note(html, "No film: ffmpeg could not make one.");
    } else if (!status) {
        bl_html_markup(html, "<figure class=\"film\"><video controls loop muted playsinline src=\"");
        status = bl_html_data(html, is_mp4 ? "video/mp4" : "video/webm", is_mp4 ? mp4 : webm);
        bl_html_markup(html, "\"></video></figure>\n");
    }
    bl_release(a->ctx, pattern);
    bl_release(a->ctx, mp4);
    bl_release(a->ctx, webm);
    return status;
}

/* A run without drawable frames has a page all the same. */
static bl_status note_failure(bl_html *html, bl_status status) {
    if (status != BL_ERR_NO_INPUT && status != BL_ERR_DATA) return status;
    bl_html_note(html, bl_context_error(html->ctx));
    return BL_OK;
}

bl_status bl_report_add_pictures(bl_html *html, const char *dir, const char *out, const bl_report_def *def) {
    bool film = def->film > 1 && bl_film_possible();
    int most = film && def->film > def->pictures ? def->film : def->pictures;
    if (most < 1) return BL_OK;
    album a = {.ctx = html->ctx};
    bl_html_begin_section(html, "pictures", "Pictures");
    bl_status status = make_folder(&a, out);
    if (!status) {
        status = draw(&a, dir, def, most);
        if (status)
            status = note_failure(html, status);
        else if (film && a.count > 1)
            status = add_film(html, &a);
        if (!status && a.count && def->pictures) status = add_stills(html, &a, dir, def->pictures);
        if (def->film > 1 && !film) bl_html_note(html, "No film: that takes ffmpeg.");
    }
    bl_html_end_section(html);
    drop_album(&a);
    return status;
}
