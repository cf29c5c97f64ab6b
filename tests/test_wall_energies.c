/* also: double */
/* The energies of a wall of several layers against sums over explicit lattices. */
#include "geometry_fixture.h"
#include "physics/calibration.h"
#include "schemes/unified/unified.h"

enum { WIDE = 4 };

/* What there are walls of. */
enum { KINDS = 3 };
typedef struct wall_kind {
    int dimension;
    bl_kernel_family family;
    double a0;
} wall_kind;
static const wall_kind KIND[KINDS] = {{2, BL_KERNELS_CUBIC, BL_A0_PHYSICAL_2D},
                                      {3, BL_KERNELS_CUBIC, BL_A0_PHYSICAL_3D},
                                      {3, BL_KERNELS_SMOOTH, BL_A0_SMOOTH_3D}};

static double smooth_shape(double q) {
    const double terms[] = BL_FAR_SMOOTH_TERMS, u = 1 - q * q;
    return terms[0] * pow(u, 2) + terms[1] * pow(u, 4) + terms[2] * pow(u, 6) + terms[3] * pow(u, 8);
}

/* The integral over the ball q < 1. */
static double smooth_whole(void) {
    const int n = 2000;
    double sum = 0;
    for (int k = 0; k < n; k++) sum += 4 * PI * pow((k + 0.5) / n, 2) * smooth_shape((k + 0.5) / n) / n;
    return sum;
}

static double smooth_kernel(double r) {
    static double whole = 0;
    if (whole == 0) whole = smooth_whole();
    return r < BL_FAR_SMOOTH ? smooth_shape(r / BL_FAR_SMOOTH) / (whole * pow(BL_FAR_SMOOTH, 3)) : 0;
}

static double kernel(wall_kind kind, double r) {
    if (kind.family == BL_KERNELS_SMOOTH) return smooth_kernel(r);
    double q = r / 3, s = kind.dimension == 2 ? 40 / (7 * PI * 9) : 8 / (PI * 27);
    return q < 0.5 ? s * (6 * (q * q * q - q * q) + 1) : q < 1 ? s * 2 * pow(1 - q, 3) : 0;
}

static double smooth_max(double c) { return c > 0 ? sqrt(c * c + 0.0025) - 0.05 : 0; }

/* Kernel sum at the height z of all lattice points with heights from `low` to `high`, halves included. */
static double block_sum(wall_kind kind, double z, double low, double high) {
    double sum = 0;
    for (double y = low; y <= high; y += 1)
        for (int a = -WIDE; a <= WIDE; a++)
            for (int b = kind.dimension == 3 ? -WIDE : 0; b <= (kind.dimension == 3 ? WIDE : 0); b++)
                sum += kernel(kind, sqrt(a * a + b * b + (y - z) * (y - z)));
    return sum;
}

/* The liquid is y >= 1/2, the wall's layers are at -1/2, -3/2, ... */
static void test_lattice_sums(void **state) {
    (void)state;
    for (int n = 0; n < KINDS; n++)
        for (int layers = 2; layers <= 4; layers++) {
            wall_kind kind = KIND[n];
            double a0 = kind.a0, dry = 0, first = 0, covered = 0, open = 0, beside = block_sum(kind, 0, 0, 0);
            bl_wall_energies e;
            bl_wall_energies_init(kind.dimension, kind.family, layers, &e);
            for (int k = 0; k < layers; k++) {
                /* the wall goes on behind its layers: half of a full space, less half of the layer itself */
                double z = -0.5 - k, front = block_sum(kind, z, z + 1, -0.5);
                double fluid = block_sum(kind, z, 0.5, 5.5), back = block_sum(kind, z, 0.5 - layers, z - 1);
                double wall = front + beside + fmax(back, 0.5 * (1 - beside));
                open += 1 - wall;
                dry += a0 * smooth_max(1 - wall);
                covered += a0 * smooth_max(1 - wall - fluid);
                if (k == 0) first = dry - covered;
            }
            assert_close(e.dry, dry - covered, 1e-5);
            assert_close(e.open, open, 1e-5);
            assert_close(e.deep, (dry - covered) / first, 1e-5);
            assert_close(e.behind, 0.5 * (1 - beside) / block_sum(kind, 0, 1, 1), 1e-5);
        }
}

/* A relaxed liquid costs less than a rigid one, so more is asked of the wall, by a tenth at most; the order stays, and
 * there is a limit. */
static void test_repulsion(void **state) {
    (void)state;
    for (int n = 0; n < KINDS; n++) {
        const int dimension = KIND[n].dimension;
        const bl_kernel_family family = KIND[n].family;
        double before = 0;
        assert_true(bl_wall_repulsion(dimension, family, 0) == 0);
        assert_true(bl_wall_repulsion(dimension, family, -0.5) == 0);
        assert_true(bl_wall_repulsion(dimension, family, 3) == 1.1);
        for (double share = 0.01; share < 1; share += 0.01) {
            double rigid = bl_wall_repulsion(dimension, family, share);
            assert_true(rigid > share - 1e-12 && rigid < 1.11 * share && rigid > before && rigid <= 1.1);
            before = rigid;
        }
    }
    assert_close(bl_wall_repulsion(2, BL_KERNELS_CUBIC, 0.5883), 0.6, 1e-12);
    assert_close(bl_wall_repulsion(3, BL_KERNELS_CUBIC, (0.4 + 0.5967) / 2), 0.5, 1e-12);
    assert_close(bl_wall_repulsion(3, BL_KERNELS_SMOOTH, 0.5913), 0.6, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lattice_sums), cmocka_unit_test(test_repulsion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
