#include "validate/judge.h"

#include "validate/fit.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 256 };

const char *bl_verdict_text(bl_verdict verdict) {
    switch (verdict) {
    case BL_VERDICT_WORSE: return "WORSE";
    case BL_VERDICT_FAILED: return "failed";
    case BL_VERDICT_MISSED: return "missed";
    case BL_VERDICT_MET: return "met";
    case BL_VERDICT_NO_AIM: return "no aim";
    }
    return "";
}

/* row->error, aim and the record to a verdict. NaN as an error is a failure. */
static void judge(bl_validate_row *row, const bl_recorded *recorded, double margin) {
    bool failed = isnan(row->error);
    row->recorded = recorded ? fabs(recorded->error) : (double)NAN;
    row->allowed = recorded ? row->recorded + fmax(margin, 3 * recorded->scatter) : (double)NAN;
    if (!isnan(row->allowed) && !(fabs(row->error) <= row->allowed))
        row->verdict = BL_VERDICT_WORSE;
    else if (failed)
        row->verdict = BL_VERDICT_FAILED;
    else if (row->aim < 0)
        row->verdict = BL_VERDICT_NO_AIM;
    else
        row->verdict = fabs(row->error) <= row->aim ? BL_VERDICT_MET : BL_VERDICT_MISSED;
    if (row->aim < 0) row->aim = (double)NAN;
}

static bl_validate_row judge_figure(const bl_case *c, const bl_outcome *o, int k) {
    const bl_case_figure *figure = &c->figures[k];
    if (o->run->skips[k]) return (bl_validate_row){.figure = NULL};
    bl_validate_row row = {
        .case_name = c->name,
        .run = o->run->name,
        .scheme = o->scheme,
        .figure = figure->name,
        .label = figure->label,
        .why = o->why,
        .measured = o->measured[k],
        .law = o->law[k],
        .error = o->error[k],
        .relative = figure->error == BL_ERROR_RATIO,
        .aim = o->run->aims[k],
        .scatter = o->scatter[k],
    };
    judge(&row, bl_case_find_recorded(c, o->scheme, o->run->name, figure->name), figure->margin);
    if (!row.why && isnan(row.error)) row.why = "the figure cannot be had from this run";
    return row;
}

static int figure_index(const bl_case *c, const char *name) {
    int k = 0;
    while (strcmp(c->figures[k].name, name) != 0) k++;
    return k;
}

/* The outcomes that a summary is made of, in the order in which it names them; 0 if one of them was not run. */
static int summary_parts(const bl_case_summary *summary, const bl_outcome *outcomes, int count, int figure,
                         const bl_outcome **parts) {
    int n = 0;
    if (summary->run_count == 0) {
        for (int i = 0; i < count && n < MOST_POINTS; i++)
            if (!outcomes[i].run->skips[figure]) parts[n++] = &outcomes[i];
        return n;
    }
    for (int k = 0; k < summary->run_count && k < MOST_POINTS; k++) {
        int i = 0;
        while (i < count && strcmp(outcomes[i].run->name, summary->runs[k]) != 0) i++;
        if (i == count) return 0;
        parts[n++] = &outcomes[i];
    }
    return n;
}

/* The number that a summary makes of its parts; NaN if one of them failed. */
static double summarise(const bl_case_summary *summary, const bl_outcome *const *parts, int n, int k) {
    double low = (double)INFINITY, high = -low, sum = 0, ratio[MOST_POINTS], x[MOST_POINTS], y[MOST_POINTS];
    for (int i = 0; i < n; i++) {
        ratio[i] = parts[i]->measured[k] / parts[i]->law[k];
        if (isnan(ratio[i])) return (double)NAN;
        low = fmin(low, ratio[i]);
        high = fmax(high, ratio[i]);
        sum += ratio[i];
        x[i] = log(parts[i]->run->x);
        y[i] = log(fabs(parts[i]->measured[k]));
    }
    switch (summary->kind) {
    case BL_SUMMARY_SPREAD: return (high - low) / (sum / n);
    case BL_SUMMARY_MEAN: return sum / n;
    case BL_SUMMARY_HALF_SWING: return (high - low) / 2;
    case BL_SUMMARY_EXPONENT: return bl_fit_line(x, y, (size_t)n).slope;
    case BL_SUMMARY_RATIO: return ratio[0] / ratio[1];
    case BL_SUMMARY_DIFFERENCE: return parts[0]->measured[k] - parts[1]->measured[k];
    }
    return (double)NAN;
}

static bl_validate_row judge_summary(const bl_case *c, const bl_case_summary *summary, const bl_outcome *outcomes,
                                     int count) {
    const bl_outcome *parts[MOST_POINTS];
    int figure = figure_index(c, summary->of), n = summary_parts(summary, outcomes, count, figure, parts);
    if (n == 0) return (bl_validate_row){.figure = NULL};
    bl_validate_row row = {
        .case_name = c->name,
        .run = "all",
        .scheme = outcomes[0].scheme,
        .figure = summary->name,
        .label = summary->label,
        .measured = summarise(summary, parts, n, figure),
        .law = summary->law,
        .aim = summary->aim,
    };
    row.error = row.measured - row.law;
    judge(&row, bl_case_find_recorded(c, row.scheme, row.run, row.figure), summary->margin);
    if (isnan(row.error)) row.why = "a run of the case failed";
    return row;
}

bl_status bl_judge_case(bl_context *ctx, bl_case_result *r) {
    const bl_case *c = &r->c;
    size_t most =
        (size_t)r->outcome_count * (size_t)c->figure_count + (size_t)r->scheme_count * (size_t)c->summary_count;
    r->rows = bl_alloc(ctx, most, sizeof *r->rows);
    if (!r->rows) return BL_ERR_MEMORY;
    for (int o = 0; o < r->outcome_count; o++)
        for (int k = 0; k < c->figure_count; k++) r->rows[r->row_count++] = judge_figure(c, &r->outcomes[o], k);
    for (int s = 0; s < r->scheme_count && r->run_count > 0; s++)
        for (int k = 0; k < c->summary_count; k++)
            r->rows[r->row_count++] =
                judge_summary(c, &c->summaries[k], r->outcomes + (size_t)s * (size_t)r->run_count, r->run_count);
    return BL_OK;
}

bool bl_case_has_order(const bl_case *c) { return c->sweep && strstr(c->sweep, "/h"); }

double bl_judge_order(const bl_case_result *r, const char *scheme, int figure, const char *group) {
    double x[MOST_POINTS], y[MOST_POINTS];
    size_t n = 0;
    for (int k = 0; k < r->outcome_count && n < MOST_POINTS; k++) {
        const bl_outcome *o = &r->outcomes[k];
        bool counts = strcmp(o->scheme, scheme) == 0 && strcmp(o->run->group, group) == 0 && o->run->x > 0;
        if (!counts || !(fabs(o->error[figure]) > 0)) continue;
        x[n] = log(o->run->x);
        y[n++] = log(fabs(o->error[figure]));
    }
    return -bl_fit_line(x, y, n).slope;
}
