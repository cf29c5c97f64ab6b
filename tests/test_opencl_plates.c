/* Walls with faces on a device against the CPU's: thin plates, of which liquid on either side sees its own. */
#include "opencl_helpers.h"
#include "physics/tension.h"

#ifndef BL_HAVE_OPENCL
int main(void) {
    printf("built without OpenCL\n");
    return 77;
}
#else

/* From above: a drop, a plate of one layer, a drop that touches it and the next plate, that plate, of two layers and on
 * its way sideways, a third drop, and a floor; beside them a ball, whose particles stand for more than their own. */
static const char plates[] =
    "name: plates\n"
    "spacing: 0.5 mm\n"
    "gravity: [1 m/s^2, 0, -9.81 m/s^2]\n"
    "scheme: {name: unified, interface: particles, min_iterations: 12, max_iterations: 12}\n"
    "time: {relax_steps: 0, end: 1 s, fixed_step: 0.1 ms, frames_per_second: 1000}\n"
    "fluids:\n"
    "  water: {density: 1000 kg/m^3, viscosity: 10 mPa s, surface_tension: 0.07 N/m, volumes: [\n"
    "    {sphere: {center: [0, 0, 1.2 mm], radius: 1.8 mm}, velocity: [0.1 m/s, 0, -0.1 m/s]},\n"
    "    {sphere: {center: [0.2 mm, 0, -2.2 mm], radius: 2.2 mm}},\n"
    "    {sphere: {center: [0, 0.3 mm, -6.5 mm], radius: 1.8 mm}, velocity: [0, 0.1 m/s, 0.1 m/s]}]}\n"
    "boundaries:\n"
    "  one: {contact_angle: 50 deg, friction: 0.3, shapes: [{box: {min: [-3, -3, -0.5 mm], max: [3, 3, 0 mm]}}]}\n"
    "  two: {contact_angle: 110 deg, friction: 0.2, velocity: [0, 50 mm/s, 0],\n"
    "    shapes: [{box: {min: [-3, -3, -4.9 mm], max: [3, 3, -3.9 mm]}}]}\n"
    "  floor: {contact_angle: 60 deg, shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -8.3 mm], size: 6 mm}}]}\n"
    "  ball: {contact_angle: 60 deg, shapes: [{sphere: {center: [0, 8 mm, 0], radius: 3 mm}}]}\n";

/* Contributions are kernel sums of order 1 over 100 neighbours in another order, so off by some 1e-6; weights follow
 * them with the slope 1/eps = 20. Over 20 steps they follow the drops, as fields of the fluid do: PoCL differs by 2e-6
 * and 5e-6 then. */
static const tolerance wall_tolerances[] = {
    {BL_B_w_bb, 2e-6, 2e-6}, {BL_B_v_far, 0, 0},     {BL_B_share, 2e-6, 2e-6},  {BL_B_c_bv, 1e-5, 2e-3},
    {BL_B_c_bf, 1e-5, 2e-3}, {BL_B_t_b, 2e-4, 2e-2}, {BL_B_c_back, 1e-5, 2e-3}, {BL_B_t_back, 2e-4, 2e-2},
};

static void compare_walls(const bl_sim *cpu, bl_sim *device, const tolerance *t, bool one) {
    const bl_field_info *info = &bl_boundary_fields[t->field];
    const bl_boundary_store *walls = &cpu->world.boundary;
    const real *a = bl_field_data(info, walls), *b = bl_field_data(info, &device->world.boundary);
    double largest = 0, worst = 0, allowed = one ? t->one : t->twenty;
    for (size_t k = 0; k < walls->count; k++) {
        largest = fmax(largest, fabs((double)a[k]));
        worst = fmax(worst, fabs((double)a[k] - (double)b[k]));
    }
    assert_true(largest > 0);
    if (!(worst <= allowed * largest))
        fail_msg("%s after %d steps: off by %.3g of %.3g, allowed %.3g", info->name, one ? 1 : 20, worst / largest,
                 largest, allowed);
}

/* The same faces on both, and some of each kind. */
static void compare_faces(const bl_sim *cpu, const bl_sim *device) {
    const bl_boundary_store *walls = &cpu->world.boundary;
    size_t kinds[3] = {0};
    for (size_t k = 0; k < walls->count; k++) {
        assert_int_equal(device->world.boundary.faces[k], walls->faces[k]);
        kinds[walls->faces[k]]++;
    }
    assert_true(kinds[BL_FACES_ALL] > 100 && kinds[BL_FACES_FRONT] > 100 && kinds[BL_FACES_BOTH] > 50);
}

/* How many of the plate's particles have liquid on their backs. */
static size_t wet_backs(const bl_sim *sim) {
    const bl_boundary_store *b = &sim->world.boundary;
    size_t count = 0;
    for (size_t k = 0; k < b->count; k++)
        count += b->faces[k] == BL_FACES_BOTH && b->c_back[k] < BL_R(0.9) * (BL_R(1) - b->w_bb[k]);
    return count;
}

static void plates_agree_with_cpu(void **state) {
    (void)state;
    fixture cpu, device;
    open_on(&cpu, plates, "cpu");
    open_on(&device, plates, "opencl");
    for (int round = 0; round < 2; round++) {
        steps(&cpu, round ? 19 : 1);
        steps(&device, round ? 19 : 1);
        bl_device_fetch(device.sim->world.device, 0, BL_ALL_FIELDS);
        compare_faces(cpu.sim, device.sim);
        assert_true(wet_backs(cpu.sim) > 10);
        for (size_t k = 0; k < sizeof wall_tolerances / sizeof wall_tolerances[0]; k++)
            compare_walls(cpu.sim, device.sim, &wall_tolerances[k], round == 0);
        for (size_t k = 0; k < sizeof tolerances / sizeof tolerances[0]; k++)
            compare_field(cpu.sim, device.sim, &tolerances[k], round == 0);
        for (int k = 0; k < 2; k++) {
            const char *column = k ? "energy_bf" : "energy_bv";
            double a = bl_sim_value(cpu.sim, column), b = bl_sim_value(device.sim, column);
            if (!(fabs(a - b) <= (round ? 5e-3 : 1e-4) * fabs(a))) fail_msg("%s: %.9g and %.9g", column, a, b);
        }
    }
    close_sim(&cpu);
    close_sim(&device);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plates_agree_with_cpu)};
    RUN_ON_DEVICE(argc, argv, tests);
}
#endif
