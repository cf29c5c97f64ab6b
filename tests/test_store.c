/* The particle store: fields, ids, removal, sorting along the curve, hashes; and the sort beneath. */
/* also: double */
#include "base/rng.h"
#include "particles/radix.h"
#include "particles/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <stdlib.h>

static bl_context *make_context(int threads) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx;
    def.threads = threads;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    return ctx;
}

/* Byte k of the item of particle `id` in field f: a pattern that tells all items apart. */
static unsigned char pattern(uint32_t id, int f, size_t k) {
    return (unsigned char)bl_rng_u64(77, id, (uint64_t)f * 64 + k);
}

/* Fill every field but id and x by the particle's id. */
static void fill_by_id(bl_fluid_store *store) {
    for (int f = 0; f < BL_F_COUNT; f++) {
        const bl_field_info *field = &bl_fluid_fields[f];
        unsigned char *data = bl_field_data(field, store);
        for (size_t i = 0; i < store->count && f != BL_F_id && f != BL_F_x; i++)
            for (size_t k = 0; k < field->item_size; k++) data[i * field->item_size + k] = pattern(store->id[i], f, k);
    }
}

static void check_by_id(const bl_fluid_store *store, unsigned flags) {
    for (int f = 0; f < BL_F_COUNT; f++) {
        const bl_field_info *field = &bl_fluid_fields[f];
        const unsigned char *data = bl_field_data(field, store);
        if (f == BL_F_id || f == BL_F_x || (field->flags & flags) != flags) continue;
        for (size_t i = 0; i < store->count; i++)
            for (size_t k = 0; k < field->item_size; k++)
                assert_int_equal(data[i * field->item_size + k], pattern(store->id[i], f, k));
    }
}

static bl_vec3 random_point(uint32_t id, double edge) {
    return bl_v3_make((real)(edge * (bl_rng_uniform(3, id, 0) - 0.5)), (real)(edge * (bl_rng_uniform(3, id, 1) - 0.3)),
                      (real)(edge * bl_rng_uniform(3, id, 2)));
}

static void append_random(bl_fluid_store *store, size_t count, double edge) {
    size_t first;
    assert_int_equal(bl_fluid_store_append(store, count, &first), BL_OK);
    for (size_t i = first; i < store->count; i++) store->x[i] = random_point(store->id[i], edge);
    fill_by_id(store);
}

static void test_field_table(void **state) {
    (void)state;
    bl_fluid_store store;
    bl_fluid_store_init(NULL, &store);
    store.v = (bl_vec3 *)&store;
    assert_ptr_equal(bl_field_data(&bl_fluid_fields[BL_F_v], &store), &store);
    assert_string_equal(bl_fluid_fields[BL_F_v].name, "v");
    assert_string_equal(bl_fluid_fields[BL_F_v].unit, "m/s");
    assert_int_equal(bl_fluid_fields[BL_F_v].type, BL_TYPE_VEC3);
    assert_int_equal(bl_fluid_fields[BL_F_phase].type, BL_TYPE_U32);
    assert_int_equal(bl_fluid_fields[BL_F_p].type, BL_TYPE_REAL);
    assert_int_equal(bl_fluid_fields[BL_F_p].item_size, sizeof(real));
    assert_int_equal(bl_boundary_fields[BL_B_normal].item_size, sizeof(bl_vec3));
}

static void test_append(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_fluid_store store;
    bl_fluid_store_init(ctx, &store);
    append_random(&store, 10, 1);
    bl_vec3 *before = store.x;
    assert_int_equal((uintptr_t)before % 64, 0);
    for (int round = 0; round < 20; round++) append_random(&store, 37, 1);
    assert_int_equal(store.count, 750);
    for (uint32_t i = 0; i < 750; i++) {
        bl_vec3 expected = random_point(i, 1);
        assert_int_equal(store.id[i], i);
        assert_memory_equal(&store.x[i], &expected, sizeof expected);
    }
    check_by_id(&store, 0);
    /* New particles are zero, also where removed ones were. */
    static const uint8_t all[750] = {[0 ... 749] = 1};
    size_t first;
    bl_fluid_store_remove(&store, all);
    assert_int_equal(store.count, 0);
    assert_int_equal(bl_fluid_store_append(&store, 5, &first), BL_OK);
    assert_int_equal(first, 0);
    assert_int_equal(store.id[0], 750);
    assert_true(store.v[4].x == 0 && store.x_next[4].z == 0 && store.p[0] == 0);
    bl_fluid_store_clear(&store);
    assert_null(store.x);
    bl_context_destroy(ctx);
}

static void test_append_too_many(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_fluid_store store;
    bl_fluid_store_init(ctx, &store);
    append_random(&store, 10, 1);
    size_t first;
    assert_int_equal(bl_fluid_store_append(&store, UINT32_MAX, &first), BL_ERR_DATA);
    assert_non_null(strstr(bl_context_error(ctx), "fluid particles"));
    assert_int_equal(store.count, 10);
    bl_fluid_store_clear(&store);
    bl_context_destroy(ctx);
}

static void test_reserve(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_fluid_store store;
    bl_fluid_store_init(ctx, &store);
    assert_int_equal(bl_fluid_store_reserve(&store, 1000), BL_OK);
    uint64_t before = bl_alloc_count(ctx);
    append_random(&store, 600, 1);
    append_random(&store, 400, 1);
    assert_int_equal(bl_alloc_count(ctx), before);
    assert_true(store.capacity >= 1000);
    bl_fluid_store_clear(&store);
    bl_context_destroy(ctx);
}

static void test_remove(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_fluid_store store;
    uint8_t remove[100];
    bl_fluid_store_init(ctx, &store);
    append_random(&store, 100, 1);
    for (size_t i = 0; i < 100; i++) remove[i] = i % 3 == 1;
    bl_fluid_store_remove(&store, remove);
    assert_int_equal(store.count, 67);
    for (size_t i = 0, expected = 0; i < store.count; i++, expected++) {
        expected += expected % 3 == 1;
        assert_int_equal(store.id[i], expected);
    }
    check_by_id(&store, 0);
    append_random(&store, 1, 1);
    assert_int_equal(store.id[67], 100);
    bl_fluid_store_clear(&store);
    bl_context_destroy(ctx);
}

/* The curve visits a cell once; within a cell ids ascend. */
static void check_sorted(const bl_fluid_store *store, double cell) {
    enum { SIDE = 64 };
    static uint8_t visited[SIDE][SIDE][SIDE];
    int last[3] = {-SIDE, 0, 0};
    memset(visited, 0, sizeof visited);
    for (size_t i = 0; i < store->count; i++) {
        int here[3];
        for (int a = 0; a < 3; a++) here[a] = SIDE / 2 + (int)floor((double)(&store->x[i].x)[a] / cell);
        if (memcmp(here, last, sizeof here) == 0)
            assert_true(store->id[i - 1] < store->id[i]);
        else
            assert_int_equal(visited[here[0]][here[1]][here[2]]++, 0);
        memcpy(last, here, sizeof here);
    }
}

/* From a cell of a full cube or square the curve always goes on to one that it shares a face with. */
static void test_curve_does_not_jump(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        enum { SIDE = 16 };
        bl_context *ctx = make_context(1);
        bl_arena *arena;
        bl_fluid_store store;
        bool moved;
        size_t count = dimension == 2 ? SIDE * SIDE : SIDE * SIDE * SIDE, first;
        assert_int_equal(bl_arena_create(ctx, "test", &arena), BL_OK);
        bl_fluid_store_init(ctx, &store);
        assert_int_equal(bl_fluid_store_append(&store, count, &first), BL_OK);
        for (size_t i = 0; i < count; i++) {
            size_t k = i * 2731 % count; /* in no order: 2731 is prime */
            store.x[i] = bl_v3_make((real)(k % SIDE), (real)(k / SIDE % SIDE), (real)(k / SIDE / SIDE));
        }
        assert_int_equal(bl_fluid_store_sort(&store, 1, arena, &moved), BL_OK);
        for (size_t i = 1; i < count; i++) assert_true(bl_v3_norm2(bl_v3_sub(store.x[i], store.x[i - 1])) == 1);
        bl_fluid_store_clear(&store);
        bl_arena_destroy(arena);
        bl_context_destroy(ctx);
    }
}

static void check_positions_by_id(const bl_fluid_store *store, double edge) {
    for (size_t i = 0; i < store->count; i++) {
        bl_vec3 expected = random_point(store->id[i], edge);
        assert_memory_equal(&store->x[i], &expected, sizeof expected);
    }
}

static void test_sort(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    bl_arena *arena;
    bl_fluid_store store;
    bool moved;
    assert_int_equal(bl_arena_create(ctx, "test", &arena), BL_OK);
    bl_fluid_store_init(ctx, &store);
    assert_int_equal(bl_fluid_store_sort(&store, 0.25, arena, &moved), BL_OK);
    assert_false(moved);
    append_random(&store, 20000, 4);
    uint32_t first_id = store.id[0];
    bl_vec3 scratch = store.x_next[0];
    assert_int_equal(bl_fluid_store_sort(&store, 0.25, arena, &moved), BL_OK);
    assert_true(moved);
    assert_int_not_equal(store.id[0], first_id);
    check_sorted(&store, 0.25);
    check_positions_by_id(&store, 4);
    check_by_id(&store, BL_FIELD_STATE);
    assert_memory_equal(&store.x_next[0], &scratch, sizeof scratch); /* scratch is not moved */

    uint64_t allocations = bl_alloc_count(ctx), hash = bl_fluid_store_hash(&store);
    assert_int_equal(bl_fluid_store_sort(&store, 0.25, arena, &moved), BL_OK);
    assert_false(moved);
    assert_int_equal(bl_fluid_store_hash(&store), hash);
    assert_int_equal(bl_fluid_store_sort(&store, 0.5, arena, &moved), BL_OK);
    assert_true(moved);
    check_sorted(&store, 0.5);
    assert_int_equal(bl_alloc_count(ctx), allocations);
    bl_fluid_store_clear(&store);
    bl_arena_destroy(arena);
    bl_context_destroy(ctx);
}

/* Lost particles cost neither memory nor the order of the others; those that are nowhere come last. */
static void test_sort_outliers(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    bl_arena *arena;
    bl_fluid_store store;
    bool moved;
    assert_int_equal(bl_arena_create(ctx, "test", &arena), BL_OK);
    bl_fluid_store_init(ctx, &store);
    append_random(&store, 3000, 4);
    store.x[7].x = (real)NAN;
    store.x[8].y = (real)-3e38;
    store.x[9].z = (real)3e38;
    store.x[10].y = (real)INFINITY;
    assert_int_equal(bl_fluid_store_sort(&store, 0.25, arena, &moved), BL_OK);
    assert_int_equal(store.id[2998], 7);
    assert_int_equal(store.id[2999], 10);
    check_by_id(&store, BL_FIELD_STATE);
    /* Without the four, the rest is in order: the median kept the cells where the particles are. */
    uint8_t remove[3000];
    for (size_t i = 0; i < 3000; i++) remove[i] = store.id[i] >= 7 && store.id[i] <= 10;
    bl_fluid_store_remove(&store, remove);
    check_positions_by_id(&store, 4);
    size_t jumps = 0;
    for (size_t i = 1; i < store.count; i++) jumps += bl_v3_norm(bl_v3_sub(store.x[i], store.x[i - 1])) > 2;
    assert_true(jumps < 100);
    bl_fluid_store_clear(&store);
    bl_arena_destroy(arena);
    bl_context_destroy(ctx);
}

static uint64_t hash_after_sort(int threads) {
    bl_context *ctx = make_context(threads);
    bl_arena *arena;
    bl_fluid_store store;
    bool moved;
    assert_int_equal(bl_arena_create(ctx, "test", &arena), BL_OK);
    bl_fluid_store_init(ctx, &store);
    append_random(&store, 30000, 4);
    assert_int_equal(bl_fluid_store_sort(&store, 0.3, arena, &moved), BL_OK);
    uint64_t hash = bl_fluid_store_hash(&store);
    bl_fluid_store_clear(&store);
    bl_arena_destroy(arena);
    bl_context_destroy(ctx);
    return hash;
}

static void test_sort_threads(void **state) {
    (void)state;
    uint64_t expected = hash_after_sort(1);
    assert_int_equal(hash_after_sort(2), expected);
    assert_int_equal(hash_after_sort(3), expected);
    assert_int_equal(hash_after_sort(7), expected);
}

static void test_hash(void **state) {
    (void)state;
    bl_context *ctx = make_context(1);
    bl_fluid_store a, b;
    bl_fluid_store_init(ctx, &a);
    bl_fluid_store_init(ctx, &b);
    assert_int_equal(bl_fluid_store_hash(&a), bl_fluid_store_hash(&b));
    append_random(&a, 50, 1);
    assert_int_not_equal(bl_fluid_store_hash(&a), bl_fluid_store_hash(&b));
    assert_int_equal(bl_fluid_store_reserve(&b, 500), BL_OK);
    append_random(&b, 50, 1);
    assert_int_equal(bl_fluid_store_hash(&a), bl_fluid_store_hash(&b));
    b.x_next[3].x = 17; /* scratch */
    assert_int_equal(bl_fluid_store_hash(&a), bl_fluid_store_hash(&b));
    /* Every state field counts. */
    for (int f = 0; f < BL_F_COUNT; f++) {
        unsigned char *last =
            (unsigned char *)bl_field_data(&bl_fluid_fields[f], &b) + 50 * bl_fluid_fields[f].item_size - 1;
        *last ^= 1;
        bool is_state = bl_fluid_fields[f].flags & BL_FIELD_STATE;
        assert_int_equal(bl_fluid_store_hash(&a) != bl_fluid_store_hash(&b), is_state);
        *last ^= 1;
    }
    bl_fluid_store_clear(&a);
    bl_fluid_store_clear(&b);
    bl_context_destroy(ctx);
}

/* The annex of a particle is told by its id: it goes where the particle goes. */
static void check_annex(const bl_fluid_store *store, size_t width) {
    for (size_t i = 0; i < store->count; i++)
        for (size_t k = 0; k < width; k++) assert_true(store->annex[i * width + k] == (real)(10 * store->id[i] + k));
}

static void test_annex(void **state) {
    (void)state;
    enum { WIDTH = 5 };
    bl_context *ctx = make_context(2);
    bl_fluid_store store;
    bl_arena *arena;
    bool moved;
    uint8_t remove[3000] = {0};
    bl_fluid_store_init(ctx, &store);
    assert_int_equal(bl_arena_create(ctx, "annex", &arena), BL_OK);
    append_random(&store, 2000, 1);
    uint64_t plain = bl_fluid_store_hash(&store);
    assert_int_equal(bl_fluid_store_extend(&store, WIDTH), BL_OK);
    assert_int_not_equal(bl_fluid_store_hash(&store), plain);
    for (size_t i = 0; i < store.count * WIDTH; i++) {
        assert_true(store.annex[i] == 0);
        store.annex[i] = (real)(10 * store.id[i / WIDTH] + i % WIDTH);
    }
    assert_int_equal(bl_fluid_store_extend(&store, WIDTH), BL_OK); /* it has one already */
    append_random(&store, 1000, 1);
    for (size_t i = 2000 * (size_t)WIDTH; i < 3000 * (size_t)WIDTH; i++) {
        assert_true(store.annex[i] == 0);
        store.annex[i] = (real)(10 * store.id[i / WIDTH] + i % WIDTH);
    }
    assert_int_equal(bl_fluid_store_sort(&store, 0.1, arena, &moved), BL_OK);
    assert_true(moved);
    check_annex(&store, WIDTH);
    for (size_t i = 0; i < store.count; i++) remove[i] = store.id[i] % 3 == 0;
    bl_fluid_store_remove(&store, remove);
    assert_int_equal(store.count, 2000);
    check_annex(&store, WIDTH);
    bl_fluid_store_clear(&store);
    assert_null(store.annex);
    bl_arena_destroy(arena);
    bl_context_destroy(ctx);
}

static void test_boundary(void **state) {
    (void)state;
    bl_context *ctx = make_context(2);
    bl_arena *arena;
    bl_boundary_store store;
    bool moved;
    size_t first;
    assert_int_equal(bl_arena_create(ctx, "test", &arena), BL_OK);
    bl_boundary_store_init(ctx, &store);
    assert_int_equal(bl_boundary_store_append(&store, 500, &first), BL_OK);
    for (uint32_t i = 0; i < 500; i++) {
        store.x[i] = random_point(i, 4);
        store.normal[i] = store.x[i];
        store.volume[i] = (real)i;
    }
    uint64_t before = bl_boundary_store_hash(&store);
    assert_int_equal(bl_boundary_store_sort(&store, 0.5, arena, &moved), BL_OK);
    assert_true(moved);
    assert_int_not_equal(bl_boundary_store_hash(&store), before);
    for (size_t i = 0; i < 500; i++) {
        bl_vec3 expected = random_point(store.id[i], 4);
        assert_memory_equal(&store.x[i], &expected, sizeof expected);
        assert_memory_equal(&store.normal[i], &expected, sizeof expected);
        assert_true(store.volume[i] == (real)store.id[i]);
    }
    bl_boundary_store_clear(&store);
    bl_arena_destroy(arena);
    bl_context_destroy(ctx);
}

static int compare_items(const void *a, const void *b) {
    const bl_sort_item *i = a, *j = b;
    if (i->key != j->key) return i->key < j->key ? -1 : 1;
    return i->index < j->index ? -1 : i->index > j->index;
}

/* Against the C library's sort with the index as the second key: the radix sort is stable. */
static void check_radix(int threads, size_t count, uint64_t mask) {
    bl_context *ctx = make_context(threads);
    bl_arena *arena;
    bl_sort_item *items = calloc(count + 1, sizeof *items), *expected = calloc(count + 1, sizeof *items);
    assert_int_equal(bl_arena_create(ctx, "test", &arena), BL_OK);
    for (size_t i = 0; i < count; i++)
        expected[i] = items[i] = (bl_sort_item){bl_rng_u64(1, i, 0) & mask, (uint32_t)(count - i), (uint32_t)i};
    qsort(expected, count, sizeof *expected, compare_items);
    assert_int_equal(bl_radix_sort(ctx, arena, items, count, BL_SORT_BY_KEY, mask), BL_OK);
    assert_memory_equal(items, expected, count * sizeof *items);
    assert_int_equal(bl_radix_sort(ctx, arena, items, count, BL_SORT_BY_ID, UINT32_MAX), BL_OK);
    for (size_t i = 0; i < count; i++) assert_int_equal(items[i].id, i + 1);
    bl_arena_destroy(arena);
    bl_context_destroy(ctx);
    free(items);
    free(expected);
}

static void test_radix(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 2, 1000, 4096, 4097, 200000};
    static const uint64_t masks[] = {0, 1, 0x7ff, 0xffffff, 0xff00000000000000ull, UINT64_MAX};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) check_radix(1 + (int)m % 3, counts[c], masks[m]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_field_table),
        cmocka_unit_test(test_append),
        cmocka_unit_test(test_append_too_many),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_remove),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_curve_does_not_jump),
        cmocka_unit_test(test_sort_outliers),
        cmocka_unit_test(test_sort_threads),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_annex),
        cmocka_unit_test(test_boundary),
        cmocka_unit_test(test_radix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
