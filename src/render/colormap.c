#include "render/colormap.h"
#include <math.h>

double bl_srgb_encode(double linear) {
    double x = linear < 0 ? 0 : linear > 1 ? 1 : linear;
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

double bl_srgb_decode(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4); }

double bl_luminance(bl_vec3d c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

static double lab_inverse(double f) {
    double d = 6.0 / 29;
    return f > d ? f * f * f : 3 * d * d * (f - 4.0 / 29);
}

/* CIELAB (D65) to linear sRGB, unclamped. */
static bl_vec3d lab_to_rgb(double l, double a, double b) {
    double fy = (l + 16) / 116;
    double x = 0.95047 * lab_inverse(fy + a / 500), y = lab_inverse(fy), z = 1.08883 * lab_inverse(fy - b / 200);
    return bl_v3d_make(3.2404542 * x - 1.5371385 * y - 0.4985314 * z, -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
                       0.0556434 * x - 0.2040259 * y + 1.0572252 * z);
}

bl_vec3d bl_colormap(double t) {
    if (isnan(t)) return bl_v3d_make(0.2, 0.2, 0.2);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    /* the hue falls from violet (302 degrees) to yellow (98); the chroma is a smooth bound under what a screen shows */
    double l = 16 + 75 * t, hue = (302 - 204 * pow(t, 0.85)) * (3.14159265358979323846 / 180);
    double chroma = 24 + (t < 0.25 ? 220 : 105) * (t - 0.25) * (t - 0.25);
    bl_vec3d c = lab_to_rgb(l, chroma * cos(hue), chroma * sin(hue));
    return bl_v3d_make(fmax(c.x, 0), fmax(c.y, 0), fmax(c.z, 0));
}
