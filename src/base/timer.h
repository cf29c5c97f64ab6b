/* Named accumulating timers; one set per simulation, written to run.json. */
#ifndef BL_BASE_TIMER_H
#define BL_BASE_TIMER_H

#include "base/context.h"

double bl_now(void); /* seconds on a monotonic clock */

enum { BL_TIMERS_MAX = 96 };
typedef struct bl_timer {
    const char *name; /* static string */
    double seconds;
    uint64_t calls;
} bl_timer;
typedef struct bl_timers {
    bl_timer items[BL_TIMERS_MAX];
    int count;
} bl_timers;
/* Add `seconds` to the timer called `name` (compared by content), making it if it is new. */
void bl_timers_add(bl_timers *timers, const char *name, double seconds);

#endif
