/* series.csv: exact numbers, cutting off for a resume, torn and foreign files. */
#include "output/series.h"
#include "output_fixture.h"

#include <math.h>

static bl_observation row(uint64_t step) {
    bl_observation r = {0};
    r.step = (double)step;
    r.time = 0.1 * (double)step;
    r.energy_kinetic = 1.0 / 3.0 * 1e-17;
    r.core_pressure = NAN;
    r.wall_ms = 5e-324;
    return r;
}

static void write_rows(fixture *f, const char *path, bool resume, uint64_t last, uint64_t first, uint64_t end) {
    bl_series_writer *series;
    assert_int_equal(bl_series_create(f->ctx, path, resume, last, &series), BL_OK);
    for (uint64_t s = first; s < end; s++) {
        bl_observation r = row(s);
        assert_int_equal(bl_series_add(series, &r), BL_OK);
    }
    assert_int_equal(bl_series_flush(series, true), BL_OK);
    bl_series_destroy(series);
}

static void test_numbers_come_back_exactly(void **state) {
    (void)state;
    fixture f;
    char path[256];
    bl_series s;
    fixture_init(&f, 0, 0);
    write_rows(&f, fixture_path(&f, "s.csv", path), false, 0, 1, 4);
    assert_int_equal(bl_series_load(f.ctx, path, &s), BL_OK);
    assert_int_equal(s.row_count, 3);
    assert_int_equal(s.column_count, sizeof(bl_observation) / sizeof(double));
    assert_string_equal(s.names[0], "step");
    for (size_t k = 0; k < 3; k++) {
        assert_true(bl_series_column(&s, "time")[k] == 0.1 * (double)(k + 1));
        assert_true(bl_series_column(&s, "energy_kinetic")[k] == 1.0 / 3.0 * 1e-17);
        assert_true(bl_series_column(&s, "wall_ms")[k] == 5e-324);
        assert_true(isnan(bl_series_column(&s, "core_pressure")[k]));
    }
    assert_null(bl_series_column(&s, "nothing"));
    bl_series_clear(&s);
    fixture_clear(&f);
}

static void assert_steps(fixture *f, const char *path, uint64_t count) {
    bl_series s;
    assert_int_equal(bl_series_load(f->ctx, path, &s), BL_OK);
    assert_int_equal(s.row_count, count);
    for (uint64_t k = 0; k < count; k++) assert_true(bl_series_column(&s, "step")[k] == (double)(k + 1));
    bl_series_clear(&s);
}

static void test_resume_cuts_later_rows(void **state) {
    (void)state;
    fixture f;
    char path[256];
    fixture_init(&f, 0, 0);
    write_rows(&f, fixture_path(&f, "s.csv", path), false, 0, 1, 10);
    write_rows(&f, path, true, 4, 5, 7); /* rows 5 to 9 go, 5 and 6 are new */
    assert_steps(&f, path, 6);
    write_rows(&f, path, true, 0, 1, 1);
    assert_steps(&f, path, 0);
    write_rows(&f, path, false, 0, 1, 3);
    write_rows(&f, path, false, 0, 1, 2); /* a fresh start empties */
    assert_steps(&f, path, 1);
    fixture_clear(&f);
}

static void append(const char *path, const char *text) {
    FILE *file = fopen(path, "a");
    fputs(text, file);
    fclose(file);
}

static void test_torn_last_row_is_left_out(void **state) {
    (void)state;
    fixture f;
    char path[256];
    fixture_init(&f, 0, 0);
    write_rows(&f, fixture_path(&f, "s.csv", path), false, 0, 1, 4);
    append(path, "4,0.4,0.0");
    assert_steps(&f, path, 3);
    write_rows(&f, path, true, 4, 4, 5); /* and it goes when the run is taken up again */
    assert_steps(&f, path, 4);
    fixture_clear(&f);
}

static void check_text(fixture *f, const char *text, const char *reason) {
    char path[256];
    bl_series s;
    fixture_path(f, "s.csv", path);
    remove(path);
    append(path, text);
    assert_int_equal(bl_series_load(f->ctx, path, &s), BL_ERR_DATA);
    assert_mentions(bl_context_error(f->ctx), reason);
}

static void test_bad_files(void **state) {
    (void)state;
    fixture f;
    char path[256];
    bl_series s;
    bl_series_writer *writer;
    fixture_init(&f, 0, 0);
    assert_int_equal(bl_series_load(f.ctx, "no/such.csv", &s), BL_ERR_NO_INPUT);
    check_text(&f, "", "no header line");
    check_text(&f, "a,b\n1,2\n3\n", "s.csv:3: ");
    check_text(&f, "a,b\n1,2,3\n", "s.csv:2: ");
    check_text(&f, "a,b\n1,x\n", "column 2");
    fixture_path(&f, "s.csv", path);
    assert_int_equal(bl_series_create(f.ctx, path, true, 3, &writer), BL_ERR_DATA);
    assert_mentions(bl_context_error(f.ctx), "its columns");
    assert_int_equal(bl_series_create(f.ctx, "no/such/s.csv", false, 0, &writer), BL_ERR_CANT_CREATE);
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_come_back_exactly),
        cmocka_unit_test(test_resume_cuts_later_rows),
        cmocka_unit_test(test_torn_last_row_is_left_out),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
