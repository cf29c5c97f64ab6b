/* A body's motion from a text file: a line a keyframe. */
#include "base/file.h"
#include "scene/check.h"
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 7, MAX_LINES = 1000 * 1000 };

/* Numbers of a line; -1: something else is in it. */
static int read_line(const char *line, const char *end, double numbers[NUMBERS]) {
    int count = 0;
    while (line < end) {
        line += strspn(line, " \t\r,;");
        if (line >= end) break;
        char *after;
        double value = strtod(line, &after);
        if (after == line || after > end || count == NUMBERS || !isfinite(value)) return -1;
        numbers[count++] = value;
        line = after;
    }
    return count;
}

static bl_curve make_curve(bl_reader *r, size_t lines) {
    return (bl_curve){.width = 3,
                      .times = bl_reader_take(r, lines, sizeof(double)),
                      .values = bl_reader_take(r, 3 * lines, sizeof(double))};
}

static void add_keyframe(bl_curve *curve, double time, const double *value) {
    curve->times[curve->count] = time;
    memcpy(&curve->values[3 * curve->count++], value, 3 * sizeof *value);
}

/* NULL, or what is wrong with the line. */
static const char *add_line(bl_boundary *b, const double *numbers, int count) {
    if (count != 4 && count != NUMBERS) return "expected 4 numbers (time, x, y, z) or 7 (and a rotation vector)";
    if (b->shift.count > 0 && !(numbers[0] > b->shift.times[b->shift.count - 1]))
        return "keyframes out of order: the time is not after the one before";
    if (b->shift.count > 0 && (count == NUMBERS) != (b->turn.count > 0))
        return "some lines have a rotation vector, some have none";
    add_keyframe(&b->shift, numbers[0], numbers + 1);
    if (count == NUMBERS) add_keyframe(&b->turn, numbers[0], numbers + 4);
    return NULL;
}

static void read_lines(bl_reader *r, const bl_node *node, bl_boundary *b, const char *text) {
    int number = 0;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        number++;
        double numbers[NUMBERS];
        if (line[strspn(line, " \t\r")] == '#' || line + strspn(line, " \t\r") >= end) continue;
        const char *wrong = add_line(b, numbers, read_line(line, end, numbers));
        if (!wrong) continue;
        char message[400];
        snprintf(message, sizeof message, "%.200s, line %d: %s", b->motion_file, number, wrong);
        bl_check_fail(r, node, "motion_file", message);
        return;
    }
    if (b->shift.count == 0) bl_check_fail(r, node, "motion_file", "the file has no keyframe");
}

void bl_read_motion(bl_reader *r, const bl_node *node, bl_boundary *b) {
    char *text = NULL;
    size_t size = 0, lines = 1;
    if (bl_file_read(r->ctx, b->motion_file, &text, &size) != BL_OK) {
        bl_check_fail(r, node, "motion_file", "the file cannot be read");
        return;
    }
    for (size_t k = 0; k < size; k++) lines += text[k] == '\n';
    if (lines > MAX_LINES) {
        bl_check_fail(r, node, "motion_file", "the file has more than a million lines");
    } else {
        b->shift = make_curve(r, lines);
        b->turn = make_curve(r, lines);
        if (!r->no_memory) read_lines(r, node, b, text);
    }
    bl_release(r->ctx, text);
}
