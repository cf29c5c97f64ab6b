/* A growing string, and JSON written into it. */
#ifndef BL_BASE_TEXT_H
#define BL_BASE_TEXT_H

#include "base/context.h"

typedef struct bl_text {
    bl_context *ctx;
    char *data; /* zero-terminated; NULL while empty */
    size_t size, capacity;
    bool failed; /* out of memory at some point; further calls do nothing */
} bl_text;

bl_text bl_text_make(bl_context *ctx);
void bl_text_clear(bl_text *text); /* releases */
void bl_text_add(bl_text *text, const char *fmt, ...) BL_PRINTF(2, 3);
void bl_text_add_bytes(bl_text *text, const char *data, size_t size);
const char *bl_text_str(const bl_text *text); /* never NULL */

/* JSON: `key` is NULL inside arrays. Commas and indentation are the writer's business. Numbers are written with the
 * fewest digits that read back the same double; NaN and infinities as null. */
typedef struct bl_json {
    bl_text *text;
    int depth, indent;  /* indent 0: one line */
    uint64_t has_items; /* bit d: level d already has an item */
} bl_json;
bl_json bl_json_make(bl_text *text, int indent);
void bl_json_begin_object(bl_json *json, const char *key);
void bl_json_end_object(bl_json *json);
void bl_json_begin_array(bl_json *json, const char *key);
void bl_json_end_array(bl_json *json);
void bl_json_string(bl_json *json, const char *key, const char *value); /* NULL value: null */
void bl_json_number(bl_json *json, const char *key, double value);
void bl_json_integer(bl_json *json, const char *key, long long value);
void bl_json_bool(bl_json *json, const char *key, bool value);
/* Shortest text of a double that reads back the same. `buffer` of at least 32 bytes; returned. */
char *bl_format_double(char *buffer, double value);

#endif
