/* The writer: same files with and without a thread, resuming, leftovers of earlier runs, and what happens when the disk
 * is full or the directory goes away. */
#include "output/paths.h"
#include "output/pvd.h"
#include "output/queue.h"
#include "output/reader.h"
#include "output/series.h"
#include "output_fixture.h"

#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

static bl_writer_def definition(const fixture *f, bool async) {
    bl_writer_def def = bl_default_writer_def();
    def.dir = f->dir;
    def.scene = &f->scene;
    def.async = async;
    return def;
}

static bl_writer *start(fixture *f, bool async) {
    bl_writer_def def = definition(f, async);
    bl_writer *writer;
    assert_int_equal(bl_writer_create(f->ctx, &def, &writer), BL_OK);
    return writer;
}

/* Frames first to end-1, ten steps each, a checkpoint after every second; the state depends on the frame only. */
static bl_status write_frames(fixture *f, bl_writer *writer, int first, int end) {
    bl_status status = BL_OK;
    for (int n = first; n < end && status == BL_OK; n++) {
        fixture_stir(f, 1000 * (uint64_t)n);
        for (int s = 1; n > 0 && s <= 10 && status == BL_OK; s++) {
            bl_observation row = {.step = 10 * (n - 1) + s, .time = 0.01 * (n - 1) + 0.001 * s};
            status = bl_writer_row(writer, &row);
        }
        if (status == BL_OK) status = bl_writer_frame(writer, n, 0.01 * n, &f->fluid, &f->boundary);
        bl_checkpoint_head head = {.frame = n, .step = 10 * (uint64_t)n, .time = 0.01 * n, .scene_hash = 5};
        if (status == BL_OK && n % 2 == 0)
            status = bl_writer_checkpoint(writer, &head, &f->fluid, &f->boundary, NULL, 0);
    }
    return status;
}

static void finish(fixture *f, bl_writer *writer) {
    bl_status status = bl_writer_flush(writer);
    if (status != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
    bl_writer_destroy(writer);
}

/* --- comparing directories --- */

typedef struct comparison {
    const fixture *a, *b;
    const char *folder;
    int files;
} comparison;

static bl_status compare_file(void *user, const char *file) {
    comparison *c = user;
    char path_a[600], path_b[600], *a, *b;
    size_t size_a, size_b;
    snprintf(path_a, sizeof path_a, "%s/%s%s", c->a->dir, c->folder, file);
    snprintf(path_b, sizeof path_b, "%s/%s%s", c->b->dir, c->folder, file);
    struct stat info;
    if (stat(path_a, &info) != 0 || !S_ISREG(info.st_mode)) return BL_OK;
    assert_int_equal(bl_file_read(c->a->ctx, path_a, &a, &size_a), BL_OK);
    if (bl_file_read(c->a->ctx, path_b, &b, &size_b) != BL_OK) fail_msg("%s is missing", path_b);
    if (size_a != size_b || memcmp(a, b, size_a) != 0) fail_msg("%s and %s differ", path_a, path_b);
    bl_release(c->a->ctx, a);
    bl_release(c->a->ctx, b);
    c->files++;
    return BL_OK;
}

static int compare_into(const fixture *a, const fixture *b) {
    comparison c = {a, b, "", 0};
    static const char *const folders[] = {"", "frames/", "checkpoints/"};
    for (int k = 0; k < 3; k++) {
        char path[256];
        c.folder = folders[k];
        bl_dir_visit(a->ctx, fixture_path(a, folders[k], path), compare_file, &c);
    }
    return c.files;
}

static void assert_same_directories(const fixture *a, const fixture *b, int files) {
    assert_int_equal(compare_into(a, b), files);
    assert_int_equal(compare_into(b, a), files);
}

/* --- tests --- */

/* Five frames of three moving sets, one fixed: (5 * 3 + 1) files a format, 4 lists, 2 checkpoints kept, the series. */
enum { FRAME_FILES = 5 * 3 + 1, ALL_FILES = FRAME_FILES + 4 + 2 + 1 };

static void test_same_files_with_and_without_a_thread(void **state) {
    (void)state;
    fixture a, b;
    fixture_init(&a, 100, 30);
    fixture_init(&b, 100, 30);
    a.scene.output.formats = b.scene.output.formats = BL_FORMAT_VTU | BL_FORMAT_PLY | BL_FORMAT_VTKHDF;
    bl_writer *wa = start(&a, false), *wb = start(&b, true);
    assert_int_equal(write_frames(&a, wa, 0, 5), BL_OK);
    assert_int_equal(write_frames(&b, wb, 0, 5), BL_OK);
    finish(&a, wa);
    finish(&b, wb);
    assert_same_directories(&a, &b, ALL_FILES + 2 * FRAME_FILES);
    fixture_clear(&a);
    fixture_clear(&b);
}

static void test_resumed_run_leaves_the_same_files(void **state) {
    (void)state;
    fixture whole, parts;
    fixture_init(&whole, 60, 20);
    fixture_init(&parts, 60, 20);
    bl_writer *writer = start(&whole, true);
    assert_int_equal(write_frames(&whole, writer, 0, 5), BL_OK);
    finish(&whole, writer);

    /* The first attempt gets to frame 4 with other contents, and is then taken up at the checkpoint of frame 2. */
    writer = start(&parts, true);
    assert_int_equal(write_frames(&parts, writer, 0, 3), BL_OK);
    fixture_stir(&parts, 77);
    assert_int_equal(bl_writer_frame(writer, 3, 99, &parts.fluid, &parts.boundary), BL_OK);
    assert_int_equal(bl_writer_frame(writer, 6, 999, &parts.fluid, &parts.boundary), BL_OK);
    assert_int_equal(bl_writer_row(writer, &(bl_observation){.step = 21}), BL_OK);
    assert_int_equal(bl_writer_checkpoint(writer, &(bl_checkpoint_head){.frame = 2, .step = 25}, &parts.fluid,
                                          &parts.boundary, NULL, 0),
                     BL_OK);
    finish(&parts, writer);
    char path[256];
    fclose(fopen(fixture_path(&parts, "frames/water_000009.vtu.part", path), "w"));
    fclose(fopen(fixture_path(&parts, "checkpoints/frame_000003_step_000000031.h5.part", path), "w"));

    bl_writer_def def = definition(&parts, true);
    def.resume = true;
    def.resume_frame = 2;
    def.resume_step = 20;
    assert_int_equal(bl_writer_create(parts.ctx, &def, &writer), BL_OK);
    bl_pvd pvd; /* right from the start, not only after the next frame */
    assert_int_equal(bl_pvd_read(parts.ctx, fixture_path(&parts, "frames/water.pvd", path), &pvd), BL_OK);
    assert_int_equal(pvd.count, 3);
    bl_pvd_clear(&pvd);
    assert_false(fixture_has(&parts, "frames/water_000006.vtu"));
    assert_int_equal(write_frames(&parts, writer, 3, 5), BL_OK);
    finish(&parts, writer);
    assert_same_directories(&whole, &parts, ALL_FILES);
    fixture_clear(&whole);
    fixture_clear(&parts);
}

static void test_fresh_run_removes_an_earlier_one(void **state) {
    (void)state;
    fixture f;
    char path[256];
    fixture_init(&f, 20, 5);
    bl_writer *writer = start(&f, false);
    assert_int_equal(write_frames(&f, writer, 0, 5), BL_OK);
    finish(&f, writer);
    fclose(fopen(fixture_path(&f, "frames/notes.txt", path), "w")); /* not ours: stays */
    FILE *list = fopen(fixture_path(&f, "frames/lid.pvd", path), "w");
    fputs("damaged", list);
    fclose(list);

    writer = start(&f, false);
    assert_false(fixture_has(&f, "frames/water_000004.vtu"));
    assert_false(fixture_has(&f, "frames/water.pvd"));
    assert_false(fixture_has(&f, "checkpoints/frame_000004_step_000000040.h5"));
    assert_true(fixture_has(&f, "frames/notes.txt"));
    bl_series s;
    assert_int_equal(bl_series_load(f.ctx, fixture_path(&f, "series.csv", path), &s), BL_OK);
    assert_int_equal(s.row_count, 0);
    bl_series_clear(&s);
    finish(&f, writer);
    fixture_clear(&f);
}

static void test_boundaries_can_be_left_out(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 20, 5);
    f.scene.output.boundaries = false;
    f.scene.output.formats = BL_FORMAT_PLY;
    bl_writer *writer = start(&f, true);
    assert_int_equal(write_frames(&f, writer, 0, 2), BL_OK);
    finish(&f, writer);
    assert_true(fixture_has(&f, "frames/water_000001.ply"));
    assert_false(fixture_has(&f, "frames/water_000001.vtu"));
    assert_false(fixture_has(&f, "frames/water.pvd"));
    assert_false(fixture_has(&f, "frames/lid_000001.ply"));
    fixture_clear(&f);
}

static void test_directory_that_cannot_be_made(void **state) {
    (void)state;
    fixture f;
    char path[256];
    fixture_init(&f, 5, 5);
    fclose(fopen(fixture_path(&f, "file", path), "w"));
    bl_writer_def def = definition(&f, true);
    def.dir = path;
    bl_writer *writer;
    assert_int_equal(bl_writer_create(f.ctx, &def, &writer), BL_ERR_CANT_CREATE);
    assert_null(writer);
    assert_mentions(bl_context_error(f.ctx), path);
    fixture_clear(&f);
}

static void test_removed_directory(void **state) {
    (void)state;
    for (int async = 0; async < 2; async++) {
        fixture f;
        char path[256];
        fixture_init(&f, 20, 5);
        bl_writer *writer = start(&f, async);
        assert_int_equal(write_frames(&f, writer, 0, 2), BL_OK);
        assert_int_equal(bl_writer_flush(writer), BL_OK);
        fixture_remove_tree(fixture_path(&f, "frames", path));
        bl_writer_frame(writer, 2, 0.02, &f.fluid, &f.boundary); /* with a thread this one may not know yet */
        for (int again = 0; again < 2; again++) {                /* the failure stays, its message too */
            bl_status status =
                again ? bl_writer_frame(writer, 3, 0.03, &f.fluid, &f.boundary) : bl_writer_flush(writer);
            assert_true(status == BL_ERR_CANT_CREATE || status == BL_ERR_IO);
            assert_mentions(bl_context_error(f.ctx), "frames/water_000002.vtu");
            assert_mentions(bl_context_error(f.ctx), "No such file or directory");
        }
        bl_writer_destroy(writer);
        fixture_clear(&f);
    }
}

/* Write until it fails; everything listed before must be there and readable. */
static void fill_up(fixture *f, const char *reason) {
    bl_writer *writer = start(f, true);
    bl_status status = BL_OK;
    int n = 0;
    for (; n < 200 && status == BL_OK; n++) {
        status = bl_writer_frame(writer, n, 0.01 * n, &f->fluid, &f->boundary);
        if (status == BL_OK) status = bl_writer_flush(writer);
    }
    assert_int_equal(status, BL_ERR_IO);
    assert_mentions(bl_context_error(f->ctx), "frames/");
    assert_mentions(bl_context_error(f->ctx), reason);
    bl_writer_destroy(writer);
}

static size_t readable_frames(fixture *f) {
    char path[256];
    bl_pvd pvd;
    if (bl_pvd_read(f->ctx, fixture_path(f, "frames/water.pvd", path), &pvd) != BL_OK) return 0;
    size_t count = pvd.count;
    for (size_t k = 0; k < count; k++) {
        bl_frame frame;
        snprintf(path, sizeof path, "%s/frames/water_%06d.vtu", f->dir, pvd.entries[k].number);
        assert_int_equal(bl_vtu_read(f->ctx, path, &frame), BL_OK);
        bl_frame_clear(&frame);
    }
    bl_pvd_clear(&pvd);
    return count;
}

static bl_status no_part(void *user, const char *file) {
    (void)user;
    if (strstr(file, ".part")) fail_msg("%s stays behind", file);
    return BL_OK;
}

static void test_full_disk(void **state) {
    (void)state;
    fixture f;
    char path[256];
    fixture_init(&f, 100, 10);
    if (mount("tmpfs", f.dir, "tmpfs", 0, "size=256k") != 0) {
        fixture_clear(&f);
        skip(); /* needs the right to mount; the next test needs none */
    }
    fill_up(&f, "No space left on device");
    size_t frames = readable_frames(&f);
    bl_dir_visit(f.ctx, fixture_path(&f, "frames", path), no_part, NULL);
    assert_int_equal(umount2(f.dir, MNT_DETACH), 0);
    assert_true(frames >= 2);
    fixture_clear(&f);
}

static void test_write_error(void **state) {
    (void)state;
    fixture f;
    char path[256];
    fixture_init(&f, 10, 10);
    bl_writer *writer = start(&f, true);
    assert_int_equal(write_frames(&f, writer, 0, 2), BL_OK);
    assert_int_equal(bl_writer_flush(writer), BL_OK);

    /* No file may grow beyond 4 kB from here on; the next frame does. */
    struct rlimit old, low;
    getrlimit(RLIMIT_FSIZE, &old);
    low = old;
    low.rlim_cur = 4096;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    size_t first;
    bl_fluid_store_append(&f.fluid, 500, &first);
    bl_writer_frame(writer, 2, 0.02, &f.fluid, &f.boundary);
    bl_status status = bl_writer_flush(writer);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);

    assert_int_equal(status, BL_ERR_IO);
    assert_mentions(bl_context_error(f.ctx), "frames/water_000002.vtu: cannot write: File too large");
    bl_writer_destroy(writer);
    bl_dir_visit(f.ctx, fixture_path(&f, "frames", path), no_part, NULL);
    assert_int_equal(readable_frames(&f), 2);
    fixture_clear(&f);
}

/* --- the queue by itself --- */

typedef struct ledger {
    int run[64], run_count, cleared, fail_at;
} ledger;

static bl_status note(void *user, bl_context *ctx, void *job) {
    ledger *l = user;
    int number = *(int *)job;
    usleep(number % 3 * 200);
    l->run[l->run_count++] = number;
    return number == l->fail_at ? bl_fail(ctx, BL_ERR_IO, "job %d", number) : BL_OK;
}

static void forget(void *user, void *job) {
    ((ledger *)user)->cleared++;
    free(job);
}

static void test_queue_keeps_order_and_first_failure(void **state) {
    (void)state;
    bl_context *ctx;
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    for (int async = 0; async < 2; async++) {
        ledger l = {.fail_at = 40};
        bl_queue *queue;
        assert_int_equal(bl_queue_create(ctx, async, note, forget, &l, &queue), BL_OK);
        for (int k = 0; k < 60; k++) {
            int *job = malloc(sizeof *job);
            *job = k;
            bl_queue_add(queue, job);
        }
        assert_int_equal(bl_queue_flush(queue), BL_ERR_IO);
        assert_string_equal(bl_context_error(ctx), "job 40");
        assert_int_equal(bl_queue_flush(queue), BL_ERR_IO);
        bl_queue_destroy(queue);
        assert_int_equal(l.run_count, 41); /* none after the failed one */
        for (int k = 0; k < 41; k++) assert_int_equal(l.run[k], k);
        assert_int_equal(l.cleared, 60);
    }
    bl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_keeps_order_and_first_failure),
        cmocka_unit_test(test_same_files_with_and_without_a_thread),
        cmocka_unit_test(test_resumed_run_leaves_the_same_files),
        cmocka_unit_test(test_fresh_run_removes_an_earlier_one),
        cmocka_unit_test(test_boundaries_can_be_left_out),
        cmocka_unit_test(test_directory_that_cannot_be_made),
        cmocka_unit_test(test_removed_directory),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_write_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
