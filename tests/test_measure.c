/* Measurements on clouds of particles whose answers are known. Lengths are in spacings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "analysis/column.h"
#include "analysis/contact.h"
#include "analysis/profile.h"
#include "analysis/shape.h"
#include "analysis/sphere_fit.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RADIANS (M_PI / 180)

enum { CAPACITY = 1 << 19 };

typedef struct cloud {
    bl_context *ctx;
    bl_liquid liquid;
} cloud;

static int setup(void **state) {
    cloud *c = calloc(1, sizeof *c);
    assert_non_null(c);
    assert_int_equal(bl_context_create(NULL, &c->ctx), BL_OK);
    bl_liquid *l = &c->liquid;
    l->x = calloc(CAPACITY, sizeof *l->x);
    l->v = calloc(CAPACITY, sizeof *l->v);
    l->f_n = calloc(CAPACITY, sizeof *l->f_n);
    l->f_fr = calloc(CAPACITY, sizeof *l->f_fr);
    l->mass = calloc(CAPACITY, sizeof *l->mass);
    l->p = calloc(CAPACITY, sizeof *l->p);
    l->virial = calloc(CAPACITY, sizeof *l->virial);
    l->s_fv = calloc(CAPACITY, sizeof *l->s_fv);
    assert_true(l->x && l->v && l->f_n && l->f_fr && l->mass && l->p && l->virial && l->s_fv);
    *state = c;
    return 0;
}

static int teardown(void **state) {
    cloud *c = *state;
    bl_liquid *l = &c->liquid;
    void *arrays[] = {l->x, l->v, l->f_n, l->f_fr, l->mass, l->p, l->virial, l->s_fv};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) free(arrays[k]);
    bl_context_destroy(c->ctx);
    free(c);
    return 0;
}

static void start(cloud *c, int dimension, double h) {
    c->liquid.dimension = dimension;
    c->liquid.h = h;
    c->liquid.count = 0;
}

static void add(cloud *c, bl_vec3d x, double mass) {
    assert_true(c->liquid.count < CAPACITY);
    c->liquid.x[c->liquid.count] = x;
    c->liquid.mass[c->liquid.count++] = mass;
}

/* |found - expected| <= tolerance, with a message that shows both. */
static void expect(double found, double expected, double tolerance, const char *what) {
    if (fabs(found - expected) <= tolerance) return;
    fail_msg("%s is %.6g, expected %.6g, off by %.3g of %.3g", what, found, expected, fabs(found - expected),
             tolerance);
}

/* Distance to the outside of a shape, positive inside, near its surface. */
typedef double (*depth_fn)(bl_vec3d x, const double *parameters);

/* Fill a shape from a lattice of spacing h whose sites are at (i + shift) h, shaken by up to `jitter` h. Particles less
 * than 0.8 h deep are marked as the free surface. */
static void fill(cloud *c, depth_fn depth, const double *parameters, double reach, bl_vec3d shift, double jitter) {
    double h = c->liquid.h;
    int n = (int)ceil(reach / h) + 1;
    bool flat = c->liquid.dimension == 2;
    for (int k = flat ? 0 : -n; k <= (flat ? 0 : n); k++)
        for (int j = -n; j <= n; j++)
            for (int i = -n; i <= n; i++) {
                bl_vec3d x = {(i + shift.x) * h, (j + shift.y) * h, flat ? 0 : (k + shift.z) * h};
                double d = depth(x, parameters);
                if (d < 0) continue;
                size_t at = c->liquid.count;
                add(c, x, 1);
                double *p = &c->liquid.x[at].x;
                for (int a = 0; a < c->liquid.dimension; a++)
                    p[a] += jitter * h * (2 * bl_rng_uniform(7, at, (uint64_t)a) - 1);
                c->liquid.s_fv[at] = d < 0.8 * h ? 1 : 0;
            }
}

static double ball_depth(bl_vec3d x, const double *radius) { return radius[0] - bl_v3d_norm(x); }

/* r = R (1 + eps f_n), parameters R, eps, n; f_n = P_n about z. */
static double wave3_depth(bl_vec3d x, const double *p) {
    double r = bl_v3d_norm(x), c = r > 0 ? x.z / r : 1, c2 = c * c;
    double legendre = p[2] == 2   ? (3 * c2 - 1) / 2
                      : p[2] == 3 ? (5 * c2 - 3) * c / 2
                                  : (35 * c2 * c2 - 30 * c2 + 3) / 8;
    return p[0] * (1 + p[1] * legendre) - r;
}

static double wave2_depth(bl_vec3d x, const double *p) {
    return p[0] * (1 + p[1] * cos(p[2] * atan2(x.y, x.x))) - bl_v3d_norm(x);
}

static void test_pressure(void **state) {
    cloud *c = *state;
    const double radius = 10;
    for (int dim = 2; dim <= 3; dim++) {
        start(c, dim, 1);
        fill(c, ball_depth, &radius, 10, bl_v3d_make(0.5, 0.5, 0.5), 0);
        for (size_t i = 0; i < c->liquid.count; i++) {
            c->liquid.p[i] = 3 * bl_v3d_norm(c->liquid.x[i]);
            c->liquid.virial[i] = bl_v3d_norm2(c->liquid.x[i]);
            c->liquid.x[i] = bl_v3d_add(c->liquid.x[i], bl_v3d_make(30, -20, 0));
        }
        bl_pressure_result r = bl_measure_pressure(&c->liquid);
        expect(r.radius, 10, 0.1, "radius");
        expect(r.mean, 3 * 10.0 * dim / (dim + 1), 0.2, "mean pressure"); /* <r> = R dim/(dim + 1) */
        expect(r.core, 36.0 * dim / (dim + 2), 1, "core pressure");       /* <r^2> = R^2 dim/(dim + 2), R = 10 - 4 */
    }
    c->liquid.count = 0;
    assert_true(isnan(bl_measure_pressure(&c->liquid).core));
}

static void test_small_drop_core_is_half_its_radius(void **state) {
    cloud *c = *state;
    const double radius = 5;
    start(c, 3, 1);
    fill(c, ball_depth, &radius, 5, bl_v3d_make(0, 0, 0), 0);
    for (size_t i = 0; i < c->liquid.count; i++) c->liquid.virial[i] = bl_v3d_norm(c->liquid.x[i]) < 2.6 ? 1 : 9;
    expect(bl_measure_pressure(&c->liquid).core, 1, 1e-12, "core pressure");
}

static void test_motion(void **state) {
    cloud *c = *state;
    start(c, 3, 1);
    add(c, bl_v3d_make(0, 0, 0), 2);
    add(c, bl_v3d_make(1, 0, 0), 6);
    c->liquid.v[0] = bl_v3d_make(4, 0, 0);
    c->liquid.v[1] = bl_v3d_make(0, 1, 0);
    bl_motion_result r = bl_measure_motion(&c->liquid);
    expect(r.speed_center, sqrt(8 * 8 + 6 * 6) / 8, 1e-12, "speed of the centre");
    expect(r.speed_max, 4, 1e-12, "largest speed");
    expect(r.kinetic_energy, 0.5 * 2 * 16 + 0.5 * 6, 1e-12, "kinetic energy");
}

/* Half the difference between the amplitudes at +eps and -eps: what a lattice has of its own, and terms in eps^2 that
 * one mode leaves in another, cancel. */
static double swing(cloud *c, int dim, int n, double eps, int m) {
    double amplitude[2];
    for (int sign = 0; sign < 2; sign++) {
        start(c, dim, dim == 2 ? 0.01 : 0.04);
        fill(c, dim == 2 ? wave2_depth : wave3_depth, (double[]){1, sign ? -eps : eps, n}, 1.1,
             bl_v3d_make(0.31, 0.17, 0.43), 0);
        amplitude[sign] = bl_mode_amplitude(&c->liquid, m);
    }
    return 0.5 * (amplitude[0] - amplitude[1]);
}

static void test_mode_amplitudes(void **state) {
    const double eps = 0.03;
    for (int dim = 2; dim <= 3; dim++)
        for (int n = 2; n <= 4; n++)
            for (int m = 2; m <= 4; m++)
                expect(swing(*state, dim, n, eps, m) / eps, m == n, 0.03, "amplitude over eps");
}

static void test_shape_of_a_ball(void **state) {
    cloud *c = *state;
    const double radius = 8;
    start(c, 3, 1);
    fill(c, ball_depth, &radius, 8, bl_v3d_make(0.5, 0.5, 0.5), 0.05);
    bl_shape_result r;
    assert_int_equal(bl_measure_shape(c->ctx, &c->liquid, NULL, 0, &r), BL_OK);
    double volume = bl_liquid_volume(&c->liquid);
    expect(r.volume / volume, 1, 0.02, "volume over that of the particles");
    expect(r.sphericity, 1, 0.01, "sphericity");
    expect(r.sphericity, cbrt(36 * M_PI * r.volume * r.volume) / r.area, 1e-12, "sphericity");
    expect(bl_v3d_norm(r.center), 0, 0.05, "centre");
}

static double box_depth(bl_vec3d x, const double *half) {
    return fmin(half[0] - fabs(x.x), fmin(half[1] - fabs(x.y), half[2] - fabs(x.z)));
}
static double ellipse_depth(bl_vec3d x, const double *axes) { return 1 - hypot(x.x / axes[0], x.y / axes[1]); }

static void test_shape_of_a_cube(void **state) {
    cloud *c = *state;
    start(c, 3, 1);
    fill(c, box_depth, (double[]){8, 8, 8}, 8, bl_v3d_make(0.5, 0.5, 0.5), 0);
    bl_shape_result r;
    assert_int_equal(bl_measure_shape(c->ctx, &c->liquid, NULL, 0, &r), BL_OK);
    expect(r.sphericity, 1 / 1.2407, 0.05, "sphericity of a cube"); /* its edges are rounded off */
}

static void test_outline(void **state) {
    cloud *c = *state;
    const double radius = 10;
    bl_shape_result r;
    start(c, 2, 1);
    fill(c, ball_depth, &radius, 10, bl_v3d_make(0.3, 0.1, 0), 0.1);
    assert_int_equal(bl_measure_shape(c->ctx, &c->liquid, NULL, 0, &r), BL_OK);
    expect(r.area / (2 * sqrt(M_PI * bl_liquid_volume(&c->liquid))), 1, 0.005, "outline of a disc");
    expect(r.sphericity, 1, 0.005, "sphericity of a disc");
    /* Perimeter of the ellipse 20 x 10: 4 a E(e) = 96.8845. */
    start(c, 2, 1);
    fill(c, ellipse_depth, (double[]){20, 10}, 20, bl_v3d_make(0.3, 0.1, 0), 0);
    assert_int_equal(bl_measure_shape(c->ctx, &c->liquid, NULL, 0, &r), BL_OK);
    expect(r.area, 96.8845, 1, "outline of an ellipse");
    expect(r.volume, M_PI * 200, 5, "area of an ellipse");
}

static void test_cap_formulas(void **state) {
    (void)state;
    /* Half a ball and half a disc. */
    expect(bl_cap_volume(3, M_PI / 2), 2 * M_PI / 3, 1e-12, "volume");
    expect(bl_cap_center(3, M_PI / 2), 3.0 / 8, 1e-12, "centre");
    expect(bl_cap_volume(2, M_PI / 2), M_PI / 2, 1e-12, "area");
    expect(bl_cap_center(2, M_PI / 2), 4 / (3 * M_PI), 1e-12, "centre");
    for (int dim = 2; dim <= 3; dim++) {
        expect(bl_cap_center(dim, M_PI), 1, 1e-9, "centre of the whole");
        for (int k = 5; k < 180; k += 5) {
            double angle = k * RADIANS, volume = 0, moment = 0;
            enum { SLICES = 20000 };
            for (int s = 0; s < SLICES; s++) { /* slices of the cap, height by height */
                double dz = (1 - cos(angle)) / SLICES, z = (s + 0.5) * dz, r2 = 1 - pow(z + cos(angle), 2);
                double slice = (dim == 2 ? 2 * sqrt(r2) : M_PI * r2) * dz;
                volume += slice;
                moment += z * slice;
            }
            expect(bl_cap_volume(dim, angle) / volume, 1, 1e-5, "volume");
            expect(bl_cap_center(dim, angle) * volume / moment, 1, 1e-5, "centre");
            volume = bl_cap_volume(dim, angle);
            expect(bl_cap_angle_from_center(dim, volume, bl_cap_center(dim, angle)), angle, 1e-6, "angle");
            expect(bl_cap_angle_from_sphere(dim, volume, -cos(angle)), angle, 1e-6, "angle");
        }
    }
}

static void test_sphere_fit(void **state) {
    (void)state;
    enum { COUNT = 200 };
    bl_vec3d points[COUNT];
    for (int dim = 2; dim <= 3; dim++) {
        for (int i = 0; i < COUNT; i++) { /* the part around the pole of a sphere of radius 3e-3 */
            double polar = 0.6 * (i + 1) / COUNT, phi = dim == 2 ? (i % 2) * M_PI : 2.4 * i;
            bl_vec3d d = {sin(polar) * cos(phi), cos(polar), dim == 2 ? 0 : sin(polar) * sin(phi)};
            points[i] = bl_v3d_mad(bl_v3d_make(1, -2, dim == 2 ? 0 : 0.5), 3e-3, d);
        }
        bl_sphere_fit fit = bl_sphere_fit_points(dim, points, COUNT);
        assert_true(fit.found);
        expect(fit.radius, 3e-3, 1e-8, "radius");
        expect(bl_v3d_norm(bl_v3d_sub(fit.center, bl_v3d_make(1, -2, dim == 2 ? 0 : 0.5))), 0, 1e-8, "centre");
    }
    for (int i = 0; i < COUNT; i++) points[i] = bl_v3d_make(i, 0, 0);
    assert_false(bl_sphere_fit_points(3, points, COUNT).found);
    assert_false(bl_sphere_fit_points(3, points, 3).found);
    assert_false(bl_sphere_fit_points(2, points, 0).found);
}

/* Parameters R and angle: cap on the plane of the last axis, which is y in 2D; depth below the round side only. */
static double cap3_depth(bl_vec3d x, const double *p) {
    if (x.z < 0) return -1;
    return p[0] - bl_v3d_norm(bl_v3d_make(x.x, x.y, x.z + p[0] * cos(p[1])));
}
static double cap2_depth(bl_vec3d x, const double *p) {
    if (x.y < 0) return -1;
    return p[0] - hypot(x.x, x.y + p[0] * cos(p[1]));
}

/* A cap with the volume of a ball (disc) of radius `size`; tolerance of the angles in degrees. */
static void check_cap(cloud *c, int dim, double size, double degrees, double jitter, double tolerance) {
    double angle = degrees * RADIANS, ratio = (dim == 2 ? M_PI : 4 * M_PI / 3) / bl_cap_volume(dim, angle);
    double radius = size * pow(ratio, 1.0 / dim);
    start(c, dim, 1);
    fill(c, dim == 2 ? cap2_depth : cap3_depth, (double[]){radius, angle}, 2 * radius,
         dim == 2 ? bl_v3d_make(0.37, 0.5, 0) : bl_v3d_make(0.37, 0.21, 0.5), jitter);
    /* Tilt and shift it all: the wall's direction must not matter in 3D. */
    bl_vec3d normal = dim == 2 ? bl_v3d_make(0, 1, 0) : bl_v3d_make(0.6, 0, 0.8);
    for (size_t i = 0; i < c->liquid.count && dim == 3; i++) {
        bl_vec3d x = c->liquid.x[i];
        c->liquid.x[i] = bl_v3d_make(0.8 * x.x + 0.6 * x.z + 5, x.y - 3, -0.6 * x.x + 0.8 * x.z);
    }
    bl_base base = bl_base_along(&c->liquid, normal, -(double)INFINITY);
    bl_contact_result r;
    assert_int_equal(bl_measure_contact(c->ctx, &c->liquid, &base, &r), BL_OK);
    expect(base.level, dim == 2 ? 0 : 0.6 * 5, 0.05, "level of the wall");
    expect(r.angle / RADIANS, degrees, tolerance, "angle");
    expect(r.angle_fit / RADIANS, degrees, tolerance, "fitted angle");
    /* A lattice has whole rows and layers only. */
    expect(r.base_radius, radius * sin(angle), dim == 2 ? 0.6 : 0.3, "base");
    expect(r.height, radius * (1 - cos(angle)), 0.65, "height");
}

static void test_caps(void **state) {
    for (int dim = 2; dim <= 3; dim++)
        for (int degrees = 30; degrees <= 150; degrees += 15) {
            check_cap(*state, dim, 10, degrees, 0, 1.5);
            check_cap(*state, dim, 10, degrees, 0.15, 1.5);
        }
    for (int degrees = 30; degrees <= 150; degrees += 30) check_cap(*state, 2, 80, degrees, 0, 0.2);
}

static void test_contact_forces(void **state) {
    cloud *c = *state;
    start(c, 3, 1);
    for (int k = 0; k < 4; k++) add(c, bl_v3d_make(k, 0, 0.5), 1);
    for (int k = 0; k < 4; k++) {
        c->liquid.f_n[k] = bl_v3d_make(0, k % 2, 2);
        c->liquid.f_fr[k] = bl_v3d_make(3, 4, 0);
        c->liquid.s_fv[k] = 0;
    }
    bl_contact_result r;
    bl_base base = bl_base_along(&c->liquid, bl_v3d_make(0, 0, 1), -(double)INFINITY), none = {0};
    assert_int_equal(bl_measure_contact(c->ctx, &c->liquid, &base, &r), BL_OK);
    expect(r.load, 8, 1e-12, "load");
    expect(r.friction, 20, 1e-12, "friction");
    assert_true(isnan(r.angle_fit));
    assert_int_equal(bl_measure_contact(c->ctx, &c->liquid, &none, &r), BL_OK);
    expect(r.load, 4 + 2 * sqrt(5), 1e-12, "load without a plane");
    assert_true(isnan(r.angle) && isnan(r.base_radius) && isnan(r.height));
}

/* A sheet of boundary particles with the given normal at height z around the origin. */
static void add_sheet(bl_walls_sample *walls, bl_vec3d *x, bl_vec3d *normal, bl_vec3d n, double z) {
    walls->x = x;
    walls->normal = normal;
    for (int i = -12; i <= 12; i++)
        for (int j = -12; j <= 12; j++) {
            x[walls->count] = bl_v3d_make(i, j, z);
            normal[walls->count++] = n;
        }
}

static void test_wall_under_the_liquid(void **state) {
    cloud *c = *state;
    static bl_vec3d x[2000], normal[2000];
    bl_walls_sample walls = {0};
    bl_base base;
    start(c, 3, 1);
    fill(c, box_depth, (double[]){4, 4, 4}, 4, bl_v3d_make(0.5, 0.5, 0.5), 0);
    add_sheet(&walls, x, normal, bl_v3d_make(0, 0, 1), -4.9); /* centres of the lowest layer are at -3.5 */
    add_sheet(&walls, x, normal, bl_v3d_make(0, 0, -1), 9);   /* a lid out of reach */
    assert_int_equal(bl_base_find(c->ctx, &c->liquid, &walls, &base), BL_OK);
    assert_true(base.found);
    expect(base.normal.z, 1, 1e-12, "normal");
    expect(base.level, -4, 1e-9, "level");
    expect(base.gap, 0.9, 1e-9, "gap");
    bl_shape_result shape; /* the gap to the wall's particles is no liquid */
    assert_int_equal(bl_measure_shape(c->ctx, &c->liquid, &walls, base.gap, &shape), BL_OK);
    expect(shape.volume / bl_liquid_volume(&c->liquid), 1, 0.03, "volume over that of the particles");
    for (int k = 0; k < 5; k++) add(c, bl_v3d_make(k, k, -6 - 0.1 * k), 1); /* leaked through the wall */
    assert_int_equal(bl_base_find(c->ctx, &c->liquid, &walls, &base), BL_OK);
    expect(base.level, -4, 1e-9, "level without what leaked");
    for (size_t i = 0; i < walls.count; i++) /* now the lid is closed: no single plane */
        if (x[i].z > 0) x[i].z = 4.9;
    assert_int_equal(bl_base_find(c->ctx, &c->liquid, &walls, &base), BL_OK);
    assert_false(base.found);
    walls.count = 0;
    assert_int_equal(bl_base_find(c->ctx, &c->liquid, &walls, &base), BL_OK);
    assert_false(base.found);
}

/* A reservoir, 40 wide and 6 deep, with a column 10 wide on it that ends in a round, hollow meniscus at `p[0]` on
 * average. */
static double column_depth(bl_vec3d x, const double *p) {
    if (x.y < 0 || fabs(x.x) > 20 || (x.y > 6 && fabs(x.x) > 5)) return -1;
    double sag = 0.05 * x.x * x.x - 0.05 * 25 / 3; /* of mean 0 over the width */
    return p[0] + sag - x.y;
}

static void test_column(void **state) {
    cloud *c = *state;
    bl_column_result r;
    for (int k = 0; k < 4; k++) {
        double level = 24 + 0.3 * k;
        start(c, 2, 1);
        fill(c, column_depth, &level, 50, bl_v3d_make(0.5, 0.5, 0), 0);
        double counted = 6 + (bl_liquid_volume(&c->liquid) - 40 * 6) / 10; /* what the lattice made of it */
        assert_int_equal(bl_measure_column(c->ctx, &c->liquid, bl_v3d_make(0, 1, 0), &r), BL_OK);
        expect(r.height, counted, 0.05, "level");
        expect(r.cross_section, 10, 0.05, "cross-section");
        expect(r.bottom, 0, 1e-9, "bottom");
    }
    start(c, 3, 0.5);
    fill(c, box_depth, (double[]){2, 3, 5}, 6, bl_v3d_make(0.5, 0.5, 0.5), 0.1);
    assert_int_equal(bl_measure_column(c->ctx, &c->liquid, bl_v3d_make(0, 0, 1), &r), BL_OK);
    expect(r.height, 10, 0.05, "level of a tank");
    expect(r.cross_section, 4 * 6, 0.3, "cross-section of a tank");
    c->liquid.count = 0;
    assert_int_equal(bl_measure_column(c->ctx, &c->liquid, bl_v3d_make(0, 0, 1), &r), BL_OK);
    assert_true(isnan(r.height));
}

/* A layer H + a cos(k x), as columns of particles with equal mass: a/H comes back. */
static void test_profile_wave(void **state) {
    cloud *c = *state;
    const double depth = 20, a = 3, k = 2 * M_PI / 64;
    start(c, 2, 0.25);
    for (double x = 0.125; x < 64; x += 0.25)
        for (double y = 0.125; y < depth + a * cos(k * x); y += 0.25) add(c, (bl_vec3d){x - 11, y, 0}, 1);
    const bl_vec3d along = {1, 0, 0};
    expect(bl_profile_wave(&c->liquid, along, k), a / depth, 0.003, "amplitude of the wave");
    expect(bl_profile_wave(&c->liquid, along, 2 * k), 0, 0.003, "amplitude of the second harmonic");
}

static void test_profile_quantile(void **state) {
    cloud *c = *state;
    start(c, 3, 1);
    for (int i = 0; i <= 1000; i++) add(c, (bl_vec3d){0, (i * 617 % 1001) * 0.5, 7}, 1);
    const bl_vec3d along = {0, 1, 0};
    double value;
    assert_int_equal(bl_profile_quantile(c->ctx, &c->liquid, along, 0, &value), BL_OK);
    expect(value, 0, 0, "lowest");
    assert_int_equal(bl_profile_quantile(c->ctx, &c->liquid, along, 0.25, &value), BL_OK);
    expect(value, 125, 0, "first quarter");
    assert_int_equal(bl_profile_quantile(c->ctx, &c->liquid, along, 1, &value), BL_OK);
    expect(value, 500, 0, "highest");
}

/* Surface layers with the virial of a tension of 3 on either side, and a bulk without stress. */
static void test_profile_film_force(void **state) {
    cloud *c = *state;
    const double gamma = 3, h = 0.5;
    start(c, 2, h);
    for (int i = 0; i < 80; i++)
        for (int j = 0; j < 10; j++) {
            add(c, (bl_vec3d){(i + 0.5) * h, (j + 0.5) * h, 0}, 1);
            bool surface = j == 0 || j == 9;
            c->liquid.virial[c->liquid.count - 1] = surface ? -gamma / (2 * h) : 0; /* sigma_xx = gamma/h, its half */
        }
    expect(bl_profile_film_force(&c->liquid, 0, 40), 2 * gamma, 1e-12, "force of the film");
    expect(bl_profile_film_force(&c->liquid, 10, 30), 2 * gamma, 1e-12, "force of its middle");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pressure),         cmocka_unit_test(test_small_drop_core_is_half_its_radius),
        cmocka_unit_test(test_motion),           cmocka_unit_test(test_mode_amplitudes),
        cmocka_unit_test(test_shape_of_a_ball),  cmocka_unit_test(test_shape_of_a_cube),
        cmocka_unit_test(test_outline),          cmocka_unit_test(test_cap_formulas),
        cmocka_unit_test(test_sphere_fit),       cmocka_unit_test(test_caps),
        cmocka_unit_test(test_contact_forces),   cmocka_unit_test(test_wall_under_the_liquid),
        cmocka_unit_test(test_column),           cmocka_unit_test(test_profile_wave),
        cmocka_unit_test(test_profile_quantile), cmocka_unit_test(test_profile_film_force),
    };
    return cmocka_run_group_tests_name("measure", tests, setup, teardown);
}
