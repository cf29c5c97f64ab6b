/* The load of friction and what is lent of it (physics/load.h). */
/* also: double */
#include "fixture.h"
#include "physics/load.h"

#define H 1e-3

/* Whatever the profile of the wetness, its slope counts a line once. */
static void line_counts_once(void **state) {
    (void)state;
    const double widths[] = {0.7, 2, 5}, full[] = {0.27, 0.05}, step = 0.02;
    for (size_t w = 0; w < 3; ++w)
        for (size_t k = 0; k < 2; ++k) {
            double length = 0;
            for (double x = -30; x < 30; x += step) {
                double t = tanh(x / widths[w]), slope = (1 - t * t) / (2 * widths[w]);
                length +=
                    step *
                    (double)bl_line_density((real)(full[k] * 0.5 * (1 + t)), (real)full[k], (real)(full[k] * slope)) /
                    full[k];
            }
            assert_true(fabs(length - 1) < 1e-3);
        }
}

/* A ball on a floor that turns to the side, with friction. */
static void make_drop(fixture *f, int dim, bl_friction_solver solver) {
    fixture_init(f, dim, H);
    f->scene.scheme.calibration = BL_CALIBRATION_PHYSICAL;
    f->scene.scheme.friction = solver;
    f->scene.gravity.values[0] = 3, f->scene.gravity.values[dim - 1] = -9.81;
    f->boundaries[0].boundary_vapor = number_curve(f, 0.03);
    f->boundaries[0].friction = number_curve(f, 0.4);
    add_ball(f, (bl_vec3d){0, 0, 0}, dim == 2 ? 5.1 * H : 3.3 * H, 0.1, 0);
    add_floor(f, dim == 2 ? 12 : 7, -0.5 * H);
    fixture_start(f);
}

/* Lending takes from some what it gives to others, and nobody uses more than he has. */
static void lending_makes_nothing(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
        for (int solver = 0; solver < 2; ++solver) {
            fixture f;
            bl_observation report;
            make_drop(&f, dim, (bl_friction_solver)solver);
            for (int k = 0; k < 30; ++k) assert_int_equal(fixture_step(&f, 1e-4, &report), BL_OK);
            double sum = 0, moved = 0;
            for (size_t i = 0; i < f.world.fluid.count; ++i) {
                double lent = (double)f.world.fluid.lent[i], load = (double)bl_v3_norm(f.world.fluid.f_n[i]);
                double most = fmax(0, 0.4 * load + lent), used = (double)bl_v3_norm(f.world.fluid.f_fr[i]);
                sum += lent, moved += fabs(lent);
                /* relaxed friction lags behind the load by an iteration */
                if (solver == BL_FRICTION_EXACT) assert_true(used <= most * (1 + 1e-5) + 1e-12);
            }
            assert_true(moved > 0);
            assert_true(fabs(sum) < 0.01 * moved);
            fixture_clear(&f);
        }
}

/* Of two particles that used all the friction they had, the one at the contact line keeps it, and wants most of what
 * others offer. */
static void a_base_yields_to_its_rim(void **state) {
    (void)state;
    enum { BASE, RIM };
    bl_phase_params fluid = {.a0_fv = 1, .a0_surface = 1, .mass = 1};
    bl_params par = {.h = 1};
    bl_step_params step = {.kick = {0, 0, -7}};
    uint32_t phase[2] = {0, 0};
    real mu[2] = {1, 1}, load[2] = {2, 2}, lent[2] = {1, 1}, surface[2] = {BL_R(0.5), BL_R(0.99)}, spare[2], want[2];
    bl_vec3 friction[2] = {{3, 0, 0}, {0, 3, 0}}, v[2] = {{0, 0, -7}, {0, 0, -7}}, still[2] = {{0, 0, 0}, {0, 0, 0}};
    bl_view s = {.par = &par,
                 .step = &step,
                 .fluids = &fluid,
                 .phase = phase,
                 .v = v,
                 .wall_v = still,
                 .wall_mu = mu,
                 .load = load,
                 .lent = lent,
                 .s_fv = surface,
                 .f_fr = friction,
                 .spare = spare,
                 .want = want};
    for (bl_index i = 0; i < 2; ++i) bl_offer_friction(&s, i);
    assert_true(spare[RIM] == BL_R(0));
    assert_true(spare[BASE] > BL_R(1) && spare[BASE] < BL_R(3));
    assert_true(want[RIM] > 5 * want[BASE] && want[BASE] > BL_R(0));
    assert_true(fabs((double)bl_at_rim(BL_R(0.85)) - 0.5) < 1e-5);
    v[BASE].x = BL_R(1); /* m v^2 is as much as the surface energy now: a base that slides keeps its friction */
    bl_offer_friction(&s, BASE);
    assert_true(spare[BASE] < BL_R(0.01) && want[BASE] > BL_R(0.9) * want[RIM] * surface[BASE] / surface[RIM]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_counts_once),
        cmocka_unit_test(lending_makes_nothing),
        cmocka_unit_test(a_base_yields_to_its_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
