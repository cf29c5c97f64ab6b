/* Sources, sinks and periodic directions on a device against the CPU's. */
#include "opencl_helpers.h"

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

/* --- sources and sinks --- */

static const char tap_and_drain[] =
    "name: tap\n"
    "spacing: 0.5 mm\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "domain: {min: [-4 mm, -4 mm, -16 mm], max: [4 mm, 4 mm, 16 mm], periodic: [true, false, false], outside: remove}\n"
    "scheme: {name: unified, interface: particles, min_iterations: 6, max_iterations: 6}\n"
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.2 ms, frames_per_second: 1000}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, surface_tension: 0.07 N/m,\n"
    "    volumes: [{box: {min: [-2 mm, -2 mm, -6 mm], max: [2 mm, 2 mm, -4 mm]}, velocity: [2 m/s, 0, 0]},\n"
    "              {sphere: {center: [0, 3.2 mm, 0], radius: 0.7 mm}, velocity: [0, 1 m/s, 0]}]}\n"
    "emitters: {tap: {center: [0, 0, 5 mm], direction: [0.5, 0, -1], radius: 1.5 mm, speed: 0.9 m/s}}\n"
    "sinks: {drain: {shapes: [{box: {min: [-4 mm, -1 mm, -5.3 mm], max: [-2.6 mm, 1 mm, 1 mm]}}]}}\n";

/* Comings, goings and wrapping on a device are those of the CPU, bit for bit, from the same state. */
static void exchanges_are_the_cpus(void **state) {
    (void)state;
    fixture f;
    open_on(&f, tap_and_drain, "opencl");
    bl_world *world = &f.sim->world;
    size_t first, filled = world->fluid.count;
    for (int round = 0; round < 12; round++) {
        steps(&f, 1);
        bl_sim clone = *f.sim;
        clone.world.device = NULL;
        bl_fluid_store_init(f.ctx, &clone.world.fluid);
        assert_int_equal(bl_fluid_store_append(&clone.world.fluid, world->fluid.count, &first), BL_OK);
        for (int k = 0; k < BL_F_COUNT; k++)
            if (bl_fluid_fields[k].flags & BL_FIELD_STATE)
                memcpy(bl_field_data(&bl_fluid_fields[k], &clone.world.fluid),
                       bl_field_data(&bl_fluid_fields[k], &world->fluid),
                       world->fluid.count * bl_fluid_fields[k].item_size);
        clone.world.fluid.next_id = world->fluid.next_id;
        double start = world->time, end = start + 0.35e-3;
        assert_int_equal(bl_exchange(&clone, start, end), BL_OK);
        assert_int_equal(bl_exchange(f.sim, start, end), BL_OK);
        bl_sim_fetch(f.sim);
        assert_int_equal(world->fluid.count, clone.world.fluid.count);
        assert_int_equal(world->fluid.next_id, clone.world.fluid.next_id);
        assert_true(bl_fluid_store_hash(&world->fluid) == bl_fluid_store_hash(&clone.world.fluid));
        bl_fluid_store_clear(&clone.world.fluid);
    }
    assert_true(world->fluid.next_id > filled + 50);             /* the tap ran */
    assert_true(world->fluid.next_id - world->fluid.count > 20); /* the drain took, and the border */
    close_sim(&f);
}

/* Largest distance between the particles of two runs, in spacings. */
static double largest_gap(const bl_fluid_store *a, const bl_fluid_store *b) {
    double largest = 0;
    bl_vec3 *x = calloc(a->next_id, sizeof *x);
    for (size_t i = 0; i < a->count; i++) x[a->id[i]] = a->x[i];
    for (size_t i = 0; i < b->count; i++) {
        bl_vec3d d = bl_v3d_sub(bl_v3d_from(b->x[i]), bl_v3d_from(x[b->id[i]]));
        d.x -= 8e-3 * rint(d.x / 8e-3);
        largest = fmax(largest, bl_v3d_norm(d) / 0.5e-3);
    }
    free(x);
    return largest;
}

/* The same counts as on the CPU, step by step, and the same particles in the same places, as far as positions agree
 * after 20 steps without sources. No row of the jet stands exactly where the nozzle lets go of it at the end of a step:
 * rounding would decide there. */
static void sources_agree_with_cpu(void **state) {
    (void)state;
    fixture cpu, device;
    open_on(&cpu, tap_and_drain, "cpu");
    open_on(&device, tap_and_drain, "opencl");
    for (int k = 1; k <= 20; k++) {
        static const char *const columns[] = {"fluid_particles", "emitted", "removed"};
        assert_int_equal(bl_sim_step(cpu.sim, (double)INFINITY), BL_OK);
        assert_int_equal(bl_sim_step(device.sim, (double)INFINITY), BL_OK);
        for (int c = 0; c < 3; c++)
            assert_near(bl_sim_value(device.sim, columns[c]), bl_sim_value(cpu.sim, columns[c]), 0);
        bl_sim_fetch(device.sim);
        double gap = largest_gap(&cpu.sim->world.fluid, &device.sim->world.fluid);
        assert_true(gap < 1e-2);
    }
    assert_true(bl_sim_value(cpu.sim, "removed") > 20 && bl_sim_value(cpu.sim, "emitted") > 50);
    close_sim(&cpu);
    close_sim(&device);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_are_the_cpus),
        cmocka_unit_test(sources_agree_with_cpu),
    };
    RUN_ON_DEVICE(argc, argv, tests);
}
#endif
