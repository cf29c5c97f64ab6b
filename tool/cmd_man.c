/* beadlet man: the man page, made from the command table. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

/* Text for roff: dashes as typed, backslashes and leading dots made harmless. */
static void put(const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '-')
            fputs("\\-", stdout);
        else if (*c == '\\')
            fputs("\\e", stdout);
        else if ((*c == '.' || *c == '\'') && (c == text || c[-1] == '\n'))
            printf("\\&%c", *c);
        else
            putchar(*c);
    }
}

static void put_option(void *user, const tool_option *option) {
    (void)user;
    printf(".TP\n");
    if (option->letter) printf("\\fB\\-%c\\fR, ", option->letter);
    printf("\\fB\\-\\-");
    put(option->name);
    printf("\\fR");
    if (option->value && option->value[0] == '[')
        printf("[=\\fI%.*s\\fR]", (int)strlen(option->value) - 2, option->value + 1);
    else if (option->value)
        printf(" \\fI%s\\fR", option->value);
    printf("\n");
    put(option->help);
    if (option->hint == HINT_CHOICE) printf(" One of: %s.", option->choices);
    printf("\n");
}

static void put_command(const tool_command *command) {
    printf(".SS \"beadlet %s %s\"\n", command->name, command->operands);
    for (const char *c = command->description; *c; c++) {
        char one[2] = {*c, 0};
        if (*c == '\n')
            printf("\n.PP\n");
        else
            put(one);
    }
    printf("\n");
    for (const tool_option *option = command->options; option && option->name; option++) put_option(NULL, option);
    if (command->examples) {
        printf(".PP\n.nf\n");
        put(command->examples);
        printf("\n.fi\n");
    }
}

static const char exit_codes[] = ".SH EXIT STATUS\n"
                                 ".TP\n0\ndone\n"
                                 ".TP\n1\na figure of validate got worse\n"
                                 ".TP\n2\nwrong command line\n"
                                 ".TP\n65\nbad scene or data\n"
                                 ".TP\n66\nmissing input\n"
                                 ".TP\n69\nno such device, or it was lost\n"
                                 ".TP\n70\nthe simulation diverged, memory is full, or an internal error\n"
                                 ".TP\n73\nan output cannot be created\n"
                                 ".TP\n74\nreading or writing failed\n"
                                 ".TP\n130\ninterrupted; a checkpoint was kept\n";

static int run_man(tool *t) {
    (void)t;
    printf(".TH BEADLET 1 \"\" \"beadlet %s\" \"User Commands\"\n", bl_version());
    printf(".SH NAME\nbeadlet \\- simulation of small liquids\n");
    printf(".SH SYNOPSIS\n\\fBbeadlet\\fR \\fICOMMAND\\fR [\\fIOPERAND\\fR]... [\\fIOPTION\\fR]...\n");
    printf(".SH DESCRIPTION\nDrops, beads, films, menisci and wetting, simulated with particles. A scene file in "
           "physical units goes in; frames, series and checkpoints come out.\n");
    printf(".SH COMMANDS\n");
    for (int k = 0; tool_commands[k]; k++) put_command(tool_commands[k]);
    printf(".SH COMMON OPTIONS\n");
    tool_each_option(NULL, put_option, NULL);
    fputs(exit_codes, stdout);
    printf(".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours on the terminal\n"
           ".TP\nOMP_WAIT_POLICY\npassive: threads sleep while they wait, best on a machine that has other work\n"
           ".TP\nBEADLET_OPENCL_OPTIONS\noptions for the compiler of GPU kernels, for experiments\n"
           ".TP\nXDG_CACHE_HOME\nwhere beadlet/ holds kernels compiled for GPUs, 64 MB at most, instead of ~/.cache\n");
    return 0;
}

const tool_command cmd_man = {
    .name = "man",
    .operands = "",
    .summary = "print the man page",
    .description = "In roff, made from the same tables as --help.",
    .examples = "  beadlet man | man -l -\n  beadlet man > beadlet.1",
    .run = run_man,
};
