/* beadlet measure: numbers from the frames of a run. */
#include "tool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tool_option options[] = {
    {"frame", 'f', "N", "Which frames: a number, \"last\", \"all\" or a range such as 10..20. Default: last.",
     HINT_NONE, NULL},
    {"fluid", 0, "NAME", "Only this fluid. Default: all fluids together.", HINT_NONE, NULL},
    TOOL_END,
};

/* A frame number that ends where `tail` stands; -1: it is none. */
static int frame_number(const char *text, const char *tail) {
    char *end = NULL;
    errno = 0;
    long number = strtol(text, &end, 10);
    return end == text || end != tail || errno || number < 0 || number > INT_MAX ? -1 : (int)number;
}

static int read_frames(const tool *t, bl_measure_options *measure) {
    const char *text = tool_value(t, "frame");
    if (!text || strcmp(text, "last") == 0) return 0;
    if (strcmp(text, "all") == 0) {
        measure->first = BL_FRAME_ALL;
        return 0;
    }
    const char *end = text + strlen(text), *dots = strstr(text, "..");
    measure->first = frame_number(text, dots ? dots : end);
    measure->last = dots ? frame_number(dots + 2, end) : measure->first;
    if (measure->first < 0 || measure->last < measure->first)
        return tool_usage(t, "--frame: \"%s\" is neither a number, \"last\", \"all\" nor a range such as 10..20", text);
    return 0;
}

static int check_what(const tool *t, const char *what) {
    const char *words[16];
    char list[256] = "";
    int count = 0;
    for (; count < 16 && bl_measure_name(count); count++) {
        words[count] = bl_measure_name(count);
        if (strcmp(words[count], what) == 0) return 0;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", count ? " " : "", words[count]);
    }
    const char *near = tool_nearest(what, words, count);
    return tool_usage(t, "cannot measure \"%s\"%s%s%s: it is none of: %s", what, near ? " (did you mean " : "",
                      near ? near : "", near ? "?)" : "", list);
}

static void print_line(void *user, const char *line) {
    (void)user;
    puts(line);
}

static int run_measure(tool *t) {
    bl_measure_options measure = bl_default_measure_options();
    measure.fluid = tool_value(t, "fluid");
    int code = check_what(t, t->operands[0]);
    if (!code) code = read_frames(t, &measure);
    if (code) return code;
    bl_status status = bl_measure(t->ctx, t->operands[0], t->operands[1], &measure, print_line, NULL);
    return status == BL_OK ? 0 : tool_fail(t, status);
}

const tool_command cmd_measure = {
    .name = "measure",
    .operands = "WHAT DIR",
    .min_operands = 2,
    .max_operands = 2,
    .operand_hint = HINT_DIR,
    .summary = "print numbers from the frames of a run",
    .description =
        "One JSON object a frame, in SI units, angles in degrees; null where a number cannot be had.\n"
        "WHAT is pressure (radius, mean and core pressure), shape (volume, area, sphericity, modes), contact "
        "(contact angle, base, height, load, friction), motion (speeds, kinetic energy), column (level of a "
        "liquid in a tank or tube), or all.",
    .options = options,
    .examples = "  beadlet measure contact out/drop\n  beadlet measure shape out/drop --frame all\n"
                "  beadlet measure pressure out/drop --frame 10..20 --fluid water",
    .run = run_measure,
};
