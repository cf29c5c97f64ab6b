#include "report/record.h"

#include "output/run_json.h"
#include "scene/yaml.h"

#include <libfyaml.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bl_record_close(bl_record *record) {
    fy_document_destroy(record->document);
    if (record->diag) fy_diag_destroy(record->diag);
    *record = (bl_record){0};
}

static bl_status parse(bl_context *ctx, const char *path, const char *text, size_t size, bl_record *out) {
    out->diag = bl_yaml_silent_diag();
    if (!out->diag) return bl_fail(ctx, BL_ERR_MEMORY, "out of memory for reading %s", path);
    const struct fy_parse_cfg cfg = {.flags = FYPCF_QUIET | FYPCF_JSON_FORCE, .diag = out->diag};
    /* the nodes point into the text: hand over a copy that the document frees */
    char *copy = malloc(size + 1);
    if (!copy) return bl_fail(ctx, BL_ERR_MEMORY, "out of memory for reading %s", path);
    memcpy(copy, text, size);
    copy[size] = 0;
    out->document = fy_document_build_from_malloc_string(&cfg, copy, size);
    if (!out->document) return bl_fail(ctx, BL_ERR_DATA, "%s: not valid JSON", path);
    out->root = fy_document_root(out->document);
    if (!fy_node_is_mapping(out->root))
        return bl_fail(ctx, BL_ERR_DATA, "%s: expected the file that a run writes", path);
    return BL_OK;
}

bl_status bl_record_open(bl_context *ctx, const char *dir, bl_record *out) {
    *out = (bl_record){0};
    char *path, *text;
    size_t size = 0;
    bl_status status = bl_run_json_text(ctx, dir, &path, &text, &size);
    if (status == BL_OK) status = parse(ctx, path, text, size, out);
    bl_release(ctx, text);
    bl_release(ctx, path);
    if (status != BL_OK) bl_record_close(out);
    return status;
}

struct fy_node *bl_record_member(struct fy_node *map, const char *key) {
    return fy_node_is_mapping(map) ? fy_node_mapping_lookup_by_string(map, key, FY_NT) : NULL;
}

bool bl_record_is_null(struct fy_node *node) {
    const char *text = fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    return !node || (fy_node_get_style(node) == FYNS_PLAIN && text && !strcmp(text, "null"));
}

const char *bl_record_text(struct fy_node *map, const char *key) {
    struct fy_node *node = bl_record_member(map, key);
    const char *text = node && fy_node_is_scalar(node) && !bl_record_is_null(node) ? fy_node_get_scalar0(node) : NULL;
    return text ? text : "";
}

double bl_record_number(struct fy_node *map, const char *key) {
    const char *text = bl_record_text(map, key);
    char *end;
    double value = strtod(text, &end);
    return end != text && !*end ? value : (double)NAN;
}
