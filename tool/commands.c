/* The commands, in the order of the help. */
#include "tool.h"

#include <string.h>

extern const tool_command cmd_run, cmd_check, cmd_new, cmd_convert, cmd_mesh, cmd_measure, cmd_render, cmd_plot,
    cmd_report, cmd_view, cmd_validate, cmd_bench, cmd_info, cmd_man, cmd_completion, cmd_help, cmd_version;

const tool_command *const tool_commands[] = {
    &cmd_run,        /* simulate */
    &cmd_check,      /* find errors */
    &cmd_new,        /* starter scenes */
    &cmd_convert,    /* frames to other formats */
    &cmd_mesh,       /* surfaces */
    &cmd_render,     /* pictures and films */
    &cmd_plot,       /* curves of series */
    &cmd_measure,    /* numbers from frames */
    &cmd_report,     /* all on one page */
    &cmd_view,       /* in the browser */
    &cmd_validate,   /* cases with known answers */
    &cmd_bench,      /* speed */
    &cmd_info,       /* what this build can do */
    &cmd_man,        /* man page */
    &cmd_completion, /* shell completion */
    &cmd_help,       &cmd_version, NULL,
};

const tool_option tool_common_options[] = {
    {"threads", 't', "N", "Use N threads; results do not depend on it. Default: all cores.", HINT_NONE, NULL},
    {"quiet", 'q', NULL, "Print errors only.", HINT_NONE, NULL},
    {"log-format", 0, "FORMAT", "Write messages as text, or as one JSON object a line.", HINT_CHOICE, "text json"},
    {"help", 'h', NULL, "Print this help and leave.", HINT_NONE, NULL},
    TOOL_END,
};

int tool_unknown_command(const tool *t, const char *word) {
    const char *words[64];
    int count = 0;
    for (; tool_commands[count] && count < 64; count++) words[count] = tool_commands[count]->name;
    const char *near = tool_nearest(word, words, count);
    if (near) return tool_usage(t, "unknown command \"%s\"; did you mean %s?", word, near);
    return tool_usage(t, "unknown command \"%s\"", word);
}

const tool_command *tool_find_command(const char *name) {
    for (int k = 0; tool_commands[k]; k++)
        if (strcmp(tool_commands[k]->name, name) == 0) return tool_commands[k];
    return NULL;
}
