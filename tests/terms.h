/* What the tests of single formulas share: a solver made ready to run single passes. */
#ifndef BL_TESTS_TERMS_H
#define BL_TESTS_TERMS_H

#include "fixture.h"
#include "schemes/unified/unified.h"

#ifdef BL_DOUBLE
#define STEP 1e-6  /* of a finite difference, in spacings */
#define CLOSE 1e-5 /* relative */
#else
#define STEP 4e-3 /* float needs a coarser difference, and carries its truncation error */
#define CLOSE 1e-2
#endif

static const double H = 1e-3;

static inline unified *prepare(fixture *f, double dt) {
    unified *u = f->state;
    bl_positions fluid = {f->world.fluid.x, f->world.fluid.count};
    bl_positions walls = {f->world.boundary.x, f->world.boundary.count};
    bl_unified_set_step(&f->world, u, dt);
    assert_int_equal(bl_neighbours_build(f->world.neighbours, fluid, walls), BL_OK);
    assert_int_equal(bl_neighbours_build_boundary(f->world.neighbours, walls), BL_OK);
    bl_unified_bind(&f->world, u);
    bl_unified_run(&f->world, u, BL_PASS_boundary_sum);
    bl_unified_run(&f->world, u, BL_PASS_boundary_predict);
    bl_unified_run(&f->world, u, BL_PASS_volume);
    memcpy(f->world.fluid.g_src, f->world.fluid.g_err, f->world.fluid.count * sizeof(real));
    bl_unified_run(&f->world, u, BL_PASS_wall_contact);
    bl_unified_run(&f->world, u, BL_PASS_pressure_products);
    memcpy(f->world.fluid.x_next, f->world.fluid.x, fluid.count * sizeof *fluid.x); /* contributions at x */
    bl_unified_run(&f->world, u, BL_PASS_interface_bare);
    bl_unified_run(&f->world, u, BL_PASS_interface_fluid);
    bl_unified_run(&f->world, u, BL_PASS_interface_boundary);
    return u;
}

static inline double total_energy(fixture *f) {
    double fluid[BL_ENERGY_WIDTH], wall[2];
    unified *u = prepare(f, 1e-6);
    bl_unified_reduce(&f->world, u, BL_RED_energy, fluid);
    bl_unified_reduce(&f->world, u, BL_RED_energy_wall, wall);
    return fluid[0] + fluid[1] + fluid[2] + wall[0] + wall[1];
}

/* F = -dE/dx of the tension, by differences, on every fifth particle. */
static inline void check_tension(fixture *f) {
    double largest = 0, worst = 0;
    prepare(f, 1e-6);
    bl_unified_run(&f->world, f->state, BL_PASS_start_warm);
    for (size_t i = 0; i < f->world.fluid.count; i += 5) {
        for (int k = 0; k < f->scene.dimension; ++k) {
            real *x = &f->world.fluid.x[i].x + k, keep = *x;
            bl_vec3 force = f->world.fluid.f_st[i];
            *x = keep + (real)(STEP * H);
            double above = total_energy(f), up = (double)*x;
            *x = keep - (real)(STEP * H);
            double below = total_energy(f), down = (double)*x;
            *x = keep;
            double fd = -(above - below) / (up - down);
            largest = fmax(largest, fabs(fd));
            worst = fmax(worst, fabs(fd - (double)(&force.x)[k]));
        }
    }
    assert_true(largest > 0);
    assert_true(worst < CLOSE * largest);
}

#endif
