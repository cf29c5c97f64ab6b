#include "scene/diag.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, EXCERPT_BEFORE = 60, EXCERPT_WIDTH = 110 };

static bool is_continuation(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static bool same_place(bl_place a, bl_place b) {
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

static bool already_said(const bl_diags *diags, bl_place place, const char *text) {
    for (int i = 0; i < diags->count; i++)
        if (same_place(diags->items[i].place, place) && strcmp(diags->items[i].text, text) == 0) return true;
    return false;
}

/* Bytes that would disturb a terminal do not reach the log. */
static void defuse(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f) *text = '?';
}

void bl_diag_add(bl_diags *diags, bl_diag_kind kind, bl_place place, const char *fmt, ...) {
    char message[MESSAGE_BYTES];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    defuse(message);

    if (already_said(diags, place, message)) return;
    if (kind != BL_DIAG_WARNING) diags->errors++;
    if (kind == BL_DIAG_MISSING_FILE) diags->missing_files++;
    char *text = diags->count < BL_DIAG_MAX ? bl_arena_text(diags->arena, message, strlen(message)) : NULL;
    if (text)
        diags->items[diags->count++] = (bl_diag){kind, place, text};
    else if (kind != BL_DIAG_WARNING)
        diags->dropped++;
}

/* Start of a line of the text, NULL past the end. */
static const char *find_line(const char *text, size_t size, int line) {
    const char *end = text + size;
    for (int i = 1; i < line && text; i++) {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* The line of the source and a caret under the column: what lies too far left or right is cut off. */
static void add_excerpt(bl_text *out, const char *source, size_t size, int line, int column, int width) {
    const char *at = find_line(source, size, line);
    if (!at || column < 1) return;
    const char *end = memchr(at, '\n', (size_t)(source + size - at));
    end = end ? end : source + size;
    int first = column > EXCERPT_WIDTH - 20 ? column - EXCERPT_BEFORE : 1;
    int last = first + EXCERPT_WIDTH, shown_end = column;
    bl_text_add(out, "\n  %s", first > 1 ? "..." : "");
    int number = 0;
    for (; at < end; at++) {
        number += !is_continuation(*at);
        if (number < first || number >= last) continue;
        shown_end = number;
        bool control = (unsigned char)*at < 0x20 || *at == 0x7f;
        bl_text_add_bytes(out, control ? " " : at, 1);
    }
    bl_text_add(out, "%s\n  %*s^", number >= last ? "..." : "", column - first + (first > 1 ? 3 : 0), "");
    for (int i = 1; i < width && column + i <= shown_end; i++) bl_text_add(out, "~");
}

static void log_diag(const bl_diags *diags, const bl_diag *diag) {
    bl_text text = bl_text_make(diags->ctx);
    bool warning = diag->kind == BL_DIAG_WARNING;
    const bl_source *source = diag->place.source;
    if (source) bl_text_add(&text, "%s:%d:%d: ", source->name, diag->place.line, diag->place.column);
    bl_text_add(&text, "%s: %s", warning ? "warning" : "error", diag->text);
    if (source) add_excerpt(&text, source->text, source->size, diag->place.line, diag->place.column, diag->place.width);
    bl_log(diags->ctx, warning ? BL_LOG_WARNING : BL_LOG_ERROR, "%s", bl_text_str(&text));
    bl_text_clear(&text);
}

static bool comes_before(bl_place a, bl_place b) {
    int order_a = a.source ? a.source->order : -1, order_b = b.source ? b.source->order : -1;
    if (order_a != order_b) return order_a < order_b;
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

/* Insertion sort: stable, and the list is short. */
static void sort_diags(bl_diags *diags) {
    for (int i = 1; i < diags->count; i++) {
        bl_diag moved = diags->items[i];
        int k = i;
        for (; k > 0 && comes_before(moved.place, diags->items[k - 1].place); k--)
            diags->items[k] = diags->items[k - 1];
        diags->items[k] = moved;
    }
}

bl_status bl_diags_report(bl_diags *diags, const char *name) {
    sort_diags(diags);
    for (int i = 0; i < diags->count; i++) log_diag(diags, &diags->items[i]);
    if (diags->dropped > 0) bl_log(diags->ctx, BL_LOG_ERROR, "%s: error: and %d more", name, diags->dropped);
    if (diags->errors == 0) return BL_OK;
    bl_status status = diags->errors == diags->missing_files ? BL_ERR_NO_INPUT : BL_ERR_DATA;
    return bl_fail(diags->ctx, status, "%d error%s in %s", diags->errors, diags->errors == 1 ? "" : "s", name);
}

/* A message of another module, with the line of the file if it can still be read. */
static void add_message(bl_text *out, bl_context *ctx, bl_pos pos, const char *level, const char *fmt, va_list args) {
    char message[MESSAGE_BYTES];
    vsnprintf(message, sizeof message, fmt, args);
    if (pos.file) bl_text_add(out, "%s:%d:%d: ", pos.file, pos.line, pos.column);
    bl_text_add(out, "%s: %s", level, message);
    char *source = NULL;
    size_t size = 0;
    if (pos.file && bl_file_exists(pos.file) && bl_file_read(ctx, pos.file, &source, &size) == BL_OK)
        add_excerpt(out, source, size, pos.line, pos.column, 1);
    bl_release(ctx, source);
}

bl_status bl_scene_fail(bl_context *ctx, bl_status status, bl_pos pos, const char *fmt, ...) {
    bl_text text = bl_text_make(ctx);
    va_list args;
    va_start(args, fmt);
    add_message(&text, ctx, pos, "error", fmt, args);
    va_end(args);
    bl_fail(ctx, status, "%s", bl_text_str(&text));
    bl_text_clear(&text);
    return status;
}

void bl_scene_warn(bl_context *ctx, bl_pos pos, const char *fmt, ...) {
    bl_text text = bl_text_make(ctx);
    va_list args;
    va_start(args, fmt);
    add_message(&text, ctx, pos, "warning", fmt, args);
    va_end(args);
    bl_log(ctx, BL_LOG_WARNING, "%s", bl_text_str(&text));
    bl_text_clear(&text);
}
