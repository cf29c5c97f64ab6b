/* The claims of some figures as numbers, in small 2D scenes that take seconds. docs/figures.md has the whole scenes. */
#include "sim_helpers.h"

#include <stdio.h>

#define WATER "density: 998, viscosity: 1 mPa s, surface_tension: 72.8 mN/m"

/* Highest particle with x in [low, high]. */
static double find_top(const bl_sim *sim, double low, double high) {
    double top = -1;
    for (size_t i = 0; i < sim->world.fluid.count; i++) {
        bl_vec3d x = bl_v3d_from(sim->world.fluid.x[i]);
        if (x.x >= low && x.x <= high) top = fmax(top, x.y);
    }
    return top;
}

/* Figure 6: a drop that falls into a pool throws up walls of water higher than itself. */
static void test_crown_rises(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "dimension: 2\nspacing: 0.4 mm\ngravity: [0, -9.81]\ntime: {end: 1 s}\n"
             "scheme: {tension_tolerance: 1e-4, interface: particles}\n"
             "domain: {periodic: [x], min: [-14, -20 mm], max: [14, 80 mm]}\n"
             "fluids:\n"
             "  water:\n"
             "    {" WATER ", volumes: [{box: {min: [-14, 0 mm], max: [14, 2.4 mm]}},\n"
             "     {sphere: {center: [0, 5 mm], radius: 2 mm}, velocity: [0, -2.5 m/s]}]}\n"
             "boundaries: {ground: {layers: 2, shapes: [{plane: {normal: [0, 1], size: 28 mm}}]}}\n",
             1);
    assert_int_equal(bl_sim_advance(f.sim, 8e-3), BL_OK);
    assert_true(find_top(f.sim, -14e-3, -3e-3) > 6.4e-3); /* two radii over the pool, on both sides */
    assert_true(find_top(f.sim, 3e-3, 14e-3) > 6.4e-3);
    assert_true(find_top(f.sim, -1e-3, 1e-3) < 2.4e-3); /* and a crater in the middle */
    close_sim(&f);
}

/* Figure 11: water rises between plates, the higher the closer they stand, 2 gamma cos(angle)/(rho g width). */
static void test_capillaries(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "dimension: 2\nspacing: 0.4 mm\ngravity: [0, -9.81]\ntime: {end: 1 s}\n"
             "scheme: {tension_tolerance: 1e-4}\n"
             "domain: {periodic: [x], min: [-10, -20 mm], max: [10, 40 mm]}\n"
             "fluids: {water: {density: 998, viscosity: 10 mPa s, surface_tension: 72.8 mN/m,\n"
             "                 volumes: [{box: {min: [-10, 0.4 mm], max: [10, 4 mm]}}]}}\n"
             "boundaries:\n"
             "  ground: {shapes: [{plane: {normal: [0, 1], size: 20 mm}}]}\n"
             "  plates:\n"
             "    contact_angle: 40 deg\n"
             "    shapes:\n"
             "      - box: {min: [-6.4, 2.4 mm], max: [-6, 12 mm]}\n"
             "      - box: {min: [-4, 2.4 mm], max: [-3.6, 12 mm]}\n"
             "      - box: {min: [3.2, 2.4 mm], max: [3.6, 12 mm]}\n"
             "      - box: {min: [7.6, 2.4 mm], max: [8, 12 mm]}\n",
             1);
    assert_int_equal(bl_sim_advance(f.sim, 0.3), BL_OK); /* it has swung by then, to 5.1 and 1.3 mm */
    double bath = find_top(f.sim, -1e-3, 0.5e-3);
    double narrow = find_top(f.sim, -5.4e-3, -4.6e-3) - bath, wide = find_top(f.sim, 5e-3, 6.2e-3) - bath;
    /* Five spacings between the plates: the rise is some 25 % too high (docs/figures.md has finer ones). */
    assert_near(narrow, 2 * 72.8e-3 * cos(0.698) / (998 * 9.81 * 2e-3), 2e-3); /* 5.7 mm */
    assert_true(narrow > wide + 1e-3);
    assert_true(wide > 0.8e-3);
    close_sim(&f);
}

/* Figures 17 and 25: on an upright wall a drop stays by friction and slides without. */
static double fall_of_a_drop(const char *friction, double from, double to) {
    char text[800];
    snprintf(
        text, sizeof text,
        "dimension: 2\nspacing: 0.25 mm\ngravity: [0, -9.81]\ntime: {end: 1 s}\n"
        "scheme: {tension_tolerance: 1e-4}\n"
        "fluids: {water: {" WATER ", volumes: [{intersection: [{sphere: {radius: 1.25 mm}},\n"
        "         {half_space: {normal: [-1, 0]}}]}]}}\n"
        "boundaries: {glass: {friction: %s, viscosity: 0 Pa s, shapes: [{plane: {normal: [1, 0], size: 14 mm}}]}}\n",
        friction);
    fixture f;
    open_sim(&f, text, 1);
    assert_int_equal(bl_sim_advance(f.sim, from), BL_OK);
    double before = bl_sim_value(f.sim, "center_y");
    assert_int_equal(bl_sim_advance(f.sim, to), BL_OK);
    double fall = before - bl_sim_value(f.sim, "center_y");
    close_sim(&f);
    return fall;
}

static void test_friction_holds_drops(void **state) {
    (void)state;
    assert_near(fall_of_a_drop("1", 30e-3, 50e-3), 0, 0.05e-3); /* a fifth of a spacing, once it has settled */
    assert_true(fall_of_a_drop("0", 10e-3, 30e-3) > 3e-3);      /* g t^2/2 from 10 to 30 ms is 3.9 mm */
}

/* Figure 17: a drop on an upright pane stays while it is small. Others hit it; when it is heavy enough it runs, and the
 * place where it began stays wet: a trail. Without friction nothing stays. */
typedef struct pane_state {
    double top, front; /* of the water, along the pane */
    double wet;        /* share of the way between them, in slices of a spacing, that has water */
} pane_state;

static pane_state see_pane(const bl_sim *sim) {
    enum { SLABS = 200 };
    const double h = sim->scene->spacing;
    const bl_fluid_store *fluid = &sim->world.fluid;
    bool wet[SLABS] = {0};
    pane_state see = {-1, 1, 0};
    for (size_t i = 0; i < fluid->count; i++) {
        double z = (double)fluid->x[i].z;
        see.top = fmax(see.top, z), see.front = fmin(see.front, z);
    }
    for (size_t i = 0; i < fluid->count; i++) {
        double slab = (see.top - (double)fluid->x[i].z) / h;
        if (slab < SLABS) wet[(int)slab] = true;
    }
    int slices = 0, with_water = 0;
    for (; slices < SLABS && slices * h < see.top - see.front; slices++) with_water += wet[slices];
    see.wet = (double)with_water / slices;
    return see;
}

static void watch_pane(double friction, pane_state see[3]) {
    char text[1000];
    snprintf(text, sizeof text,
             "spacing: 0.6 mm\ngravity: [0, 0, -9.81]\ntime: {end: 1 s}\nscheme: {tension_tolerance: 1e-4}\n"
             "fluids: {water: {" WATER ", volumes: [{intersection: [{sphere: {radius: 1.5 mm}},\n"
             "         {half_space: {normal: [-1, 0, 0]}}]}]}}\n"
             "printers: {head: {position: [4 mm, 0, 0.5 mm], velocity: [-0.3, 0, 0], rate: 100 Hz, radius: 1.3 mm,\n"
             "                  start: 50 ms, stop: 130 ms}}\n"
             "boundaries: {glass: {contact_angle: 80 deg, friction: %g,\n"
             "                     shapes: [{box: {min: [-1.8, -5, -30 mm], max: [0, 5, 6 mm]}}]}}\n",
             friction);
    static const double times[3] = {20e-3, 45e-3, 200e-3};
    fixture f;
    open_sim(&f, text, 1);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(bl_sim_advance(f.sim, times[k]), BL_OK);
        see[k] = see_pane(f.sim);
    }
    close_sim(&f);
}

static void test_grown_drop_runs_and_leaves_a_trail(void **state) {
    (void)state;
    pane_state see[3];
    watch_pane(0.3, see); /* with 0.25 it depends on chance whether the trail of so coarse a drop breaks up */
    assert_near(see[1].front, see[0].front, 0.06e-3); /* small: it stays, within a tenth of a spacing */
    assert_true(see[2].front < -7e-3);                /* grown: it has run (18 mm) */
    assert_true(see[2].top > 0);                      /* and where it began it is still wet */
    assert_true(see[2].wet > 0.75);                   /* and most of the way down, here and there in beads */
    watch_pane(0, see);
    assert_true(see[1].front < see[0].front - 3e-3);
    assert_true(see[2].top < -1.5e-3); /* where it began it is dry */
}

/* Figure 22: a comb of soft teeth instead of a sponge, without gravity; a drop over each of its two gaps. A single one
 * would lie balanced on the middle tooth, and where it falls to then depends on the last digits. */
#define COMB                                                                                                           \
    "dimension: 2\nspacing: 0.25 mm\ntime: {end: 1 s, max_step: 0.1 ms}\nscheme: {tension_tolerance: 1e-4}\n"          \
    "fluids: {water: {density: 998, viscosity: 5 mPa s, surface_tension: %s,\n"                                        \
    "                 volumes: [{box: {min: [%g, 4 mm], max: [%g, 6 mm]}}, {box: {min: [%g, 4 mm], max: [%g, 6 "       \
    "mm]}}]}}\n"                                                                                                       \
    "boundaries:\n"                                                                                                    \
    "  comb:\n"                                                                                                        \
    "    contact_angle: 30 deg\n"                                                                                      \
    "    elastic: {density: 1000, youngs_modulus: 400 kPa, fixed: [{box: {min: [-9, 0 mm], max: [9, 0.5 mm]}}]}\n"     \
    "    shapes: [{box: {min: [-4, 0 mm], max: [4, 0.75 mm]}}, {box: {min: [-2.75, 0.75 mm], max: [-2, 4 mm]}},\n"     \
    "             {box: {min: [-0.875, 0.75 mm], max: [-0.125, 4 mm]}}, {box: {min: [1, 0.75 mm], max: [1.75, 4 "      \
    "mm]}}]\n"

/* Distance of the outermost tips, from the middle of one tooth to that of the other. */
static double tip_distance(const bl_sim *sim) {
    const bl_boundary_store *b = &sim->world.boundary;
    double sum[2] = {0, 0}, count[2] = {0, 0};
    for (size_t i = 0; i < b->count; i++) {
        bl_vec3d rest = sim->rest.x[b->id[i]];
        if (rest.y < 3.7e-3 || fabs(rest.x) < 0.9e-3) continue;
        sum[rest.x > 0] += (double)b->x[i].x;
        count[rest.x > 0]++;
    }
    return sum[1] / count[1] - sum[0] / count[0];
}

typedef struct soaked {
    double share;  /* of the water between the teeth after 40 ms */
    double closer; /* how far the outermost tips have come together, mean of 20, 30 and 40 ms: they swing */
} soaked;

/* With the drops `off` mm beside the middle of the gaps. */
static soaked soak(const char *tension, double off) {
    char text[1600];
    soaked see = {0, 0};
    snprintf(text, sizeof text, COMB, tension, -2 + off, -0.875 + off, -0.125 + off, 1 + off);
    fixture f;
    open_sim(&f, text, 1);
    double before = tip_distance(f.sim);
    for (int k = 2; k <= 4; k++) {
        assert_int_equal(bl_sim_advance(f.sim, 0.01 * k), BL_OK);
        see.closer += (before - tip_distance(f.sim)) / 3;
    }
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    for (size_t i = 0; i < fluid->count; i++) see.share += ((double)fluid->x[i].y < 3.9e-3) / (double)fluid->count;
    close_sim(&f);
    return see;
}

/* Surface tension draws the water in between the teeth, and them together, wherever the drops are set (over seven
 * places 0.96 to 1 and 0.09 to 0.51 mm were seen); without it the water stays where it is. */
static void test_sponge_soaks(void **state) {
    (void)state;
    static const double places[] = {0, 0.05, -0.1};
    for (int k = 0; k < 3; k++) {
        soaked see = soak("72.8 mN/m", places[k]);
        if (!(see.share > 0.8 && see.closer > 0.05e-3))
            fail_msg("place %g: share %g, closer %g", places[k], see.share, see.closer);
    }
    soaked dry = soak("0 N/m", 0);
    assert_true(dry.share < 0.05 && fabs(dry.closer) < 0.01e-3);
}

/* Figure 23: a bubble of gas in water, 2D; the gas is a liquid of low density with a little tension of its own. */
#define BUBBLE                                                                                                         \
    "dimension: 2\nspacing: 0.5 mm\ngravity: [0, -9.81]\ntime: {end: 1 s}\nscheme: {tension_tolerance: 1e-4}\n"        \
    "fluids:\n"                                                                                                        \
    "  water: {density: 1000, viscosity: 2 mPa s, surface_tension: 30 mN/m, fluid_fluid: 30 mN/m,\n"                   \
    "          volumes: [{difference: [{box: {min: [-8, 0 mm], max: [8, 9 mm]}}, {sphere: {center: [0, 4 mm], "        \
    "radius: "                                                                                                         \
    "2.5 mm}}]}]}\n"                                                                                                   \
    "  gas: {density: %g, viscosity: 0.02 mPa s, surface_tension: 2 mN/m,\n"                                           \
    "        volumes: [{sphere: {center: [0, 4 mm], radius: 2.5 mm}}]}\n"                                              \
    "domain: {periodic: [x], min: [-8, -20 mm], max: [8, 60 mm]}\n"                                                    \
    "boundaries: {floor: {shapes: [{plane: {normal: [0, 1], size: 16 mm}}]}}\n"

/* Mean height of the gas after `time`; in one piece, and the water where it belongs. */
static double rise_of_gas(double density, double time) {
    char text[1500];
    snprintf(text, sizeof text, BUBBLE, density);
    fixture f;
    open_sim(&f, text, 1);
    if (bl_sim_advance(f.sim, time) != BL_OK) fail_msg("%s", bl_context_error(f.ctx));
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    double height = 0, gas = 0;
    for (size_t i = 0; i < fluid->count; i++) {
        if (fluid->phase[i] == 1) height += (double)fluid->x[i].y, gas++;
        assert_true((double)fluid->x[i].y > -0.5e-3 && (double)fluid->x[i].y < 16e-3);
    }
    assert_true(bl_sim_value(f.sim, "volume_error_mean") < 0.01);
    close_sim(&f);
    return height / gas;
}

/* Under the surface the gas is covered by a film, and lifts it over the rest of the water. */
static void test_bubbles_bulge_under_films(void **state) {
    (void)state;
    char text[1500];
    snprintf(text, sizeof text, BUBBLE, 100.0);
    fixture f;
    open_sim(&f, text, 1);
    assert_int_equal(bl_sim_advance(f.sim, 0.05), BL_OK);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    double gas = -1, film = -1;
    for (size_t i = 0; i < fluid->count; i++)
        if (fluid->phase[i] == 1) gas = fmax(gas, (double)fluid->x[i].y);
    for (size_t i = 0; i < fluid->count; i++)
        if (fluid->phase[i] == 0 && fabs((double)fluid->x[i].x) < 1.5e-3) film = fmax(film, (double)fluid->x[i].y);
    double pool = fmax(find_top(f.sim, -8e-3, -6e-3), find_top(f.sim, 6e-3, 8e-3));
    assert_true(film > gas + 0.2e-3); /* 10.0 and 9.1 mm */
    assert_true(gas > pool + 0.5e-3); /* 8.1 mm */
    close_sim(&f);
}

/* The lighter, the faster, up to a density ratio of 800; and at the surface after 0.1 s. */
static void test_bubbles_rise(void **state) {
    (void)state;
    double ten = rise_of_gas(100, 0.02), eight_hundred = rise_of_gas(1.25, 0.02);
    assert_true(ten > 4.5e-3 && eight_hundred > ten && eight_hundred < 7e-3);
    assert_true(rise_of_gas(100, 0.1) > 8e-3);
}

/* Figure 15: two drops at the ends of a tube. A gate keeps them apart until 4 ms; then the small one, whose pressure is
 * higher, empties into the big one. */
static void test_valve_lets_the_small_drop_empty(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "dimension: 2\nspacing: 0.2 mm\ntime: {end: 1 s}\nscheme: {tension_tolerance: 1e-4}\n"
             "fluids: {water: {density: 998, viscosity: 5 mPa s, surface_tension: 72.8 mN/m, volumes: [{difference: [\n"
             "  {union: [{sphere: {center: [-2, 0 mm], radius: 1.5 mm}}, {sphere: {center: [2, 0 mm], radius: 3 mm}},\n"
             "           {box: {min: [-2, -0.8 mm], max: [2, 0.8 mm]}}]},\n"
             "  {box: {min: [-2.1, 0.8 mm], max: [2.1, 6 mm]}}, {box: {min: [-2.1, -6 mm], max: [2.1, -0.8 mm]}},\n"
             "  {box: {min: [-0.5, -1 mm], max: [0.5, 1 mm]}}]}]}}\n"
             "boundaries:\n"
             "  tube: {viscosity: 0 Pa s, shapes: [{box: {min: [-2, 0.8 mm], max: [2, 6 mm]}},\n"
             "                                     {box: {min: [-2, -6 mm], max: [2, -0.8 mm]}}]}\n"
             "  gate: {viscosity: 0 Pa s, shift: {keyframes: [[4 ms, [0, 0]], [6 ms, [0, 2 mm]]]},\n"
             "         shapes: [{box: {min: [-0.4, -0.8 mm], max: [0.4, 0.8 mm]}}]}\n",
             1);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    size_t left[3] = {0};
    const double times[3] = {0.5e-3, 4e-3, 40e-3};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(bl_sim_advance(f.sim, times[k]), BL_OK);
        for (size_t i = 0; i < fluid->count; i++) left[k] += (double)fluid->x[i].x < 0;
    }
    assert_int_equal(left[0], left[1]);
    assert_true(left[2] < left[0] / 2);
    close_sim(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crown_rises),
        cmocka_unit_test(test_capillaries),
        cmocka_unit_test(test_friction_holds_drops),
        cmocka_unit_test(test_grown_drop_runs_and_leaves_a_trail),
        cmocka_unit_test(test_sponge_soaks),
        cmocka_unit_test(test_bubbles_rise),
        cmocka_unit_test(test_bubbles_bulge_under_films),
        cmocka_unit_test(test_valve_lets_the_small_drop_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
