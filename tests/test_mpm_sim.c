/* The scheme hyde2020 in the simulation loop: threads, memory, walls, sources, periodic directions, drops, refusals. */
#include "schemes/mpm/mpm.h"
#include "sim_helpers.h"

#define FLUID(more) "fluids: {water: {density: 1000, viscosity: 2e-3, surface_tension: 0.07, " more "}}\n"
#define HEAD(dim) "dimension: " #dim "\nspacing: 0.1 mm\nscheme: {name: hyde2020}\ntime: {end: 1 s}\n"
#define FLOOR(angle) "boundaries: {floor: {contact_angle: " angle " deg, shapes: [{plane: {normal: [0, 1, 0]}}]}}\n"

/* A drop that falls on a floor that shakes, in 3D, and liquid from a nozzle in 2D. */
static const char *const busy[] = {
    HEAD(3) "gravity: [0, -9.81, 0]\n" FLUID(
        "volumes: [{sphere: {center: [0, 0.65, 0 mm], radius: 0.6 mm}, velocity: "
        "[0.1, -0.3, 0]}]") "boundaries: {floor: {contact_angle: 70 deg, friction: "
                            "0.3, swing: [0.05, 0, 0 mm], frequency: 50, "
                            "shapes: [{plane: {normal: [0, 1, 0], size: 3 "
                            "mm}}]}}\n",
    HEAD(2) "gravity: [0, -9.81, 0]\n" FLUID("volumes: [{box: {min: [-1, 0, 0 mm], max: [1, 0.5, 0 mm]}}]")
        FLOOR("90") "emitters: {nozzle: {center: [0, 2, 0 mm], direction: [0, -1, 0], radius: 0.4 mm, speed: 0.3}}\n"};

static void threads_do_not_matter(void **state) {
    (void)state;
    for (int s = 0; s < 2; s++) {
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            fixture f;
            open_sim(&f, busy[s], k ? 3 : 1);
            for (int n = 0; n < 45; n++)
                if (bl_sim_step(f.sim, 1) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
            hash[k] = bl_sim_hash(f.sim);
            close_sim(&f);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* Once it has had its largest step, a step allocates nothing: repeating one from a kept state does not. */
static void steps_do_not_allocate(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, HEAD(2) FLUID("volumes: [{sphere: {center: [0, 0, 0], radius: 1 mm}}]"), 1);
    for (int n = 0; n < 60; n++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
    uint64_t before = bl_alloc_count(f.ctx);
    for (int n = 0; n < 20; n++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
    assert_true(bl_alloc_count(f.ctx) - before == 0);
    close_sim(&f);
}

/* A shear wave decays as exp(-nu k^2 t). */
static void shear_waves_decay(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "dimension: 2\nspacing: 0.1 mm\nscheme: {name: hyde2020}\ntime: {end: 1 s, fixed_step: 1e-4}\n"
             "domain: {periodic: [true, true, false], min: [0, 0, 0], max: [3.2 mm, 1.6 mm, 0]}\n"
             "fluids: {oil: {density: 1000, viscosity: 0.05, surface_tension: 0, "
             "volumes: [{box: {min: [0, 0, 0], max: [3.2, 1.6, 0 mm]}}]}}\n",
             1);
    bl_fluid_store *s = &f.sim->world.fluid;
    const double k = 2 * M_PI / 3.2e-3, nu = 5e-5, speed = 1e-2;
    for (size_t p = 0; p < s->count; p++) {
        s->v[p].y = (real)(speed * sin(k * (double)s->x[p].x));
        s->annex[p * BL_MPM_ANNEX + BL_MPM_AFFINE + 3] = (real)(speed * k * cos(k * (double)s->x[p].x));
    }
    double amplitude[2], time[2];
    for (int n = 0; n < 30; n++) {
        assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        double sum = 0;
        for (size_t p = 0; p < s->count; p++) sum += (double)s->v[p].y * sin(k * (double)s->x[p].x);
        if (n == 4 || n == 29) amplitude[n / 29] = sum, time[n / 29] = bl_sim_time(f.sim);
    }
    assert_near(log(amplitude[0] / amplitude[1]) / (time[1] - time[0]) / (nu * k * k), 1, 0.05);
    close_sim(&f);
}

/* A square becomes a disc; pressure and energy are those of Laplace. */
static void squares_become_discs(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             HEAD(2) "fluids: {oil: {density: 1000, viscosity: 2e-2, surface_tension: 0.07, "
                     "volumes: [{box: {min: [-0.9, -0.9, 0 mm], max: [0.9, 0.9, 0 mm]}}]}}\n",
             1);
    assert_int_equal(bl_sim_advance(f.sim, 0.02), BL_OK);
    const bl_fluid_store *s = &f.sim->world.fluid;
    const double r = bl_sim_value(f.sim, "radius");
    double xx = 0, yy = 0, xy = 0, farthest = 0;
    for (size_t p = 0; p < s->count; p++) {
        const double x = (double)s->x[p].x, y = (double)s->x[p].y;
        xx += x * x, yy += y * y, xy += x * y;
        farthest = fmax(farthest, hypot(x, y));
    }
    assert_near(xx / yy, 1, 0.03);
    assert_near(xy / yy, 0, 0.03);
    assert_true(farthest < 1.06 * r); /* the corner of the square was at 1.25 */
    assert_near(bl_sim_value(f.sim, "core_pressure") / (0.07 / r), 1, 0.08);
    assert_near(bl_sim_value(f.sim, "energy_fv") / (0.07 * 2 * M_PI * r), 1, 0.02);
    close_sim(&f);
}

/* Height of the centre of a 2D drop that meets the wall at `angle`, over the root of its area. */
static double cap_center(double angle) {
    const double area = angle - sin(angle) * cos(angle), r = 1 / sqrt(area);
    return r * (2.0 / 3.0 * pow(sin(angle), 3) / area - cos(angle));
}

static void drops_meet_walls_at_their_angle(void **state) {
    (void)state;
    static const char *const scenes[] = {
        HEAD(2) "fluids: {oil: {density: 1000, viscosity: 3e-2, surface_tension: 0.07, "
                "volumes: [{box: {min: [-1.3, 0, 0 mm], max: [1.3, 0.9, 0 mm]}}]}}\n" FLOOR("60"),
        HEAD(2) "fluids: {oil: {density: 1000, viscosity: 3e-2, surface_tension: 0.07, "
                "volumes: [{box: {min: [-1.1, 0, 0 mm], max: [1.1, 1.1, 0 mm]}}]}}\n" FLOOR("90"),
        HEAD(2) "fluids: {oil: {density: 1000, viscosity: 3e-2, surface_tension: 0.07, "
                "volumes: [{box: {min: [-0.8, 0, 0 mm], max: [0.8, 1.5, 0 mm]}}]}}\n" FLOOR("120")};
    for (int k = 0; k < 3; k++) {
        fixture f;
        open_sim(&f, scenes[k], 1);
        assert_int_equal(bl_sim_advance(f.sim, 0.05), BL_OK);
        const double area = 1e-8 * (double)f.sim->world.fluid.count, wanted = M_PI / 180 * (60 + 30 * k);
        const double height = bl_sim_value(f.sim, "center_y") / sqrt(area);
        double low = 0.2, high = 3;
        for (int n = 0; n < 50; n++) *(cap_center(0.5 * (low + high)) < height ? &low : &high) = 0.5 * (low + high);
        const double got = 180 / M_PI * low;
        if (!(fabs(got - 180 / M_PI * wanted) < 15)) fail_msg("angle %g, not %g", got, 180 / M_PI * wanted);
        close_sim(&f);
    }
}

/* A tank at rest: the pressure at its floor is the weight, and walls carry it. */
static void tanks_stay(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "dimension: 2\nspacing: 0.1 mm\nscheme: {name: hyde2020}\ntime: {end: 1 s, max_step: 1e-4}\n"
             "gravity: [0, -9.81, 0]\n"
             "fluids: {water: {density: 1000, viscosity: 1e-2, surface_tension: 0, "
             "volumes: [{box: {min: [-1.6, 0, 0 mm], max: [1.6, 1.6, 0 mm]}}]}}\n"
             "boundaries: {floor: {shapes: [{plane: {normal: [0, 1, 0]}}]}, "
             "left: {shapes: [{plane: {point: [-1.6, 0, 0 mm], normal: [1, 0, 0]}}]}, "
             "right: {shapes: [{plane: {point: [1.6, 0, 0 mm], normal: [-1, 0, 0]}}]}}\n",
             1);
    assert_int_equal(bl_sim_advance(f.sim, 0.02), BL_OK);
    const bl_fluid_store *s = &f.sim->world.fluid;
    double sum = 0, n = 0;
    for (size_t p = 0; p < s->count; p++)
        if ((double)s->x[p].y < 0.5e-3) sum += (double)s->p[p] / (1000 * 9.81 * (1.6e-3 - (double)s->x[p].y)), n++;
    assert_near(sum / n, 1, 0.05);
    assert_near(bl_sim_value(f.sim, "center_y") / 0.8e-3, 1, 0.01);
    /* floor: the weight; both sides: rho g H^2/2 each */
    assert_near(bl_sim_value(f.sim, "contact_load") / (9.81e3 * (3.2e-3 * 1.6e-3 + 1.6e-3 * 1.6e-3)), 1, 0.05);
    close_sim(&f);
}

/* A piston that rises carries the liquid with it; nobody gets through. */
static void walls_move_liquid(void **state) {
    (void)state;
    fixture f;
    open_sim(
        &f,
        HEAD(2) "gravity: [0, -9.81, 0]\n" FLUID(
            "volumes: [{sphere: {center: [0, 0.6, 0 mm], radius: 0.6 mm}}]") "boundaries: {piston: {contact_angle: 120 "
                                                                             "deg, velocity: [0, 0.05, 0], "
                                                                             "shapes: [{plane: {normal: [0, 1, 0], "
                                                                             "size: 6 mm}}]}}\n",
        1);
    assert_int_equal(bl_sim_advance(f.sim, 0.02), BL_OK);
    const bl_fluid_store *s = &f.sim->world.fluid;
    for (size_t p = 0; p < s->count; p++) assert_true((double)s->x[p].y > 1e-3);
    assert_near(bl_sim_value(f.sim, "momentum_y") / (1e-5 * (double)s->count), 0.05, 0.03);
    close_sim(&f);
}

/* In a periodic direction a drop does not know where the border is. */
static void periodic_drops_cross_borders(void **state) {
    (void)state;
    double energy[2], pressure[2];
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f,
                 HEAD(2) "domain: {periodic: [true, true, false], min: [0, 0, 0], max: [4, 4, 0 mm]}\n" FLUID(
                     "volumes: [{sphere: {center: [2, 2, 0 mm], radius: 1 mm}}]"),
                 1);
        bl_fluid_store *s = &f.sim->world.fluid;
        for (size_t p = 0; p < s->count && k; p++) { /* by whole cells: the same places on the grid */
            s->x[p].x = (real)fmod((double)s->x[p].x + 2e-3, 4e-3);
            s->x[p].y = (real)fmod((double)s->x[p].y + 2e-3, 4e-3);
        }
        for (int n = 0; n < 15; n++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        energy[k] = bl_sim_value(f.sim, "energy_fv"), pressure[k] = 0;
        for (size_t p = 0; p < s->count; p++) pressure[k] += (double)s->p[p] / (double)s->count;
        close_sim(&f);
    }
    assert_near(energy[1] / energy[0], 1, 1e-3);
    assert_near(pressure[1] / pressure[0], 1, 1e-2);
}

/* Particles in a nozzle go on with their velocity, and the liquid of emitters arrives. */
static void nozzles_pour(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, busy[1], 1);
    const size_t before = f.sim->world.fluid.count;
    assert_int_equal(bl_sim_advance(f.sim, 5e-3), BL_OK);
    const bl_fluid_store *s = &f.sim->world.fluid;
    assert_true(s->count > before + 80); /* 8 wide, 15 rows */
    for (size_t p = 0; p < s->count; p++)
        if (s->held[p]) assert_near(s->v[p].y, -0.3, 1e-3);
    close_sim(&f);
}

static void refusals(void **state) {
    (void)state;
    assert_refused(HEAD(2) "fluids: {a: {density: 1000, surface_tension: 0.07, volumes: [{sphere: {radius: 1 mm}}]}, "
                           "b: {density: 900, surface_tension: 0.03, "
                           "volumes: [{sphere: {center: [5, 0, 0 mm], radius: 1 mm}}]}}\n",
                   "knows one");
    assert_refused(HEAD(2) "domain: {periodic: [true, false, false], min: [0, -1, 0 mm], max: [0.9, 1, 0 mm]}\n" FLUID(
                       "volumes: [{box: {min: [0, 0, 0], max: [0.9, 1, 0 mm]}}]"),
                   "needs 5 or more");
    assert_refused(
        HEAD(3) FLUID(
            "volumes: [{sphere: {center: [0, 3, 0 mm], radius: 1 mm}}]") "boundaries: {mat: {elastic: {density: 1000, "
                                                                         "youngs_modulus: 1e4, poisson_ratio: 0.3}, "
                                                                         "shapes: [{box: {min: [-2, -1, -2 mm], max: "
                                                                         "[2, 0, 2 mm]}}]}}\n",
        "walls that keep their shape only");
    assert_refused(HEAD(2)
                       FLUID("volumes: [{sphere: {center: [0, 2, 0 mm], radius: 1 mm}}, "
                             "{sphere: {center: [0, -2, 0 mm], radius: 1 mm}}]") "boundaries: {film: {shapes: [{plane: "
                                                                                 "{normal: [0, 1, 0]}}]}}\n",
                   "liquid on both sides");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(shear_waves_decay),
        cmocka_unit_test(squares_become_discs),
        cmocka_unit_test(drops_meet_walls_at_their_angle),
        cmocka_unit_test(tanks_stay),
        cmocka_unit_test(walls_move_liquid),
        cmocka_unit_test(periodic_drops_cross_borders),
        cmocka_unit_test(nozzles_pour),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
