/* Messages and errors on stderr, as text or as JSON lines. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tool_console_open(tool *t) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    t->terminal = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
    t->color = t->terminal && !(no_color && *no_color);
    t->last_progress = -1e9;
}

static void print_json_string(const char *text) {
    fputc('"', stderr);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(stderr, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", stderr);
        else if (c < 0x20)
            fprintf(stderr, "\\u%04x", c);
        else
            fputc(c, stderr);
    }
    fputc('"', stderr);
}

static const char *level_name(bl_log_level level) {
    const char *names[] = {"error", "warning", "info", "debug"};
    return names[level];
}

/* Messages about a place in a file bring "file:line:column: error:" along; others get the program's name. */
static void log_text(const tool *t, bl_log_level level, const char *text) {
    if (level >= BL_LOG_INFO) {
        fprintf(stderr, "%s\n", text);
        return;
    }
    char word[16];
    snprintf(word, sizeof word, "%s: ", level_name(level));
    const char *paint = !t->color ? "" : level == BL_LOG_ERROR ? "\033[1;31m" : "\033[1;35m";
    const char *plain = t->color ? "\033[0m" : "";
    const char *at = strstr(text, word), *line_end = strchr(text, '\n');
    if (at && (!line_end || at < line_end))
        fprintf(stderr, "%.*s%s%s%s%s\n", (int)(at - text), text, paint, word, plain, at + strlen(word));
    else
        fprintf(stderr, "beadlet: %s%s%s%s\n", paint, word, plain, text);
}

void tool_log(void *user, bl_log_level level, const char *text) {
    tool *t = user;
    if (t->quiet && level > BL_LOG_ERROR) return;
    tool_end_progress(t);
    if (t->json) {
        fprintf(stderr, "{\"level\": \"%s\", \"text\": ", level_name(level));
        print_json_string(text);
        fputs("}\n", stderr);
    } else {
        log_text(t, level, text);
    }
}

int tool_fail(tool *t, bl_status status) {
    const char *text = t->ctx ? bl_context_error(t->ctx) : "";
    tool_log(t, BL_LOG_ERROR, *text ? text : bl_status_name(status));
    return bl_status_exit_code(status);
}

int tool_usage(const tool *t, const char *fmt, ...) {
    const char *name = t->command ? t->command->name : "";
    fprintf(stderr, "beadlet%s%s: ", *name ? " " : "", name);
    va_list args;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, "\nTry: beadlet %s%s--help\n", name, *name ? " " : "");
    return 2;
}
