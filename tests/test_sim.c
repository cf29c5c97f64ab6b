/* The loop: exact flight, exact times, thread independence, no allocation, failing steps. */
/* also: double */
#include "sim_helpers.h"
#include <stdio.h>

#include <math.h>

#define FALLING                                                                                                        \
    "name: falling\n"                                                                                                  \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [0, 0, -9.81 m/s^2]\n"                                                                                   \
    "scheme: {name: ballistic}\n"                                                                                      \
    "fluids:\n"                                                                                                        \
    "  water:\n"                                                                                                       \
    "    density: 1000 kg/m^3\n"                                                                                       \
    "    surface_tension: 0.07 N/m\n"                                                                                  \
    "    volumes: [{sphere: {center: [1 mm, 0, 0], radius: 3 mm}, velocity: [0.1 m/s, 0, 0.2 m/s]}]\n"
static const char falling[] = FALLING "time: {end: 0.1 s, max_step: 0.7 ms, frames_per_second: 100}\n";
static const char falling_fixed[] = FALLING "time: {end: 0.1 s, fixed_step: 1 ms, frames_per_second: 100}\n";

/* --- flight and time --- */

static void test_flight_is_exact(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, falling, 2);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    assert_true(fluid->count > 800 && fluid->count < 1000); /* 4/3 pi 6^3 = 905 */
    size_t first = index_of_id(f.sim, 17);
    bl_vec3d x0 = bl_v3d_from(fluid->x[first]);
    const double t = 0.05;
    assert_int_equal(bl_sim_advance(f.sim, t), BL_OK);
    size_t i = index_of_id(f.sim, 17);
    assert_near(fluid->x[i].x, x0.x + 0.1 * t, 1e-7);
    assert_near(fluid->x[i].y, x0.y, 1e-7);
    assert_near(fluid->x[i].z, x0.z + 0.2 * t - 9.81 / 2 * t * t, 1e-7);
    assert_near(fluid->v[i].z, 0.2 - 9.81 * t, 2e-6);
    close_sim(&f);
}

static void test_observations(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, falling, 1);
    assert_int_equal(bl_sim_advance(f.sim, 0.02), BL_OK);
    double n = (double)bl_sim_fluid_count(f.sim), mass = n * 1000 * pow(0.5e-3, 3), vz = 0.2 - 9.81 * 0.02;
    assert_near(bl_sim_value(f.sim, "momentum_x"), mass * 0.1, 1e-6 * mass);
    assert_near(bl_sim_value(f.sim, "momentum_z"), mass * vz, 1e-6 * mass);
    assert_near(bl_sim_value(f.sim, "energy_kinetic"), mass / 2 * (0.01 + vz * vz), 1e-6 * mass);
    assert_near(bl_sim_value(f.sim, "radius"), cbrt(3 * n * pow(0.5e-3, 3) / (4 * acos(-1.0))), 1e-9);
    double z = bl_sim_value(f.sim, "center_z");
    assert_near(bl_sim_value(f.sim, "energy_potential"), mass * 9.81 * z, 1e-6 * mass);
    assert_near(bl_sim_value(f.sim, "fluid_particles"), n, 0);
    assert_true(isnan(bl_sim_value(f.sim, "no such column")));
    close_sim(&f);
}

/* Targets are hit to the bit, and no step is a crumb. */
static void test_times_are_exact(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, falling, 1);
    for (int frame = 1; frame <= 10; frame++) {
        double target = frame / 100.0;
        while (bl_sim_time(f.sim) < target) {
            const char *which;
            double limit = bl_sim_step_limit(f.sim, &which);
            assert_int_equal(bl_sim_step(f.sim, target), BL_OK);
            double dt = bl_sim_value(f.sim, "dt");
            assert_true(dt <= limit * (1 + 2e-6));
            assert_true(dt >= 0.49 * limit);
        }
        assert_true(bl_sim_time(f.sim) == target);
    }
    close_sim(&f);
}

static void test_fixed_steps(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, falling_fixed, 1);
    for (int frame = 1; frame <= 10; frame++) assert_int_equal(bl_sim_advance(f.sim, frame / 100.0), BL_OK);
    assert_int_equal(bl_sim_steps(f.sim), 100);
    assert_int_equal(bl_sim_advance(f.sim, 0.05), BL_OK); /* in the past: nothing happens */
    assert_int_equal(bl_sim_steps(f.sim), 100);
    assert_int_equal(bl_sim_step(f.sim, (double)NAN), BL_ERR_USAGE);
    close_sim(&f);
}

/* --- threads and memory --- */

static uint64_t hash_after(const char *text, int threads, double until) {
    fixture f;
    open_sim(&f, text, threads);
    if (bl_sim_advance(f.sim, until) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
    uint64_t hash = bl_sim_hash(f.sim);
    close_sim(&f);
    return hash;
}

#define DROP                                                                                                           \
    "name: drop\n"                                                                                                     \
    "spacing: 0.5 mm\n"                                                                                                \
    "fluids:\n"                                                                                                        \
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m, viscosity: 1 mPa s,\n"                                 \
    "          volumes: [{sphere: {center: [0, 0, 2.5 mm], radius: 2 mm}}]}\n"                                         \
    "boundaries:\n"                                                                                                    \
    "  plate: {contact_angle: 70 deg, friction: 0.2, shapes: [{plane: {normal: [0, 0, 1]}}]}\n"                        \
    "time: {end: 0.1 s, fixed_step: 20 us, frames_per_second: 100}\n"

static void test_threads_do_not_matter(void **state) {
    (void)state;
    const char *scenes[] = {falling, DROP "scheme: {name: unified}\ngravity: [0, 0, -9.81]\n"};
    const double until[] = {0.03, 0.0006};
    for (int s = 0; s < 2; s++) {
        uint64_t one = hash_after(scenes[s], 1, until[s]);
        assert_int_equal(hash_after(scenes[s], 1, until[s]), one);
        const int threads[] = {2, 3, 7};
        for (int k = 0; k < 3; k++)
            if (hash_after(scenes[s], threads[k], until[s]) != one)
                fail_msg("scene %d: another state with %d threads", s, threads[k]);
    }
    assert_true(hash_after(falling, 1, 0.03) != hash_after(falling, 1, 0.02));
}

/* It lands, spreads, and slides over the plate. */
static const char landing[] =
    "spacing: 0.3 mm\ngravity: [0, 0, -9.81]\nscheme: {name: unified}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m, viscosity: 5 mPa s,\n"
    "          volumes: [{sphere: {center: [-4 mm, 0, 2.3 mm], radius: 2 mm}, velocity: [0.5 m/s, 0, -0.3 m/s]}]}\n"
    "boundaries:\n"
    "  plate: {contact_angle: 70 deg, friction: 0.1, shapes: [{plane: {normal: [0, 0, 1], size: 20 mm}}]}\n"
    "time: {end: 0.1 s, max_step: 0.1 ms, frames_per_second: 100}\n";

/* Memory follows the number of particles, cells and neighbours with slack that grows: after a while nothing is
 * allocated, also while a drop moves. */
static void test_steps_do_not_allocate(void **state) {
    (void)state;
    const char *scenes[] = {falling, DROP "scheme: {name: ballistic}\ngravity: [0, 0, -9.81]\n",
                            DROP "scheme: {name: unified}\ngravity: [0, 0, 0]\n", landing};
    const int warmup[] = {25, 25, 25, 130}, steps[] = {25, 25, 25, 60}; /* over a sort, every 20 steps */
    for (int s = 0; s < 4; s++) {
        fixture f;
        open_sim(&f, scenes[s], 2);
        for (int k = 0; k < warmup[s]; k++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        uint64_t before = bl_alloc_count(f.ctx);
        for (int k = 0; k < steps[s]; k++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        if (bl_alloc_count(f.ctx) != before)
            fail_msg("scene %d: %d allocations", s, (int)(bl_alloc_count(f.ctx) - before));
        close_sim(&f);
    }
}

/* --- steps that fail --- */

/* A scheme that spoils all positions and fails whenever its step is longer than `longest`. */
static double longest;

static bl_status picky_step(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure) {
    if (dt <= longest) return bl_scheme_ballistic.step(world, state, dt, report, failure);
    for (size_t i = 0; i < world->fluid.count; i++) world->fluid.x[i].x += 1;
    *failure = (bl_failure){.term = "pressure", .id = 42, .text = "too long for me"};
    return BL_ERR_DIVERGED;
}

static bl_scheme picky(void) {
    bl_scheme scheme = bl_scheme_ballistic;
    scheme.step = picky_step;
    return scheme;
}

static void test_failed_steps_are_repeated_shorter(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, falling, 1);
    bl_scheme scheme = picky();
    f.sim->scheme = &scheme;
    longest = 0.2e-3; /* max_step is 0.7 ms: halved twice */
    double x0 = (double)f.sim->world.fluid.x[index_of_id(f.sim, 3)].x;
    assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
    assert_near(bl_sim_value(f.sim, "dt"), 0.175e-3, 1e-9);
    assert_int_equal(f.sim->retries, 2);
    assert_near(f.sim->world.fluid.x[index_of_id(f.sim, 3)].x, x0 + 0.1 * 0.175e-3, 1e-8);
    assert_true(f.sim->world.step_scale < 0.3);
    longest = 1; /* the trouble is over: the step grows back */
    for (int k = 0; k < 20; k++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
    assert_near(bl_sim_value(f.sim, "dt"), 0.7e-3, 1e-9);
    assert_near(f.sim->world.step_scale, 1, 0);
    close_sim(&f);
}

static void test_giving_up_keeps_the_last_good_state(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, falling, 1);
    assert_int_equal(bl_sim_advance(f.sim, 0.01), BL_OK);
    uint64_t fluid = bl_fluid_store_hash(&f.sim->world.fluid);
    uint64_t steps = bl_sim_steps(f.sim);
    bl_scheme scheme = picky();
    f.sim->scheme = &scheme;
    longest = 1e-12;
    assert_int_equal(bl_sim_step(f.sim, 1), BL_ERR_DIVERGED);
    if (steps % 20 != 0) /* no sort in between */
        assert_true(bl_fluid_store_hash(&f.sim->world.fluid) == fluid);
    assert_int_equal(bl_sim_steps(f.sim), steps);
    const char *message = bl_context_error(f.ctx);
    assert_non_null(strstr(message, "particle 42"));
    assert_non_null(strstr(message, "pressure"));
    assert_non_null(strstr(message, "too long for me"));
    assert_non_null(strstr(message, "t = 0.01 s"));
    close_sim(&f);
}

/* A scheme that ruins the particle at place 5 in a given way. */
static int way;

static bl_status ruin_step(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure) {
    bl_status status = bl_scheme_ballistic.step(world, state, dt, report, failure);
    if (way == 0)
        world->fluid.x[5].y = (real)NAN;
    else if (way == 1)
        world->fluid.v[5].x = (real)1000;
    else if (way == 2)
        world->fluid.v[5].x = (real)(3 * world->scene->spacing / world->scene->time.max_step);
    else
        world->fluid.x[5].y = 1;
    return status;
}

static void test_watch_finds_trouble(void **state) {
    (void)state;
    const char *words[] = {"not a number", "over 100 times", "spacings in one step", "left the domain"};
    static const char bounded[] = FALLING "time: {end: 0.1 s, max_step: 0.7 ms, frames_per_second: 100}\n"
                                          "domain: {min: [-0.1, -0.1, -0.1], max: [0.1, 0.1, 0.1]}\n";
    for (way = 0; way < 4; way++) {
        fixture f;
        open_sim(&f, bounded, 1);
        assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        uint32_t victim = f.sim->world.fluid.id[5];
        bl_scheme scheme = bl_scheme_ballistic;
        scheme.step = ruin_step;
        f.sim->scheme = &scheme;
        /* A particle that moves too far is cured by a shorter step, the others are not. */
        assert_int_equal(bl_sim_step(f.sim, 1), way == 2 ? BL_OK : BL_ERR_DIVERGED);
        assert_non_null(strstr(f.sim->failure.text, words[way]));
        if (way != 2) assert_non_null(strstr(bl_context_error(f.ctx), words[way]));
        assert_int_equal(f.sim->failure.id, victim);
        assert_true(isfinite((double)f.sim->world.fluid.x[5].y));
        close_sim(&f);
    }
}

/* --- periodic directions --- */

static void test_periodic_directions_wrap(void **state) {
    (void)state;
    static const char text[] = "spacing: 1 mm\ngravity: [0, 0, 0]\nscheme: {name: ballistic}\n"
                               "domain: {periodic: [true, false, false], min: [0, 0, 0], max: [10 mm, 10 mm, 10 mm]}\n"
                               "fluids:\n  water:\n    density: 1000\n    surface_tension: 0.07\n"
                               "    volumes: [{box: {min: [2 mm, 2 mm, 2 mm], max: [5 mm, 5 mm, 5 mm]},\n"
                               "               velocity: [1, 0, 0]}]\n"
                               "time: {end: 0.1 s, frames_per_second: 100}\n";
    fixture f;
    open_sim(&f, text, 1);
    double x0 = (double)f.sim->world.fluid.x[index_of_id(f.sim, 0)].x;
    assert_int_equal(bl_sim_advance(f.sim, 0.017), BL_OK); /* 17 mm: once round and 7 mm */
    double expected = fmod(x0 + 17e-3, 10e-3);
    assert_near(f.sim->world.fluid.x[index_of_id(f.sim, 0)].x, expected, 1e-7);
    for (size_t i = 0; i < f.sim->world.fluid.count; i++)
        assert_true(f.sim->world.fluid.x[i].x >= 0 && (double)f.sim->world.fluid.x[i].x <= 10e-3);
    close_sim(&f);
}

static uint64_t jittered_hash(const char *seed) {
    char text[400];
    snprintf(text, sizeof text,
             "dimension: 2\nspacing: 1 mm\n%stime: {end: 1 s}\nscheme: {name: ballistic}\n"
             "fluids: {a: {density: 1000 kg/m^3, volumes: [{sphere: {radius: 5 mm}, filling: jittered}]}}\n",
             seed);
    fixture f;
    open_sim(&f, text, 1);
    uint64_t hash = bl_sim_hash(f.sim);
    close_sim(&f);
    return hash;
}

static void seed_of_the_scene_counts(void **state) {
    (void)state;
    assert_true(jittered_hash("") == jittered_hash("seed: 1\n")); /* the default */
    assert_true(jittered_hash("seed: 2\n") != jittered_hash("seed: 1\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_of_the_scene_counts),
        cmocka_unit_test(test_flight_is_exact),
        cmocka_unit_test(test_observations),
        cmocka_unit_test(test_times_are_exact),
        cmocka_unit_test(test_fixed_steps),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_steps_do_not_allocate),
        cmocka_unit_test(test_failed_steps_are_repeated_shorter),
        cmocka_unit_test(test_giving_up_keeps_the_last_good_state),
        cmocka_unit_test(test_watch_finds_trouble),
        cmocka_unit_test(test_periodic_directions_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
