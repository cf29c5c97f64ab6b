/* beadlet run: a scene into a directory. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

static const tool_option options[] = {
    {"output", 'o', "DIR", "Write to this directory. Default: out/NAME after the scene file.", HINT_DIR, NULL},
    TOOL_SET_OPTION,
    TOOL_SCHEME_OPTION,
    {"until", 0, "TIME", "Stop at this time instead of the scene's time.end: 0.3, '20 ms'.", HINT_NONE, NULL},
    TOOL_DEVICE_OPTION,
    {"resume", 0, "[FRAME]",
     "Go on from the newest checkpoint, or from the last one up to FRAME; what came later is replaced.", HINT_NONE,
     NULL},
    {"overwrite", 0, NULL, "Replace a run that stands in the directory.", HINT_NONE, NULL},
    {"dry-run", 'n', NULL, "Only say what the run would take: particles, memory, steps, disk.", HINT_NONE, NULL},
    TOOL_END,
};

/* out/NAME for a/b/NAME.yaml */
static void default_directory(const char *scene, char *buffer, size_t size) {
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene, *dot = strrchr(name, '.');
    snprintf(buffer, size, "out/%.*s", (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
}

static int read_options(tool *t, bl_run_options *run) {
    if (tool_has(t, "resume") && tool_has(t, "overwrite"))
        return tool_usage(t, "--resume and --overwrite exclude each other");
    if (tool_has(t, "resume")) run->start = BL_RUN_RESUME;
    if (tool_has(t, "overwrite")) run->start = BL_RUN_OVERWRITE;
    long frame = -1;
    int code = tool_integer(t, "resume", 0, 1000000000, &frame);
    run->resume_frame = (int)frame;
    return code ? code : tool_seconds(t, "until", &run->until);
}

static int dry_run(tool *t, const bl_scene *scene, const bl_run_options *run) {
    char *report = NULL;
    bl_status status = bl_run_plan(t->ctx, scene, run, t->json, &report);
    if (status != BL_OK) return tool_fail(t, status);
    fputs(report, stdout);
    bl_free_string(t->ctx, report);
    return 0;
}

static void print_summary(tool *t, const bl_run_result *result, const char *directory) {
    char text[4600], again[64] = "";
    if (result->retries > 0) snprintf(again, sizeof again, " (%llu repeated)", (unsigned long long)result->retries);
    snprintf(text, sizeof text, "done: %d frames, %llu steps%s, %zu particles, %.4g s simulated in %.3g s: %s",
             result->frames, (unsigned long long)result->steps, again,
             result->fluid_particles + result->boundary_particles, result->time, result->wall_seconds, directory);
    tool_log(t, BL_LOG_INFO, text);
}

static void print_how_to_go_on(tool *t, const char *directory) {
    char text[9000];
    snprintf(text, sizeof text, "the last good state is kept; to go on: beadlet run %s -o %s --resume", t->operands[0],
             directory);
    tool_log(t, BL_LOG_INFO, text);
}

/* The options as given, for run.json. */
static int record_settings(const tool *t, bl_run_setting *settings, int max) {
    int count = 0;
    for (int g = 0; g < t->given_count && count < max; g++)
        settings[count++] = (bl_run_setting){t->given[g].option->name, t->given[g].value};
    return count;
}

static int simulate(tool *t, const bl_scene *scene, bl_run_options *run) {
    bl_run_setting settings[64];
    run->setting_count = record_settings(t, settings, 64);
    run->settings = settings;
    run->progress = tool_progress;
    run->progress_user = t;
    run->interrupt = tool_catch_interrupts(TOOL_SAID_CHECKPOINT);
    bl_run_result result;
    bl_status status = bl_run(t->ctx, scene, run, &result);
    tool_end_progress(t);
    int code = status == BL_OK ? 0 : tool_fail(t, status);
    if (status == BL_OK) print_summary(t, &result, run->directory);
    if (status == BL_INTERRUPTED || status == BL_ERR_DIVERGED) print_how_to_go_on(t, run->directory);
    return code;
}

static int run_run(tool *t) {
    bl_run_options run = bl_default_run_options();
    char directory[4096];
    default_directory(t->operands[0], directory, sizeof directory);
    run.directory = tool_has(t, "output") ? tool_value(t, "output") : directory;
    int code = read_options(t, &run);
    if (code) return code;
    bl_scene *scene = NULL;
    bl_status status = tool_load_scene(t, 0, &scene);
    if (status != BL_OK) return tool_fail(t, status);
    code = tool_has(t, "dry-run") ? dry_run(t, scene, &run) : simulate(t, scene, &run);
    bl_scene_destroy(scene);
    return code;
}

const tool_command cmd_run = {
    .name = "run",
    .operands = "SCENE",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_SCENE,
    .summary = "simulate a scene",
    .description = "Reads a scene (YAML or JSON), simulates it and writes frames, series.csv, checkpoints and run.json "
                   "to a directory.\n"
                   "Ctrl-C finishes the step and writes a checkpoint; --resume goes on from there, bit for bit.",
    .options = options,
    .examples = "  beadlet run drop.yaml\n"
                "  beadlet run drop.yaml -o out/fine --set spacing='0.25 mm' --until '50 ms'\n"
                "  beadlet run drop.yaml --dry-run\n"
                "  beadlet run drop.yaml -o out/fine --resume",
    .run = run_run,
};
