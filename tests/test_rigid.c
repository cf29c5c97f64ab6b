/* also: double */
/* Rigid bodies without liquid, against mechanics: masses, free motion, hinges, contact, and what they refuse. */
#include "rigid_helpers.h"

/* --- masses --- */

static bl_rigid_mass mass_of(int dimension, const char *rigid, const char *shapes) {
    char boundary[1000];
    snprintf(boundary, sizeof boundary, "body: {rigid: {%s}, shapes: [%s]}", rigid, shapes);
    fixture f;
    open_bodies(&f, dimension, dimension == 3 ? "[0, 0, 0]" : "[0, 0]", "1 ms", boundary);
    bl_rigid_mass mass = *bl_rigid_mass_at(f.sim->rigid, 0);
    close_sim(&f);
    return mass;
}

static void check_mass(const bl_rigid_mass *m, double mass, bl_vec3d center, const double inertia[6]) {
    double size = sqrt(fmax(inertia[0], fmax(inertia[1], inertia[2])) / mass);
    assert_near(m->mass / mass, 1, 1e-3);
    assert_near(m->center.x, center.x, 1e-4 * size);
    assert_near(m->center.y, center.y, 1e-4 * size);
    assert_near(m->center.z, center.z, 1e-4 * size);
    for (int k = 0; k < 6; k++) assert_near(m->inertia[k], inertia[k], 2e-3 * mass * size * size);
}

static void test_masses(void **state) {
    (void)state;
    const double r = 5e-3, rho = 700, ball = rho * 4 / 3 * PI * r * r * r, i = 0.4 * ball * r * r;
    bl_rigid_mass m = mass_of(3, "density: 700", "{sphere: {center: [1, 2, 3 mm], radius: 5 mm}}");
    check_mass(&m, ball, bl_v3d_make(1e-3, 2e-3, 3e-3), (double[]){i, i, i, 0, 0, 0});
    m = mass_of(3, "mass: 2 g", "{sphere: {radius: 5 mm}}");
    check_mass(&m, 2e-3, bl_v3d_zero(), (double[]){i * 2e-3 / ball, i * 2e-3 / ball, i * 2e-3 / ball, 0, 0, 0});

    const double a = 4e-3, b = 6e-3, c = 10e-3, box = 1000 * a * b * c, s = box / 12;
    m = mass_of(3, "density: 1000", "{box: {min: [-2, -3, -5 mm], max: [2, 3, 5 mm]}}");
    check_mass(&m, box, bl_v3d_zero(),
               (double[]){s * (b * b + c * c), s * (a * a + c * c), s * (a * a + b * b), 0, 0, 0});
    /* turned by 30 degrees about z: I_xy = -(s_xx - s_yy)/2 sin 60, with s the second moments */
    m = mass_of(3, "density: 1000", "{box: {min: [-2, -3, -5 mm], max: [2, 3, 5 mm]}, rotate: [0, 0, 30 deg]}");
    double xx = s * (0.75 * a * a + 0.25 * b * b), yy = s * (0.25 * a * a + 0.75 * b * b), zz = s * c * c;
    double xy = s * (a * a - b * b) * 0.25 * sqrt(3);
    check_mass(&m, box, bl_v3d_zero(), (double[]){yy + zz, xx + zz, xx + yy, 0, 0, -xy});

    const double length = 12e-3, rod = 1000 * PI * 4e-6 * length, wide = rod * (4e-6 / 4 + length * length / 12);
    m = mass_of(3, "density: 1000", "{cylinder: {from: [0, 0, -6 mm], to: [0, 0, 6 mm], radius: 2 mm}}");
    check_mass(&m, rod, bl_v3d_zero(), (double[]){wide, wide, rod * 4e-6 / 2, 0, 0, 0});
}

/* What a difference takes away is not there; parts that overlap count once. */
static void test_masses_of_combinations(void **state) {
    (void)state;
    const double outer = 4.0 / 3 * PI * 125e-9, inner = 4.0 / 3 * PI * 27e-9;
    bl_rigid_mass m = mass_of(3, "density: 1000", "{difference: [{sphere: {radius: 5 mm}}, {sphere: {radius: 3 mm}}]}");
    double i = 400 * (outer * 25e-6 - inner * 9e-6);
    check_mass(&m, 1000 * (outer - inner), bl_v3d_zero(), (double[]){i, i, i, 0, 0, 0});
    m = mass_of(3, "density: 1000",
                "{box: {min: [0, 0, 0 mm], max: [4, 4, 4 mm]}}, {box: {min: [2, 0, 0 mm], max: [8, 4, 4 mm]}}");
    const double mass = 1000 * 128e-9, along = mass / 12 * (64e-6 + 16e-6), across = mass / 12 * 32e-6;
    check_mass(&m, mass, bl_v3d_make(4e-3, 2e-3, 2e-3), (double[]){across, along, along, 0, 0, 0});
}

static void test_masses_in_the_plane(void **state) {
    (void)state;
    bl_rigid_mass m = mass_of(2, "density: 500", "{sphere: {center: [1, 2 mm], radius: 3 mm}}");
    double disc = 500 * PI * 9e-6;
    assert_near(m.mass / disc, 1, 1e-4);
    assert_near(m.inertia[2] / (0.5 * disc * 9e-6), 1, 1e-3);
    m = mass_of(2, "density: 500", "{box: {min: [0, 0 mm], max: [6, 4 mm]}}");
    assert_near(m.mass / (500 * 24e-6), 1, 1e-4);
    assert_near(m.center.x, 3e-3, 1e-7);
    assert_near(m.inertia[2] / (500 * 24e-6 * (36e-6 + 16e-6) / 12), 1, 1e-3);
}

/* --- free motion --- */

static void test_free_fall(void **state) {
    (void)state;
    const double dt = 1e-3;
    fixture f;
    open_bodies(&f, 3, "[0, 0, -10]", "1 ms",
                "ball: {rigid: {density: 700}, velocity: [0.5, 0, 0], shapes: [{sphere: {radius: 3 mm}}]}");
    go_on(&f, 0.1);
    const bl_rigid_state *s = state_of(&f, 0);
    bl_vec3d x = center_of(&f, 0);
    assert_near(s->v.z, -1, 1e-12);
    assert_near(x.z, -0.05 - 10 * 0.1 * dt / 2, 1e-12); /* semi-implicit: g t (t + dt)/2 */
    assert_near(x.x, 0.05, 1e-12);
    /* particles are where the body is */
    const bl_boundary_store *b = &f.sim->world.boundary;
    for (size_t i = 0; i < b->count; i++) {
        bl_vec3d rest = f.sim->rest.x[b->id[i]], at = bl_v3d_from(b->x[i]);
        assert_near(bl_v3d_norm(bl_v3d_sub(at, bl_v3d_add(rest, x))), 0, 1e-7);
        assert_near((double)b->v[i].z, -1, 1e-6);
    }
    close_sim(&f);
}

/* A box that turns about its middle axis turns over, again and again; momentum stays to rounding, the energy within a
 * bound that falls with the square of the step. */
static double tumble(double dt, bool *turned_over) {
    char step[32];
    snprintf(step, sizeof step, "%g s", dt);
    fixture f;
    open_bodies(&f, 3, "[0, 0, 0]", step,
                "box: {rigid: {density: 1000}, angular_velocity: [0.01, 10, 0.02],"
                " shapes: [{box: {min: [-2, -3, -5 mm], max: [2, 3, 5 mm]}}]}");
    bl_vec3d before = spin_of(&f, 0);
    double energy = bl_v3d_dot(before, state_of(&f, 0)->w), drift = 0;
    *turned_over = false;
    for (int k = 1; k <= 300; k++) {
        go_on(&f, 0.02 * k);
        bl_vec3d spin = spin_of(&f, 0);
        assert_near(bl_v3d_norm(bl_v3d_sub(spin, before)) / bl_v3d_norm(before), 0, 1e-11);
        drift = fmax(drift, fabs(bl_v3d_dot(spin, state_of(&f, 0)->w) / energy - 1));
        *turned_over |= bl_pose_direction_back(&state_of(&f, 0)->pose, state_of(&f, 0)->w).y < -9;
    }
    close_sim(&f);
    return drift;
}

static void test_middle_axis(void **state) {
    (void)state;
    bool coarse_turned, fine_turned;
    double coarse = tumble(4e-3, &coarse_turned), fine = tumble(2e-3, &fine_turned);
    assert_true(coarse_turned && fine_turned);
    assert_true(coarse < 1e-3);
    assert_near(coarse / fine, 4, 1);
}

/* The axis of a free top goes around its angular momentum L at |L|/I_across. */
static void test_top_precesses(void **state) {
    (void)state;
    fixture f;
    open_bodies(&f, 3, "[0, 0, 0]", "0.5 ms",
                "top: {rigid: {density: 1000}, angular_velocity: [2, 0, 20],"
                " shapes: [{cylinder: {from: [0, 0, -1 mm], to: [0, 0, 1 mm], radius: 5 mm}}]}");
    const double *inertia = bl_rigid_mass_at(f.sim->rigid, 0)->inertia;
    bl_vec3d spin = spin_of(&f, 0);
    double rate = bl_v3d_norm(spin) / inertia[0], period = 2 * PI / rate;
    bl_vec3d start = bl_pose_direction(&state_of(&f, 0)->pose, bl_v3d_make(0, 0, 1));
    go_on(&f, period / 2);
    bl_vec3d half = bl_pose_direction(&state_of(&f, 0)->pose, bl_v3d_make(0, 0, 1));
    go_on(&f, period);
    bl_vec3d whole = bl_pose_direction(&state_of(&f, 0)->pose, bl_v3d_make(0, 0, 1));
    double swing = bl_v3d_norm(bl_v3d_sub(half, start));
    assert_true(swing > 0.05);
    assert_near(bl_v3d_norm(bl_v3d_sub(whole, start)) / swing, 0, 0.01);
    close_sim(&f);
}

/* --- what holds a body --- */

/* T = 2 pi sqrt(I/(m g d)) of a rod that hangs by its end; the end stays where it is. */
static void check_pendulum(int dimension, const char *gravity, const char *rigid, const char *shape) {
    char boundary[500];
    snprintf(boundary, sizeof boundary,
             "rod: {rigid: {density: 1000, hinged: true%s}, pivot: [1 mm, 20 mm%s], angular_velocity: %s, "
             "shapes: [%s]}",
             rigid, dimension == 3 ? ", 0" : "", dimension == 3 ? "[0, 0, 0.5]" : "[0, 0, 0.5]", shape);
    fixture f;
    open_bodies(&f, dimension, gravity, "1 ms", boundary);
    const bl_rigid_body *b = &f.sim->rigid->bodies[0];
    bl_vec3d arm = bl_v3d_sub(b->mass.center, b->pivot);
    double about = b->inertia.m[2][2];
    assert_near(about, b->mass.inertia[2] + b->mass.mass * bl_v3d_norm2(arm), 1e-12);
    double period = 2 * PI * sqrt(about / (b->mass.mass * 10 * bl_v3d_norm(arm)));
    double last = 0, crossed = 0;
    int crossings = 0;
    for (int k = 1; crossings < 4; k++) {
        go_on(&f, 1e-3 * k);
        double angle = center_of(&f, 0).x - 1e-3;
        if (k > 1 && (angle > 0) != (last > 0)) crossings++, crossed = 1e-3 * (k - 1 + last / (last - angle));
        last = angle;
        assert_near(bl_v3d_norm(bl_v3d_sub(bl_pose_point(&b->now.pose, b->pivot), b->pivot)), 0, 1e-12);
    }
    assert_near(crossed / (2 * period), 1, 0.01);
    close_sim(&f);
}

static void test_pendulum(void **state) {
    (void)state;
    check_pendulum(2, "[0, -10]", "", "{box: {min: [0, 0 mm], max: [2, 20 mm]}}");
    check_pendulum(3, "[0, -10, 0]", ", axis: [0, 0, 1]", "{box: {min: [0, 0, -1 mm], max: [2, 20, 1 mm]}}");
    check_pendulum(3, "[0, -10, 0]", "", "{box: {min: [0, 0, -1 mm], max: [2, 20, 1 mm]}}");
}

static void test_locked_directions(void **state) {
    (void)state;
    fixture f;
    open_bodies(&f, 3, "[3, 2, -10]", "1 ms",
                "one: {rigid: {density: 700, locked: [x, z], turns: false}, velocity: [1, 0, 1], angular_velocity: "
                "[1, 1, 1], shapes: [{sphere: {radius: 3 mm}}]}, "
                "two: {rigid: {density: 700, axis: [0, 1, 1]}, angular_velocity: [5, 1, 0], "
                "shapes: [{box: {min: [40, 0, 0 mm], max: [44, 6, 10 mm]}}]}");
    go_on(&f, 0.1);
    assert_near(state_of(&f, 0)->v.x, 0, 0);
    assert_near(state_of(&f, 0)->v.y, 0.2, 1e-12);
    assert_near(state_of(&f, 0)->v.z, 0, 0);
    assert_near(bl_v3d_norm(state_of(&f, 0)->w), 0, 0);
    assert_near(state_of(&f, 1)->w.x, 0, 1e-12);
    assert_near(state_of(&f, 1)->w.y, 0.5, 1e-12);
    assert_near(state_of(&f, 1)->w.z, 0.5, 1e-12);
    close_sim(&f);
}

/* --- contact --- */

/* A block on a slope: gravity leans by `angle`. Returns its acceleration along the floor over that of gravity. */
static double slide(int dimension, double angle, double mu) {
    char gravity[80], boundary[500];
    snprintf(gravity, sizeof gravity, dimension == 3 ? "[%.12g, 0, %.12g]" : "[%.12g, %.12g]", 10 * sin(angle),
             -10 * cos(angle));
    snprintf(boundary, sizeof boundary,
             dimension == 3 ? "block: {rigid: {density: 700, friction: %g}, shapes: [{box: {min: [0, 0, 0 mm], max: "
                              "[8, 6, 4 mm]}}]}, floor: {shapes: [{plane: {normal: [0, 0, 1]}}]}"
                            : "block: {rigid: {density: 700, friction: %g}, shapes: [{box: {min: [0, 0 mm], max: [8, 4 "
                              "mm]}}]}, floor: {shapes: [{plane: {normal: [0, 1]}}]}",
             mu);
    fixture f;
    open_bodies(&f, dimension, gravity, "1 ms", boundary);
    go_on(&f, 0.1);
    double v = state_of(&f, 0)->v.x, height = dimension == 3 ? center_of(&f, 0).z : center_of(&f, 0).y;
    assert_near(height, 2e-3, 1e-6);
    assert_near(bl_v3d_norm(state_of(&f, 0)->w), 0, 1e-6);
    close_sim(&f);
    return v / (0.1 * 10);
}

/* Coulomb: it sticks until tan(angle) = mu, then slides with g (sin - mu cos). */
static void test_block_on_slope(void **state) {
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        assert_near(slide(dimension, 0.28, 0.3), 0, 1e-6); /* atan(0.3) = 0.2915 */
        assert_near(slide(dimension, 0.40, 0.3), sin(0.4) - 0.3 * cos(0.4), 1e-4);
        assert_near(slide(dimension, 0.40, 0), sin(0.4), 1e-4);
    }
}

/* A ball that rolls: a = g sin/(1 + I/(m r^2)), 5/7 of g sin for a ball, 2/3 for a disc; no point of it slides. */
static void check_rolling(int dimension, double expected) {
    fixture f;
    open_bodies(&f, dimension, dimension == 3 ? "[2, 0, -10]" : "[2, -10]", "1 ms",
                dimension == 3
                    ? "ball: {rigid: {density: 700, friction: 0.5}, shapes: [{sphere: {center: [0, 0, 4 mm], "
                      "radius: 4 mm}}]}, floor: {shapes: [{plane: {normal: [0, 0, 1]}}]}"
                    : "ball: {rigid: {density: 700, friction: 0.5}, shapes: [{sphere: {center: [0, 4 mm], "
                      "radius: 4 mm}}]}, floor: {shapes: [{plane: {normal: [0, 1]}}]}");
    go_on(&f, 0.1);
    const bl_rigid_state *s = state_of(&f, 0);
    double turn = dimension == 3 ? s->w.y : -s->w.z;
    assert_near(s->v.x / 0.2, expected, 2e-3);
    assert_near(s->v.x / (turn * 4e-3), 1, 1e-3);
    close_sim(&f);
}

static void test_ball_rolls(void **state) {
    (void)state;
    check_rolling(3, 5.0 / 7);
    check_rolling(2, 2.0 / 3);
}

/* Boxes that fall on the floor and on each other, and on an edge, come to rest there. */
static void test_bodies_come_to_rest(void **state) {
    (void)state;
    fixture f;
    open_bodies(&f, 3, "[0, 0, -10]", "1 ms",
                "low: {rigid: {density: 700}, shapes: [{box: {min: [0, 0, 3 mm], max: [8, 8, 7 mm]}}]}, "
                "high: {rigid: {density: 1400}, shapes: [{box: {min: [1, 1, 12 mm], max: [7, 7, 15 mm]}}]}, "
                "tilted: {rigid: {density: 700}, shapes: [{box: {min: [-3, -3, -3 mm], max: [3, 3, 3 mm]}, "
                "rotate: [0.3, 0.2, 0.1], translate: [30, 0, 9 mm]}]}, "
                "floor: {shapes: [{plane: {normal: [0, 0, 1]}}]}");
    go_on(&f, 1);
    for (int k = 0; k < 3; k++) {
        assert_true(bl_v3d_norm(state_of(&f, k)->v) < 1e-4);
        assert_true(bl_v3d_norm(state_of(&f, k)->w) < 1e-2);
    }
    assert_near(center_of(&f, 0).z, 2e-3, 2e-5);
    assert_near(center_of(&f, 1).z, 5.5e-3, 4e-5);
    assert_near(center_of(&f, 2).z, 3e-3, 2e-5);
    close_sim(&f);
}

/* A ball hits another: they go on together along the line of centres, and no momentum is lost, nor any angular. */
static void check_collision(int dimension) {
    fixture f;
    open_bodies(&f, dimension, dimension == 3 ? "[0, 0, 0]" : "[0, 0]", "1 ms",
                dimension == 3
                    ? "one: {rigid: {density: 700}, velocity: [0.3, 0, 0], shapes: [{sphere: {radius: 4 mm}}]}, "
                      "two: {rigid: {density: 2000}, shapes: [{box: {min: [10, 1, -2 mm], max: [14, 9, 2 mm]}}]}"
                    : "one: {rigid: {density: 700}, velocity: [0.3, 0], shapes: [{sphere: {radius: 4 mm}}]}, "
                      "two: {rigid: {density: 2000}, shapes: [{box: {min: [10, 1 mm], max: [14, 9 mm]}}]}");
    double m[2] = {bl_rigid_mass_at(f.sim->rigid, 0)->mass, bl_rigid_mass_at(f.sim->rigid, 1)->mass};
    go_on(&f, 0.1);
    bl_vec3d p = bl_v3d_zero(), l = bl_v3d_zero();
    for (int k = 0; k < 2; k++) {
        bl_vec3d own = bl_v3d_scale(m[k], state_of(&f, k)->v);
        p = bl_v3d_add(p, own);
        l = bl_v3d_add(l, bl_v3d_add(spin_of(&f, k), bl_v3d_cross(center_of(&f, k), own)));
    }
    assert_near(bl_v3d_norm(bl_v3d_sub(p, bl_v3d_make(0.3 * m[0], 0, 0))) / (0.3 * m[0]), 0, 1e-12);
    /* impulses act at one point; bodies then move on by the step: a dt error of the moment */
    assert_near(bl_v3d_norm(l) / (0.3 * m[0] * 8e-3), 0, 0.02);
    assert_true(state_of(&f, 1)->v.x > 0.01);
    assert_true(fabs(state_of(&f, 1)->w.z) > 1); /* hit off its centre */
    close_sim(&f);
}

static void test_collision(void **state) {
    (void)state;
    check_collision(2);
    check_collision(3);
}

/* A floor that rises lifts what lies on it; one that moves sideways takes it along. */
static void test_moving_wall_carries(void **state) {
    (void)state;
    fixture f;
    open_bodies(
        &f, 3, "[0, 0, -10]", "1 ms",
        "block: {rigid: {density: 700, friction: 0.5}, shapes: [{box: {min: [0, 0, 0 mm], max: [6, 6, 4 mm]}}]}, "
        "floor: {velocity: [0.02, 0, 0.05], shapes: [{plane: {normal: [0, 0, 1]}}]}");
    go_on(&f, 0.2);
    assert_near(state_of(&f, 0)->v.x, 0.02, 1e-4);
    assert_near(state_of(&f, 0)->v.z, 0.05, 1e-4);
    assert_near(center_of(&f, 0).z, 2e-3 + 0.01, 2e-5);
    close_sim(&f);
}

/* Walls that are solids, hollow ones, and others than planes: a ball comes to rest at the bottom of a bowl. */
static void test_ball_in_bowl(void **state) {
    (void)state;
    fixture f;
    open_bodies(&f, 3, "[0, 0, -10]", "1 ms",
                "ball: {rigid: {density: 700, friction: 0}, shapes: [{sphere: {center: [6, 0, 0 mm], radius: 4 mm}}]}, "
                "bowl: {shapes: [{difference: [{box: {min: [-20, -20, -20 mm], max: [20, 20, 0 mm]}}, "
                "{sphere: {radius: 16 mm}}]}]}");
    double lowest = 0, deepest = 0;
    for (int k = 1; k <= 100; k++) {
        go_on(&f, 0.01 * k);
        bl_vec3d x = center_of(&f, 0);
        lowest = fmin(lowest, x.z);
        deepest = fmax(deepest, bl_v3d_norm(x));
    }
    assert_near(lowest, -12e-3, 1e-4);
    assert_true(deepest < 12e-3 + 5e-5);
    close_sim(&f);
}

/* The opening of a cup is open, though the distance of a difference there is that from a lid. */
static void test_ball_falls_into_cup(void **state) {
    (void)state;
    fixture f;
    open_bodies(&f, 3, "[0, 0, -10]", "1 ms",
                "ball: {rigid: {density: 700}, shapes: [{sphere: {center: [-4, 9, 30 mm], radius: 4 mm}}]}, "
                "box: {rigid: {density: 700}, shapes: [{box: {min: [4, -12, 26 mm], max: [10, -6, 31 mm]}}]}, "
                "cup: {shapes: [{difference: [{cylinder: {from: [0, 0, -4 mm], to: [0, 0, 24 mm], radius: 28 mm}}, "
                "{cylinder: {from: [0, 0, 0 mm], to: [0, 0, 25 mm], radius: 24 mm}}]}]}");
    go_on(&f, 0.5);
    assert_near(center_of(&f, 0).z, 4e-3, 2e-5);
    assert_near(center_of(&f, 1).z, 2.5e-3, 2e-5);
    close_sim(&f);
}

/* --- what they refuse --- */

static void refuse(const char *boundary, const char *message) {
    char text[1500];
    snprintf(text, sizeof text,
             "dimension: 2\nspacing: 1 mm\ntime: {end: 1 s}\n"
             "fluids: {water: {density: 1000, surface_tension: 0, volumes: [{sphere: {radius: 3 mm}}]}}\n"
             "boundaries: {body: {%s}}\n",
             boundary);
    assert_refused(text, message);
}

static void test_mistakes(void **state) {
    (void)state;
    const char *const box = "shapes: [{box: {min: [10, 0 mm], max: [14, 4 mm]}}]";
    struct {
        const char *keys, *message;
    } wrong[] = {
        {"rigid: {}", "rigid needs a density such as '700 kg/m^3' or a mass"},
        {"rigid: {density: 700, mass: 1 g}", "density and mass found; expected one of them"},
        {"rigid: {density: 700}, elastic: {density: 1000, youngs_modulus: 10 kPa}", "rigid beside elastic"},
        {"rigid: {density: 700}, swing: [0, 1 mm], frequency: 3 Hz", "expected no prescribed motion"},
        {"rigid: {density: 700}, shift: {keyframes: [[0 s, [0, 0]], [1 s, [0, 1 mm]]]}",
         "a rigid body moves by forces"},
        {"rigid: {density: 700}, velocity: {keyframes: [[0 s, [0, 0]], [1 s, [0, 1]]]}",
         "keyframes found, expected a single vector"},
        {"rigid: {density: 700, turns: false, locked: [x, y]}", "can neither move nor turn"},
        {"rigid: {density: 700, hinged: true, locked: [x]}", "`locked` beside `hinged`"},
        {"rigid: {density: 700, axis: [1, 0, 0]}", "in 2D a body turns about z"},
        {"rigid: {density: 700, hinged: true}, velocity: [0, 1]", "a hinged body turns about its pivot"},
        {"rigid: {densty: 700}", "density"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char boundary[700];
        snprintf(boundary, sizeof boundary, "%s, %s", wrong[k].keys, box);
        refuse(boundary, wrong[k].message);
    }
    refuse("rigid: {density: 700}, shapes: [{plane: {normal: [0, 1]}}]", "a rigid body has a volume");
    refuse("rigid: {density: 700}, shapes: [{half_space: {normal: [0, 1], point: [0, -9 mm]}}]",
           "a rigid body has a volume");
}

/* Schemes that do not tell their forces on walls would leave bodies to fall through the liquid. */
static void test_schemes_without_forces(void **state) {
    (void)state;
    static const char *const names[] = {"akinci2013", "yang2016", "pbst2022", "hyde2020"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char text[600], message[80];
        snprintf(text, sizeof text,
                 "dimension: 2\nspacing: 1 mm\ntime: {end: 1 s}\nscheme: {name: %s}\n"
                 "fluids: {water: {density: 1000, surface_tension: 0.07, volumes: [{sphere: {radius: 3 mm}}]}}\n"
                 "boundaries: {body: {rigid: {density: 700}, shapes: [{box: {min: [10, 0 mm], max: [14, 4 mm]}}]}}\n",
                 names[k]);
        snprintf(message, sizeof message, "found the scheme %s, expected unified", names[k]);
        assert_refused(text, message);
    }
}

/* A body that is thrown too fast for a step of that length is told, and the caller can take a shorter one. */
static void test_too_fast_diverges(void **state) {
    (void)state;
    fixture f;
    open_bodies(&f, 2, "[0, 0]", "1 ms",
                "ball: {rigid: {density: 700}, velocity: [1, 0], shapes: [{sphere: {radius: 4 mm}}]}");
    bl_rigid *r = f.sim->rigid;
    bl_failure failure = {0};
    bool again;
    r->bodies[0].now.v.x = (double)NAN;
    assert_int_equal(bl_rigid_begin(&f.sim->world, r, 1e-3), BL_OK);
    assert_int_equal(bl_rigid_correct(&f.sim->world, r, 1e-3, &again, &failure), BL_ERR_DIVERGED);
    assert_string_equal(failure.term, "rigid body");
    assert_non_null(strstr(failure.text, "rigid body `ball` is not a number"));
    close_sim(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_masses_of_combinations),
        cmocka_unit_test(test_masses_in_the_plane),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_middle_axis),
        cmocka_unit_test(test_top_precesses),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_locked_directions),
        cmocka_unit_test(test_block_on_slope),
        cmocka_unit_test(test_ball_rolls),
        cmocka_unit_test(test_bodies_come_to_rest),
        cmocka_unit_test(test_collision),
        cmocka_unit_test(test_moving_wall_carries),
        cmocka_unit_test(test_ball_in_bowl),
        cmocka_unit_test(test_ball_falls_into_cup),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_schemes_without_forces),
        cmocka_unit_test(test_too_fast_diverges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
