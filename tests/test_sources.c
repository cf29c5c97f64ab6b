/* Sources and sinks: exact rows, counts that add up, drops where they should be, the same bits after a resume and for
 * any number of threads, and errors with names. */
#include "base/rng.h"
#include "beadlet/run.h"
#include "sim_helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FREE                                                                                                           \
    "spacing: 0.5 mm\n"                                                                                                \
    "time: {end: 1 s, max_step: 0.7 ms, frames_per_second: 100}\n"                                                     \
    "scheme: {name: ballistic}\n"                                                                                      \
    "fluids: {water: {density: 1000, surface_tension: 0.07}}\n"

/* Smallest distance of two particles, in spacings; and of the nearest neighbours the one that is farthest away. */
static void measure_gaps(const bl_sim *sim, double *least, double *most) {
    const bl_fluid_store *fluid = &sim->world.fluid;
    *least = (double)INFINITY, *most = 0;
    for (size_t i = 0; i < fluid->count; i++) {
        double nearest = (double)INFINITY;
        for (size_t j = 0; j < fluid->count; j++)
            if (j != i)
                nearest = fmin(nearest, bl_v3d_norm(bl_v3d_sub(bl_v3d_from(fluid->x[i]), bl_v3d_from(fluid->x[j]))));
        *least = fmin(*least, nearest / sim->scene->spacing);
        *most = fmax(*most, nearest / sim->scene->spacing);
    }
}

static void assert_counts_add_up(const fixture *f) {
    double present = bl_sim_value(f->sim, "fluid_particles");
    assert_near(present, bl_sim_fluid_count(f->sim), 0);
    assert_near(present,
                (double)f->sim->sources.filled + bl_sim_value(f->sim, "emitted") - bl_sim_value(f->sim, "removed"), 0);
}

/* --- nozzles --- */

/* Without forces a jet is a perfect lattice, also while its speed changes, and its length is the speed's integral. */
static void test_rows_continue_the_lattice(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             FREE "emitters:\n"
                  "  tap: {center: [0, 0, 5 mm], direction: [0.3, 0.2, -1], radius: 1.5 mm, start: 3 ms,\n"
                  "        speed: {keyframes: [[0 s, 0.2], [10 ms, 0.2], [20 ms, 0.6], [30 ms, 0.6]]}}\n",
             2);
    assert_int_equal(bl_sim_advance(f.sim, 2e-3), BL_OK);
    assert_int_equal(bl_sim_fluid_count(f.sim), 0);
    assert_int_equal(bl_sim_advance(f.sim, 10e-3), BL_OK); /* constant speed: 1.4 mm are out, rows 0, 1 and 2 */
    size_t columns = f.sim->sources.openings[0].count;
    assert_near((double)columns, acos(-1.0) * 9, 2); /* pi (1.5/0.5)^2 = 28.3 */
    assert_int_equal(bl_sim_fluid_count(f.sim), 3 * columns);
    double least, most;
    measure_gaps(f.sim, &least, &most);
    assert_near(least, 1, 1e-3);
    assert_near(most, 1, 1e-3);
    while (f.sim->world.time < 40e-3) {
        assert_int_equal(bl_sim_step(f.sim, 40e-3), BL_OK);
        assert_counts_add_up(&f);
    }
    /* 1.4 + 4 + 6 + 6 = 17.4 mm: rows 0 to 34. Released rows keep their speed, so later ones come nearer. */
    assert_int_equal(bl_sim_fluid_count(f.sim), 35 * columns);
    close_sim(&f);
}

static void test_rate_is_volume_per_time(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             FREE
             "emitters: {tap: {center: [0, 0, 0], direction: [1, 0, 0], width: 4 mm, height: 2 mm, rate: 2 mL/s}}\n",
             1);
    assert_int_equal(f.sim->sources.openings[0].count, 8 * 4);
    assert_int_equal(bl_sim_advance(f.sim, 50e-3), BL_OK);
    assert_near(bl_sources_expected(&f.sim->world, &f.sim->sources, 50e-3), bl_sim_fluid_count(f.sim), 0);
    double volume = (double)bl_sim_fluid_count(f.sim) * pow(0.5e-3, 3);
    assert_near(volume, 2e-6 * 50e-3, 32 * pow(0.5e-3, 3)); /* to a row */
    close_sim(&f);
}

/* A surface lets liquid out along its normals. */
static void test_surfaces_emit_along_normals(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, FREE "emitters: {ball: {shapes: [{sphere: {center: [1, 2, 3 mm], radius: 2 mm}}], speed: 0.3}}\n", 1);
    assert_int_equal(bl_sim_advance(f.sim, 4e-3), BL_OK);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    assert_near((double)f.sim->sources.openings[0].count, 4 * acos(-1.0) * 16, 30);
    for (size_t i = 0; i < fluid->count; i++) {
        bl_vec3d d = bl_v3d_sub(bl_v3d_from(fluid->x[i]), bl_v3d_make(1e-3, 2e-3, 3e-3));
        assert_near(bl_v3d_dot(d, bl_v3d_from(fluid->v[i])) / bl_v3d_norm(d), 0.3, 3e-3);
        assert_true(bl_v3d_norm(d) > 1.99e-3 && bl_v3d_norm(d) < 3.21e-3);
    }
    close_sim(&f);
}

static void test_openings_in_the_plane(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "dimension: 2\n" FREE
             "emitters: {slit: {center: [0, 1 mm], direction: [0, -1], radius: 2 mm, speed: 0.5}}\n",
             1);
    assert_int_equal(f.sim->sources.openings[0].count, 8);
    assert_int_equal(bl_sim_advance(f.sim, 10e-3), BL_OK);
    assert_int_equal(bl_sim_fluid_count(f.sim), 8 * 10);
    double least, most;
    measure_gaps(f.sim, &least, &most);
    assert_near(least, 1, 1e-3);
    assert_near(most, 1, 1e-3);
    close_sim(&f);
}

#define WATER                                                                                                          \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [0, 0, -9.81]\n"                                                                                         \
    "time: {end: 12 ms, frames_per_second: 500}\n"                                                                     \
    "output: {checkpoint_every: 1, keep_checkpoints: 20}\n"                                                            \
    "fluids: {water: {density: 1000, viscosity: 1 mPa s, surface_tension: 0.0728}}\n"

/* With all forces: the rows in the opening stay in line, and nothing overlaps. */
#define TAP "emitters: {tap: {center: [0, 0, 0], direction: [0, 0, -1], radius: 1.5 mm, speed: 0.5}}\n"
static void check_jet(const char *text, double nearest, double furthest) {
    fixture f;
    open_sim(&f, text, 2);
    assert_int_equal(bl_sim_advance(f.sim, 10e-3), BL_OK);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    assert_int_equal(fluid->count, 10 * f.sim->sources.openings[0].count);
    double least, most;
    measure_gaps(f.sim, &least, &most);
    assert_true(least > nearest && most < furthest);
    for (size_t i = 0; i < fluid->count; i++) {
        double z = (double)fluid->x[i].z;
        if (z < -0.45e-3) continue; /* not held any more */
        assert_near(fmod(-z / 0.5e-3 + 1e-3, 1), 1e-3, 1e-3);
        assert_near(fluid->v[i].z, -0.5, 1e-3);
    }
    close_sim(&f);
}
static void test_jet_of_water(void **state) {
    (void)state;
    /* a free cylinder of water comes down to 0.24 by its own tension */
    check_jet(WATER "scheme: {kernel: cubic, interface: particles}\n" TAP, 0.4, 1.4);
    /* of smooth kernels neighbours are nearer: in drops at rest 0.60 at least, where those of cubic ones are 0.71 */
    check_jet(WATER "scheme: {interface: particles}\n" TAP, 0.4 * 0.60 / 0.71, 1.4);
    /* of a field, under which the first row draws together so fast that the particle on its axis is thrown ahead */
    check_jet(WATER "scheme: {interface: field}\n" TAP, 0.4 * 0.60 / 0.71, 2.5);
}

static double find_top(const bl_sim *sim) {
    double top = -1;
    for (size_t i = 0; i < sim->world.fluid.count; i++) top = fmax(top, (double)sim->world.fluid.x[i].z);
    return top;
}

/* Speed 0 keeps the liquid in the opening; after `stop` it is let go. */
static void test_standing_and_stopping(void **state) {
    (void)state;
    fixture f;
    open_sim(
        &f,
        WATER
        "emitters: {tap: {radius: 1 mm, speed: {keyframes: [[0 s, 0.3], [4 ms, 0.3], [4.001 ms, 0]]}, stop: 8 ms}}\n",
        1);
    assert_int_equal(bl_sim_advance(f.sim, 8e-3), BL_OK);
    size_t rows = 3; /* 1.2 mm: rows 0, 1, 2 */
    assert_int_equal(bl_sim_fluid_count(f.sim), rows * f.sim->sources.openings[0].count);
    assert_near(find_top(f.sim), -0.2e-3, 1e-6); /* where the last row has stood since */
    assert_int_equal(bl_sim_advance(f.sim, 12e-3), BL_OK);
    assert_true(fabs(find_top(f.sim) + 0.2e-3) > 1e-5); /* the drop draws itself together */
    assert_int_equal(bl_sim_fluid_count(f.sim), rows * f.sim->sources.openings[0].count);
    close_sim(&f);
}

/* A nozzle three spacings above the bottom of a cup that its jet fills within 13 ms. */
#define CUP                                                                                                            \
    "spacing: 0.5 mm\n"                                                                                                \
    "gravity: [0, 0, -9.81]\n"                                                                                         \
    "time: {end: 20 ms, frames_per_second: 200}\n"                                                                     \
    "output: {checkpoint_every: 1, keep_checkpoints: 20}\n"                                                            \
    "fluids: {water: {material: water}}\n"                                                                             \
    "emitters: {tap: {radius: 1 mm, direction: [0, 0, -1], speed: 1}}\n"                                               \
    "boundaries:\n"                                                                                                    \
    "  cup: {shapes: [{difference: [{box: {min: [-3.5, -3.5, -3.5 mm], max: [3.5, 3.5, 3.5 mm]}},\n"                   \
    "                               {box: {min: [-2, -2, -1.5 mm], max: [2, 2, 1.5 mm]}}]}]}\n"

static int count_of(const char *text, const char *word) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) count++;
    return count;
}

/* Largest compression of a particle until `end`; to *mean (if not NULL) the mean over steps of the largest in each. */
static double compress_until(fixture *f, double end, double *mean) {
    double compression = 0, sum = 0;
    while (f->sim->world.time < end) {
        assert_int_equal(bl_sim_step(f->sim, end), BL_OK);
        assert_counts_add_up(f);
        compression = fmax(compression, bl_sim_value(f->sim, "volume_error_max"));
        sum += bl_sim_value(f->sim, "volume_error_max");
    }
    if (mean) *mean = sum / (double)f->sim->world.step;
    return compression;
}

/* It holds back instead of pressing its rows into the liquid in front (69 % without), and says so, once. */
static void test_nozzle_in_a_full_cup(void **state) {
    (void)state;
    static char log[10000];
    fixture f = {0};
    open_context_with_log(&f, log);
    make_sim(&f, CUP);
    double compression = compress_until(&f, 20e-3, NULL);
    double rows = bl_sim_value(f.sim, "emitted") / (double)f.sim->sources.openings[0].count;
    if (compression > 0.28) fail_msg("compressed by %g", compression); /* 21 %, when the jet hits the bottom */
    assert_true(rows > 15 && rows < 30); /* of 40; a cup of 384 particles has room for 29 */
    assert_int_equal(count_of(log, "emitter `tap` is held back"), 1);
    close_sim(&f);
}

/* --- nozzles with little room: the liquid in front of them gives way --- */

#define TIGHT                                                                                                          \
    "gravity: [0, 0, -9.81]\n"                                                                                         \
    "time: {end: 25 ms, frames_per_second: 100}\n"                                                                     \
    "fluids: {water: {material: water}}\n"                                                                             \
    "sinks: {far: {shapes: [{box: {min: [-30, -30, -30 mm], max: [30, 30, -4 mm]}}]}}\n"
#define PLATE "  plate: {shapes: [{box: {min: [-9, -9, -3.5 mm], max: [9, 9, -1.5 mm]}}]}\n"

/* An opening that fills a pipe with a closed end, three spacings above a plate, is a pump: all that it should give
 * comes out. With rows that the solver took for free liquid a third of it was held back, and 33 % compressed. */
static void test_nozzle_in_a_pipe_pumps(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double row, most;
    } pipes[] = {
        {"spacing: 0.5 mm\n" TIGHT
         "emitters: {tap: {center: [0, 0, 2 mm], width: 2 mm, height: 2 mm, direction: [0, 0, -1], speed: 0.4}}\n"
         "boundaries:\n"
         "  pipe: {shapes: [{difference: [{box: {min: [-2.5, -2.5, 0 mm], max: [2.5, 2.5, 4 mm]}},\n"
         "                                {box: {min: [-1, -1, -1 mm], max: [1, 1, 2.25 mm]}}]}]}\n" PLATE,
         16, 0.15}, /* 10 % */
        /* in 2D walls are sampled finer and must count by their volume */
        {"spacing: 0.5 mm\ndimension: 2\ngravity: [0, -9.81]\ntime: {end: 25 ms, frames_per_second: 100}\n"
         "fluids: {water: {material: water}}\n"
         "emitters: {tap: {center: [0, 2 mm], width: 2 mm, direction: [0, -1], speed: 0.4}}\n"
         "boundaries:\n"
         "  pipe: {shapes: [{difference: [{box: {min: [-2.5, 0 mm], max: [2.5, 4 mm]}},\n"
         "                                {box: {min: [-1, -1 mm], max: [1, 2.25 mm]}}]}]}\n"
         "  plate: {shapes: [{box: {min: [-9, -3.5 mm], max: [9, -1.5 mm]}}]}\n",
         4, 0.15}};
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f, pipes[k].text, 1);
        double compression = compress_until(&f, 25e-3, NULL);
        if (compression > pipes[k].most) fail_msg("pipe %d: compressed by %g", k, compression);
        double expected = bl_sources_expected(&f.sim->world, &f.sim->sources, 25e-3);
        assert_near(bl_sim_value(f.sim, "emitted"), expected, pipes[k].row); /* but for a row that is just due */
        close_sim(&f);
    }
}

/* Towards a plate, slanting and in 2D: 4.7 and 2.2 % in the mean; 7.2 and 6.3 % when the solver did not know of held
 * rows. The largest of all is that of a single particle, and chaotic. */
static void test_nozzles_near_plates(void **state) {
    (void)state;
    static const char *const scenes[] = {
        "spacing: 0.4 mm\n" TIGHT "emitters: {tap: {radius: 1 mm, direction: [0.5, 0, -1], speed: 0.3}}\n"
        "boundaries:\n" PLATE,
        "spacing: 0.25 mm\ndimension: 2\ngravity: [0, -9.81, 0]\n"
        "time: {end: 25 ms, frames_per_second: 100}\n"
        "fluids: {water: {material: water}}\n"
        "emitters: {tap: {center: [0, 1 mm], radius: 1 mm, direction: [0, -1], speed: 0.3}}\n"
        "boundaries: {plate: {shapes: [{box: {min: [-8, -1 mm], max: [8, 0 mm]}}]}}\n"};
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f, scenes[k], 1);
        double mean, most = compress_until(&f, 25e-3, &mean);
        if (mean > 0.058 || most > 0.3) fail_msg("scene %d: compressed by %g, at most %g", k, mean, most);
        close_sim(&f);
    }
}

/* --- sinks --- */

static void test_what_leaves_is_counted(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "spacing: 0.5 mm\n"
             "gravity: [0, 0, -9.81]\n"
             "scheme: {name: ballistic}\n"
             "time: {end: 1 s, frames_per_second: 100}\n"
             "domain: {min: [-4, -4, -100 mm], max: [4, 4, 10 mm], outside: remove}\n"
             "fluids:\n"
             "  water:\n"
             "    density: 1000\n"
             "    volumes: [{box: {min: [0, 0, 0], max: [2, 2, 2 mm]}, velocity: [0.5, 0, 0]}]\n"
             "emitters: {tap: {radius: 1 mm, center: [-2 mm, 0, 0], speed: 0.2}}\n"
             "sinks: {drain: {start: 5 ms, shapes: [{half_space: {normal: [0, 0, 1], point: [0, 0, -3 mm]}}]}}\n",
             2);
    assert_int_equal(f.sim->sources.filled, 64);
    double removed = 0;
    while (f.sim->world.time < 50e-3) {
        assert_int_equal(bl_sim_step(f.sim, 50e-3), BL_OK);
        assert_counts_add_up(&f);
        assert_true(bl_sim_value(f.sim, "removed") >= removed);
        removed = bl_sim_value(f.sim, "removed");
        for (size_t i = 0; i < f.sim->world.fluid.count; i++) {
            bl_vec3 x = f.sim->world.fluid.x[i];
            assert_true((double)x.x <= 4e-3);
            assert_true(f.sim->world.time < 5e-3 || (double)x.z > -3.0001e-3);
        }
    }
    assert_true(removed > 64 && bl_sim_value(f.sim, "emitted") > 100);
    close_sim(&f);
}

/* --- rain --- */

#define RAIN                                                                                                           \
    "rain: {shower: {min: [-20, -10, 50 mm], max: [20, 10, 60 mm], rate: 200 Hz, radius: 1 mm, spread: 0.3, "          \
    "velocity: [0, 0, -1], seed: %d}}\n"

static void open_rain(fixture *f, int seed, int threads) {
    char text[1000];
    snprintf(text, sizeof text, FREE RAIN, seed);
    open_sim(f, text, threads);
}

static void test_rain(void **state) {
    (void)state;
    fixture f, other;
    open_rain(&f, 1, 1);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    size_t before = 0, drops = 0;
    double sum = 0, sum2 = 0, x_sum = 0;
    while (f.sim->world.time < 1) {
        assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
        for (size_t i = before; i < fluid->count; i++) /* what is new stands last */
            assert_true(fabs((double)fluid->x[i].x) < 22.01e-3 && fabs((double)fluid->x[i].y) < 12.01e-3);
        if (fluid->count > before) {
            double radius = cbrt(3 * (double)(fluid->count - before) * pow(0.5e-3, 3) / (4 * acos(-1.0)));
            drops++;
            sum += radius, sum2 += radius * radius;
            x_sum += (double)fluid->x[fluid->count - 1].x;
        }
        before = fluid->count;
    }
    assert_near(bl_sources_expected(&f.sim->world, &f.sim->sources, 1), fluid->count, 0.1 * (double)fluid->count);
    double n = (double)drops, mean = sum / n;
    assert_true(drops > 165 && drops <= 200); /* of 200, those in the same step count as one here */
    assert_near(mean, 1e-3, 0.1e-3);
    assert_near(sqrt(sum2 / n - mean * mean) / mean, 0.3, 0.08);
    assert_near(x_sum / n, 0, 3 * 40e-3 / sqrt(12 * n) + 1e-3);
    open_rain(&other, 2, 1);
    assert_int_equal(bl_sim_advance(other.sim, 0.1), BL_OK);
    assert_true(bl_sim_hash(other.sim) != bl_sim_hash(f.sim));
    close_sim(&other);
    close_sim(&f);
}

/* Measured fall speeds of water drops in air: Gunn and Kinzer, J. Meteorol. 6 (1949), 243. */
static void test_terminal_speed(void **state) {
    (void)state;
    static const double table[][2] = {{0.2e-3, 0.72}, {0.5e-3, 2.06}, {1e-3, 4.03}, {2e-3, 6.49}, {3e-3, 8.06}};
    for (int k = 0; k < 5; k++)
        assert_near(bl_terminal_speed(table[k][0] / 2, 998, 9.81), table[k][1], 0.08 * table[k][1]);
}

/* --- printers --- */

static void test_bitmap(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             FREE
             "printers:\n"
             "  head:\n"
             "    {position: [0, 0, 5 mm], pitch: 3 mm, rate: 100 Hz, radius: 1 mm, bitmap: \"#.#\\n.#\\n\\n..#\"}\n",
             1);
    static const double marks[4][2] = {{0, 0}, {6e-3, 0}, {3e-3, -3e-3}, {6e-3, -9e-3}};
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    for (int k = 0; k < 4; k++) {
        size_t before = fluid->next_id;
        assert_int_equal(bl_sim_advance(f.sim, k * 10e-3 + 5e-3), BL_OK);
        assert_true(fluid->next_id - before >= 32 && fluid->next_id - before <= 35); /* 4/3 pi 2^3 = 33.5 */
        bl_vec3d center = bl_v3d_zero();
        for (size_t i = before; i < fluid->next_id; i++)
            center = bl_v3d_mad(center, 1 / (double)(fluid->next_id - before),
                                bl_v3d_from(fluid->x[index_of_id(f.sim, (uint32_t)i)]));
        assert_near(center.x, marks[k][0], 1e-5);
        assert_near(center.y, marks[k][1], 1e-5);
    }
    size_t all = fluid->count;
    assert_int_equal(bl_sim_advance(f.sim, 0.2), BL_OK);
    assert_int_equal(fluid->count, all);
    close_sim(&f);
}

/* The head moves; a drop that has no room is left out. */
static void test_path(void **state) {
    (void)state;
    fixture f;
    open_sim(
        &f,
        FREE
        "printers:\n"
        "  head: {position: {keyframes: [[0 s, [0, 0, 0]], [20 ms, [10 mm, 0, 0]]]}, rate: 200 Hz, radius: 1 mm}\n",
        1);
    assert_int_equal(bl_sim_advance(f.sim, 50e-3), BL_OK);
    /* at 0, 2.5, 5, 7.5 and 10 mm; all later ones come to the same place */
    size_t one = bl_sim_fluid_count(f.sim) / 5;
    assert_true(one >= 32 && one <= 35 && bl_sim_fluid_count(f.sim) == 5 * one);
    assert_near(bl_sim_value(f.sim, "center_x"), 5e-3, 2e-5);
    close_sim(&f);
}

/* --- the same bits --- */

#define WET                                                                                                            \
    WATER "boundaries: {glass: {shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -4 mm], size: 12 mm}}]}}\n"         \
          "emitters: {tap: {center: [0, 0, -1.5 mm], radius: 1 mm, speed: 0.4}}\n"                                     \
          "rain: {shower: {min: [-4, -4, 0 mm], max: [4, 4, 2 mm], rate: 600 Hz, radius: 0.8 mm, spread: 0.2,\n"       \
          "                velocity: [0, 0, -0.5]}}\n"                                                                 \
          "sinks: {drain: {shapes: [{box: {min: [2, -8, -8 mm], max: [8, 8, 8 mm]}}]}}\n"

static void test_threads(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        fixture f;
        open_sim(&f, WET, 1 + 2 * k);
        assert_int_equal(bl_sim_advance(f.sim, 8e-3), BL_OK);
        assert_true(bl_sim_value(f.sim, "removed") > 0 && bl_sim_value(f.sim, "emitted") > 100);
        assert_counts_add_up(&f);
        hash[k] = bl_sim_hash(f.sim);
        close_sim(&f);
    }
    assert_true(hash[0] == hash[1]);
}

static bl_run_result run_in(fixture *f, const char *dir, bl_run_start start, int resume_frame) {
    bl_run_options options = bl_default_run_options();
    bl_run_result result;
    options.directory = dir;
    options.start = start;
    options.resume_frame = resume_frame;
    bl_status status = bl_run(f->ctx, f->scene, &options, &result);
    if (status != BL_OK) fail_msg("%s", bl_context_error(f->ctx));
    return result;
}

static void assert_resumes(const char *text, int frame) {
    char dir[] = "/tmp/sources.XXXXXX", command[64];
    assert_non_null(mkdtemp(dir));
    fixture f;
    open_sim(&f, text, 2);
    bl_run_result whole = run_in(&f, dir, BL_RUN_NEW, -1);
    bl_run_result rest = run_in(&f, dir, BL_RUN_RESUME, frame);
    assert_true(whole.state_hash == rest.state_hash);
    assert_int_equal(whole.steps, rest.steps);
    assert_true(whole.fluid_particles > 100);
    close_sim(&f);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    assert_int_equal(system(command), 0);
}

/* From a checkpoint in the middle of everything, and of a nozzle that is held back. */
static void test_resume(void **state) {
    (void)state;
    assert_resumes(WET, 3);
    assert_resumes(CUP, 2);
}

/* --- mistakes --- */

static void test_mistakes(void **state) {
    (void)state;
    assert_refused(FREE "emitters: {tap: {center: [0, 0, 0], radius: 1 mm, speed: 1}}\n"
                        "boundaries: {rock: {shapes: [{sphere: {radius: 5 mm}}]}}\n",
                   "emitter `tap` lies inside the boundary `rock`: 13 of its 13 places do");
    assert_refused(FREE "printers: {head: {position: [0, 0, 1 mm], radius: 1 mm, rate: 1 Hz}}\n"
                        "boundaries: {rock: {shapes: [{sphere: {radius: 5 mm}}]}}\n",
                   "printer `head` lies inside the boundary `rock`");
    assert_refused(FREE "emitters: {tap: {speed: 1}}\n", "an emitter has one opening");
    assert_refused(FREE "emitters: {tap: {radius: 1 mm}}\n", "an emitter needs a speed or a rate");
    assert_refused(FREE "emitters: {tap: {radius: 1 mm, speed: 1, start: 2 s, stop: 1 s}}\n",
                   "stop is not after start");
    assert_refused(FREE "emitters: {tap: {radius: 1 mm, speed: {keyframes: [[1 s, 1], [0 s, 2]]}}}\n",
                   "keyframes out of order");
    assert_refused(FREE "rain: {shower: {min: [0, 0, 0], max: [1, 1, 1 mm], rate: 1 Hz, radius: 1 mm}}\n",
                   "without gravity rain needs a velocity");
    assert_refused(FREE "printers: {head: {position: [0, 0, 0], radius: 1 mm, rate: 1 Hz, bitmap: '#'}}\n",
                   "a bitmap needs a pitch");
    assert_refused(FREE, "missing key 'volumes' in fluids.water");
}

/* --- walls in the way --- */

/* What the map of the walls finds in a box is what a look at all of them finds, in the same order; also after a body
 * has moved. */
static void assert_walls_found(bl_sim *sim, uint64_t k) {
    const bl_boundary_store *walls = &sim->world.boundary;
    double place[4];
    for (int c = 0; c < 4; c++) place[c] = bl_rng_uniform(1, (uint64_t)c, k);
    bl_vec3d center = {0.03 * place[0] - 0.015, 0.03 * place[1] - 0.015, 0.03 * place[2] - 0.02};
    bl_vec3d corner = bl_v3d_scale(0.004 * place[3], bl_v3d_make(1, 1, 1));
    bl_box box = {bl_v3d_sub(center, corner), bl_v3d_add(center, corner)};
    bl_births none = bl_point_list_make(sim->ctx);
    bl_crowd crowd;
    size_t mark = bl_arena_mark(sim->world.scratch), found = 0;
    assert_int_equal(bl_crowd_find(&sim->world, &sim->sources.walls, &none, box, &crowd), BL_OK);
    for (size_t i = 0; i < walls->count; i++) {
        bl_vec3d x = bl_v3d_from(walls->x[i]);
        if (!bl_box_holds(box, x)) continue;
        assert_true(crowd.fluid_count + found < crowd.count);
        assert_near(bl_v3d_norm(bl_v3d_sub(x, crowd.x[crowd.fluid_count + found])), 0, 0);
        assert_near(crowd.wall_volume[found++], (double)walls->volume[i], 0);
    }
    assert_int_equal(crowd.count, crowd.fluid_count + found);
    bl_arena_release(sim->world.scratch, mark);
    bl_point_list_clear(&none);
}

static void test_walls_are_found_by_their_map(void **state) {
    (void)state;
    fixture f;
    open_sim(
        &f,
        FREE
        "boundaries:\n"
        "  floor: {shapes: [{plane: {normal: [0, 0, 1], point: [0, 0, -8 mm], size: 30 mm}}]}\n"
        "  ball: {velocity: [0, 0, 0.5 m/s], shapes: [{sphere: {radius: 5 mm}}]}\n"
        "rain: {shower: {min: [-5, -5, 10 mm], max: [5, 5, 11 mm], rate: 1 Hz, radius: 1 mm, velocity: [0, 0, -1]}}\n",
        1);
    assert_true(f.sim->world.boundary.count > 5000);
    for (uint64_t k = 0; k < 200; k++) assert_walls_found(f.sim, k);
    assert_int_equal(bl_sim_advance(f.sim, 0.01), BL_OK);
    bl_wall_map_update(&f.sim->world, &f.sim->sources.walls);
    for (uint64_t k = 0; k < 200; k++) assert_walls_found(f.sim, k);
    close_sim(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_continue_the_lattice),
        cmocka_unit_test(test_rate_is_volume_per_time),
        cmocka_unit_test(test_surfaces_emit_along_normals),
        cmocka_unit_test(test_openings_in_the_plane),
        cmocka_unit_test(test_jet_of_water),
        cmocka_unit_test(test_standing_and_stopping),
        cmocka_unit_test(test_nozzle_in_a_full_cup),
        cmocka_unit_test(test_nozzle_in_a_pipe_pumps),
        cmocka_unit_test(test_nozzles_near_plates),
        cmocka_unit_test(test_what_leaves_is_counted),
        cmocka_unit_test(test_rain),
        cmocka_unit_test(test_terminal_speed),
        cmocka_unit_test(test_bitmap),
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_walls_are_found_by_their_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
