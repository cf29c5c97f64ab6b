/* Rest areas A0: how much interface area one particle stands for when nothing surrounds it (eq. 10).
 *
 * `paper` is what the publication gives; `physical` makes the energy of a relaxed flat free surface equal gamma per
 * area, for the cubic spline, support 3h, eps = 0.05 and the corrected volume constraint; `smooth` for the smooth
 * kernels below. docs/theory/calibration.md says where each comes from. */
#ifndef BL_PHYSICS_CALIBRATION_H
#define BL_PHYSICS_CALIBRATION_H

#define BL_INTERFACE_EPS 0.05 /* eq. 9 */

/* A0 in units of h^(dim - 1) */
#define BL_A0_PAPER_2D 0.5
#define BL_A0_PAPER_3D 0.78539816339744831 /* pi/4 */
#define BL_A0_PHYSICAL_2D 4.60
#define BL_A0_PHYSICAL_3D 4.49
#define BL_A0_SMOOTH_3D 4.446

/* Supports in spacings, for pressure and for tension. */
#define BL_NEAR_CUBIC 2.0
#define BL_FAR_CUBIC 3.0
#define BL_NEAR_SMOOTH 2.2
#define BL_FAR_SMOOTH 3.17

/* Smooth kernels (physics/kernel.h): I0(b sqrt(u)) - 1 over its value at u = 1, with b = 13 and b = 12, by least
 * squares with the weight q^2; within 3e-5 of it, their transforms within 1e-6. */
#define BL_NEAR_SMOOTH_TERMS                                                                                           \
    { 0.0005294, 0.0187645, -0.0609874, 0.6483619, -1.3452456, 2.7284759, -2.0691987, 1.0793000 }
#define BL_FAR_SMOOTH_TERMS                                                                                            \
    { 0.0017460, 0.0217242, 0.0191399, 0.4107662, -0.5177237, 1.4406265, -0.9532105, 0.5769314 }

/* Less than this of C_FV is not surface but packing: rows of particles along walls and below a surface leave that much
 * open, and S, which begins with the slope 1/eps, would press them together. Packings in 3D have no rows. */
#define BL_PACKING_2D 0.005
#define BL_PACKING_3D 0

/* f(m) of the corrected constraint (physics/volume.h). In 2D a relaxed film pulls with its energy, however it
 * is stretched, for slopes of 1.7 to 1.9 (tools/film_tension.c; docs/theory/calibration.md on the choice). */
#define BL_SURFACE_K_2D 1.75
#define BL_SURFACE_F_2D 0 /* none */
#define BL_SURFACE_D_2D 0.01
#define BL_SURFACE_K_3D 3.0
#define BL_SURFACE_F_3D 0.35
#define BL_SURFACE_D_3D 0.02

#endif
