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
#define BL_A0_SMOOTH_3D 4.46

/* Supports in spacings, for pressure and for tension. */
#define BL_NEAR_CUBIC 2.0
#define BL_FAR_CUBIC 3.0
#define BL_NEAR_SMOOTH 2.2
#define BL_FAR_SMOOTH 3.17

/* Smooth kernels (physics/kernel.h): of all with these powers, supports and second moments those that see least of what
 * is finer than a packing (tools/kernel_terms.c). */
#define BL_NEAR_SMOOTH_TERMS                                                                                           \
    { 0.010754, 0.278101, 0.359959, 0.351186 }
#define BL_FAR_SMOOTH_TERMS                                                                                            \
    { 0.029514, 0.332675, 0.478620, 0.159192 }

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

/* The field (physics/field.h): its kernel's support and the distance of its nodes, in spacings; the least room outside
 * of a wall that counts; by how much less than the law's largest a node counts as inside or outside of the liquid. */
#define BL_FIELD_SUPPORT 2.6
#define BL_FIELD_NODES 0.65
#define BL_FIELD_COHESION 2 /* with 1 thin jets lose single particles */
#define BL_FIELD_BLUNT 0.1  /* gradients of a, over the support, without a direction; at a surface they are 1.5 */
#define BL_FIELD_NOTHING 5e-3
#define BL_FIELD_STIFFNESS 1.0 /* the capillary step is time.capillary_factor sqrt(rho h^3/(this gamma)) */
/* d of f(m) with a field in 2D: nothing presses at the surface, and a sharp tip only holds rows in place. */
#define BL_FIELD_SURFACE_D_2D 0.1

#endif
