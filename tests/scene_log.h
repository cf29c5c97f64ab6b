/* For the tests of the scene reader: a context that keeps what is logged. */
#ifndef SCENE_LOG_H
#define SCENE_LOG_H

#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    bl_context *ctx;
    char log[1 << 16]; /* every message with a newline */
    size_t used;
    int errors, warnings;
} fixture;

static void keep(void *user, bl_log_level level, const char *text) {
    fixture *f = user;
    f->errors += level == BL_LOG_ERROR;
    f->warnings += level == BL_LOG_WARNING;
    int more = snprintf(f->log + f->used, sizeof f->log - f->used, "%s\n", text);
    f->used += (size_t)more < sizeof f->log - f->used ? (size_t)more : 0;
}

static void forget(fixture *f) {
    f->used = 0;
    f->log[0] = 0;
    f->errors = f->warnings = 0;
}

static int set_up(void **state) {
    static fixture f;
    bl_context_def def = bl_default_context_def();
    def.log = keep;
    def.log_user = &f;
    forget(&f);
    *state = &f;
    return bl_context_create(&def, &f.ctx) == BL_OK ? 0 : -1;
}

static int tear_down(void **state) {
    bl_context_destroy(((fixture *)*state)->ctx);
    return 0;
}

/* Load a text called "test.yaml" with at most one override. */
static bl_status load(fixture *f, const char *text, const char *override, bl_scene **out) {
    forget(f);
    return bl_scene_load_text(f->ctx, text, strlen(text), "test.yaml", &override, override != NULL, out);
}

/* The resolved scene as JSON, to be released with bl_release. */
static inline char *resolve(fixture *f, const bl_scene *scene) {
    bl_text text = bl_text_make(f->ctx);
    bl_json json = bl_json_make(&text, 1);
    bl_scene_write_json(scene, &json, NULL);
    char *copy = bl_strdup(f->ctx, bl_text_str(&text));
    bl_text_clear(&text);
    assert_non_null(copy);
    return copy;
}

#endif
