/* also: double */
/* Formulas of the position-based surface tension: stars, areas, shadows, filaments. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "physics/pbst.h"
#include "physics/star.h"

enum { POINTS = 24 };
typedef struct cloud {
    real x[POINTS], y[POINTS];
} cloud;

static double uniform(uint64_t set, uint64_t k, uint64_t axis) { return 2 * bl_rng_uniform(set, k, axis) - 1; }

/* Points around the origin in order of distance. */
static cloud make_cloud(uint64_t set) {
    cloud c;
    for (int k = 0; k < POINTS; ++k) {
        real x = (real)uniform(set, (uint64_t)k, 0), y = (real)uniform(set, (uint64_t)k, 1);
        int at = k;
        for (; at > 0 && c.x[at - 1] * c.x[at - 1] + c.y[at - 1] * c.y[at - 1] > x * x + y * y; --at)
            c.x[at] = c.x[at - 1], c.y[at] = c.y[at - 1];
        c.x[at] = x, c.y[at] = y;
    }
    return c;
}

/* Whether the circle through the origin and points a and b holds no other point: they make a triangle of Delaunay's. */
static bool is_delaunay(const cloud *c, int a, int b, double slack) {
    double ax = (double)c->x[a], ay = (double)c->y[a], bx = (double)c->x[b], by = (double)c->y[b];
    double cross = ax * by - ay * bx, a2 = ax * ax + ay * ay, b2 = bx * bx + by * by;
    double ux = (by * a2 - ay * b2) / (2 * cross), uy = (ax * b2 - bx * a2) / (2 * cross), r2 = ux * ux + uy * uy;
    for (int k = 0; k < POINTS; ++k) {
        double dx = (double)c->x[k] - ux, dy = (double)c->y[k] - uy;
        if (k != a && k != b && dx * dx + dy * dy < r2 * (1 - slack)) return false;
    }
    return true;
}

static void stars_are_delaunay(void **state) {
    (void)state;
    int closed = 0;
    for (uint64_t set = 1; set <= 1000; ++set) {
        cloud c = make_cloud(set);
        bl_star star = bl_star_make(c.x, c.y, POINTS, (real)50, BL_R(1e-6));
        int triangles = 0, least = 0, most = 0;
        for (int k = 0; k < star.count; ++k) {
            if (!(star.links >> k & 1)) continue;
            triangles++;
            assert_true(is_delaunay(&c, star.member[k], star.member[(k + 1) % star.count], 1e-4));
        }
        for (int a = 0; a < POINTS; ++a)
            for (int b = a + 1; b < POINTS; ++b)
                least += is_delaunay(&c, a, b, -1e-4), most += is_delaunay(&c, a, b, 1e-4);
        /* triangles whose circle reaches beyond the box are none of the star's; they need points on one side only */
        if (triangles == star.count) {
            closed++;
            assert_in_range(triangles, least, most);
        }
    }
    assert_true(closed > 900);
}

static void stars_on_the_hull_are_open(void **state) {
    (void)state;
    const real x[3] = {1, 0, -1}, y[3] = {BL_R(0.1), 1, BL_R(0.2)};
    bl_star star = bl_star_make(x, y, 3, BL_R(3), BL_R(1e-6));
    assert_int_equal(star.count, 3);
    assert_int_equal(star.links, 3); /* two triangles in a row: 0-1 and 1-2 */
    assert_int_equal(star.member[0], 0);
    assert_int_equal(star.member[1], 1);
    assert_int_equal(star.member[2], 2);
    star = bl_star_make(x, y, 1, BL_R(3), BL_R(1e-6));
    assert_int_equal(star.count, 1);
    assert_int_equal(star.links, 0);
}

static void stars_do_not_overflow(void **state) {
    (void)state;
    enum { MANY = 60 };
    real x[MANY], y[MANY];
    for (int k = 0; k < MANY; ++k) {
        x[k] = (real)((1 + 1e-4 * k) * cos(2 * M_PI * k / MANY));
        y[k] = (real)((1 + 1e-4 * k) * sin(2 * M_PI * k / MANY));
    }
    bl_star star = bl_star_make(x, y, MANY, BL_R(3), BL_R(1e-6));
    assert_true(star.count <= BL_STAR_MOST);
    assert_true(star.count > 3);
}

static bl_vec3 random_vector(uint64_t set, uint64_t k) {
    return bl_v3_make((real)uniform(set, k, 0), (real)uniform(set, k, 1), (real)uniform(set, k, 2));
}

/* Eq. 8 against differences of the area. */
static void area_gradients_are_right(void **state) {
    (void)state;
    const real step = sizeof(real) == 4 ? BL_R(4e-3) : BL_R(1e-5);
    for (uint64_t set = 1; set <= 50; ++set) {
        bl_vec3 p[3] = {random_vector(set, 0), random_vector(set, 1), random_vector(set, 2)};
        bl_area t = bl_triangle_area(bl_v3_sub(p[1], p[0]), bl_v3_sub(p[2], p[0]));
        if (t.value < BL_R(0.2)) continue;
        bl_vec3 gradient[3] = {t.at_centre, t.at_a, t.at_b};
        for (int corner = 0; corner < 3; ++corner)
            for (int axis = 0; axis < 3; ++axis) {
                real *x = &p[corner].x + axis, kept = *x, value[2];
                for (int side = 0; side < 2; ++side) {
                    *x = kept + (side ? step : -step);
                    value[side] = bl_triangle_area(bl_v3_sub(p[1], p[0]), bl_v3_sub(p[2], p[0])).value;
                }
                *x = kept;
                double slope = (double)(value[1] - value[0]) / (2 * (double)step);
                assert_true(fabs(slope - (double)(&gradient[corner].x)[axis]) < 2e-3);
            }
        bl_vec3 sum = bl_v3_add(bl_v3_add(gradient[0], gradient[1]), gradient[2]);
        assert_true(bl_v3_norm(sum) < BL_R(1e-5));
    }
    bl_area needle = bl_triangle_area(bl_v3_make(1, 0, 0), bl_v3_make(2, 0, 0));
    assert_true(needle.value == BL_R(0) && bl_v3_norm(needle.at_a) == BL_R(0));
    bl_area segment = bl_segment_length(bl_v3_make(3, 4, 0));
    assert_true(fabs((double)segment.value - 5) < 1e-5 && fabs((double)segment.at_a.y - 0.8) < 1e-6);
}

/* A neighbour at a spacing or less covers 30 degrees about its direction, one at twice the spacing 14.5. */
static void shadows_have_their_angle(void **state) {
    (void)state;
    const double degree = M_PI / 180;
    assert_true(fabs((double)bl_shadow_cosine(1, BL_R(0.5)) - cos(30 * degree)) < 1e-6);
    assert_true(fabs((double)bl_shadow_cosine(BL_R(0.3), BL_R(0.5)) - cos(30 * degree)) < 1e-6);
    assert_true(fabs((double)bl_shadow_cosine(2, BL_R(0.5)) - sqrt(1 - 1.0 / 16)) < 1e-6);
    bl_rays rays = {.count = 3,
                    .x = {1, (real)cos(29 * degree), (real)cos(31 * degree)},
                    .y = {0, (real)sin(29 * degree), (real)sin(31 * degree)}};
    int lit[3] = {1, 1, 1};
    bl_shade(&rays, bl_v3_make(1, 0, 0), 1, BL_R(0.5), lit);
    assert_int_equal(lit[0], 0);
    assert_int_equal(lit[1], 0);
    assert_int_equal(lit[2], 1);
}

static void eigenvalues_are_right(void **state) {
    (void)state;
    double first, second, diagonal[6] = {2, 0, 0, 5, 0, 3}, same[6] = {4, 0, 0, 4, 0, 4};
    bl_largest_eigenvalues(diagonal, &first, &second);
    assert_true(fabs(first - 5) < 1e-9 && fabs(second - 3) < 1e-9);
    bl_largest_eigenvalues(same, &first, &second);
    assert_true(fabs(first - 4) < 1e-9 && fabs(second - 4) < 1e-9);
    const double turned[6] = {2.5, 0.5, 0, 2.5, 0, 1}; /* 3, 2, 1 by 45 degrees about z */
    bl_largest_eigenvalues(turned, &first, &second);
    assert_true(fabs(first - 3) < 1e-9 && fabs(second - 2) < 1e-9);
}

static void sides_of_films_are_told_apart(void **state) {
    (void)state;
    bl_vec3 up = {0, 0, 1}, down = {0, 0, -1}, aside = {(real)sin(0.5), 0, (real)cos(0.5)};
    assert_true(bl_back_to_back(up, down, bl_v3_make(0, 0, 1)));   /* i on top of j: two sides of a film */
    assert_false(bl_back_to_back(up, down, bl_v3_make(0, 0, -1))); /* two surfaces that meet */
    assert_false(bl_back_to_back(up, aside, bl_v3_make(-1, 0, 0)));
}

static void distances_push_apart(void **state) {
    (void)state;
    assert_true(bl_apart(1, 1, 40) == BL_R(0));
    assert_true(bl_apart(0, 1, 40) == BL_R(0));
    assert_true(fabs((double)bl_apart(BL_R(0.5), 1, 40) * 0.5 - 0.5 / 42) < 1e-7); /* eqs. 9, 10: C/(2 + eps) */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_are_delaunay),
        cmocka_unit_test(stars_on_the_hull_are_open),
        cmocka_unit_test(stars_do_not_overflow),
        cmocka_unit_test(area_gradients_are_right),
        cmocka_unit_test(shadows_have_their_angle),
        cmocka_unit_test(eigenvalues_are_right),
        cmocka_unit_test(sides_of_films_are_told_apart),
        cmocka_unit_test(distances_push_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
