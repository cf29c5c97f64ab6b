#include "tool.h"

#include <string.h>
#include <unistd.h>

/* A signal handler can only reach a variable of the whole program. */
static volatile sig_atomic_t interrupts;

static void on_signal(int number) {
    (void)number;
    static const char text[] =
        "\ninterrupted: finishing the step and writing a checkpoint; once more to stop at once\n";
    if (interrupts) _exit(130);
    interrupts = 1;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

const volatile sig_atomic_t *tool_catch_interrupts(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupts;
}
