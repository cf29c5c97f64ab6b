/* also: double */
/* The energies of a wall of several layers against sums over explicit lattices. */
#include "geometry_fixture.h"
#include "physics/calibration.h"
#include "schemes/unified/unified.h"

enum { WIDE = 4 };

static double kernel(int dimension, double r) {
    double q = r / 3, s = dimension == 2 ? 40 / (7 * PI * 9) : 8 / (PI * 27);
    return q < 0.5 ? s * (6 * (q * q * q - q * q) + 1) : q < 1 ? s * 2 * pow(1 - q, 3) : 0;
}

static double smooth_max(double c) { return c > 0 ? sqrt(c * c + 0.0025) - 0.05 : 0; }

/* Kernel sum at the height z of all lattice points with heights from `low` to `high`, halves included. */
static double block_sum(int dimension, double z, double low, double high) {
    double sum = 0;
    for (double y = low; y <= high; y += 1)
        for (int a = -WIDE; a <= WIDE; a++)
            for (int b = dimension == 3 ? -WIDE : 0; b <= (dimension == 3 ? WIDE : 0); b++)
                sum += kernel(dimension, sqrt(a * a + b * b + (y - z) * (y - z)));
    return sum;
}

/* The liquid is y >= 1/2, the wall's layers are at -1/2, -3/2, ... */
static void test_lattice_sums(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int layers = 1; layers <= 6; layers++) {
            double a0 = dimension == 2 ? BL_A0_PHYSICAL_2D : BL_A0_PHYSICAL_3D, dry = 0, covered = 0, wet = 0;
            for (int k = 0; k < layers; k++) {
                double z = -0.5 - k, wall = block_sum(dimension, z, 0.5 - layers, -0.5),
                       fluid = block_sum(dimension, z, 0.5, 5.5);
                dry += a0 * smooth_max(1 - wall);
                covered += a0 * smooth_max(1 - wall - fluid);
                wet += a0 * smooth_max(fluid);
            }
            bl_wall_energies e = bl_wall_energies_of(dimension, layers);
            assert_close(e.dry, dry - covered, 1e-5);
            assert_close(e.wet, wet, 1e-5);
        }
}

/* A thick wall has the same energy dry as wet, but for what the lattice sum differs from 1. */
static void test_thick_walls(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        bl_wall_energies thick = bl_wall_energies_of(dimension, 8), three = bl_wall_energies_of(dimension, 3);
        assert_close(thick.dry / thick.wet, 1, 0.03);
        assert_close(three.dry / thick.dry, 1, 0.06);
        assert_close(three.wet, thick.wet, 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lattice_sums), cmocka_unit_test(test_thick_walls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
