/* The program `beadlet`: what its parts share.
 *
 * A command is one file, tool/cmd_NAME.c, with one `const tool_command`, and one line in tool/commands.c. Its options
 * are a table from which parsing, --help, the man page and shell completion all follow. The program sees the public
 * interface of the library only. */
#ifndef TOOL_H
#define TOOL_H

#include "beadlet/beadlet.h"

/* What a value or operand is, for completion. */
typedef enum tool_hint {
    HINT_NONE,
    HINT_FILE,
    HINT_SCENE, /* .yaml, .yml, .json */
    HINT_DIR,
    HINT_COMMAND,
    HINT_CHOICE /* one of `choices`; checked for options */
} tool_hint;

typedef struct tool_option {
    const char *name;  /* without the dashes; the table ends with TOOL_END */
    char letter;       /* 0: none */
    const char *value; /* NULL: a flag; "N": takes a value; "[FRAME]": may take one, as --name=FRAME */
    const char *help;  /* one sentence or two */
    tool_hint hint;
    const char *choices; /* separated by spaces */
} tool_option;
#define TOOL_END                                                                                                       \
    { NULL, 0, NULL, NULL, HINT_NONE, NULL }

typedef struct tool tool;
typedef struct tool_command {
    const char *name;
    const char *operands; /* "SCENE", "DIR...", "" */
    int min_operands, max_operands;
    tool_hint operand_hint;
    const char *operand_choices;
    const char *summary;        /* one line */
    const char *description;    /* paragraphs, one a line */
    const tool_option *options; /* besides those that every command has; may be NULL */
    const char *examples;       /* lines of shell; may be NULL */
    int (*run)(tool *t);        /* returns the exit code */
} tool_command;

/* Every command, then NULL; and the options that every command has. */
extern const tool_command *const tool_commands[];
extern const tool_option tool_common_options[];
const tool_command *tool_find_command(const char *name); /* NULL: unknown */

/* --- one call of the program --- */

enum { TOOL_MAX_ARGS = 512 };
typedef struct tool_given {
    const tool_option *option;
    const char *value; /* "" for a flag or a value left out */
} tool_given;

struct tool {
    const tool_command *command;
    bl_context *ctx;
    int given_count, operand_count;
    tool_given given[TOOL_MAX_ARGS];
    const char *operands[TOOL_MAX_ARGS + 1];
    bool quiet, json;     /* --quiet, --log-format json */
    bool terminal, color; /* of stderr */
    bool bar_shown;       /* a progress bar stands on the present line */
    double last_progress;
};

/* Fills t->given and t->operands; 0, or 2 after an explanation. */
int tool_parse(tool *t, int argc, char **argv);

bool tool_has(const tool *t, const char *option);
const char *tool_value(const tool *t, const char *option); /* of the last one given; NULL: not given */
int tool_count(const tool *t, const char *option);
const char *tool_nth(const tool *t, const char *option, int k); /* k-th value of a repeated option; NULL beyond */

/* Numbers of options: *out is left alone if the option was not given. 0, or 2 after an explanation. */
int tool_integer(tool *t, const char *option, long min, long max, long *out);
int tool_real(tool *t, const char *option, double min, double max, double *out);
int tool_seconds(tool *t, const char *option, double *out); /* "0.3", "0.3 s", "20ms", "5 us" */

/* Print "beadlet COMMAND: text" and a hint at --help; returns 2. */
int tool_usage(const tool *t, const char *fmt, ...) BL_PRINTF(2, 3);
/* Print the context's error and return the exit code that belongs to `status`. */
int tool_fail(tool *t, bl_status status);
int tool_unknown_command(const tool *t, const char *word); /* the same about a word that is no command */
/* The nearest of `count` words, or NULL if none is near. */
const char *tool_nearest(const char *word, const char *const *words, int count);

/* --- console.c: everything on stderr --- */
void tool_console_open(tool *t);
void tool_log(void *user, bl_log_level level, const char *text); /* a bl_log_fn; user is the tool */
void tool_progress(void *user, const bl_progress *progress);     /* a bl_progress_fn */
void tool_end_progress(tool *t);                                 /* leaves the bar's line */

/* --- help.c --- */
void tool_print_help(const tool_command *command); /* NULL: the program's */
/* Calls fn for each of the command's own options, then the common ones. */
typedef void (*tool_option_fn)(void *user, const tool_option *option);
void tool_each_option(const tool_command *command, tool_option_fn fn, void *user);

/* --- interrupt.c --- */
/* The first SIGINT or SIGTERM sets the flag, a second one ends the program. */
const volatile sig_atomic_t *tool_catch_interrupts(void);

/* --- scene.c: commands that load a scene put these rows into their tables --- */
#define TOOL_SET_OPTION                                                                                                \
    {                                                                                                                  \
        "set", 's', "KEY=VALUE",                                                                                       \
            "Override a key of the scene, as in fluids.water.viscosity='2 mPa s'; may be repeated.", HINT_NONE, NULL   \
    }
#define TOOL_SCHEME_OPTION                                                                                             \
    {                                                                                                                  \
        "scheme", 0, "NAME", "Use this scheme: the same as --set scheme.name=NAME.", HINT_CHOICE,                      \
            "unified ballistic pbst2022"                                                                               \
    }
#define TOOL_DEVICE_OPTION                                                                                             \
    {                                                                                                                  \
        "device", 0, "NAME",                                                                                           \
            "Where to compute: cpu, opencl (a GPU if there is one), opencl:PLATFORM.DEVICE as beadlet info lists "     \
            "them, "                                                                                                   \
            "or auto (the CPU if there is no device). Default: cpu.",                                                  \
            HINT_NONE, NULL                                                                                            \
    }
/* Loads the scene given as operand `k`, with --set and --scheme applied. */
bl_status tool_load_scene(tool *t, int k, bl_scene **out);

#endif
