/* Pictures of a run, frame by frame. */
#include "beadlet/render.h"
#include "base/file.h"
#include "base/text.h"
#include "base/timer.h"
#include "render/colorbar.h"
#include "render/denoise.h"
#include "render/film.h"
#include "render/picture.h"
#include "render/subject.h"
#include "render/values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EDGE = 16384, MAX_SAMPLES = 1 << 16, DEFAULT_SAMPLES = 16 };

bl_render_def bl_default_render_def(void) {
    return (bl_render_def){.frame = "last",
                           .mode = BL_RENDER_LIQUID,
                           .field = "v",
                           .range = {(double)NAN, (double)NAN},
                           .width = 960,
                           .height = 540,
                           .denoise = true,
                           .seed = 1};
}

/* A rendering of one run. */
typedef struct job {
    bl_context *ctx;
    const bl_render_def *def;
    bl_reader reader;
    size_t first, count; /* of reader.frames */
    size_t pictures;     /* of these: how many are drawn */
    bool particles;
    int samples;
    char *folder;
    bl_vec3d min, max; /* of all frames to be drawn */
    double low, high;  /* of the colour bar */
} job;

static bl_status check_numbers(bl_context *ctx, const bl_render_def *def) {
    if (def->width < 16 || def->height < 16 || def->width > MAX_EDGE || def->height > MAX_EDGE)
        return bl_fail(ctx, BL_ERR_USAGE, "a picture of %d x %d: expected 16 x 16 to %d x %d", def->width, def->height,
                       MAX_EDGE, MAX_EDGE);
    if (def->samples < 0 || def->samples > MAX_SAMPLES)
        return bl_fail(ctx, BL_ERR_USAGE, "%d samples: expected 1 to %d", def->samples, MAX_SAMPLES);
    if (!(def->shutter >= 0 && def->shutter <= 1))
        return bl_fail(ctx, BL_ERR_USAGE, "shutter %g: expected 0 to 1", def->shutter);
    if (!(def->film_rate >= 0 && def->film_rate <= 1000))
        return bl_fail(ctx, BL_ERR_USAGE, "%g pictures a second: expected more than 0, at most 1000", def->film_rate);
    if (def->range[0] >= def->range[1])
        return bl_fail(ctx, BL_ERR_USAGE, "range %g:%g: the first number must be below the second", def->range[0],
                       def->range[1]);
    if (def->most < 0 || (def->most > 0 && def->film))
        return bl_fail(ctx, BL_ERR_USAGE, "at most %d frames: expected 0 or more, and all of them for a film",
                       def->most);
    double view = hypot(hypot(def->view[0], def->view[1]), def->view[2]);
    if (def->view_given && !(view > 0 && isfinite(view)))
        return bl_fail(ctx, BL_ERR_USAGE, "view %g,%g,%g: expected a direction", def->view[0], def->view[1],
                       def->view[2]);
    return BL_OK;
}

static bl_status choose_frames(job *j) {
    size_t last;
    bl_status status = bl_reader_choose_frames(&j->reader, j->def->frame, &j->first, &last);
    if (status == BL_OK) j->count = last - j->first + 1;
    return status;
}

/* Place in reader.frames of the k-th of `many` frames, spread evenly from the first to the last. */
static size_t spread(const job *j, size_t k, size_t many) {
    return j->first + (many > 1 ? k * (j->count - 1) / (many - 1) : j->count - 1);
}

/* Range of the field in one frame, leaving out the outermost half percent. */
static bl_status widen_range(job *j, const bl_subject *s, double *low, double *high) {
    for (int k = 0; k < s->sets->count; k++) {
        if (s->sets->items[k].kind != BL_SET_FLUID || !s->frames[k].count) continue;
        double *values;
        bl_status status = bl_values_read(j->ctx, &s->frames[k], j->def->field, &values);
        if (status) return status;
        *low = fmin(*low, bl_quantile(values, s->frames[k].count, 0.005));
        *high = fmax(*high, bl_quantile(values, s->frames[k].count, 0.995));
        bl_release(j->ctx, values);
    }
    return BL_OK;
}

/* Box and colours that serve all frames to be drawn: from up to 9 of them. */
static bl_status survey(job *j) {
    enum { LOOKS = 9 };
    double low = HUGE_VAL, high = -HUGE_VAL;
    j->min = bl_v3d_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    j->max = bl_v3d_scale(-1, j->min);
    size_t looks = j->count < LOOKS ? j->count : LOOKS;
    for (size_t k = 0; k < looks; k++) {
        bl_subject s;
        bl_status status = bl_subject_load(&j->reader, j->reader.frames[spread(j, k, looks)].number, &s);
        if (!status && j->particles) status = widen_range(j, &s, &low, &high);
        if (!status) {
            j->min = bl_v3d_make(fmin(j->min.x, s.min.x), fmin(j->min.y, s.min.y), fmin(j->min.z, s.min.z));
            j->max = bl_v3d_make(fmax(j->max.x, s.max.x), fmax(j->max.y, s.max.y), fmax(j->max.z, s.max.z));
        }
        bl_subject_clear(&s);
        if (status) return status;
    }
    if (!(low < high)) { /* one value everywhere, or none */
        double middle = isfinite(low) ? low : 0, half = middle != 0 ? fabs(middle) * 0.1 : 1;
        low = middle - half, high = middle + half;
    }
    j->low = isnan(j->def->range[0]) ? low : j->def->range[0];
    j->high = isnan(j->def->range[1]) ? high : j->def->range[1];
    if (!(j->low < j->high)) /* only one end was given, beyond the data */
        return bl_fail(j->ctx, BL_ERR_USAGE, "range %g:%g leaves nothing: the field goes from %g to %g", j->low,
                       j->high, low, high);
    return BL_OK;
}

static bl_status fill_stage(const job *j, const bl_subject *s, bl_stage *stage) {
    const bl_render_def *def = j->def;
    stage->camera = bl_subject_camera(s, def->view_given ? def->view : NULL, (double)def->width / def->height);
    if (j->particles) return bl_stage_fill_particles(stage, s, def->field, j->low, j->high);
    /* as fine as the picture can show: about one photon a pixel, more with many samples */
    double pixels = (double)def->width * def->height, photons = pixels * fmin(8, 1 + j->samples / 32.0);
    photons = fmax(2e4, fmin(photons, 4e6));
    return bl_stage_fill_liquid(stage, s, def->shutter / s->scene->time.frames_per_second, (size_t)photons, def->seed);
}

static bl_status trace(const job *j, const bl_stage *stage, const bl_subject *s, bl_canvas *out) {
    const bl_render_def *def = j->def;
    bl_picture picture = {0};
    bl_status status = bl_picture_trace(stage, def->width, def->height, j->samples, def->seed, &picture);
    if (!status && def->denoise && !stage->camera.orthographic) status = bl_picture_denoise(&picture);
    if (!status) status = bl_picture_develop(&picture, j->particles ? 1 : s->scene->look.exposure, !j->particles, out);
    bl_picture_clear(&picture);
    return status;
}

static bl_status draw_frame(const job *j, int number, const char *path) {
    bl_subject s = {0};
    bl_stage stage = {0};
    bl_canvas canvas = {0};
    bl_status status = bl_subject_load(&j->reader, number, &s);
    if (!status) {
        bl_subject_set_box(&s, j->min, j->max);
        status = bl_stage_init(j->ctx, BL_TRACER_BEST, &stage);
    }
    if (!status) status = fill_stage(j, &s, &stage);
    if (!status) status = trace(j, &stage, &s, &canvas);
    if (!status && j->particles)
        status = bl_colorbar_draw(&canvas, j->def->field, bl_values_unit(j->def->field), j->low, j->high);
    if (!status) status = bl_canvas_write_png(&canvas, path);
    if (canvas.ctx) bl_canvas_clear(&canvas);
    bl_stage_clear(&stage);
    bl_subject_clear(&s);
    return status;
}

static bl_status draw_all(const job *j) {
    bl_status status = BL_OK;
    for (size_t k = 0; k < j->pictures && !status; k++) {
        double start = bl_now();
        int number = j->reader.frames[spread(j, k, j->pictures)].number;
        bl_text path = bl_text_make(j->ctx);
        bl_text_add(&path, "%s/frame_%06d.png", j->folder, number);
        status = path.failed ? BL_ERR_MEMORY : draw_frame(j, number, bl_text_str(&path));
        if (!status && j->def->progress) j->def->progress(j->def->progress_user, bl_text_str(&path), bl_now() - start);
        bl_text_clear(&path);
    }
    return status;
}

/* Pictures a second: as the scene has frames if that can be watched as a film, so that it runs as fast as life; else
 * 25, in slow motion. */
static double film_rate(const job *j) {
    const double frames = j->reader.scene->time.frames_per_second;
    double rate = j->def->film_rate;
    if (!(rate > 0)) rate = frames >= 10 && frames <= 60 ? frames : 25;
    if (fabs(rate - frames) > 1e-3 * frames)
        bl_log(j->ctx, BL_LOG_INFO, "film: %g pictures a second, %.3g times as fast as life", rate, rate / frames);
    return rate;
}

static bl_status make_film(const job *j) {
    bl_text pattern = bl_text_make(j->ctx);
    bl_text_add(&pattern, "%s/frame_%%06d.png", j->folder);
    bl_status status = pattern.failed ? BL_ERR_MEMORY
                                      : bl_film_make(j->ctx, bl_text_str(&pattern), j->reader.frames[j->first].number,
                                                     film_rate(j), j->def->film);
    bl_text_clear(&pattern);
    return status;
}

static bl_status open_job(job *j, const char *dir) {
    bl_status status = bl_reader_open(j->ctx, dir, &j->reader);
    if (!status) status = choose_frames(j);
    if (status) return status;
    j->pictures = j->def->most > 0 && (size_t)j->def->most < j->count ? (size_t)j->def->most : j->count;
    j->particles = j->def->mode == BL_RENDER_PARTICLES || j->reader.scene->dimension == 2;
    if (j->particles && j->def->mode == BL_RENDER_LIQUID)
        bl_log(j->ctx, BL_LOG_INFO, "the scene has two dimensions: drawn as particles");
    j->samples = j->def->samples ? j->def->samples : DEFAULT_SAMPLES;
    bl_text folder = bl_text_make(j->ctx);
    if (j->def->out)
        bl_text_add(&folder, "%s", j->def->out);
    else
        bl_text_add(&folder, "%s/pictures", dir);
    j->folder = folder.failed ? NULL : bl_strdup(j->ctx, bl_text_str(&folder));
    bl_text_clear(&folder);
    if (!j->folder) return BL_ERR_MEMORY;
    status = survey(j);
    return status ? status : bl_dir_create(j->ctx, j->folder);
}

bl_status bl_render(bl_context *ctx, const char *dir, const bl_render_def *def) {
    job j = {.ctx = ctx, .def = def};
    bl_status status = check_numbers(ctx, def);
    if (status) return status;
    status = open_job(&j, dir);
    if (!status) status = draw_all(&j);
    if (!status && def->film) status = make_film(&j);
    bl_release(ctx, j.folder);
    if (j.reader.ctx) bl_reader_close(&j.reader);
    return status;
}
