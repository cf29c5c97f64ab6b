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
            "    size: 48 mm}}]}\n"
            "  lid: {layers: 1, contact_angle: 120 deg, shapes: [{plane: {normal: [0, 0, -1], point: [0, 0, 3 mm], "
            "size: 48 mm}}]}\n";
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
            const double a = bl_sim_value(all.sim, columns[c]), b = bl_sim_value(some.sim, columns[c]);
            if (a != b) fail_msg("%s is %.17g, with all walls %.17g", columns[c], b, a);
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

/* --- runs --- */

/* Drops that run apart, and enough walls that some are left without being asked to. Many large drops on a floor with an
 * energy of its own when wet: the order in which energies are added shows. */
#define DROP(x, y, vx, vy)                                                                                             \
    "    - {sphere: {center: [" x " mm, " y " mm, 1 mm], radius: 2 mm}, velocity: [" vx " m/s, " vy " m/s, 0]}\n"
static const char drops_on_wide_floor[] =
    /* clang-format off */
    RUNNING
    "fluids:\n"
    "  water:\n"
    "    density: 1000 kg/m^3\n"
    "    surface_tension: 0.07 N/m\n"
    "    volumes:\n"
    DROP("1", "2", "4", "0") DROP("-9", "6", "-3", "2") DROP("12", "-8", "1", "-4")
    DROP("-14", "-15", "-2", "-1") DROP("3", "17", "0", "3") DROP("20", "11", "3", "2")
    "boundaries:\n"
    "  glass: {layers: 1, boundary_vapor: 50 mN/m, boundary_fluid: 80 mN/m,\n"
    "    shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -0.5 mm], size: 65 mm}}]}\n";
/* clang-format on */

static void run_until(bl_run_start start, const char *dir, double until) {
    fixture f = {0};
    bl_context_def def = bl_default_context_def();
    bl_run_options options = bl_default_run_options();
    bl_run_result result;
    def.threads = 1, def.device = "opencl";
    options.directory = dir, options.start = start, options.until = until;
    assert_int_equal(bl_context_create(&def, &f.ctx), BL_OK);
    assert_int_equal(
        bl_scene_load_text(f.ctx, drops_on_wide_floor, strlen(drops_on_wide_floor), "test.yaml", NULL, 0, &f.scene),
        BL_OK);
    if (bl_run(f.ctx, f.scene, &options, &result) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
    bl_scene_destroy(f.scene);
    bl_context_destroy(f.ctx);
}

static int column_of(const char *header, const char *name) {
    const char *at = strstr(header, name);
    int column = 0;
    assert_non_null(at);
    for (const char *c = header; c < at; c++) column += *c == ',';
    return column;
}

/* The next field of a line, without the comma behind it. */
static const char *next_field(char **rest) {
    char *field = *rest;
    *rest += strcspn(field, ",\n");
    if (**rest) *(*rest)++ = '\0';
    return field;
}

/* Byte for byte, but for the time that a step took. */
static void same_series(const char *a_path, const char *b_path, int rows) {
    FILE *files[2] = {fopen(a_path, "r"), fopen(b_path, "r")};
    char lines[2][4096], names[4096] = "";
    int row = 0;
    assert_true(files[0] && files[1]);
    for (; fgets(lines[0], sizeof lines[0], files[0]); row++) {
        assert_non_null(fgets(lines[1], sizeof lines[1], files[1]));
        if (row == 0) memcpy(names, lines[0], sizeof names);
        const int time = column_of(names, "wall_ms");
        char *rest[2] = {lines[0], lines[1]};
        for (int column = 0; *rest[0]; column++) {
            const char *a = next_field(&rest[0]), *b = next_field(&rest[1]);
            if (column != time && strcmp(a, b) != 0) fail_msg("row %d, column %d: %s and %s", row, column, a, b);
        }
        assert_true(*rest[1] == '\0');
    }
    assert_null(fgets(lines[1], sizeof lines[1], files[1]));
    assert_true(row > rows);
    fclose(files[0]);
    fclose(files[1]);
}

/* After a resumption other walls are on the device than in a run that went through: nobody notices. */
static void resumed_runs_are_the_same(void **state) {
    (void)state;
    run_until(BL_RUN_OVERWRITE, "test_opencl_walls_whole", 4e-3);
    for (int k = 1; k < 4; k++) {
        run_until(BL_RUN_OVERWRITE, "test_opencl_walls_half", 1e-3 * k);
        run_until(BL_RUN_RESUME, "test_opencl_walls_half", 4e-3);
        same_series("test_opencl_walls_whole/series.csv", "test_opencl_walls_half/series.csv", 40);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_follow_drops),        cmocka_unit_test(walls_follow_around_and_taps),
        cmocka_unit_test(walls_come_when_needed),    cmocka_unit_test(walls_come_back),
        cmocka_unit_test(resumed_runs_are_the_same),
    };
    RUN_ON_DEVICE(argc, argv, tests);
}
#endif
