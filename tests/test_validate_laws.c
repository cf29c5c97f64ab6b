/* Reference solutions against values known from elsewhere, and fits against data made with known numbers. */
#include "fixture.h"
#include "validate/fit.h"
#include "validate/laws.h"

static void near(double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("found %.10g, expected %.10g +- %g", found, expected, tolerance);
}

static void drop_laws(void **state) {
    (void)state;
    near(bl_law_laplace(3, 0.0728, 1e-3), 145.6, 1e-9);
    near(bl_law_laplace(2, 0.0728, 1e-3), 72.8, 1e-9);
    near(bl_law_surface(3, 2), 16 * M_PI, 1e-12);
    near(bl_law_surface(2, 2), 4 * M_PI, 1e-12);
    /* n = 2: w^2 = 8 and 6, n = 3: 30 and 24 gamma/(rho R^3) */
    near(bl_law_drop_frequency(3, 2, 1, 1, 1), sqrt(8.0), 1e-12);
    near(bl_law_drop_frequency(2, 2, 1, 1, 1), sqrt(6.0), 1e-12);
    near(bl_law_drop_frequency(3, 3, 1, 1, 1), sqrt(30.0), 1e-12);
    near(bl_law_drop_frequency(2, 3, 1, 1, 1), sqrt(24.0), 1e-12);
    near(bl_law_drop_frequency(2, 2, 8, 2, 0.5), sqrt(6.0 * 8 / 2 / 0.125), 1e-12);
    near(bl_law_drop_decay(3, 2, 1, 2), 5 / 4.0, 1e-12);
    near(bl_law_drop_decay(2, 2, 1, 2), 4 / 4.0, 1e-12);
    near(bl_law_drop_decay(2, 3, 1, 1), 12, 1e-12);
}

static void line_is_found(void **state) {
    (void)state;
    double x[] = {1, 2, 4, 7}, y[4];
    for (int k = 0; k < 4; k++) y[k] = 3 - 0.25 * x[k];
    bl_line_fit fit = bl_fit_line(x, y, 4);
    near(fit.slope, -0.25, 1e-14);
    near(fit.offset, 3, 1e-14);
    near(fit.deviation, 0, 1e-14);
    y[0] += 1;
    assert_true(bl_fit_line(x, y, 4).deviation > 0.1);
    assert_true(isnan(bl_fit_line(x, y, 1).slope));
}

static void wave_is_found(void **state) {
    (void)state;
    enum { N = 120 };
    double t[N], y[N];
    const double decays[] = {0, 0.3, 2}, frequencies[] = {4, 9.7, 14};
    for (int i = 0; i < 9; i++) {
        double b = decays[i % 3], w = frequencies[i / 3];
        for (int k = 0; k < N; k++) {
            t[k] = 0.1 + 0.02 * k;
            y[k] = 0.05 * exp(-b * t[k]) * cos(w * t[k] + 0.7) + 0.013 + 1e-4 * sin(977.0 * k);
        }
        bl_wave_fit fit = bl_fit_wave(t, y, N, 10);
        near(fit.frequency, w, 0.01 * w);
        near(fit.decay, b, 0.03);
        near(fit.offset, 0.013, 1e-3);
        near(bl_wave_at(&fit, t[7]), y[7], 5e-4);
        assert_true(fit.deviation < 0.05);
    }
    assert_true(isnan(bl_fit_wave(t, y, 5, 10).frequency));
}

static void growth_is_found(void **state) {
    (void)state;
    enum { N = 80 };
    double t[N], y[N];
    for (int k = 0; k < N; k++) {
        t[k] = 0.1 * k;
        y[k] = fmin(0.3, 0.01 * exp(0.8 * t[k])); /* saturates */
    }
    near(bl_fit_growth(t, y, N, 0.02, 0.2), 0.8, 1e-10);
    y[0] = 0.05; /* a start that falls first does not count */
    near(bl_fit_growth(t, y, N, 0.02, 0.2), 0.8, 1e-10);
    assert_true(isnan(bl_fit_growth(t, y, N, 2, 3)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drop_laws),
        cmocka_unit_test(line_is_found),
        cmocka_unit_test(wave_is_found),
        cmocka_unit_test(growth_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
