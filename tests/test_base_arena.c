/* The arena: alignment, marks, no overlap, and no allocation once it is warm. */
#include "base/arena.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    bl_context *ctx;
    bl_arena *arena;
} fixture;

static int set_up(void **state) {
    static fixture f;
    *state = &f;
    return bl_context_create(NULL, &f.ctx) != BL_OK || bl_arena_create(f.ctx, "step", &f.arena) != BL_OK;
}

static int tear_down(void **state) {
    fixture *f = *state;
    bl_arena_destroy(f->arena);
    bl_context_destroy(f->ctx);
    return 0;
}

enum { TAKES = 60 };

static size_t take_size(int step, int k) { return bl_rng_u64(3, (uint64_t)step, (uint64_t)k) % 50000; }

/* Take many pieces, mark each with its number, and see that none has touched another. */
static void one_step(bl_arena *arena, int step) {
    unsigned char *piece[TAKES];
    const size_t mark = bl_arena_mark(arena);
    for (int k = 0; k < TAKES; k++) {
        piece[k] = bl_arena_take(arena, take_size(step, k), 1);
        assert_non_null(piece[k]);
        assert_int_equal((uintptr_t)piece[k] % 64, 0);
        memset(piece[k], k, take_size(step, k));
    }
    for (int k = 0; k < TAKES; k++)
        for (size_t i = 0; i < take_size(step, k); i++) assert_int_equal(piece[k][i], k);
    bl_arena_release(arena, mark);
    assert_int_equal(bl_arena_mark(arena), mark);
}

static void test_warm_steps_do_not_allocate(void **state) {
    fixture *f = *state;
    one_step(f->arena, 0);
    const uint64_t warm = bl_alloc_count(f->ctx);
    const size_t peak = bl_arena_peak(f->arena);
    for (int i = 0; i < 10; i++) one_step(f->arena, 0);
    assert_int_equal(bl_alloc_count(f->ctx), warm);
    assert_int_equal(bl_arena_peak(f->arena), peak);
    /* Other patterns of takes settle too. */
    for (int round = 0; round < 2; round++)
        for (int step = 0; step < 20; step++) one_step(f->arena, step);
    const uint64_t settled = bl_alloc_count(f->ctx);
    for (int step = 0; step < 20; step++) one_step(f->arena, step);
    assert_int_equal(bl_alloc_count(f->ctx), settled);
}

static void test_marks_nest(void **state) {
    fixture *f = *state;
    int *a = bl_arena_take(f->arena, 10, sizeof *a);
    a[9] = 42;
    const size_t mark = bl_arena_mark(f->arena);
    void *first = bl_arena_take(f->arena, 100, 8);
    one_step(f->arena, 1); /* goes through several blocks */
    bl_arena_release(f->arena, mark);
    assert_ptr_equal(bl_arena_take(f->arena, 100, 8), first);
    assert_int_equal(a[9], 42);
    bl_arena_release(f->arena, 0);
}

static void test_too_much(void **state) {
    fixture *f = *state;
    const size_t mark = bl_arena_mark(f->arena);
    assert_null(bl_arena_take(f->arena, SIZE_MAX / 2, 16));
    assert_non_null(strstr(bl_context_error(f->ctx), "step"));
    assert_int_equal(bl_arena_mark(f->arena), mark);
    assert_non_null(bl_arena_take(f->arena, 0, 16));
    bl_arena_release(f->arena, mark);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warm_steps_do_not_allocate),
        cmocka_unit_test(test_marks_nest),
        cmocka_unit_test(test_too_much),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
