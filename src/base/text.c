/* A growing string. */
#include "base/text.h"

#include <stdio.h>
#include <string.h>

bl_text bl_text_make(bl_context *ctx) { return (bl_text){.ctx = ctx}; }

void bl_text_clear(bl_text *text) {
    bl_release(text->ctx, text->data);
    *text = bl_text_make(text->ctx);
}

/* Room for `more` bytes and the terminating zero. */
static bool reserve(bl_text *text, size_t more) {
    if (text->failed) return false;
    const size_t needed = text->size + more + 1;
    if (needed <= text->capacity) return true;
    size_t capacity = text->capacity ? 2 * text->capacity : 64;
    if (capacity < needed) capacity = needed;
    char *grown = bl_grow(text->ctx, text->data, text->size, capacity, 1);
    if (!grown) {
        text->failed = true;
        return false;
    }
    text->data = grown;
    text->capacity = capacity;
    return true;
}

void bl_text_add(bl_text *text, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const int length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (length < 0 || !reserve(text, (size_t)length)) return;
    va_start(args, fmt);
    vsnprintf(text->data + text->size, (size_t)length + 1, fmt, args);
    va_end(args);
    text->size += (size_t)length;
}

void bl_text_add_bytes(bl_text *text, const char *data, size_t size) {
    if (!reserve(text, size)) return;
    if (size) memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = 0;
}

const char *bl_text_str(const bl_text *text) { return text->data ? text->data : ""; }
