/* A whole run: scene -> simulation -> files.
 *
 *   prepare: directory, particles or checkpoint, writer, run.json "running", frame 0
 *   go on:   for every frame: steps up to its time, the frame, now and then a checkpoint
 *   finish:  a last checkpoint, run.json with how it ended
 *
 * When a device fails that was to be used if possible (--device auto), the rest is done on the CPU. */
#include "beadlet/run.h"

#include "base/file.h"
#include "output/run_json.h"
#include "run/plan.h"
#include "run/resume.h"

#include <string.h>

typedef struct run {
    bl_context *ctx;
    const bl_scene *scene;
    const bl_run_options *options;
    bl_sim *sim;
    bl_writer *writer;
    bl_warnings warnings;
    double end;
    int last_frame; /* of the whole run */
    int frame;      /* last one written */
    int kept_frame; /* of the last checkpoint */
    bool resumed;
    int resumed_frame;
    uint64_t resumed_step;
    double resumed_time, wall_start;
    bool files_ready; /* the directory is ours: run.json may be written */
} run;

bl_run_options bl_default_run_options(void) {
    return (bl_run_options){.start = BL_RUN_NEW, .resume_frame = -1, .until = -1};
}

/* --- the directory --- */

static bl_status check_directory(const run *r) {
    const char *dir = r->options->directory;
    if (!dir || !*dir) return bl_fail(r->ctx, BL_ERR_USAGE, "no output directory was given");
    bl_text path = bl_text_make(r->ctx);
    bl_text_add(&path, "%s/run.json", dir);
    bool held = !path.failed && bl_file_exists(bl_text_str(&path));
    bl_text_clear(&path);
    if (held && r->options->start == BL_RUN_NEW)
        return bl_fail(r->ctx, BL_ERR_CANT_CREATE,
                       "%s already holds a run: go on with it (--resume), replace it (--overwrite) or choose another "
                       "directory (-o DIR)",
                       dir);
    if (!held && r->options->start == BL_RUN_RESUME)
        return bl_fail(r->ctx, BL_ERR_NO_INPUT, "%s holds no run to resume: there is no run.json in it", dir);
    return r->options->start == BL_RUN_RESUME ? BL_OK : bl_dir_create(r->ctx, dir);
}

/* --- run.json --- */

enum { MAX_SETTINGS = 64 };

static bl_status write_record(run *r, const char *word, bl_status status, const char *reason) {
    const bl_world *world = &r->sim->world;
    bool running = strcmp(word, "running") == 0;
    bl_run_option options[MAX_SETTINGS];
    int option_count = r->options->setting_count < MAX_SETTINGS ? r->options->setting_count : MAX_SETTINGS;
    for (int k = 0; k < option_count; k++)
        options[k] = (bl_run_option){r->options->settings[k].name, r->options->settings[k].value};
    bl_run_record record = {
        .scene = r->scene,
        .status = word,
        .reason = reason,
        .exit_code = bl_status_exit_code(status),
        .device = bl_device_name(world->device),
        .threads = bl_threads(r->ctx),
        .option_count = option_count,
        .options = options,
        .warning_count = r->warnings.count,
        .warnings = (const char *const *)r->warnings.items,
        .timers = running ? NULL : &world->timers,
        .wall_seconds = bl_now() - r->wall_start,
        .time = world->time,
        .steps = world->step,
        .frames = r->frame,
        .fluid_particles = world->fluid.count,
        .boundary_particles = world->boundary.count,
        .resumed = r->resumed,
        .resumed_frame = r->resumed_frame,
        .resumed_step = r->resumed_step,
        .state_hash = bl_sim_hash(r->sim),
    };
    return bl_run_json_write(r->ctx, r->options->directory, &record);
}

/* --- steps and frames --- */

static bool interrupted(const run *r) { return r->options->interrupt && *r->options->interrupt; }

static void tell_progress(const run *r) {
    if (!r->options->progress) return;
    const bl_sim *sim = r->sim;
    double wall = bl_now() - r->wall_start, done = sim->world.time - r->resumed_time;
    bl_progress progress = {
        .frame = r->frame,
        .frame_count = r->last_frame,
        .step = sim->world.step,
        .time = sim->world.time,
        .end = r->end,
        .dt = sim->world.dt,
        .limit = sim->limit,
        .iterations = (int)sim->report.iterations,
        .retries = sim->retries,
        .wall_seconds = wall,
        .eta_seconds = done > 0 ? fmax(0, wall * (r->end - sim->world.time) / done) : (double)INFINITY,
    };
    r->options->progress(r->options->progress_user, &progress);
}

static bool out_of_steps(const run *r) {
    return r->scene->time.max_steps > 0 && r->sim->world.step >= (uint64_t)r->scene->time.max_steps;
}

static bl_status write_bodies(run *r) {
    return bl_writer_bodies(r->writer, r->sim->world.step, r->sim->world.time, r->sim->rigid);
}

/* Steps up to `time`, each with its row; stops early when asked to or out of steps. */
static bl_status go_to(run *r, double time) {
    bl_status status = BL_OK;
    while (status == BL_OK && r->sim->world.time < time && !out_of_steps(r)) {
        if (interrupted(r))
            return bl_fail(r->ctx, BL_INTERRUPTED, "interrupted at t = %.6g s (frame %d, step %llu)",
                           r->sim->world.time, r->frame, (unsigned long long)r->sim->world.step);
        status = bl_sim_step(r->sim, time);
        if (status == BL_OK) status = bl_writer_row(r->writer, &r->sim->report);
        if (status == BL_OK) status = write_bodies(r);
        if (status == BL_OK) tell_progress(r);
    }
    return status;
}

static bl_status write_frame(run *r, int frame) {
    const bl_world *world = &r->sim->world;
    bl_status status = bl_sim_fetch(r->sim);
    if (status == BL_OK) status = bl_writer_frame(r->writer, frame, world->time, &world->fluid, &world->boundary);
    if (status != BL_OK) return status;
    r->frame = frame;
    int every = r->scene->output.checkpoint_every;
    bool due = frame == 0 || (every > 0 && frame % every == 0);
    if (!due || frame >= r->last_frame) return BL_OK;
    status = bl_run_checkpoint(r->sim, r->writer, frame);
    if (status == BL_OK) r->kept_frame = frame;
    return status;
}

static bl_status go_on(run *r) {
    bl_status status = r->frame < 0 ? write_bodies(r) : BL_OK;
    if (status == BL_OK && r->frame < 0) status = write_frame(r, 0);
    while (status == BL_OK && r->frame < r->last_frame && !out_of_steps(r)) {
        status = go_to(r, bl_frame_time(r->scene, r->frame + 1));
        if (status == BL_OK && !out_of_steps(r)) status = write_frame(r, r->frame + 1);
    }
    /* An end between two frames: the series and the last checkpoint reach it. */
    const double crumb = 1e-6 / r->scene->time.frames_per_second;
    if (status == BL_OK && r->end - r->sim->world.time > crumb) status = go_to(r, r->end);
    if (status == BL_OK && out_of_steps(r))
        bl_log(r->ctx, BL_LOG_INFO, "stopped at t = %.6g s after time.max_steps = %lld steps", r->sim->world.time,
               r->scene->time.max_steps);
    return status;
}

/* --- beginning and end --- */

static bl_status open_writer(run *r) {
    bl_writer_def def = bl_default_writer_def();
    def.dir = r->options->directory;
    def.scene = r->scene;
    def.resume = r->resumed;
    def.resume_frame = r->resumed_frame;
    def.resume_step = r->resumed_step;
    return bl_writer_create(r->ctx, &def, &r->writer);
}

/* Into the state of a checkpoint. A run that was killed before its first one starts over, which comes to the same. */
static bl_status restore(run *r) {
    bl_status status = bl_run_restore(r->sim, r->options->directory, r->options->resume_frame, &r->resumed_frame);
    if (status == BL_ERR_NO_INPUT && r->options->resume_frame < 0) {
        bl_log(r->ctx, BL_LOG_WARNING, "%s has no checkpoint yet: starting from the beginning", r->options->directory);
        return BL_OK;
    }
    r->resumed = true;
    r->frame = r->kept_frame = r->resumed_frame;
    r->resumed_step = r->sim->world.step;
    r->resumed_time = r->sim->world.time;
    return status;
}

static bl_status prepare(run *r) {
    bl_status status = check_directory(r);
    if (status == BL_OK) status = bl_sim_create(r->ctx, r->scene, &r->sim);
    if (status == BL_OK && r->options->start == BL_RUN_RESUME) status = restore(r);
    if (status == BL_OK) status = bl_find_warnings(r->sim, &r->warnings);
    if (status == BL_OK) status = open_writer(r);
    if (status == BL_OK) status = write_record(r, "running", BL_OK, NULL);
    r->files_ready = status == BL_OK;
    return status;
}

/* It is not the run that failed. */
static bool device_failed(const run *r) { return r->sim && bl_device_status(r->sim->world.device) != BL_OK; }

/* Whether the CPU takes over by itself. */
static bool takes_over(const run *r) {
    return device_failed(r) && r->files_ready && strcmp(bl_context_device(r->ctx), "auto") == 0;
}

static bl_status say_how_to_go_on(run *r, bl_status status) {
    if (r->kept_frame < 0)
        return bl_fail(r->ctx, status, "%s; start again with --resume or --resume --device cpu",
                       bl_context_error(r->ctx));
    return bl_fail(r->ctx, status, "%s; go on from frame %d with --resume or --resume --device cpu",
                   bl_context_error(r->ctx), r->kept_frame);
}

/* Keep the last good state and say in run.json how it ended. The first error is the one that is reported. */
static bl_status finish(run *r, bl_status status) {
    char *reason = status == BL_OK ? NULL : bl_strdup(r->ctx, bl_context_error(r->ctx));
    bl_status saved = BL_OK;
    if (status == BL_OK || status == BL_INTERRUPTED || status == BL_ERR_DIVERGED)
        saved = bl_run_checkpoint(r->sim, r->writer, r->frame);
    if (saved == BL_OK) saved = bl_writer_flush(r->writer);
    const char *word = status == BL_OK ? "done" : status == BL_INTERRUPTED ? "interrupted" : "failed";
    if (saved != BL_OK && status == BL_OK) {
        status = saved;
        word = "failed";
        reason = bl_strdup(r->ctx, bl_context_error(r->ctx));
    }
    bl_status recorded = write_record(r, word, status, reason);
    if (status == BL_OK)
        status = recorded;
    else if (reason)
        bl_fail(r->ctx, status, "%s", reason);
    bl_release(r->ctx, reason);
    return status;
}

static void fill_result(const run *r, bl_run_result *result) {
    const bl_world *world = &r->sim->world;
    *result = (bl_run_result){
        .time = world->time,
        .steps = world->step,
        .retries = r->sim->retries,
        .frames = r->frame,
        .fluid_particles = world->fluid.count,
        .boundary_particles = world->boundary.count,
        .wall_seconds = bl_now() - r->wall_start,
        .state_hash = bl_sim_hash(r->sim),
    };
}

static bl_status run_on_device(bl_context *ctx, const bl_scene *scene, const bl_run_options *options,
                               bl_run_result *result, bool *cpu_takes_over) {
    run r = {.ctx = ctx, .scene = scene, .options = options, .frame = -1, .kept_frame = -1, .wall_start = bl_now()};
    r.end = bl_run_end(scene, options);
    r.last_frame = bl_last_frame(scene, r.end);
    if (result) *result = (bl_run_result){0};
    bl_status status = prepare(&r);
    if (status == BL_OK) status = go_on(&r);
    if (r.files_ready) status = finish(&r, status);
    *cpu_takes_over = status != BL_OK && takes_over(&r);
    if (status != BL_OK && device_failed(&r) && r.files_ready && !*cpu_takes_over)
        status = say_how_to_go_on(&r, status);
    if (r.sim && result) fill_result(&r, result);
    bl_writer_destroy(r.writer);
    bl_warnings_clear(&r.warnings);
    bl_sim_destroy(r.sim);
    return status;
}

bl_status bl_run(bl_context *ctx, const bl_scene *scene, const bl_run_options *options, bl_run_result *result) {
    bool cpu_takes_over;
    bl_status status = run_on_device(ctx, scene, options, result, &cpu_takes_over);
    if (!cpu_takes_over) return status;
    bl_log(ctx, BL_LOG_WARNING, "going on on the cpu from the last checkpoint: %s", bl_context_error(ctx));
    bl_context_use_cpu(ctx);
    bl_run_options rest = *options;
    rest.start = BL_RUN_RESUME;
    rest.resume_frame = -1;
    return run_on_device(ctx, scene, &rest, result, &cpu_takes_over);
}
