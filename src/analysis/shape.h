/* The shape of a liquid: volume, surface, modes of oscillation. */
#ifndef BL_ANALYSIS_SHAPE_H
#define BL_ANALYSIS_SHAPE_H

#include "analysis/liquid.h"
#include "analysis/wall.h"

/* Amplitude eps of mode n (2, 3, 4) about the centre of mass, from solid-harmonic moments, without a surface:
 *   3D  r = R (1 + eps P_n(cos theta)), theta from the z axis:  eps = (2n+1)/3 <r^n P_n> / R^n
 *   2D  r = R (1 + eps cos n phi), phi from the x axis:         eps = <r^n cos n phi> / R^n */
double bl_mode_amplitude(const bl_liquid *liquid, int n);

/* 2D: length of the outline of a shape that every ray from its centre of mass leaves once. The outline r(phi) is read
 * from angular moments: the Fourier coefficients of r^2/2 are h^2/(2 pi) sum_j exp(-i n phi_j). Waves up to
 * n = R/(2h), at most 24, are kept; finer ones are the lattice's. */
double bl_outline_length(const bl_liquid *liquid);

typedef struct bl_shape_result {
    double volume;     /* 3D: inside the reconstructed surface; 2D: area of the particles */
    double area;       /* 3D: of the reconstructed surface, walls included; 2D: length of the outline */
    double sphericity; /* area of the ball of that volume over `area`; the same with discs in 2D; 1 if round */
    double mode[3];    /* n = 2, 3, 4 */
    bl_vec3d center;
} bl_shape_result;
/* `walls` (NULL: none) are boundary particles; the surface ends `gap` in front of them, where the liquid begins. */
bl_status bl_measure_shape(bl_context *ctx, const bl_liquid *liquid, const bl_walls_sample *walls, double gap,
                           bl_shape_result *out);

#endif
