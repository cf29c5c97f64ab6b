/* The context: statuses, errors, log, memory; timers. */
/* also: double */
#include "base/context.h"
#include "base/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_exit_codes(void **state) {
    (void)state;
    static const int expected[] = {0, 2, 65, 66, 70, 70, 70, 73, 74, 69, 130};
    for (int s = BL_OK; s <= BL_INTERRUPTED; s++) {
        assert_int_equal(bl_status_exit_code((bl_status)s), expected[s]);
        assert_true(strlen(bl_status_name((bl_status)s)) > 1);
    }
    assert_string_equal(bl_status_name(BL_ERR_DATA), "bad data");
}

static void test_error_may_quote_itself(void **state) {
    (void)state;
    bl_context *ctx;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    assert_string_equal(bl_context_error(ctx), "");
    assert_int_equal(bl_fail(ctx, BL_ERR_IO, "disk %d", 7), BL_ERR_IO);
    bl_fail(ctx, BL_ERR_IO, "a.vtu: %s", bl_context_error(ctx));
    assert_string_equal(bl_context_error(ctx), "a.vtu: disk 7");
    assert_true(bl_threads(ctx) >= 1);
    bl_context_destroy(ctx);
}

typedef struct logged {
    int count;
    bl_log_level level;
    char text[64];
} logged;

static void remember(void *user, bl_log_level level, const char *text) {
    logged *l = user;
    l->count++;
    l->level = level;
    strncpy(l->text, text, sizeof l->text - 1);
}

static void test_log_level(void **state) {
    (void)state;
    logged l = {0};
    bl_context_def def = bl_default_context_def();
    def.log = remember, def.log_user = &l, def.log_level = BL_LOG_WARNING, def.threads = 3;
    bl_context *ctx;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    assert_int_equal(bl_threads(ctx), 3);
    bl_log(ctx, BL_LOG_INFO, "not shown");
    assert_int_equal(l.count, 0);
    bl_log(ctx, BL_LOG_WARNING, "dt %g", 0.5);
    assert_int_equal(l.count, 1);
    assert_int_equal(l.level, BL_LOG_WARNING);
    assert_string_equal(l.text, "dt 0.5");
    bl_context_destroy(ctx);
}

/* An allocator that counts what is alive and fails after `budget` calls. */
typedef struct meter {
    int alive, budget;
} meter;

static void *meter_alloc(void *user, size_t size) {
    meter *m = user;
    if (m->budget-- <= 0) return NULL;
    m->alive++;
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

static void meter_release(void *user, void *memory) {
    meter *m = user;
    if (memory) m->alive--;
    free(memory);
}

static void test_memory(void **state) {
    (void)state;
    meter m = {.budget = 4};
    bl_context_def def = bl_default_context_def();
    def.allocator = (bl_allocator){meter_alloc, meter_release, &m};
    bl_context *ctx;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    const uint64_t before = bl_alloc_count(ctx);

    int *a = bl_alloc(ctx, 3, sizeof *a);
    assert_non_null(a);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_true(a[0] == 0 && a[2] == 0);
    a[0] = 5, a[2] = 7;
    a = bl_grow(ctx, a, 3, 1000, sizeof *a);
    assert_true(a[0] == 5 && a[2] == 7 && a[3] == 0 && a[999] == 0);
    char *copy = bl_strdup(ctx, "bead");
    assert_string_equal(copy, "bead");
    assert_int_equal(bl_alloc_count(ctx) - before, 3);

    /* Out of memory, and a product beyond size_t: NULL, a message, nothing lost. */
    assert_null(bl_grow(ctx, a, 1000, 2000, sizeof *a));
    assert_int_equal(a[2], 7);
    assert_non_null(strstr(bl_context_error(ctx), "out of memory"));
    m.budget = 10;
    assert_null(bl_alloc(ctx, SIZE_MAX / 2, 8));
    void *none = bl_alloc(ctx, 0, 8);
    assert_non_null(none);

    bl_release(ctx, none);
    bl_release(ctx, copy);
    bl_release(ctx, a);
    bl_release(ctx, NULL);
    assert_int_equal(m.alive, 1);
    bl_context_destroy(ctx);
    bl_context_destroy(NULL);
    assert_int_equal(m.alive, 0);
    m.budget = 0;
    assert_int_equal(bl_context_create(&def, &ctx), BL_ERR_MEMORY);
    assert_null(ctx);
}

static void test_timers(void **state) {
    (void)state;
    static bl_timers timers;
    const char other[] = "sort"; /* the same content elsewhere in memory */
    bl_timers_add(&timers, "sort", 0.25);
    bl_timers_add(&timers, "list", 1.0);
    bl_timers_add(&timers, other, 0.5);
    assert_int_equal(timers.count, 2);
    assert_int_equal(timers.items[0].calls, 2);
    assert_true(timers.items[0].seconds == 0.75);
    const double t = bl_now();
    assert_true(bl_now() >= t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exit_codes), cmocka_unit_test(test_error_may_quote_itself),
        cmocka_unit_test(test_log_level),  cmocka_unit_test(test_memory),
        cmocka_unit_test(test_timers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
