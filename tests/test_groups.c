/* Neighbours in groups of eight: the lists against their definition, and the passes of an iteration against the same
 * passes particle by particle. */
/* also: double */
#include "fixture.h"

#include "schemes/unified/unified.h"

#include <stdlib.h>

#define H 1e-3
#define CLOSE (sizeof(real) == 4 ? 2e-5 : 1e-12)

/* A ball with a dent of crowded particles: the group there has more neighbours than there is room for. */
static unified *make(fixture *f, int dimension, bl_calibration calibration, bool periodic, bool crowded) {
    fixture_init(f, dimension, H);
    f->scene.scheme.calibration = calibration;
    if (periodic) {
        f->scene.domain.periodic[0] = true;
        f->scene.domain.min = (bl_vec3d){-5 * H, -20 * H, -20 * H};
        f->scene.domain.max = (bl_vec3d){5 * H, 20 * H, 20 * H};
    }
    add_ball(f, (bl_vec3d){0.1 * H, 0, 0}, 4.9 * H, 0.2, -1);
    for (int k = 0; k < (crowded ? 500 : 0); ++k) add_fluid(f, 1e-3 * H * k, 0.3 * H, dimension == 3 ? 0.2 * H : 0);
    add_floor(f, 7, -5.5 * H);
    for (size_t i = 0; i < f->world.fluid.count; ++i)
        f->world.fluid.v[i] = bl_v3_make((real)(0.1 * sin((double)i)), (real)(0.1 * cos((double)i)), 0);
    fixture_start(f);
    bl_observation report;
    assert_int_equal(fixture_step(f, 1e-4, &report), BL_OK);
    /* lists of where the particles are now: else groups know pairs that came into reach, and rows do not */
    bl_positions fluid = {f->world.fluid.x, f->world.fluid.count};
    bl_positions boundary = {f->world.boundary.x, f->world.boundary.count};
    assert_int_equal(bl_neighbours_build(f->world.neighbours, fluid, boundary), BL_OK);
    assert_int_equal(bl_neighbours_build_groups(f->world.neighbours), BL_OK);
    unified *u = f->state;
    bl_unified_bind(&f->world, u);
    bl_unified_run(&f->world, u, BL_PASS_predict_none); /* interfaces where the lists are */
    return u;
}

static void groups_hold_all_neighbours(void **state) {
    (void)state;
    fixture f;
    unified *u = make(&f, 3, BL_CALIBRATION_PAPER, false, false);
    const bl_view *s = &u->view;
    assert_non_null(s->groups.index);
    bl_index members = 0;
    for (bl_index i = 0; i < s->fluid_count; ++i) {
        bl_index b = i / BL_GROUP;
        const bl_index *group = s->groups.index + (size_t)b * BL_GROUP_ROOM;
        assert_true(s->groups.all[b] > 0);
        for (bl_index k = 0; k < s->ff.all[i]; ++k) {
            bl_index j = s->ff.index[s->ff.start[i] + k], seen = 0;
            bl_index end = k < s->ff.near[i] ? s->groups.near[b] : s->groups.all[b];
            for (bl_index g = 0; g < end; ++g) seen += group[g] == j;
            assert_int_equal(seen, 1);
        }
        for (bl_index g = 0; g < s->groups.near[b]; ++g) members += group[g] == i;
    }
    assert_int_equal(members, s->fluid_count); /* everyone meets itself once */
    fixture_clear(&f);
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
static void compare(fixture *f, unified *u, bl_pass_id pass, const real *written, size_t width) {
    size_t count = f->world.fluid.count;
    real *fast = calloc(count * width, sizeof *fast);
    bl_group_list groups = u->view.groups;
    bl_unified_run(&f->world, u, pass);
    memcpy(fast, written, count * width * sizeof *fast);
    u->view.groups = (bl_group_list){0};
    bl_unified_run(&f->world, u, pass);
    u->view.groups = groups;
    double off = apart(written, fast, count, width);
    if (!(off < CLOSE)) fail_msg("%s: off by %.2g", bl_pass_infos[pass].name, off);
    free(fast);
}

static void passes_agree(void **state) {
    (void)state;
    for (int variant = 0; variant < 12; ++variant) {
        fixture f;
        bool crowded = variant >= 8;
        unified *u = make(&f, variant & 4 ? 2 : 3, (bl_calibration)(variant & 1), variant & 2, crowded);
        bool fallback = false;
        for (bl_index b = 0; b < u->view.fluid_count / BL_GROUP; ++b) fallback |= u->view.groups.all[b] == 0;
        assert_int_equal(fallback, crowded);
        const bl_fluid_store *s = &f.world.fluid;
        bl_unified_run(&f.world, u, BL_PASS_pressure_products);
        compare(&f, u, BL_PASS_interface_fluid, s->c_fv, 1);
        compare(&f, u, BL_PASS_predict, &s->v_next[0].x, 3);
        compare(&f, u, BL_PASS_start_warm, &s->f_st[0].x, 3);
        memset(s->f_st, 0, s->count * sizeof *s->f_st);
        compare(&f, u, BL_PASS_residual, &s->r_st[0].x, 3);
        compare(&f, u, BL_PASS_residual, s->e_v, 1);
        fixture_clear(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_hold_all_neighbours), cmocka_unit_test(passes_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
