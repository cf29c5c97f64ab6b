/* Kinematic bodies: poses against analytic motion and a fine integration; walls and fluids in a world. */
#include "rigid/motion.h"
#include "run/plan.h"
#include "sim_helpers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ASSERT_VEC(v, X, Y, Z, tolerance)                                                                              \
    do {                                                                                                               \
        assert_near((v).x, X, tolerance);                                                                              \
        assert_near((v).y, Y, tolerance);                                                                              \
        assert_near((v).z, Z, tolerance);                                                                              \
    } while (0)

static void test_shift_is_the_integral(void **state) {
    (void)state;
    double times[] = {1, 2, 4}, values[] = {1, 0, 0, 3, 2, 0, 3, -2, 0};
    bl_boundary body = {.velocity = {3, 3, times, values}};
    assert_true(bl_body_moves(&body));
    bl_pose pose = bl_body_pose(&body, 0.5); /* before the first keyframe: constant */
    ASSERT_VEC(pose.shift, 0.5, 0, 0, 1e-12);
    pose = bl_body_pose(&body, 2); /* 1 + (1 + 3)/2, (0 + 2)/2 */
    ASSERT_VEC(pose.shift, 3, 1, 0, 1e-12);
    pose = bl_body_pose(&body, 3); /* y goes on 2 -> 0 within a second: + 1 */
    ASSERT_VEC(pose.shift, 6, 2, 0, 1e-12);
    pose = bl_body_pose(&body, 6); /* the last value stays */
    ASSERT_VEC(pose.shift, 3 + 6 + 6, 1 + 0 - 4, 0, 1e-12);
    bl_boundary still = {0};
    assert_false(bl_body_moves(&still));
}

static void test_constant_turn(void **state) {
    (void)state;
    double times[] = {0}, values[] = {0, 0, 2};
    bl_boundary body = {.angular_velocity = {1, 3, times, values}, .pivot = {1, 0, 0}};
    bl_pose pose = bl_body_pose(&body, 100);
    bl_vec3d x = bl_pose_point(&pose, bl_v3d_make(2, 0, 5));
    ASSERT_VEC(x, 1 + cos(200.0), sin(200.0), 5, 1e-10);
    bl_vec3d n = bl_pose_direction(&pose, bl_v3d_make(0, 1, 0));
    ASSERT_VEC(n, -sin(200.0), cos(200.0), 0, 1e-10);
}

/* An axis that changes its direction: compared with a plain integration of dx/dt = omega x x in tiny steps. */
static void test_turning_axis(void **state) {
    (void)state;
    double times[] = {0, 1}, values[] = {3, 0, 0, 0, 2, 1};
    bl_boundary body = {.angular_velocity = {2, 3, times, values}};
    const int steps = 200000;
    const double end = 1.5, dt = end / steps;
    bl_vec3d x = bl_v3d_make(0.3, -0.5, 0.8);
    bl_vec3d start = x;
    for (int k = 0; k < steps; k++) { /* midpoint rule */
        bl_vec3d w0 = bl_curve_at3(&body.angular_velocity, k * dt);
        bl_vec3d w1 = bl_curve_at3(&body.angular_velocity, (k + 0.5) * dt);
        bl_vec3d middle = bl_v3d_mad(x, dt / 2, bl_v3d_cross(w0, x));
        x = bl_v3d_mad(x, dt, bl_v3d_cross(w1, middle));
    }
    bl_pose pose = bl_body_pose(&body, end);
    bl_vec3d got = bl_pose_point(&pose, start);
    ASSERT_VEC(got, x.x, x.y, x.z, 1e-8);
    assert_near(bl_v3d_norm(got), bl_v3d_norm(start), 1e-13);
}

static const char drum[] = "spacing: 1 mm\n"
                           "gravity: [0, 0, 0]\n"
                           "scheme: {name: ballistic}\n"
                           "fluids:\n"
                           "  water:\n"
                           "    density: 1000\n"
                           "    surface_tension: 0.07\n"
                           "    volumes:\n"
                           "      - sphere: {center: [0, 0, 20 mm], radius: 4 mm}\n"
                           "        velocity: [0, 0, 1 m/s]\n"
                           "        angular_velocity: [0, 0, 10]\n"
                           "boundaries:\n"
                           "  wall:\n"
                           "    shapes: [{box: {min: [-5 mm, -5 mm, -5 mm], max: [5 mm, 5 mm, 0]}}]\n"
                           "    velocity: [0.5 m/s, 0, 0]\n"
                           "    angular_velocity: [0, 0, 20]\n"
                           "    pivot: [1 mm, 0, 0]\n"
                           "  floor:\n"
                           "    shapes: [{box: {min: [-9 mm, -9 mm, -20 mm], max: [9 mm, 9 mm, -10 mm]}}]\n"
                           "time: {end: 0.1 s, max_step: 1 ms, frames_per_second: 100}\n";

static void test_walls_follow_their_bodies(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, drum, 2);
    const bl_boundary_store *boundary = &f.sim->world.boundary;
    const double t = 0.05;
    assert_true(f.sim->bodies_move);
    assert_int_equal(bl_sim_advance(f.sim, t), BL_OK);
    assert_true(f.sim->world.boundary_moved);
    double c = cos(20 * t), s = sin(20 * t);
    size_t moved = 0;
    for (size_t i = 0; i < boundary->count; i++) {
        bl_vec3d rest = f.sim->rest.x[boundary->id[i]];
        if (boundary->body[i] == 1) {
            ASSERT_VEC(boundary->x[i], rest.x, rest.y, rest.z, 1e-9);
            ASSERT_VEC(boundary->v[i], 0, 0, 0, 0);
            continue;
        }
        moved++;
        bl_vec3d arm = bl_v3d_make(c * (rest.x - 1e-3) - s * rest.y, s * (rest.x - 1e-3) + c * rest.y, 0);
        ASSERT_VEC(boundary->x[i], 1e-3 + 0.5 * t + arm.x, arm.y, rest.z, 2e-8);
        /* The mean velocity of the last step is that of its middle, up to its length squared. */
        double back = 20 * bl_sim_value(f.sim, "dt") / 2;
        bl_vec3d old = bl_v3d_make(cos(back) * arm.x + sin(back) * arm.y, cos(back) * arm.y - sin(back) * arm.x, 0);
        ASSERT_VEC(boundary->v[i], 0.5 - 20 * old.y, 20 * old.x, 0, 1e-4);
    }
    assert_true(moved > 50);
    close_sim(&f);
}

static void test_volumes_spin_about_their_centre(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, drum, 1);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    bl_vec3d center = bl_v3d_zero();
    for (size_t i = 0; i < fluid->count; i++)
        center = bl_v3d_mad(center, 1 / (double)fluid->count, bl_v3d_from(fluid->x[i]));
    for (size_t i = 0; i < fluid->count; i++) {
        bl_vec3d arm = bl_v3d_sub(bl_v3d_from(fluid->x[i]), center);
        ASSERT_VEC(fluid->v[i], -10 * arm.y, 10 * arm.x, 1, 1e-6);
    }
    close_sim(&f);
}

/* Keyframes of place and direction, and an oscillation, all against time 0. */
static void test_keyframed_poses(void **state) {
    (void)state;
    double times[] = {0, 2}, shift[] = {1, 0, 0, 1, 4, 0}, turn[] = {0, 0, 1, 0, 0, 2};
    bl_boundary body = {.shift = {2, 3, times, shift}, .turn = {2, 3, times, turn}, .pivot = {1, 0, 0}};
    body.swing = bl_v3d_make(0, 0, 0.5), body.frequency = 3, body.phase = 0.4;
    assert_true(bl_body_moves(&body));
    bl_pose pose = bl_body_pose(&body, 0);
    bl_vec3d x = bl_pose_point(&pose, bl_v3d_make(3, 1, 2));
    ASSERT_VEC(x, 3, 1, 2, 1e-14);
    pose = bl_body_pose(&body, 1); /* y + 2, turned by 0.5 */
    x = bl_pose_point(&pose, bl_v3d_make(3, 0, 2));
    double wave = 0.5 * (sin(6 * acos(-1.0) + 0.4) - sin(0.4));
    ASSERT_VEC(x, 1 + 2 * cos(0.5), 2 + 2 * sin(0.5), 2 + wave, 1e-12);
    /* 2 m/s, 0.5 rad/s at an arm of 2 m, 2 pi 3 Hz 0.5 m */
    assert_near(bl_body_speed(&body, 2, 0, 1), 2 + 1 + 3 * acos(-1.0), 1e-12);
    assert_near(bl_body_speed(&body, 2, 3, 4), 3 * acos(-1.0), 1e-12);
}

static bl_status load_motion(fixture *f, const char *lines) {
    char path[] = "/tmp/motion.XXXXXX", text[1500];
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, lines, strlen(lines)) == (ssize_t)strlen(lines) && close(file) == 0);
    snprintf(text, sizeof text, "%s  plate: {motion_file: %s, shapes: [{plane: {normal: [0, 0, 1]}}]}\n", drum, path);
    char *time = strstr(text, "time:"), *plate = strstr(text, "  plate");
    assert_true(time && plate);
    /* the boundary goes to the boundaries */
    char ordered[1500];
    snprintf(ordered, sizeof ordered, "%.*s%s%.*s", (int)(time - text), text, plate, (int)(plate - time), time);
    open_context(f, 1);
    bl_status status = bl_scene_load_text(f->ctx, ordered, strlen(ordered), "test.yaml", NULL, 0, &f->scene);
    unlink(path);
    return status;
}

static void test_motion_file(void **state) {
    (void)state;
    fixture f = {0};
    assert_int_equal(load_motion(&f, "# t x y z rx ry rz\n0, 0, 0, 0, 0, 0, 0\n\n 0.5 1 2 3 0 0 1.5\n"), BL_OK);
    const bl_boundary *plate = &f.scene->boundaries[2];
    assert_int_equal(plate->shift.count, 2);
    bl_vec3d x = bl_curve_at3(&plate->shift, 0.25), r = bl_curve_at3(&plate->turn, 1);
    ASSERT_VEC(x, 0.5, 1, 1.5, 1e-15);
    ASSERT_VEC(r, 0, 0, 1.5, 0);
    close_sim(&f);
    static const char *const bad[] = {"0 1 2\n", "1 0 0 0\n0 0 0 0\n", "0 0 0 0\n1 0 0 0 0 0 0\n", "0 a 0 0\n",
                                      "# nothing\n"};
    for (int k = 0; k < 5; k++) {
        f = (fixture){0};
        assert_int_equal(load_motion(&f, bad[k]), BL_ERR_DATA);
        close_sim(&f);
    }
}

#define BASIN                                                                                                          \
    "dimension: 2\n"                                                                                                   \
    "spacing: 1 mm\n"                                                                                                  \
    "gravity: [0, -9.81]\n"                                                                                            \
    "scheme: {calibration: paper}\n"                                                                                   \
    "fluids:\n"                                                                                                        \
    "  water: {density: 1000, viscosity: 50 mPa s, volumes: [{box: {min: [0, 0], max: [20 mm, 10 mm]}}]}\n"            \
    "boundaries:\n"                                                                                                    \
    "  basin:\n"                                                                                                       \
    "    shapes:\n"                                                                                                    \
    "      - box: {min: [-12 mm, -4 mm], max: [24 mm, 0]}\n"                                                           \
    "      - box: {min: [20 mm, 0], max: [24 mm, 30 mm]}\n"                                                            \
    "  piston: {shift: {keyframes: [[0 s, [0, 0]], [0.1 s, [10 mm, 0]]]}, shapes: [{box: {min: [-4 mm, "               \
    "0], max: [0, 30 mm]}}]}\n"

/* A piston takes half of the room: the water rises to twice its height, all of it in front of the piston, also with the
 * steps of 2.5 ms that gravity alone would allow. (Walls of one layer leak here: docs/world.md.) */
static void test_piston(void **state) {
    (void)state;
    fixture f;
    open_sim(&f, BASIN "time: {end: 0.3 s}\n", 1);
    assert_int_equal(bl_sim_advance(f.sim, 0.16), BL_OK);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    assert_true(fluid->count >= 198 && fluid->count <= 200); /* less those in the corners */
    for (size_t i = 0; i < fluid->count; i++) {
        /* the first layer of the walls is half a spacing below their surface: nothing is behind it */
        assert_true((double)fluid->x[i].x > 9.5e-3 && (double)fluid->x[i].x < 20.5e-3 &&
                    (double)fluid->x[i].y > -0.5e-3);
    }
    assert_near(bl_sim_value(f.sim, "center_y"), 10e-3, 0.5e-3);
    assert_true(bl_sim_value(f.sim, "volume_error_mean") < 0.02);
    close_sim(&f);
}

/* A thin plate, one spacing thick, and walls like it hold a column of water of 50 spacings: nothing gets through. (10
 * cm at 2 mm over 5 s: docs/world.md.) */
static void test_thin_plates_hold_water(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "dimension: 2\nspacing: 2 mm\ngravity: [0, -9.81]\ntime: {end: 5 s}\n"
             "fluids: {water: {density: 998, viscosity: 1 mPa s, surface_tension: 72.8 mN/m,\n"
             "                 volumes: [{box: {min: [-8, 0 mm], max: [8, 100 mm]}}]}}\n"
             "boundaries:\n"
             "  tank: {shapes: [{box: {min: [-10, -2 mm], max: [10, 0 mm]}}, {box: {min: [-10, -2 mm], max: [-8, 140 "
             "mm]}},\n"
             "                  {box: {min: [8, -2 mm], max: [10, 140 mm]}}]}\n",
             1);
    assert_int_equal(bl_sim_advance(f.sim, 0.25), BL_OK);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    assert_int_equal(fluid->count, 8 * 50);
    for (size_t i = 0; i < fluid->count; i++)
        assert_true((double)fluid->x[i].y > 0 && fabs((double)fluid->x[i].x) < 8e-3);
    assert_near(bl_sim_value(f.sim, "center_y"), 50e-3, 5e-3); /* it still swings */
    close_sim(&f);
}

/* The same in 3D, a column of 25 spacings: such plates have points h/2 apart (44 of 900 particles were lost within 50
 * ms where they were h apart). */
static void test_thin_plates_hold_water_in_3d(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "spacing: 4 mm\ngravity: [0, 0, -9.81]\ntime: {end: 5 s}\n"
             "fluids: {water: {density: 998, viscosity: 1 mPa s, surface_tension: 72.8 mN/m,\n"
             "                 volumes: [{box: {min: [-12, -12, 0 mm], max: [12, 12, 100 mm]}}]}}\n"
             "boundaries:\n"
             "  tank:\n"
             "    shapes:\n"
             "      - box: {min: [-16, -16, -4 mm], max: [16, 16, 0 mm]}\n"
             "      - box: {min: [-16, -16, -4 mm], max: [-12, 16, 140 mm]}\n"
             "      - box: {min: [12, -16, -4 mm], max: [16, 16, 140 mm]}\n"
             "      - box: {min: [-16, -16, -4 mm], max: [16, -12, 140 mm]}\n"
             "      - box: {min: [-16, 12, -4 mm], max: [16, 16, 140 mm]}\n",
             1);
    assert_int_equal(bl_sim_advance(f.sim, 0.1), BL_OK);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    assert_int_equal(fluid->count, 6 * 6 * 25);
    for (size_t i = 0; i < fluid->count; i++)
        assert_true((double)fluid->x[i].z > -2e-3 && fabs((double)fluid->x[i].x) < 14e-3 &&
                    fabs((double)fluid->x[i].y) < 14e-3);
    close_sim(&f);
}

/* Water that hits the bottom of a dish with 2 m/s stays in it: its edge has layers all around, and their points do not
 * lie below each other. (Of 1,392 particles 51 were in the wall after 8 ms before.) */
static void test_dish_holds_impact(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "spacing: 0.5 mm\ngravity: [0, 0, -9.81]\ntime: {end: 4 ms, relax_steps: 10}\n"
             "scheme: {calibration: paper, min_iterations: 10}\n"
             "fluids:\n"
             "  water:\n"
             "    density: 998\n    viscosity: 1 mPa s\n    surface_tension: 10 mN/m\n"
             "    volumes:\n"
             "      - cylinder: {from: [0, 0, 0.5 mm], to: [0, 0, 4 mm], radius: 2.5 mm}\n"
             "      - {cylinder: {from: [0, 0, 5 mm], to: [0, 0, 13 mm], radius: 2 mm}, velocity: [0, 0, -2]}\n"
             "boundaries:\n"
             "  dish:\n"
             "    shapes:\n"
             "      - difference:\n"
             "          - cylinder: {from: [0, 0, -4 mm], to: [0, 0, 15 mm], radius: 7 mm}\n"
             "          - cylinder: {from: [0, 0, 0], to: [0, 0, 16 mm], radius: 3 mm}\n",
             1);
    assert_int_equal(bl_sim_advance(f.sim, 4e-3), BL_OK);
    const bl_fluid_store *fluid = &f.sim->world.fluid;
    assert_true(fluid->count > 1300);
    size_t inside = 0;
    for (size_t i = 0; i < fluid->count; i++) {
        double r = hypot((double)fluid->x[i].x, (double)fluid->x[i].y), z = (double)fluid->x[i].z;
        inside += z < -0.5e-3 || (r > 3.5e-3 && z < 15e-3);
    }
    assert_int_equal(inside, 0);
    close_sim(&f);
}

/* How far a drop slides down a smooth wall within 40 ms; `shape` is the wall, x < 0 and x > 0. */
static double slide(const char *shape) {
    char text[1200];
    snprintf(text, sizeof text,
             "spacing: 0.5 mm\ngravity: [6.94, 0, -6.94]\ntime: {end: 1 s}\nscheme: {tension_tolerance: 1e-4}\n"
             "fluids: {water: {density: 998, viscosity: 1 mPa s, surface_tension: 72.8 mN/m,\n"
             "         volumes: [{intersection: [{sphere: {center: [-3, 0, 0 mm], radius: 2 mm}},\n"
             "                    {half_space: {normal: [0, 0, -1]}}]}]}}\n"
             "boundaries: {slope: {friction: 0, viscosity: 0 Pa s, shapes: [%s]}}\n",
             shape);
    fixture f;
    open_sim(&f, text, 1);
    assert_int_equal(bl_sim_advance(f.sim, 0.04), BL_OK);
    double x = bl_sim_value(f.sim, "center_x");
    close_sim(&f);
    return x + 3e-3;
}

/* A drop crosses the edge between two faces of a mesh, and the seam of two boxes, as if they were not there: 5.5 mm by
 * g t^2/2. */
static void test_drop_crosses_edges(void **state) {
    (void)state;
    char path[] = "/tmp/slope.XXXXXX.obj", shape[200];
    int file = mkstemps(path, 4);
    static const char faces[] = "v -10 -6 0\nv 0 -6 0\nv 0 6 0\nv -10 6 0\nv 14 -6 0\nv 14 6 0\n"
                                "f 1 2 3\nf 1 3 4\nf 2 5 6\nf 2 6 3\n";
    assert_true(file >= 0 && write(file, faces, sizeof faces - 1) == (ssize_t)sizeof faces - 1 && close(file) == 0);
    snprintf(shape, sizeof shape, "{mesh: {file: %s}, scale: 0.001}", path);
    double free = 0.5 * 6.94 * 0.04 * 0.04, mesh = slide(shape);
    unlink(path);
    double boxes =
        slide("{box: {min: [-10, -6, -2 mm], max: [0, 6, 0 mm]}}, {box: {min: [0, -6, -2 mm], max: [14, 6, 0 mm]}}");
    assert_true(mesh > 0.85 * free && boxes > 0.85 * free);
}

/* A wall that is faster than all liquid shortens the step; a fixed step that is too long for it is told. */
static void test_fast_walls(void **state) {
    (void)state;
    fixture f;
    open_sim(&f,
             "spacing: 1 mm\nscheme: {name: ballistic}\ntime: {end: 1 s, fixed_step: 1 ms}\n"
             "fluids: {water: {density: 1000, volumes: [{sphere: {radius: 6 mm}}]}}\n"
             "boundaries: {fan: {layers: 1, angular_velocity: [0, 0, 100], shapes: [{box: {min: [-20, -1, 10 mm], max: "
             "[20, 1, 12 "
             "mm]}}]}}\n",
             1);
    bl_warnings warnings;
    assert_int_equal(bl_find_warnings(f.sim, &warnings), BL_OK);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.items[0], "boundary \"fan\" moves up to 2.3"));
    bl_warnings_clear(&warnings);
    close_sim(&f);
    open_sim(&f, BASIN "time: {end: 0.3 s, cfl: 0.001}\n", 1);
    assert_int_equal(bl_sim_step(f.sim, 1), BL_OK);
    assert_string_equal(f.sim->limit, "wall");
    assert_near(bl_sim_value(f.sim, "dt"), 0.001 * 1e-3 / 100e-3, 1e-12);
    close_sim(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shift_is_the_integral),
        cmocka_unit_test(test_constant_turn),
        cmocka_unit_test(test_turning_axis),
        cmocka_unit_test(test_walls_follow_their_bodies),
        cmocka_unit_test(test_volumes_spin_about_their_centre),
        cmocka_unit_test(test_keyframed_poses),
        cmocka_unit_test(test_motion_file),
        cmocka_unit_test(test_piston),
        cmocka_unit_test(test_thin_plates_hold_water),
        cmocka_unit_test(test_thin_plates_hold_water_in_3d),
        cmocka_unit_test(test_dish_holds_impact),
        cmocka_unit_test(test_drop_crosses_edges),
        cmocka_unit_test(test_fast_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
