/* The kernels a scene is computed with, and how far they reach. */
#ifndef BL_SCHEMES_KERNELS_H
#define BL_SCHEMES_KERNELS_H

#include "physics/kernel.h"
#include "scene/scene.h"

/* Supports in spacings: of pressure and friction, of tension and viscosity. */
double bl_near_reach(bl_kernel_family family);
double bl_far_reach(bl_kernel_family family);

/* The same kernels for particles `h` apart. */
bl_kernel bl_near_kernel(int dimension, bl_kernel_family family, double h);
bl_kernel bl_far_kernel(int dimension, bl_kernel_family family, double h);

/* A0 of the physical calibration, in spacings to the power dimension - 1 (physics/calibration.h). */
double bl_rest_area(int dimension, bl_kernel_family family);

/* Whether passes work in groups of particles (physics/groups.h), which know one fluid. */
bool bl_scene_has_groups(const bl_scene *scene);

#endif
