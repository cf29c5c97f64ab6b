/* Elastic bodies against the theory of bars and beams, and what they must keep: rotation, momentum, bits. */
#include "beadlet/run.h"
#include "schemes/elastic/body.h"
#include "sim_helpers.h"

#include <stdio.h>
#include <stdlib.h>

/* One body `solid` beside a drop far away that takes no part. `fixed` may be "". */
static void open_body(fixture *f, int dimension, const char *gravity, const char *step, const char *material,
                      const char *fixed, const char *shape, int threads) {
    char text[1500];
    snprintf(text, sizeof text,
             "dimension: %d\nspacing: 1 mm\ngravity: %s\nscheme: {name: ballistic}\ntime: {end: 100 s, %s}\n"
             "fluids: {water: {density: 1000, volumes: [{sphere: {radius: 1 mm}, translate: [900 mm, 0%s]}]}}\n"
             "boundaries: {solid: {elastic: {%s, tolerance: 1e-8, fixed: [%s]}, shapes: [%s]}}\n",
             dimension, gravity, step, dimension == 3 ? ", 0" : "", material, fixed, shape);
    open_sim(f, text, threads);
}

/* Displacement of the particle whose place at rest is nearest to x. */
static bl_vec3d displacement(const fixture *f, double x, double y, double z) {
    const bl_boundary_store *b = &f->sim->world.boundary;
    const bl_vec3d at = bl_v3d_make(x, y, z);
    size_t best = 0;
    for (size_t i = 1; i < b->count; i++)
        if (bl_v3d_norm2(bl_v3d_sub(f->sim->rest.x[b->id[i]], at)) <
            bl_v3d_norm2(bl_v3d_sub(f->sim->rest.x[b->id[best]], at)))
            best = i;
    return bl_v3d_sub(bl_v3d_from(b->x[best]), f->sim->rest.x[b->id[best]]);
}

static void settle(fixture *f, double until) {
    if (bl_sim_advance(f->sim, until) != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

/* A bar that hangs from its upper end is stretched by its weight: u(s) = rho g/E (L s - s^2/2) at s below the end, and
 * thinner by nu times the strain. */
static void test_hanging_bar(void **state) {
    (void)state;
    const double unit = 1000 * 100 / 1e5, nu = 0.3, length = 30e-3, width = 6e-3; /* unit: rho g/E */
    fixture f;
    open_body(&f, 3, "[0, 0, -100]", "fixed_step: 2 ms", "density: 1000, youngs_modulus: 100 kPa, poisson_ratio: 0.3",
              "{box: {min: [-9, -9, 0 mm], max: [9, 9, 9 mm]}}", "{box: {min: [-3, -3, -30 mm], max: [3, 3, 1 mm]}}",
              1);
    settle(&f, 0.3);
    double s = length - 0.5e-3, tip = unit * (length * s - s * s / 2);
    assert_near(-displacement(&f, 0.5e-3, 0.5e-3, -s).z / tip, 1, 0.03);
    s = 14.5e-3;
    double middle = unit * (length * s - s * s / 2), strain = unit * (length - s);
    assert_near(-displacement(&f, 0.5e-3, 0.5e-3, -s).z / middle, 1, 0.04);
    double thin = displacement(&f, -2.5e-3, 0.5e-3, -s).x - displacement(&f, 2.5e-3, 0.5e-3, -s).x;
    assert_near(thin / (nu * strain * (width - 1e-3)), 1, 0.05);
    close_sim(&f);
}

/* Deflection of the tip of a beam, `layers` particles thick and six times as long, over that of Euler and Bernoulli
 * (rho g A L^4/(8 E' I), and what shear adds). 2D is plane strain: E' = E/(1 - nu^2). */
static double beam_softness(int layers) {
    const double rho = 1000, g = 1, e = 1e5, nu = 0.3, thick = 1e-3 * layers, length = 6 * thick;
    char shape[200];
    snprintf(shape, sizeof shape, "{box: {min: [-2, %g mm], max: [%d, %g mm]}}", -0.5 * layers, 6 * layers,
             0.5 * layers);
    fixture f;
    open_body(&f, 2, "[0, -1]", "fixed_step: 20 ms", "density: 1000, youngs_modulus: 100 kPa, poisson_ratio: 0.3",
              "{box: {min: [-9, -90 mm], max: [0, 90 mm]}}", shape, 1);
    settle(&f, 1.2);
    double beam = rho * g * thick * pow(length, 4) / (8 * e / (1 - nu * nu) * pow(thick, 3) / 12);
    double shear = rho * g * length * length / 2 / (5.0 / 6 * e / (2 * (1 + nu)));
    double tip = -displacement(&f, length - 0.5e-3, 0.5e-3, 0).y;
    close_sim(&f);
    return tip / (beam + shear);
}

/* The gradients of the outermost particles are one-sided, which makes thin beams soft: an error of (h/thickness)^2. */
static void test_cantilever(void **state) {
    (void)state;
    double thin = beam_softness(4), thick = beam_softness(8);
    assert_near(thick, 1, 0.15);
    assert_near((thin - 1) / (thick - 1), 4, 1);
}

/* A body in the store is turned and shifted as a whole. */
static void turn_body(fixture *f, double angle) {
    bl_boundary_store *b = &f->sim->world.boundary;
    const double c = cos(angle), s = sin(angle);
    for (size_t i = 0; i < b->count; i++) {
        bl_vec3d x = f->sim->rest.x[b->id[i]];
        b->x[i] = bl_v3_from_d(bl_v3d_make(c * x.x - s * x.z + 3e-3, x.y, s * x.x + c * x.z));
    }
}

/* A turned body has no strain: after steps of 0.1 ms nothing moves but by rounding. */
static void test_rotation_costs_nothing(void **state) {
    (void)state;
    static const double angles[] = {0.3, 1.5707963, 3.1, -2};
    for (int k = 0; k < 4; k++) {
        fixture f;
        open_body(&f, 3, "[0, 0, 0]", "fixed_step: 0.1 ms", "density: 1000, youngs_modulus: 100 kPa", "",
                  "{box: {min: [-3, -2, 0 mm], max: [3, 2, 3 mm]}}, {sphere: {center: [0, 0, 5 mm], radius: 2 mm}}", 1);
        turn_body(&f, angles[k]);
        settle(&f, 2e-3);
        assert_true(bl_elastic_speed(&f.sim->world, f.sim->elastic) < 1e-4); /* speed of sound: 10 m/s */
        assert_true(bl_sim_value(f.sim, "energy_elastic") < 1e-8 * 1e5 * 1e-9 * 72);
        close_sim(&f);
    }
}

/* The nearest rotation, against its definition: R is one, and R^T F is symmetric with a positive trace. */
static void test_nearest_rotation(void **state) {
    (void)state;
    bl_mat3 f = {{{0.9, -0.4, 0.2}, {0.7, 1.1, -0.3}, {0.1, 0.2, 1.3}}};
    bl_mat3 mirrored = {{{-0.9, -0.4, 0.2}, {-0.7, 1.1, -0.3}, {-0.1, 0.2, 1.3}}};
    const bl_mat3 *tries[] = {&f, &mirrored};
    for (int k = 0; k < 2; k++) {
        bl_mat3 r = bl_mat3_rotation(tries[k]), one = bl_mat3_multiply_transposed(&r, &r);
        bl_mat3 s = bl_mat3_multiply_transposed(tries[k], &r);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                assert_near(one.m[i][j], i == j, 1e-13);
                assert_near(s.m[i][j], s.m[j][i], 1e-13);
            }
        assert_true(bl_mat3_trace(&s) > 0);
        double det = r.m[0][0] * (r.m[1][1] * r.m[2][2] - r.m[1][2] * r.m[2][1]) -
                     r.m[0][1] * (r.m[1][0] * r.m[2][2] - r.m[1][2] * r.m[2][0]) +
                     r.m[0][2] * (r.m[1][0] * r.m[2][1] - r.m[1][1] * r.m[2][0]);
        assert_near(det, 1, 1e-13);
    }
}

/* A wave from particle to particle strains nothing, far from the edges: only the stabilization pulls it back. */
static void test_hidden_modes_are_held(void **state) {
    (void)state;
    for (int held = 0; held < 2; held++) {
        fixture f;
        open_body(&f, 2, "[0, 0]", "fixed_step: 1 ms",
                  held ? "density: 1000, youngs_modulus: 100 kPa"
                       : "density: 1000, youngs_modulus: 100 kPa, stabilization: 0",
                  "", "{box: {min: [-6, -6 mm], max: [6, 6 mm]}}", 1);
        bl_elastic *e = f.sim->elastic;
        const double wave = 1e-5;
        for (size_t i = 0; i < e->count; i++) {
            bl_vec3d x = f.sim->rest.x[f.sim->world.boundary.id[e->at[i]]];
            int odd = (int)(floor(x.x * 1e3) + floor(x.y * 1e3)) & 1;
            e->x[i] = x;
            e->y[i] = bl_v3d_make(odd ? wave : -wave, 0, 0);
        }
        bl_elastic_rotate(e, 2);
        bl_elastic_forces(e, e->y, true, e->force);
        for (size_t i = 0; i < e->count; i++) {
            if (fabs(e->x[i].x) > 1e-3 || fabs(e->x[i].y) > 1e-3) continue;
            double back = -e->force[i].x / e->y[i].x / 1e5; /* over E, per metre of depth */
            assert_true(held ? back > 0.1 : fabs(back) < 1e-9);
        }
        close_sim(&f);
    }
}

/* --- with liquid --- */

/* A drop (with tension and friction) hits a free soft block. */
#define SPLASH                                                                                                         \
    "dimension: 2\nspacing: 0.5 mm\ntime: {end: 1 s, max_step: 0.1 ms}\n"                                              \
    "fluids: {water: {density: 1000, viscosity: 5 mPa s, surface_tension: %s,\n"                                       \
    "                 volumes: [{sphere: {center: [0.4 mm, 4.2 mm], radius: 2 mm}, velocity: [0.1, -0.3 m/s]}]}}\n"    \
    "boundaries:\n"                                                                                                    \
    "  gel: {contact_angle: 60 deg, friction: 0.3, elastic: {density: 1200, youngs_modulus: 2 kPa},\n"                 \
    "        shapes: [{box: {min: [-4, -2 mm], max: [4, 2 mm]}}]}\n"

static bl_vec3d total_momentum(const fixture *f, double *fluid_share) {
    const bl_world *world = &f->sim->world;
    bl_vec3d fluid = bl_v3d_zero(), gel = bl_v3d_zero();
    for (size_t i = 0; i < world->fluid.count; i++)
        fluid = bl_v3d_mad(fluid, 1000 * 0.25e-6, bl_v3d_from(world->fluid.v[i]));
    for (size_t b = 0; b < world->boundary.count; b++)
        gel = bl_v3d_mad(gel, 1200 * 0.25e-6, bl_v3d_from(world->boundary.v[b]));
    *fluid_share = fluid.y / (fluid.y + gel.y);
    return bl_v3d_add(fluid, gel);
}

static double lost_momentum(const char *tension) {
    char text[1000];
    snprintf(text, sizeof text, SPLASH, tension);
    fixture f;
    open_sim(&f, text, 1);
    double share;
    bl_vec3d before = total_momentum(&f, &share);
    assert_near(share, 1, 1e-6);
    settle(&f, 20e-3);
    bl_vec3d after = total_momentum(&f, &share);
    assert_true(share < 0.6); /* the block has taken over its part */
    close_sim(&f);
    return bl_v3d_norm(bl_v3d_sub(after, before)) / bl_v3d_norm(before);
}

/* What the liquid loses the body gains: to rounding, and with tension to the tolerance of the solver. */
static void test_momentum_with_liquid(void **state) {
    (void)state;
    double plain = lost_momentum("0 N/m"), tension = lost_momentum("72.8 mN/m");
    assert_true(plain < 1e-5);
    assert_true(tension < 1e-3);
}

static uint64_t splash_hash(int threads) {
    char text[1000];
    snprintf(text, sizeof text, SPLASH, "72.8 mN/m");
    fixture f;
    open_sim(&f, text, threads);
    settle(&f, 6e-3);
    uint64_t hash = bl_sim_hash(f.sim);
    close_sim(&f);
    return hash;
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    uint64_t one = splash_hash(1);
    assert_true(splash_hash(2) == one && splash_hash(3) == one);
}

/* From a checkpoint, bit for bit. */
static void test_resume(void **state) {
    (void)state;
    char dir[] = "/tmp/elastic.XXXXXX", command[64], text[1000];
    assert_non_null(mkdtemp(dir));
    snprintf(text, sizeof text, SPLASH "output: {checkpoint_every: 1, keep_checkpoints: 99}\n", "72.8 mN/m");
    fixture f;
    open_sim(&f, text, 2);
    f.scene->time.end = 8e-3;
    f.scene->time.frames_per_second = 500;
    bl_run_options options = bl_default_run_options();
    bl_run_result whole, rest;
    options.directory = dir;
    assert_int_equal(bl_run(f.ctx, f.scene, &options, &whole), BL_OK);
    options.start = BL_RUN_RESUME;
    options.resume_frame = 2;
    assert_int_equal(bl_run(f.ctx, f.scene, &options, &rest), BL_OK);
    assert_true(whole.state_hash == rest.state_hash);
    close_sim(&f);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    assert_int_equal(system(command), 0);
}

/* A light block floats, as deep as its density says; its liquid neither leaks into it nor throws it out. */
static void test_floats(void **state) {
    (void)state;
    fixture f;
    open_sim(
        &f,
        "dimension: 2\nspacing: 1 mm\ngravity: [0, -9.81]\ntime: {end: 9 s, max_step: 1 ms}\n"
        "scheme: {calibration: paper}\n"
        "fluids: {water: {density: 1000, viscosity: 0.1 Pa s, volumes: [{difference: [{box: {min: [-20, 0 mm], max: "
        "[20, 16 mm]}}, {box: {min: [-5, 11 mm], max: [5, 30 mm]}}]}]}}\n"
        "domain: {periodic: [x], min: [-20, -20 mm], max: [20, 80 mm]}\n"
        "boundaries:\n"
        "  ground: {layers: 3, shapes: [{plane: {normal: [0, 1], size: 40 mm}}]}\n"
        "  raft: {elastic: {density: 600, youngs_modulus: 20 kPa}, shapes: [{box: {min: [-5, 11 mm], max: [5, 19 "
        "mm]}}]}\n",
        1);
    settle(&f, 0.2);
    const bl_world *world = &f.sim->world;
    double raft = 0, level = 0;
    for (size_t b = 0; b < world->boundary.count; b++)
        if (world->boundary.body[b] == 1) raft += (double)world->boundary.x[b].y / 80;
    for (size_t i = 0; i < world->fluid.count; i++)
        if (fabs((double)world->fluid.x[i].x) > 12e-3) level = fmax(level, (double)world->fluid.x[i].y + 0.5e-3);
    assert_near(level - (raft - 4e-3), 0.6 * 8e-3, 0.3e-3);
    close_sim(&f);
}

/* A soft block falls on a floor, a second one on top of it: both come to rest. */
static void test_contact(void **state) {
    (void)state;
    fixture f;
    open_sim(
        &f,
        "dimension: 2\nspacing: 1 mm\ngravity: [0, -9.81]\ntime: {end: 9 s, fixed_step: 1 ms}\n"
        "fluids: {water: {density: 1000, viscosity: 1 Pa s, volumes: [{box: {min: [60, 0 mm], max: [64, 2 mm]}}]}}\n"
        "boundaries:\n"
        "  ground: {shapes: [{plane: {normal: [0, 1], size: 160 mm}}]}\n"
        "  lower: {elastic: {density: 1000, youngs_modulus: 10 kPa}, shapes: [{box: {min: [-4, 2 mm], max: [4, 10 "
        "mm]}}]}\n"
        "  upper: {elastic: {density: 1000, youngs_modulus: 10 kPa}, shapes: [{box: {min: [-4, 12 mm], max: [4, 20 "
        "mm]}}]}\n",
        1);
    settle(&f, 0.6);
    const bl_boundary_store *b = &f.sim->world.boundary;
    double low[3] = {1, 1, 1}, high[3] = {-1, -1, -1};
    for (size_t i = 0; i < b->count; i++) {
        low[b->body[i]] = fmin(low[b->body[i]], (double)b->x[i].y);
        high[b->body[i]] = fmax(high[b->body[i]], (double)b->x[i].y);
    }
    /* contact is at one spacing between particles: rows that interlock are sqrt(3)/2 apart; springs give some percent
     */
    assert_near(low[1], 0.4e-3, 0.15e-3); /* the first layer of the ground is half a spacing below its surface */
    assert_near(low[2] - high[1], 0.9e-3, 0.15e-3);
    assert_true(bl_elastic_speed(&f.sim->world, f.sim->elastic) < 0.01);
    close_sim(&f);
}

/* --- mistakes --- */

#define GEL                                                                                                            \
    "spacing: 1 mm\ntime: {end: 1 s}\nfluids: {water: {density: 1000, volumes: [{sphere: {radius: 5 mm}}]}}\n"         \
    "boundaries: {gel: {shapes: [{box: {center: [30, 0, 0 mm], size: [8, 8, 8 mm]}}], elastic: "

static void test_mistakes(void **state) {
    (void)state;
    assert_refused(GEL "{density: 1000}}}\n", "needs a youngs_modulus");
    assert_refused(GEL "{youngs_modulus: 5 kPa}}}\n", "needs a density");
    assert_refused(GEL "{density: 1000, youngs_modulus: 5 mN/m}}}\n", "expected a pressure");
    assert_refused(
        "spacing: 1 mm\ntime: {end: 1 s}\nfluids: {water: {density: 1, volumes: [{sphere: {radius: 5 mm}}]}}\n"
        "boundaries: {gel: {elastic: {density: 1, youngs_modulus: 1}, shapes: [{plane: {normal: [0, 0, 1]}}]}}\n",
        "planes and infinite shapes cannot be");
    assert_refused(
        "spacing: 1 mm\ntime: {end: 1 s}\nfluids: {water: {density: 1, volumes: [{sphere: {radius: 5 mm}}]}}\n"
        "boundaries: {gel: {elastic: {density: 1, youngs_modulus: 1}, shapes: [{sphere: {center: [30, 0, 0 mm], "
        "radius: 0.1 mm}}]}}\n",
        "too small for the spacing");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hanging_bar),
        cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_nearest_rotation),
        cmocka_unit_test(test_rotation_costs_nothing),
        cmocka_unit_test(test_hidden_modes_are_held),
        cmocka_unit_test(test_momentum_with_liquid),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_contact),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
