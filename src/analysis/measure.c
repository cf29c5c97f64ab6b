/* Frames in, JSON lines out. */
#include "beadlet/measure.h"

#include "analysis/column.h"
#include "analysis/contact.h"
#include "analysis/shape.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* One frame, with what its measurements share. */
typedef struct subject {
    bl_context *ctx;
    const bl_scene *scene;
    double time;
    bl_liquid liquid;
    bl_walls_sample walls;
    bl_base base; /* the flat wall under the liquid, if there is one */
} subject;

static bl_status pressure(subject *s, bl_json *json) {
    bl_pressure_result r = bl_measure_pressure(&s->liquid);
    bl_json_number(json, "radius", r.radius);
    bl_json_number(json, "mean_pressure", r.mean);
    bl_json_number(json, "core_pressure", r.core);
    return BL_OK;
}

static bl_status shape(subject *s, bl_json *json) {
    bl_shape_result r;
    bl_status status = bl_measure_shape(s->ctx, &s->liquid, &s->walls, s->base.gap, &r);
    bl_json_number(json, "volume", r.volume);
    bl_json_number(json, "area", r.area);
    bl_json_number(json, "sphericity", r.sphericity);
    bl_json_number(json, "mode2", r.mode[0]);
    bl_json_number(json, "mode3", r.mode[1]);
    bl_json_number(json, "mode4", r.mode[2]);
    bl_json_begin_array(json, "center");
    bl_json_number(json, NULL, r.center.x);
    bl_json_number(json, NULL, r.center.y);
    bl_json_number(json, NULL, r.center.z);
    bl_json_end_array(json);
    return status;
}

static bl_status contact(subject *s, bl_json *json) {
    bl_contact_result r;
    bl_status status = bl_measure_contact(s->ctx, &s->liquid, &s->base, &r);
    bl_json_number(json, "angle", r.angle * 180 / M_PI);
    bl_json_number(json, "angle_fit", r.angle_fit * 180 / M_PI);
    bl_json_number(json, "base_radius", r.base_radius);
    bl_json_number(json, "height", r.height);
    bl_json_number(json, "load", r.load);
    bl_json_number(json, "friction", r.friction);
    return status;
}

static bl_status motion(subject *s, bl_json *json) {
    bl_motion_result r = bl_measure_motion(&s->liquid);
    bl_json_number(json, "speed_center", r.speed_center);
    bl_json_number(json, "speed_max", r.speed_max);
    bl_json_number(json, "kinetic_energy", r.kinetic_energy);
    return BL_OK;
}

static bl_status column(subject *s, bl_json *json) {
    /* Up is against gravity; without it, the last axis. */
    bl_vec3d g = bl_curve_at3(&s->scene->gravity, s->time), up = bl_v3d_make(0, 0, 1);
    if (s->scene->dimension == 2) up = bl_v3d_make(0, 1, 0);
    if (bl_v3d_norm(g) > 0) up = bl_v3d_scale(-1 / bl_v3d_norm(g), g);
    bl_column_result r;
    bl_status status = bl_measure_column(s->ctx, &s->liquid, up, &r);
    bl_json_number(json, "height", r.height);
    bl_json_number(json, "bottom", r.bottom);
    bl_json_number(json, "cross_section", r.cross_section);
    return status;
}

static const struct {
    const char *name;
    bl_status (*measure)(subject *s, bl_json *json);
} kinds[] = {{"pressure", pressure}, {"shape", shape}, {"contact", contact}, {"motion", motion}, {"column", column}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] }; /* "all" has the number behind the last */

const char *bl_measure_name(int index) {
    if (index < 0 || index > KIND_COUNT) return NULL;
    return index == KIND_COUNT ? "all" : kinds[index].name;
}

const char *bl_measure_unit(const char *key) {
    static const char *const units[][2] = {
        {"frame", "1"},           {"time", "s"},        {"radius", "m"},         {"mean_pressure", "Pa"},
        {"core_pressure", "Pa"},  {"volume", "m^3"},    {"area", "m^2"},         {"sphericity", "1"},
        {"mode2", "1"},           {"mode3", "1"},       {"mode4", "1"},          {"center.x", "m"},
        {"center.y", "m"},        {"center.z", "m"},    {"angle", "deg"},        {"angle_fit", "deg"},
        {"base_radius", "m"},     {"height", "m"},      {"load", "N"},           {"friction", "N"},
        {"speed_center", "m/s"},  {"speed_max", "m/s"}, {"kinetic_energy", "J"}, {"bottom", "m"},
        {"cross_section", "m^2"},
    };
    for (int k = 0; k < KIND_COUNT; k++) { /* the name of the group may stand before */
        const size_t length = strlen(kinds[k].name);
        if (!strncmp(key, kinds[k].name, length) && key[length] == '.') key += length + 1;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(key, units[i][0])) return units[i][1];
    return "";
}

bl_measure_options bl_default_measure_options(void) {
    return (bl_measure_options){.first = BL_FRAME_LAST, .last = BL_FRAME_LAST};
}

/* Place of `what` in `kinds`; KIND_COUNT for all; -1 with an error set. */
static int find_kind(bl_context *ctx, const char *what) {
    bl_text names = bl_text_make(ctx);
    int found = -1;
    for (int k = 0; k <= KIND_COUNT; k++) {
        bl_text_add(&names, "%s%s", k ? ", " : "", bl_measure_name(k));
        if (strcmp(what, bl_measure_name(k)) == 0) found = k;
    }
    if (found < 0)
        bl_fail(ctx, BL_ERR_USAGE, "cannot measure \"%s\": one of %s is expected", what, bl_text_str(&names));
    bl_text_clear(&names);
    return found;
}

/* *set is the fluid called `name`, or -1 for all of them if `name` is NULL. */
static bl_status find_fluid(const bl_reader *reader, const char *name, int *set) {
    *set = name ? bl_reader_find_set(reader, name) : -1;
    if (!name || (*set >= 0 && reader->sets.items[*set].kind == BL_SET_FLUID)) return BL_OK;
    bl_text names = bl_text_make(reader->ctx);
    for (int f = 0; f < reader->scene->fluid_count; f++)
        bl_text_add(&names, "%s%s", f ? ", " : "", reader->scene->fluids[f].name);
    bl_status status = bl_fail(reader->ctx, BL_ERR_USAGE, "%s: no fluid is called \"%s\"; there is %s", reader->dir,
                               name, bl_text_str(&names));
    bl_text_clear(&names);
    return status;
}

/* The frame's numbers under `json`: those of one kind, or an object for each. */
static bl_status measure_kinds(subject *s, int kind, bl_json *json) {
    if (kind < KIND_COUNT) return kinds[kind].measure(s, json);
    bl_status status = BL_OK;
    for (int k = 0; k < KIND_COUNT && status == BL_OK; k++) {
        bl_json_begin_object(json, kinds[k].name);
        status = kinds[k].measure(s, json);
        bl_json_end_object(json);
    }
    return status;
}

typedef struct measurement {
    const bl_reader *reader;
    int kind, set;
    bl_measure_fn fn;
    void *user;
} measurement;

static bl_status measure_frame(const measurement *m, const bl_frame_entry *entry) {
    bl_context *ctx = m->reader->ctx;
    subject s = {.ctx = ctx, .scene = m->reader->scene, .time = entry->time};
    bl_text text = bl_text_make(ctx);
    bl_json json = bl_json_make(&text, 0);
    bl_status status = bl_liquid_load(m->reader, m->set, entry->number, &s.liquid);
    if (status == BL_OK) status = bl_walls_sample_load(m->reader, entry->number, &s.walls);
    if (status == BL_OK) status = bl_base_find(ctx, &s.liquid, &s.walls, &s.base);
    bl_json_begin_object(&json, NULL);
    bl_json_integer(&json, "frame", entry->number);
    bl_json_number(&json, "time", entry->time);
    if (status == BL_OK) status = measure_kinds(&s, m->kind, &json);
    bl_json_end_object(&json);
    if (status == BL_OK && text.failed) status = BL_ERR_MEMORY;
    if (status == BL_OK) m->fn(m->user, bl_text_str(&text));
    bl_walls_sample_clear(ctx, &s.walls);
    bl_liquid_clear(ctx, &s.liquid);
    bl_text_clear(&text);
    return status;
}

static bl_status measure_range(const measurement *m, const bl_measure_options *options) {
    const bl_reader *reader = m->reader;
    if (reader->frame_count == 0)
        return bl_fail(reader->ctx, BL_ERR_NO_INPUT, "%s: the run has no frames yet", reader->dir);
    int begin = reader->frames[0].number, end = reader->frames[reader->frame_count - 1].number;
    bool all = options->first == BL_FRAME_ALL;
    int first = all ? begin : options->first == BL_FRAME_LAST ? end : options->first;
    int last = all || options->last == BL_FRAME_LAST ? end : options->last;
    bl_status status = BL_OK;
    bool any = false;
    for (size_t k = 0; k < reader->frame_count && status == BL_OK; k++) {
        if (reader->frames[k].number < first || reader->frames[k].number > last) continue;
        any = true;
        status = measure_frame(m, &reader->frames[k]);
    }
    if (status == BL_OK && !any)
        status = bl_fail(reader->ctx, BL_ERR_NO_INPUT, "%s: there is no frame %d; the run has %d to %d", reader->dir,
                         first, begin, end);
    return status;
}

bl_status bl_measure(bl_context *ctx, const char *what, const char *directory, const bl_measure_options *options,
                     bl_measure_fn fn, void *user) {
    bl_reader reader = {0};
    measurement m = {.reader = &reader, .kind = find_kind(ctx, what), .fn = fn, .user = user};
    if (m.kind < 0) return BL_ERR_USAGE;
    bl_status status = bl_reader_open(ctx, directory, &reader);
    if (status == BL_OK) status = find_fluid(&reader, options->fluid, &m.set);
    if (status == BL_OK) status = measure_range(&m, options);
    bl_reader_close(&reader);
    return status;
}
