/* A deep pool rests: the pressure a solve starts from is a mean over the last steps (docs/theory/unified.md). */
#include "sim_helpers.h"

#include <stdio.h>

/* 6 h wide and 40 h deep, periodic sideways. */
static const char *const column = "dimension: 2\n"
                                  "spacing: 0.5 mm\n"
                                  "gravity: [0, -9.81]\n"
                                  "domain: {periodic: [x], min: [-1.5, -10 mm], max: [1.5, 60 mm]}\n"
                                  "%s"
                                  "fluids: {water: {density: 1000, viscosity: 20 mPa s, surface_tension: %d mN/m,\n"
                                  "  volumes: [{box: {min: [-1.5, 0 mm], max: [1.5, 20 mm]}}]}}\n"
                                  "boundaries: {floor: {shapes: [{plane: {normal: [0, 1]}}]}}\n";

static const char *const plain = "scheme: {interface: particles}\ntime: {end: 1 s}\n";

/* Largest kinetic energy in the second half of 1,000 steps, over that of a fall by one spacing. */
static double swing(const char *setting, int tension) {
    fixture f;
    char text[2000];
    double most = 0;
    snprintf(text, sizeof text, column, setting, tension);
    open_sim(&f, text, 1);
    for (int k = 0; k < 1000; k++) {
        assert_int_equal(bl_sim_step(f.sim, INFINITY), BL_OK);
        if (k >= 500) most = fmax(most, bl_sim_value(f.sim, "energy_kinetic"));
    }
    double mass = 1000 * 0.25e-6 * (double)f.sim->world.fluid.count;
    close_sim(&f);
    return most / (mass * 9.81 * 0.5e-3);
}

/* With last step's pressure it swings like sound in a soft pipe; with the mean that dies away. */
static void deep_column_rests(void **state) {
    (void)state;
    double mean = swing(plain, 70),
           last = swing("scheme: {interface: particles, warm_share: 1}\ntime: {end: 1 s}\n", 70);
    if (!(mean < 6e-3)) fail_msg("swings with %.2g of the energy of a fall by one spacing", mean);
    if (!(last > 3 * mean)) fail_msg("%.2g without the mean, %.2g with it: what is it good for?", last, mean);
}

/* The steps of a field are long enough for the pressure below to throw particles about: that is what
 * time.pressure_factor is for. */
static void pressure_limits_steps(void **state) {
    (void)state;
    double limited = swing("scheme: {interface: field}\ntime: {end: 1 s}\n", 20);
    double free_steps = swing("scheme: {interface: field}\ntime: {end: 1 s, pressure_factor: 10}\n", 20);
    if (!(limited < 6e-3)) fail_msg("swings with %.2g of the energy of a fall by one spacing", limited);
    if (!(free_steps > 3 * limited)) fail_msg("%.2g without the limit, %.2g with it", free_steps, limited);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deep_column_rests), cmocka_unit_test(pressure_limits_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
