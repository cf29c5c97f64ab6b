/* Named accumulating timers. */
#include "base/timer.h"

#include <assert.h>
#include <string.h>
#include <time.h>

double bl_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bl_timers_add(bl_timers *timers, const char *name, double seconds) {
    int i = 0;
    while (i < timers->count && strcmp(timers->items[i].name, name) != 0) i++;
    if (i == timers->count) {
        assert(timers->count < BL_TIMERS_MAX);
        timers->items[timers->count++] = (bl_timer){.name = name};
    }
    timers->items[i].seconds += seconds;
    timers->items[i].calls++;
}
