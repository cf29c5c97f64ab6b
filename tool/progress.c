/* Progress on stderr: a bar on a terminal, now and then a line elsewhere. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Seconds between two signs of progress: on a terminal, and elsewhere. */
static const double BAR_EVERY = 0.1, LINE_EVERY = 2;

static double now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static const char *format_duration(char *buffer, size_t size, double seconds) {
    if (!(seconds < 360000))
        snprintf(buffer, size, "?");
    else if (seconds < 60)
        snprintf(buffer, size, "%.0f s", seconds);
    else if (seconds < 3600)
        snprintf(buffer, size, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(buffer, size, "%d h %02d min", (int)seconds / 3600, (int)seconds / 60 % 60);
    return buffer;
}

static void print_bar(tool *t, const bl_progress *p) {
    enum { WIDTH = 24 };
    char bar[WIDTH + 1], eta[32];
    int full = p->end > 0 ? (int)fmin(WIDTH, WIDTH * p->time / p->end) : WIDTH;
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)full);
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s%s%s] frame %d/%d  t %.4g ms  dt %.3g us  %d it  ETA %s\033[K", t->color ? "\033[36m" : "",
            bar, t->color ? "\033[0m" : "", p->frame, p->frame_count, 1e3 * p->time, 1e6 * p->dt, p->iterations,
            format_duration(eta, sizeof eta, p->eta_seconds));
    fflush(stderr);
    t->bar_shown = true;
}

static void print_line(const bl_progress *p) {
    char eta[32];
    fprintf(stderr, "frame %d/%d  step %llu  t %.4g ms  dt %.3g us (%s)  %d iterations  ETA %s\n", p->frame,
            p->frame_count, (unsigned long long)p->step, 1e3 * p->time, 1e6 * p->dt, p->limit, p->iterations,
            format_duration(eta, sizeof eta, p->eta_seconds));
}

static void print_json(const bl_progress *p) {
    fprintf(stderr,
            "{\"level\": \"progress\", \"frame\": %d, \"frames\": %d, \"step\": %llu, \"time\": %.9g, \"end\": %.9g, "
            "\"dt\": %.6g, \"limit\": \"%s\", \"iterations\": %d, \"retries\": %llu, \"wall\": %.3f, \"eta\": %.3f}\n",
            p->frame, p->frame_count, (unsigned long long)p->step, p->time, p->end, p->dt, p->limit, p->iterations,
            (unsigned long long)p->retries, p->wall_seconds, p->eta_seconds);
}

void tool_progress(void *user, const bl_progress *progress) {
    tool *t = user;
    bool bar = t->terminal && !t->json;
    double time = now();
    if (t->quiet || time - t->last_progress < (bar ? BAR_EVERY : LINE_EVERY)) return;
    t->last_progress = time;
    if (bar)
        print_bar(t, progress);
    else if (t->json)
        print_json(progress);
    else
        print_line(progress);
}

void tool_end_progress(tool *t) {
    if (t->bar_shown) fputc('\n', stderr);
    t->bar_shown = false;
}
