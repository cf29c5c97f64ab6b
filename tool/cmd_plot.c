/* beadlet plot: recorded series and measurements as SVG or PNG. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const tool_option options[] = {
    {"x", 'x', "COLUMN", "Column along the horizontal axis. Default: time.", HINT_NONE, NULL},
    {"y", 'y', "COLUMNS", "Columns or measurements to draw, separated by commas. Default: energy_kinetic.", HINT_NONE,
     NULL},
    {"fluid", 0, "NAME", "Measure only this fluid. Default: all fluids together.", HINT_NONE, NULL},
    {"logx", 0, NULL, "Logarithmic horizontal axis.", HINT_NONE, NULL},
    {"logy", 0, NULL, "Logarithmic vertical axis.", HINT_NONE, NULL},
    {"law", 0, "FORMULA", "Draw a formula of t (or x) beside the data: '2e-7*exp(-t/0.1)'; may be repeated.", HINT_NONE,
     NULL},
    {"xmin", 0, "X", "Left end of the horizontal axis.", HINT_NONE, NULL},
    {"xmax", 0, "X", "Right end of the horizontal axis.", HINT_NONE, NULL},
    {"ymin", 0, "Y", "Lower end of the vertical axis.", HINT_NONE, NULL},
    {"ymax", 0, "Y", "Upper end of the vertical axis.", HINT_NONE, NULL},
    {"title", 0, "TEXT", "Title of the plot.", HINT_NONE, NULL},
    {"size", 0, "WxH", "Size; a PNG has twice as many pixels each way. Default: 640x400.", HINT_NONE, NULL},
    {"output", 'o', "FILE", "File to write, .svg or .png. Default: plot.svg.", HINT_FILE, NULL},
    TOOL_END,
};

static int parse(tool *t, bl_plot_def *def) {
    int code = tool_real(t, "xmin", -HUGE_VAL, HUGE_VAL, &def->x_min);
    if (!code) code = tool_real(t, "xmax", -HUGE_VAL, HUGE_VAL, &def->x_max);
    if (!code) code = tool_real(t, "ymin", -HUGE_VAL, HUGE_VAL, &def->y_min);
    if (!code) code = tool_real(t, "ymax", -HUGE_VAL, HUGE_VAL, &def->y_max);
    const char *size = tool_value(t, "size");
    char rest;
    if (!code && size && sscanf(size, "%dx%d%c", &def->width, &def->height, &rest) != 2)
        code = tool_usage(t, "--size: \"%s\" is not of the form WIDTHxHEIGHT, such as 800x500", size);
    if (tool_has(t, "x")) def->x = tool_value(t, "x");
    if (tool_has(t, "y")) def->y = tool_value(t, "y");
    if (tool_has(t, "output")) def->out = tool_value(t, "output");
    def->log_x = tool_has(t, "logx");
    def->log_y = tool_has(t, "logy");
    def->fluid = tool_value(t, "fluid");
    def->title = tool_value(t, "title");
    return code;
}

static int run_plot(tool *t) {
    bl_plot_def def = bl_default_plot_def();
    int code = parse(t, &def);
    if (code) return code;
    const char *laws[TOOL_MAX_ARGS];
    def.law_count = tool_count(t, "law");
    for (int k = 0; k < def.law_count; k++) laws[k] = tool_nth(t, "law", k);
    def.laws = laws;
    def.sources = t->operands;
    def.source_count = t->operand_count;
    bl_status status = bl_plot_runs(t->ctx, &def);
    if (status != BL_OK) return tool_fail(t, status);
    if (!t->quiet) printf("%s\n", def.out);
    return 0;
}

const tool_command cmd_plot = {
    .name = "plot",
    .operands = "DIR...",
    .min_operands = 1,
    .max_operands = TOOL_MAX_ARGS,
    .operand_hint = HINT_DIR,
    .summary = "plot what runs recorded, as SVG or PNG",
    .description =
        "Draws columns of series.csv against each other, for one or several runs. A name such as "
        "contact.angle or shape.mode2 is measured in every frame of the run; what 'beadlet measure' knows can "
        "be drawn. A .csv file with a header line, or a .json or .jsonl file that 'beadlet measure' printed, "
        "may stand for a run. Formulas know + - * / ^, brackets, pi, and sqrt exp log abs sin cos tan "
        "tanh.",
    .options = options,
    .examples = "  beadlet plot out/drop --y energy_kinetic,energy_fv --logy\n"
                "  beadlet plot out/coarse out/fine --y center_z --law '0.01-4.9*t^2' -o fall.png\n"
                "  beadlet plot out/drop out/fine --y contact.angle --law 60\n"
                "  beadlet measure shape out/drop --frame all > shape.jsonl; beadlet plot shape.jsonl --y mode2",
    .run = run_plot,
};
