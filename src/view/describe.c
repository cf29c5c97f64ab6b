/* The run in words: what the page needs to know before it asks for frames. */
#include "output/run_json.h"
#include "particles/fields.h"
#include "view/answers.h"

#include <string.h>

typedef struct field {
    const char *name, *unit, *doc;
    unsigned flags;
} field;

static const field fluid_fields[] = {
#define X(type, name, flags, unit, doc) {#name, unit, doc, flags},
    BL_FLUID_FIELDS(X)
#undef X
};
static const field boundary_fields[] = {
#define X(type, name, flags, unit, doc) {#name, unit, doc, flags},
    BL_BOUNDARY_FIELDS(X)
#undef X
};

/* What frames hold beside the points; ids say nothing in colour. */
static void add_fields(bl_json *json, const char *key, const field *fields, size_t count) {
    bl_json_begin_array(json, key);
    for (size_t k = 0; k < count; k++) {
        if (!(fields[k].flags & BL_FIELD_OUT) || strcmp(fields[k].name, "id") == 0) continue;
        bl_json_begin_object(json, NULL);
        bl_json_string(json, "name", fields[k].name);
        bl_json_string(json, "unit", fields[k].unit);
        bl_json_string(json, "doc", fields[k].doc);
        bl_json_end_object(json);
    }
    bl_json_end_array(json);
}

static void add_sets(bl_json *json, const bl_reader *reader) {
    bl_json_begin_array(json, "sets");
    for (int s = 0; s < reader->sets.count; s++) {
        const bl_set *set = &reader->sets.items[s];
        const bool fluid = set->kind == BL_SET_FLUID;
        if (!fluid && !reader->scene->output.boundaries) continue;
        const bl_vec3d c =
            fluid ? reader->scene->fluids[set->index].color : reader->scene->boundaries[set->index].color;
        bl_json_begin_object(json, NULL);
        bl_json_integer(json, "set", s);
        bl_json_string(json, "name", set->name);
        bl_json_string(json, "kind", fluid ? "fluid" : "boundary");
        bl_json_bool(json, "fixed", set->fixed);
        bl_json_begin_array(json, "color");
        bl_json_number(json, NULL, c.x), bl_json_number(json, NULL, c.y), bl_json_number(json, NULL, c.z);
        bl_json_end_array(json);
        bl_json_end_object(json);
    }
    bl_json_end_array(json);
}

static void add_frames(bl_json *json, const bl_reader *reader) {
    bl_json_begin_array(json, "frames");
    for (size_t k = 0; k < reader->frame_count; k++) {
        bl_json_begin_array(json, NULL);
        bl_json_integer(json, NULL, reader->frames[k].number);
        bl_json_number(json, NULL, reader->frames[k].time);
        bl_json_end_array(json);
    }
    bl_json_end_array(json);
}

static void add_run(bl_json *json, const bl_reader *reader, const bl_run_info *info) {
    const bl_scene *scene = reader->scene;
    bl_json_string(json, "name", scene->name);
    bl_json_string(json, "status", info->status);
    bl_json_string(json, "version", info->version);
    bl_json_integer(json, "dimension", scene->dimension);
    bl_json_number(json, "spacing", scene->spacing);
    bl_json_number(json, "end", scene->time.end);
    add_sets(json, reader);
    add_fields(json, "fluid_fields", fluid_fields, sizeof fluid_fields / sizeof *fluid_fields);
    add_fields(json, "boundary_fields", boundary_fields, sizeof boundary_fields / sizeof *boundary_fields);
    add_frames(json, reader);
}

/* Opens the run anew: it may have grown. */
static bl_status refresh(bl_viewer *viewer) {
    bl_reader grown = {0};
    const bl_status status = bl_reader_open(viewer->ctx, viewer->dir, &grown);
    if (status) return status;
    bl_reader_close(&viewer->reader);
    viewer->reader = grown;
    return BL_OK;
}

void bl_answer_run(bl_viewer *viewer, bl_answer *out) {
    bl_run_info info = {0};
    bl_status status = refresh(viewer);
    if (!status) status = bl_run_json_read(viewer->ctx, viewer->dir, &info);
    if (status) {
        bl_answer_status(out, viewer->ctx, status);
    } else {
        out->type = "application/json";
        bl_json json = bl_json_make(&out->body, 0);
        bl_json_begin_object(&json, NULL);
        add_run(&json, &viewer->reader, &info);
        bl_json_end_object(&json);
    }
    bl_run_info_clear(&info);
}
