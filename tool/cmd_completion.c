/* beadlet completion: scripts for bash, zsh and fish, made from the command table. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

/* Single-quoted contents for all three shells: quotes left out. */
static void put(const char *text) {
    for (; *text; text++)
        if (*text != '\'' && *text != '[' && *text != ']' && *text != ':') putchar(*text);
}

static void put_command_names(void) {
    for (int k = 0; tool_commands[k]; k++) printf("%s%s", k ? " " : "", tool_commands[k]->name);
}

/* --- bash: one case for values, one for words --- */

static void bash_name(void *user, const tool_option *option) {
    (void)user;
    printf("--%s ", option->name);
}

static const char *bash_words(tool_hint hint, const char *choices, char *buffer, size_t size) {
    switch (hint) {
    case HINT_CHOICE: snprintf(buffer, size, "compgen -W '%s' -- \"$cur\"", choices); break;
    case HINT_DIR: snprintf(buffer, size, "compgen -d -- \"$cur\""); break;
    case HINT_SCENE:
        snprintf(buffer, size, "compgen -f -X '!*.@(yaml|yml|json)' -- \"$cur\"; compgen -d -- \"$cur\"");
        break;
    case HINT_COMMAND: snprintf(buffer, size, "compgen -W \"$commands\" -- \"$cur\""); break;
    case HINT_FILE: snprintf(buffer, size, "compgen -f -- \"$cur\""); break;
    default: snprintf(buffer, size, ":"); break;
    }
    return buffer;
}

static void bash_value(void *user, const tool_option *option) {
    const tool_command *command = user;
    char words[256];
    if (!option->value || option->value[0] == '[') return;
    printf("        %s:--%s", command->name, option->name);
    if (option->letter) printf("|%s:-%c", command->name, option->letter);
    printf(") COMPREPLY=($(%s)); return ;;\n", bash_words(option->hint, option->choices, words, sizeof words));
}

static void print_bash(void) {
    char words[256];
    printf("# bash completion of beadlet; use: source <(beadlet completion bash)\n"
           "_beadlet() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
           "    local commands='");
    put_command_names();
    printf("'\n    shopt -s extglob\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W \"$commands\" -- \"$cur\")); return; fi\n"
           "    case $command:$prev in\n");
    for (int k = 0; tool_commands[k]; k++) tool_each_option(tool_commands[k], bash_value, (void *)tool_commands[k]);
    printf("    esac\n    case $command:$cur in\n");
    for (int k = 0; tool_commands[k]; k++) {
        const tool_command *command = tool_commands[k];
        printf("        %s:-*) COMPREPLY=($(compgen -W '", command->name);
        tool_each_option(command, bash_name, NULL);
        printf("' -- \"$cur\")) ;;\n        %s:*) COMPREPLY=($(%s)) ;;\n", command->name,
               bash_words(command->operand_hint, command->operand_choices, words, sizeof words));
    }
    printf("    esac\n}\ncomplete -o filenames -F _beadlet beadlet\n");
}

/* --- zsh: _arguments --- */

static const char *zsh_action(tool_hint hint, const char *choices, char *buffer, size_t size) {
    switch (hint) {
    case HINT_CHOICE: snprintf(buffer, size, "(%s)", choices); break;
    case HINT_DIR: snprintf(buffer, size, "_files -/"); break;
    case HINT_SCENE: snprintf(buffer, size, "_files -g \"*.(yaml|yml|json)\""); break;
    case HINT_COMMAND: snprintf(buffer, size, "($commands)"); break;
    case HINT_FILE: snprintf(buffer, size, "_files"); break;
    default: snprintf(buffer, size, " "); break;
    }
    return buffer;
}

static void zsh_spec(const char *dashes, const char *name, const tool_option *option) {
    char action[256];
    bool optional = option->value && option->value[0] == '[';
    printf(" \\\n            '*%s%s%s[", dashes, name, optional ? "=-" : "");
    put(option->help);
    printf("]");
    if (option->value) {
        printf("%s", optional ? "::" : ":");
        put(option->value);
        printf(":%s", zsh_action(option->hint, option->choices, action, sizeof action));
    }
    printf("'");
}

static void zsh_option(void *user, const tool_option *option) {
    (void)user;
    char letter[2] = {option->letter, 0};
    zsh_spec("--", option->name, option);
    if (option->letter) zsh_spec("-", letter, option);
}

static void print_zsh(void) {
    char action[256];
    printf("#compdef beadlet\n# zsh completion of beadlet; use: source <(beadlet completion zsh)\n"
           "_beadlet() {\n    local -a commands=(");
    put_command_names();
    printf(")\n    if (( CURRENT == 2 )); then compadd -a commands; return; fi\n"
           "    local command=$words[2]\n    shift words; (( CURRENT-- ))\n    case $command in\n");
    for (int k = 0; tool_commands[k]; k++) {
        const tool_command *command = tool_commands[k];
        printf("        %s) _arguments", command->name);
        tool_each_option(command, zsh_option, NULL);
        if (command->max_operands > 0)
            printf(" \\\n            '*:operand:%s'",
                   zsh_action(command->operand_hint, command->operand_choices, action, sizeof action));
        printf(" ;;\n");
    }
    /* Sourced, it registers itself; found by the shell as a file of this name, it is the function's first call. */
    printf("    esac\n}\n"
           "if [ \"$funcstack[1]\" = _beadlet ]; then _beadlet \"$@\"; else compdef _beadlet beadlet; fi\n");
}

/* --- fish: one line an option --- */

static void fish_value(tool_hint hint, const char *choices) {
    if (hint == HINT_CHOICE)
        printf(" -xa '%s'", choices);
    else if (hint == HINT_DIR)
        printf(" -xa '(__fish_complete_directories)'");
    else if (hint == HINT_FILE || hint == HINT_SCENE)
        printf(" -F");
    else if (hint == HINT_COMMAND) {
        printf(" -xa '");
        put_command_names();
        printf("'");
    }
}

static void fish_option(void *user, const tool_option *option) {
    const tool_command *command = user;
    printf("complete -c beadlet -n '__fish_seen_subcommand_from %s' -l %s", command->name, option->name);
    if (option->letter) printf(" -s %c", option->letter);
    if (option->value && option->value[0] != '[') printf(" -r");
    fish_value(option->hint, option->choices);
    printf(" -d '");
    put(option->help);
    printf("'\n");
}

static void print_fish(void) {
    printf("# fish completion of beadlet; use: beadlet completion fish | source\ncomplete -c beadlet -f\n");
    for (int k = 0; tool_commands[k]; k++) {
        const tool_command *command = tool_commands[k];
        printf("complete -c beadlet -n __fish_use_subcommand -a %s -d '", command->name);
        put(command->summary);
        printf("'\n");
        tool_each_option(command, fish_option, (void *)command);
        if (command->max_operands > 0 && command->operand_hint != HINT_NONE) {
            printf("complete -c beadlet -n '__fish_seen_subcommand_from %s'", command->name);
            fish_value(command->operand_hint, command->operand_choices);
            printf("\n");
        }
    }
}

static int run_completion(tool *t) {
    const char *shell = t->operands[0];
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return tool_usage(t, "unknown shell \"%s\"; known are bash, zsh and fish", shell);
    return 0;
}

const tool_command cmd_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_CHOICE,
    .operand_choices = "bash zsh fish",
    .summary = "print a completion script for a shell",
    .description = "Source it, or put it where the shell looks for completions.",
    .examples = "  source <(beadlet completion bash)\n"
                "  beadlet completion fish > ~/.config/fish/completions/beadlet.fish",
    .run = run_completion,
};
