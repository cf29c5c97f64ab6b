/* Short scenes for the tests of the simulation loop. */
#ifndef TESTS_SIM_HELPERS_H
#define TESTS_SIM_HELPERS_H

#include "sim/sim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    bl_context *ctx;
    bl_scene *scene;
    bl_sim *sim;
} fixture;

/* In double, whatever the precision of the library. */
#define assert_near(got, expected, tolerance) near_or_fail((double)(got), (double)(expected), tolerance, #got, __LINE__)
static inline void near_or_fail(double got, double expected, double tolerance, const char *what, int line) {
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("line %d: %s is %.12g, not %.12g +- %g", line, what, got, expected, tolerance);
}

static inline void open_context(fixture *f, int threads) {
    bl_context_def def = bl_default_context_def();
    def.threads = threads;
    assert_int_equal(bl_context_create(&def, &f->ctx), BL_OK);
}

static inline void keep_log(void *user, bl_log_level level, const char *text) {
    (void)level;
    strncat(user, text, 4000);
}

/* What the library says is added to `log`, a string with room for it. */
static inline void open_context_with_log(fixture *f, char *log) {
    bl_context_def def = bl_default_context_def();
    def.log = keep_log;
    def.log_user = log;
    assert_int_equal(bl_context_create(&def, &f->ctx), BL_OK);
}

/* A simulation of the scene `text` in the open context; fails the test with the library's message. */
static inline void make_sim(fixture *f, const char *text) {
    bl_status status = bl_scene_load_text(f->ctx, text, strlen(text), "test.yaml", NULL, 0, &f->scene);
    if (status == BL_OK) status = bl_sim_create(f->ctx, f->scene, &f->sim);
    if (status != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

static inline void open_sim(fixture *f, const char *text, int threads) {
    *f = (fixture){0};
    open_context(f, threads);
    make_sim(f, text);
}

static inline void close_sim(fixture *f) {
    bl_sim_destroy(f->sim);
    bl_scene_destroy(f->scene);
    bl_context_destroy(f->ctx);
}

static inline size_t index_of_id(const bl_sim *sim, uint32_t id) {
    for (size_t i = 0; i < sim->world.fluid.count; i++)
        if (sim->world.fluid.id[i] == id) return i;
    fail_msg("no particle %u", (unsigned)id);
    return 0;
}

/* Loading the scene or making its simulation fails with this message, logged or returned. */
static inline void assert_refused(const char *text, const char *message) {
    fixture f = {0};
    static char log[10000];
    log[0] = 0;
    open_context_with_log(&f, log);
    bl_status status = bl_scene_load_text(f.ctx, text, strlen(text), "test.yaml", NULL, 0, &f.scene);
    if (status == BL_OK) status = bl_sim_create(f.ctx, f.scene, &f.sim);
    assert_int_equal(status, BL_ERR_DATA);
    strncat(log, bl_context_error(f.ctx), 4000);
    if (!strstr(log, message)) fail_msg("\"%s\" lacks \"%s\"", log, message);
    close_sim(&f);
}

#endif
