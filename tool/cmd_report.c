/* beadlet report: one page about a run. */
#include "tool.h"

#include <stdio.h>

static const tool_option options[] = {
    {"output", 'o', "FILE", "The page. Default: DIR/report.html.", HINT_FILE, NULL},
    {"pictures", 'n', "N", "Stills, from the first frame to the last; 0: none. Default: 6.", HINT_NONE, NULL},
    {"film", 0, "N", "Pictures of the film (it needs ffmpeg); 0: none. Default: 24.", HINT_NONE, NULL},
    {"size", 0, "WxH", "Size of the pictures. Default: 480x270.", HINT_NONE, NULL},
    {"samples", 0, "N", "Light paths a pixel. Default: 8.", HINT_NONE, NULL},
    TOOL_END,
};

static int parse(tool *t, bl_report_def *def) {
    long pictures = def->pictures, film = def->film, samples = def->samples;
    int code = tool_integer(t, "pictures", 0, 1000, &pictures);
    if (!code) code = tool_integer(t, "film", 0, 10000, &film);
    if (!code) code = tool_integer(t, "samples", 1, 65536, &samples);
    const char *size = tool_value(t, "size");
    char rest;
    if (!code && size && sscanf(size, "%dx%d%c", &def->width, &def->height, &rest) != 2)
        code = tool_usage(t, "--size: \"%s\" is not of the form WIDTHxHEIGHT, such as 480x270", size);
    def->pictures = (int)pictures;
    def->film = (int)film;
    def->samples = (int)samples;
    def->out = tool_value(t, "output");
    return code;
}

static int run_report(tool *t) {
    bl_report_def def = bl_default_report_def();
    int code = parse(t, &def);
    if (code) return code;
    bl_status status = bl_report(t->ctx, t->operands[0], &def);
    if (status != BL_OK) return tool_fail(t, status);
    if (t->quiet) return 0;
    if (def.out)
        printf("%s\n", def.out);
    else
        printf("%s/report.html\n", t->operands[0]);
    return 0;
}

const tool_command cmd_report = {
    .name = "report",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_DIR,
    .summary = "one page about a run: pictures, film, plots, settings, timings",
    .description =
        "Writes a single HTML file that any browser shows, also without a network: pictures and a film of the "
        "run, plots of what it recorded, its settings with units, warnings, timings of each pass, versions.\n"
        "What the run does not have is left out, and the page says so.",
    .options = options,
    .examples = "  beadlet report out/drop\n  beadlet report out/drop --film 0 --pictures 3 -o drop.html",
    .run = run_report,
};
