/* run.json: what was run, with what, and how it ended. */
#ifndef BL_OUTPUT_RUN_JSON_H
#define BL_OUTPUT_RUN_JSON_H

#include "base/timer.h"
#include "scene/scene.h"

typedef struct bl_run_option {
    const char *name, *value;
} bl_run_option;

/* Everything is borrowed. Members left zero are written as null or left out. */
typedef struct bl_run_record {
    const bl_scene *scene;
    const char *status; /* "running", "done", "failed", "interrupted" */
    const char *reason; /* NULL unless failed or interrupted */
    int exit_code;      /* written unless running */
    const char *device; /* "cpu" */
    int threads;
    int option_count;
    const bl_run_option *options; /* as given on the command line */
    int warning_count;
    const char *const *warnings;
    const bl_timers *timers; /* NULL while running */
    double wall_seconds;
    double time; /* reached, s */
    uint64_t steps;
    int frames; /* written */
    size_t fluid_particles, boundary_particles;
    bool resumed;
    int resumed_frame;
    uint64_t resumed_step;
    uint64_t state_hash; /* of both stores at the end; written as hex text, so that runs can be compared */
} bl_run_record;

/* DIR/run.json, under a temporary name first. */
bl_status bl_run_json_write(bl_context *ctx, const char *dir, const bl_run_record *record);

/* The text of DIR/run.json, and its path for messages. The caller releases both with bl_release, also on failure. */
bl_status bl_run_json_text(bl_context *ctx, const char *dir, char **path, char **text, size_t *size);

/* What others need back. */
typedef struct bl_run_info {
    bl_context *ctx;
    char *scene_text; /* the resolved scene: a JSON object for bl_scene_load_text */
    size_t scene_size;
    char *scene_path; /* of the file it came from */
    char *status, *version, *precision;
} bl_run_info;
bl_status bl_run_json_read(bl_context *ctx, const char *dir, bl_run_info *out);
void bl_run_info_clear(bl_run_info *info);

#endif
