/* The resolved scene as JSON, by the key table. */
#include "scene/keys.h"

#include <string.h>

typedef struct writer {
    const bl_scene *scene;
    bl_json *json;
} writer;

static void write_section(writer *w, const bl_section *section, const char *object);

static void write_vector(bl_json *json, const char *key, const double *v) {
    bl_json_begin_array(json, key);
    for (int i = 0; i < 3; i++) bl_json_number(json, NULL, v[i]);
    bl_json_end_array(json);
}

static void write_curve_value(bl_json *json, const char *key, const bl_curve *curve, int index) {
    const double *value = &curve->values[index * curve->width];
    if (curve->width == 1)
        bl_json_number(json, key, value[0]);
    else
        write_vector(json, key, value);
}

static void write_curve(bl_json *json, const char *key, const bl_curve *curve) {
    if (curve->count == 1) write_curve_value(json, key, curve, 0);
    if (curve->count <= 1) return;
    bl_json_begin_object(json, key);
    bl_json_begin_array(json, "keyframes");
    for (int i = 0; i < curve->count; i++) {
        bl_json_begin_array(json, NULL);
        bl_json_number(json, NULL, curve->times[i]);
        write_curve_value(json, NULL, curve, i);
        bl_json_end_array(json);
    }
    bl_json_end_array(json);
    bl_json_end_object(json);
}

static void write_words(bl_json *json, const char *key, const char *const *words, unsigned bits) {
    bl_json_begin_array(json, key);
    for (int i = 0; words[i]; i++)
        if (bits >> i & 1) bl_json_string(json, NULL, words[i]);
    bl_json_end_array(json);
}

static void write_axes(bl_json *json, const char *key, const bool *axes) {
    static const char *const names[] = {"x", "y", "z", NULL};
    write_words(json, key, names, (unsigned)axes[0] | (unsigned)axes[1] << 1 | (unsigned)axes[2] << 2);
}

static const char *read_text_member(const char *member) {
    const char *text;
    memcpy(&text, member, sizeof text);
    return text;
}

static void write_fluid_name(writer *w, const char *key, int fluid) {
    if (fluid < w->scene->fluid_count) bl_json_string(w->json, key, w->scene->fluids[fluid].name);
}

/* Values that are not made of sections. */
static void write_value(writer *w, const bl_key *key, const char *member) {
    int choice;
    switch (key->type) {
    case BL_KEY_BOOL: bl_json_bool(w->json, key->name, *(const bool *)member); break;
    case BL_KEY_INT: bl_json_integer(w->json, key->name, *(const int *)member); break;
    case BL_KEY_LONG: bl_json_integer(w->json, key->name, *(const long long *)member); break;
    case BL_KEY_SEED: bl_json_integer(w->json, key->name, (long long)*(const uint64_t *)member); break;
    case BL_KEY_NUMBER: bl_json_number(w->json, key->name, *(const double *)member); break;
    case BL_KEY_VECTOR:
    case BL_KEY_SCALE:
    case BL_KEY_ROTATION:
    case BL_KEY_COLOR: write_vector(w->json, key->name, (const double *)member); break;
    case BL_KEY_CURVE:
    case BL_KEY_CURVE3: write_curve(w->json, key->name, (const bl_curve *)member); break;
    case BL_KEY_TEXT:
    case BL_KEY_MESH_FILE:
        if (read_text_member(member)) bl_json_string(w->json, key->name, read_text_member(member));
        break;
    case BL_KEY_CHOICE:
        memcpy(&choice, member, sizeof choice);
        bl_json_string(w->json, key->name, key->choices[choice]);
        break;
    case BL_KEY_CHOICES: write_words(w->json, key->name, key->choices, *(const unsigned *)member); break;
    case BL_KEY_AXES: write_axes(w->json, key->name, (const bool *)member); break;
    case BL_KEY_FLUID: write_fluid_name(w, key->name, *(const int *)member); break;
    default: break;
    }
}

static void write_items(writer *w, const bl_key *key, const char *items, int count) {
    bool named = key->type == BL_KEY_NAMED;
    if (named)
        bl_json_begin_object(w->json, key->name);
    else
        bl_json_begin_array(w->json, key->name);
    for (int i = 0; i < count; i++) {
        const char *object = items + (size_t)i * key->section->size;
        bl_json_begin_object(w->json, named ? read_text_member(object + key->section->name_offset) : NULL);
        write_section(w, key->section, object);
        bl_json_end_object(w->json);
    }
    if (named)
        bl_json_end_object(w->json);
    else
        bl_json_end_array(w->json);
}

static void write_key(writer *w, const bl_key *key, const char *object) {
    const char *member = object + key->offset;
    const bl_shape *shape = (const bl_shape *)member;
    switch (key->type) {
    case BL_KEY_SECTION:
        bl_json_begin_object(w->json, key->name);
        write_section(w, key->section, member);
        bl_json_end_object(w->json);
        break;
    case BL_KEY_NAMED:
    case BL_KEY_LIST: write_items(w, key, read_text_member(member), *(const int *)(object + key->count_offset)); break;
    case BL_KEY_SHAPE:
        if (shape->kind != key->kind) break;
        bl_json_begin_object(w->json, key->name);
        write_section(w, key->section, member);
        bl_json_end_object(w->json);
        break;
    case BL_KEY_SHAPE_TREE:
        if (shape->kind == key->kind) write_items(w, key, (const char *)shape->children, shape->child_count);
        break;
    default: write_value(w, key, member);
    }
}

static void write_section(writer *w, const bl_section *section, const char *object) {
    if (section->base) write_section(w, section->base, object + section->base_offset);
    for (int i = 0; i < section->key_count; i++) {
        const bl_key *key = &section->keys[i];
        bool absent = key->given_offset > 0 && !*(const bool *)(object + key->given_offset);
        if (!(key->flags & BL_KEY_INPUT_ONLY) && !absent) write_key(w, key, object);
    }
}

void bl_scene_write_json(const bl_scene *scene, bl_json *json, const char *key) {
    writer w = {scene, json};
    bl_json_begin_object(json, key);
    write_section(&w, &bl_section_scene, (const char *)scene);
    bl_json_end_object(json);
}
