/* Verdicts, summaries and orders of convergence from outcomes made by hand. */
#include "fixture.h"
#include "validate/judge.h"
#include <stdlib.h>

enum { RUNS = 3 };

typedef struct world {
    bl_context *ctx;
    bl_case_result result;
    bl_case_figure figures[2];
    bl_case_run runs[RUNS];
    bl_case_summary summaries[4];
    bl_recorded recorded[4];
    bl_outcome outcomes[RUNS];
} world;

/* Figure `a` is a ratio, `b` a difference; errors of `a` fall as x^-2. */
static int setup(void **state) {
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    assert_int_equal(bl_context_create(NULL, &w->ctx), BL_OK);
    w->figures[0] = (bl_case_figure){.name = "a", .label = "a", .aim = 0.05, .margin = 0.01};
    w->figures[1] = (bl_case_figure){.name = "b", .label = "b", .error = BL_ERROR_DIFFERENCE, .aim = 2, .margin = 1};
    bl_case *c = &w->result.c;
    *c = (bl_case){.name = "case",
                   .sweep = "R/h",
                   .figure_count = 2,
                   .figures = w->figures,
                   .run_count = RUNS,
                   .runs = w->runs,
                   .summaries = w->summaries,
                   .recorded = w->recorded};
    static char *names[RUNS] = {"one", "two", "three"};
    for (int k = 0; k < RUNS; k++) {
        double x = 5 << k;
        w->runs[k] = (bl_case_run){.name = names[k], .group = "g", .x = x, .aims = {0.05, 2}};
        w->outcomes[k] = (bl_outcome){.c = c, .run = &w->runs[k], .scheme = "unified"};
        w->outcomes[k].law[0] = 10, w->outcomes[k].error[0] = 10 / (x * x);
        w->outcomes[k].measured[0] = 10 * (1 + w->outcomes[k].error[0]);
        w->outcomes[k].law[1] = 60, w->outcomes[k].measured[1] = 57, w->outcomes[k].error[1] = -3;
    }
    w->result.scheme_count = 1;
    w->result.run_count = w->result.outcome_count = RUNS;
    w->result.outcomes = w->outcomes;
    *state = w;
    return 0;
}

static int teardown(void **state) {
    world *w = *state;
    bl_release(w->ctx, w->result.rows);
    bl_context_destroy(w->ctx);
    free(w);
    return 0;
}

static const bl_validate_row *row_of(world *w, int run, int figure) { return &w->result.rows[2 * run + figure]; }

static void record(world *w, char *run, char *figure, double error, double scatter) {
    bl_case *c = &w->result.c;
    w->recorded[c->recorded_count++] = (bl_recorded){"unified", run, figure, error, scatter};
}

static void aims_decide(void **state) {
    world *w = *state;
    w->runs[2].aims[1] = -1;
    assert_int_equal(bl_judge_case(w->ctx, &w->result), BL_OK);
    assert_int_equal(w->result.row_count, 2 * RUNS);
    assert_int_equal(row_of(w, 0, 0)->verdict, BL_VERDICT_MISSED); /* 40 % */
    assert_int_equal(row_of(w, 2, 0)->verdict, BL_VERDICT_MET);    /* 2.5 % */
    assert_int_equal(row_of(w, 0, 1)->verdict, BL_VERDICT_MISSED);
    assert_int_equal(row_of(w, 2, 1)->verdict, BL_VERDICT_NO_AIM);
    assert_true(isnan(row_of(w, 2, 1)->aim) && isnan(row_of(w, 0, 0)->recorded));
    assert_true(row_of(w, 0, 0)->relative && !row_of(w, 0, 1)->relative);
}

static void records_decide_first(void **state) {
    world *w = *state;
    record(w, "one", "a", -0.395, 0);      /* 40 % now: within the margin of 1 %, whatever the sign */
    record(w, "two", "a", 0.08, 0.001);    /* 10 % now: beyond 1 % and beyond 3 scatters */
    record(w, "three", "a", 0.001, 0.01);  /* 2.5 % now: beyond the margin, within 3 scatters */
    record(w, "one", "b", (double)NAN, 0); /* failed before */
    assert_int_equal(bl_judge_case(w->ctx, &w->result), BL_OK);
    assert_int_equal(row_of(w, 0, 0)->verdict, BL_VERDICT_MISSED);
    assert_int_equal(row_of(w, 1, 0)->verdict, BL_VERDICT_WORSE);
    assert_int_equal(row_of(w, 2, 0)->verdict, BL_VERDICT_MET);
    assert_int_equal(row_of(w, 0, 1)->verdict, BL_VERDICT_MISSED);
}

static void failures_show(void **state) {
    world *w = *state;
    record(w, "two", "a", 0.1, 0);
    for (int k = 0; k < 2; k++) {
        w->outcomes[k].why = "diverged";
        for (int f = 0; f < 2; f++) w->outcomes[k].measured[f] = w->outcomes[k].error[f] = (double)NAN;
    }
    w->outcomes[2].error[1] = (double)NAN; /* a figure that cannot be had */
    assert_int_equal(bl_judge_case(w->ctx, &w->result), BL_OK);
    assert_int_equal(row_of(w, 0, 0)->verdict, BL_VERDICT_FAILED);
    assert_string_equal(row_of(w, 0, 0)->why, "diverged");
    assert_int_equal(row_of(w, 1, 0)->verdict, BL_VERDICT_WORSE); /* it did not fail before */
    assert_int_equal(row_of(w, 2, 1)->verdict, BL_VERDICT_FAILED);
    assert_non_null(row_of(w, 2, 1)->why);
}

static void summaries_of_all_runs(void **state) {
    world *w = *state;
    static const bl_summary_kind kinds[] = {BL_SUMMARY_SPREAD, BL_SUMMARY_MEAN, BL_SUMMARY_HALF_SWING,
                                            BL_SUMMARY_EXPONENT};
    for (int k = 0; k < 4; k++)
        w->summaries[k] = (bl_case_summary){.name = "s", .label = "s", .of = "a", .kind = kinds[k], .aim = 0.1};
    w->summaries[1].law = 1;
    w->result.c.summary_count = 4;
    for (int k = 0; k < RUNS; k++) w->outcomes[k].measured[0] = 10 * sqrt(w->runs[k].x);
    assert_int_equal(bl_judge_case(w->ctx, &w->result), BL_OK);
    const bl_validate_row *s = &w->result.rows[2 * RUNS];
    double low = sqrt(5), middle = sqrt(10), high = sqrt(20), mean = (low + middle + high) / 3;
    assert_true(fabs(s[0].measured - (high - low) / mean) < 1e-12);
    assert_true(fabs(s[1].measured - mean) < 1e-12 && fabs(s[1].error - (mean - 1)) < 1e-12);
    assert_true(fabs(s[2].measured - (high - low) / 2) < 1e-12);
    assert_true(fabs(s[3].measured - 0.5) < 1e-12);
    assert_int_equal(s[0].verdict, BL_VERDICT_MISSED);
}

static void skipped_figures_do_not_count(void **state) {
    world *w = *state;
    w->summaries[0] = (bl_case_summary){.name = "s", .label = "s", .of = "a", .kind = BL_SUMMARY_MEAN, .law = 1};
    w->result.c.summary_count = 1;
    w->runs[0].skips[0] = true;
    w->outcomes[0].measured[0] = (double)NAN;
    assert_int_equal(bl_judge_case(w->ctx, &w->result), BL_OK);
    assert_null(row_of(w, 0, 0)->figure);
    assert_true(fabs(w->result.rows[2 * RUNS].measured - (1.1 + 1.025) / 2) < 1e-12);
}

static void summaries_of_named_runs(void **state) {
    world *w = *state;
    static char *pair[] = {"three", "one"}, *missing[] = {"one", "four"};
    w->summaries[0] = (bl_case_summary){.name = "s", .label = "s", .of = "a", .kind = BL_SUMMARY_RATIO, .law = 1};
    w->summaries[1] = (bl_case_summary){.name = "t", .label = "t", .of = "b", .kind = BL_SUMMARY_DIFFERENCE};
    w->summaries[2] = w->summaries[0];
    w->summaries[0].runs = w->summaries[1].runs = pair;
    w->summaries[2].runs = missing;
    for (int k = 0; k < 3; k++) w->summaries[k].run_count = 2;
    w->result.c.summary_count = 3;
    w->outcomes[2].measured[1] = 59;
    assert_int_equal(bl_judge_case(w->ctx, &w->result), BL_OK);
    const bl_validate_row *s = &w->result.rows[2 * RUNS];
    assert_true(fabs(s[0].measured - 1.025 / 1.4) < 1e-12);
    assert_true(fabs(s[1].measured - (59 - 57)) < 1e-12);
    assert_null(s[2].figure); /* a run of the other size */
}

static void order_is_fitted(void **state) {
    world *w = *state;
    assert_true(fabs(bl_judge_order(&w->result, "unified", 0, "g") - 2) < 1e-9);
    assert_true(isnan(bl_judge_order(&w->result, "unified", 0, "other")));
    assert_true(isnan(bl_judge_order(&w->result, "mpm", 0, "g")));
    assert_true(bl_case_has_order(&w->result.c));
    w->result.c.sweep = "La";
    assert_false(bl_case_has_order(&w->result.c));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(aims_decide, setup, teardown),
        cmocka_unit_test_setup_teardown(records_decide_first, setup, teardown),
        cmocka_unit_test_setup_teardown(failures_show, setup, teardown),
        cmocka_unit_test_setup_teardown(summaries_of_all_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(skipped_figures_do_not_count, setup, teardown),
        cmocka_unit_test_setup_teardown(summaries_of_named_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(order_is_fitted, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
