/* also: double */
/* What a field presses liquid to walls with (schemes/unified/grip.h): all of it arrives, as plain loops over all pairs
 * share it, whatever the threads; periods have no ends. */
#include "fixture.h"

#include "schemes/unified/grip.h"

enum { COUNT = 300, WALLS = 400 };

typedef struct contacts {
    bl_vec3 x[COUNT], wall_x[WALLS], normal[WALLS], force[WALLS];
    real at_wall[COUNT], load[COUNT];
    double period[3], low[3];
    int dimension;
} contacts;

static double number(uint64_t k) { return bl_rng_uniform(5, 1, k); }

/* Liquid over a wall, a third of it at the wall. */
static void make_contacts(contacts *c, int dimension, double period) {
    memset(c, 0, sizeof *c);
    c->dimension = dimension;
    c->period[0] = period;
    for (size_t i = 0; i < COUNT; i++) {
        c->x[i] =
            bl_v3_make((real)(20 * number(3 * i)), (real)(dimension == 3 ? 20 * number(3 * i + 1) : 0.5), BL_R(0));
        if (dimension == 3) c->x[i].z = (real)(3 * number(3 * i + 2));
        c->at_wall[i] = i % 3 == 0 ? BL_R(0.2) : BL_R(0);
    }
    for (size_t b = 0; b < WALLS; b++) {
        c->wall_x[b] = bl_v3_make((real)(20 * number(7000 + 2 * b)), BL_R(-0.5), BL_R(0));
        if (dimension == 3) c->wall_x[b].y = (real)(20 * number(7001 + 2 * b)), c->wall_x[b].z = BL_R(-0.5);
        c->normal[b] = dimension == 3 ? bl_v3_make(BL_R(0), BL_R(0), BL_R(1)) : bl_v3_make(BL_R(0), BL_R(1), BL_R(0));
        for (int k = 0; k < 3; k++) (&c->force[b].x)[k] = (real)(number(9000 + 3 * b + (uint64_t)k) - 0.3);
    }
}

static void share(contacts *c, int threads) {
    bl_context_def def = bl_default_context_def();
    def.threads = threads;
    bl_context *ctx;
    bl_grip *grip;
    assert_int_equal(bl_context_create(&def, &ctx), BL_OK);
    assert_int_equal(bl_grip_create(ctx, c->dimension, 1, c->period, c->low, &grip), BL_OK);
    const bl_grip_input in = {COUNT, WALLS, c->x, c->wall_x, c->normal, c->force, c->at_wall};
    assert_int_equal(bl_grip_share(ctx, grip, &in, c->load), BL_OK);
    bl_grip_destroy(ctx, grip);
    bl_context_destroy(ctx);
}

static double weight(const contacts *c, size_t i, size_t b) {
    double d[3] = {(double)(c->x[i].x - c->wall_x[b].x), (double)(c->x[i].y - c->wall_x[b].y),
                   (double)(c->x[i].z - c->wall_x[b].z)};
    if (c->period[0] > 0) d[0] -= c->period[0] * round(d[0] / c->period[0]);
    double w = 1 - (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / 36;
    return w > 0 ? w * w * w : 0;
}

static void shares_as_loops_do(void **state) {
    (void)state;
    static contacts c;
    static double law[COUNT];
    for (int variant = 0; variant < 4; variant++) {
        double total = 0, pressed = 0;
        make_contacts(&c, 2 + variant % 2, variant < 2 ? 0 : 20);
        share(&c, 2);
        memset(law, 0, sizeof law);
        for (size_t b = 0; b < WALLS; b++) {
            double sum = 0, load = -(double)bl_v3_dot(c.force[b], c.normal[b]);
            for (size_t i = 0; i < COUNT; i += 3) sum += weight(&c, i, b);
            for (size_t i = 0; i < COUNT && sum > 0; i += 3) law[i] += load * weight(&c, i, b) / sum;
            if (sum > 0) pressed += load;
        }
        for (size_t i = 0; i < COUNT; i++) {
            total += (double)c.load[i];
            if (!(fabs((double)c.load[i] - law[i]) < 2e-5))
                fail_msg("variant %d, %zu: %g, %g", variant, i, (double)c.load[i], law[i]);
        }
        assert_true(fabs(total - pressed) < 1e-3);
    }
}

static void threads_do_not_matter(void **state) {
    (void)state;
    static contacts a, b;
    make_contacts(&a, 3, 20);
    make_contacts(&b, 3, 20);
    share(&a, 1);
    share(&b, 3);
    assert_memory_equal(a.load, b.load, sizeof a.load);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_as_loops_do), cmocka_unit_test(threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
