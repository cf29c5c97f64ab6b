/* Fillings settle before time starts. */
#include "beadlet/scene.h"
#include "sim/sim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
    bl_context *ctx;
    bl_scene *scene;
    bl_sim *sim;
} fixture;

/* An ellipsoid that flies. */
static const char text[] = "spacing: 1 mm\n"
                           "scheme: {interface: particles} # a field has no jolt to begin with\n"
                           "gravity: [0, 0, 0]\n"
                           "time: {end: 1 s, frames_per_second: 100}\n"
                           "fluids: {water: {density: 1000, surface_tension: 72.8 mN/m, volumes: [{sphere: "
                           "{center: [0, 0, 0], radius: 5 mm}, scale: [1, 1, 1.2], velocity: [0.1, 0, 0]}]}}\n";

static void open_relaxed(fixture *f, const char *setting) {
    bl_context_def def = bl_default_context_def();
    def.threads = 1;
    *f = (fixture){0};
    assert_int_equal(bl_context_create(&def, &f->ctx), BL_OK);
    bl_status status = bl_scene_load_text(f->ctx, text, sizeof text - 1, "relax", &setting, 1, &f->scene);
    if (status == BL_OK) status = bl_sim_create(f->ctx, f->scene, &f->sim);
    if (status != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
}

static void close_relaxed(fixture *f) {
    bl_sim_destroy(f->sim);
    bl_scene_destroy(f->scene);
    bl_context_destroy(f->ctx);
}

/* Kinetic energy of the motion about the centre of mass, over the surface energy. */
static double unrest(const bl_sim *sim) {
    double mass = 0, v = bl_sim_value(sim, "momentum_x");
    for (size_t i = 0; i < sim->world.fluid.count; i++) mass += 1000 * 1e-9;
    return (bl_sim_value(sim, "energy_kinetic") - v * v / (2 * mass)) / bl_sim_value(sim, "energy_fv");
}

static double aspect(const bl_sim *sim) {
    double xx = 0, zz = 0, cx = bl_sim_value(sim, "center_x");
    for (size_t i = 0; i < sim->world.fluid.count; i++) {
        bl_vec3d x = bl_v3d_from(sim->world.fluid.x[i]);
        xx += (x.x - cx) * (x.x - cx);
        zz += x.z * x.z;
    }
    return sqrt(zz / xx);
}

static void settles_without_a_jolt(void **state) {
    (void)state;
    fixture f[2];
    double jolt[2] = {0, 0}, first_aspect[2], iterations[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        open_relaxed(&f[k], k ? "time.relax_steps=40" : "time.relax_steps=0");
        for (int step = 0; step < 4; step++) {
            assert_int_equal(bl_sim_step(f[k].sim, 1), BL_OK);
            if (step == 0) first_aspect[k] = aspect(f[k].sim);
            jolt[k] = fmax(jolt[k], unrest(f[k].sim));
            iterations[k] += bl_sim_value(f[k].sim, "iterations");
        }
    }
    assert_true(jolt[0] > 0.01);
    assert_true(jolt[1] < 0.1 * jolt[0]);
    assert_true(iterations[1] < 0.7 * iterations[0]);
    /* what the user asked for is kept: the shape, the velocity, the place */
    assert_true(fabs(first_aspect[1] / first_aspect[0] - 1) < 0.01);
    double p[2] = {bl_sim_value(f[0].sim, "momentum_x"), bl_sim_value(f[1].sim, "momentum_x")};
    assert_true(fabs(p[1] / p[0] - 1) < 1e-5);
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(bl_sim_value(f[k].sim, "center_x") - 0.1 * bl_sim_time(f[k].sim)) < 2e-6);
        close_relaxed(&f[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(settles_without_a_jolt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
