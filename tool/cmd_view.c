/* beadlet view: a run in the browser. */
#include "tool.h"

#include <stdio.h>
#include <unistd.h>

static const tool_option options[] = {
    {"port", 'p', "N", "Listen on this port. Default: 8400, or the next free one.", HINT_NONE, NULL},
    {"listen", 0, "ADDRESS",
     "Listen on this IPv4 address; 0.0.0.0: any, so that other machines see the run too. Default: 127.0.0.1.",
     HINT_NONE, NULL},
    {"open", 0, NULL, "Open the page in the default browser (xdg-open).", HINT_NONE, NULL},
    TOOL_END,
};

typedef struct view_state {
    const tool *t;
    const volatile sig_atomic_t *stop;
} view_state;

static void open_browser(const char *url) {
    if (fork() != 0) return;
    execlp("xdg-open", "xdg-open", url, (char *)NULL);
    fprintf(stderr, "beadlet view: xdg-open is not there; please open %s yourself\n", url);
    _exit(127);
}

/* The address goes to standard output, flushed, for whoever waits for it. */
static void on_ready(void *user, const char *url) {
    const view_state *state = user;
    printf("%s\n", url);
    fflush(stdout);
    if (!state->t->quiet) fprintf(stderr, "Ctrl-C ends it\n");
    if (tool_has(state->t, "open")) open_browser(url);
}

static bool on_stop(void *user) { return *((const view_state *)user)->stop != 0; }

static int run_view(tool *t) {
    long port = 0;
    const int code = tool_integer(t, "port", 1, 65535, &port);
    if (code) return code;
    view_state state = {.t = t, .stop = tool_catch_interrupts("\n")};
    bl_view_def def = bl_default_view_def();
    def.port = (int)port;
    if (tool_has(t, "listen")) def.address = tool_value(t, "listen");
    def.ready = on_ready;
    def.stop = on_stop;
    def.user = &state;
    const bl_status status = bl_view_run(t->ctx, t->operands[0], &def);
    return status == BL_OK ? 0 : tool_fail(t, status);
}

const tool_command cmd_view = {
    .name = "view",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_DIR,
    .summary = "look at a run in the browser, also while it grows",
    .description =
        "Prints an address; the page there shows particles coloured by any field, surfaces, walls and curves, to be "
        "turned and played. It follows a run that is still going on. Nothing is sent to or asked for from elsewhere.\n"
        "Ctrl-C ends it.",
    .options = options,
    .examples = "  beadlet view out/drop --open\n  beadlet run my.yaml -o out/my & beadlet view out/my",
    .run = run_view,
};
