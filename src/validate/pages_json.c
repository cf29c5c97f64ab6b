#include "base/file.h"
#include "validate/pages.h"

static void add_row(bl_json *json, const bl_validate_row *row) {
    bl_json_begin_object(json, NULL);
    bl_json_string(json, "run", row->run);
    bl_json_string(json, "scheme", row->scheme);
    bl_json_string(json, "figure", row->figure);
    bl_json_string(json, "verdict", bl_verdict_text(row->verdict));
    bl_json_number(json, "measured", row->measured);
    bl_json_number(json, "law", row->law);
    bl_json_number(json, "error", row->error);
    bl_json_bool(json, "relative", row->relative);
    bl_json_number(json, "scatter", row->scatter);
    bl_json_number(json, "aim", row->aim);
    bl_json_number(json, "recorded", row->recorded);
    bl_json_number(json, "allowed", row->allowed);
    if (row->why) bl_json_string(json, "why", row->why);
    bl_json_end_object(json);
}

static void add_case(bl_json *json, const bl_case_result *r) {
    bl_json_begin_object(json, NULL);
    bl_json_string(json, "case", r->c.name);
    bl_json_string(json, "title", r->c.title);
    bl_json_string(json, "law", r->c.law);
    bl_json_begin_array(json, "figures");
    for (int k = 0; k < r->row_count; k++)
        if (r->rows[k].figure) add_row(json, &r->rows[k]);
    bl_json_end_array(json);
    bl_json_begin_array(json, "runs");
    for (int k = 0; k < r->outcome_count; k++) {
        const bl_outcome *o = &r->outcomes[k];
        bl_json_begin_object(json, NULL);
        bl_json_string(json, "run", o->run->name);
        bl_json_string(json, "scheme", o->scheme);
        bl_json_string(json, "directory", o->directory);
        bl_json_end_object(json);
    }
    bl_json_end_array(json);
    bl_json_end_object(json);
}

bl_status bl_results_write_json(const bl_results *results, const char *path) {
    bl_text text = bl_text_make(results->ctx);
    bl_json json = bl_json_make(&text, 1);
    bl_json_begin_object(&json, NULL);
    bl_json_string(&json, "version", bl_version());
    bl_json_string(&json, "precision", BL_REAL_NAME);
    bl_json_string(&json, "code", bl_code_hash);
    bl_json_string(&json, "size", results->def->full ? "full" : "quick");
    bl_json_integer(&json, "seeds", results->def->seeds);
    bl_json_begin_object(&json, "counts");
    for (int v = 0; v <= BL_VERDICT_NO_AIM; v++)
        bl_json_integer(&json, bl_verdict_text((bl_verdict)v), results->totals.counts[v]);
    bl_json_end_object(&json);
    bl_json_begin_array(&json, "cases");
    for (int k = 0; k < results->case_count; k++) add_case(&json, &results->cases[k]);
    bl_json_end_array(&json);
    bl_json_end_object(&json);
    bl_text_add(&text, "\n");
    bl_outfile file;
    bl_status status = text.failed ? BL_ERR_MEMORY : bl_outfile_open(results->ctx, path, &file);
    if (status == BL_OK) {
        fwrite(bl_text_str(&text), 1, text.size, file.stream); /* commit finds write errors */
        status = bl_outfile_commit(results->ctx, &file);
    }
    bl_text_clear(&text);
    return status;
}
