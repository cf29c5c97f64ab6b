/* Measurements as columns and as plots: JSON lines, JSON, and straight from the frames of a run. */
#include "base/file.h"
#include "beadlet/beadlet.h"
#include "plot/measured.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bl_context *ctx;

/* A ball that falls freely: every measured number is known. */
static const char *const falling = "name: falling\n"
                                   "spacing: 0.5 mm\n"
                                   "gravity: [0, 0, -10]\n"
                                   "time: {end: 4 ms, max_step: 1 ms, frames_per_second: 1000}\n"
                                   "scheme: {name: ballistic}\n"
                                   "fluids:\n"
                                   "  water:\n"
                                   "    density: 1000 kg/m^3\n"
                                   "    volumes: [{sphere: {center: [1 mm, 2 mm, 3 mm], radius: 2 mm}}]\n";
static const char *const DIR = "test_plot_measured_run";

static int start(void **state) {
    (void)state;
    bl_scene *scene;
    bl_run_options options = bl_default_run_options();
    options.directory = DIR;
    options.start = BL_RUN_OVERWRITE;
    bl_run_result result;
    if (bl_context_create(NULL, &ctx) != BL_OK) return 1;
    bl_status status = bl_scene_load_text(ctx, falling, strlen(falling), "scene.yaml", NULL, 0, &scene);
    if (!status) status = bl_run(ctx, scene, &options, &result);
    bl_scene_destroy(scene);
    return status != BL_OK;
}

static int stop(void **state) {
    (void)state;
    bl_context_destroy(ctx);
    return system("rm -rf test_plot_measured_run test_plot_measured.*");
}

static void write_text(const char *path, const char *text) {
    bl_outfile file;
    assert_int_equal(bl_outfile_open(ctx, path, &file), BL_OK);
    fputs(text, file.stream);
    assert_int_equal(bl_outfile_commit(ctx, &file), BL_OK);
}

static void assert_column(const bl_series *s, const char *name, size_t count, const double *expected) {
    const double *column = bl_series_column(s, name);
    assert_int_equal(s->row_count, count);
    if (!column) fail_msg("no column %s", name);
    for (size_t i = 0; i < count; i++) {
        if (isnan(expected[i]) && isnan(column[i])) continue;
        if (!(fabs(column[i] - expected[i]) <= 1e-12 * fabs(expected[i])))
            fail_msg("%s[%zu] = %.17g, expected %.17g", name, i, column[i], expected[i]);
    }
}

static void test_json_lines(void **state) {
    (void)state;
    bl_series s;
    /* a null, an array, an inner object, a column that comes late, a blank line, a line still being written */
    write_text("test_plot_measured.jsonl", "{\"time\": 0, \"angle\": null, \"center\": [1, 2.5, -3e-3, 7]}\n\n"
                                           "{\"time\": 0.5, \"angle\": 61.25, \"contact\": {\"load\": 2}}\n"
                                           "{\"time\": 1, \"ang");
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured.jsonl", &s), BL_OK);
    const double none = (double)NAN;
    assert_column(&s, "time", 2, (double[]){0, 0.5});
    assert_column(&s, "angle", 2, (double[]){none, 61.25});
    assert_column(&s, "center.x", 2, (double[]){1, none});
    assert_column(&s, "center.z", 2, (double[]){-3e-3, none});
    assert_column(&s, "center.3", 2, (double[]){7, none});
    assert_column(&s, "contact.load", 2, (double[]){none, 2});
    bl_series_clear(&s);
}

static void test_json_in_one_piece(void **state) {
    (void)state;
    bl_series s;
    write_text("test_plot_measured.json", "[{\"time\": 1, \"a\": 2},\n {\"time\": 3, \"a\": 4}]\n");
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured.json", &s), BL_OK);
    assert_column(&s, "a", 2, (double[]){2, 4});
    bl_series_clear(&s);
    write_text("test_plot_measured.json", "{\n  \"time\": 1,\n  \"a\": 2\n}\n");
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured.json", &s), BL_OK);
    assert_column(&s, "a", 1, (double[]){2});
    bl_series_clear(&s);
}

static void test_many_rows(void **state) {
    (void)state;
    enum { ROWS = 200 };
    bl_series s;
    double expected[ROWS];
    FILE *file = fopen("test_plot_measured.jsonl", "w");
    assert_non_null(file);
    for (int i = 0; i < ROWS; i++) {
        fprintf(file, i % 3 ? "{\"time\": %d, \"b\": %d}\n" : "{\"time\": %d}\n", i, 2 * i);
        expected[i] = i % 3 ? 2 * i : (double)NAN;
    }
    fclose(file);
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured.jsonl", &s), BL_OK);
    assert_column(&s, "b", ROWS, expected);
    bl_series_clear(&s);
}

static void test_faults(void **state) {
    (void)state;
    bl_series s;
    write_text("test_plot_measured.jsonl", "{\"time\": 1}\nnonsense\n{\"time\": 2}\n");
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured.jsonl", &s), BL_ERR_DATA);
    assert_non_null(strstr(bl_context_error(ctx), "test_plot_measured.jsonl:2: expected JSON objects"));
    write_text("test_plot_measured.jsonl", "[1, 2]\n");
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured.jsonl", &s), BL_ERR_DATA);
    write_text("test_plot_measured.jsonl", "\n");
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured.jsonl", &s), BL_ERR_DATA);
    assert_int_equal(bl_measured_read(ctx, "test_plot_measured_nowhere.json", &s), BL_ERR_NO_INPUT);
}

static void test_run(void **state) {
    (void)state;
    bl_series s;
    assert_int_equal(bl_measured_run(ctx, DIR, "motion", "water", &s), BL_OK);
    assert_column(&s, "frame", 5, (double[]){0, 1, 2, 3, 4});
    const double *time = bl_series_column(&s, "time"), *speed = bl_series_column(&s, "motion.speed_center");
    assert_non_null(speed);
    for (size_t i = 0; i < s.row_count; i++) assert_true(fabs(speed[i] - 10 * time[i]) < 1e-6);
    bl_series_clear(&s);
    assert_int_equal(bl_measured_run(ctx, DIR, "all", NULL, &s), BL_OK);
    assert_non_null(bl_series_column(&s, "shape.center.z"));
    assert_non_null(bl_series_column(&s, "pressure.radius"));
    bl_series_clear(&s);
    assert_int_equal(bl_measured_run(ctx, DIR, "motion", "oil", &s), BL_ERR_USAGE);
}

static void assert_svg_has(const char *const *words) {
    char *svg;
    size_t size;
    assert_int_equal(bl_file_read(ctx, "test_plot_measured.svg", &svg, &size), BL_OK);
    for (; *words; words++)
        if (!strstr(svg, *words)) fail_msg("the plot does not show %s", *words);
    bl_release(ctx, svg);
}

static void test_plot(void **state) {
    (void)state;
    write_text("test_plot_measured.jsonl", "{\"time\": 0, \"motion\": {\"speed_center\": 0}}\n"
                                           "{\"time\": 4e-3, \"motion\": {\"speed_center\": 0.05}}\n");
    const char *sources[] = {DIR, "test_plot_measured.jsonl"}, *laws[] = {"10*t"};
    bl_plot_def def = bl_default_plot_def();
    def.sources = sources, def.source_count = 2, def.laws = laws, def.law_count = 1;
    def.y = "motion.speed_center", def.out = "test_plot_measured.svg";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_OK);
    assert_svg_has((const char *[]){">motion.speed_center (", ">test_plot_measured_run<", ">test_plot_measured.jsonl<",
                                    ">10*t<", NULL});
    /* measurements of different kinds against each other, and beside a column of the series */
    def.source_count = 1, def.law_count = 0, def.x = "motion.kinetic_energy", def.y = "shape.center.z";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_OK);
    assert_svg_has((const char *[]){">motion.kinetic_energy (", ">shape.center.z (", NULL});
    def.x = "time", def.y = "center_z,shape.center.z";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_OK);
    assert_svg_has((const char *[]){">center_z<", ">shape.center.z<", NULL});
    def.y = "motion.speed";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_ERR_USAGE);
    assert_non_null(strstr(bl_context_error(ctx), "motion.speed_center, motion.speed_max"));
}

static void test_every_key_has_a_unit(void **state) {
    (void)state;
    bl_series s;
    assert_int_equal(bl_measured_run(ctx, DIR, "all", NULL, &s), BL_OK);
    for (int c = 0; c < s.column_count; c++)
        if (!*bl_measure_unit(s.names[c])) fail_msg("%s has no unit", s.names[c]);
    bl_series_clear(&s);
    assert_string_equal(bl_measure_unit("angle"), "deg");
    assert_string_equal(bl_measure_unit("contact.angle"), "deg");
    assert_string_equal(bl_measure_unit("something"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_lines),
        cmocka_unit_test(test_json_in_one_piece),
        cmocka_unit_test(test_many_rows),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_plot),
        cmocka_unit_test(test_every_key_has_a_unit),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
