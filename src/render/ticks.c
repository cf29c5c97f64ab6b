#include "render/ticks.h"
#include <math.h>
#include <stdio.h>

double bl_nice_step(double range, int count) {
    double raw = range / (count > 1 ? count : 1), power = pow(10, floor(log10(raw)));
    static const double nice[] = {1, 2, 5, 10};
    for (int i = 0; i < 4; i++)
        if (nice[i] * power >= raw * (1 - 1e-9)) return nice[i] * power;
    return 10 * power;
}

static void add(bl_ticks *ticks, double at, bool major) {
    if (ticks->count == BL_TICKS_MAX) return;
    ticks->at[ticks->count] = at;
    ticks->major[ticks->count++] = major;
}

bl_ticks bl_ticks_linear(double low, double high, int count) {
    bl_ticks t = {0};
    t.step = bl_nice_step(high - low, count);
    double largest = fmax(fabs(low), fabs(high));
    double magnitude = floor(log10(largest) + 1e-9);
    if (magnitude < -2 || magnitude > 4) t.exponent = 3 * (int)floor(magnitude / 3);
    double first = ceil(low / t.step - 1e-6), last = floor(high / t.step + 1e-6);
    for (double k = first; k <= last; k++) add(&t, k * t.step, true);
    return t;
}

bl_ticks bl_ticks_log(double low, double high, int count) {
    bl_ticks t = {0};
    int first = (int)floor(log10(low) + 1e-9), last = (int)ceil(log10(high) - 1e-9), decades = last - first;
    int every = 1; /* decades between numbers */
    while (decades / every > count) every++;
    bool fine = decades <= 2; /* numbers at 2 and 5 too */
    for (int d = first; d <= last; d++)
        for (int m = 1; m < 10; m++) {
            double at = m * pow(10, d);
            if (at < low * (1 - 1e-9) || at > high * (1 + 1e-9)) continue;
            bool whole = m == 1 && (d - first) % every == 0;
            if (m > 1 && decades > 6) continue;
            add(&t, at, whole || (fine && (m == 2 || m == 5)));
        }
    return t;
}

char *bl_tick_label(const bl_ticks *ticks, int index, bool log_axis, char *buffer) {
    double value = ticks->at[index];
    if (log_axis) {
        int decade = (int)floor(log10(value) + 1e-9);
        double mantissa = value / pow(10, decade);
        if (decade >= -2 && decade <= 3)
            snprintf(buffer, 32, "%g", value);
        else if (fabs(mantissa - 1) < 1e-6)
            snprintf(buffer, 32, "10^%d", decade);
        else
            snprintf(buffer, 32, "%.0fx10^%d", mantissa, decade);
        return buffer;
    }
    double unit = pow(10, ticks->exponent);
    int decimals = (int)ceil(-log10(ticks->step / unit) - 1e-9);
    if (decimals < 0) decimals = 0;
    double shown = value / unit;
    if (fabs(shown) < 1e-9 * ticks->step / unit) shown = 0; /* no "-0" */
    snprintf(buffer, 32, "%.*f", decimals > 9 ? 9 : decimals, shown);
    return buffer;
}
