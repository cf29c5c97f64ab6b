/* Newtons per metre and degrees from pair forces (docs/theory/pcisph.md#calibration).
 *
 * A liquid fills z < 0 evenly with n = 1/d^dim particles. Central forces f(r) K(z_1, z_2), attraction positive, give
 * the tension sigma = n^2/4 int dz_1 int d^3 x K f(r) (r^2 - 3 z^2)/r  (3D),   n^2/2 ... (r^2 - 2 z^2)/r  (2D), whose
 * part with K = 1 is (pi/8) n^2 int r^4 f dr and (n^2/3) int r^3 f dr. The curvature force acts along z alone; it adds
 * to the normal stress, which is zero in all, so that the pressure gives back the same in every direction: sigma = n^2
 * int dz_1 int_{z > 0} d^3 x K z (|n(z_1)| - |n(z_1 - z)|). Integrals are sums over slices; lengths are in supports,
 * the spacing is 1/2. */
#include "schemes/pcisph/pcisph.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
enum { SLICES = 128, STEPS = 256 };

typedef double (*shape_fn)(double r); /* of 0 <= r, 0 from 1 on */

static double cohesion(double r) { return r < 1 ? 32 / PI * (double)bl_cohesion_shape((real)r) : 0; }
static double adhesion(double r) { return r < 1 ? 0.007 * sqrt(sqrt(2.0)) * (double)bl_adhesion_shape((real)r) : 0; }
static double cosine(double r) { return r < 1 ? (double)bl_cosine_shape((real)r) : 0; }
static double one(double r) { return r < 1; }
static double kernel_3d(double r) { return (double)bl_kernel_w(bl_kernel_make(3, 1), (real)r); }
static double kernel_2d(double r) { return (double)bl_kernel_w(bl_kernel_make(2, 1), (real)r); }

/* The integral of f(r) g(r, z) over the plane at height z; g = 1, or what turns a force into a tension. */
static double over_plane(int dimension, shape_fn f, double z, bool tension) {
    double sum = 0, reach = sqrt(fmax(0, 1 - z * z)), step = reach / STEPS;
    for (int k = 0; k < STEPS; ++k) {
        double s = (k + 0.5) * step, r = sqrt(s * s + z * z);
        double weight = tension ? (r * r - dimension * z * z) / r : 1;
        sum += f(r) * weight * (dimension == 3 ? 2 * PI * s : 2);
    }
    return sum * step;
}

/* The tension of forces f that act between all pairs, over n^2. */
static double even_tension(int dimension, shape_fn f) {
    double sum = 0;
    for (int k = 0; k < SLICES * STEPS; ++k) {
        double r = (k + 0.5) / (SLICES * STEPS);
        sum += f(r) * pow(r, dimension + 1);
    }
    return sum / (SLICES * STEPS) * (dimension == 3 ? PI / 8 : 1.0 / 3);
}

/* The half-space below a free surface in slices: density over rho0, and |n|. */
typedef struct profile {
    double density[2 * SLICES], normal[2 * SLICES];
} profile;

static void make_profile(int dimension, profile *out) {
    shape_fn kernel = dimension == 3 ? kernel_3d : kernel_2d;
    double sum = 0.5, last = over_plane(dimension, kernel, 0, false);
    for (int k = 0; k < 2 * SLICES; ++k) {
        double here = over_plane(dimension, kernel, fmin(1, (k + 0.5) / SLICES), false);
        sum += (k ? 0.5 : 0.25) * (last + here) / SLICES;
        out->density[k] = fmin(1, sum);
        out->normal[k] = last = here;
    }
}

/* Tensions that K_ij adds to cohesion, and of the curvature with and without it; n = 8 (3D) or 4 (2D). */
static void surface_tensions(int dimension, double *more, double *curvature, double *wall_curvature) {
    static const double width = 1.0 / SLICES;
    profile p;
    make_profile(dimension, &p);
    double n = dimension == 3 ? 8 : 4, before = dimension == 3 ? 0.25 : 0.5;
    *more = *curvature = *wall_curvature = 0;
    for (int k = 0; k < SLICES; ++k) {
        double central = over_plane(dimension, cohesion, k * width, true) * (k ? 2 : 1) * before;
        double lift = over_plane(dimension, one, k * width, false) * k * width * n;
        for (int i = 0; i + k < 2 * SLICES; ++i) {
            double factor = 2 / (p.density[i] + p.density[i + k]), bend = p.normal[i] - p.normal[i + k];
            *more += central * (factor - 1) * width * width;
            *curvature += lift * factor * bend * width * width;
            *wall_curvature += lift * bend * width * width;
        }
    }
}

/* In 2D the pair forces get constant factors with which each makes the tension that it makes in 3D. */
void bl_pull_constants_init(int dimension, bl_pull_constants *out) {
    double more[2], curvature[2], wall[2], even[2];
    for (int k = 0; k < 2; ++k) {
        surface_tensions(2 + k, &more[k], &curvature[k], &wall[k]);
        even[k] = even_tension(2 + k, cohesion);
    }
    int k = dimension - 2;
    out->flat_cohesion = dimension == 2 ? (even[1] + more[1]) / (even[0] + more[0]) : 1;
    out->flat_curvature = dimension == 2 ? curvature[1] / curvature[0] : 1;
    out->cohesion = (even[k] + more[k]) * out->flat_cohesion;
    out->wall_cohesion = even[k] * out->flat_cohesion;
    out->curvature = curvature[k] * out->flat_curvature;
    out->wall_curvature = wall[k] * out->flat_curvature;
    out->flat_adhesion = 1;
    if (dimension == 2) out->flat_adhesion = bl_adhesion_work(3, 2, 1) / bl_adhesion_work(2, 2, 1);
}

double bl_pairwise_tension(int dimension) { return even_tension(dimension, cosine); }

/* --- walls: layers of a lattice, on which those of the liquid rest --- */

/* Energy that f(r) takes to be pulled from r to infinity, in a table. */
typedef struct potential {
    double u[STEPS + 1];
} potential;
static void make_potential(shape_fn f, potential *out) {
    out->u[STEPS] = 0;
    for (int k = STEPS; k > 0; --k) out->u[k - 1] = out->u[k] + f((k - 0.5) / STEPS) / STEPS;
}
static double potential_at(const potential *p, double r) {
    double along = r * STEPS;
    int k = (int)along;
    return k < STEPS ? p->u[k] + (along - k) * (p->u[k + 1] - p->u[k]) : 0;
}

/* The same between a particle and a plane at distance z, per particle of it and spacing^(dim - 1). */
static double plane_potential(int dimension, const potential *p, double spacing, double z) {
    double sum = 0, reach = sqrt(fmax(0, 1 - z * z)), step = reach / STEPS;
    for (int k = 0; k < STEPS; ++k) {
        double s = (k + 0.5) * step;
        sum += potential_at(p, sqrt(s * s + z * z)) * (dimension == 3 ? 2 * PI * s : 2);
    }
    return sum * step / pow(spacing, dimension - 1);
}

/* W over a plane at distance z of a lattice with the spacing 1/2, per volume of a particle. */
static double layer_weight(int dimension, double z) {
    return z < 1 ? over_plane(dimension, dimension == 3 ? kernel_3d : kernel_2d, z, false) / 2 : 0;
}

/* How far the first layer of liquid is from that of the wall, in supports: its density is complete there. */
static double find_gap(int dimension, int layers, double volume) {
    double missing = layer_weight(dimension, 0.5), low = 0, high = 1;
    for (int step = 0; step < 50; ++step) {
        double gap = 0.5 * (low + high), sum = 0;
        for (int b = 0; b < layers && b < 3; ++b) sum += volume * layer_weight(dimension, gap + 0.5 * b);
        *(sum > missing ? &low : &high) = gap;
    }
    return 0.5 * (low + high);
}

/* The sum of the potentials between all layers of liquid and `layers` of the wall, per particle of a layer. */
static double layers_work(int dimension, shape_fn f, double spacing, double gap, int layers) {
    potential p;
    double sum = 0;
    make_potential(f, &p);
    for (int a = 0; gap + a * spacing < 1; ++a)
        for (int b = 0; b < layers && gap + (a + b) * spacing < 1; ++b)
            sum += plane_potential(dimension, &p, spacing, gap + (a + b) * spacing);
    return sum;
}

double bl_adhesion_work(int dimension, int layers, double volume) {
    const double spacing = 0.5, gap = find_gap(dimension, layers, volume);
    /* m Psi_b per area: rho0^2 V0 V_b/d^(dim - 1) */
    double weight = pow(spacing, dimension + 1) * volume;
    return weight * layers_work(dimension, adhesion, spacing, gap, layers);
}

double bl_pairwise_share(int dimension, int layers, double volume) {
    const double spacing = 1 / BL_PAIRWISE_REACH, gap = 2 * find_gap(dimension, layers, volume) * spacing;
    enum { HALF_SPACE = 4 };
    double all = layers_work(dimension, cosine, spacing, spacing, HALF_SPACE);
    return volume * layers_work(dimension, cosine, spacing, gap, layers) / all;
}

double bl_single_layer_volume(int dimension) {
    bl_kernel kernel = bl_kernel_make(dimension, 2);
    double sum = 0;
    int deep = dimension == 3 ? 2 : 0;
    for (int x = -2; x <= 2; ++x)
        for (int y = -deep; y <= deep; ++y)
            sum += (double)bl_kernel_w(kernel, (real)sqrt(x * x + y * y)) * (dimension == 3 || y == 0);
    return 1 / sum;
}
