/* The OpenCL backend against the CPU's: one step, twenty steps, conservation, determinism, checkpoints. */
#include "opencl_helpers.h"
#include "schemes/unified/unified.h"

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

static void agrees_with_cpu(void **state) {
    (void)state;
    fixture cpu, device;
    open_on(&cpu, drop_on_floor, "cpu");
    open_on(&device, drop_on_floor, "opencl");
    assert_true(cpu.sim->world.fluid.count > 900 && cpu.sim->world.boundary.count > 900);
    for (int round = 0; round < 2; round++) {
        steps(&cpu, round ? 19 : 1);
        steps(&device, round ? 19 : 1);
        for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
            compare_field(cpu.sim, device.sim, &tolerances[k], round == 0);
        static const char *const columns[] = {"energy_fv", "energy_ff",    "energy_bv",        "energy_kinetic",
                                              "center_x",  "contact_load", "contact_friction", "speed_max"};
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++) {
            double a = bl_sim_value(cpu.sim, columns[k]), b = bl_sim_value(device.sim, columns[k]);
            if (!(fabs(a - b) <= (round ? 5e-3 : 1e-4) * fabs(a))) fail_msg("%s: %.9g and %.9g", columns[k], a, b);
        }
    }
    assert_non_null(strstr(bl_device_name(device.sim->world.device), "opencl:"));
    close_sim(&cpu);
    close_sim(&device);
}

/* As a GPU without double precision would be driven: sums in single precision, with a kernel to end them, and kernels
 * that know the scene. */
static void single_precision_sums_agree(void **state) {
    (void)state;
    fixture cpu, device;
    open_on(&cpu, drop_on_floor, "cpu");
    open_on(&device, drop_on_floor, "opencl");
    bl_device *d = device.sim->world.device;
    d->fp64 = d->last_ends = false;
    d->bake = true;
    steps(&cpu, 1);
    steps(&device, 1);
    assert_true(d->baked);
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
        compare_field(cpu.sim, device.sim, &tolerances[k], true);
    assert_near(bl_sim_value(device.sim, "iterations"), bl_sim_value(cpu.sim, "iterations"), 0);
    double a = bl_sim_value(cpu.sim, "energy_fv"), b = bl_sim_value(device.sim, "energy_fv");
    assert_near(b, a, 1e-4 * fabs(a));
    close_sim(&cpu);
    close_sim(&device);
}

static void one_step_agrees(const char *scene) {
    fixture cpu, device;
    open_on(&cpu, scene, "cpu");
    open_on(&device, scene, "opencl");
    steps(&cpu, 1);
    steps(&device, 1);
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
        compare_field(cpu.sim, device.sim, &tolerances[k], true);
    assert_true(bl_sim_value(cpu.sim, "contact_friction") > 0);
    close_sim(&cpu);
    close_sim(&device);
}

/* Friction that is iterated has its directions in the viscosity solver's room, which only then is there for it. */
static void relaxed_friction_agrees(void **state) {
    (void)state;
    one_step_agrees(drop_relaxed);
}

/* The default in 3D, smooth kernels, is what all others have. */
static void cubic_kernels_agree(void **state) {
    (void)state;
    one_step_agrees(drop_cubic);
}

static void same_bits_every_time(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_on(&f, drop_on_floor, "opencl");
        steps(&f, 21);
        hashes[k] = bl_sim_hash(f.sim);
        close_sim(&f);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* --- solves: the host queues iterations ahead --- */

#define CONVERGING                                                                                                     \
    "name: converging\n"                                                                                               \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [1 m/s^2, 0, -9.81 m/s^2]\n"                                                                             \
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.1 ms, frames_per_second: 1000}\n"                                  \
    "fluids:\n"                                                                                                        \
    "  water: {density: 1000 kg/m^3, viscosity: 10 mPa s, surface_tension: 0.07 N/m,\n"                                \
    "    volumes: [{sphere: {center: [0, 0, 1 mm], radius: 2.5 mm}, velocity: [0.1 m/s, 0, -0.1 m/s]}]}\n" GLASS
static const char nncg_drop[] =
    "scheme: {name: unified, interface: particles, accelerator: nncg, tolerance: 1e-4}\n" CONVERGING;
static const char jacobi_drop[] =
    "scheme: {name: unified, interface: particles, accelerator: jacobi, tolerance: 1e-4}\n" CONVERGING;

/* As many iterations as the CPU takes, give or take one by rounding, and residuals within the tolerance, whatever the
 * number that was queued before the first look: the same bits for 1 and for 60. The same in one launch of one group. */
static void solves_end_where_they_converge(void **state) {
    (void)state;
    static const char *const scenes[] = {nncg_drop, jacobi_drop};
    enum { IN_ONE_LAUNCH = 2 };
    static const int expected[] = {1, 60, 1};
    for (int k = 0; k < 2; k++) {
        fixture cpu;
        uint64_t hashes[3];
        open_on(&cpu, scenes[k], "cpu");
        steps(&cpu, 3);
        double iterations = bl_sim_value(cpu.sim, "iterations"),
               viscous = bl_sim_value(cpu.sim, "viscosity_iterations");
        assert_true(iterations > 3 && iterations < 50 && viscous > 0);
        for (int e = 0; e < 3; e++) {
            fixture f;
            open_on(&f, scenes[k], "opencl");
            if (e == IN_ONE_LAUNCH) f.sim->world.device->together = 1;
            unified *u = f.sim->scheme_state;
            for (int step = 0; step < 3; step++) {
                u->expected = u->expected_viscosity = expected[e];
                steps(&f, 1);
            }
            hashes[e] = bl_sim_hash(f.sim);
            assert_true(fabs(bl_sim_value(f.sim, "iterations") - iterations) <= 1);
            assert_true(fabs(bl_sim_value(f.sim, "viscosity_iterations") - viscous) <= 1);
            assert_true(bl_sim_value(f.sim, "residual_volume") <= 1e-4);
            assert_int_equal(u->history_count, (int)bl_sim_value(f.sim, "iterations"));
            close_sim(&f);
        }
        assert_true(hashes[0] == hashes[1]);
        close_sim(&cpu);
    }
}

/* --- solves in one launch: groups wait for each other --- */

/* As a GPU would be driven, with `groups` groups, and so many processors that the drop is a small one. */
static bl_device *open_together(fixture *f, const char *scene, size_t groups) {
    open_on(f, scene, "opencl");
    bl_device *d = f->sim->world.device;
    d->together = groups;
    d->units = 100;
    return d;
}

/* One group is all that a processor is sure to run at a time. */
static void one_launch_agrees(void **state) {
    (void)state;
    fixture cpu, once, launches;
    open_on(&cpu, drop_on_floor, "cpu");
    bl_device *d = open_together(&once, drop_on_floor, 1);
    open_together(&launches, drop_on_floor, 0);
    steps(&cpu, 1);
    steps(&once, 1);
    steps(&launches, 1);
    assert_true(d->together == 1 && d->rehearsed && d->solve.kernel);
    for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
        compare_field(cpu.sim, once.sim, &tolerances[k], true);
    assert_near(bl_sim_value(once.sim, "iterations"), 12, 0);
    assert_true(bl_device_launches(d) + 2 * 12 < bl_device_launches(launches.sim->world.device));
    close_sim(&cpu);
    close_sim(&once);
    close_sim(&launches);
}

/* More groups than there are processors wait for those that cannot run before the first ones end. The rehearsal finds
 * out, and iterations are launches; a solve that is not rehearsed ends with an error. */
static void groups_that_do_not_meet(void **state) {
    (void)state;
    enum { TOO_MANY = 4096 };
    fixture launches, warned, halted;
    open_together(&launches, free_drop, 0);
    steps(&launches, 1);
    bl_device *d = open_together(&warned, free_drop, TOO_MANY);
    steps(&warned, 1);
    assert_true(d->rehearsed && d->together == 0);
    assert_true(bl_sim_hash(warned.sim) == bl_sim_hash(launches.sim));
    open_together(&halted, free_drop, TOO_MANY)->rehearsed = true;
    assert_int_equal(bl_sim_step(halted.sim, 1), BL_ERR_DEVICE);
    assert_non_null(strstr(bl_context_error(halted.ctx), "a solve came to a halt"));
    close_sim(&launches);
    close_sim(&warned);
    close_sim(&halted);
}

/* Forces are pairwise: what rounding leaves is of the order of eps sqrt(n) of all momenta's sum. */
static void momenta_are_conserved(void **state) {
    (void)state;
    fixture f;
    open_on(&f, free_drop, "opencl");
    static const char *const columns[] = {"momentum_x", "momentum_y", "momentum_z",
                                          "angular_x",  "angular_y",  "angular_z"};
    double before[6];
    steps(&f, 1);
    for (int k = 0; k < 6; k++) before[k] = bl_sim_value(f.sim, columns[k]);
    steps(&f, 20);
    double mass = (double)f.sim->world.fluid.count * 1000 * pow(0.5e-3, 3), scale = mass * 0.2;
    for (int k = 0; k < 6; k++)
        assert_near(bl_sim_value(f.sim, columns[k]), before[k], 2e-5 * scale * (k < 3 ? 1 : 3e-3));
    close_sim(&f);
}

static uint64_t hash_after_step(fixture *f) {
    bl_observation report;
    bl_failure failure;
    assert_int_equal(f->sim->scheme->step(&f->sim->world, f->sim->scheme_state, 1e-4, &report, &failure), BL_OK);
    bl_sim_fetch(f->sim);
    return bl_fluid_store_hash(&f->sim->world.fluid);
}

/* A state that is kept comes back, all but what every step makes anew: a step from it is the same step. */
static void state_is_kept(void **state) {
    (void)state;
    fixture f;
    open_on(&f, drop_on_floor, "opencl");
    steps(&f, 3);
    bl_sim_fetch(f.sim);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    void *before[BL_F_COUNT] = {0};
    for (int k = 0; k < BL_F_COUNT; k++) {
        const bl_field_info *info = &bl_fluid_fields[k];
        if ((info->flags & BL_FIELD_MADE) != BL_FIELD_STATE) continue;
        before[k] = malloc(fluid->count * info->item_size);
        memcpy(before[k], bl_field_data(info, fluid), fluid->count * info->item_size);
    }
    bl_device_save(f.sim->world.device);
    uint64_t after = hash_after_step(&f);
    assert_memory_not_equal(before[BL_F_x], fluid->x, fluid->count * sizeof *fluid->x);
    bl_device_restore(f.sim->world.device);
    bl_sim_fetch(f.sim);
    for (int k = 0; k < BL_F_COUNT; k++) {
        const bl_field_info *info = &bl_fluid_fields[k];
        if (before[k]) assert_memory_equal(before[k], bl_field_data(info, fluid), fluid->count * info->item_size);
        free(before[k]);
    }
    assert_true(hash_after_step(&f) == after);
    close_sim(&f);
}

/* --- searches: made ahead, and passes are queued before it is known whether lists had room --- */

/* Without viscosity, which would wait for the lists. */
static const char inviscid_drop[] =
    "name: inviscid\n"
    "spacing: 0.5 mm\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "scheme: {name: unified, min_iterations: 3, max_iterations: 3}\n"
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.1 ms, frames_per_second: 1000}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m,\n"
    "    volumes: [{sphere: {center: [0, 0, 1 mm], radius: 2 mm}, velocity: [0.5 m/s, 0, -0.5 m/s]}]}\n" GLASS;

/* Lists that turn out to have no room, in the middle of a run, and searches that nobody wants: the same bits. */
static void lists_are_made_again(void **state) {
    (void)state;
    fixture plain, disturbed;
    open_on(&plain, inviscid_drop, "opencl");
    open_on(&disturbed, inviscid_drop, "opencl");
    bl_device *d = disturbed.sim->world.device;
    for (int k = 0; k < 24; k++) {
        steps(&plain, 1);
        steps(&disturbed, 1);
        assert_true(bl_sim_hash(plain.sim) == bl_sim_hash(disturbed.sim));
        assert_true(d->lists_current == (k + 1 != 20)); /* before step 20 particles are sorted */
        if (k % 3 == 0) d->lists_current = false;
        if (k % 4 == 0) {
            bl_cl_release(d, k % 8 ? &d->fb.index : &d->ff.index);
            d->lists_current = false;
        }
    }
    close_sim(&plain);
    close_sim(&disturbed);
}

/* --- runs: a checkpoint of one backend goes on on the other --- */

static bl_status run_on(const char *device, bl_run_start start, const char *dir, double until, bl_run_result *result) {
    bl_context_def def = bl_default_context_def();
    bl_context *ctx;
    bl_scene *scene;
    def.device = device;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    assert_int_equal(bl_scene_load_text(ctx, drop_on_floor, strlen(drop_on_floor), "test.yaml", NULL, 0, &scene),
                     BL_OK);
    bl_run_options options = bl_default_run_options();
    options.directory = dir;
    options.start = start;
    options.until = until;
    bl_status status = bl_run(ctx, scene, &options, result);
    if (status != BL_OK) print_message("%s\n", bl_context_error(ctx));
    bl_scene_destroy(scene);
    bl_context_destroy(ctx);
    return status;
}

static void checkpoints_change_devices(void **state) {
    (void)state;
    bl_run_result whole, half, rest;
    const char *devices[2] = {"cpu", "opencl"};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(run_on(devices[k], BL_RUN_OVERWRITE, "test_opencl_half", 1e-3, &half), BL_OK);
        assert_int_equal(run_on(devices[1 - k], BL_RUN_RESUME, "test_opencl_half", 2e-3, &rest), BL_OK);
        assert_int_equal(half.steps, 10);
        assert_int_equal(rest.steps, 20);
        /* and on the same device a resumed run is the uninterrupted one, bit for bit */
        assert_int_equal(run_on(devices[k], BL_RUN_OVERWRITE, "test_opencl_half", 1e-3, &half), BL_OK);
        assert_int_equal(run_on(devices[k], BL_RUN_RESUME, "test_opencl_half", 2e-3, &rest), BL_OK);
        assert_int_equal(run_on(devices[k], BL_RUN_OVERWRITE, "test_opencl_whole", 2e-3, &whole), BL_OK);
        assert_true(rest.state_hash == whole.state_hash);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_cpu),         cmocka_unit_test(single_precision_sums_agree),
        cmocka_unit_test(relaxed_friction_agrees), cmocka_unit_test(cubic_kernels_agree),
        cmocka_unit_test(same_bits_every_time),    cmocka_unit_test(solves_end_where_they_converge),
        cmocka_unit_test(one_launch_agrees),       cmocka_unit_test(groups_that_do_not_meet),
        cmocka_unit_test(momenta_are_conserved),   cmocka_unit_test(state_is_kept),
        cmocka_unit_test(lists_are_made_again),    cmocka_unit_test(checkpoints_change_devices),
    };
    RUN_ON_DEVICE(argc, argv, tests);
}
#endif
