/* The unified solver as a whole: a brute-force twin, conservation, symmetry, degenerate particles. */
/* also: double */
#include "fixture.h"
#include "physics/calibration.h"
#include "schemes/unified/unified.h"
#include "twin.h"

#ifdef BL_DOUBLE
#define ROUND 1e-13 /* relative, of sums over a few hundred particles */
#define CLOSE 1e-9
#else
#define ROUND 2e-5
#define CLOSE 2e-4
#endif

static const double H = 1e-3;

static double step_of(const fixture *f, double tau) {
    double h = f->scene.spacing;
    return tau * sqrt(1000 * pow(h, 3) / 0.07);
}

static void shake(fixture *f, double speed) {
    for (size_t i = 0; i < f->world.fluid.count; ++i)
        for (int k = 0; k < f->scene.dimension; ++k)
            (&f->world.fluid.v[i].x)[k] += (real)(speed * bl_rng_normal(11, i, (uint64_t)k));
}

static void fill_twin(const fixture *f, twin *t, double dt) {
    const bl_fluid_store *s = &f->world.fluid;
    memset(t, 0, sizeof *t);
    t->dim = f->scene.dimension, t->h = f->scene.spacing, t->dt = dt;
    t->n = (int)s->count, t->nb = (int)f->world.boundary.count;
    t->corrected = f->scene.scheme.calibration == BL_CALIBRATION_PHYSICAL;
    double unit = t->dim == 2 ? t->h : t->h * t->h;
    t->a0 = unit * (t->corrected ? (t->dim == 2 ? 4.60 : 4.49) : (t->dim == 2 ? 0.5 : M_PI / 4));
    t->near = twin_kernel_of(t->dim, 2 * t->h, NULL), t->far = twin_kernel_of(t->dim, 3 * t->h, NULL);
    if (f->scene.scheme.kernel == BL_KERNELS_SMOOTH) {
        static const double near[] = BL_NEAR_SMOOTH_TERMS, far[] = BL_FAR_SMOOTH_TERMS;
        t->near = twin_kernel_of(3, 2.2 * t->h, near), t->far = twin_kernel_of(3, 3.17 * t->h, far);
        t->a0 = 4.46 * unit;
    }
    for (int k = 0; k < 3; ++k) t->gravity[k] = f->scene.gravity.values[k];
    for (int k = 0; k < f->scene.fluid_count; ++k) {
        const bl_fluid *fluid = &f->fluids[k];
        t->rho[k] = fluid->density, t->mu[k] = fluid->viscosity, t->fv[k] = fluid->surface_tension.values[0];
        t->ff[k] = fluid->fluid_fluid.values[0], t->fb[k] = fluid->fluid_boundary.values[0];
    }
    if (t->nb) {
        t->bv = f->boundaries[0].boundary_vapor.values[0], t->bf = f->boundaries[0].boundary_fluid.values[0];
        t->friction = f->boundaries[0].friction.values[0];
        t->exact_friction = f->scene.scheme.friction == BL_FRICTION_EXACT;
    }
    for (int i = 0; i < t->n; ++i) {
        t->phase[i] = (int)s->phase[i];
        for (int k = 0; k < 3; ++k) {
            t->x[i][k] = (double)(&s->x[i].x)[k];
            t->v[i][k] = (double)(&s->v[i].x)[k];
        }
    }
    for (int i = 0; i < t->nb; ++i)
        for (int k = 0; k < 3; ++k) t->b[i][k] = (double)(&f->world.boundary.x[i].x)[k];
}

/* Two fluids on a floor, every term switched on, against the twin, over three steps. */
static void compare_with_twin(int dim, bl_calibration calibration, bl_kernel_family kernel,
                              bl_friction_solver friction) {
    static twin t;
    fixture f;
    fixture_init(&f, dim, H);
    f.scene.scheme.calibration = calibration;
    f.scene.scheme.kernel = kernel;
    f.scene.scheme.friction = friction;
    f.scene.scheme.accelerator = BL_ACCEL_JACOBI;
    f.scene.scheme.viscosity = BL_VISCOSITY_EXPLICIT;
    f.scene.scheme.warm_start = false;
    f.scene.scheme.min_iterations = f.scene.scheme.max_iterations = 6;
    f.scene.time.correction_share = 1, f.scene.time.correction_speed = 1e6;
    f.scene.gravity.values[dim - 1] = -9.81;
    f.scene.fluid_count = 2;
    f.fluids[1].density = 800;
    f.fluids[0].viscosity = 0.01, f.fluids[1].viscosity = 0.02;
    f.fluids[0].fluid_fluid = number_curve(&f, 0.02), f.fluids[1].fluid_boundary = number_curve(&f, 0.03);
    f.boundaries[0].boundary_vapor = number_curve(&f, 0.05);
    f.boundaries[0].boundary_fluid = number_curve(&f, 0.02);
    f.boundaries[0].friction = number_curve(&f, 0.4);
    double level = -0.6 * H;
    add_ball(&f, (bl_vec3d){0.03 * H, 0, 0}, dim == 2 ? 4.1 * H : 2.4 * H, 0.1, 0);
    add_floor(&f, dim == 2 ? 7 : 4, level);
    for (size_t i = 0; i < f.world.fluid.count; ++i) f.world.fluid.phase[i] = f.world.fluid.x[i].x > 0;
    shake(&f, 0.02);
    fixture_start(&f);
    double dt = step_of(&f, 0.1), worst = 0, fastest = 0;
    fill_twin(&f, &t, dt);
    assert_true(t.n >= 20 && t.n + t.nb < TWIN_MAX);
    bl_observation report;
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(fixture_step(&f, dt, &report), BL_OK);
        twin_step(&t, 6);
    }
    for (int i = 0; i < t.n; ++i)
        for (int k = 0; k < 3; ++k) {
            worst = fmax(worst, fabs(t.v[i][k] - (double)(&f.world.fluid.v[i].x)[k]));
            fastest = fmax(fastest, fabs(t.v[i][k]));
        }
    assert_true(worst < CLOSE * fastest);
    fixture_clear(&f);
}
static void agrees_with_twin(void **state) {
    (void)state;
    for (int variant = 0; variant < 4; ++variant) {
        const bl_calibration calibration = (bl_calibration)(variant & 1);
        const bl_friction_solver friction = (bl_friction_solver)(variant >> 1);
        for (int dim = 2; dim <= 3; ++dim) compare_with_twin(dim, calibration, BL_KERNELS_CUBIC, friction);
        if (calibration == BL_CALIBRATION_PHYSICAL) compare_with_twin(3, calibration, BL_KERNELS_SMOOTH, friction);
    }
}

static void sum_momenta(const fixture *f, double linear[3], double angular[3], double *scale) {
    memset(linear, 0, 3 * sizeof *linear);
    memset(angular, 0, 3 * sizeof *angular);
    *scale = 0;
    for (size_t i = 0; i < f->world.fluid.count; ++i) {
        double m = f->fluids[f->world.fluid.phase[i]].density;
        bl_vec3d x = bl_v3d_from(f->world.fluid.x[i]), p = bl_v3d_scale(m, bl_v3d_from(f->world.fluid.v[i]));
        bl_vec3d l = bl_v3d_cross(x, p);
        for (int k = 0; k < 3; ++k) {
            linear[k] += (&p.x)[k];
            angular[k] += (&l.x)[k];
        }
        *scale += bl_v3d_norm(p);
    }
}

/* A free, shaken, viscous drop of three fluids: both momenta at rounding for every number of iterations, any
 * accelerator, warm or cold, both constraints. */
static void momenta_are_conserved(void **state) {
    (void)state;
    const int counts[] = {1, 2, 5, 20};
    for (int variant = 0; variant < 32; ++variant) {
        fixture f;
        fixture_init(&f, variant & 1 ? 2 : 3, H);
        f.scene.scheme.accelerator = variant & 2 ? BL_ACCEL_JACOBI : BL_ACCEL_NNCG;
        f.scene.scheme.calibration = variant & 4 ? BL_CALIBRATION_PAPER : BL_CALIBRATION_PHYSICAL;
        f.scene.scheme.min_iterations = f.scene.scheme.max_iterations = counts[variant >> 3];
        f.scene.scheme.warm_start = counts[variant >> 3] != 2;
        f.scene.fluid_count = 3;
        f.fluids[1].density = 600, f.fluids[2].density = 1500;
        f.fluids[0].viscosity = 0.05, f.fluids[1].viscosity = 0.01;
        f.fluids[0].fluid_fluid = number_curve(&f, 0.03), f.fluids[2].fluid_fluid = number_curve(&f, 0.01);
        add_ball(&f, (bl_vec3d){0, 0, 0}, (variant & 1 ? 6 : 3.6) * H, 0.15, -1);
        for (size_t i = 0; i < f.world.fluid.count; ++i)
            f.world.fluid.phase[i] = f.world.fluid.x[i].x <= 0 ? 0 : f.world.fluid.x[i].y > 0 ? 1 : 2;
        shake(&f, 0.05);
        fixture_start(&f);
        double before[2][3], after[2][3], scale, unused, dt = step_of(&f, 0.1);
        sum_momenta(&f, before[0], before[1], &scale);
        bl_observation report;
        for (int k = 0; k < 5; ++k) assert_int_equal(fixture_step(&f, dt, &report), BL_OK);
        sum_momenta(&f, after[0], after[1], &unused);
        for (int k = 0; k < 3; ++k) {
            assert_true(fabs(after[0][k] - before[0][k]) < ROUND * scale);
            assert_true(fabs(after[1][k] - before[1][k]) < ROUND * scale * 4 * H);
        }
        fixture_clear(&f);
    }
}

/* Converged tightly, both accelerators give the same step. */
static void accelerators_agree(void **state) {
    (void)state;
    bl_vec3 v[2][400];
    double iterations[2], worst = 0, fastest = 0;
    size_t n = 0;
    for (int a = 0; a < 2; ++a) {
        fixture f;
        fixture_init(&f, 2, H);
        f.scene.scheme.accelerator = a ? BL_ACCEL_NNCG : BL_ACCEL_JACOBI;
        f.scene.scheme.tolerance = f.scene.scheme.tension_tolerance = sizeof(real) == 8 ? 1e-9 : 2e-7;
        f.scene.scheme.max_iterations = 5000;
        add_ball(&f, (bl_vec3d){0, 0, 0}, 6 * H, 0.05, -1);
        fixture_start(&f);
        bl_observation report;
        assert_int_equal(fixture_step(&f, step_of(&f, 0.1), &report), BL_OK);
        iterations[a] = report.iterations;
        n = f.world.fluid.count;
        memcpy(v[a], f.world.fluid.v, n * sizeof v[a][0]);
        fixture_clear(&f);
    }
    for (size_t i = 0; i < n; ++i) {
        worst = fmax(worst, (double)bl_v3_norm(bl_v3_sub(v[0][i], v[1][i])));
        fastest = fmax(fastest, (double)bl_v3_norm(v[0][i]));
    }
    assert_true(iterations[1] < iterations[0]);
    assert_true(worst < (sizeof(real) == 8 ? 1e-5 : 2e-3) * fastest);
}

/* A lattice drop has mirror symmetry; ten steps keep it. (After 30 it is 2e-8 h off in double: rounding grows where m
 * is zero and mu has no direction.) */
static void symmetric_drop_stays_symmetric(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 2, H);
    add_ball(&f, (bl_vec3d){0, 0, 0}, 6 * H, 0, -1);
    fixture_start(&f);
    size_t n = f.world.fluid.count;
    bl_vec3 start[400];
    memcpy(start, f.world.fluid.x, n * sizeof *start);
    bl_observation report;
    for (int k = 0; k < 10; ++k) assert_int_equal(fixture_step(&f, step_of(&f, 0.1), &report), BL_OK);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            bool mirror =
                BL_FABS(start[i].x + start[j].x) < BL_R(1e-6) && BL_FABS(start[i].y - start[j].y) < BL_R(1e-6);
            bl_vec3 a = f.world.fluid.x[i], b = f.world.fluid.x[j];
            if (mirror)
                assert_true(fabs((double)(a.x + b.x)) < 10 * CLOSE * H && fabs((double)(a.y - b.y)) < 10 * CLOSE * H);
        }
    fixture_clear(&f);
}

/* The same drop turned and moved elsewhere does the same thing there. */
static void turned_and_shifted(void **state) {
    (void)state;
    const double c = cos(0.7), s = sin(0.7), shift = 5 * H;
    fixture f[2];
    bl_observation report;
    for (int k = 0; k < 2; ++k) {
        fixture_init(&f[k], 2, H);
        f[k].scene.scheme.tolerance = 1e-5;
        f[k].scene.scheme.tension_tolerance = 1e-6;
        add_ball(&f[k], (bl_vec3d){0, 0, 0}, 5 * H, 0.1, -1);
        for (size_t i = 0; k && i < f[k].world.fluid.count; ++i) {
            bl_vec3d x = bl_v3d_from(f[k].world.fluid.x[i]);
            f[k].world.fluid.x[i] = bl_v3_make((real)(c * x.x - s * x.y + shift), (real)(s * x.x + c * x.y), 0);
        }
        fixture_start(&f[k]);
        for (int n = 0; n < 5; ++n) assert_int_equal(fixture_step(&f[k], step_of(&f[k], 0.1), &report), BL_OK);
    }
    for (size_t i = 0; i < f[0].world.fluid.count; ++i) {
        bl_vec3d x = bl_v3d_from(f[0].world.fluid.x[i]), y = bl_v3d_from(f[1].world.fluid.x[i]);
        assert_true(fabs(c * x.x - s * x.y + shift - y.x) < 2e-4 * H);
        assert_true(fabs(s * x.x + c * x.y - y.y) < 2e-4 * H);
    }
    fixture_clear(&f[0]);
    fixture_clear(&f[1]);
}

/* Alone, at the same place as another, inside a wall particle: nothing becomes NaN, nothing runs away. */
static void degenerate_particles(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        fixture f;
        fixture_init(&f, dim, H);
        f.boundaries[0].friction = number_curve(&f, 0.3);
        add_ball(&f, (bl_vec3d){0, 0, 0}, 3 * H, 0, -1);
        add_fluid(&f, 50 * H, 0, 0);                             /* alone */
        add_fluid(&f, 0.5 * H, 0.5 * H, dim == 3 ? 0.5 * H : 0); /* on top of another */
        add_floor(&f, 4, -6 * H);
        bl_vec3 wall = f.world.boundary.x[0];
        add_fluid(&f, (double)wall.x, (double)wall.y, (double)wall.z); /* in the wall */
        fixture_start(&f);
        bl_observation report;
        size_t n = f.world.fluid.count;
        for (int k = 0; k < 20; ++k) assert_int_equal(fixture_step(&f, step_of(&f, 0.1), &report), BL_OK);
        for (size_t i = 0; i < n; ++i) assert_true(fabs((double)f.world.fluid.x[i].x) < 60 * H);
        assert_true(f.world.fluid.v[n - 3].x == 0); /* the lonely one feels nothing */
        fixture_clear(&f);
    }
}

/* The friction of particle i, which is in the tangential plane and within mu times its load, added to *load, and what
 * it is lent. f_n is that of the last prediction, one small update after the cone it was projected to. */
static double in_cone(const bl_fluid_store *fluid, size_t i, double mu, double *load) {
    double friction = (double)bl_v3_norm(fluid->f_fr[i]), normal = (double)bl_v3_norm(fluid->f_n[i]);
    double along = fabs((double)bl_v3_dot(fluid->f_fr[i], fluid->wall_n[i]));
    assert_true(friction <= fmax(0, mu * normal + (double)fluid->lent[i]) * 1.02 + 1e-9);
    assert_true(along <= 1e-4 * friction + 1e-12);
    *load += normal;
    return friction;
}

/* Coulomb: all friction together is within mu times all of the load, in the end and over all steps. (In single steps of
 * a ball that has just come down the load falls by two thirds, and what was lent is only called back in the next.) */
static void friction_stays_in_its_cone(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 3, H);
    f.boundaries[0].friction = number_curve(&f, 0.2);
    f.scene.gravity.values[2] = -9.81;
    f.scene.gravity.values[0] = 5;
    add_ball(&f, (bl_vec3d){0, 0, 0}, 4 * H, 0, 0);
    add_floor(&f, 8, -0.5 * H);
    fixture_start(&f);
    bl_observation report;
    double total = 0, load = 0; /* over all steps */
    for (int k = 0; k < 20; ++k) {
        assert_int_equal(fixture_step(&f, step_of(&f, 0.1), &report), BL_OK);
        double friction = 0, normal = 0; /* of this step */
        for (size_t i = 0; i < f.world.fluid.count; ++i) friction += in_cone(&f.world.fluid, i, 0.2, &normal);
        total += friction, load += normal;
        if (k == 19) assert_true(friction > 0 && friction <= 0.2 * normal * 1.02);
    }
    assert_true(total <= 0.2 * load * 1.02);
    assert_true(report.contact_load > 0);
    fixture_clear(&f);
}

/* Friction in closed form and the relaxed iteration of the paper have the same solution. */
static void friction_solvers_agree(void **state) {
    (void)state;
    fixture f[2];
    for (int k = 0; k < 2; ++k) {
        fixture_init(&f[k], 3, H);
        f[k].scene.scheme.friction = (bl_friction_solver)k;
        f[k].scene.scheme.tolerance = 1e-6, f[k].scene.scheme.max_iterations = 2000;
        f[k].scene.scheme.tension_tolerance = f[k].scene.scheme.friction_tolerance = 1e-6;
        f[k].boundaries[0].friction = number_curve(&f[k], 0.2);
        f[k].scene.gravity.values[2] = -9.81;
        f[k].scene.gravity.values[0] = 5;
        add_ball(&f[k], (bl_vec3d){0, 0, 0}, 4 * H, 0, 0);
        add_floor(&f[k], 8, -0.5 * H);
        fixture_start(&f[k]);
        bl_observation report;
        assert_int_equal(fixture_step(&f[k], step_of(&f[k], 0.1), &report), BL_OK);
    }
    double largest = 0, apart = 0;
    for (size_t i = 0; i < f[0].world.fluid.count; ++i) {
        bl_vec3 a = f[0].world.fluid.f_fr[i], b = f[1].world.fluid.f_fr[i];
        largest = fmax(largest, (double)bl_v3_norm(a));
        apart = fmax(apart, (double)bl_v3_norm(bl_v3_sub(a, b)));
    }
    assert_true(largest > 0);
    assert_true(apart < 0.01 * largest);
    fixture_clear(&f[0]);
    fixture_clear(&f[1]);
}

/* Thread counts and repetition: the same bits. */
static void bits_do_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t hash[4];
    const int threads[] = {1, 2, 3, 7};
    for (int k = 0; k < 4; ++k) {
        fixture f;
        fixture_init(&f, 3, H);
        bl_context_def def = bl_default_context_def();
        def.threads = threads[k];
        bl_context *ctx;
        assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
        bl_context_destroy(f.ctx);
        f.ctx = f.world.ctx = f.world.fluid.ctx = f.world.boundary.ctx = ctx;
        add_ball(&f, (bl_vec3d){0, 0, 0}, 5.5 * H, 0.1, -2 * H);
        add_floor(&f, 9, -2.6 * H);
        f.boundaries[0].friction = number_curve(&f, 0.3);
        fixture_start(&f);
        bl_observation report;
        for (int n = 0; n < 4; ++n) assert_int_equal(fixture_step(&f, step_of(&f, 0.1), &report), BL_OK);
        hash[k] = bl_fluid_store_hash(&f.world.fluid);
        fixture_clear(&f);
    }
    assert_true(hash[0] == hash[1] && hash[1] == hash[2] && hash[2] == hash[3]);
}

/* After warm-up a step takes no memory. */
static void steps_do_not_allocate(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 3, H);
    add_ball(&f, (bl_vec3d){0, 0, 0}, 4 * H, 0, -1);
    fixture_start(&f);
    bl_observation report;
    for (int k = 0; k < 3; ++k) assert_int_equal(fixture_step(&f, step_of(&f, 0.05), &report), BL_OK);
    uint64_t before = bl_alloc_count(f.ctx);
    for (int k = 0; k < 3; ++k) assert_int_equal(fixture_step(&f, step_of(&f, 0.05), &report), BL_OK);
    assert_int_equal(bl_alloc_count(f.ctx), before);
    fixture_clear(&f);
}

/* Every pass writes what it declares and nothing else. */
static void passes_write_what_they_declare(void **state) {
    (void)state;
    fixture f;
    fixture_init(&f, 3, H);
    f.fluids[0].viscosity = 0.01;
    add_ball(&f, (bl_vec3d){0, 0, 0}, 3 * H, 0.1, 0);
    add_floor(&f, 5, -0.5 * H);
    f.boundaries[0].friction = number_curve(&f, 0.3);
    fixture_start(&f);
    bl_observation report;
    assert_int_equal(fixture_step(&f, step_of(&f, 0.05), &report), BL_OK);
    for (int pass = 0; pass < BL_PASS_COUNT; ++pass) {
        uint64_t fluid[BL_F_COUNT], wall[BL_B_COUNT];
        for (int side = 0; side < 2; ++side) {
            for (int k = 0; k < BL_F_COUNT; ++k) {
                uint64_t hash = bl_hash(BL_HASH_START, bl_field_data(&bl_fluid_fields[k], &f.world.fluid),
                                        f.world.fluid.count * bl_fluid_fields[k].item_size);
                if (side && !(bl_pass_infos[pass].writes_fluid >> k & 1) && hash != fluid[k])
                    fail_msg("pass %s writes %s", bl_pass_infos[pass].name, bl_fluid_fields[k].name);
                fluid[k] = hash;
            }
            for (int k = 0; k < BL_B_COUNT; ++k) {
                uint64_t hash = bl_hash(BL_HASH_START, bl_field_data(&bl_boundary_fields[k], &f.world.boundary),
                                        f.world.boundary.count * bl_boundary_fields[k].item_size);
                if (side && !(bl_pass_infos[pass].writes_boundary >> k & 1) && hash != wall[k])
                    fail_msg("pass %s writes boundary %s", bl_pass_infos[pass].name, bl_boundary_fields[k].name);
                wall[k] = hash;
            }
            if (!side) bl_unified_run(&f.world, f.state, (bl_pass_id)pass);
        }
    }
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_twin),
        cmocka_unit_test(momenta_are_conserved),
        cmocka_unit_test(accelerators_agree),
        cmocka_unit_test(symmetric_drop_stays_symmetric),
        cmocka_unit_test(turned_and_shifted),
        cmocka_unit_test(degenerate_particles),
        cmocka_unit_test(friction_stays_in_its_cone),
        cmocka_unit_test(friction_solvers_agree),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(passes_write_what_they_declare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
