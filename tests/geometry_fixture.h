/* Shapes and scenes built by hand, and measures of point sets, for the geometry tests. */
#ifndef BL_TESTS_GEOMETRY_FIXTURE_H
#define BL_TESTS_GEOMETRY_FIXTURE_H

#include "base/hash.h"
#include "base/rng.h"
#include "geometry/points.h"
#include "geometry/solid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static inline bl_context *make_context(int threads) {
    bl_context_def def = bl_default_context_def();
    def.threads = threads;
    bl_context *ctx = NULL;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    return ctx;
}

#define assert_close(value, expected, tolerance) check_close(value, expected, tolerance, __FILE__, __LINE__)
static inline void check_close(double value, double expected, double tolerance, const char *file, int line) {
    if (fabs(value - expected) <= tolerance) return;
    print_error("%.12g, expected %.12g within %g\n", value, expected, tolerance);
    _fail(file, line);
}

static inline bl_vec3d v3(double x, double y, double z) { return bl_v3d_make(x, y, z); }

static inline bl_shape make_shape(bl_shape_kind kind, bl_vec3d a, bl_vec3d b, double radius, double radius2) {
    return (bl_shape){.kind = kind, .a = a, .b = b, .radius = radius, .radius2 = radius2, .scale = {1, 1, 1}};
}
static inline bl_shape make_sphere(bl_vec3d center, double radius) {
    return make_shape(BL_SHAPE_SPHERE, center, v3(0, 0, 0), radius, 0);
}
static inline bl_shape make_box(bl_vec3d min, bl_vec3d max) { return make_shape(BL_SHAPE_BOX, min, max, 0, 0); }
static inline bl_shape make_combination(bl_shape_kind kind, bl_shape *children, int count) {
    return (bl_shape){.kind = kind, .scale = {1, 1, 1}, .children = children, .child_count = count};
}

static inline bl_solid *make_solid(bl_context *ctx, const bl_shape *shape, int dimension) {
    bl_solid *solid = NULL;
    if (bl_solid_create(ctx, shape, dimension, &solid) != BL_OK) fail_msg("%s", bl_context_error(ctx));
    return solid;
}

/* A scene of one fluid with one volume and one boundary with one shape; either may be left out (NULL). */
typedef struct tiny_scene {
    bl_scene scene;
    bl_fluid fluid;
    bl_volume volume;
    bl_boundary boundary;
    bl_shape wall;
} tiny_scene;

static inline void init_scene(tiny_scene *t, bl_context *ctx, int dimension, double h, const bl_shape *volume,
                              const bl_shape *wall) {
    *t = (tiny_scene){.scene = {.ctx = ctx, .dimension = dimension, .spacing = h, .seed = 1}};
    t->fluid =
        (bl_fluid){.name = (char *)"water", .pos = {"scene.yaml", 7, 3}, .volume_count = 1, .volumes = &t->volume};
    t->boundary = (bl_boundary){.name = (char *)"glass", .pos = {"scene.yaml", 9, 3}, .layers = 1, .shape_count = 1};
    t->boundary.shapes = &t->wall;
    if (volume) t->volume.shape = *volume;
    if (wall) t->wall = *wall;
    t->scene.fluids = &t->fluid;
    t->scene.boundaries = &t->boundary;
    t->scene.fluid_count = volume != NULL;
    t->scene.boundary_count = wall != NULL;
}

static inline bl_points fill(bl_context *ctx, const bl_scene *scene, const bl_points *walls) {
    bl_points points;
    if (bl_fill_fluid(ctx, scene, 0, walls, NULL, &points) != BL_OK) fail_msg("%s", bl_context_error(ctx));
    return points;
}

static inline bl_points sample(bl_context *ctx, const bl_scene *scene, bl_box fluid_bounds) {
    bl_points points;
    if (bl_sample_boundary(ctx, scene, 0, fluid_bounds, &points) != BL_OK) fail_msg("%s", bl_context_error(ctx));
    return points;
}

static inline double total_volume(const bl_points *p) {
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += p->volume[i];
    return sum;
}

/* Distance from x to the nearest point other than `skip`, by trying all. */
static inline double nearest(const bl_points *p, bl_vec3d x, size_t skip) {
    double best = INFINITY;
    for (size_t i = 0; i < p->count; i++)
        if (i != skip) best = fmin(best, bl_v3d_norm2(bl_v3d_sub(p->x[i], x)));
    return sqrt(best);
}

static inline double least_spacing(const bl_points *p) {
    double best = INFINITY;
    for (size_t i = 0; i < p->count; i++) best = fmin(best, nearest(p, p->x[i], i));
    return best;
}

static inline uint64_t hash_points(const bl_points *p) {
    uint64_t hash = bl_hash(BL_HASH_START, p->x, p->count * sizeof *p->x);
    if (p->normal) hash = bl_hash(hash, p->normal, p->count * sizeof *p->normal);
    if (p->volume) hash = bl_hash(hash, p->volume, p->count * sizeof *p->volume);
    return hash;
}

/* Random number k of a test, in [low, high). */
static inline double draw(uint64_t k, double low, double high) { return low + (high - low) * bl_rng_uniform(99, 7, k); }
static inline bl_vec3d draw_point(uint64_t k, double reach) {
    return v3(draw(3 * k, -reach, reach), draw(3 * k + 1, -reach, reach), draw(3 * k + 2, -reach, reach));
}

#endif
