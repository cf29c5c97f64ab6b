/* Growing strings, JSON, shortest doubles. */
#include "base/rng.h"
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int make_context(void **state) { return bl_context_create(NULL, (bl_context **)state) != BL_OK; }
static int drop_context(void **state) {
    bl_context_destroy(*state);
    return 0;
}

static void test_text_grows(void **state) {
    bl_text text = bl_text_make(*state);
    assert_string_equal(bl_text_str(&text), "");
    for (int i = 0; i < 1000; i++) bl_text_add(&text, "%03d,", i);
    bl_text_add_bytes(&text, "a\0b", 3);
    assert_int_equal(text.size, 4003);
    assert_memory_equal(bl_text_str(&text) + 3996, "999,a\0b", 8);
    assert_false(text.failed);
    bl_text_clear(&text);
    assert_string_equal(bl_text_str(&text), "");
}

static void write_sample(bl_json *json) {
    bl_json_begin_object(json, NULL);
    bl_json_string(json, "name", "drop");
    bl_json_begin_array(json, "center");
    bl_json_number(json, NULL, 0.1);
    bl_json_number(json, NULL, (double)NAN);
    bl_json_integer(json, NULL, -3);
    bl_json_end_array(json);
    bl_json_begin_object(json, "empty");
    bl_json_end_object(json);
    bl_json_bool(json, "done", true);
    bl_json_string(json, "device", NULL);
    bl_json_end_object(json);
}

static void test_json_layout(void **state) {
    bl_text text = bl_text_make(*state);
    bl_json json = bl_json_make(&text, 0);
    write_sample(&json);
    assert_string_equal(bl_text_str(&text), "{\"name\": \"drop\", \"center\": [0.1, null, -3], \"empty\": {}, "
                                            "\"done\": true, \"device\": null}");
    bl_text_clear(&text);
    json = bl_json_make(&text, 2);
    write_sample(&json);
    assert_string_equal(bl_text_str(&text),
                        "{\n  \"name\": \"drop\",\n  \"center\": [\n    0.1,\n    null,\n    -3\n  ],\n"
                        "  \"empty\": {},\n  \"done\": true,\n  \"device\": null\n}");
    bl_text_clear(&text);
}

static void check_string(bl_context *ctx, const char *value, const char *expected) {
    bl_text text = bl_text_make(ctx);
    bl_json json = bl_json_make(&text, 0);
    bl_json_string(&json, NULL, value);
    assert_string_equal(bl_text_str(&text), expected);
    bl_text_clear(&text);
}

static void test_json_escapes(void **state) {
    check_string(*state, "", "\"\"");
    check_string(*state, "a\"b\\c/", "\"a\\\"b\\\\c/\"");
    check_string(*state, "\n\r\t\b\x1f\x7f", "\"\\n\\r\\t\\u0008\\u001f\x7f\"");
    check_string(*state, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\xa7", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x92\xa7\"");
    /* Not UTF-8: a stray byte, a cut sequence, an overlong slash, a surrogate, beyond the last code point. */
    check_string(*state, "a\xff", "\"a\xef\xbf\xbd\"");
    check_string(*state, "\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    check_string(*state, "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    check_string(*state, "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    check_string(*state, "\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

static void check_double(double value, const char *expected) {
    char buffer[32];
    assert_string_equal(bl_format_double(buffer, value), expected);
}

static void test_shortest_doubles(void **state) {
    (void)state;
    check_double(0.0, "0");
    check_double(-0.0, "-0");
    check_double(0.1, "0.1");
    check_double(1.0 / 3.0, "0.3333333333333333");
    check_double(0.1 + 0.2, "0.30000000000000004");
    check_double(1e22, "1e+22");
    check_double(123456789.0, "123456789");
    check_double(5e-324, "5e-324");
    check_double(DBL_MAX, "1.7976931348623157e+308");
    check_double((double)INFINITY, "inf");
    /* Any bit pattern reads back. */
    for (uint64_t k = 0; k < 20000; k++) {
        const uint64_t bits = bl_rng_u64(7, 0, k);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char buffer[32];
        back = strtod(bl_format_double(buffer, value), NULL);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

static void test_foreign_locale(void **state) {
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8")) skip();
    check_double(0.5, "0.5");
    setlocale(LC_NUMERIC, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_grows),     cmocka_unit_test(test_json_layout),
        cmocka_unit_test(test_json_escapes),   cmocka_unit_test(test_shortest_doubles),
        cmocka_unit_test(test_foreign_locale),
    };
    return cmocka_run_group_tests(tests, make_context, drop_context);
}
