/* beadlet validate: cases with known answers. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const tool_option options[] = {
    {"quick", 0, NULL, "Small runs, minutes altogether. The default.", HINT_NONE, NULL},
    {"full", 0, NULL, "All runs, real resolutions: hours. What is done is kept, so it can be stopped and gone on with.",
     HINT_NONE, NULL},
    {"scheme", 0, "NAME", "Use this scheme; may be repeated to compare. Default: unified.", HINT_CHOICE,
     "unified ballistic pbst2022"},
    {"json", 0, "FILE", "Write all figures to FILE.", HINT_FILE, NULL},
    {"html", 0, "FILE", "Write a page with tables and plots to FILE.", HINT_FILE, NULL},
    {"dir", 0, "DIR", "Keep the runs in DIR. Default: out/validate.", HINT_DIR, NULL},
    {"cases", 0, "DIR", "Folder of the cases. Default: cases, else those that are installed.", HINT_DIR, NULL},
    TOOL_DEVICE_OPTION,
    {"seeds", 0, "N", "Do every run with N seeds; judge the mean and show the scatter. Default: 1.", HINT_NONE, NULL},
    {"record", 0, NULL, "Write the figures to CASE/recorded.yaml: later ones may not be worse.", HINT_NONE, NULL},
    {"list", 0, NULL, "List the cases and leave.", HINT_NONE, NULL},
    TOOL_END,
};

static void print_case(void *user, const char *name, const char *title, const char *law) {
    (void)user;
    printf("%-18s %s: %s\n", name, title, law);
}

/* "-4.02 %", "-1.9", "-" */
static const char *format_error(char *buffer, size_t size, double error, bool relative, bool sign) {
    if (isnan(error))
        snprintf(buffer, size, "-");
    else if (relative)
        snprintf(buffer, size, sign ? "%+.2f %%" : "%.2f %%", 100 * error);
    else
        snprintf(buffer, size, sign ? "%+.3g" : "%.3g", error);
    return buffer;
}

static const char *verdict_color(bl_verdict verdict) {
    switch (verdict) {
    case BL_VERDICT_WORSE:
    case BL_VERDICT_FAILED: return "\033[31m";
    case BL_VERDICT_MISSED: return "\033[33m";
    case BL_VERDICT_MET: return "\033[32m";
    case BL_VERDICT_NO_AIM: break;
    }
    return "";
}

static void print_heads(void) {
    printf("%-16s %-18s %-10s %-24s %11s %11s %10s %8s %9s  %s\n", "case", "run", "scheme", "figure", "measured", "law",
           "error", "aim", "recorded", "verdict");
}

static void print_row(void *user, const bl_validate_row *row) {
    tool *t = user;
    char error[32], aim[32], recorded[32];
    tool_end_progress(t);
    printf("%-16s %-18s %-10s %-24s %11.4g %11.4g %10s %8s %9s  %s%s%s", row->case_name, row->run, row->scheme,
           row->label, row->measured, row->law, format_error(error, sizeof error, row->error, row->relative, true),
           format_error(aim, sizeof aim, row->aim, row->relative, false),
           format_error(recorded, sizeof recorded, row->recorded, row->relative, false),
           t->color ? verdict_color(row->verdict) : "", bl_verdict_text(row->verdict), t->color ? "\033[0m" : "");
    if (row->scatter > 0) printf("  +- %s", format_error(error, sizeof error, row->scatter, row->relative, false));
    printf("%s%.200s\n", row->why ? "  " : "", row->why ? row->why : "");
    fflush(stdout);
}

static void show_stage(void *user, const bl_validate_stage *stage) {
    tool *t = user;
    if (stage->progress) {
        tool_progress(t, stage->progress);
        return;
    }
    if (stage->number == 1) print_heads();
    char text[512];
    snprintf(text, sizeof text, "%d/%d %s %s %s%s", stage->number, stage->count, stage->case_name, stage->run,
             stage->scheme, stage->reused ? " (done before)" : "");
    tool_end_progress(t);
    tool_log(t, BL_LOG_INFO, text);
}

static void print_totals(const bl_validate_result *result) {
    for (int v = 0; v <= BL_VERDICT_NO_AIM; v++)
        printf("%s%d %s", v ? ", " : "", result->counts[v], bl_verdict_text((bl_verdict)v));
    printf("\n");
}

static int read_options(tool *t, bl_validate_def *def, const char **schemes) {
    if (tool_has(t, "quick") && tool_has(t, "full")) return tool_usage(t, "--quick and --full exclude each other");
    long seeds = 1;
    int code = tool_integer(t, "seeds", 1, 1000, &seeds);
    def->seeds = (int)seeds;
    def->full = tool_has(t, "full");
    def->record = tool_has(t, "record");
    def->json = tool_value(t, "json");
    def->html = tool_value(t, "html");
    def->cases = tool_value(t, "cases");
    if (tool_has(t, "dir")) def->directory = tool_value(t, "dir");
    def->scheme_count = tool_count(t, "scheme");
    for (int k = 0; k < def->scheme_count; k++) schemes[k] = tool_nth(t, "scheme", k);
    def->schemes = schemes;
    def->names = t->operands;
    def->name_count = t->operand_count;
    return code;
}

static int run_validate(tool *t) {
    const char *schemes[TOOL_MAX_ARGS];
    bl_validate_def def = bl_default_validate_def();
    bl_validate_result result;
    int code = read_options(t, &def, schemes);
    if (code) return code;
    if (tool_has(t, "list")) {
        bl_status listed = bl_validate_list(t->ctx, def.cases, print_case, NULL);
        return listed == BL_OK ? 0 : tool_fail(t, listed);
    }
    def.row = print_row;
    def.stage = show_stage;
    def.user = t;
    def.interrupt = tool_catch_interrupts();
    bl_status status = bl_validate(t->ctx, &def, &result);
    tool_end_progress(t);
    if (status != BL_OK && status != BL_INTERRUPTED) return tool_fail(t, status);
    print_totals(&result);
    if (status != BL_OK) return tool_fail(t, status);
    return result.counts[BL_VERDICT_WORSE] > 0 && !def.record ? 1 : 0;
}

const tool_command cmd_validate = {
    .name = "validate",
    .operands = "[CASE...]",
    .min_operands = 0,
    .max_operands = TOOL_MAX_ARGS,
    .operand_hint = HINT_NONE,
    .summary = "run cases with known answers and compare",
    .description =
        "Runs the cases (folders with a case.yaml; all of them if none is named), measures and compares with the law. "
        "A figure that misses its aim is shown as missed; exit code 1 says that one got worse than its recorded "
        "figure.\n"
        "Runs whose scene and code are those of a finished one are not repeated. Ctrl-C finishes the step; the same "
        "command goes on.",
    .options = options,
    .examples = "  beadlet validate --list\n  beadlet validate laplace oscillation --html validation.html\n"
                "  beadlet validate --full --scheme unified --json validation.json",
    .run = run_validate,
};
