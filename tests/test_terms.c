/* Every formula of src/physics against an analytic value or a finite difference. */
/* also: double */
#include "terms.h"

/* Two fluids over a floor, everything non-zero: the hardest configuration a formula meets. */
static void make_mixture_of(fixture *f, int dimension, bl_calibration calibration, bl_kernel_family kernel) {
    fixture_init(f, dimension, H);
    f->scene.scheme.kernel = kernel;
    f->scene.fluid_count = 2;
    f->scene.scheme.calibration = calibration;
    f->fluids[1].density = 700;
    f->fluids[0].viscosity = 0.01, f->fluids[1].viscosity = 0.03;
    for (int k = 0; k < 2; ++k) {
        f->fluids[k].surface_tension = number_curve(f, 0.07 - 0.02 * k);
        f->fluids[k].fluid_fluid = number_curve(f, 0.03 + 0.01 * k);
        f->fluids[k].fluid_boundary = number_curve(f, 0.02 + 0.01 * k);
    }
    f->boundaries[0].boundary_vapor = number_curve(f, 0.05);
    f->boundaries[0].boundary_fluid = number_curve(f, 0.04);
    f->boundaries[0].friction = number_curve(f, 0.3);
    add_ball(f, (bl_vec3d){0, 0, 0}, 2.6 * H, 0.2, -1);
    add_floor(f, 5, -3.0 * H);
    for (size_t i = 0; i < f->world.fluid.count; ++i) {
        f->world.fluid.phase[i] = f->world.fluid.x[i].x > 0;
        f->world.fluid.p[i] = (real)(10 * bl_rng_uniform(3, i, 0));
        for (int k = 0; k < dimension; ++k)
            (&f->world.fluid.v[i].x)[k] = (real)(0.01 * bl_rng_normal(4, i, (uint64_t)k));
    }
    fixture_start(f);
}
static void make_mixture(fixture *f, int dimension, bl_calibration calibration) {
    make_mixture_of(f, dimension, calibration, BL_KERNELS_CUBIC);
}

/* sum_i p_i G_i over a fixed set of multipliers. */
static double constraint_work(fixture *f, const real *multipliers) {
    double sum = 0;
    prepare(f, 1e-6);
    for (size_t i = 0; i < f->world.fluid.count; ++i)
        sum += (double)multipliers[i] * (1 - (double)f->world.fluid.g_err[i]);
    return sum;
}

static void kernel_is_normalised(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        bl_kernel k = bl_kernel_make(dim, 2 * H);
        double sum = 0, lattice2 = 0, lattice3 = 0, dr = 2 * H / 20000;
        bl_kernel k3 = bl_kernel_make(dim, 3 * H);
        for (int i = 0; i < 20000; ++i) {
            double r = (i + 0.5) * dr;
            sum += (double)bl_kernel_w(k, (real)r) * (dim == 3 ? 4 * M_PI * r * r : 2 * M_PI * r) * dr;
        }
        assert_true(fabs(sum - 1) < 1e-5);
        for (int a = -3; a <= 3; ++a)
            for (int b = -3; b <= 3; ++b)
                for (int c = dim == 3 ? -3 : 0; c <= (dim == 3 ? 3 : 0); ++c) {
                    real r = (real)(H * sqrt(a * a + b * b + c * c));
                    lattice2 += pow(H, dim) * (double)bl_kernel_w(k, r);
                    lattice3 += pow(H, dim) * (double)bl_kernel_w(k3, r);
                }
        if (dim == 3) { /* known lattice sums, itself included */
            assert_true(fabs(lattice2 - 0.99997) < 2e-5);
            assert_true(fabs(lattice3 - 1.00179) < 2e-5);
        }
        for (double q = 0.05; q < 1; q += 0.1) {
            double r = q * 2 * H, d = 1e-3 * H;
            double fd = ((double)bl_kernel_w(k, (real)(r + d)) - (double)bl_kernel_w(k, (real)(r - d))) / (2 * d);
            assert_true(fabs(fd - r * (double)bl_kernel_dw_over_r(k, (real)r)) < 5e-3 * (double)k.norm / H);
        }
        assert_true(bl_kernel_dw_over_r(k, 0) == 0);
        assert_true(bl_kernel_w(k, (real)(2.0001 * H)) == 0);
    }
}

static void smooth_maximum(void **state) {
    (void)state;
    const double eps = 0.05;
    for (double c = -0.2; c < 1; c += 0.037) {
        double d = 1e-3;
        double fd =
            ((double)bl_smooth_max((real)(c + d), (real)eps) - (double)bl_smooth_max((real)(c - d), (real)eps)) /
            (2 * d);
        assert_true(
            fabs((double)bl_smooth_max((real)c, (real)eps) - (sqrt(fmax(c, 0) * fmax(c, 0) + eps * eps) - eps)) < 1e-6);
        assert_true(fabs(fd - (double)bl_smooth_step((real)c, (real)eps)) < 2e-3);
        double fd2 =
            ((double)bl_smooth_step((real)(c + d), (real)eps) - (double)bl_smooth_step((real)(c - d), (real)eps)) /
            (2 * d);
        if (fabs(c) > 2 * d) assert_true(fabs(fd2 - (double)bl_smooth_slope((real)c, (real)eps)) < 2e-2);
    }
}

/* F = -dE/dx with all five interface energies. */
static void tension_is_gradient_of_energy(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        fixture f;
        make_mixture(&f, dim, BL_CALIBRATION_PHYSICAL);
        check_tension(&f);
        fixture_clear(&f);
    }
}

/* F = -V0 d(sum p G)/dx, fluid and walls. */
static void check_pressure(fixture *f) {
    unified *u = prepare(f, 1e-6);
    size_t n = f->world.fluid.count;
    double v0 = (double)u->par.v0, largest = 0, worst = 0;
    real p[2000];
    assert_true(n < 2000);
    memcpy(p, f->world.fluid.p, n * sizeof *p);
    for (size_t i = 0; i < n; i += 5) {
        prepare(f, 1e-6);
        bl_vec3 force = bl_v3_add(bl_pressure_force_fluid(&u->view, (bl_index)i, NULL),
                                  bl_pressure_force_walls(&u->view, (bl_index)i));
        for (int k = 0; k < f->scene.dimension; ++k) {
            real *x = &f->world.fluid.x[i].x + k, keep = *x;
            *x = keep + (real)(STEP * H);
            double above = constraint_work(f, p), up = (double)*x;
            *x = keep - (real)(STEP * H);
            double below = constraint_work(f, p), down = (double)*x;
            *x = keep;
            double fd = -v0 * (above - below) / (up - down);
            largest = fmax(largest, fabs(fd));
            worst = fmax(worst, fabs(fd - (double)(&force.x)[k]));
        }
    }
    assert_true(worst < CLOSE * largest);
}

/* Both forms of the constraint. */
static void pressure_is_gradient_of_constraint(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
        for (int calibration = 0; calibration < 2; ++calibration) {
            fixture f;
            make_mixture(&f, dim, (bl_calibration)calibration);
            check_pressure(&f);
            fixture_clear(&f);
        }
}

/* Both forces with smooth kernels. */
static void smooth_kernels_make_gradients(void **state) {
    (void)state;
    fixture f;
    make_mixture_of(&f, 3, BL_CALIBRATION_PHYSICAL, BL_KERNELS_SMOOTH);
    check_tension(&f);
    check_pressure(&f);
    fixture_clear(&f);
}

/* Fourier transform of a kernel at the wave number k. */
static double transform(bl_kernel kernel, double support, double k) {
    const int steps = 4000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        double r = support * (i + 0.5) / steps;
        sum += (double)bl_kernel_w(kernel, (real)r) * 4 * M_PI * r * sin(k * r) / k * support / steps;
    }
    return sum;
}

/* Normalised, nowhere negative, with the right slope, and blind to what the cubic spline still sees of single
 * particles.
 */
static void smooth_kernels(void **state) {
    (void)state;
    for (int far = 0; far < 2; ++far) {
        bl_kernel k = far ? bl_far_kernel(3, BL_KERNELS_SMOOTH, H) : bl_near_kernel(3, BL_KERNELS_SMOOTH, H);
        bl_kernel cubic = far ? bl_far_kernel(3, BL_KERNELS_CUBIC, H) : bl_near_kernel(3, BL_KERNELS_CUBIC, H);
        double support = H * (far ? bl_far_reach(BL_KERNELS_SMOOTH) : bl_near_reach(BL_KERNELS_SMOOTH));
        assert_true(fabs(transform(k, support, 1e-3 / H) - 1) < 1e-5);
        for (double q = 0.05; q < 1; q += 0.05) {
            double r = q * support, d = 1e-3 * H;
            double fd = ((double)bl_kernel_w(k, (real)(r + d)) - (double)bl_kernel_w(k, (real)(r - d))) / (2 * d);
            assert_true(fabs(fd - r * (double)bl_kernel_dw_over_r(k, (real)r)) < 5e-3 * (double)k.norm / H);
            assert_true(bl_kernel_w(k, (real)r) > 0 && bl_kernel_dw_over_r(k, (real)r) < 0);
        }
        double seen = 0, by_cubic = 0, spline = H * (far ? 3 : 2);
        for (double wave = 6; wave < 12; wave += 0.1) {
            seen = fmax(seen, fabs(transform(k, support, wave / H)));
            by_cubic = fmax(by_cubic, fabs(transform(cubic, spline, wave / H)));
        }
        assert_true(seen < 6e-5 && by_cubic > 5 * seen);
        assert_true(bl_kernel_w(k, (real)(1.0001 * support)) == 0 &&
                    bl_kernel_dw_over_r(k, (real)(1.0001 * support)) == 0);
    }
}

/* eq. 21: the predicted volume error is the linear change of G along v_next. */
static void volume_error_is_directional_derivative(void **state) {
    (void)state;
    fixture f;
    make_mixture(&f, 3, BL_CALIBRATION_PHYSICAL);
    double dt = 1e-3, worst = 0, largest = 0, rate[2000];
    unified *u = prepare(&f, dt);
    size_t n = f.world.fluid.count;
    bl_unified_run(&f.world, u, BL_PASS_predict_free);
    for (size_t i = 0; i < n; ++i)
        rate[i] = ((double)f.world.fluid.g_err[i] - (double)bl_volume_error(&u->view, (bl_index)i)) / dt;
    double d = STEP * H / 0.01, g[2][2000];
    for (int side = 0; side < 2; ++side) {
        bl_vec3 keep[2000];
        memcpy(keep, f.world.fluid.x, n * sizeof *keep);
        for (size_t i = 0; i < n; ++i)
            f.world.fluid.x[i] = bl_v3_mad(keep[i], (real)(side ? -d : d), f.world.fluid.v[i]);
        prepare(&f, dt);
        for (size_t i = 0; i < n; ++i) g[side][i] = 1 - (double)f.world.fluid.g_err[i];
        memcpy(f.world.fluid.x, keep, n * sizeof *keep);
    }
    for (size_t i = 0; i < n; ++i) {
        double fd = (g[0][i] - g[1][i]) / (2 * d);
        largest = fmax(largest, fabs(fd));
        worst = fmax(worst, fabs(fd - rate[i]));
    }
    assert_true(worst < CLOSE * largest);
    fixture_clear(&f);
}

/* eq. 30: alpha_P is the inverse of dV_err/dp, found by changing one pressure. The problem is linear in p. */
static void alpha_p_is_inverse_derivative(void **state) {
    (void)state;
    for (int calibration = 0; calibration < 2; ++calibration) {
        fixture f;
        make_mixture(&f, 3, (bl_calibration)calibration);
        unified *u = prepare(&f, 1e-3);
        u->par.exact_friction = 0; /* the derivative at constant friction */
        bl_unified_run(&f.world, u, BL_PASS_diagonal_p);
        size_t n = f.world.fluid.count;
        for (size_t i = 0; i < n; i += 7) {
            double e[2], diagonal = (double)f.world.fluid.alpha_p[i];
            real keep = f.world.fluid.p[i];
            for (int side = 0; side < 2; ++side) {
                f.world.fluid.p[i] = keep + (real)(side ? 50 : 0);
                bl_unified_run(&f.world, u, BL_PASS_pressure_products);
                bl_unified_run(&f.world, u, BL_PASS_predict);
                e[side] = (double)bl_volume_error(&u->view, (bl_index)i);
            }
            f.world.fluid.p[i] = keep;
            assert_true(fabs((e[1] - e[0]) / 50 - diagonal) < CLOSE * diagonal);
        }
        fixture_clear(&f);
    }
}

/* eq. 34b with the sign of eq. 35 corrected: 1/alpha* = trace(I + d(dE/dx)/dF)/dim, linearised at C(t). */
static void alpha_st_is_inverse_trace(void **state) {
    (void)state;
    fixture f;
    make_mixture(&f, 3, BL_CALIBRATION_PHYSICAL);
    double dt = 2e-4;
    unified *u = prepare(&f, dt);
    u->par.hessian_factor = 1;
    bl_unified_run(&f.world, u, BL_PASS_alpha_st);
    size_t n = f.world.fluid.count;
    for (size_t i = 0; i < n; ++i) {
        f.world.fluid.p[i] = 0;
        f.world.fluid.v[i] = f.world.fluid.f_st[i] = f.world.fluid.f_fr[i] = bl_v3_zero();
    }
    bl_unified_run(&f.world, u, BL_PASS_pressure_products);
    for (size_t i = 0; i < n; i += 7) {
        double mass = (double)u->fluids[f.world.fluid.phase[i]].mass, trace = 3;
        double push = STEP * H * mass / (dt * dt); /* a force that moves the particle by STEP spacings */
        for (int k = 0; k < 3; ++k) {
            double t[2];
            for (int side = 0; side < 2; ++side) {
                (&f.world.fluid.f_st[i].x)[k] = (real)(side ? -push : push);
                bl_unified_run(&f.world, u, BL_PASS_predict);
                bl_unified_run(&f.world, u, BL_PASS_interface_fluid);
                bl_unified_run(&f.world, u, BL_PASS_interface_boundary);
                bl_vec3 force = bl_tension_force(&u->view, (bl_index)i);
                t[side] = (double)(&force.x)[k];
            }
            (&f.world.fluid.f_st[i].x)[k] = 0;
            trace -= (t[0] - t[1]) / (2 * push);
        }
        double expected = 3 / trace, found = (double)u->view.alpha_st[i];
        assert_true(found > 0 && found <= 1);
        assert_true(fabs(found - expected) < 2 * CLOSE * expected);
    }
    fixture_clear(&f);
}

/* eq. 39/40 with dt/m: alpha_F v_tan is the force that stops the tangential slip, times dim/(dim - 1). */
static void alpha_f_is_inverse_trace(void **state) {
    (void)state;
    fixture f;
    make_mixture(&f, 3, BL_CALIBRATION_PAPER);
    double dt = 1e-4;
    unified *u = prepare(&f, dt);
    int seen = 0;
    for (size_t i = 0; i < f.world.fluid.count; ++i) {
        double kappa = (double)f.world.fluid.wall_w[i];
        if (kappa <= 0.01) continue;
        ++seen;
        double mass = (double)u->fluids[f.world.fluid.phase[i]].mass, trace = 0;
        for (int k = 0; k < 3; ++k) {
            double slip[2];
            for (int side = 0; side < 2; ++side) {
                bl_unified_run(&f.world, u, BL_PASS_predict_free);
                (&u->view.v_next[i].x)[k] += (real)((side ? -1 : 1) * dt / mass * 1e-5);
                bl_vec3 v = bl_wall_slip(&u->view, (bl_index)i, u->view.v_next[i]);
                slip[side] = (double)(&v.x)[k];
            }
            trace += (slip[0] - slip[1]) / 2e-5;
        }
        double found = (double)bl_alpha_friction(&u->view, (real)mass, (real)kappa);
        assert_true(fabs(found - 3 / trace) < CLOSE * found);
    }
    assert_true(seen > 3);
    fixture_clear(&f);
}

/* A fluid's own coefficient of friction takes the place of the wall's; the other fluid keeps that. */
static void friction_of_a_fluid(void **state) {
    (void)state;
    fixture f;
    make_mixture(&f, 3, BL_CALIBRATION_PAPER);
    f.fluids[1].friction = number_curve(&f, 0.8);
    prepare(&f, 1e-4);
    const bl_fluid_store *fluid = &f.world.fluid;
    int seen[2] = {0, 0};
    for (size_t i = 0; i < fluid->count; ++i) {
        if (!((double)fluid->wall_w[i] > 0)) continue;
        seen[fluid->phase[i]]++;
        assert_true(fabs((double)fluid->wall_mu[i] - (fluid->phase[i] ? 0.8 : 0.3)) < CLOSE);
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
    fixture_clear(&f);
}

/* The viscous operator: zero for rigid motion, symmetric, dissipating; its diagonal block is the matrix's. */
static void viscosity_operator(void **state) {
    (void)state;
    fixture f;
    make_mixture(&f, 3, BL_CALIBRATION_PAPER);
    for (size_t b = 0; b < f.world.boundary.count; ++b) f.world.boundary.x[b].z -= (real)(10 * H); /* no walls near */
    unified *u = prepare(&f, 1e-3);
    size_t n = f.world.fluid.count;
    bl_vec3 *d = f.world.fluid.vis_d, omega = {BL_R(0.3), BL_R(-0.2), BL_R(0.5)};
    double scale = 0, rigid = 0, power = 0, cross[2] = {0, 0};
    for (size_t i = 0; i < n; ++i) d[i] = bl_v3_add(bl_v3_make(1, 2, 3), bl_v3_cross(omega, f.world.fluid.x[i]));
    for (size_t i = 0; i < n; ++i)
        rigid = fmax(rigid, (double)bl_v3_norm(bl_viscous_force(&u->view, (bl_index)i, d, 0)));
    for (size_t i = 0; i < n; ++i) d[i] = f.world.fluid.v[i];
    for (size_t i = 0; i < n; ++i) {
        bl_vec3 force = bl_viscous_force(&u->view, (bl_index)i, d, 0);
        scale = fmax(scale, (double)bl_v3_norm(force));
        power += (double)bl_v3_dot(force, d[i]);
        cross[0] += (double)bl_v3_dot(force, f.world.fluid.x[i]);
    }
    for (size_t i = 0; i < n; ++i)
        cross[1] += (double)bl_v3_dot(bl_viscous_force(&u->view, (bl_index)i, f.world.fluid.x, 0), d[i]);
    assert_true(power < 0);
    assert_true(rigid < 1e-4 * scale * 300); /* the rigid speeds are 300 times the random ones */
    assert_true(fabs(cross[0] - cross[1]) < 1e-3 * fabs(cross[0]));
    fixture_clear(&f);
}

/* Couette: the pair Laplacian of v = y^2 e_x is 2 mu in the bulk of a lattice. */
static void viscosity_of_a_parabola(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 3, H);
    f.fluids[0].viscosity = 0.5;
    add_ball(&f, (bl_vec3d){0, 0, 0}, 5 * H, 0, -1);
    fixture_start(&f);
    unified *u = prepare(&f, 1e-3);
    size_t n = f.world.fluid.count, middle = 0;
    for (size_t i = 0; i < n; ++i) {
        bl_vec3 x = f.world.fluid.x[i];
        f.world.fluid.vis_d[i] = bl_v3_make(x.y * x.y, 0, 0);
        if (bl_v3_norm(x) < bl_v3_norm(f.world.fluid.x[middle])) middle = i;
    }
    double force = (double)bl_viscous_force(&u->view, (bl_index)middle, f.world.fluid.vis_d, 0).x;
    double expected = 0.5 * 2 * (double)u->par.v0;
    assert_true(fabs(force / expected - 0.9637) < 1e-3); /* the lattice's discretisation error, and no other */
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_is_normalised),
        cmocka_unit_test(smooth_maximum),
        cmocka_unit_test(tension_is_gradient_of_energy),
        cmocka_unit_test(pressure_is_gradient_of_constraint),
        cmocka_unit_test(smooth_kernels_make_gradients),
        cmocka_unit_test(smooth_kernels),
        cmocka_unit_test(volume_error_is_directional_derivative),
        cmocka_unit_test(alpha_p_is_inverse_derivative),
        cmocka_unit_test(alpha_st_is_inverse_trace),
        cmocka_unit_test(alpha_f_is_inverse_trace),
        cmocka_unit_test(friction_of_a_fluid),
        cmocka_unit_test(viscosity_operator),
        cmocka_unit_test(viscosity_of_a_parabola),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
