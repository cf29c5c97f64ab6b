/* Walls that a device leaves on the host because no liquid is near: nobody notices. */
#include "opencl_helpers.h"

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

#define RUNNING                                                                                                        \
    "name: running\n"                                                                                                  \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [0, 0, -9.81 m/s^2]\n"                                                                                   \
    "scheme: {name: unified, min_iterations: 3, max_iterations: 3}\n"                                                  \
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.1 ms, frames_per_second: 1000}\n"
/* Two drops run apart, over a floor and below a ceiling, which are walls of their own. */
static const char drops_apart[] =
    RUNNING "fluids:\n"
            "  water: {density: 1000 kg/m^3, viscosity: 10 mPa s, surface_tension: 0.07 N/m,\n"
            "    volumes: [{sphere: {center: [0, 0, 1 mm], radius: 1.2 mm}, velocity: [4 m/s, 0, 0]},\n"
            "              {sphere: {center: [-6 mm, 3 mm, 1 mm], radius: 1 mm}, velocity: [-3 m/s, 2 m/s, 0]}]}\n"
            "boundaries:\n"
            "  glass: {layers: 1, contact_angle: 60 deg, friction: 0.3, shapes: [{plane: {normal: [0, 0, 1], point: "
            "[0, 0, -0.5 mm],\n"
            "    size: 40 mm}}]}\n"
            "  lid: {layers: 1, contact_angle: 120 deg, shapes: [{plane: {normal: [0, 0, -1], point: [0, 0, 3 mm], "
            "size: 40 mm}}]}\n";
/* A drop leaves at one end of a period and comes back at the other, where a tap begins to run. */
static const char around[] = RUNNING
    "domain: {min: [-24 mm, -24 mm, -4 mm], max: [24 mm, 24 mm, 8 mm], periodic: [true, true, false]}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m,\n"
    "    volumes: [{sphere: {center: [21 mm, 8 mm, 1 mm], radius: 1.2 mm}, velocity: [4 m/s, 1 m/s, 0]}]}\n"
    "emitters: {tap: {center: [0, -12 mm, 4 mm], direction: [0, 0, -1], radius: 1 mm, speed: 2 m/s, start: 1 ms}}\n"
    "boundaries:\n"
    "  glass: {layers: 1, contact_angle: 60 deg, friction: 0.3, shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, "
    "-0.5 mm],\n"
    "    size: 48 mm}}]}\n";

/* Nothing is near the floor at first: a drop falls, and a tap opens. */
static const char from_above[] =
    RUNNING "fluids:\n"
            "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m,\n"
            "    volumes: [{sphere: {center: [0, 0, 14 mm], radius: 1.2 mm}, velocity: [0, 0, -4 m/s]}]}\n"
            "boundaries:\n"
            "  glass: {layers: 1, contact_angle: 60 deg, shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -0.5 mm],\n"
            "    size: 40 mm}}]}\n";
static const char tap_alone[] = RUNNING
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m}\n"
    "emitters: {tap: {center: [0, 0, 3 mm], direction: [0, 0, -1], radius: 1 mm, speed: 2 m/s, start: 0.4 ms}}\n"
    "boundaries:\n"
    "  glass: {layers: 1, contact_angle: 60 deg, shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -0.5 mm],\n"
    "    size: 40 mm}}]}\n";

/* A run that leaves walls, and one that has all of them, step by step. */
static void same_with_all_walls(const char *text, bool near_at_first, size_t choices) {
    static const char *const columns[] = {"energy_bv", "energy_bf", "energy_fb", "energy_kinetic"};
    fixture some, all;
    size_t fewest_here = SIZE_MAX;
    open_on(&some, text, "opencl");
    open_on(&all, text, "opencl");
    const bl_cl_walls *walls = &some.sim->world.device->walls;
    some.sim->world.device->walls.fewest = 1;
    all.sim->world.device->walls.fewest = SIZE_MAX;
    for (int k = 0; k < 30; k++) {
        steps(&some, 1);
        steps(&all, 1);
        assert_true(bl_fluid_store_hash(&some.sim->world.fluid) == bl_fluid_store_hash(&all.sim->world.fluid));
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
            double a = bl_sim_value(all.sim, columns[c]), b = bl_sim_value(some.sim, columns[c]);
            assert_near(b, a, 1e-6 * fabs(a));
        }
        assert_true(walls->some_left);
        if (walls->count < fewest_here) fewest_here = walls->count;
    }
    assert_true(bl_boundary_store_hash(&some.sim->world.boundary) == bl_boundary_store_hash(&all.sim->world.boundary));
    assert_false(all.sim->world.device->walls.some_left);
    assert_true((fewest_here > 0) == near_at_first && fewest_here < some.sim->world.boundary.count / 2);
    assert_true(walls->count > 0);
    if (walls->choices < choices) fail_msg("walls were chosen %zu times only", walls->choices);
    assert_true(bl_device_memory(some.sim->world.device) < bl_device_memory(all.sim->world.device));
    close_sim(&some);
    close_sim(&all);
}

static void walls_follow_drops(void **state) {
    (void)state;
    same_with_all_walls(drops_apart, true, 3);
}
static void walls_follow_around_and_taps(void **state) {
    (void)state;
    same_with_all_walls(around, true, 3);
}

static void walls_come_when_needed(void **state) {
    (void)state;
    same_with_all_walls(from_above, false, 2);
    same_with_all_walls(tap_alone, false, 2);
}

/* Boundary sums that are made once more, as after a checkpoint, take all walls: none is forgotten. */
static void walls_come_back(void **state) {
    (void)state;
    fixture some, all;
    open_on(&some, drops_apart, "opencl");
    open_on(&all, drops_apart, "opencl");
    some.sim->world.device->walls.fewest = 1;
    all.sim->world.device->walls.fewest = SIZE_MAX;
    steps(&some, 5);
    steps(&all, 5);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(bl_sim_resumed(k ? all.sim : some.sim), BL_OK);
        steps(k ? &all : &some, 5);
    }
    assert_true(bl_fluid_store_hash(&some.sim->world.fluid) == bl_fluid_store_hash(&all.sim->world.fluid));
    assert_int_equal(some.sim->world.device->walls.choices, 2);
    close_sim(&some);
    close_sim(&all);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_follow_drops),
        cmocka_unit_test(walls_follow_around_and_taps),
        cmocka_unit_test(walls_come_when_needed),
        cmocka_unit_test(walls_come_back),
    };
    RUN_ON_DEVICE(argc, argv, tests);
}
#endif
