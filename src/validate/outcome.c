/* Runs that are made once: DIR/runs/HASH is the run of the scene, code, precision and device with that hash. */
#include "validate/outcome.h"

#include "base/hash.h"
#include "output/paths.h"
#include "report/record.h"
#include "validate/measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OVERRIDES = 64, OVERRIDE_BYTES = 64 };

void bl_outcome_clear(bl_context *ctx, bl_outcome *outcome) {
    bl_release(ctx, outcome->why);
    bl_release(ctx, outcome->directory);
    bl_trial_curve_clear(ctx, &outcome->curve);
    *outcome = (bl_outcome){0};
}

/* The case's scene with the run's overrides, the scheme and the seed (0: the scene's own). */
static bl_status load_scene(bl_context *ctx, const bl_outcome *o, int seed, bl_scene **out) {
    const char *overrides[MOST_OVERRIDES + 2];
    char scheme[OVERRIDE_BYTES + 16], seed_text[OVERRIDE_BYTES];
    int count = 0;
    snprintf(scheme, sizeof scheme, "scheme.name=%.60s", o->scheme);
    snprintf(seed_text, sizeof seed_text, "seed=%d", seed + 1);
    for (; count < o->run->set_count && count < MOST_OVERRIDES; count++) overrides[count] = o->run->set[count];
    overrides[count++] = scheme;
    if (seed > 0) overrides[count++] = seed_text;
    char *path = bl_path_make(ctx, "%s/%s", o->c->dir, o->run->scene ? o->run->scene : o->c->scene);
    bl_status status = path ? bl_scene_load(ctx, path, overrides, count, out) : BL_ERR_MEMORY;
    bl_release(ctx, path);
    return status;
}

/* DIR/runs/HASH */
static char *run_directory(bl_context *ctx, const bl_validate_def *def, const bl_scene *scene) {
    bl_text text = bl_text_make(ctx);
    bl_json json = bl_json_make(&text, 0);
    bl_scene_write_json(scene, &json, NULL);
    bl_text_add(&text, " %s %s", bl_code_hash, BL_REAL_NAME);
    if (strcmp(bl_context_device(ctx), "cpu") != 0) bl_text_add(&text, " %s", bl_context_device(ctx));
    uint64_t hash = text.failed ? 0 : bl_hash(BL_HASH_START, bl_text_str(&text), text.size);
    bool failed = text.failed;
    bl_text_clear(&text);
    return failed ? NULL : bl_path_make(ctx, "%s/runs/%016llx", def->directory, (unsigned long long)hash);
}

/* --- running --- */

typedef struct teller {
    const bl_validate_def *def;
    bl_validate_stage *stage;
} teller;

static void tell(void *user, const bl_progress *progress) {
    const teller *t = user;
    t->stage->progress = progress;
    if (t->def->stage) t->def->stage(t->def->user, t->stage);
    t->stage->progress = NULL;
}

/* "done", "failed", "interrupted", "running", or "" for no run; the reason of a failed one. */
static bl_status read_state(bl_context *ctx, const char *dir, char *state, size_t size, char **why) {
    bl_record record = {0};
    bl_status status = bl_record_open(ctx, dir, &record);
    state[0] = 0;
    if (status == BL_OK) {
        snprintf(state, size, "%s", bl_record_text(record.root, "status"));
        if (strcmp(state, "failed") == 0) *why = bl_strdup(ctx, bl_record_text(record.root, "reason"));
    }
    bl_record_close(&record);
    return status == BL_ERR_MEMORY ? status : BL_OK;
}

static bl_status simulate(bl_context *ctx, const bl_validate_def *def, bl_validate_stage *stage, const bl_scene *scene,
                          const char *dir, bool resume) {
    teller t = {def, stage};
    bl_run_options options = bl_default_run_options();
    options.directory = dir;
    options.start = resume ? BL_RUN_RESUME : BL_RUN_OVERWRITE;
    options.interrupt = def->interrupt;
    options.progress = tell;
    options.progress_user = &t;
    return bl_run(ctx, scene, &options, NULL);
}

/* *why: the run cannot be finished, as it says. */
static bl_status run_once(bl_context *ctx, const bl_validate_def *def, bl_validate_stage *stage, const bl_scene *scene,
                          const char *dir, char **why) {
    char state[32];
    bl_status status = read_state(ctx, dir, state, sizeof state, why);
    if (status != BL_OK) return status;
    stage->reused = strcmp(state, "done") == 0 || strcmp(state, "failed") == 0;
    if (def->stage) def->stage(def->user, stage);
    if (stage->reused) return BL_OK;
    status = simulate(ctx, def, stage, scene, dir, state[0] != 0);
    if (status == BL_ERR_DIVERGED || status == BL_ERR_DATA) {
        *why = bl_strdup(ctx, bl_context_error(ctx));
        return *why ? BL_OK : BL_ERR_MEMORY;
    }
    return status;
}

/* --- measuring --- */

static double error_of(bl_error_kind kind, double measured, double law) {
    return kind == BL_ERROR_RATIO ? measured / law - 1 : measured - law;
}

/* Sums over seeds, turned into means at the end. */
typedef struct sums {
    double measured[BL_CASE_FIGURES], law[BL_CASE_FIGURES], error[BL_CASE_FIGURES], squares[BL_CASE_FIGURES];
} sums;

static void add_figures(const bl_case *c, const bl_trial *trial, sums *s) {
    for (int k = 0; k < c->figure_count; k++) {
        double measured = (double)NAN, law = (double)NAN;
        for (int f = 0; f < trial->figure_count; f++)
            if (strcmp(trial->figures[f].name, c->figures[k].name) == 0)
                measured = trial->figures[f].measured, law = trial->figures[f].law;
        double error = error_of(c->figures[k].error, measured, law);
        s->measured[k] += measured;
        s->law[k] += law;
        s->error[k] += error;
        s->squares[k] += error * error;
    }
}

static bl_status measure(bl_context *ctx, bl_outcome *o, const char *dir, bl_case_measure_fn fn, sums *s) {
    bl_trial trial;
    bl_status status = bl_trial_open(ctx, o->run, dir, &trial);
    if (status == BL_OK) status = fn(&trial);
    if (status == BL_OK) add_figures(o->c, &trial, s);
    if (status == BL_ERR_DATA) {
        o->why = bl_strdup(ctx, bl_context_error(ctx));
        status = o->why ? BL_OK : BL_ERR_MEMORY;
    }
    if (status == BL_OK && !o->curve.x) {
        o->curve = trial.curve;
        trial.curve = (bl_trial_curve){0};
    }
    bl_trial_clear(&trial);
    return status;
}

/* In the context `silent`: the warnings of runs would bury the table. */
static bl_status run_and_measure(bl_context *silent, const bl_validate_def *def, bl_validate_stage *stage,
                                 const bl_scene *scene, bl_outcome *o, bl_case_measure_fn fn, sums *s) {
    char *dir = run_directory(silent, def, scene);
    bl_status status = dir ? run_once(silent, def, stage, scene, dir, &o->why) : BL_ERR_MEMORY;
    if (status == BL_OK && !o->why) status = measure(silent, o, dir, fn, s);
    if (o->directory)
        bl_release(silent, dir);
    else
        o->directory = dir;
    return status;
}

static bl_status run_seed(bl_context *ctx, const bl_validate_def *def, bl_validate_stage *stage, bl_outcome *o,
                          int seed, bl_case_measure_fn fn, sums *s) {
    bl_scene *scene = NULL;
    bl_context *silent = NULL;
    bl_status status = load_scene(ctx, o, seed, &scene);
    if (status == BL_OK) status = bl_context_fork(ctx, &silent);
    if (status == BL_OK) {
        status = run_and_measure(silent, def, stage, scene, o, fn, s);
        if (status != BL_OK) bl_fail(ctx, status, "%s", bl_context_error(silent));
    }
    bl_context_destroy(silent);
    bl_scene_destroy(scene);
    return status;
}

static void finish(bl_outcome *o, const sums *s, int seeds) {
    for (int k = 0; k < o->c->figure_count; k++) {
        double n = o->why ? (double)NAN : seeds;
        o->measured[k] = s->measured[k] / n;
        o->law[k] = s->law[k] / n;
        o->error[k] = s->error[k] / n;
        double variance = s->squares[k] / n - o->error[k] * o->error[k];
        o->scatter[k] = seeds > 1 ? sqrt(fmax(0, variance) * n / (n - 1)) : 0;
    }
}

bl_status bl_outcome_make(bl_context *ctx, const bl_validate_def *def, bl_validate_stage *stage, bl_outcome *o) {
    bl_case_measure_fn fn = bl_case_measure_find(o->c->measure);
    if (!fn) {
        char names[512];
        bl_case_measure_names(names, sizeof names);
        return bl_fail(ctx, BL_ERR_DATA, "%s/case.yaml: there is no measure '%s'; known are %s", o->c->dir,
                       o->c->measure, names);
    }
    sums s = {.measured = {0}};
    int seeds = def->seeds > 1 ? def->seeds : 1;
    bl_status status = BL_OK;
    for (int seed = 0; seed < seeds && status == BL_OK && !o->why; seed++)
        status = run_seed(ctx, def, stage, o, seed, fn, &s);
    finish(o, &s, seeds);
    return status;
}
