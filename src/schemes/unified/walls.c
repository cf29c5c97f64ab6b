/* The energies of walls of several layers, from sums over the lattice.
 *
 * The layers continue the lattice of the liquid, whose surface layers relax while the wall's cannot. So the energy per
 * area of a dry wall with gamma_BV = 1 is not 1, as the liquid's own is by calibration, but (h = 1)
 *   dry = A0 sum_k [max_eps(C_k) - max_eps(C_k - F_k)],  C_k = 1 - sum_l g(k - l),  F_k = sum_l g(k + 1 + l),
 * where k and l count layers and g(z) is the sum of V0 W over a lattice plane at distance z: C_k is C_BV of the dry
 * wall, F_k is C_BF of the wet one. The wall has no back: the sum over the layers behind k is at least (1 - g(0))/2
 * (bl_pass_boundary_sum). The second term is what rounding of the lattice sums leaves of a wet one.
 *
 * gamma_BF lifts the liquid off. max_eps begins with slope 0, so a gap d costs the liquid less at first than it saves
 * at the wall, and what a wet wall costs is the least of all gaps, min_d [gamma_BF wet(d) + gamma free(d)],  wet(d) =
 * A0 sum_k max_eps(F_k(d)), free(d) = A0 sum_k max_eps(c_k(d)), over its value far from the wall, with F_k(d) = sum_l
 * g(k + 1 + l + d) and c_k(d) the C_FV of layer k of the liquid.
 *
 * That is a lattice lifted off as a whole. The layers of a liquid move, too, which costs up to 7 % less:
 * tools/wall_energy.py measures it on slabs at rest. */
#include "physics/calibration.h"
#include "physics/tension.h"
#include "schemes/kernels.h"
#include "schemes/unified/unified.h"

#include <math.h>
#include <stdlib.h>

enum { BISECTIONS = 40 };
enum { REACH = 4 };  /* whole spacings that hold the support of the tension */
enum { SHARES = 7 }; /* what a wet wall costs over gamma: as a rigid lattice, and relaxed */
static const double RIGID[SHARES] = {0, 0.2, 0.4, 0.6, 0.8, 0.9, 1};
static const double RELAXED_2D[SHARES] = {0, 0.1930, 0.3795, 0.5642, 0.7548, 0.8882, 1};
static const double RELAXED_3D[SHARES] = {0, 0.1910, 0.3753, 0.5562, 0.7502, 0.8908, 1};
static const double RELAXED_SMOOTH[SHARES] = {0, 0.1912, 0.3767, 0.5585, 0.7472, 0.8900, 1};
static const double GAP_STEP = 0.02;    /* in spacings */
static const double MOST_REPULSION = 2; /* 160 degrees; what is missing to 180 would take ever more */

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

/* of C_FV that is no surface */
static double packing(int dimension) { return dimension == 2 ? BL_PACKING_2D : BL_PACKING_3D; }

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
    double half = packing(dimension) + planes_sum(l, 1, REACH), alone = 0;
    for (int k = 0; k < REACH; k++) alone += a0 * smooth_max(1 - self - half - planes_sum(l, 1, k));
    for (int i = 0; i < BL_WALL_GAPS; i++) {
        double gap = i * GAP_STEP;
        for (int k = 0; k < layers; k++) out->wet[i] += a0 * smooth_max(planes_sum(l, k + 1 + gap, REACH));
        for (int k = 0; k < REACH; k++) {
            double liquid = self + half + planes_sum(l, 1, k);
            out->free[i] += a0 * smooth_max(1 - liquid - planes_sum(l, k + 1 + gap, layers)) / alone;
        }
    }
}

/* What a wet wall costs in units of gamma. */
static double wet_energy(const bl_wall_energies *e, double repulsion) {
    double least = (double)INFINITY;
    for (int i = 0; i < BL_WALL_GAPS; i++) least = fmin(least, repulsion * e->wet[i] + e->free[i]);
    return least;
}

double bl_wall_repulsion(const bl_wall_energies *e, double share) {
    double low = 0, high = MOST_REPULSION;
    if (!(share > 0)) return 0;
    if (wet_energy(e, high) <= share) return high;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        *(wet_energy(e, middle) < share ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

double bl_wall_rigid_share(int dimension, bl_kernel_family family, double share) {
    const double *relaxed = dimension == 2 ? RELAXED_2D : family == BL_KERNELS_SMOOTH ? RELAXED_SMOOTH : RELAXED_3D;
    if (!(share > 0) || share >= 1) return share;
    int k = 1;
    while (relaxed[k] < share) ++k;
    return RIGID[k - 1] + (RIGID[k] - RIGID[k - 1]) * (share - relaxed[k - 1]) / (relaxed[k] - relaxed[k - 1]);
}
