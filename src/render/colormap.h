/* Colours for numbers. */
#ifndef BL_RENDER_COLORMAP_H
#define BL_RENDER_COLORMAP_H

#include "base/vec3.h"

/* Linear RGB at t in [0, 1] (clamped; NaN gives grey) of a map made for reading values: its lightness L* rises evenly
 * from 16 to 91 while the hue turns from violet over blue and green to yellow, so it reads the same to people with
 * red-green weakness and in grey print. Computed in CIELAB, no table. */
bl_vec3d bl_colormap(double t);

double bl_srgb_encode(double linear); /* 0..1 to 0..1 */
double bl_srgb_decode(double srgb);
double bl_luminance(bl_vec3d linear);

#endif
