/* The kernel of surface reconstruction. Lengths are in particle spacings throughout this folder's internals.
 *
 *   W(r) = c (1 - r^2/H^2)^3,  c = 315 / (64 pi H^3),  integral 1.
 * A polynomial in r^2: no square root, and one row of grid nodes is one short loop. Integrated over planes it becomes
 * (315 / (256 H)) (1 - z^2/H^2)^4, which gives the slope of the field across a flat interface and the share of the
 * support that a wall at distance z cuts off, both in closed form. */
#ifndef BL_SURFACE_KERNEL_H
#define BL_SURFACE_KERNEL_H

/* H: wide enough to melt the layers of a lattice into a smooth surface, narrow enough to keep a two-layer film. */
#define BL_KERNEL_H 2.6f
#define BL_KERNEL_C (315.0f / (64.0f * 3.14159265f * BL_KERNEL_H * BL_KERNEL_H * BL_KERNEL_H))
/* Slope of the field across a flat interface, per spacing. */
#define BL_KERNEL_SLOPE (315.0f / (256.0f * BL_KERNEL_H))
/* Variance along one axis within a plane through the centre. At an interface with the curvatures k1, k2 the field is
 * 1/2 at the depth (k1 + k2) / 2 times this: the blur that bl_mesh_restore takes back. */
#define BL_KERNEL_VARIANCE (BL_KERNEL_H * BL_KERNEL_H / 10.0f)
/* Field value at a lone particle that becomes a ball of volume 1, of radius (3 / (4 pi))^(1/3):
 * 0.5 / (1 - radius^2/H^2)^3. */
#define BL_KERNEL_LONE_RADIUS 0.6203505f

/* W at the squared distance q = r^2/H^2, without c. */
static inline float bl_kernel(float q) {
    float t = 1.0f - q;
    t = t > 0.0f ? t : 0.0f;
    return t * t * t;
}

/* The field value a lone particle needs at its own place. */
static inline float bl_kernel_lone(void) {
    const float q = BL_KERNEL_LONE_RADIUS * BL_KERNEL_LONE_RADIUS / (BL_KERNEL_H * BL_KERNEL_H);
    return 0.5f / bl_kernel(q);
}

/* Share of the support beyond a plane at distance z: 1/2 at 0, 0 from H on, 1 from -H on. */
static inline float bl_kernel_beyond(float z) {
    float s = z / BL_KERNEL_H;
    s = s > 1.0f ? 1.0f : s < -1.0f ? -1.0f : s;
    const float s2 = s * s;
    /* integral of (1 - s^2)^4 */
    const float primitive =
        s * (1.0f + s2 * (-4.0f / 3.0f + s2 * (6.0f / 5.0f + s2 * (-4.0f / 7.0f + s2 * (1.0f / 9.0f)))));
    return 0.5f - 315.0f / 256.0f * primitive;
}

#endif
