/* Checkpoints: bit for bit there and back; damaged, foreign and unfitting files refused with a reason; the search. */
/* also: double */
#include "output/checkpoint.h"
#include "output/checkpoint_seal.h"
#include "output/hdf5_file.h"
#include "output_fixture.h"

static const bl_checkpoint_head HEAD = {
    .frame = 7, .step = 1234, .time = 0.1, .dt = 1e-5, .scene_hash = 0xfeedface12345678};
static const unsigned char BYTES[5] = {0, 1, 255, 0, 7};
static const bl_blob BLOBS[] = {{"emitters", BYTES, sizeof BYTES}, {"empty", "", 0}};

static void encode(const fixture *f, char **bytes, size_t *size) {
    assert_int_equal(bl_checkpoint_encode(f->ctx, "a.h5", &HEAD, &f->fluid, &f->boundary, BLOBS, 2, bytes, size),
                     BL_OK);
}

static void check_round_trip(size_t fluid_count, size_t boundary_count) {
    fixture f;
    char path[256];
    bl_checkpoint c;
    fixture_init(&f, fluid_count, boundary_count);
    f.fluid.next_id = 99999;
    fixture_path(&f, "a.h5", path);
    assert_int_equal(bl_checkpoint_write(f.ctx, path, &HEAD, &f.fluid, &f.boundary, BLOBS, 2), BL_OK);
    assert_int_equal(bl_checkpoint_read(f.ctx, path, &c), BL_OK);

    assert_int_equal(c.head.frame, 7);
    assert_int_equal(c.head.step, 1234);
    assert_true(c.head.time == 0.1 && c.head.dt == 1e-5 && c.head.scene_hash == HEAD.scene_hash);
    assert_int_equal(c.fluid.count, fluid_count);
    assert_int_equal(c.boundary.count, boundary_count);
    assert_int_equal(c.fluid.next_id, 99999);
    assert_int_equal(c.boundary.next_id, f.boundary.next_id);
    assert_true(bl_fluid_store_hash(&c.fluid) == bl_fluid_store_hash(&f.fluid));
    assert_true(bl_boundary_store_hash(&c.boundary) == bl_boundary_store_hash(&f.boundary));
    for (int k = 0; k < BL_F_COUNT; k++)
        if (bl_fluid_fields[k].flags & BL_FIELD_STATE)
            assert_memory_equal(bl_field_data(&bl_fluid_fields[k], &c.fluid),
                                bl_field_data(&bl_fluid_fields[k], &f.fluid),
                                fluid_count * bl_fluid_fields[k].item_size);
    const bl_blob *emitters = bl_checkpoint_blob(&c, "emitters");
    assert_int_equal(emitters->size, 5);
    assert_memory_equal(emitters->data, BYTES, 5);
    assert_int_equal(bl_checkpoint_blob(&c, "empty")->size, 0);
    assert_null(bl_checkpoint_blob(&c, "other"));
    bl_checkpoint_clear(&c);
    fixture_clear(&f);
}

static void test_round_trip(void **state) {
    (void)state;
    check_round_trip(500, 120);
    check_round_trip(3, 0);
    check_round_trip(0, 0);
}

static void test_equal_states_give_equal_bytes(void **state) {
    (void)state;
    fixture f;
    char *a, *b;
    size_t na, nb;
    fixture_init(&f, 50, 10);
    encode(&f, &a, &na);
    sleep(1); /* no clock may get into the file */
    encode(&f, &b, &nb);
    assert_int_equal(na, nb);
    assert_memory_equal(a, b, na);
    bl_release(f.ctx, a);
    bl_release(f.ctx, b);
    fixture_clear(&f);
}

/* The seal is a user block to HDF5, so its own tools read the rest. */
static void test_hdf5_opens_it(void **state) {
    (void)state;
    fixture f;
    char path[256];
    uint64_t step = 0;
    fixture_init(&f, 5, 5);
    fixture_path(&f, "a.h5", path);
    assert_int_equal(bl_checkpoint_write(f.ctx, path, &HEAD, &f.fluid, &f.boundary, NULL, 0), BL_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    hid_t attribute = H5Aopen(file, "step", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_STD_U64LE, &step) >= 0);
    assert_int_equal(step, 1234);
    real x[15];
    hid_t set = H5Dopen2(file, "/fluid/x", H5P_DEFAULT);
    assert_true(H5Dread(set, sizeof(real) == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >=
                0);
    assert_memory_equal(x, f.fluid.x, sizeof x);
    H5Dclose(set);
    H5Aclose(attribute);
    H5Fclose(file);
    fixture_clear(&f);
}

static void assert_refused(bl_context *ctx, const char *bytes, size_t size, const char *reason) {
    bl_checkpoint c;
    assert_int_equal(bl_checkpoint_parse(ctx, "x.h5", bytes, size, &c), BL_ERR_DATA);
    assert_mentions(bl_context_error(ctx), "x.h5: ");
    assert_mentions(bl_context_error(ctx), reason);
    assert_null(c.fluid.id);
}

static void test_truncated_is_refused(void **state) {
    (void)state;
    fixture f;
    char *bytes;
    size_t size;
    fixture_init(&f, 20, 5);
    encode(&f, &bytes, &size);
    for (size_t cut = 0; cut < size; cut++) {
        /* A copy of exactly this size, so that the address sanitizer sees every byte beyond. */
        char *part = malloc(cut + 1);
        memcpy(part, bytes, cut);
        assert_refused(f.ctx, part, cut, cut >= strlen("BEADLET CHECKPOINT\nschema ") ? "cut off" : "not a checkpoint");
        free(part);
    }
    bl_release(f.ctx, bytes);
    fixture_clear(&f);
}

static void test_every_flipped_bit_is_refused(void **state) {
    (void)state;
    fixture f;
    char *bytes;
    size_t size;
    bl_checkpoint c;
    fixture_init(&f, 6, 2);
    encode(&f, &bytes, &size);
    for (size_t k = 0; k < size; k++) {
        bytes[k] ^= (char)(1 << k % 8);
        assert_int_equal(bl_checkpoint_parse(f.ctx, "x.h5", bytes, size, &c), BL_ERR_DATA);
        bytes[k] ^= (char)(1 << k % 8);
    }
    assert_int_equal(bl_checkpoint_parse(f.ctx, "x.h5", bytes, size, &c), BL_OK);
    bl_checkpoint_clear(&c);
    bl_release(f.ctx, bytes);
    fixture_clear(&f);
}

static void test_foreign_is_refused(void **state) {
    (void)state;
    fixture f;
    char *bytes, *longer;
    size_t size;
    fixture_init(&f, 4, 4);
    assert_refused(f.ctx, "", 0, "not a checkpoint");
    assert_refused(f.ctx, "\x89HDF\r\n\x1a\n and so on and so on", 30, "not a checkpoint");
    encode(&f, &bytes, &size);
    longer = bl_alloc(f.ctx, size + 1, 1);
    memcpy(longer, bytes, size);
    assert_refused(f.ctx, longer, size + 1, "checksum");
    char *schema = strstr(bytes, "schema 1");
    schema[7] = '9';
    assert_refused(f.ctx, bytes, size, "schema 9, this version reads schema 1");
    bl_release(f.ctx, bytes);
    bl_release(f.ctx, longer);
    fixture_clear(&f);
}

/* Files with a right seal but wrong contents, as another program or version might make them. */
typedef enum flaw { NO_FLAW, OTHER_PRECISION, NO_STEP, WRONG_COUNT, HUGE_COUNT, NO_FLUID, NO_BLOBS, FLAWS } flaw;

static void put_flawed(bl_h5 *h5, flaw which) {
    const int frame = 1;
    const uint64_t step = 2, count = which == WRONG_COUNT ? 1 : which == HUGE_COUNT ? 1ull << 60 : 0;
    const uint32_t next_id = 0;
    const double time = 0;
    bl_h5_put_text(h5, h5->file, "precision", which == OTHER_PRECISION ? "half" : BL_REAL_NAME);
    bl_h5_put_attribute(h5, h5->file, "frame", H5T_NATIVE_INT, 1, &frame);
    if (which != NO_STEP) bl_h5_put_attribute(h5, h5->file, "step", H5T_STD_U64LE, 1, &step);
    bl_h5_put_attribute(h5, h5->file, "time", H5T_IEEE_F64LE, 1, &time);
    bl_h5_put_attribute(h5, h5->file, "dt", H5T_IEEE_F64LE, 1, &time);
    bl_h5_put_attribute(h5, h5->file, "scene_hash", H5T_STD_U64LE, 1, &step);
    for (int s = which == NO_FLUID ? 1 : 0; s < 2; s++) {
        hid_t group = bl_h5_group(h5, h5->file, s ? "boundary" : "fluid");
        const bl_field_info *fields = s ? bl_boundary_fields : bl_fluid_fields;
        bl_h5_put_attribute(h5, group, "count", H5T_STD_U64LE, 1, &count);
        bl_h5_put_attribute(h5, group, "next_id", H5T_STD_U32LE, 1, &next_id);
        for (int k = 0; k < (s ? (int)BL_B_COUNT : (int)BL_F_COUNT); k++)
            if (fields[k].flags & BL_FIELD_STATE)
                bl_h5_put(h5, group, fields[k].name,
                          fields[k].type == BL_TYPE_U32 ? H5T_STD_U32LE
                          : sizeof(real) == 8           ? H5T_IEEE_F64LE
                                                        : H5T_IEEE_F32LE,
                          0, fields[k].type == BL_TYPE_VEC3 ? 3 : 0, NULL);
        H5Gclose(group);
    }
    if (which != NO_BLOBS) H5Gclose(bl_h5_group(h5, h5->file, "blobs"));
}

static void test_unfitting_contents_are_refused(void **state) {
    (void)state;
    static const char *const reasons[FLAWS] = {[OTHER_PRECISION] = "written in half precision",
                                               [NO_STEP] = "the attribute step is missing",
                                               [WRONG_COUNT] = "the array id has another type or size",
                                               [HUGE_COUNT] = "more particles than the file can hold",
                                               [NO_FLUID] = "the group fluid is missing",
                                               [NO_BLOBS] = "the group blobs is missing"};
    bl_context *ctx;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    for (flaw which = NO_FLAW; which < FLAWS; which++) {
        char *image, *sealed;
        size_t size;
        bl_h5 h5 = bl_h5_begin_write(ctx, "x.h5", 0);
        put_flawed(&h5, which);
        assert_int_equal(bl_h5_end_write(&h5, &image, &size), BL_OK);
        sealed = bl_alloc(ctx, size + BL_SEAL_SIZE, 1);
        bl_seal_make(image, size, sealed);
        memcpy(sealed + BL_SEAL_SIZE, image, size);
        bl_checkpoint c = {0};
        if (which == NO_FLAW)
            assert_int_equal(bl_checkpoint_parse(ctx, "x.h5", sealed, size + BL_SEAL_SIZE, &c), BL_OK);
        else
            assert_refused(ctx, sealed, size + BL_SEAL_SIZE, reasons[which]);
        bl_checkpoint_clear(&c);
        bl_release(ctx, image);
        bl_release(ctx, sealed);
    }
    bl_context_destroy(ctx);
}

/* --- the search --- */

static void write_at(fixture *f, int frame, uint64_t step) {
    bl_checkpoint_head head = HEAD;
    head.frame = frame;
    head.step = step;
    char *path = bl_checkpoint_path(f->ctx, f->dir, frame, step);
    assert_int_equal(bl_checkpoint_write(f->ctx, path, &head, &f->fluid, &f->boundary, NULL, 0), BL_OK);
    bl_release(f->ctx, path);
}

static void damage(fixture *f, int frame, uint64_t step, off_t size) {
    char *path = bl_checkpoint_path(f->ctx, f->dir, frame, step);
    assert_int_equal(truncate(path, size), 0);
    bl_release(f->ctx, path);
}

static void search_init(fixture *f) {
    char path[256];
    fixture_init(f, 10, 3);
    assert_int_equal(bl_dir_create(f->ctx, fixture_path(f, "checkpoints", path)), BL_OK);
}

static void test_find_newest_sound(void **state) {
    (void)state;
    fixture f;
    bl_checkpoint c;
    bl_refusals refused;
    search_init(&f);
    assert_int_equal(bl_checkpoint_find(f.ctx, f.dir, -1, 0, &c, &refused), BL_ERR_NO_INPUT);
    assert_mentions(bl_context_error(f.ctx), "no checkpoint");

    write_at(&f, 10, 100);
    write_at(&f, 20, 200);
    write_at(&f, 20, 1000); /* later step of the same frame */
    write_at(&f, 30, 300);
    write_at(&f, 1000000, 5000); /* more digits than usual */
    assert_int_equal(bl_checkpoint_find(f.ctx, f.dir, -1, HEAD.scene_hash, &c, &refused), BL_OK);
    assert_int_equal(c.head.step, 5000);
    assert_int_equal(refused.count, 0);
    bl_checkpoint_clear(&c);
    bl_refusals_clear(&refused);

    assert_int_equal(bl_checkpoint_find(f.ctx, f.dir, 29, 0, &c, NULL), BL_OK);
    assert_int_equal(c.head.step, 1000);
    bl_checkpoint_clear(&c);
    assert_int_equal(bl_checkpoint_find(f.ctx, f.dir, 9, 0, &c, NULL), BL_ERR_NO_INPUT);
    assert_mentions(bl_context_error(f.ctx), "at or before frame 9");

    damage(&f, 1000000, 5000, 700);
    damage(&f, 30, 300, 0);
    assert_int_equal(bl_checkpoint_find(f.ctx, f.dir, -1, 0, &c, &refused), BL_OK);
    assert_int_equal(c.head.step, 1000);
    assert_int_equal(refused.count, 2);
    assert_mentions(refused.items[0].path, "frame_1000000_step_000005000.h5");
    assert_true(strncmp(refused.items[0].reason, "cut off", 7) == 0);
    assert_mentions(refused.items[1].reason, "not a checkpoint");
    bl_checkpoint_clear(&c);
    bl_refusals_clear(&refused);

    assert_int_equal(bl_checkpoint_find(f.ctx, f.dir, -1, 42, &c, &refused), BL_ERR_DATA);
    assert_int_equal(refused.count, 5);
    assert_mentions(refused.items[4].reason, "another scene");
    bl_refusals_clear(&refused);
    fixture_clear(&f);
}

static void test_prune_keeps_the_newest(void **state) {
    (void)state;
    fixture f;
    search_init(&f);
    for (int k = 1; k <= 5; k++) write_at(&f, 10 * k, (uint64_t)k);
    assert_int_equal(bl_checkpoint_prune(f.ctx, f.dir, 0), BL_OK);
    assert_true(fixture_has(&f, "checkpoints/frame_000010_step_000000001.h5"));
    assert_int_equal(bl_checkpoint_prune(f.ctx, f.dir, 2), BL_OK);
    assert_false(fixture_has(&f, "checkpoints/frame_000030_step_000000003.h5"));
    assert_true(fixture_has(&f, "checkpoints/frame_000040_step_000000004.h5"));
    assert_true(fixture_has(&f, "checkpoints/frame_000050_step_000000005.h5"));
    fixture_clear(&f);
}

static void test_missing_file(void **state) {
    (void)state;
    bl_context *ctx;
    bl_checkpoint c;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    assert_int_equal(bl_checkpoint_read(ctx, "no/such.h5", &c), BL_ERR_NO_INPUT);
    bl_checkpoint_clear(&c);
    bl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_equal_states_give_equal_bytes),
        cmocka_unit_test(test_hdf5_opens_it),
        cmocka_unit_test(test_truncated_is_refused),
        cmocka_unit_test(test_every_flipped_bit_is_refused),
        cmocka_unit_test(test_foreign_is_refused),
        cmocka_unit_test(test_unfitting_contents_are_refused),
        cmocka_unit_test(test_find_newest_sound),
        cmocka_unit_test(test_prune_keeps_the_newest),
        cmocka_unit_test(test_missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
