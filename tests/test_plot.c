/* Plots: ticks, formulas, SVG and PNG, errors. */
#include "base/file.h"
#include "beadlet/plot.h"
#include "plot/expression.h"
#include "plot/plot.h"
#include "render/ticks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

static bl_context *ctx;

static int start(void **state) {
    (void)state;
    return bl_context_create(NULL, &ctx) != BL_OK;
}
static int stop(void **state) {
    (void)state;
    bl_context_destroy(ctx);
    return 0;
}

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.12g is not %.12g within %g", a, b, tolerance);
}

static void test_linear_ticks(void **state) {
    (void)state;
    static const struct {
        double low, high;
        int count;
        const char *labels;
        int exponent;
    } table[] = {
        {0, 1, 5, "0.0 0.2 0.4 0.6 0.8 1.0", 0},
        {0, 0.3, 6, "0.00 0.05 0.10 0.15 0.20 0.25 0.30", 0},
        {-5, 5, 4, "-5 0 5", 0},
        {1.3, 9.7, 5, "2 4 6 8", 0},
        {0, 4.2e-7, 5, "0 100 200 300 400", -9},
        {0, 2.5e6, 5, "0.0 0.5 1.0 1.5 2.0 2.5", 6},
        {99999.5, 100000.5, 2, "99.9995 100.0000 100.0005", 3},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bl_ticks t = bl_ticks_linear(table[i].low, table[i].high, table[i].count);
        char all[400] = "", one[32];
        for (int k = 0; k < t.count; k++) {
            assert_true(t.at[k] >= table[i].low - 1e-5 * t.step && t.at[k] <= table[i].high + 1e-5 * t.step);
            strcat(strcat(all, k ? " " : ""), bl_tick_label(&t, k, false, one));
        }
        assert_string_equal(all, table[i].labels);
        assert_int_equal(t.exponent, table[i].exponent);
    }
    assert_near(bl_nice_step(10, 5), 2, 1e-12);
    assert_near(bl_nice_step(7.3, 5), 2, 1e-12);
    assert_near(bl_nice_step(0.0012, 4), 0.0005, 1e-15);
}

static void test_log_ticks(void **state) {
    (void)state;
    static const struct {
        double low, high;
        const char *labels;
    } table[] = {{1e-9, 1e-3, "10^-9 10^-8 10^-7 10^-6 10^-5 10^-4 10^-3"},
                 {1, 100, "1 2 5 10 20 50 100"},
                 {0.5, 2000, "1 10 100 1000"},
                 {1e-12, 1e12, "10^-12 10^-8 10^-4 1 10^4 10^8 10^12"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bl_ticks t = bl_ticks_log(table[i].low, table[i].high, 7);
        char all[600] = "", one[32];
        for (int k = 0; k < t.count; k++)
            if (t.major[k]) strcat(strcat(all, *all ? " " : ""), bl_tick_label(&t, k, true, one));
        assert_string_equal(all, table[i].labels);
    }
}

static void test_formulas(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double x, value;
    } table[] = {{"1+2*3", 0, 7},
                 {"(1+2)*3", 0, 9},
                 {"2^3^2", 0, 512},
                 {"-2^2", 0, -4},
                 {"2^-1", 0, 0.5},
                 {"8/4/2", 0, 1},
                 {"7-2-1", 0, 4},
                 {" 0.5 * cos( 2*pi*t ) ", 0.25, 0},
                 {"exp(-x/0.1)", 0.1, 0.36787944117144233},
                 {"sqrt(abs(-16)) + sin(pi/2)", 0, 5},
                 {"1.5e-3*t", 2, 3e-3},
                 {"log(exp(t))", 3, 3}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double value;
        assert_int_equal(bl_expression_at(ctx, table[i].text, table[i].x, &value), BL_OK);
        assert_near(value, table[i].value, 1e-12);
    }
    static const struct {
        const char *text, *message;
    } wrong[] = {{"1+", "column 3: expected a value, found the end"},
                 {"", "column 1"},
                 {"2*(3", "expected ')'"},
                 {"sqrt 2", "column 6: expected '('"},
                 {"speed*2", "column 1: expected t, x, pi"},
                 {"1 2", "column 3: expected an operator or the end, found '2'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value;
        assert_int_equal(bl_expression_at(ctx, wrong[i].text, 0, &value), BL_ERR_USAGE);
        if (!strstr(bl_context_error(ctx), wrong[i].message)) fail_msg("%s", bl_context_error(ctx));
    }
    char deep[1001];
    memset(deep, '(', 1000);
    deep[1000] = 0;
    double value;
    assert_int_equal(bl_expression_at(ctx, deep, 0, &value), BL_ERR_USAGE);
}

static void fill_plot(bl_plot *plot) {
    enum { N = 20000 };
    static double x[N], y[N], z[N];
    for (int i = 0; i < N; i++) {
        x[i] = i * 1e-5;
        y[i] = 2e-7 * exp(-x[i] / 0.05) * (1.2 + cos(300 * x[i]));
        z[i] = i % 5000 == 17 ? (double)NAN : 1e-7 + x[i] * 1e-7;
    }
    bl_plot_init(ctx, plot);
    plot->title = "A <drop> & its energy";
    plot->x_label = "time", plot->x_unit = "s", plot->y_label = "energy", plot->y_unit = "kg m^2/s^2";
    assert_int_equal(bl_plot_add(plot, "kinetic", x, y, N, BL_PLOT_LINE), BL_OK);
    assert_int_equal(bl_plot_add(plot, "rising \"line\"", x, z, N, BL_PLOT_LINE), BL_OK);
    double mx[3] = {0.05, 0.1, 0.15}, my[3] = {1.5e-7, 2e-7, 2.5e-7};
    assert_int_equal(bl_plot_add(plot, "measured", mx, my, 3, BL_PLOT_MARKS), BL_OK);
    assert_int_equal(bl_plot_add_law(plot, "4.4e-7*exp(-t/0.05)"), BL_OK);
}

static void test_svg(void **state) {
    (void)state;
    bl_plot plot;
    fill_plot(&plot);
    assert_int_equal(bl_plot_save(&plot, "test_plot.svg"), BL_OK);
    bl_text svg = bl_text_make(ctx);
    assert_int_equal(bl_plot_write_svg(&plot, &svg), BL_OK);
    assert_true(svg.size < 200000); /* 20000 points were thinned */
    assert_non_null(strstr(svg.data, "A &lt;drop&gt; &amp; its energy"));
    assert_non_null(strstr(svg.data, "<tspan dy=\"-0.38em\" font-size=\"70%\">2</tspan>"));
    assert_null(strstr(svg.data, "nan"));
    assert_null(strstr(svg.data, "inf"));
    if (!system("command -v xmllint >/dev/null")) assert_int_equal(system("xmllint --noout test_plot.svg"), 0);
    remove("test_plot.svg");
    bl_text_clear(&svg);
    bl_plot_clear(&plot);
}

/* Ink of about the palette's first colour must follow the curve: a constant line crosses the whole plot area. */
static void test_png(void **state) {
    (void)state;
    bl_plot plot;
    bl_plot_init(ctx, &plot);
    double x[2] = {1, 1000}, y[2] = {5, 5};
    plot.log_x = true;
    assert_int_equal(bl_plot_add(&plot, "flat", x, y, 2, BL_PLOT_LINE), BL_OK);
    assert_int_equal(bl_plot_save(&plot, "test_plot.png"), BL_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_int_not_equal(png_image_begin_read_from_file(&image, "test_plot.png"), 0);
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_int_not_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
    assert_int_equal(image.width, 1280);
    assert_int_equal(image.height, 800);
    int blue = 0;
    for (size_t i = 0; i < 1280 * 800; i++)
        blue += pixels[3 * i] == 0 && pixels[3 * i + 1] == 114 && pixels[3 * i + 2] == 178;
    assert_true(blue > 1000 * 2 && blue < 1280 * 5);
    free(pixels);
    remove("test_plot.png");
    assert_int_equal(bl_plot_save(&plot, "test_plot.gif"), BL_ERR_USAGE);
    bl_plot_clear(&plot);
}

static void test_nothing_to_plot(void **state) {
    (void)state;
    bl_plot plot;
    bl_plot_init(ctx, &plot);
    bl_text svg = bl_text_make(ctx);
    assert_int_equal(bl_plot_write_svg(&plot, &svg), BL_ERR_DATA);
    double x[2] = {1, 2}, y[2] = {-1, (double)NAN};
    assert_int_equal(bl_plot_add(&plot, "a", x, y, 2, BL_PLOT_LINE), BL_OK);
    plot.log_y = true;
    assert_int_equal(bl_plot_write_svg(&plot, &svg), BL_ERR_DATA);
    assert_non_null(strstr(bl_context_error(ctx), "positive"));
    plot.log_y = false;
    assert_int_equal(bl_plot_write_svg(&plot, &svg), BL_OK); /* a single point */
    bl_text_clear(&svg);
    bl_plot_clear(&plot);
}

static void write_text(const char *path, const char *text) {
    bl_outfile file;
    assert_int_equal(bl_outfile_open(ctx, path, &file), BL_OK);
    fputs(text, file.stream);
    assert_int_equal(bl_outfile_commit(ctx, &file), BL_OK);
}

static void test_runs(void **state) {
    (void)state;
    assert_int_equal(bl_dir_create(ctx, "test_plot_run"), BL_OK);
    write_text("test_plot_run/series.csv", "step,time,energy_kinetic\n1,0.1,5\n2,0.2,7\n3,0.3,6\n");
    write_text("test_plot_other.csv", "time,energy_kinetic\n0.1,4\n0.3,5\n");
    const char *sources[] = {"test_plot_run", "test_plot_other.csv"}, *laws[] = {"5+t"};
    bl_plot_def def = bl_default_plot_def();
    def.sources = sources, def.source_count = 2, def.laws = laws, def.law_count = 1, def.out = "test_plot_runs.svg";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_OK);
    char *svg;
    size_t size;
    assert_int_equal(bl_file_read(ctx, "test_plot_runs.svg", &svg, &size), BL_OK);
    assert_non_null(strstr(svg, "energy_kinetic (J)"));
    assert_non_null(strstr(svg, "time (s)"));
    assert_non_null(strstr(svg, ">test_plot_other.csv<"));
    bl_release(ctx, svg);
    def.y = "energy_kinetik";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_ERR_USAGE);
    assert_non_null(strstr(bl_context_error(ctx), "the columns are: step, time, energy_kinetic"));
    def.y = "energy_kinetic,";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_ERR_USAGE);
    def.y = "energy_kinetic", sources[1] = "no_such_run";
    assert_int_equal(bl_plot_runs(ctx, &def), BL_ERR_NO_INPUT);
    remove("test_plot_runs.svg");
    remove("test_plot_other.csv");
    remove("test_plot_run/series.csv");
    remove("test_plot_run");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_ticks), cmocka_unit_test(test_log_ticks), cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_svg),          cmocka_unit_test(test_png),       cmocka_unit_test(test_nothing_to_plot),
        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
