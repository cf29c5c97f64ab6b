/* beadlet COMMAND ...: find the command, read its options, run it. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

/* The command named by the first word; --version and --help are commands too. */
static const tool_command *first_word(const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return tool_find_command("help");
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) return tool_find_command("version");
    return tool_find_command(word);
}

static int run_command(tool *t) {
    long threads = 0;
    int code = tool_integer(t, "threads", 1, 4096, &threads);
    if (code) return code;
    bl_context_def def = bl_default_context_def();
    def.log = tool_log;
    def.log_user = t;
    def.threads = (int)threads;
    def.device = tool_value(t, "device");
    bl_status status = bl_context_create(&def, &t->ctx);
    code = status == BL_OK ? t->command->run(t) : tool_fail(t, status);
    bl_context_destroy(t->ctx);
    return code;
}

/* What was printed must have arrived: a full disk is an error. */
static int check_stdout(int code) {
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == 0) {
        fprintf(stderr, "beadlet: error: writing to standard output failed\n");
        return bl_status_exit_code(BL_ERR_IO);
    }
    return code;
}

int main(int argc, char **argv) {
    static tool t;
    tool_console_open(&t);
    if (argc < 2) {
        tool_print_help(NULL);
        return 2;
    }
    t.command = first_word(argv[1]);
    if (!t.command) return tool_unknown_command(&t, argv[1]);
    int code = tool_parse(&t, argc - 2, argv + 2);
    if (code) return code;
    t.quiet = tool_has(&t, "quiet");
    t.json = tool_has(&t, "log-format") && strcmp(tool_value(&t, "log-format"), "json") == 0;
    if (tool_has(&t, "help")) {
        tool_print_help(t.command);
        return check_stdout(0);
    }
    return check_stdout(run_command(&t));
}
