/* beadlet help and beadlet version. */
#include "tool.h"

#include <stdio.h>

static int run_help(tool *t) {
    const tool_command *command = t->operand_count ? tool_find_command(t->operands[0]) : NULL;
    if (t->operand_count && !command) return tool_unknown_command(t, t->operands[0]);
    tool_print_help(command);
    return 0;
}

static int run_version(tool *t) {
    (void)t;
    printf("beadlet %s\n", bl_version());
    return 0;
}

const tool_command cmd_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .max_operands = 1,
    .operand_hint = HINT_COMMAND,
    .summary = "explain the program or a command",
    .description = "The same as beadlet COMMAND --help.",
    .run = run_help,
};

const tool_command cmd_version = {
    .name = "version",
    .operands = "",
    .summary = "print the version",
    .description = "Prints the program's name and version.",
    .run = run_version,
};
