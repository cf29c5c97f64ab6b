/* The terms of the scheme hyde2020: splines, and the energy of a piece of surface with its derivatives. */
/* also: double */
#include "base/rng.h"
#include "physics/spline.h"
#include "physics/surface_energy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef BL_DOUBLE
#define STEP 1e-6
#define CLOSE 1e-8
#define ROUND 1e-13
#else
#define STEP 2e-3
#define CLOSE 2e-3
#define ROUND 2e-6
#endif

static double draw(uint64_t i, uint64_t k) { return 2 * bl_rng_uniform(41, i, k) - 1; }

static void test_splines_reproduce_linear_functions(void **state) {
    (void)state;
    for (int i = -15; i <= 15; i++) { /* beyond the cell, too, where pieces of surface continue them */
        const real f = (real)(0.1 * i);
        real w[3], d[3], above[3], below[3];
        bl_spline_weights(f, w);
        bl_spline_slopes(f, d);
        bl_spline_weights(f + (real)STEP, above);
        bl_spline_weights(f - (real)STEP, below);
        assert_true(fabs((double)(w[0] + w[1] + w[2]) - 1) < 10 * ROUND);
        assert_true(fabs((double)(w[2] - w[0]) - (double)f) < 10 * ROUND);
        assert_true(fabs((double)(d[0] + d[1] + d[2])) < 10 * ROUND);
        assert_true(fabs((double)(d[2] - d[0]) - 1) < 10 * ROUND);
        for (int k = 0; k < 3; k++) /* exact for quadratic functions */
            assert_true(fabs((double)(above[k] - below[k]) / (2 * STEP) - (double)d[k]) < 10 * ROUND / STEP);
    }
}

static void test_splines_give_back_the_spread(void **state) {
    (void)state;
    for (int i = -5; i <= 5; i++) { /* sum w (node - f)^2 = 1/4: the factor 4/dx^2 of the affine velocity */
        const real f = (real)(0.1 * i);
        real w[3];
        double sum = 0;
        bl_spline_weights(f, w);
        for (int k = 0; k < 3; k++) sum += (double)w[k] * pow(k - 1 - (double)f, 2);
        assert_true(fabs(sum - 0.25) < 10 * ROUND);
    }
}

/* F of a moderate deformation, and F w for both directions of a plane. */
static void make_gradient(uint64_t seed, int flat, double f[3][3]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            f[a][b] = (a == b) + (flat && (a == 2 || b == 2) ? 0 : 0.35 * draw(seed, (uint64_t)(10 + 3 * a + b)));
}

static bl_vec3 turn(double m[3][3], bl_vec3 w) {
    const double x = (double)w.x, y = (double)w.y, z = (double)w.z;
    return bl_v3_make((real)(m[0][0] * x + m[0][1] * y + m[0][2] * z), (real)(m[1][0] * x + m[1][1] * y + m[1][2] * z),
                      (real)(m[2][0] * x + m[2][1] * y + m[2][2] * z));
}

static bl_pair3 both(double m[3][3], bl_pair3 w) { return (bl_pair3){turn(m, w.a0), turn(m, w.a1)}; }

static bl_vec3 some_normal(uint64_t seed, int flat) {
    bl_vec3 n = bl_v3_make((real)draw(seed, 1), (real)draw(seed, 2), flat ? 0 : (real)draw(seed, 3));
    return bl_v3_scale(1 / bl_v3_norm(n), n);
}

static double pair_dot(bl_pair3 a, bl_pair3 b) { return (double)bl_v3_dot(a.a0, b.a0) + (double)bl_v3_dot(a.a1, b.a1); }

static bl_pair3 shifted(bl_pair3 f, double s, bl_pair3 u) {
    return (bl_pair3){bl_v3_mad(f.a0, (real)s, u.a0), bl_v3_mad(f.a1, (real)s, u.a1)};
}

/* In two dimensions a change leaves e_z alone. */
static bl_pair3 some_change(uint64_t seed, int flat, bl_pair3 w) {
    double d[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) d[a][b] = flat && (a == 2 || b == 2) ? 0 : draw(seed, (uint64_t)(30 + 3 * a + b));
    return both(d, w);
}

static void test_planes_are_orthonormal(void **state) {
    (void)state;
    for (int flat = 0; flat <= 1; flat++)
        for (uint64_t i = 0; i < 50; i++) {
            const bl_vec3 n = some_normal(i, flat);
            const bl_pair3 w = bl_surface_plane(n, flat);
            const bl_vec3 up = bl_v3_cross(w.a0, w.a1);
            assert_true(fabs((double)bl_v3_dot(w.a0, w.a1)) < 10 * ROUND);
            assert_true(fabs((double)bl_v3_norm(w.a0) - 1) < 10 * ROUND);
            assert_true((double)bl_v3_norm(bl_v3_sub(up, n)) < 10 * ROUND);
        }
}

/* |J F^-T N| = |F w0 x F w1|. */
static void test_area_is_that_of_the_cofactor(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 30; i++) {
        double f[3][3], c[3];
        make_gradient(i, 0, f);
        const bl_vec3 n = some_normal(i, 0);
        const double m[3] = {(double)n.x, (double)n.y, (double)n.z};
        for (int a = 0; a < 3; a++) {
            c[a] = 0;
            for (int b = 0; b < 3; b++) {
                const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
                c[a] += (f[a1][b1] * f[a2][b2] - f[a1][b2] * f[a2][b1]) * m[b];
            }
        }
        const double expected = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
        const double got = (double)bl_surface_stretch(both(f, bl_surface_plane(n, 0)));
        assert_true(fabs(got - expected) < 20 * ROUND * expected);
    }
}

static void test_stress_is_the_slope_of_the_energy(void **state) {
    (void)state;
    for (int flat = 0; flat <= 1; flat++)
        for (uint64_t i = 0; i < 50; i++) {
            double f[3][3];
            make_gradient(i, flat, f);
            const bl_pair3 w = bl_surface_plane(some_normal(i, flat), flat), at = both(f, w);
            const bl_pair3 u = some_change(i, flat, w), p = bl_surface_stress(2, at);
            const double above = 2 * (double)bl_surface_stretch(shifted(at, STEP, u));
            const double below = 2 * (double)bl_surface_stretch(shifted(at, -STEP, u));
            assert_true(fabs((above - below) / (2 * STEP) - pair_dot(p, u)) < 2 * CLOSE);
        }
}

/* P F^T is symmetric: no torque. Its trace is the energy times the dimension of the surface. */
static void test_stress_has_no_torque(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 50; i++) {
        double f[3][3];
        make_gradient(i, 0, f);
        const bl_pair3 w = bl_surface_plane(some_normal(i, 0), 0), at = both(f, w), p = bl_surface_stress(2, at);
        const bl_vec3 torque = bl_v3_add(bl_v3_cross(at.a0, p.a0), bl_v3_cross(at.a1, p.a1));
        assert_true((double)bl_v3_norm(torque) < 50 * ROUND);
        assert_true(fabs(pair_dot(p, at) - 4 * (double)bl_surface_stretch(at)) < 50 * ROUND);
    }
}

/* The sum of both parts of the Hessian is the derivative of the stress; in two dimensions the convex part is all. */
static void test_stiffness_is_the_slope_of_the_stress(void **state) {
    (void)state;
    for (int flat = 0; flat <= 1; flat++)
        for (uint64_t i = 0; i < 50; i++) {
            double f[3][3];
            make_gradient(i, flat, f);
            const bl_pair3 w = bl_surface_plane(some_normal(i, flat), flat), at = both(f, w);
            const bl_pair3 u = some_change(i, flat, w), v = some_change(i + 100, flat, w);
            const bl_pair3 above = bl_surface_stress(2, shifted(at, STEP, u));
            const bl_pair3 below = bl_surface_stress(2, shifted(at, -STEP, u));
            const bl_surface_frame frame = bl_surface_frame_of(at);
            const bl_pair3 convex = bl_surface_stiffness(2, &frame, u, BL_SURFACE_CONVEX, flat);
            const bl_pair3 concave = bl_surface_stiffness(2, &frame, u, BL_SURFACE_CONCAVE, flat);
            const double slope = (pair_dot(above, v) - pair_dot(below, v)) / (2 * STEP);
            assert_true(fabs(slope - pair_dot(convex, v) - pair_dot(concave, v)) < 20 * CLOSE);
            if (flat) assert_true(pair_dot(concave, v) == 0);
        }
}

static void test_convex_part_never_gives_energy(void **state) {
    (void)state;
    for (int flat = 0; flat <= 1; flat++)
        for (uint64_t i = 0; i < 400; i++) {
            double f[3][3];
            make_gradient(i, flat, f);
            const bl_pair3 w = bl_surface_plane(some_normal(i, flat), flat), at = both(f, w);
            const bl_pair3 u = some_change(i, flat, w), v = some_change(i + 1000, flat, w);
            const bl_surface_frame frame = bl_surface_frame_of(at);
            const bl_pair3 hu = bl_surface_stiffness(2, &frame, u, BL_SURFACE_CONVEX, flat);
            const bl_pair3 hv = bl_surface_stiffness(2, &frame, v, BL_SURFACE_CONVEX, flat);
            const bl_pair3 gone = bl_surface_stiffness(2, &frame, u, BL_SURFACE_CONCAVE, flat);
            assert_true(pair_dot(hu, u) >= -100 * ROUND);
            assert_true(pair_dot(gone, u) <= 100 * ROUND);
            assert_true(fabs(pair_dot(hu, v) - pair_dot(hv, u)) < 200 * ROUND); /* symmetric */
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splines_reproduce_linear_functions),
        cmocka_unit_test(test_splines_give_back_the_spread),
        cmocka_unit_test(test_planes_are_orthonormal),
        cmocka_unit_test(test_area_is_that_of_the_cofactor),
        cmocka_unit_test(test_stress_is_the_slope_of_the_energy),
        cmocka_unit_test(test_stress_has_no_torque),
        cmocka_unit_test(test_stiffness_is_the_slope_of_the_stress),
        cmocka_unit_test(test_convex_part_never_gives_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
