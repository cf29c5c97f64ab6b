/* --help from the tables. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 26, WIDTH = 100 };

void tool_each_option(const tool_command *command, tool_option_fn fn, void *user) {
    const tool_option *tables[] = {command ? command->options : NULL, tool_common_options};
    for (int k = 0; k < 2; k++)
        for (const tool_option *option = tables[k]; option && option->name; option++) fn(user, option);
}

/* `length` bytes of text, word by word, between the columns `indent` (where the cursor stands) and WIDTH. */
static void print_wrapped(const char *text, int length, int indent) {
    const char *end = text + length;
    int column = indent;
    while (text < end) {
        int word = 0;
        while (text + word < end && text[word] != ' ') word++;
        if (column > indent && column + 1 + word > WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            putchar(' ');
            column++;
        }
        printf("%.*s", word, text);
        column += word;
        text += word + 1;
    }
    putchar('\n');
}

static void print_option(void *user, const tool_option *option) {
    (void)user;
    char letter[8] = "    ", left[64], text[512];
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    const char *value = option->value ? option->value : "";
    const char *join = !*value ? "" : *value == '[' ? "[=" : " ";
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name, join, value + (*value == '['));
    printf("%-*s", INDENT, left);
    if (strlen(left) >= INDENT) printf("\n%*s", INDENT, "");
    bool choices = option->hint == HINT_CHOICE;
    int length = snprintf(text, sizeof text, "%s%s%s%s", option->help, choices ? " One of: " : "",
                          choices ? option->choices : "", choices ? "." : "");
    print_wrapped(text, length, INDENT);
}

static void print_command(const tool_command *command) {
    printf("beadlet %s: %s\n\n", command->name, command->summary);
    printf("Usage: beadlet %s%s%s [OPTION]...\n\n", command->name, *command->operands ? " " : "", command->operands);
    for (const char *line = command->description; *line;) {
        int length = (int)strcspn(line, "\n");
        print_wrapped(line, length, 0);
        line += length + (line[length] == '\n');
    }
    printf("\nOptions:\n");
    tool_each_option(command, print_option, NULL);
    if (command->examples) printf("\nExamples:\n%s\n", command->examples);
}

static void print_program(void) {
    printf("beadlet: simulation of small liquids\n\nUsage: beadlet COMMAND [OPERAND]... [OPTION]...\n\nCommands:\n");
    for (int k = 0; tool_commands[k]; k++) printf("  %-12s %s\n", tool_commands[k]->name, tool_commands[k]->summary);
    printf("\nbeadlet COMMAND --help explains a command.\n"
           "Exit codes: 0 done, 1 a validation figure got worse, 2 usage, 65 bad scene or data, 66 missing input,\n"
           "69 no device or lost, 70 diverged, out of memory or internal error, 73 cannot create output,\n"
           "74 input or output error, 130 interrupted.\n");
}

void tool_print_help(const tool_command *command) {
    if (command)
        print_command(command);
    else
        print_program();
}
