/* Small worlds made by hand, for tests of the solver: no scene file, no sampling, no loop around it. */
#ifndef BL_TESTS_FIXTURE_H
#define BL_TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "base/hash.h"
#include "base/rng.h"
#include "schemes/kernels.h"
#include "schemes/scheme.h"
#include <math.h>
#include <string.h>

typedef struct fixture {
    bl_context *ctx;
    bl_scene scene;
    bl_fluid fluids[3];
    bl_boundary boundaries[2];
    double numbers[64]; /* storage of constant curves */
    int numbers_used;
    bl_world world;
    const bl_scheme *scheme;
    void *state;
} fixture;

static inline bl_curve constant_curve(fixture *f, int width, const double *values) {
    bl_curve curve = {1, width, &f->numbers[f->numbers_used], &f->numbers[f->numbers_used + 1]};
    f->numbers[f->numbers_used++] = 0;
    for (int k = 0; k < width; ++k) f->numbers[f->numbers_used++] = values[k];
    return curve;
}
static inline bl_curve number_curve(fixture *f, double value) { return constant_curve(f, 1, &value); }

/* Water in a world without gravity; change members before fixture_start. */
static inline void fixture_init(fixture *f, int dimension, double spacing) {
    memset(f, 0, sizeof *f);
    bl_context_def def = bl_default_context_def();
    def.threads = 1;
    assert_int_equal(bl_context_create(&def, &f->ctx), BL_OK);
    bl_scene *scene = &f->scene;
    scene->ctx = f->ctx;
    scene->dimension = dimension;
    scene->spacing = spacing;
    scene->gravity = constant_curve(f, 3, (double[]){0, 0, 0});
    scene->time = (bl_time_def){.end = 1,
                                .cfl = 0.4,
                                .force_factor = 0.25,
                                .pressure_factor = 0.35,
                                .capillary_factor = 0.9,
                                .correction_share = 0.2,
                                .correction_speed = 0.1};
    scene->scheme = (bl_scheme_def){.name = BL_SCHEME_UNIFIED,
                                    .accelerator = BL_ACCEL_NNCG,
                                    .tolerance = 1e-3,
                                    .tension_tolerance = 1e-5,
                                    .friction_tolerance = 1e-5,
                                    .min_iterations = 2,
                                    .max_iterations = 200,
                                    .relaxation = 0.5,
                                    .warm_start = true,
                                    .viscosity = BL_VISCOSITY_WEILER2018,
                                    .viscosity_tolerance = 1e-4,
                                    .viscosity_max_iterations = 100};
    scene->fluids = f->fluids;
    scene->fluid_count = 1;
    scene->boundaries = f->boundaries;
    for (int k = 0; k < 3; ++k) {
        f->fluids[k].name = "water";
        f->fluids[k].density = 1000;
        f->fluids[k].surface_tension = number_curve(f, 0.07);
        f->fluids[k].fluid_fluid = number_curve(f, 0);
        f->fluids[k].fluid_boundary = number_curve(f, 0);
    }
    for (int k = 0; k < 2; ++k) f->boundaries[k].name = "wall", f->boundaries[k].layers = 1;
    f->world.ctx = f->ctx;
    f->world.scene = scene;
    bl_fluid_store_init(f->ctx, &f->world.fluid);
    bl_boundary_store_init(f->ctx, &f->world.boundary);
    f->world.boundary_moved = true;
}

static inline size_t add_fluid(fixture *f, double x, double y, double z) {
    size_t i;
    assert_int_equal(bl_fluid_store_append(&f->world.fluid, 1, &i), BL_OK);
    f->world.fluid.x[i] = bl_v3_make((real)x, (real)y, (real)z);
    return i;
}
static inline size_t add_wall(fixture *f, double x, double y, double z) {
    size_t i;
    double h = f->scene.spacing;
    assert_int_equal(bl_boundary_store_append(&f->world.boundary, 1, &i), BL_OK);
    f->world.boundary.x[i] = bl_v3_make((real)x, (real)y, (real)z);
    f->world.boundary.volume[i] = (real)(f->scene.dimension == 2 ? h * h : h * h * h);
    if (f->scene.boundary_count == 0) f->scene.boundary_count = 1;
    return i;
}

/* A ball (disc) of lattice points around `center`, optionally shaken by `jitter` spacings; only points above z_min. */
static inline void add_ball(fixture *f, bl_vec3d center, double radius, double jitter, double floor) {
    double h = f->scene.spacing;
    bool flat = f->scene.dimension == 2;
    int n = (int)ceil(radius / h) + 1;
    for (int c = flat ? 0 : -n; c <= (flat ? 0 : n); ++c)
        for (int b = -n; b <= n; ++b)
            for (int a = -n; a <= n; ++a) {
                bl_vec3d x = {(a + 0.5) * h, (b + 0.5) * h, flat ? 0 : (c + 0.5) * h};
                if (bl_v3d_norm(x) > radius) continue;
                x = bl_v3d_add(x, center);
                if ((flat ? x.y : x.z) < floor) continue;
                size_t i = add_fluid(f, x.x, x.y, x.z);
                real *p = &f->world.fluid.x[i].x;
                for (int k = 0; k < f->scene.dimension; ++k)
                    p[k] += (real)(jitter * h * (2 * bl_rng_uniform(7, i, (uint64_t)k) - 1));
            }
}

/* A flat wall of one layer at height `level` (y in 2D, z in 3D), half width n h. */
static inline void add_floor(fixture *f, int n, double level) {
    double h = f->scene.spacing;
    bool flat = f->scene.dimension == 2;
    for (int a = -n; a <= n; ++a)
        for (int b = flat ? 0 : -n; b <= (flat ? 0 : n); ++b)
            add_wall(f, a * h, flat ? level : b * h, flat ? 0 : level);
    for (size_t i = 0; i < f->world.boundary.count; ++i)
        f->world.boundary.normal[i] = flat ? bl_v3_make(0, 1, 0) : bl_v3_make(0, 0, 1);
}

static inline void fixture_start(fixture *f) {
    double h = f->scene.spacing;
    bl_kernel_family kernel = f->scene.scheme.kernel;
    bl_search_def def = {.dimension = f->scene.dimension,
                         .near_radius = bl_near_reach(kernel) * h,
                         .far_radius = bl_far_reach(kernel) * h};
    for (int k = 0; k < 3; ++k) def.periodic[k] = f->scene.domain.periodic[k];
    def.min = f->scene.domain.min;
    def.max = f->scene.domain.max;
    assert_int_equal(bl_neighbours_create(f->ctx, &def, &f->world.neighbours), BL_OK);
    assert_int_equal(bl_arena_create(f->ctx, "test", &f->world.scratch), BL_OK);
    f->scheme = bl_scheme_find(f->scene.scheme.name);
    assert_non_null(f->scheme);
    assert_int_equal(f->scheme->create(&f->world, &f->state), BL_OK);
}

static inline bl_status fixture_step(fixture *f, double dt, bl_observation *report) {
    bl_failure failure = {0};
    bl_status status = f->scheme->step(&f->world, f->state, dt, report, &failure);
    if (status == BL_OK) {
        f->world.time += dt;
        f->world.dt = dt;
        f->world.step += 1;
        f->world.boundary_moved = false;
    } else {
        print_message("step failed: %s: %s\n", failure.term ? failure.term : "", failure.text);
    }
    return status;
}

static inline void fixture_clear(fixture *f) {
    if (f->state) f->scheme->destroy(&f->world, f->state);
    bl_neighbours_destroy(f->world.neighbours);
    bl_arena_destroy(f->world.scratch);
    bl_fluid_store_clear(&f->world.fluid);
    bl_boundary_store_clear(&f->world.boundary);
    bl_context_destroy(f->ctx);
}

#endif
