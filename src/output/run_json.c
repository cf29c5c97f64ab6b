#include "output/run_json.h"

#include "base/file.h"
#include "base/real.h"
#include "base/text.h"
#include "output/formats.h"
#include "output/paths.h"
#include "scene/yaml.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

/* --- writing --- */

static void add_hash(bl_json *json, const char *key, uint64_t hash) {
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    bl_json_string(json, key, text);
}

static void add_outcome(bl_json *json, const bl_run_record *record) {
    bool running = strcmp(record->status, "running") == 0;
    bl_json_string(json, "status", record->status);
    if (!running) bl_json_integer(json, "exit_code", record->exit_code);
    bl_json_string(json, "reason", record->reason);
    bl_json_number(json, "time", record->time);
    bl_json_integer(json, "steps", (long long)record->steps);
    bl_json_integer(json, "frames", record->frames);
    bl_json_number(json, "wall_seconds", record->wall_seconds);
    if (!running) add_hash(json, "state_hash", record->state_hash);
}

static void add_machine(bl_json *json, const bl_run_record *record) {
    bl_json_string(json, "version", bl_version());
    bl_json_string(json, "precision", BL_REAL_NAME);
    bl_json_string(json, "device", record->device);
    bl_json_integer(json, "threads", record->threads);
    bl_json_begin_object(json, "particles");
    bl_json_integer(json, "fluid", (long long)record->fluid_particles);
    bl_json_integer(json, "boundary", (long long)record->boundary_particles);
    bl_json_end_object(json);
}

static void add_request(bl_json *json, const bl_run_record *record) {
    /* a list, since an option such as --set may be given several times */
    bl_json_begin_array(json, "options");
    for (int o = 0; o < record->option_count; o++) {
        bl_json_begin_object(json, NULL);
        bl_json_string(json, record->options[o].name, record->options[o].value);
        bl_json_end_object(json);
    }
    bl_json_end_array(json);
    if (record->resumed) {
        bl_json_begin_object(json, "resumed_from");
        bl_json_integer(json, "frame", record->resumed_frame);
        bl_json_integer(json, "step", (long long)record->resumed_step);
        bl_json_end_object(json);
    }
    bl_json_begin_array(json, "warnings");
    for (int w = 0; w < record->warning_count; w++) bl_json_string(json, NULL, record->warnings[w]);
    bl_json_end_array(json);
}

static void add_timing(bl_json *json, const bl_timers *timers) {
    bl_json_begin_array(json, "timing");
    for (int t = 0; timers && t < timers->count; t++) {
        bl_json_begin_object(json, NULL);
        bl_json_string(json, "pass", timers->items[t].name);
        bl_json_number(json, "seconds", timers->items[t].seconds);
        bl_json_integer(json, "calls", (long long)timers->items[t].calls);
        bl_json_end_object(json);
    }
    bl_json_end_array(json);
}

static bl_status save(bl_context *ctx, const char *dir, const bl_text *text) {
    if (text->failed) return BL_ERR_MEMORY;
    char *path = bl_path_make(ctx, "%s/run.json", dir);
    if (!path) return BL_ERR_MEMORY;
    bl_outfile file;
    bl_status status = bl_outfile_open(ctx, path, &file);
    if (status == BL_OK) {
        fwrite(text->data, 1, text->size, file.stream);
        fputc('\n', file.stream);
        status = bl_finish_file(ctx, &file, BL_OK);
    }
    bl_release(ctx, path);
    return status;
}

bl_status bl_run_json_write(bl_context *ctx, const char *dir, const bl_run_record *record) {
    bl_text text = bl_text_make(ctx);
    bl_json json = bl_json_make(&text, 2);
    bl_json_begin_object(&json, NULL);
    add_outcome(&json, record);
    add_machine(&json, record);
    add_request(&json, record);
    add_timing(&json, record->timers);
    bl_json_string(&json, "scene_file", record->scene->path);
    bl_scene_write_json(record->scene, &json, "scene");
    bl_json_end_object(&json);
    bl_status status = save(ctx, dir, &text);
    bl_text_clear(&text);
    return status;
}

/* --- reading --- */

void bl_run_info_clear(bl_run_info *info) {
    bl_release(info->ctx, info->scene_text);
    bl_release(info->ctx, info->scene_path);
    bl_release(info->ctx, info->status);
    bl_release(info->ctx, info->version);
    bl_release(info->ctx, info->precision);
    memset(info, 0, sizeof *info);
}

/* A text member of the document; "" if it is missing or no text. NULL: no memory. */
static char *text_member(bl_context *ctx, struct fy_node *root, const char *key) {
    const char *text = fy_node_get_scalar0(fy_node_mapping_lookup_by_string(root, key, FY_NT));
    return bl_strdup(ctx, text ? text : "");
}

static bl_status read_document(bl_context *ctx, const char *path, struct fy_document *document, bl_run_info *out) {
    struct fy_node *root = fy_document_root(document);
    struct fy_node *scene = fy_node_mapping_lookup_by_string(root, "scene", FY_NT);
    if (!fy_node_is_mapping(scene))
        return bl_fail(ctx, BL_ERR_DATA, "%s: holds no scene; expected the file that a run writes", path);
    char *text = fy_emit_node_to_string(scene, FYECF_MODE_JSON);
    out->scene_text = text ? bl_strdup(ctx, text) : NULL;
    out->scene_size = text ? strlen(text) : 0;
    free(text);
    out->scene_path = text_member(ctx, root, "scene_file");
    out->status = text_member(ctx, root, "status");
    out->version = text_member(ctx, root, "version");
    out->precision = text_member(ctx, root, "precision");
    bool complete = out->scene_text && out->scene_path && out->status && out->version && out->precision;
    return complete ? BL_OK : BL_ERR_MEMORY;
}

static bl_status parse(bl_context *ctx, const char *path, const char *text, size_t size, bl_run_info *out) {
    struct fy_diag *diag = bl_yaml_silent_diag();
    if (!diag) return bl_fail(ctx, BL_ERR_MEMORY, "out of memory for reading %s", path);
    const struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_JSON_FORCE, .diag = diag};
    struct fy_document *document = fy_document_build_from_string(&cfg, text, size);
    bl_status status =
        document ? read_document(ctx, path, document, out) : bl_fail(ctx, BL_ERR_DATA, "%s: not valid JSON", path);
    fy_document_destroy(document);
    fy_diag_destroy(diag);
    return status;
}

bl_status bl_run_json_text(bl_context *ctx, const char *dir, char **path, char **text, size_t *size) {
    *path = bl_path_make(ctx, "%s/run.json", dir);
    *text = NULL;
    if (!*path) return BL_ERR_MEMORY;
    bl_status status = bl_file_read(ctx, *path, text, size);
    if (status == BL_ERR_NO_INPUT) bl_fail(ctx, status, "%s: no run.json there; is it the folder of a run?", dir);
    return status;
}

bl_status bl_run_json_read(bl_context *ctx, const char *dir, bl_run_info *out) {
    *out = (bl_run_info){.ctx = ctx};
    char *path, *text;
    size_t size = 0;
    bl_status status = bl_run_json_text(ctx, dir, &path, &text, &size);
    if (status == BL_OK) status = parse(ctx, path, text, size, out);
    bl_release(ctx, text);
    bl_release(ctx, path);
    if (status != BL_OK) bl_run_info_clear(out);
    return status;
}
