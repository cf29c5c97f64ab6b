/* The scheme hyde2020 as a whole: transfers against brute-force twins, forces without sum and torque, drops, walls. */
/* also: double */
#include "base/rng.h"
#include "fixture.h"
#include "schemes/mpm/mpm.h"

#include <stdlib.h>

#ifdef BL_DOUBLE
#define ROUND 1e-12
#else
#define ROUND 3e-5
#endif

static const double H = 1e-3;

static void init(fixture *f, int dim) {
    fixture_init(f, dim, H);
    f->scene.scheme.name = BL_SCHEME_HYDE2020;
    f->scene.scheme.calibration = BL_CALIBRATION_PHYSICAL;
    for (int b = 0; b < 2; b++) f->boundaries[b].contact_angle = (bl_curve){0};
}

/* A ball with random velocities, affine velocities and volumes, as after many steps. */
static void stir(fixture *f, double speed) {
    bl_fluid_store *s = &f->world.fluid;
    assert_int_equal(bl_fluid_store_extend(s, BL_MPM_ANNEX), BL_OK);
    for (size_t p = 0; p < s->count; p++) {
        real *annex = s->annex + p * BL_MPM_ANNEX;
        annex[BL_MPM_DILATION] = (real)(1e-3 * bl_rng_normal(5, p, 9));
        for (int a = 0; a < f->scene.dimension; a++) {
            (&s->v[p].x)[a] += (real)(speed * bl_rng_normal(5, p, (uint64_t)a));
            for (int b = 0; b < f->scene.dimension; b++)
                annex[BL_MPM_AFFINE + 3 * a + b] = (real)(speed / H * bl_rng_normal(6, p, (uint64_t)(3 * a + b)));
        }
    }
}

static void open_ball(fixture *f, int dim, double radius, double jitter) {
    init(f, dim);
    add_ball(f, (bl_vec3d){0.2 * H, 0.1 * H, 0}, radius * H, jitter, -1);
    stir(f, 0.05);
    fixture_start(f);
}

static double weight_of(double u) { /* quadratic B-spline */
    u = fabs(u);
    return u < 0.5 ? 0.75 - u * u : u < 1.5 ? 0.5 * (1.5 - u) * (1.5 - u) : 0;
}

static void place_of(const bl_mpm *m, size_t i, double x[3]) {
    for (int a = 0; a < 3; a++) x[a] = a < m->dimension ? m->origin[a] + m->place[i][a] * m->cell[a] : 0;
}

static double pair_weight(const bl_mpm *m, const double node[3], bl_vec3 x) {
    double w = 1;
    for (int a = 0; a < m->dimension; a++) w *= weight_of(((double)(&x.x)[a] - node[a]) * m->inv_cell[a]);
    return w;
}

/* Mass and momentum of every node against all particles. */
static void check_nodes(fixture *f, int dim) {
    open_ball(f, dim, 4.3, 0.2);
    bl_mpm *m = f->state;
    const bl_fluid_store *s = &f->world.fluid;
    bl_mpm_set_step(&f->world, m, 1e-4);
    assert_int_equal(bl_mpm_build_grid(&f->world, m), BL_OK);
    assert_int_equal(bl_mpm_gather_mass(&f->world, m), BL_OK);
    double total = 0;
    for (size_t i = 0; i < m->masses; i++) {
        double x[3], mass = 0, momentum[3] = {0}, error = 0;
        place_of(m, i, x);
        for (size_t p = 0; p < s->count; p++) {
            const double w = m->mass * pair_weight(m, x, s->x[p]);
            mass += w;
            for (int a = 0; a < dim; a++) {
                momentum[a] += w * (double)(&s->v[p].x)[a];
                for (int b = 0; b < dim; b++)
                    momentum[a] += w * (double)s->annex[p * BL_MPM_ANNEX + BL_MPM_AFFINE + (size_t)(3 * a + b)] *
                                   (x[b] - (double)(&s->x[p].x)[b]);
            }
        }
        total += mass;
        assert_true(fabs((double)m->inertia[i] - mass) < ROUND * m->mass);
        for (int a = 0; a < dim; a++) error += fabs((double)(m->inertia[i] * (&m->start[i].x)[a]) - momentum[a]);
        assert_true(error < 3 * ROUND * m->mass * 0.3 + 2e-6 * m->mass);
    }
    assert_true(fabs(total / (m->mass * (double)s->count) - 1) < 10 * ROUND); /* no node is missing */
    fixture_clear(f);
}

static void nodes_agree_with_twin(void **state) {
    (void)state;
    fixture f;
    check_nodes(&f, 2);
    check_nodes(&f, 3);
}

/* Grid and back without a solve: a flow that is linear in space comes back as it was, with its divergence. */
static void check_return(fixture *f, int dim) {
    const double g[3][3] = {{0.3, -2, 0.5}, {1, 0.4, -0.7}, {0.2, 0.6, -0.5}};
    open_ball(f, dim, 4.3, 0.2);
    bl_mpm *m = f->state;
    bl_fluid_store *s = &f->world.fluid;
    bl_failure failure = {0};
    const double dt = 1e-6;
    bl_mpm_set_step(&f->world, m, dt);
    assert_int_equal(bl_mpm_build_grid(&f->world, m), BL_OK);
    assert_int_equal(bl_mpm_gather_mass(&f->world, m), BL_OK);
    assert_int_equal(bl_mpm_find_walls(&f->world, m), BL_OK);
    for (size_t i = 0; i < m->masses; i++) {
        double x[3];
        place_of(m, i, x);
        m->push_tension[i] = bl_v3_zero();
        for (int a = 0; a < 3; a++) {
            double v = 0;
            for (int b = 0; b < dim; b++) v += a < dim ? g[a][b] * x[b] : 0;
            (&m->v[i].x)[a] = (real)v;
        }
    }
    static double before[3000][4];
    double divergence = 0;
    for (int a = 0; a < dim; a++) divergence += g[a][a];
    for (size_t p = 0; p < s->count; p++) {
        for (int a = 0; a < 3; a++) before[p][a] = (double)(&s->x[p].x)[a];
        before[p][3] = (double)s->annex[p * BL_MPM_ANNEX];
    }
    assert_int_equal(bl_mpm_move_particles(&f->world, m, &failure), BL_OK);
    for (size_t p = 0; p < s->count; p++) {
        const real *annex = s->annex + p * BL_MPM_ANNEX;
        for (int a = 0; a < dim; a++) {
            double v = 0;
            for (int b = 0; b < dim; b++) v += g[a][b] * before[p][b];
            assert_true(fabs((double)(&s->v[p].x)[a] - v) < 30 * ROUND * 3 * 5 * H);
            for (int b = 0; b < dim; b++)
                assert_true(fabs((double)annex[BL_MPM_AFFINE + 3 * a + b] - g[a][b]) < 300 * ROUND);
        }
        const double grown = (1 + dt * divergence) * (1 + before[p][3]) - 1;
        assert_true(fabs((double)annex[BL_MPM_DILATION] - fmin(grown, m->scale / m->bulk)) < 1e-9 + 1e-7);
    }
    fixture_clear(f);
}

static void linear_flows_come_back(void **state) {
    (void)state;
    fixture f;
    check_return(&f, 2);
    check_return(&f, 3);
}

static void set_up(fixture *f, double dt) {
    bl_mpm *m = f->state;
    bl_mpm_set_step(&f->world, m, dt);
    assert_int_equal(bl_mpm_build_grid(&f->world, m), BL_OK);
    assert_int_equal(bl_mpm_gather_mass(&f->world, m), BL_OK);
    assert_int_equal(bl_mpm_find_walls(&f->world, m), BL_OK);
    bl_mpm_find_level(&f->world, m);
    assert_int_equal(bl_mpm_find_pieces(&f->world, m), BL_OK);
}

/* Forces of nodes: their sum and torque, over the sum of their magnitudes (times the length of a cell). */
static void check_forces(int dim) {
    fixture f;
    open_ball(&f, dim, 4.3, 0.2);
    f.fluids[0].viscosity = 0.01;
    bl_mpm *m = f.state;
    set_up(&f, 1e-3);
    for (size_t i = 0; i < m->masses; i++) m->v[i] = m->start[i] = bl_v3_zero(); /* nothing but forces */
    bl_mpm_find_residual(&f.world, m);
    double sum[3] = {0}, torque[3] = {0}, size = 0;
    for (size_t i = 0; i < m->masses; i++) {
        double x[3];
        place_of(m, i, x);
        const double r[3] = {(double)m->residual[i].x, (double)m->residual[i].y, (double)m->residual[i].z};
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            sum[a] += r[a];
            torque[a] += (x[b] * r[c] - x[c] * r[b]) / m->cell[0];
            size += fabs(r[a]);
        }
    }
    assert_true(size > 0);
    for (int a = 0; a < 3; a++) {
        assert_true(fabs(sum[a]) < ROUND * size);
        if (!(fabs(torque[a]) < 3 * ROUND * size)) fail_msg("%d-D torque %g of %g", dim, torque[a], size);
    }
    fixture_clear(&f);
}

static void forces_have_no_sum_and_no_torque(void **state) {
    (void)state;
    check_forces(2);
    check_forces(3);
}

/* The surface alone, in motion: its forces have no torque about the places to which nodes go, but about those where
 * they are; so angular momentum is kept to first order in the step only. */
static void torque_vanishes_about_the_end(void **state) {
    (void)state;
    fixture f;
    open_ball(&f, 2, 4.3, 0.2);
    bl_mpm *m = f.state;
    const double dt = 1e-3;
    set_up(&f, dt);
    m->bulk = 0;
    double begin = 0, end = 0, size = 0;
    for (size_t i = 0; i < m->masses; i++) { /* spinning, ten radians a second */
        double x[3];
        place_of(m, i, x);
        m->v[i] = m->start[i] = bl_v3_make((real)(-10 * x[1]), (real)(10 * x[0]), 0);
    }
    bl_mpm_find_residual(&f.world, m);
    for (size_t i = 0; i < m->masses; i++) {
        double x[3];
        place_of(m, i, x);
        const double rx = (double)m->residual[i].x, ry = (double)m->residual[i].y;
        begin += x[0] * ry - x[1] * rx;
        end += (x[0] + dt * (double)m->v[i].x) * ry - (x[1] + dt * (double)m->v[i].y) * rx;
        size += (fabs(rx) + fabs(ry)) * m->cell[0];
    }
    assert_true(fabs(end) < 3 * ROUND * size);
    /* x_hat - x = dt omega x: dt omega times the virial, which is the energy of the surface */
    double energy = 0;
    for (size_t q = 0; q < m->pieces; q++) energy += (double)(m->sheet[q].energy * bl_surface_stretch(m->sheet[q].f));
    assert_true(fabs(begin) > 0.5 * dt * 10 * dt * energy);
    assert_true(fabs(begin) < 2 * dt * 10 * dt * energy);
    fixture_clear(&f);
}

/* The matrix is the derivative of the residual where nothing had to be left out (in 2D), and it is symmetric and
 * positive in both. */
static void check_matrix(int dim) {
    fixture f;
    open_ball(&f, dim, 3.3, 0.2);
    f.fluids[0].viscosity = 0.01;
    bl_mpm *m = f.state;
    set_up(&f, 2e-4);
    const size_t n = m->masses;
    bl_vec3 *a = calloc(4 * n, sizeof *a), *b = a + n, *ya = b + n, *yb = ya + n;
    const double step = sizeof(real) == 8 ? 1e-5 : 2e-2;
    double xy = 0, yx = 0, xx = 0, off = 0, size = 0;
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < dim; k++) {
            (&a[i].x)[k] = (real)(0.1 * bl_rng_normal(8, i, (uint64_t)k));
            (&b[i].x)[k] = (real)(0.1 * bl_rng_normal(9, i, (uint64_t)k));
        }
    bl_mpm_find_residual(&f.world, m);
    bl_mpm_apply(&f.world, m, a, ya);
    bl_mpm_apply(&f.world, m, b, yb);
    for (size_t i = 0; i < n; i++) {
        xy += (double)bl_v3_dot(a[i], yb[i]);
        yx += (double)bl_v3_dot(b[i], ya[i]);
        xx += (double)bl_v3_dot(a[i], ya[i]);
    }
    assert_true(xx > 0);
    assert_true(fabs(xy - yx) < 10 * ROUND * xx);
    for (int side = 1; side >= -1 && dim == 2; side -= 2) {
        for (size_t i = 0; i < n; i++) m->v[i] = bl_v3_mad(m->start[i], (real)(side * step), a[i]);
        bl_mpm_find_residual(&f.world, m);
        for (size_t i = 0; i < n; i++) yb[i] = side > 0 ? m->residual[i] : bl_v3_sub(yb[i], m->residual[i]);
    }
    for (size_t i = 0; i < n && dim == 2; i++) {
        off += (double)bl_v3_norm2(bl_v3_sub(bl_v3_scale((real)(0.5 / step), yb[i]), ya[i]));
        size += (double)bl_v3_norm2(ya[i]);
    }
    if (!(off <= (sizeof(real) == 8 ? 1e-12 : 1e-5) * size)) fail_msg("matrix off by %g of %g", sqrt(off), sqrt(size));
    free(a);
    fixture_clear(&f);
}

static void matrix_is_the_slope_of_the_residual(void **state) {
    (void)state;
    check_matrix(2);
    check_matrix(3);
}

/* Area of all pieces of a ball, and their closedness: area vectors add up to nothing. */
static void check_pieces(int dim, bl_calibration calibration, double tolerance) {
    fixture f;
    init(&f, dim);
    f.scene.scheme.calibration = calibration;
    add_ball(&f, (bl_vec3d){0.13 * H, 0.21 * H, 0.07 * H}, 10 * H, 0.1, -1);
    fixture_start(&f);
    bl_mpm *m = f.state;
    set_up(&f, 1e-4);
    double area = 0, sum[3] = {0}, volume = m->volume * (double)f.world.fluid.count;
    for (size_t q = 0; q < m->pieces; q++) {
        area += (double)m->piece[q].area;
        for (int a = 0; a < 3; a++) sum[a] += (double)(m->piece[q].area * (&m->piece[q].normal.x)[a]);
    }
    const double r = dim == 2 ? sqrt(volume / M_PI) : cbrt(3 * volume / (4 * M_PI));
    const double expected = dim == 2 ? 2 * M_PI * r : 4 * M_PI * r * r;
    if (!(fabs(area / expected - 1) < tolerance)) fail_msg("%d-D area off by %g", dim, area / expected - 1);
    for (int a = 0; a < 3; a++) assert_true(fabs(sum[a]) < 1e-4 * area);
    fixture_clear(&f);
}

static void pieces_cover_a_ball(void **state) {
    (void)state;
    check_pieces(2, BL_CALIBRATION_PHYSICAL, 0.02);
    check_pieces(3, BL_CALIBRATION_PHYSICAL, 0.04);
    check_pieces(2, BL_CALIBRATION_PAPER, 0.06);
    check_pieces(3, BL_CALIBRATION_PAPER, 0.10);
}

/* No node deep inside a filling counts as outside, with the paper's level set and with the one by mass. */
static void levels_have_no_holes(void **state) {
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        fixture f;
        const int dim = 2 + variant / 2;
        init(&f, dim);
        f.scene.scheme.calibration = variant % 2 ? BL_CALIBRATION_PAPER : BL_CALIBRATION_PHYSICAL;
        add_ball(&f, (bl_vec3d){0.3 * H, 0.1 * H, 0.2 * H}, 9 * H, 0.3, -1);
        fixture_start(&f);
        bl_mpm *m = f.state;
        set_up(&f, 1e-4);
        size_t inside = 0;
        for (size_t i = 0; i < m->nodes; i++) {
            double x[3];
            place_of(m, i, x);
            if (sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) > 6 * H) continue;
            inside++;
            assert_true(m->level[i] < 0);
        }
        assert_true(inside > 20);
        fixture_clear(&f);
    }
}

/* Both momenta over many steps, whatever the residual that is left. */
static void momenta_stay(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        fixture f;
        open_ball(&f, dim, 3.3, 0.1);
        f.fluids[0].viscosity = 0.01;
        bl_observation o, first = {0};
        for (int k = 0; k < 20; k++) {
            assert_int_equal(fixture_step(&f, 2e-4, &o), BL_OK);
            if (k == 0) first = o;
        }
        const double mass = 1000 * pow(H, dim) * (double)f.world.fluid.count, scale = mass * 0.05;
        const double round = sizeof(real) == 8 ? 1e-9 : 1e-5; /* nodes of the least weight have some of their own */
        assert_true(fabs(o.momentum_x - first.momentum_x) < round * scale);
        assert_true(fabs(o.momentum_y - first.momentum_y) < round * scale);
        fixture_clear(&f);
    }
}

/* What a step cannot do it says, with a particle, and nothing is not a number. */
static void too_long_steps_diverge(void **state) {
    (void)state;
    fixture f;
    open_ball(&f, 2, 4.3, 0.1);
    f.world.fluid.v[3].x = 100;
    bl_observation o;
    bl_failure failure = {0};
    assert_int_equal(f.scheme->step(&f.world, f.state, 0.01, &o, &failure), BL_ERR_DIVERGED);
    assert_non_null(failure.term);
    assert_true(strlen(failure.text) > 20);
    fixture_clear(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_agree_with_twin),
        cmocka_unit_test(linear_flows_come_back),
        cmocka_unit_test(forces_have_no_sum_and_no_torque),
        cmocka_unit_test(torque_vanishes_about_the_end),
        cmocka_unit_test(matrix_is_the_slope_of_the_residual),
        cmocka_unit_test(pieces_cover_a_ball),
        cmocka_unit_test(levels_have_no_holes),
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(too_long_steps_diverge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
