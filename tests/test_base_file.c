/* Files: whole reads, folders, files that appear only when complete, a full disk. */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct fixture {
    bl_context *ctx;
    char folder[64];
    char path[128];
} fixture;

static int set_up(void **state) {
    static fixture f;
    strcpy(f.folder, "base_file_XXXXXX");
    *state = &f;
    return !mkdtemp(f.folder) || bl_context_create(NULL, &f.ctx) != BL_OK;
}

static int tear_down(void **state) {
    fixture *f = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", f->folder);
    bl_context_destroy(f->ctx);
    return system(command);
}

static const char *in_folder(fixture *f, const char *name) {
    snprintf(f->path, sizeof f->path, "%s/%s", f->folder, name);
    return f->path;
}

static void test_round_trip(void **state) {
    fixture *f = *state;
    const char *path = in_folder(f, "a.bin");
    bl_outfile file;
    assert_int_equal(bl_outfile_open(f->ctx, path, &file), BL_OK);
    for (int i = 0; i < 100000; i++) fputc(i & 0xff, file.stream);
    /* Until it is complete, there is no file of this name. */
    assert_false(bl_file_exists(path));
    assert_int_equal(bl_outfile_commit(f->ctx, &file), BL_OK);
    assert_null(file.stream);

    char *data;
    size_t size;
    assert_int_equal(bl_file_read(f->ctx, path, &data, &size), BL_OK);
    assert_int_equal(size, 100000);
    for (int i = 0; i < 100000; i++) assert_int_equal((unsigned char)data[i], i & 0xff);
    assert_int_equal(data[size], 0);
    bl_release(f->ctx, data);
}

static void test_abandon_keeps_the_old_file(void **state) {
    fixture *f = *state;
    const char *path = in_folder(f, "kept");
    bl_outfile file;
    assert_int_equal(bl_outfile_open(f->ctx, path, &file), BL_OK);
    fputs("old", file.stream);
    assert_int_equal(bl_outfile_commit(f->ctx, &file), BL_OK);
    assert_int_equal(bl_outfile_open(f->ctx, path, &file), BL_OK);
    fputs("new", file.stream);
    bl_outfile_abandon(f->ctx, &file);

    char *data;
    assert_int_equal(bl_file_read(f->ctx, path, &data, NULL), BL_OK);
    assert_string_equal(data, "old");
    bl_release(f->ctx, data);
    assert_false(bl_file_exists(in_folder(f, "kept.part")));
}

/* The part is a link to the device that is always full. `size` bytes are written in one go. */
static void check_full_disk(fixture *f, size_t size) {
    if (!bl_file_exists("/dev/full")) skip();
    assert_int_equal(symlink("/dev/full", in_folder(f, "full.part")), 0);
    const char *path = in_folder(f, "full");
    bl_outfile file;
    assert_int_equal(bl_outfile_open(f->ctx, path, &file), BL_OK);
    for (size_t i = 0; i < size; i++) fputc('x', file.stream);
    assert_int_equal(bl_outfile_commit(f->ctx, &file), BL_ERR_IO);
    assert_non_null(strstr(bl_context_error(f->ctx), path));
    assert_non_null(strstr(bl_context_error(f->ctx), "No space left"));
    assert_false(bl_file_exists(path));
    assert_int_not_equal(access(in_folder(f, "full.part"), F_OK), 0);
}

static void test_full_disk_at_the_end(void **state) { check_full_disk(*state, 10); }
static void test_full_disk_on_the_way(void **state) { check_full_disk(*state, 100000); }

static void test_folder_removed_before_the_end(void **state) {
    fixture *f = *state;
    assert_int_equal(bl_dir_create(f->ctx, in_folder(f, "gone")), BL_OK);
    bl_outfile file;
    assert_int_equal(bl_outfile_open(f->ctx, in_folder(f, "gone/x"), &file), BL_OK);
    unlink(in_folder(f, "gone/x.part"));
    rmdir(in_folder(f, "gone"));
    assert_int_equal(bl_outfile_commit(f->ctx, &file), BL_ERR_IO);
    assert_int_equal(bl_outfile_open(f->ctx, in_folder(f, "gone/x"), &file), BL_ERR_CANT_CREATE);
    bl_outfile_abandon(f->ctx, &file); /* after a failed open: nothing to do */
}

static void test_bad_reads(void **state) {
    fixture *f = *state;
    char *data;
    assert_int_equal(bl_file_read(f->ctx, in_folder(f, "absent"), &data, NULL), BL_ERR_NO_INPUT);
    assert_null(data);
    assert_non_null(strstr(bl_context_error(f->ctx), "absent: cannot open: No such file"));
    assert_int_equal(bl_file_read(f->ctx, f->folder, &data, NULL), BL_ERR_IO);
}

static void test_folders(void **state) {
    fixture *f = *state;
    assert_int_equal(bl_dir_create(f->ctx, in_folder(f, "a/b//c/")), BL_OK);
    assert_true(bl_file_exists(in_folder(f, "a/b/c")));
    assert_int_equal(bl_dir_create(f->ctx, in_folder(f, "a/b/c")), BL_OK);
    assert_int_equal(bl_dir_create(f->ctx, "/"), BL_OK);
    assert_int_equal(bl_dir_create(f->ctx, ""), BL_ERR_CANT_CREATE);
    bl_outfile file;
    assert_int_equal(bl_outfile_open(f->ctx, in_folder(f, "plain"), &file), BL_OK);
    assert_int_equal(bl_outfile_commit(f->ctx, &file), BL_OK);
    assert_int_equal(bl_dir_create(f->ctx, in_folder(f, "plain")), BL_ERR_CANT_CREATE);
    assert_non_null(strstr(bl_context_error(f->ctx), "in the way"));
    assert_int_equal(bl_dir_create(f->ctx, in_folder(f, "plain/sub")), BL_ERR_CANT_CREATE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_abandon_keeps_the_old_file),
        cmocka_unit_test(test_full_disk_at_the_end),
        cmocka_unit_test(test_full_disk_on_the_way),
        cmocka_unit_test(test_folder_removed_before_the_end),
        cmocka_unit_test(test_bad_reads),
        cmocka_unit_test(test_folders),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
