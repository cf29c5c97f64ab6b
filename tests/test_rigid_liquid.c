/* Rigid bodies and liquid: Archimedes, added mass, momentum, and bits that do not depend on threads or a resume. */
#include "base/file.h"
#include "beadlet/run.h"
#include "rigid_helpers.h"

/* 2D: a disc of 5 mm in a pool of 50 x `deep` mm between walls. */
static void open_pool(fixture *f, double density, double deep, double height, double viscosity, const char *more) {
    char text[1500];
    snprintf(
        text, sizeof text,
        "dimension: 2\nspacing: 1 mm\ngravity: [0, -9.81]\ntime: {end: 10 s, max_step: 1 ms}\n"
        "fluids: {water: {density: 1000, viscosity: %g, surface_tension: 0, "
        "volumes: [{box: {min: [-25, 0 mm], max: [25, %g mm]}}]}}\n"
        "boundaries: {disc: {viscosity: 0, rigid: {density: %g%s}, shapes: [{sphere: {center: [0, %g mm], radius: 5 "
        "mm}}]}, tank: {viscosity: 0, shapes: [{plane: {normal: [0, 1]}}, {plane: {point: [-25 mm, 0], normal: "
        "[1, 0]}}, {plane: {point: [25 mm, 0], normal: [-1, 0]}}]}}\n",
        viscosity, deep, density, more, height);
    open_sim(f, text, 1);
}

/* How deep a disc of this share of the liquid's density lies: height of its centre above the level, over its radius. */
static double archimedes(double ratio) {
    double low = -1, high = 1;
    for (int k = 0; k < 60; k++) {
        double y = 0.5 * (low + high), angle = acos(y);
        *((angle - sin(angle) * cos(angle)) / PI > ratio ? &low : &high) = y;
    }
    return low;
}

/* Mean height of the centre over the level, from `from` on. The level is that of the liquid and what is displaced. */
static double floating_height(double ratio, double from, double until) {
    fixture f;
    open_pool(&f, 1000 * ratio, 12, 12 + 5 * archimedes(ratio), 0.1, "");
    double level = ((double)f.sim->world.fluid.count * 1e-6 + ratio * PI * 25e-6) / 50e-3, sum = 0, time = 0;
    go_on(&f, from);
    while (f.sim->world.time < until) {
        if (bl_sim_step(f.sim, until) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
        sum += f.sim->world.dt * center_of(&f, 0).y;
        time += f.sim->world.dt;
    }
    close_sim(&f);
    return sum / time - level;
}

static void test_archimedes(void **state) {
    (void)state;
    static const double ratios[] = {0.1, 0.5, 0.9};
    for (int k = 0; k < 3; k++) {
        double y = floating_height(ratios[k], 0.12, 0.24);
        if (getenv("SHOW")) printf("ratio %g: %g mm, expected %g\n", ratios[k], 1e3 * y, 5 * archimedes(ratios[k]));
        assert_near(y, 5e-3 * archimedes(ratios[k]), 0.5e-3);
    }
}

/* Nothing but the test moves the body. */
static void hold(fixture *f) {
    bl_rigid_def *def = &f->scene->boundaries[0].rigid;
    def->locked[0] = def->locked[1] = def->locked[2] = true;
    def->turns = f->sim->rigid->bodies[0].ball = false;
}

/* Mean force of the liquid on a body that rests under water until `start` and is then raised with the acceleration a.
 */
static double force_against(const char *text, double start, double a, double time) {
    fixture f;
    open_sim(&f, text, 1);
    hold(&f);
    go_on(&f, start);
    bl_rigid_state *state = bl_rigid_state_at(f.sim->rigid, 0);
    const bool flat = f.scene->dimension == 2;
    double impulse = 0;
    while (f.sim->world.time < start + time) {
        double v = a * (f.sim->world.time + f.sim->world.dt - start);
        state->v = flat ? bl_v3d_make(0, v, 0) : bl_v3d_make(0, 0, v);
        if (bl_sim_step(f.sim, start + time) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
        impulse += f.sim->world.dt * (flat ? state->force.y : state->force.z);
    }
    close_sim(&f);
    return impulse / time;
}

/* What resists acceleration, over the mass displaced: F = -C rho V a. */
static double added_mass(const char *text, double start, double displaced) {
    const double a = 10, time = 12e-3;
    return (force_against(text, start, -a, time) - force_against(text, start, a, time)) / (2 * a * displaced);
}

/* C = 1 for a disc and 1/2 for a ball in a liquid without end, whatever they weigh; (b^2 + a^2)/(b^2 - a^2) and (b^3 +
 * 2 a^3)/(2 (b^3 - a^3)) in a shell of radius b, as wide as the tank here: 18 and 11 mm. */
static void test_added_mass(void **state) {
    (void)state;
    /* the pool never quite rests: a mean over several moments */
    double disc = 0;
    for (int k = 0; k < 4; k++)
        disc += added_mass("dimension: 2\nspacing: 1 mm\ngravity: [0, -9.81]\ntime: {end: 10 s, max_step: 1 ms}\n"
                           "fluids: {water: {density: 1000, viscosity: 1 mPa s, surface_tension: 0, "
                           "volumes: [{box: {min: [-25, 0 mm], max: [25, 36 mm]}}]}}\n"
                           "boundaries: {disc: {viscosity: 0, rigid: {density: 1000}, shapes: [{sphere: {center: [0, "
                           "18 mm], radius: 5 mm}}]}, tank: {viscosity: 0, shapes: [{plane: {normal: [0, 1]}}, "
                           "{plane: {point: [-25 mm, 0], normal: [1, 0]}}, {plane: {point: [25 mm, 0], normal: [-1, "
                           "0]}}]}}\n",
                           5e-3 + 12e-3 * k, 1000 * PI * 25e-6) /
                4;
    double ball = 0;
    for (int k = 0; k < 2; k++)
        ball += added_mass("dimension: 3\nspacing: 1 mm\ngravity: [0, 0, -9.81]\ntime: {end: 10 s, max_step: 1 ms}\n"
                           "fluids: {water: {density: 1000, viscosity: 1 mPa s, surface_tension: 0, "
                           "volumes: [{box: {min: [-11, -11, 0 mm], max: [11, 11, 22 mm]}}]}}\n"
                           "boundaries: {ball: {viscosity: 0, rigid: {density: 1000}, shapes: [{sphere: {center: [0, "
                           "0, 11 mm], radius: 4 mm}}]}, tank: {viscosity: 0, shapes: [{difference: [{box: {min: "
                           "[-14, -14, -3 mm], max: [14, 14, 25 mm]}}, {box: {min: [-11, -11, 0 mm], max: [11, 11, 25 "
                           "mm]}}]}]}}\n",
                           5e-3 + 12e-3 * k, 1000 * 4.0 / 3 * PI * 64e-9) /
                2;
    if (getenv("SHOW")) printf("disc %g ball %g\n", disc, ball);
    assert_near(disc, 349.0 / 299, 0.3);
    assert_near(ball, (1331 + 128) / (2 * (1331 - 64.0)), 0.15);
}

/* A drop hits a free ball, without gravity and walls: nothing is lost of the momentum of both together, nor of the
 * angular momentum. */
#define HIT(density)                                                                                                   \
    "dimension: 3\nspacing: 0.5 mm\ntime: {end: 1 s, max_step: 0.2 ms}\n"                                              \
    "fluids: {water: {density: 1000, viscosity: 1 mPa s, surface_tension: 50 mN/m, volumes: [{sphere: {center: [0, "   \
    "0, "                                                                                                              \
    "4.5 mm], radius: 2 mm}, velocity: [0.1, 0, -0.5]}]}}\n"                                                           \
    "boundaries: {ball: {contact_angle: 60 deg, rigid: {density: " density "}, shapes: [{sphere: {radius: 2 mm}}]}}\n"

static void total_momentum(const fixture *f, bl_vec3d *p, bl_vec3d *l) {
    const bl_fluid_store *fluid = &f->sim->world.fluid;
    const double mass = 1000 * 0.125e-9, m = bl_rigid_mass_at(f->sim->rigid, 0)->mass;
    *p = bl_v3d_scale(m, state_of(f, 0)->v);
    *l = bl_v3d_add(spin_of(f, 0), bl_v3d_cross(center_of(f, 0), *p));
    for (size_t i = 0; i < fluid->count; i++) {
        bl_vec3d one = bl_v3d_scale(mass, bl_v3d_from(fluid->v[i]));
        *p = bl_v3d_add(*p, one);
        *l = bl_v3d_add(*l, bl_v3d_cross(bl_v3d_from(fluid->x[i]), one));
    }
}

static void check_momentum(const char *text) {
    fixture f;
    open_sim(&f, text, 1);
    bl_vec3d p0, l0, p, l;
    total_momentum(&f, &p0, &l0);
    go_on(&f, 8e-3);
    total_momentum(&f, &p, &l);
    if (getenv("SHOW"))
        printf("p %g l %g v %g\n", bl_v3d_norm(bl_v3d_sub(p, p0)) / bl_v3d_norm(p0),
               bl_v3d_norm(bl_v3d_sub(l, l0)) / (bl_v3d_norm(p0) * 4e-3), bl_v3d_norm(state_of(&f, 0)->v));
    assert_true(bl_v3d_norm(state_of(&f, 0)->v) > 0.02);
    assert_near(bl_v3d_norm(bl_v3d_sub(p, p0)) / bl_v3d_norm(p0), 0, 1e-4);
    assert_near(bl_v3d_norm(bl_v3d_sub(l, l0)) / (bl_v3d_norm(p0) * 4e-3), 0, 2e-2);
    close_sim(&f);
}

static void test_momentum(void **state) {
    (void)state;
    check_momentum(HIT("300"));
    check_momentum(HIT("3000"));
}

/* --- bits --- */

#define SPLASH                                                                                                         \
    "dimension: 2\nspacing: 1 mm\ngravity: [0, -9.81]\ntime: {end: 20 ms, frames_per_second: 250}\n"                   \
    "fluids: {water: {density: 1000, viscosity: 1 mPa s, surface_tension: 30 mN/m, "                                   \
    "volumes: [{box: {min: [-15, 0 mm], max: [15, 8 mm]}}]}}\n"                                                        \
    "boundaries: {disc: {rigid: {density: 400}, velocity: [0.1, -0.4], shapes: [{sphere: {center: [0, 12 mm], "        \
    "radius: 3 mm}}]}, box: {rigid: {density: 900}, shapes: [{box: {min: [6, 9 mm], max: [11, 13 mm]}}]}, "            \
    "tank: {shapes: [{plane: {normal: [0, 1]}}, {plane: {point: [-15 mm, 0], normal: [1, 0]}}, "                       \
    "{plane: {point: [15 mm, 0], normal: [-1, 0]}}]}}\n"                                                               \
    "output: {checkpoint_every: 1, keep_checkpoints: 99}\n"

static uint64_t splash_hash(int threads) {
    fixture f;
    open_sim(&f, SPLASH, threads);
    go_on(&f, 10e-3);
    uint64_t hash = bl_sim_hash(f.sim);
    close_sim(&f);
    return hash;
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    uint64_t one = splash_hash(1);
    assert_true(one == splash_hash(2));
    assert_true(one == splash_hash(3));
}

static char *read_table(const fixture *f, const char *dir, size_t *size) {
    char path[200], *text;
    snprintf(path, sizeof path, "%s/bodies.csv", dir);
    assert_int_equal(bl_file_read(f->ctx, path, &text, size), BL_OK);
    return text;
}

/* From a checkpoint the rest of the run is the same to the last bit, and so is bodies.csv. */
static void test_resume(void **state) {
    (void)state;
    char dir[] = "/tmp/rigid.XXXXXX", command[64];
    assert_non_null(mkdtemp(dir));
    fixture f;
    open_sim(&f, SPLASH, 2);
    bl_run_options options = bl_default_run_options();
    bl_run_result whole, rest;
    options.directory = dir;
    assert_int_equal(bl_run(f.ctx, f.scene, &options, &whole), BL_OK);
    size_t size, again;
    char *table = read_table(&f, dir, &size);
    options.start = BL_RUN_RESUME;
    options.resume_frame = 2;
    assert_int_equal(bl_run(f.ctx, f.scene, &options, &rest), BL_OK);
    assert_true(whole.state_hash == rest.state_hash);
    char *resumed = read_table(&f, dir, &again);
    assert_int_equal(size, again);
    assert_memory_equal(table, resumed, size);
    assert_true(strncmp(table, "step,time,body,x,y,z,", 21) == 0);
    bl_release(f.ctx, table);
    bl_release(f.ctx, resumed);
    close_sim(&f);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum),   cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_resume),     cmocka_unit_test(test_archimedes),
        cmocka_unit_test(test_added_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
