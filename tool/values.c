/* What was given for an option, as text, number or time. */
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *tool_nth(const tool *t, const char *option, int k) {
    for (int g = 0; g < t->given_count; g++)
        if (strcmp(t->given[g].option->name, option) == 0 && k-- == 0) return t->given[g].value;
    return NULL;
}

int tool_count(const tool *t, const char *option) {
    int count = 0;
    while (tool_nth(t, option, count)) count++;
    return count;
}

const char *tool_value(const tool *t, const char *option) {
    int count = tool_count(t, option);
    return count ? tool_nth(t, option, count - 1) : NULL;
}

bool tool_has(const tool *t, const char *option) { return tool_value(t, option) != NULL; }

int tool_integer(tool *t, const char *option, long min, long max, long *out) {
    const char *text = tool_value(t, option);
    if (!text || !*text) return 0;
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || value < min || value > max)
        return tool_usage(t, "--%s: \"%s\" is not a whole number from %ld to %ld", option, text, min, max);
    *out = value;
    return 0;
}

int tool_real(tool *t, const char *option, double min, double max, double *out) {
    const char *text = tool_value(t, option);
    if (!text || !*text) return 0;
    char *end = NULL;
    double value = strtod(text, &end);
    if (*end || !(value >= min && value <= max))
        return tool_usage(t, "--%s: \"%s\" is not a number from %g to %g", option, text, min, max);
    *out = value;
    return 0;
}

int tool_seconds(tool *t, const char *option, double *out) {
    /* Divided by, not multiplied with: 50 / 1000 is the double nearest to 0.05, 50 * 0.001 need not be. */
    static const struct {
        const char *unit;
        double per_second;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e3}, {"us", 1e6}};
    const char *text = tool_value(t, option);
    if (!text) return 0;
    char *end = NULL;
    double value = strtod(text, &end);
    bool sound = end != text && value >= 0 && value < 1e30;
    while (*end == ' ') end++;
    for (size_t k = 0; sound && k < sizeof units / sizeof units[0]; k++) {
        if (strcmp(end, units[k].unit) == 0) {
            *out = value / units[k].per_second;
            return 0;
        }
    }
    return tool_usage(t, "--%s: \"%s\" is not a time of 0 or more, such as 0.3, '20 ms' or 500us", option, text);
}
