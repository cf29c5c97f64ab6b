/* Neighbours in groups of eight: the lists against their definition, and every pass that runs by groups against the
 * same pass particle by particle. */
/* also: double */
#include "fixture.h"

#include "neighbours/groups.h"
#include "neighbours/halves.h"
#include "schemes/unified/unified.h"

#include <stdlib.h>

#define H 1e-3
#define CLOSE (sizeof(real) == 4 ? 2e-5 : 1e-12)

/* --- lists --- */

enum { MANY = 4200 };
typedef struct cloud {
    bl_vec3 x[MANY];
    size_t count;
    bl_search_def def;
} cloud;

static void add(cloud *c, double x, double y, double z) {
    c->x[c->count++] = bl_v3_make((real)x, (real)y, c->def.dimension == 2 ? 0 : (real)z);
}

/* Two drops far apart in the order of a fluid that was sorted once, some lost particles, and a crowd in one place. */
static void make_cloud(cloud *c, int dimension, bool periodic, bool crowded) {
    memset(c, 0, sizeof *c);
    c->def = (bl_search_def){.dimension = dimension, .near_radius = 2 * H, .far_radius = 3 * H};
    if (periodic) {
        c->def.periodic[0] = c->def.periodic[1] = true;
        c->def.min = (bl_vec3d){-6 * H, -3.5 * H, 0};
        c->def.max = (bl_vec3d){6 * H, 3.5 * H, 0};
    }
    for (uint64_t k = 0; k < 1500; ++k) {
        double at[3];
        for (uint64_t a = 0; a < 3; ++a) at[a] = 12 * H * (bl_rng_uniform(5, k, a) - 0.5);
        at[2] = 12 * H * ((double)k / 1500 - 0.5);
        if (k >= 750) { /* compact groups: eight in a cube, and cubes side by side */
            uint64_t cube[3] = {k / 8 % 6, k / 48 % 6, k / 288 % 6};
            for (uint64_t a = 0; a < 3; ++a)
                at[a] = H * (2 * (double)cube[a] - 6 + (double)(k >> a & 1) + 0.5 * bl_rng_uniform(5, k, a));
        }
        if (k % 97 == 0) at[0] += periodic ? 3 * H : 1e3; /* lost */
        add(c, at[0], periodic ? at[1] * 0.5 : at[1], at[2]);
    }
    if (crowded)
        for (int k = 0; k < 2500; ++k) add(c, 1e-6 * H * k, 0.3 * H, 0.2 * H);
    c->x[700] = bl_v3_make((real)NAN, 0, 0);
    c->x[804].y = (real)INFINITY;
}

/* What j is to half `half` of group b: near, far or nothing. */
static int kind_of(const cloud *c, size_t b, size_t half, size_t j) {
    real near = (real)c->def.near_radius, far = (real)c->def.far_radius;
    size_t first = b * BL_GROUP + half * (BL_GROUP / 2);
    int kind = 0;
    for (size_t i = first; i < first + BL_GROUP / 2 && i < c->count; ++i) {
        bl_vec3 d = bl_difference(c->x[i], c->x[j], bl_search_period(&c->def));
        real r2 = bl_v3_norm2(d);
        if (r2 < near * near) return 2;
        if (r2 < far * far) kind = 1;
    }
    return kind;
}

/* Whom each half meets: numbers for both, then pairs. */
static const bl_index *count_meetings(const bl_index *list, bl_index count, bl_index pairs, uint8_t times[2][MANY]) {
    for (bl_index k = 0; k < count - 2 * pairs; ++k) times[0][list[k]]++, times[1][list[k]]++;
    for (bl_index k = count - 2 * pairs; k < count; ++k) times[(k - count) & 1][list[k]]++;
    return list + count;
}

/* Pairs of the group. */
static bl_index check_group(const cloud *c, bl_list groups, size_t b) {
    const bl_index *row = groups.index + groups.start[b];
    uint8_t near[2][MANY] = {{0}, {0}}, far[2][MANY] = {{0}, {0}};
    const bl_index *rest = count_meetings(row + BL_GROUP_HEAD, groups.near[b], row[BL_GROUP_NEAR_PAIRS], near);
    count_meetings(rest, groups.all[b] - groups.near[b], row[BL_GROUP_FAR_PAIRS], far);
    if (row[BL_GROUP_NEAR_PAIRS] + row[BL_GROUP_FAR_PAIRS] > 0) { /* whole strides for both halves */
        assert_int_equal((groups.near[b] - 2 * row[BL_GROUP_NEAR_PAIRS]) % BL_HALVES_STEPS, 0);
        assert_int_equal((groups.all[b] - groups.near[b] - 2 * row[BL_GROUP_FAR_PAIRS]) % BL_HALVES_STEPS, 0);
    }
    for (size_t half = 0; half < 2; ++half)
        for (size_t j = 0; j < c->count; ++j) {
            int kind = kind_of(c, b, half, j), met = near[half][j] + far[half][j];
            if (kind == 2) assert_int_equal(near[half][j], 1);
            if (kind > 0) assert_int_equal(met, 1);
            assert_true(met <= 2); /* out of reach: to fill up, or a neighbour of the other half */
        }
    return row[BL_GROUP_NEAR_PAIRS] + row[BL_GROUP_FAR_PAIRS];
}

static void groups_list_every_neighbour_once(void **state) {
    (void)state;
    for (int variant = 0; variant < 8; ++variant) {
        static cloud c;
        bl_context_def def = bl_default_context_def();
        bl_context *ctx;
        bl_neighbours *nb;
        def.threads = 1 + (variant & 1);
        make_cloud(&c, variant & 1 ? 2 : 3, variant & 2, variant & 4);
        assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
        assert_int_equal(bl_neighbours_create(ctx, &c.def, &nb), BL_OK);
        bl_positions fluid = {c.x, c.count};
        for (int again = 0; again < 2; ++again)
            assert_int_equal(bl_neighbours_build_grouped(nb, fluid, (bl_positions){0}), BL_OK);
        assert_null(bl_neighbours_ff(nb).index);
        bl_index pairs = 0;
        for (size_t b = 0; b < bl_group_count(c.count); ++b) pairs += check_group(&c, bl_neighbours_groups(nb), b);
        if (variant == 0 || variant == 2) assert_true(pairs > 0); /* elsewhere all is too crowded for halves */
        assert_int_equal(bl_neighbours_build(nb, fluid, (bl_positions){0}), BL_OK);
        assert_null(bl_neighbours_groups(nb).index);
        bl_neighbours_destroy(nb);
        bl_context_destroy(ctx);
    }
}

/* Lists of nobody are lists all the same. */
static void lost_particles_have_empty_lists(void **state) {
    (void)state;
    bl_vec3 x[3];
    bl_context *ctx;
    bl_neighbours *nb;
    bl_search_def def = {.dimension = 3, .near_radius = 2 * H, .far_radius = 3 * H};
    for (int k = 0; k < 3; ++k) x[k] = bl_v3_make((real)NAN, 0, 0);
    assert_int_equal(bl_context_create(NULL, &ctx), BL_OK);
    assert_int_equal(bl_neighbours_create(ctx, &def, &nb), BL_OK);
    assert_int_equal(bl_neighbours_build_grouped(nb, (bl_positions){x, 3}, (bl_positions){0}), BL_OK);
    assert_non_null(bl_neighbours_groups(nb).index);
    assert_int_equal(bl_neighbours_groups(nb).all[0], 0);
    bl_neighbours_destroy(nb);
    bl_context_destroy(ctx);
}

/* --- passes --- */

typedef struct pair {
    fixture f;
    bl_neighbours *grouped; /* the fixture's own has rows */
    bl_list groups;
} pair;

static unified *make(pair *p, int dimension, bl_calibration calibration, bl_kernel_family kernel, bool periodic) {
    fixture *f = &p->f;
    fixture_init(f, dimension, H);
    f->scene.scheme.calibration = calibration;
    f->scene.scheme.kernel = kernel;
    f->fluids[0].viscosity = 0.01;
    f->fluids[0].fluid_boundary = number_curve(f, 0.01);
    f->boundaries[0].friction = number_curve(f, 0.3);
    if (periodic) {
        f->scene.domain.periodic[0] = true;
        f->scene.domain.min = (bl_vec3d){-5 * H, -20 * H, -20 * H};
        f->scene.domain.max = (bl_vec3d){5 * H, 20 * H, 20 * H};
    }
    add_ball(f, (bl_vec3d){0.1 * H, 0, 0}, 4.9 * H, 0.2, -1);
    add_floor(f, 7, -5.5 * H);
    for (size_t i = 0; i < f->world.fluid.count; ++i)
        f->world.fluid.v[i] = bl_v3_make((real)(0.1 * sin((double)i)), (real)(0.1 * cos((double)i)), 0);
    fixture_start(f);
    bl_observation report;
    assert_int_equal(fixture_step(f, 1e-4, &report), BL_OK);
    /* lists of where the particles are now: else groups know pairs that came into reach, and rows do not */
    bl_positions fluid = {f->world.fluid.x, f->world.fluid.count};
    bl_positions boundary = {f->world.boundary.x, f->world.boundary.count};
    bl_search_def def = {
        .dimension = dimension, .near_radius = bl_near_reach(kernel) * H, .far_radius = bl_far_reach(kernel) * H};
    memcpy(def.periodic, f->scene.domain.periodic, sizeof def.periodic);
    def.min = f->scene.domain.min, def.max = f->scene.domain.max;
    assert_int_equal(bl_neighbours_create(f->ctx, &def, &p->grouped), BL_OK);
    assert_int_equal(bl_neighbours_build_grouped(p->grouped, fluid, boundary), BL_OK);
    assert_int_equal(bl_neighbours_build(f->world.neighbours, fluid, boundary), BL_OK);
    p->groups = bl_neighbours_groups(p->grouped);
    unified *u = f->state;
    bl_unified_bind(&f->world, u);
    memcpy(f->world.fluid.x_next, f->world.fluid.x, fluid.count * sizeof *fluid.x); /* interfaces where the lists are */
    return u;
}

static void destroy(pair *p) {
    bl_neighbours_destroy(p->grouped);
    fixture_clear(&p->f);
}

static double apart(const real *a, const real *b, size_t count, size_t width) {
    double largest = 0, worst = 0;
    for (size_t k = 0; k < count * width; ++k) {
        largest = fmax(largest, fabs((double)a[k]));
        worst = fmax(worst, fabs((double)a[k] - (double)b[k]));
    }
    return largest > 0 ? worst / largest : 0;
}

/* Run a pass in both ways on the same state and compare what it wrote. */
static void compare(pair *p, bl_pass_id pass, int field) {
    fixture *f = &p->f;
    unified *u = f->state;
    const bl_field_info *info = &bl_fluid_fields[field];
    size_t count = f->world.fluid.count, width = info->item_size / sizeof(real);
    real *written = bl_field_data(info, &f->world.fluid), *fast = calloc(count * width, sizeof *fast);
    u->view.groups = p->groups;
    bl_list rows = u->view.ff;
    u->view.ff = (bl_list){0}; /* not to be looked at */
    bl_unified_run(&f->world, u, pass);
    memcpy(fast, written, count * width * sizeof *fast);
    u->view.groups = (bl_list){0};
    u->view.ff = rows;
    bl_unified_run(&f->world, u, pass);
    double off = apart(written, fast, count, width);
    if (!(off < CLOSE)) fail_msg("%s: %s is off by %.2g", bl_pass_infos[pass].name, info->name, off);
    free(fast);
}

static void compare_passes(int dimension, bl_calibration calibration, bl_kernel_family kernel, bool periodic) {
    pair p;
    unified *u = make(&p, dimension, calibration, kernel, periodic);
    const bl_fluid_store *s = &p.f.world.fluid;
    compare(&p, BL_PASS_volume, BL_F_g_err);
    compare(&p, BL_PASS_volume, BL_F_density);
    if (u->par.corrected) compare(&p, BL_PASS_volume, BL_F_g_a);
    compare(&p, BL_PASS_diagonal_p, BL_F_alpha_p);
    bl_unified_run(&p.f.world, u, BL_PASS_alpha_finish);
    bl_unified_run(&p.f.world, u, BL_PASS_pressure_products);
    compare(&p, BL_PASS_interface_fluid, BL_F_c_fv);
    bl_unified_run(&p.f.world, u, BL_PASS_interface_boundary);
    compare(&p, BL_PASS_alpha_st, BL_F_alpha_st);
    compare(&p, BL_PASS_predict, BL_F_v_next);
    compare(&p, BL_PASS_start_warm, BL_F_f_st);
    compare(&p, BL_PASS_start_warm, BL_F_alpha_st);
    memset(s->f_st, 0, s->count * sizeof *s->f_st);
    for (int solve = 1; solve < 4; ++solve) { /* pressure, tension, both */
        u->now.solve_pressure = solve & 1, u->now.solve_tension = solve >> 1;
        compare(&p, BL_PASS_residual, BL_F_r_st);
        compare(&p, BL_PASS_residual, BL_F_e_v);
    }
    compare(&p, BL_PASS_virial, BL_F_virial_p);
    compare(&p, BL_PASS_virial, BL_F_virial_st);
    compare(&p, BL_PASS_viscosity_explicit, BL_F_v_next);
    compare(&p, BL_PASS_viscosity_start, BL_F_vis_r);
    compare(&p, BL_PASS_viscosity_start, BL_F_vis_diag);
    compare(&p, BL_PASS_viscosity_apply, BL_F_vis_k);
    compare(&p, BL_PASS_viscosity_finish, BL_F_v_next);
    destroy(&p);
}

static void passes_agree(void **state) {
    (void)state;
    for (int variant = 0; variant < 8; ++variant)
        compare_passes(variant & 4 ? 2 : 3, (bl_calibration)(variant & 1), BL_KERNELS_CUBIC, variant & 2);
}

static void smooth_passes_agree(void **state) {
    (void)state;
    for (int periodic = 0; periodic < 2; ++periodic)
        compare_passes(3, BL_CALIBRATION_PHYSICAL, BL_KERNELS_SMOOTH, periodic);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_list_every_neighbour_once),
                                       cmocka_unit_test(lost_particles_have_empty_lists),
                                       cmocka_unit_test(passes_agree), cmocka_unit_test(smooth_passes_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
