/* Neighbour lists and the spatial order on a device against the CPU's. */
#include "base/rng.h"
#include "opencl_helpers.h"

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

/* --- lists --- */

enum { MANY = 3000 };
typedef struct lists_fixture {
    bl_context *ctx;
    bl_fluid_store fluid;
    bl_boundary_store boundary;
    bl_timers timers;
    bl_search_def search;
    bl_device *device;
} lists_fixture;

static void open_many(lists_fixture *f, size_t count, int dimension, bool periodic, double spread) {
    *f = (lists_fixture){0};
    size_t first;
    assert_int_equal(bl_context_create(NULL, &f->ctx), BL_OK);
    bl_fluid_store_init(f->ctx, &f->fluid);
    bl_boundary_store_init(f->ctx, &f->boundary);
    assert_int_equal(bl_fluid_store_append(&f->fluid, count, &first), BL_OK);
    assert_int_equal(bl_boundary_store_append(&f->boundary, MANY / 2, &first), BL_OK);
    f->search = (bl_search_def){.dimension = dimension, .near_radius = 2, .far_radius = 3};
    f->search.max = bl_v3d_make(15, 15, 15);
    for (int a = 0; a < dimension; a++) f->search.periodic[a] = periodic;
    for (size_t i = 0; i < MANY + MANY / 2; i++) {
        bl_vec3 *x = i < MANY ? &f->fluid.x[i] : &f->boundary.x[i - MANY];
        for (int c = 0; c < dimension; c++) (&x->x)[c] = (real)(15 * bl_rng_uniform(3, i, (uint64_t)c));
        if (i % 50 == 7) x->x += (real)(spread * (double)(i / 50 % 3));
        if (i % 97 == 5) x->y -= (real)(spread * 1.7);
    }
    bl_device_def def = {"opencl", f->search, &f->fluid, &f->boundary, &f->timers, false};
    if (bl_device_create(f->ctx, &def, &f->device) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

static void open_lists(lists_fixture *f, int dimension, bool periodic, double spread) {
    open_many(f, MANY, dimension, periodic, spread);
}

static void close_lists(lists_fixture *f) {
    bl_device_destroy(f->device);
    bl_fluid_store_clear(&f->fluid);
    bl_boundary_store_clear(&f->boundary);
    bl_context_destroy(f->ctx);
}

static int by_number(const void *a, const void *b) {
    bl_index x = *(const bl_index *)a, y = *(const bl_index *)b;
    return (x > y) - (x < y);
}

/* A list as the device has it. */
typedef struct rows_on_host {
    bl_index *near, *all;
    cl_ushort *index;
    bl_offset *start;
} rows_on_host;

static rows_on_host read_rows(bl_device *d, const bl_cl_list *list, size_t count) {
    const size_t column = bl_cl_padded(count) * sizeof(bl_index), slabs = bl_cl_padded(count) / BL_SLAB;
    rows_on_host r = {malloc(column), malloc(column), malloc(list->index.size), malloc(slabs * sizeof *r.start)};
    assert_true(bl_cl_read(d, &list->rows, 0, r.near, column));
    assert_true(bl_cl_read(d, &list->rows, column, r.all, column));
    assert_true(bl_cl_read(d, &list->rows, 2 * column, r.start, slabs * sizeof *r.start));
    assert_true(bl_cl_read(d, &list->index, 0, r.index, list->index.size));
    return r;
}

static void free_rows(rows_on_host *r) { free(r->near), free(r->all), free(r->index), free(r->start); }

static bool is_wide(const rows_on_host *r, size_t i) { return r->start[i / BL_SLAB] & 1; }
/* neighbours/list.h says where it is. */
static bl_index neighbour_of(const rows_on_host *r, size_t i, bl_index k) {
    const bl_offset start = r->start[i / BL_SLAB];
    const cl_ushort *slab = r->index + ((bl_offset)((bl_index)start >> 1)) * (BL_SLAB * BL_QUAD);
    const size_t at = (k / BL_QUAD * BL_SLAB + i % BL_SLAB) * BL_QUAD + k % BL_QUAD;
    return (bl_index)(start >> 32) + (is_wide(r, i) ? ((const bl_index *)slab)[at] : slab[at]);
}

/* The device's list in the CPU's order of things: row i, near ones sorted, then far ones sorted. */
static void assert_same_list(bl_device *d, const bl_cl_list *list, bl_list want, size_t count, const char *name) {
    rows_on_host got = read_rows(d, list, count);
    for (size_t i = 0; i < count; i++) {
        if (got.near[i] != want.near[i] || got.all[i] != want.all[i])
            fail_msg("%s of %zu: %u and %u neighbours, not %u and %u", name, i, got.near[i], got.all[i], want.near[i],
                     want.all[i]);
        bl_index a[4000], b[4000];
        assert_true(got.all[i] < 4000);
        for (bl_index k = 0; k < got.all[i]; k++) {
            a[k] = neighbour_of(&got, i, k);
            b[k] = want.index[want.start[i] + k];
        }
        for (int part = 0; part < 2; part++) {
            size_t from = part ? got.near[i] : 0, n = part ? got.all[i] - got.near[i] : got.near[i];
            qsort(a + from, n, sizeof *a, by_number);
            qsort(b + from, n, sizeof *b, by_number);
        }
        if (memcmp(a, b, got.all[i] * sizeof *a) != 0) fail_msg("%s of %zu: other neighbours", name, i);
    }
    free_rows(&got);
}

/* Near neighbours, then far ones, each by cells of the unbounded space, and by number in a cell: whether a particle
 * looks for itself or with others must not show. */
static void assert_in_order(bl_device *d, const bl_cl_list *list, const bl_vec3 *x, size_t count) {
    const real scale = (real)(1 / (1.001 * 1.5));
    rows_on_host got = read_rows(d, list, count);
    for (size_t i = 0; i < count; i++) {
        double before[4] = {0};
        for (bl_index k = 0; k < got.all[i]; k++) {
            bl_index j = neighbour_of(&got, i, k);
            double here[4] = {floor((double)(x[j].z * scale)), floor((double)(x[j].y * scale)),
                              floor((double)(x[j].x * scale)), (double)j};
            int c = 0;
            while (c < 3 && here[c] == before[c]) c++;
            if (k > 0 && k != got.near[i] && !(here[c] > before[c]))
                fail_msg("neighbour %u of %zu: out of order", k, i);
            memcpy(before, here, sizeof here);
        }
    }
    free_rows(&got);
}

static void assert_same_active(bl_device *d, const bl_index *want, size_t count) {
    bl_index *got = calloc(count + 1, sizeof *got);
    assert_int_equal(d->active_count, count);
    assert_true(bl_cl_read(d, &d->active, 0, got, count * sizeof *got));
    qsort(got, count, sizeof *got, by_number);
    assert_memory_equal(got, want, count * sizeof *got);
    free(got);
}

static void compare_lists(lists_fixture *f) {
    bl_neighbours *nb;
    bl_positions fluid = {f->fluid.x, f->fluid.count}, boundary = {f->boundary.x, MANY / 2};
    assert_int_equal(bl_neighbours_create(f->ctx, &f->search, &nb), BL_OK);
    assert_int_equal(bl_neighbours_build(nb, fluid, boundary), BL_OK);
    assert_int_equal(bl_neighbours_build_boundary(nb, boundary), BL_OK);
    bl_device_find_boundary_neighbours(f->device);
    if (bl_device_status(f->device) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
    assert_same_list(f->device, &f->device->ff, bl_neighbours_bb(nb), MANY / 2, "bb");
    bl_device_find_neighbours(f->device);
    bl_cl_settle_lists(f->device);
    assert_same_list(f->device, &f->device->ff, bl_neighbours_ff(nb), fluid.count, "ff");
    assert_same_list(f->device, &f->device->fb, bl_neighbours_fb(nb), fluid.count, "fb");
    assert_same_list(f->device, &f->device->bf, bl_neighbours_bf(nb), MANY / 2, "bf");
    size_t active;
    const bl_index *want = bl_neighbours_active_boundary(nb, &active);
    assert_same_active(f->device, want, active);
    bl_neighbours_destroy(nb);
}

/* Every kind of domain: open and periodic, a box, particles far outside of it (cells are shared then) and one that is
 * nowhere, a plate, whose grid is flat, and liquid in four places, between which the order jumps. In no order, where
 * every particle looks for itself, and in the order that simulations have, where slabs look as one. */
static void lists_are_the_cpus(void **state) {
    (void)state;
    for (int variant = 0; variant < 10; variant++) {
        lists_fixture f;
        bool periodic = variant & 2, spread = variant & 4 && !periodic;
        open_lists(&f, variant & 1 ? 2 : 3, periodic, spread ? 3e4 : 0);
        if (!periodic) f.fluid.x[11].y = (real)NAN;
        for (size_t b = 0; variant == 8 && b < MANY / 2; b++) f.boundary.x[b].z = (real)4; /* a plate */
        for (size_t i = 0; variant == 9 && i < MANY; i++)
            f.fluid.x[i].x += (real)(60 * (i & 1)), f.fluid.x[i].y += (real)(45 * (i >> 1 & 1));
        for (int sorted = 0; sorted < 2; sorted++) {
            compare_lists(&f);
            if (!periodic && !spread) assert_in_order(f.device, &f.device->ff, f.fluid.x, MANY);
            bl_device_sort(f.device, 2);
            bl_device_fetch(f.device, BL_BIT(BL_F_x), 0);
        }
        close_lists(&f);
    }
}

/* Point k of a lattice, 32 points of a block of it one after the other. */
static bl_vec3 lattice_point(int k, real shift) {
    const int in = k % 32, block = k / 32, b[3] = {block % 4, block / 4 % 4, block / 16};
    return bl_v3_make((real)(4 * b[0] + in % 4) + shift, (real)(4 * b[1] + in / 4 % 4) + shift,
                      (real)(2 * b[2] + in / 16) + shift);
}

static size_t count_wide(bl_device *d, const bl_cl_list *list, size_t count) {
    rows_on_host got = read_rows(d, list, count);
    size_t wide = 0;
    for (size_t i = 0; i < count; i += BL_SLAB) wide += is_wide(&got, i);
    free_rows(&got);
    return wide;
}

/* Neighbours whose numbers are far from each other: liquid at both ends of the numbers, and between them particles that
 * are alone elsewhere. In order, where slabs look as one, and in none; sorted there are no such slabs. */
static void far_numbers_are_kept(void **state) {
    (void)state;
    enum { COUNT = 70016, HALF = 1536 };
    for (int scrambled = 0; scrambled < 2; scrambled++) {
        lists_fixture f;
        open_many(&f, COUNT, 3, false, 0);
        for (size_t i = 0; i < COUNT; i++)
            f.fluid.x[i] = bl_v3_make((real)(100 + 4 * (i % 256)), (real)(i / 256 * 4), 0);
        for (int k = 0; k < HALF; k++) {
            const int point = scrambled ? k * 37 % HALF : k;
            f.fluid.x[k] = lattice_point(point, 0);
            f.fluid.x[COUNT - HALF + k] = lattice_point(point, BL_R(0.5));
        }
        for (int sorted = 0; sorted < 2; sorted++) {
            compare_lists(&f);
            assert_in_order(f.device, &f.device->ff, f.fluid.x, COUNT);
            assert_int_equal(count_wide(f.device, &f.device->ff, COUNT), sorted ? 0 : 2 * HALF / BL_SLAB);
            assert_int_equal(count_wide(f.device, &f.device->fb, COUNT), 0);
            bl_device_sort(f.device, 2);
            bl_device_fetch(f.device, BL_BIT(BL_F_x), 0);
        }
        close_lists(&f);
    }
}

/* The grid in one launch, of one group: a processor is sure to run no more at a time. */
static void grid_in_one_launch(void **state) {
    (void)state;
    lists_fixture f;
    open_lists(&f, 3, false, 0);
    bl_device *d = f.device;
    d->together = d->solve_groups = 1;
    d->rehearsed = true;
    assert_int_equal(bl_cl_build(d), BL_OK);
    bl_cl_make_kernels(d);
    for (int round = 0; round < 2; round++) {
        compare_lists(&f);
        assert_in_order(d, &d->ff, f.fluid.x, MANY);
        bl_device_sort(d, 2);
        bl_device_fetch(d, BL_BIT(BL_F_x), 0);
    }
    close_lists(&f);
}

/* Sorting moves particles as a whole, and puts those of a cell side by side. */
static void sorting_keeps_particles(void **state) {
    (void)state;
    lists_fixture f;
    open_lists(&f, 3, false, 0);
    bl_vec3 *x = malloc(MANY * sizeof *x);
    memcpy(x, f.fluid.x, MANY * sizeof *x);
    for (size_t i = 0; i < MANY; i++) f.fluid.p[i] = (real)(3 * i), f.fluid.phase[i] = (uint32_t)(i % 5);
    bl_device_sort(f.device, 2);
    bl_device_fetch(f.device, BL_ALL_FIELDS, 0);
    assert_int_equal(bl_device_status(f.device), BL_OK);
    bool seen[MANY] = {false};
    double way = 0;
    for (size_t i = 0; i < MANY; i++) {
        uint32_t id = f.fluid.id[i];
        assert_true(id < MANY && !seen[id]);
        seen[id] = true;
        assert_memory_equal(&f.fluid.x[i], &x[id], sizeof *x);
        assert_true(f.fluid.p[i] == (real)(3 * id) && f.fluid.phase[i] == id % 5);
        if (i > 0) way += bl_v3d_norm(bl_v3d_from(bl_v3_sub(f.fluid.x[i], f.fluid.x[i - 1])));
    }
    assert_true(way / MANY < 3); /* 10 in a random order of this box */
    free(x);
    close_lists(&f);
}

/* Cells follow each other along a Hilbert curve: what comes next is next door. */
static void order_has_no_jumps(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        lists_fixture f;
        open_lists(&f, dimension, false, 0);
        const int side = 8, count = dimension == 3 ? side * side * side : side * side;
        for (int i = 0; i < MANY; i++) {
            /* one in every cell, in an order that has nothing to do with cells; the others are nowhere */
            int c = i * 37 % count;
            double at[3] = {2.0 * (c % side), 2.0 * (c / side % side), 2.0 * (c / side / side)};
            f.fluid.x[i] = i < count ? bl_v3_make((real)at[0], (real)at[1], (real)at[2])
                                     : bl_v3_make((real)NAN, (real)NAN, (real)NAN);
        }
        bl_device_sort(f.device, 2);
        bl_device_fetch(f.device, BL_BIT(BL_F_x), 0);
        assert_int_equal(bl_device_status(f.device), BL_OK);
        bl_vec3d last = {0, 0, 0};
        int found = 0;
        for (size_t i = 0; i < MANY; i++) {
            bl_vec3d x = bl_v3d_from(f.fluid.x[i]);
            if (!isfinite(x.x)) continue;
            if (found++ > 0) assert_near(bl_v3d_norm(bl_v3d_sub(x, last)), 2, 1e-12);
            last = x;
        }
        assert_int_equal(found, count);
        close_lists(&f);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_the_cpus), cmocka_unit_test(far_numbers_are_kept),
        cmocka_unit_test(grid_in_one_launch), cmocka_unit_test(sorting_keeps_particles),
        cmocka_unit_test(order_has_no_jumps),
    };
    RUN_ON_DEVICE(argc, argv, tests);
}
#endif
