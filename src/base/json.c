/* The JSON writer of base/text.h. */
#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bl_json bl_json_make(bl_text *text, int indent) { return (bl_json){.text = text, .indent = indent}; }

static void add(bl_json *json, const char *literal) { bl_text_add_bytes(json->text, literal, strlen(literal)); }

static void new_line(bl_json *json) {
    if (json->indent > 0) bl_text_add(json->text, "\n%*s", json->indent * json->depth, "");
}

/* Length of the valid UTF-8 sequence that starts at `s`, 0 if there is none. */
static size_t utf8_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    /* Overlong forms, surrogates, and what lies beyond U+10FFFF. */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)) return 0;
    return length;
}

static void add_control(bl_json *json, unsigned char c) {
    switch (c) {
    case '\n': add(json, "\\n"); break;
    case '\r': add(json, "\\r"); break;
    case '\t': add(json, "\\t"); break;
    default: bl_text_add(json->text, "\\u%04x", c);
    }
}

/* Bytes that are not UTF-8 (a file name may hold any) become the replacement character. */
static void add_quoted(bl_json *json, const char *value) {
    const unsigned char *s = (const unsigned char *)value;
    add(json, "\"");
    while (*s) {
        const size_t length = utf8_length(s);
        if (length == 0) {
            add(json, "\xef\xbf\xbd");
        } else if (*s < 0x20) {
            add_control(json, *s);
        } else {
            if (*s == '"' || *s == '\\') add(json, "\\");
            bl_text_add_bytes(json->text, (const char *)s, length);
        }
        s += length ? length : 1;
    }
    add(json, "\"");
}

/* What stands before a value: comma, line break, key. */
static void begin_item(bl_json *json, const char *key) {
    const uint64_t bit = 1ull << json->depth;
    if (json->has_items & bit) add(json, json->indent > 0 ? "," : ", ");
    json->has_items |= bit;
    if (json->depth > 0) new_line(json);
    if (!key) return;
    add_quoted(json, key);
    add(json, ": ");
}

static void begin_group(bl_json *json, const char *key, const char *bracket) {
    begin_item(json, key);
    add(json, bracket);
    json->depth++;
    assert(json->depth < 64);
    json->has_items &= ~(1ull << json->depth);
}

static void end_group(bl_json *json, const char *bracket) {
    assert(json->depth > 0);
    const bool had_items = json->has_items >> json->depth & 1;
    json->depth--;
    if (had_items) new_line(json);
    add(json, bracket);
}

void bl_json_begin_object(bl_json *json, const char *key) { begin_group(json, key, "{"); }
void bl_json_end_object(bl_json *json) { end_group(json, "}"); }
void bl_json_begin_array(bl_json *json, const char *key) { begin_group(json, key, "["); }
void bl_json_end_array(bl_json *json) { end_group(json, "]"); }

void bl_json_string(bl_json *json, const char *key, const char *value) {
    begin_item(json, key);
    if (value)
        add_quoted(json, value);
    else
        add(json, "null");
}

void bl_json_number(bl_json *json, const char *key, double value) {
    char buffer[32];
    begin_item(json, key);
    add(json, isfinite(value) ? bl_format_double(buffer, value) : "null");
}

void bl_json_integer(bl_json *json, const char *key, long long value) {
    begin_item(json, key);
    bl_text_add(json->text, "%lld", value);
}

void bl_json_bool(bl_json *json, const char *key, bool value) {
    begin_item(json, key);
    add(json, value ? "true" : "false");
}

char *bl_format_double(char *buffer, double value) {
    char text[40];
    /* 15 digits survive the way through a normal double, and %g drops trailing zeros: the first of 15, 16, 17 digits
     * that reads back is the shortest. Subnormal numbers hold fewer digits. */
    for (int digits = fpclassify(value) == FP_SUBNORMAL ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (!isfinite(value) || strtod(text, NULL) == value) break;
    }
    /* The host program's locale may write a comma. */
    char *comma = strchr(text, ',');
    if (comma) *comma = '.';
    return strcpy(buffer, text); /* at most 24 characters */
}
