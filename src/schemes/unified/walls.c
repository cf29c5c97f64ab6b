/* The energies of walls of several layers, from sums over the lattice.
 *
 * The layers continue the lattice of the liquid, whose surface layers relax while the wall's cannot. So the energy per
 * area of a dry wall with gamma_BV = 1 is not 1, as the liquid's own is by calibration, but (h = 1)
 *   dry = A0 sum_k [max_eps(C_k) - max_eps(C_k - F_k)],  C_k = 1 - sum_l g(k - l),  F_k = sum_l g(k + 1 + l),
 * where k and l count layers and g(z) is the sum of V0 W over a lattice plane at distance z: C_k is C_BV of the dry
 * wall, F_k is C_BF of the wet one. The wall has no back: the sum over the layers behind k is at least (1 - g(0))/2
 * (bl_pass_boundary_sum). The second term is what rounding of the lattice sums leaves of a wet one.
 *
 * A repellent wall has a gamma_BV below zero: being dry is what it gains. Where it is wet C_BV is zero and liquid feels
 * nothing of it, as on a wall of 90 degrees; a gamma_BF instead would lift the liquid off and make a surface layer of
 * its base, with the hysteresis of one (docs/theory/calibration.md). Towards 180 degrees the layers of a liquid give
 * way nevertheless, which costs less: tools/wall_energy.py measures it on slabs at rest. */
#include "physics/calibration.h"
#include "physics/tension.h"
#include "schemes/kernels.h"
#include "schemes/unified/unified.h"

#include <math.h>
#include <stdlib.h>

enum { REACH = 4 };  /* whole spacings that hold the support of the tension */
enum { SHARES = 8 }; /* what a wet wall costs over gamma: as a rigid lattice, and relaxed */
static const double RIGID[SHARES] = {0, 0.2, 0.4, 0.6, 0.8, 0.9, 1, 1.1};
static const double RELAXED_2D[SHARES] = {0, 0.2000, 0.3977, 0.5883, 0.7700, 0.8550, 0.9330, 0.9960};
static const double RELAXED_3D[SHARES] = {0, 0.1997, 0.4000, 0.5967, 0.7847, 0.8707, 0.9537, 1.0080};
static const double RELAXED_SMOOTH[SHARES] = {0, 0.2000, 0.3983, 0.5913, 0.7750, 0.8620, 0.9443, 0.9983};

/* A lattice of particles and the kernel of the tension; all lengths in spacings. */
typedef struct lattice {
    int dimension;
    bl_kernel kernel;
} lattice;

/* Sum of V0 W over the points of a lattice plane at distance z. */
static double plane_sum(lattice l, double z) {
    int deep = l.dimension == 3 ? REACH : 0;
    double sum = 0;
    for (int x = -REACH; x <= REACH; x++)
        for (int y = -deep; y <= deep; y++) sum += (double)bl_kernel_w(l.kernel, (real)sqrt(x * x + y * y + z * z));
    return sum;
}

/* The same over `count` planes at z, z + 1, ... */
static double planes_sum(lattice l, double z, int count) {
    double sum = 0;
    for (int k = 0; k < count && z + k < REACH; k++) sum += plane_sum(l, z + k);
    return sum;
}

static double smooth_max(double c) { return (double)bl_smooth_max((real)c, BL_R(BL_INTERFACE_EPS)); }

void bl_wall_energies_init(int dimension, bl_kernel_family family, int layers, bl_wall_energies *out) {
    lattice l = {dimension, bl_far_kernel(dimension, family, 1)};
    double a0 = bl_rest_area(dimension, family), self = plane_sum(l, 0);
    *out = (bl_wall_energies){.behind = 0.5 * (1 - self) / plane_sum(l, 1)};
    for (int k = 0; k < layers; k++) {
        double above = planes_sum(l, 1, k), below = planes_sum(l, 1, layers - 1 - k);
        double back = fmax(below, 0.5 * (1 - self)), vapor = 1 - self - above - back;
        double fluid = planes_sum(l, k + 1, REACH);
        out->open += vapor;
        out->dry += a0 * (smooth_max(vapor) - smooth_max(vapor - fluid));
        if (k == 0) out->deep = 1 / out->dry;
    }
    out->deep *= out->dry;
}

double bl_wall_repulsion(int dimension, bl_kernel_family family, double share) {
    const double *relaxed = dimension == 2 ? RELAXED_2D : family == BL_KERNELS_SMOOTH ? RELAXED_SMOOTH : RELAXED_3D;
    int k = 1;
    if (!(share > 0)) return 0;
    while (k < SHARES - 1 && relaxed[k] < share) ++k;
    double along = (share - relaxed[k - 1]) / (relaxed[k] - relaxed[k - 1]);
    return RIGID[k - 1] + (RIGID[k] - RIGID[k - 1]) * fmin(along, 1);
}
