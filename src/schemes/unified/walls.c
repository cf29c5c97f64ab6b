/* The energies of walls of several layers, from sums over the lattice.
 *
 * The layers continue the lattice of the liquid, whose surface layers relax while the wall's cannot. So the energy per
 * area of a dry wall with gamma_BV = 1 is not 1, as the liquid's own is by calibration, but (h = 1)
 *   dry = A0 sum_k [max_eps(C_k) - max_eps(C_k - F_k)],  C_k = 1 - sum_l g(k - l),  F_k = sum_(l >= 0) g(k + 1 + l)
 *   wet = A0 sum_k max_eps(F_k),
 * where k and l count layers, g(z) is the sum of V0 W over a lattice plane at distance z, C_k is C_BV of the dry wall
 * and F_k is C_BF of the wet one. The second term of `dry` is the back of the wall, which stays dry. */
#include "physics/calibration.h"
#include "physics/tension.h"
#include "schemes/unified/unified.h"

#include <math.h>
#include <stdlib.h>

enum { REACH = 3 }; /* support of the tension in spacings */

/* Sum of V0 W over the points of a lattice plane at distance z; all lengths in spacings. */
static double plane_sum(int dimension, int z) {
    bl_kernel kernel = bl_kernel_make(dimension, REACH);
    int deep = dimension == 3 ? REACH : 0;
    double sum = 0;
    for (int x = -REACH; x <= REACH; x++)
        for (int y = -deep; y <= deep; y++) sum += (double)bl_kernel_w(kernel, (real)sqrt(x * x + y * y + z * z));
    return sum;
}

static double smooth_max(double c) { return (double)bl_smooth_max((real)c, BL_R(BL_INTERFACE_EPS)); }

bl_wall_energies bl_wall_energies_of(int dimension, int layers) {
    double a0 = dimension == 2 ? BL_A0_PHYSICAL_2D : BL_A0_PHYSICAL_3D, g[REACH + 1];
    for (int z = 0; z <= REACH; z++) g[z] = plane_sum(dimension, z);
    bl_wall_energies e = {0, 0};
    for (int k = 0; k < layers; k++) {
        double vapor = 1, fluid = 0;
        for (int l = 0; l < layers; l++)
            if (abs(k - l) <= REACH) vapor -= g[abs(k - l)];
        for (int l = k + 1; l <= REACH; l++) fluid += g[l];
        e.dry += a0 * (smooth_max(vapor) - smooth_max(vapor - fluid));
        e.wet += a0 * smooth_max(fluid);
    }
    return e;
}
