/* Values that are words: truth values, choices, names, colours, files; and whole numbers. */
#include "base/file.h"
#include "scene/include.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(bl_reader *r, const bl_node *node, const char *expected) {
    if (node->kind == BL_NODE_SCALAR)
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: found '%.60s', expected %s", bl_reader_where(r),
                    node->text, expected);
    else
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: found %s, expected %s", bl_reader_where(r),
                    bl_node_kind_name(node), expected);
    return false;
}

static bool read_bool(bl_reader *r, const bl_node *node, bool *out) {
    const char *text = node->kind == BL_NODE_SCALAR ? node->text : "";
    *out = strcmp(text, "true") == 0 || strcmp(text, "yes") == 0 || strcmp(text, "on") == 0;
    if (*out || strcmp(text, "false") == 0 || strcmp(text, "no") == 0 || strcmp(text, "off") == 0) return true;
    return fail(r, node, "true or false");
}

/* Whole numbers up to 2^53 pass through a double unharmed; the table's ranges stay below. */
static bool read_whole(bl_reader *r, const bl_key *key, const bl_node *node, long long *out) {
    double value;
    if (!bl_read_number(r, key, node, &value)) return false;
    if (value != floor(value)) return fail(r, node, "a whole number");
    *out = (long long)value;
    return true;
}

/* "one of 'nncg', 'jacobi'", the nearest first */
static void list_choices(const char *word, const char *const *choices, char *buffer, size_t size) {
    const char *const *nearest = choices;
    for (const char *const *choice = choices; *choice; choice++)
        if (bl_edit_distance(word, *choice) < bl_edit_distance(word, *nearest)) nearest = choice;
    size_t used = (size_t)snprintf(buffer, size, "one of '%s'", *nearest ? *nearest : "");
    for (const char *const *choice = choices; *choice && used < size; choice++)
        if (choice != nearest) used += (size_t)snprintf(buffer + used, size - used, ", '%s'", *choice);
}

static bool read_choice(bl_reader *r, const char *const *choices, const bl_node *node, int *out) {
    const char *word = node->kind == BL_NODE_SCALAR ? node->text : "";
    for (*out = 0; choices[*out]; ++*out)
        if (strcmp(word, choices[*out]) == 0) return true;
    char expected[256];
    list_choices(word, choices, expected, sizeof expected);
    return fail(r, node, expected);
}

static bool read_choices(bl_reader *r, const char *const *choices, const bl_node *node, unsigned *out) {
    int index;
    unsigned bits = 0;
    if (node->kind != BL_NODE_LIST) {
        if (!read_choice(r, choices, node, &index)) return false;
        *out = 1u << index;
        return true;
    }
    for (int i = 0; i < node->count; i++) {
        if (!read_choice(r, choices, node->items[i], &index)) return false;
        bits |= 1u << index;
    }
    *out = bits;
    return true;
}

static bool is_truth(const bl_node *node) {
    return node->kind == BL_NODE_SCALAR && (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0);
}

/* Names of axes, or a truth value for each of the three. The default comes as the text "[]". */
static bool read_axes(bl_reader *r, const bl_node *node, bool *out) {
    static const char *const axes[] = {"x", "y", "z", NULL};
    if (node->kind == BL_NODE_LIST && node->count == 3 && is_truth(node->items[0])) {
        bool good = true;
        for (int i = 0; i < 3; i++) good = read_bool(r, node->items[i], &out[i]) && good;
        return good;
    }
    unsigned bits = 0;
    bool none = node->kind == BL_NODE_SCALAR && strcmp(node->text, "[]") == 0;
    if (!none && !read_choices(r, axes, node, &bits)) return false;
    for (int i = 0; i < 3; i++) out[i] = bits >> i & 1;
    return true;
}

static bool read_text(bl_reader *r, const bl_key *key, const bl_node *node, char **out) {
    int index;
    if (key->choices && !read_choice(r, key->choices, node, &index)) return false;
    if (node->kind != BL_NODE_SCALAR) return fail(r, node, "a text");
    *out = bl_arena_text(r->memory, node->text, strlen(node->text));
    r->no_memory |= !*out;
    return *out != NULL;
}

static bool read_color(bl_reader *r, const bl_key *key, const bl_node *node, bl_vec3d *out) {
    if (node->kind != BL_NODE_SCALAR || node->text[0] == '[') return bl_read_vector(r, key, node, out);
    bool good =
        node->text[0] == '#' && strlen(node->text) == 7 && strspn(node->text + 1, "0123456789abcdefABCDEF") == 6;
    if (!good) return fail(r, node, "a colour such as '#4090d8' or [0.25, 0.55, 0.85]");
    unsigned long rgb = strtoul(node->text + 1, NULL, 16);
    *out = bl_v3d_make((double)(rgb >> 16) / 255, (double)(rgb >> 8 & 255) / 255, (double)(rgb & 255) / 255);
    return true;
}

static bool read_scale(bl_reader *r, const bl_key *key, const bl_node *node, bl_vec3d *out) {
    if (node->kind != BL_NODE_SCALAR || node->text[0] == '[') return bl_read_vector(r, key, node, out);
    double factor;
    if (!bl_read_number(r, key, node, &factor)) return false;
    *out = bl_v3d_make(factor, factor, factor);
    return true;
}

static bool read_rotation(bl_reader *r, const bl_key *key, const bl_node *node, bl_vec3d *out) {
    if (node->kind != BL_NODE_MAP) return bl_read_vector(r, key, node, out);
    bl_rotation turn = {{0, 0, 0}, 0};
    bl_read_section(r, key->section, node, node->place, &turn);
    double norm = bl_v3d_norm(turn.axis);
    if (norm > 0 && isfinite(norm)) *out = bl_v3d_scale(turn.angle / norm, turn.axis);
    return true;
}

static bool read_fluid_name(bl_reader *r, const bl_node *node, int *out) {
    const bl_scene *scene = r->scene;
    const char *word = node->kind == BL_NODE_SCALAR ? node->text : "";
    for (int i = 0; i < scene->fluid_count; i++)
        if (strcmp(scene->fluids[i].name, word) == 0) {
            *out = i;
            return true;
        }
    return fail(r, node, "the name of a fluid of this scene");
}

static bool read_mesh_file(bl_reader *r, const bl_node *node, char **out) {
    if (node->kind != BL_NODE_SCALAR) return fail(r, node, "the name of a file");
    *out = bl_find_mesh(r, node->place.source, node->text);
    if (!*out && !r->no_memory)
        bl_diag_add(r->diags, BL_DIAG_MISSING_FILE, node->place, "%s: there is no file '%.200s'", bl_reader_where(r),
                    node->text);
    return *out != NULL;
}

bool bl_read_value(bl_reader *r, const bl_key *key, const bl_node *node, void *member) {
    long long whole = 0;
    int index = 0;
    bool good = false;
    switch (key->type) {
    case BL_KEY_BOOL: return read_bool(r, node, member);
    case BL_KEY_INT:
        good = read_whole(r, key, node, &whole);
        if (good) *(int *)member = (int)whole;
        return good;
    case BL_KEY_LONG:
        good = read_whole(r, key, node, &whole);
        if (good) *(long long *)member = whole;
        return good;
    case BL_KEY_SEED:
        good = read_whole(r, key, node, &whole);
        if (good) *(uint64_t *)member = (uint64_t)whole;
        return good;
    case BL_KEY_CHOICE:
        good = read_choice(r, key->choices, node, &index);
        if (good) memcpy(member, &index, sizeof index); /* an enum */
        return good;
    case BL_KEY_NUMBER: return bl_read_number(r, key, node, member);
    case BL_KEY_VECTOR: return bl_read_vector(r, key, node, member);
    case BL_KEY_SCALE: return read_scale(r, key, node, member);
    case BL_KEY_ROTATION: return read_rotation(r, key, node, member);
    case BL_KEY_COLOR: return read_color(r, key, node, member);
    case BL_KEY_CURVE:
    case BL_KEY_CURVE3: return bl_read_curve(r, key, node, member);
    case BL_KEY_TEXT: return read_text(r, key, node, member);
    case BL_KEY_CHOICES: return read_choices(r, key->choices, node, member);
    case BL_KEY_AXES: return read_axes(r, node, member);
    case BL_KEY_FLUID: return read_fluid_name(r, node, member);
    case BL_KEY_MESH_FILE: return read_mesh_file(r, node, member);
    default: return false;
    }
}
