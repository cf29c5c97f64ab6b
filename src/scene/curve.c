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

bool bl_curve_is_constant(const bl_curve *curve) {
    for (int i = 1; i < curve->count; i++)
        for (int k = 0; k < curve->width; k++)
            if (curve->values[i * curve->width + k] != curve->values[k]) return false;
    return true;
}
