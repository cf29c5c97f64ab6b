/* Units: size in SI of each, dimension checks, and what is not a unit. */
#include "scene/units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

/* "72.8 mN/m" in SI; NaN if it is not a quantity. */
static double read(const char *text, bl_unit *unit) {
    size_t size = strlen(text), length = bl_number_length(text, size), bad_at, bad_size;
    *unit = bl_unit_none();
    if (length == 0) return (double)NAN;
    const char *rest = text + length;
    if (*rest && !bl_unit_parse(rest, strlen(rest), unit, &bad_at, &bad_size)) return (double)NAN;
    return bl_number_value(text, length, unit);
}

static void test_values(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bl_dim dim;
        double value; /* exact unless a factor of pi is in it */
    } rows[] = {
        {"1 m", BL_DIM_LENGTH, 1},
        {"2 km", BL_DIM_LENGTH, 2000},
        {"3 cm", BL_DIM_LENGTH, 0.03},
        {"0.5 mm", BL_DIM_LENGTH, 0.0005},
        {"2.2mm", BL_DIM_LENGTH, 0.0022},
        {"7 um", BL_DIM_LENGTH, 7e-6},
        {"7 \u00b5m", BL_DIM_LENGTH, 7e-6},
        {"7 \u03bcm", BL_DIM_LENGTH, 7e-6},
        {"5 nm", BL_DIM_LENGTH, 5e-9},
        {"1e-3 m", BL_DIM_LENGTH, 1e-3},
        {"+.5e1 m", BL_DIM_LENGTH, 5},
        {"1. m", BL_DIM_LENGTH, 1},
        {"3 s", BL_DIM_TIME, 3},
        {"0.1 ms", BL_DIM_TIME, 1e-4},
        {"4 us", BL_DIM_TIME, 4e-6},
        {"2 min", BL_DIM_TIME, 120},
        {"1 h", BL_DIM_TIME, 3600},
        {"200 Hz", BL_DIM_RATE, 200},
        {"200 1/s", BL_DIM_RATE, 200},
        {"3 s^-1", BL_DIM_RATE, 3},
        {"998 kg/m^3", BL_DIM_DENSITY, 998},
        {"998 kg/m3", BL_DIM_DENSITY, 998},
        {"998 kg/m\u00b3", BL_DIM_DENSITY, 998},
        {"13.546 g/cm^3", BL_DIM_DENSITY, 13546},
        {"1 kg/L", BL_DIM_DENSITY, 1000},
        {"1 g/mL", BL_DIM_DENSITY, 1000},
        {"1 mg/uL", BL_DIM_DENSITY, 1000},
        {"1.0 mPa s", BL_DIM_VISCOSITY, 0.001},
        {"1.41 Pa s", BL_DIM_VISCOSITY, 1.41},
        {"1.41 Pa*s", BL_DIM_VISCOSITY, 1.41},
        {"1.41 Pa\u00b7s", BL_DIM_VISCOSITY, 1.41},
        {"2 N s/m^2", BL_DIM_VISCOSITY, 2},
        {"2 kg/(m s)", BL_DIM_VISCOSITY, 2},
        {"1 cP", BL_DIM_VISCOSITY, 0.001},
        {"72.8 mN/m", BL_DIM_TENSION, 0.0728},
        {"0.0728 N/m", BL_DIM_TENSION, 0.0728},
        {"72.8 dyn/cm", BL_DIM_TENSION, 0.0728},
        {"5 J/m^2", BL_DIM_TENSION, 5},
        {"5 kPa mm", BL_DIM_TENSION, 5},
        {"50 mm/s", BL_DIM_VELOCITY, 0.05},
        {"3.6 km/h", BL_DIM_VELOCITY, 1},
        {"-9.81 m/s^2", BL_DIM_ACCELERATION, -9.81},
        {"180 deg", BL_DIM_ANGLE, PI},
        {"180\u00b0", BL_DIM_ANGLE, PI},
        {"2 rad", BL_DIM_ANGLE, 2},
        {"60 rpm", BL_DIM_ANGULAR_VELOCITY, 2 * PI},
        {"90 deg/s", BL_DIM_ANGULAR_VELOCITY, PI / 2},
        {"0.1 %", BL_DIM_NONE, 0.001},
        {"42", BL_DIM_NONE, 42},
        {"1 m/m", BL_DIM_NONE, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bl_unit unit;
        double value = read(rows[i].text, &unit), expected = rows[i].value;
        if (!(fabs(value - expected) <= 1e-15 * fabs(expected)) || !bl_unit_fits(&unit, rows[i].dim))
            fail_msg("%s is %.17g, expected %.17g", rows[i].text, value, expected);
    }
}

/* Decimal prefixes do not cost a bit: the value is the double nearest to the decimal number. */
static void test_exact(void **state) {
    (void)state;
    bl_unit unit;
    for (int i = 1; i < 1000; i++) {
        char with_unit[32], plain[32];
        snprintf(with_unit, sizeof with_unit, "%d.%d mN/m", i, i % 10);
        snprintf(plain, sizeof plain, "%d.%de-3", i, i % 10);
        assert_true(read(with_unit, &unit) == strtod(plain, NULL));
    }
}

static void test_wrong(void **state) {
    (void)state;
    static const char *const rows[] = {"mm",
                                       "",
                                       "1 x",
                                       "1 mPas",
                                       "1 m^",
                                       "1 m^0",
                                       "1 m^99",
                                       "1 m//s",
                                       "1 m/",
                                       "1 (m",
                                       "1 m)",
                                       "1 /",
                                       "nan",
                                       "inf",
                                       ".nan",
                                       "-",
                                       ".",
                                       "1 kmin",
                                       "1 ((((((((((m))))))))))",
                                       "1 m^9 m^9",
                                       "1 m m/s}",
                                       "0x10 m",
                                       "1 mmm"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bl_unit unit;
        if (!isnan(read(rows[i], &unit))) fail_msg("'%s' was taken for a quantity", rows[i]);
    }
    char digits[200];
    memset(digits, '9', sizeof digits);
    assert_int_equal(bl_number_length(digits, sizeof digits), 0);
}

/* Every dimension differs from every other. */
static void test_dimensions(void **state) {
    (void)state;
    for (int a = 0; a < BL_DIM_COUNT; a++) {
        bl_unit unit;
        size_t bad_at, bad_size;
        const bl_dim_info *info = bl_dim_describe((bl_dim)a);
        const char *texts[] = {info->example, info->si};
        for (int t = 0; t < 2 && a != BL_DIM_NONE; t++) {
            assert_true(bl_unit_parse(texts[t], strlen(texts[t]), &unit, &bad_at, &bad_size));
            for (int b = 0; b < BL_DIM_COUNT; b++) assert_int_equal(bl_unit_fits(&unit, (bl_dim)b), a == b);
            if (t == 1) assert_true(unit.factor == 1 && unit.exponent == 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_dimensions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
