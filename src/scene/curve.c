#include "scene/scene.h"

#include <string.h>

/* The keyframe at or before `time` and how far it is to the next one, 0 to 1. */
static int find_keyframe(const bl_curve *curve, double time, double *fraction) {
    *fraction = 0;
    int low = 0, high = curve->count - 1;
    if (!(time > curve->times[0])) return 0;
    if (time >= curve->times[high]) return high;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (curve->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    *fraction = (time - curve->times[low]) / (curve->times[high] - curve->times[low]);
    return low;
}

static double blend(const bl_curve *curve, int keyframe, int component, double fraction) {
    const double *value = &curve->values[keyframe * curve->width + component];
    return fraction > 0 ? value[0] + fraction * (value[curve->width] - value[0]) : value[0];
}

double bl_curve_at(const bl_curve *curve, double time) {
    if (curve->count == 0) return (double)NAN;
    double fraction;
    int keyframe = find_keyframe(curve, time, &fraction);
    return blend(curve, keyframe, 0, fraction);
}

bl_vec3d bl_curve_at3(const bl_curve *curve, double time) {
    if (curve->count == 0) return bl_v3d_make((double)NAN, (double)NAN, (double)NAN);
    double fraction;
    int keyframe = find_keyframe(curve, time, &fraction);
    return bl_v3d_make(blend(curve, keyframe, 0, fraction), blend(curve, keyframe, 1, fraction),
                       blend(curve, keyframe, 2, fraction));
}

/* The k-th linear piece of a curve within [0, time], k = 0 .. count; false: it is empty. */
static bool find_piece(const bl_curve *curve, double time, int k, double *begin, double *end) {
    *begin = k == 0 ? 0 : fmax(0, curve->times[k - 1]);
    *end = k == curve->count ? time : fmin(time, curve->times[k]);
    return *end > *begin;
}

double bl_curve_integral(const bl_curve *curve, double time) {
    double sum = 0, begin, end;
    for (int k = 0; curve->count > 0 && k <= curve->count; k++)
        if (find_piece(curve, time, k, &begin, &end))
            sum += (end - begin) * 0.5 * (bl_curve_at(curve, begin) + bl_curve_at(curve, end));
    return sum;
}

bl_vec3d bl_curve_integral3(const bl_curve *curve, double time) {
    bl_vec3d sum = bl_v3d_zero();
    double begin, end;
    for (int k = 0; curve->count > 0 && k <= curve->count; k++)
        if (find_piece(curve, time, k, &begin, &end))
            sum =
                bl_v3d_mad(sum, (end - begin) * 0.5, bl_v3d_add(bl_curve_at3(curve, begin), bl_curve_at3(curve, end)));
    return sum;
}

static double magnitude_at(const bl_curve *curve, double time) {
    return curve->width == 3 ? bl_v3d_norm(bl_curve_at3(curve, time)) : fabs(bl_curve_at(curve, time));
}

double bl_curve_largest(const bl_curve *curve, double from, double to) {
    if (curve->count == 0) return 0;
    double largest = fmax(magnitude_at(curve, from), magnitude_at(curve, to));
    for (int k = 0; k < curve->count; k++)
        if (curve->times[k] > from && curve->times[k] < to)
            largest = fmax(largest, magnitude_at(curve, curve->times[k]));
    return largest;
}

double bl_curve_steepest(const bl_curve *curve, double from, double to) {
    double steepest = 0;
    for (int k = 0; k + 1 < curve->count; k++) {
        if (curve->times[k] > to || curve->times[k + 1] < from) continue;
        double rise2 = 0;
        for (int c = 0; c < curve->width; c++) {
            double rise = curve->values[(k + 1) * curve->width + c] - curve->values[k * curve->width + c];
            rise2 += rise * rise;
        }
        steepest = fmax(steepest, sqrt(rise2) / (curve->times[k + 1] - curve->times[k]));
    }
    return steepest;
}

bool bl_curve_is_constant(const bl_curve *curve) {
    for (int i = 1; i < curve->count; i++)
        for (int k = 0; k < curve->width; k++)
            if (curve->values[i * curve->width + k] != curve->values[k]) return false;
    return true;
}
