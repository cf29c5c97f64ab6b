#include "tool.h"

#include <string.h>
#include <unistd.h>

/* A signal handler can only reach variables of the whole program. */
static volatile sig_atomic_t interrupts;
static const char *text;
static size_t text_size;

static void on_signal(int number) {
    (void)number;
    if (interrupts) _exit(130);
    interrupts = 1;
    ssize_t written = write(STDERR_FILENO, text, text_size);
    (void)written;
}

const volatile sig_atomic_t *tool_catch_interrupts(const char *said) {
    text = said;
    text_size = strlen(said);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupts;
}
