/* Sums over the neighbours of a particle deep in a cubic lattice of spacing 1: what the step size of the pressure, the
 * viscosity and the limits of the time step are made of. */
#include "schemes/pcisph/pcisph.h"

#include <math.h>

/* A central force's largest spring constant along any direction, times the number of ends: |f'| along the pair, |f|/r
 * across it, as means over directions; two for neighbours that move the other way. */
static double spring(int dimension, double f, double slope, double r) {
    return 2 * (fabs(slope) + (dimension - 1) * fabs(f) / r) / dimension;
}

static void add_neighbour(int dimension, bl_kernel kernel, double r, bl_template *t, double *bend) {
    const double step = 1e-3, reach = BL_PAIRWISE_REACH;
    double dw = r * (double)bl_kernel_dw_over_r(kernel, (real)r), soft = r * r / (r * r + 0.01);
    t->gradients += dw * dw;
    t->viscosity += r * fabs(dw) * soft / dimension;
    t->viscous_rate += 4 * (dimension + 2) * fabs(dw) / r * soft / dimension;
    if (r < 2) {
        double up = (double)bl_cohesion_shape((real)((r + step) / 2)),
               down = (double)bl_cohesion_shape((real)((r - step) / 2));
        double next = (r + step) * (double)bl_kernel_dw_over_r(kernel, (real)(r + step));
        t->cohesion_rate += spring(dimension, (up + down) / 2, (up - down) / (2 * step), r);
        t->curvature_rate += 1;
        *bend += 2 * spring(dimension, dw, (next - dw) / step, r);
    }
    if (r < reach) {
        double up = (double)bl_cosine_shape((real)((r + step) / reach)),
               down = (double)bl_cosine_shape((real)((r - step) / reach));
        t->pairwise_rate += spring(dimension, (up + down) / 2, (up - down) / (2 * step), r);
    }
}

void bl_template_init(int dimension, bl_template *out) {
    bl_kernel kernel = bl_kernel_make(dimension, 2);
    double bend = 0;
    int deep = dimension == 3 ? 2 : 0;
    *out = (bl_template){0};
    for (int x = -2; x <= 2; ++x)
        for (int y = -2; y <= 2; ++y)
            for (int z = -deep; z <= deep; ++z)
                if (x || y || z) add_neighbour(dimension, kernel, sqrt(x * x + y * y + z * z), out, &bend);
    out->viscous_rate /= out->viscosity;
    out->curvature_rate *= 2 * bend;
}
