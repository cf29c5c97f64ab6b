/* akinci2013 and yang2016 in the loop: threads, resuming, sources, moving walls, refusals, drops. */
#include "analysis/contact.h"
#include "schemes/pcisph/pcisph.h"
#include "sim_helpers.h"

#include <stdio.h>

static const char *const NAMES[] = {"akinci2013", "yang2016"};

/* The scene with `scheme: {name: ...}` added. */
static const char *with_scheme(const char *text, const char *name, const char *more) {
    static char scene[4000];
    snprintf(scene, sizeof scene, "%sscheme: {name: %s%s}\n", text, name, more);
    return scene;
}

/* --- threads, resuming, memory --- */

/* A drop, a nozzle, a sink and a plate that moves, in a periodic box. */
static const char busy[] =
    "spacing: 0.5 mm\ngravity: [0, 0, -9.81]\n"
    "domain: {min: [-5 mm, -5 mm, -5 mm], max: [5 mm, 5 mm, 15 mm], periodic: [true, false, false], outside: remove}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m, viscosity: 1 mPa s,\n"
    "          volumes: [{sphere: {center: [0, 0, 2.5 mm], radius: 2 mm}}]}\n"
    "boundaries:\n"
    "  plate: {contact_angle: 70 deg, velocity: [10 mm/s, 0, 20 mm/s],\n"
    "          shapes: [{box: {min: [-4 mm, -4 mm, -2 mm], max: [4 mm, 4 mm, 0]}}]}\n"
    "emitters:\n"
    "  tap: {center: [0, 0, 9 mm], direction: [0, 0, -1], radius: 1 mm, speed: 0.5 m/s}\n"
    "sinks:\n"
    "  drain: {shapes: [{box: {min: [2 mm, -5 mm, 0], max: [5 mm, 5 mm, 15 mm]}}]}\n"
    "time: {end: 0.1 s, max_step: 0.1 ms, frames_per_second: 100}\n";

/* Everything that a checkpoint does not hold. */
static void forget(bl_sim *sim) {
    bl_fluid_store *fluid = &sim->world.fluid;
    for (int k = 0; k < BL_F_COUNT; k++)
        if (!(bl_fluid_fields[k].flags & BL_FIELD_STATE))
            memset(bl_field_data(&bl_fluid_fields[k], fluid), 0xff, fluid->capacity * bl_fluid_fields[k].item_size);
}

static uint64_t hash_after(const char *text, int threads, double until, bool interrupted) {
    fixture f;
    open_sim(&f, text, threads);
    if (interrupted) {
        assert_int_equal(bl_sim_advance(f.sim, until / 2), BL_OK);
        forget(f.sim);
        assert_int_equal(bl_sim_resumed(f.sim), BL_OK);
    } else {
        assert_int_equal(bl_sim_advance(f.sim, until / 2), BL_OK);
    }
    if (bl_sim_advance(f.sim, until) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
    uint64_t hash = bl_sim_hash(f.sim);
    close_sim(&f);
    return hash;
}

static void same_bits_for_any_threads_and_after_resuming(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char *text = with_scheme(busy, NAMES[k], "");
        uint64_t one = hash_after(text, 1, 0.006, false);
        assert_int_equal(hash_after(text, 3, 0.006, false), one);
        assert_int_equal(hash_after(text, 2, 0.006, true), one);
    }
}

/* Liquid comes and goes, the plate pushes, and the counts are right. */
static void sources_sinks_and_moving_walls(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f, with_scheme(busy, NAMES[k], ""), 1);
        size_t filled = f.sim->world.fluid.count;
        if (bl_sim_advance(f.sim, 0.02) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
        const bl_observation *o = &f.sim->report;
        assert_true(o->emitted > 60 && o->removed >= 0);
        assert_near(o->fluid_particles, (double)filled + o->emitted - o->removed, 0);
        assert_true(o->contact_load > 0);
        assert_near(f.sim->world.time, 0.02, 1e-12);
        close_sim(&f);
    }
}

static void steps_do_not_allocate(void **state) {
    (void)state;
    static const char drop[] = "dimension: 2\nspacing: 0.3 mm\nfluids:\n"
                               "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m, viscosity: 5 mPa s,\n"
                               "          volumes: [{sphere: {radius: 3 mm}}]}\n"
                               "time: {end: 0.1 s, max_step: 0.1 ms, frames_per_second: 100}\n";
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f, with_scheme(drop, NAMES[k], ""), 2);
        for (int n = 0; n < 60; n++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        uint64_t before = bl_alloc_count(f.ctx);
        for (int n = 0; n < 40; n++) assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        assert_int_equal(bl_alloc_count(f.ctx), before);
        close_sim(&f);
    }
}

/* A periodic box that shaken particles fill completely has more than the rest density everywhere: steps go on. */
static void a_full_room_is_left_alone(void **state) {
    (void)state;
    static const char full[] =
        "dimension: 2\nspacing: 1 mm\nfluids:\n"
        "  oil: {density: 900 kg/m^3, viscosity: 0.05 Pa s, surface_tension: 0.03,\n"
        "        volumes: [{box: {min: [0, 0, 0], max: [20 mm, 20 mm, 1 mm]}, filling: jittered, jitter: 0.3}]}\n"
        "domain: {periodic: [true, true, false], min: [0, 0, 0], max: [20 mm, 20 mm, 1 mm]}\n"
        "time: {end: 0.1 s, frames_per_second: 10}\n";
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f, with_scheme(full, NAMES[k], ""), 1);
        if (bl_sim_advance(f.sim, 0.1) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
        assert_true(f.sim->report.speed_max < 0.1 && f.sim->report.iterations < 100);
        close_sim(&f);
    }
}

/* --- scenes that the methods do not know --- */

#define WATER "{density: 1000 kg/m^3, surface_tension: 0.07 N/m, volumes: [{sphere: {radius: 1 mm}}]}"

static void unknown_physics_is_refused(void **state) {
    (void)state;
    static const char two[] =
        "spacing: 0.5 mm\ntime: {end: 1 s}\nfluids:\n  water: " WATER
        "\n  oil: {density: 900 kg/m^3, volumes: [{sphere: {center: [9 mm, 0, 0], radius: 1 mm}}]}\n";
    static const char soft[] = "spacing: 0.5 mm\ntime: {end: 1 s}\nfluids:\n  water: " WATER
                               "\nboundaries:\n  gel: {elastic: {density: 1000, youngs_modulus: 1000 Pa},\n"
                               "        shapes: [{box: {center: [0, 0, -5 mm], size: [4 mm, 4 mm, 4 mm]}}]}\n";
    assert_refused(with_scheme(two, "akinci2013", ""), "2 fluids found, it knows 1");
    for (int k = 0; k < 2; k++) {
        assert_refused(with_scheme(soft, NAMES[k], ""), "elastic boundary found");
        assert_refused(with_scheme(soft, NAMES[k], ""), "test.yaml:6");
    }
}

static void friction_is_left_out_with_a_warning(void **state) {
    (void)state;
    static const char rough[] =
        "spacing: 0.5 mm\ntime: {end: 1 s}\nfluids:\n  water: " WATER
        "\nboundaries:\n  plate: {friction: 0.3, shapes: [{plane: {point: [0, 0, -3 mm], normal: [0, 0, 1]}}]}\n";
    static char log[10000];
    for (int k = 0; k < 2; k++) {
        fixture f = {0};
        log[0] = 0;
        open_context_with_log(&f, log);
        make_sim(&f, with_scheme(rough, NAMES[k], ""));
        if (!strstr(log, "has no friction: that of `plate` is left out")) fail_msg("%s", log);
        close_sim(&f);
    }
}

/* A ball of oil in water stays there for the tension between them; without one it has nothing to keep it together.
 * Here: a half of each, side by side, and what their contact does to them. */
static double contacts_of(double between) {
    static const char halves[] =
        "dimension: 2\nspacing: 1 mm\nfluids:\n"
        "  water: {density: 1000 kg/m^3, surface_tension: 0.07, viscosity: 20 mPa s, fluid_fluid: %g,\n"
        "          volumes: [{box: {min: [-12 mm, -6 mm, 0], max: [0, 6 mm, 0]}, filling: jittered, jitter: 0.1}]}\n"
        "  oil: {density: 900 kg/m^3, surface_tension: 0.07, viscosity: 20 mPa s,\n"
        "        volumes: [{box: {min: [0, -6 mm, 0], max: [12 mm, 6 mm, 0]}, filling: jittered, jitter: 0.1}]}\n"
        "time: {end: 0.25 s, frames_per_second: 10}\n";
    fixture f;
    char text[2000];
    snprintf(text, sizeof text, halves, between);
    open_sim(&f, with_scheme(text, "yang2016", ""), 1);
    if (bl_sim_advance(f.sim, 0.25) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
    const bl_fluid_store *s = &f.sim->world.fluid;
    double pairs = 0;
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; j < i; j++)
            pairs += s->phase[i] != s->phase[j] && (double)bl_v3_norm(bl_v3_sub(s->x[i], s->x[j])) < 1.5e-3;
    close_sim(&f);
    return pairs;
}

static void fluids_part_by_their_tension(void **state) {
    (void)state;
    double little = contacts_of(0.01), much = contacts_of(0.12), all = contacts_of(0.2);
    if (!(little > 1.5 * much && much > 0 && all == 0)) fail_msg("%g, %g and %g contacts", little, much, all);
}

/* --- drops --- */

static double mean_of(bl_sim *sim, double from, double until, size_t member) {
    double sum = 0, time = 0;
    while (sim->world.time < until) {
        assert_int_equal(bl_sim_step(sim, until), BL_OK);
        const bl_observation *o = &sim->report;
        if (sim->world.time <= from) continue;
        double value;
        memcpy(&value, (const char *)o + member, sizeof value);
        sum += value * o->dt, time += o->dt;
    }
    return sum / time;
}

/* Ratio of the axes' second moments, and the mean radius over that of a disc. */
static double roundness(const bl_sim *sim) {
    const bl_fluid_store *f = &sim->world.fluid;
    double fourth = 0, second = 0, n = (double)f->count;
    for (size_t i = 0; i < f->count; i++) {
        double x = (double)f->x[i].x, y = (double)f->x[i].y, r2 = x * x + y * y;
        fourth += (r2 * r2 - 8 * x * x * y * y) / n; /* r^4 cos(4 phi) */
        second += r2 / n;
    }
    return fabs(fourth) / (second * second);
}

/* A square of liquid becomes a disc under the pressure of a tension. How much of gamma/R that is depends on what came
 * before: the outer layers are a skin that resists shrinking and stretching (docs/theory/pcisph.md has both). */
static void a_square_becomes_a_disc(void **state) {
    (void)state;
    static const char square[] =
        "dimension: 2\nspacing: 1 mm\nfluids:\n"
        "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m, viscosity: 50 mPa s,\n"
        "          volumes: [{box: {center: [0, 0], size: [16, 16 mm]}, filling: jittered, jitter: 0.1}]}\n"
        "time: {end: 0.6 s, frames_per_second: 10}\n";
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f, with_scheme(square, NAMES[k], ""), 1);
        double before = roundness(f.sim);
        double p = mean_of(f.sim, 0.3, 0.6, offsetof(bl_observation, core_pressure));
        double law = 0.07 / f.sim->report.radius;
        if (!(before > 0.5 && roundness(f.sim) < 0.1)) fail_msg("from %g to %g", before, roundness(f.sim));
        if (!(p > 0.35 * law && p < 1.4 * law)) fail_msg("%s: pressure %g, not %g", NAMES[k], p, law);
        close_sim(&f);
    }
}

/* A half disc on a plate that does not drag goes to the angle; how far lines stay behind stands in
 * docs/theory/pcisph.md. */
static void drops_feel_the_angle(void **state) {
    (void)state;
    static const char plate[] =
        "dimension: 2\nspacing: 1 mm\nfluids:\n"
        "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m, viscosity: 50 mPa s,\n"
        "          volumes: [{intersection: [{sphere: {center: [0, 0], radius: 12 mm}}, {half_space: {normal: [0, "
        "-1]}}],\n"
        "                     filling: jittered, jitter: 0.1}]}\n"
        "boundaries:\n  plate: {contact_angle: %d deg, viscosity: 0, shapes: [{plane: {normal: [0, 1, 0]}}]}\n"
        "time: {end: 0.8 s, frames_per_second: 10}\n";
    const int angles[] = {60, 90, 120};
    for (int k = 0; k < 2; k++) {
        double last = 0;
        for (int a = 0; a < 3; a++) {
            fixture f;
            char text[1000];
            snprintf(text, sizeof text, plate, angles[a]);
            open_sim(&f, with_scheme(text, NAMES[k], ""), 1);
            double z = mean_of(f.sim, 0.6, 0.8, offsetof(bl_observation, center_y));
            double area = (double)f.sim->world.fluid.count * 1e-6;
            double angle = bl_cap_angle_from_center(2, area, z) * 180 / M_PI;
            assert_true(z > last);
            if (!(fabs(angle - angles[a]) < 16)) fail_msg("%s: %g, not %d degrees", NAMES[k], angle, angles[a]);
            last = z;
            close_sim(&f);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_for_any_threads_and_after_resuming),
        cmocka_unit_test(sources_sinks_and_moving_walls),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(a_full_room_is_left_alone),
        cmocka_unit_test(unknown_physics_is_refused),
        cmocka_unit_test(friction_is_left_out_with_a_warning),
        cmocka_unit_test(fluids_part_by_their_tension),
        cmocka_unit_test(a_square_becomes_a_disc),
        cmocka_unit_test(drops_feel_the_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
