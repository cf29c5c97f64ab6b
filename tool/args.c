/* Reading the command line after the command's option table. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

/* --- looking options up --- */

typedef struct lookup {
    const char *name; /* or NULL: by letter */
    size_t length;
    char letter;
    const tool_option *found;
} lookup;

static void compare_option(void *user, const tool_option *option) {
    lookup *l = user;
    bool same = l->name ? strlen(option->name) == l->length && memcmp(option->name, l->name, l->length) == 0
                        : option->letter == l->letter;
    if (same && !l->found) l->found = option;
}

static const tool_option *find_option(const tool_command *command, const char *name, size_t length, char letter) {
    lookup l = {name, length, letter, NULL};
    tool_each_option(command, compare_option, &l);
    return l.found;
}

typedef struct names {
    const char *items[TOOL_MAX_ARGS];
    int count;
} names;

static void collect_name(void *user, const tool_option *option) {
    names *n = user;
    if (n->count < TOOL_MAX_ARGS) n->items[n->count++] = option->name;
}

static int unknown_option(const tool *t, const char *arg, size_t length) {
    char word[64];
    const char *dashes = arg[1] == '-' ? "--" : "-";
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), arg + strlen(dashes));
    names n = {.count = 0};
    tool_each_option(t->command, collect_name, &n);
    const char *near = tool_nearest(word, n.items, n.count);
    if (near) return tool_usage(t, "unknown option %s%s; did you mean --%s?", dashes, word, near);
    return tool_usage(t, "unknown option %s%s", dashes, word);
}

/* --- parsing --- */

static bool is_flag(const tool_option *option) { return !option->value; }
static bool is_optional(const tool_option *option) { return option->value && option->value[0] == '['; }

static bool is_choice(const char *choices, const char *value) {
    size_t length = strlen(value);
    for (const char *c = choices; c && length > 0; c = strchr(c, ' ')) {
        c += *c == ' ';
        if (strncmp(c, value, length) == 0 && (c[length] == ' ' || c[length] == 0)) return true;
    }
    return false;
}

static int keep(tool *t, const tool_option *option, const char *value) {
    if (t->given_count == TOOL_MAX_ARGS) return tool_usage(t, "too many options");
    t->given[t->given_count++] = (tool_given){option, value};
    bool given = !is_flag(option) && !(is_optional(option) && !*value);
    if (given && option->hint == HINT_CHOICE && !is_choice(option->choices, value))
        return tool_usage(t, "--%s: \"%s\" is none of: %s", option->name, value, option->choices);
    return 0;
}

/* --name, --name=value, --name value */
static int parse_long(tool *t, int argc, char **argv, int *k) {
    const char *name = argv[*k] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const tool_option *option = find_option(t->command, name, length, 0);
    if (!option) return unknown_option(t, argv[*k], length);
    if (is_flag(option)) return equals ? tool_usage(t, "--%s takes no value", option->name) : keep(t, option, "");
    if (equals || is_optional(option)) return keep(t, option, equals ? equals + 1 : "");
    if (*k + 1 == argc) return tool_usage(t, "--%s needs a value: --%s %s", option->name, option->name, option->value);
    return keep(t, option, argv[++*k]);
}

/* -q, -o VALUE, -oVALUE, several flags as -qx */
static int parse_short(tool *t, int argc, char **argv, int *k) {
    for (const char *c = argv[*k] + 1; *c; c++) {
        const tool_option *option = find_option(t->command, NULL, 0, *c);
        if (!option) return unknown_option(t, argv[*k], strlen(argv[*k]) - 1);
        if (is_flag(option) || is_optional(option)) {
            int code = keep(t, option, "");
            if (code) return code;
            continue;
        }
        if (c[1]) return keep(t, option, c + 1);
        if (*k + 1 == argc) return tool_usage(t, "-%c needs a value: -%c %s", *c, *c, option->value);
        return keep(t, option, argv[++*k]);
    }
    return 0;
}

static int check_operands(const tool *t) {
    const tool_command *command = t->command;
    if (t->operand_count < command->min_operands)
        return tool_usage(t, "missing operand: beadlet %s %s", command->name, command->operands);
    if (t->operand_count > command->max_operands)
        return tool_usage(t, "unexpected operand \"%s\"", t->operands[command->max_operands]);
    return 0;
}

int tool_parse(tool *t, int argc, char **argv) {
    bool options = true;
    for (int k = 0; k < argc; k++) {
        const char *arg = argv[k];
        int code = 0;
        if (options && strcmp(arg, "--") == 0)
            options = false;
        else if (options && arg[0] == '-' && arg[1] == '-')
            code = parse_long(t, argc, argv, &k);
        else if (options && arg[0] == '-' && arg[1])
            code = parse_short(t, argc, argv, &k);
        else if (t->operand_count < TOOL_MAX_ARGS)
            t->operands[t->operand_count++] = arg;
        else
            code = tool_usage(t, "too many operands");
        if (code) return code;
    }
    return tool_has(t, "help") ? 0 : check_operands(t);
}
