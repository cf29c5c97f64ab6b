#include "schemes/kernels.h"
#include "physics/calibration.h"

double bl_near_reach(bl_kernel_family family) { return family == BL_KERNELS_SMOOTH ? BL_NEAR_SMOOTH : BL_NEAR_CUBIC; }
double bl_far_reach(bl_kernel_family family) { return family == BL_KERNELS_SMOOTH ? BL_FAR_SMOOTH : BL_FAR_CUBIC; }

bl_kernel bl_near_kernel(int dimension, bl_kernel_family family, double h) {
    static const double terms[] = BL_NEAR_SMOOTH_TERMS;
    double support = bl_near_reach(family) * h;
    return family == BL_KERNELS_SMOOTH ? bl_kernel_make_smooth(support, terms) : bl_kernel_make(dimension, support);
}

bl_kernel bl_far_kernel(int dimension, bl_kernel_family family, double h) {
    static const double terms[] = BL_FAR_SMOOTH_TERMS;
    double support = bl_far_reach(family) * h;
    return family == BL_KERNELS_SMOOTH ? bl_kernel_make_smooth(support, terms) : bl_kernel_make(dimension, support);
}

double bl_rest_area(int dimension, bl_kernel_family family) {
    if (dimension == 2) return BL_A0_PHYSICAL_2D;
    return family == BL_KERNELS_SMOOTH ? BL_A0_SMOOTH_3D : BL_A0_PHYSICAL_3D;
}

bool bl_scene_has_groups(const bl_scene *scene) { return scene->fluid_count == 1; }
