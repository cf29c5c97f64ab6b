/* Long steps for a long time: 2,000 steps at dt = 0.9 sqrt(rho h^3/gamma) in the paper's calibration. */
#include "fixture.h"

static const double H = 1e-3, GAMMA = 0.07;

/* Every step succeeds, nothing is denser than 1.05, nothing gets lost; on average compression stays below 0.1 %. */
static void run_drop(fixture *f, int steps, double reach) {
    double dt = 0.9 * sqrt(1000 * pow(H, 3) / GAMMA), mean = 0;
    bl_observation report;
    fixture_start(f);
    /* a ball cut from a lattice has corners: let it become a drop first */
    for (int k = 0; k < 200; ++k) assert_int_equal(fixture_step(f, dt / 4, &report), BL_OK);
    for (int k = 0; k < steps; ++k) {
        assert_int_equal(fixture_step(f, dt, &report), BL_OK);
        mean += report.volume_error_mean / steps;
        double dense = 0, far = 0;
        for (size_t i = 0; i < f->world.fluid.count; ++i) {
            bl_vec3d x = bl_v3d_from(f->world.fluid.x[i]), c = {report.center_x, report.center_y, report.center_z};
            dense = fmax(dense, (double)f->world.fluid.density[i] / 1000);
            far = fmax(far, bl_v3d_norm(bl_v3d_sub(x, c)));
        }
        assert_true(dense < 1.05);
        assert_true(far < reach);
    }
    assert_true(mean < 1e-3);
    fixture_clear(f);
}

static void paper_water(fixture *f) {
    fixture_init(f, 3, H);
    f->scene.scheme.calibration = BL_CALIBRATION_PAPER;
    f->fluids[0].viscosity = 1e-3;
}

static void resting_drop(void **state) {
    (void)state;
    fixture f;
    paper_water(&f);
    f.scene.gravity.values[2] = -1; /* a tenth of g: the small effective tension must still hold the drop together */
    f.boundaries[0].friction = number_curve(&f, 0.3);
    add_ball(&f, (bl_vec3d){0, 0, 0}, 4.6 * H, 0, 0);
    add_floor(&f, 12, -0.5 * H);
    run_drop(&f, 2000, 12 * H);
}

static void falling_drop(void **state) {
    (void)state;
    fixture f;
    paper_water(&f);
    f.scene.gravity.values[2] = -1e-2; /* falls 230 spacings on the way */
    add_ball(&f, (bl_vec3d){0, 0, 0}, 3.6 * H, 0, -1);
    run_drop(&f, 2000, 8 * H);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(falling_drop), cmocka_unit_test(resting_drop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
