/* docs/scene-reference.md, from the key table. */
#include "scene/reader.h"

#include <string.h>

static const char introduction[] =
    "# Scene files\n"
    "\n"
    "This page is made from the key table in src/scene; `beadlet new --reference` prints it.\n"
    "\n"
    "A scene is a YAML or JSON file. Nothing in it is executed. Unknown keys are errors.\n"
    "\n"
    "```yaml\n"
    "name: drop on a slope\n"
    "spacing: 0.5 mm\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "time: {end: 0.3 s, max_step: 0.1 ms, frames_per_second: 200}\n"
    "fluids:\n"
    "  water:\n"
    "    material: water\n"
    "    volumes: [{sphere: {center: [0, 0, 2.2 mm], radius: 2 mm}}]\n"
    "boundaries:\n"
    "  glass:\n"
    "    contact_angle: 60 deg\n"
    "    friction: {keyframes: [[0 s, 0.4], [0.2 s, 0.05]]}\n"
    "    shapes: [{plane: {normal: [0.3, 0, 1]}}]\n"
    "```\n"
    "\n"
    "**Numbers** may carry a unit; a bare number is in SI units. Known are m, s, min, h, g, N, dyn, Pa, bar, P "
    "(poise),\n"
    "J, L, Hz, rad, deg, rpm and %, most of them with the prefixes n, u, m, c, k and M; and products, quotients and\n"
    "powers of them, such as `mPa s`, `kg/m^3` or `1/s`. A unit that does not fit the key is an error.\n"
    "\n"
    "**Vectors** are lists of three numbers (in 2D two are enough, except where the z axis matters). A unit at the "
    "last\n"
    "number alone holds for all three: `[1, 2, 3 mm]`. Otherwise every number other than 0 has its own. `'[1, 2, 3] "
    "mm'`\n"
    "in quotes is the same.\n"
    "\n"
    "**Keyframes**: a value marked *over time* may be `{keyframes: [[0 s, 0.4], [0.2 s, 0.05]]}`: linear in between,\n"
    "constant before and after, times ascending.\n"
    "\n"
    "**Overrides**: `--set fluids.water.volumes[0].sphere.radius='3 mm'` sets a key from the command line.\n"
    "\n"
    "**Materials**: `material: NAME` in a fluid takes density, viscosity, surface tension and colour from the entry "
    "NAME\n"
    "of `materials` (in this file or an included one), else from the file materials/NAME.yaml that comes with "
    "Beadlet.\n"
    "Keys given in the fluid itself win.\n";

static const char *type_name(const bl_key *key) {
    switch (key->type) {
    case BL_KEY_BOOL: return "true or false";
    case BL_KEY_INT:
    case BL_KEY_LONG:
    case BL_KEY_SEED: return "whole number";
    case BL_KEY_NUMBER: return "number";
    case BL_KEY_VECTOR: return "vector";
    case BL_KEY_SCALE: return "number or vector";
    case BL_KEY_ROTATION: return "map or vector";
    case BL_KEY_COLOR: return "colour";
    case BL_KEY_CURVE: return "number over time";
    case BL_KEY_CURVE3: return "vector over time";
    case BL_KEY_CHOICES:
    case BL_KEY_LIST:
    case BL_KEY_SHAPE_TREE: return "list";
    case BL_KEY_AXES: return "list of x, y, z";
    case BL_KEY_FLUID: return "name of a fluid";
    case BL_KEY_MESH_FILE: return "file";
    case BL_KEY_SECTION:
    case BL_KEY_SHAPE: return "map";
    case BL_KEY_NAMED: return "map of names";
    case BL_KEY_META:
        if (strcmp(key->name, "quality") == 0) return "text";
        return key->section || strcmp(key->name, "qualities") == 0 ? "map of names" : "text or list";
    case BL_KEY_TEXT:
    case BL_KEY_CHOICE: break;
    }
    return key->choices ? "choice" : "text";
}

static void add_type(bl_text *out, const bl_key *key) {
    char range[96];
    bl_key_range_text(key, range, sizeof range);
    bl_text_add(out, "%s", type_name(key));
    if (key->dim != BL_DIM_NONE) bl_text_add(out, " in %s", bl_dim_describe(key->dim)->si);
    if (*range) bl_text_add(out, ", %s", range);
    for (int i = 0; key->choices && key->choices[i]; i++) bl_text_add(out, "%s`%s`", i ? ", " : ": ", key->choices[i]);
}

static void add_default(bl_text *out, const bl_key *key) {
    if (key->default_note)
        bl_text_add(out, "%s", key->default_note);
    else if (key->fallback)
        bl_text_add(out, "`%s`", key->fallback);
    else if (key->flags & BL_KEY_REQUIRED)
        bl_text_add(out, "required");
}

static void add_rows(bl_text *out, const bl_section *section) {
    for (int i = 0; i < section->key_count; i++) {
        const bl_key *key = &section->keys[i];
        bl_text_add(out, "| `%s` | ", key->name);
        add_type(out, key);
        bl_text_add(out, " | ");
        add_default(out, key);
        bl_text_add(out, " | %s | `%s` |\n", key->doc, key->example);
    }
}

static void add_section(bl_text *out, const bl_section *section) {
    bl_text_add(out, "\n## %s\n\n%s\n", section->title, section->doc);
    if (section->base) bl_text_add(out, "\nIt has all keys of *%s* and these:\n", section->base->title);
    bl_text_add(out, "\n| key | value | default | meaning | example |\n|---|---|---|---|---|\n");
    add_rows(out, section);
}

enum { MAX_SECTIONS = 64 };
typedef struct section_list {
    const bl_section *items[MAX_SECTIONS];
    int count;
} section_list;

/* Depth first, each section once: a base before what builds on it. */
static void collect(section_list *list, const bl_section *section) {
    for (int i = 0; i < list->count; i++)
        if (list->items[i] == section) return;
    if (section->base) collect(list, section->base);
    if (list->count == MAX_SECTIONS) return;
    list->items[list->count++] = section;
    for (int i = 0; i < section->key_count; i++)
        if (section->keys[i].section) collect(list, section->keys[i].section);
}

char *bl_scene_reference(bl_context *ctx) {
    bl_text text = bl_text_make(ctx);
    section_list list = {.count = 0};
    bl_text_add_bytes(&text, introduction, sizeof introduction - 1);
    collect(&list, &bl_section_scene);
    for (int i = 0; i < list.count; i++) add_section(&text, list.items[i]);
    char *copy = text.failed ? NULL : bl_strdup(ctx, bl_text_str(&text));
    bl_text_clear(&text);
    return copy;
}

void bl_free_string(bl_context *ctx, char *text) { bl_release(ctx, text); }
