/* Whole runs: a scene in, a directory of frames, series and checkpoints out.
 *
 * A run uses its context alone until it returns. Pointers must not be NULL unless it says so; texts are copied or not
 * needed after the call. */
#ifndef BEADLET_RUN_H
#define BEADLET_RUN_H

#include "beadlet/context.h"
#include "beadlet/scene.h"
#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to do about a run that already stands in the directory. */
typedef enum bl_run_start {
    BL_RUN_NEW,       /* refuse: nothing is overwritten */
    BL_RUN_OVERWRITE, /* remove its frames, series and checkpoints */
    BL_RUN_RESUME     /* go on from a checkpoint, bit for bit */
} bl_run_start;

/* Where a run stands after a step. */
typedef struct bl_progress {
    int frame, frame_count; /* last frame written and the last there will be, from 0 */
    uint64_t step;
    double time, end;  /* s */
    double dt;         /* s, of the last step */
    const char *limit; /* what bounded it: "cfl", "capillary", "max_step", ... */
    int iterations;    /* of the solver in the last step */
    uint64_t retries;  /* steps that had to be repeated shorter, so far */
    double wall_seconds, eta_seconds;
} bl_progress;
typedef void (*bl_progress_fn)(void *user, const bl_progress *progress);

typedef struct bl_run_setting {
    const char *name, *value;
} bl_run_setting;

typedef struct bl_run_options {
    const char *directory;   /* made if need be */
    bl_run_start start;      /* default: BL_RUN_NEW */
    int resume_frame;        /* resume at the last checkpoint up to this frame; default -1: the newest */
    double until;            /* s; default -1: the scene's time.end */
    bl_progress_fn progress; /* called after every step on the calling thread; default NULL */
    void *progress_user;
    /* Once this becomes non-zero (by a signal handler, say) the run finishes its step, writes a checkpoint and returns
     * BL_INTERRUPTED. Default NULL. */
    const volatile sig_atomic_t *interrupt;
    int setting_count; /* at most 64 are written to run.json as they are: how the run was asked for */
    const bl_run_setting *settings;
} bl_run_options;
BL_API bl_run_options bl_default_run_options(void);

/* What a run came to; filled as far as it got, also on failure. */
typedef struct bl_run_result {
    double time; /* s, reached */
    uint64_t steps, retries;
    int frames; /* number of the last frame written */
    size_t fluid_particles, boundary_particles;
    double wall_seconds;
    uint64_t state_hash; /* bl_sim_hash at the end */
} bl_run_result;

/* `result` may be NULL. BL_ERR_CANT_CREATE: the directory cannot be made or holds a run; BL_ERR_DIVERGED: the last
 * good state was kept as a checkpoint; BL_ERR_IO: a write failed, what was complete before stays readable. */
BL_API bl_status bl_run(bl_context *ctx, const bl_scene *scene, const bl_run_options *options, bl_run_result *result);

/* What is wrong with the shapes of a scene, found without filling them: meshes that cannot be read and sources inside
 * walls are errors; open or crossing meshes, liquid inside walls and drops of too few particles are warnings, which go
 * to the log. */
BL_API bl_status bl_run_check(bl_context *ctx, const bl_scene *scene);

/* The dry run: samples the scene, takes no step, writes nothing, and says in *report what a run would take: particles,
 * memory, time-step limits, steps, disk. As text, or as one JSON object. Warnings go to the log and into the report.
 * The caller releases *report with bl_free_string. */
BL_API bl_status bl_run_plan(bl_context *ctx, const bl_scene *scene, const bl_run_options *options, bool json,
                             char **report);

#ifdef __cplusplus
}
#endif
#endif
