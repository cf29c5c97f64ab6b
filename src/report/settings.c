/* The resolved scene as tables: the tree of run.json and the key table are walked together, so that every number gets
 * its unit and every key its explanation. */
#include "report/record.h"
#include "scene/keys.h"

#include <libfyaml.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 40, MAX_VALUES = 4096 };

/* --- values --- */

/* A unit to show numbers of about `size` in: 0.0021 m as 2.1 mm. */
typedef struct shown_unit {
    double factor;
    const char *prefix, *name;
} shown_unit;

static shown_unit choose_unit(bl_dim dim, double size) {
    switch (dim) {
    case BL_DIM_ANGLE: return (shown_unit){180 / 3.14159265358979323846, "", "deg"};
    case BL_DIM_LENGTH:
    case BL_DIM_TIME:
    case BL_DIM_VISCOSITY:
    case BL_DIM_TENSION:
    case BL_DIM_VELOCITY: break;
    default: return (shown_unit){1, "", bl_dim_describe(dim)->si};
    }
    const char *si = bl_dim_describe(dim)->si;
    if (size == 0 || size >= 0.9999) return (shown_unit){1, "", si};
    if (size >= 0.9999e-3) return (shown_unit){1e3, "m", si};
    if (size >= 0.9999e-6) return (shown_unit){1e6, "\xc2\xb5", si};
    return (shown_unit){1e9, "n", si};
}

static void add_unit(bl_html *html, shown_unit unit) {
    if (!*unit.name) return;
    bl_html_markup(html, "&nbsp;%s", unit.prefix);
    for (const char *c = unit.name; *c; c++) {
        if (*c == '^' && c[1])
            bl_html_markup(html, "<sup>%c</sup>", *++c);
        else
            bl_html_markup(html, "%c", *c);
    }
}

static bool read_number(struct fy_node *node, double *out) {
    const char *text = fy_node_is_scalar(node) ? fy_node_get_scalar0(node) : NULL;
    char *end;
    if (!text || fy_node_get_style(node) != FYNS_PLAIN) return false;
    *out = strtod(text, &end);
    return end != text && !*end;
}

/* Largest size of the numbers of a list; false if one is none. */
static bool measure_list(struct fy_node *list, double *size) {
    struct fy_node *item;
    void *at = NULL;
    double value;
    *size = 0;
    while ((item = fy_node_sequence_iterate(list, &at))) {
        if (!read_number(item, &value)) return false;
        *size = fmax(*size, fabs(value));
    }
    return true;
}

static void add_value(bl_html *html, struct fy_node *node, bl_dim dim, int depth);

static void add_list(bl_html *html, struct fy_node *list, bl_dim dim, int depth) {
    double size, value;
    bool numbers = measure_list(list, &size);
    shown_unit unit = choose_unit(dim, size);
    struct fy_node *item;
    void *at = NULL;
    bl_html_markup(html, "[");
    for (int k = 0; k < MAX_VALUES && (item = fy_node_sequence_iterate(list, &at)); k++) {
        if (k) bl_html_markup(html, ", ");
        if (numbers && read_number(item, &value))
            bl_html_markup(html, "%.6g", value * unit.factor);
        else
            add_value(html, item, dim, depth + 1);
    }
    bl_html_markup(html, "]");
    if (numbers && !fy_node_sequence_is_empty(list)) add_unit(html, unit);
}

/* "0 s: 0.4 → 0.2 s: 0.05" */
static void add_keyframes(bl_html *html, struct fy_node *list, bl_dim dim, int depth) {
    struct fy_node *item;
    void *at = NULL;
    for (int k = 0; k < MAX_VALUES && (item = fy_node_sequence_iterate(list, &at)); k++) {
        if (k) bl_html_markup(html, " &rarr; ");
        if (!fy_node_is_sequence(item)) continue;
        add_value(html, fy_node_sequence_get_by_index(item, 0), BL_DIM_TIME, depth + 1);
        bl_html_markup(html, ": ");
        add_value(html, fy_node_sequence_get_by_index(item, 1), dim, depth + 1);
    }
}

static void add_value(bl_html *html, struct fy_node *node, bl_dim dim, int depth) {
    double value;
    if (!node || depth > MAX_DEPTH) return;
    struct fy_node *frames = bl_record_member(node, "keyframes");
    if (frames && fy_node_is_sequence(frames)) {
        add_keyframes(html, frames, dim, depth);
    } else if (fy_node_is_sequence(node)) {
        add_list(html, node, dim, depth);
    } else if (read_number(node, &value)) {
        shown_unit unit = choose_unit(dim, fabs(value));
        bl_html_markup(html, "%.6g", value * unit.factor);
        add_unit(html, unit);
    } else if (fy_node_is_scalar(node)) {
        const char *text = fy_node_get_scalar0(node);
        bl_html_text(html, bl_record_is_null(node) ? "none" : text ? text : "");
    }
}

/* --- tables --- */

static bool has_parts(const bl_key *key) {
    return key && key->section &&
           (key->type == BL_KEY_SECTION || key->type == BL_KEY_NAMED || key->type == BL_KEY_LIST ||
            key->type == BL_KEY_SHAPE || key->type == BL_KEY_SHAPE_TREE);
}

/* May be broken behind points and underscores. */
static void add_path(bl_html *html, const char *path) {
    while (*path) {
        size_t length = strcspn(path, "._");
        char piece[512];
        length += path[length] != 0;
        snprintf(piece, sizeof piece, "%.*s", (int)length, path);
        bl_html_text(html, piece);
        bl_html_markup(html, "<wbr>");
        path += length;
    }
}

static void add_row(bl_html *html, const char *path, const bl_key *key, struct fy_node *value) {
    bl_html_markup(html, "<tr><th scope=\"row\" title=\"");
    bl_html_text(html, key ? key->doc : "");
    bl_html_markup(html, "\">");
    add_path(html, path);
    bl_html_markup(html, "</th><td>");
    add_value(html, value, key ? key->dim : BL_DIM_NONE, 0);
    bl_html_markup(html, "</td></tr>\n");
}

static void add_rows(bl_html *html, const bl_section *section, struct fy_node *map, const char *path, int depth);

static void add_items(bl_html *html, const bl_section *section, struct fy_node *list, const char *path, int depth) {
    struct fy_node *item;
    void *at = NULL;
    char inner[512];
    for (int k = 0; k < MAX_VALUES && (item = fy_node_sequence_iterate(list, &at)); k++) {
        snprintf(inner, sizeof inner, "%.400s[%d].", path, k);
        add_rows(html, section, item, inner, depth + 1);
    }
}

/* A row a value of the map and of the maps in it; `path` ends with a point or is empty. */
static void add_rows(bl_html *html, const bl_section *section, struct fy_node *map, const char *path, int depth) {
    struct fy_node_pair *pair;
    void *at = NULL;
    char inner[512];
    size_t offset;
    if (!fy_node_is_mapping(map) || depth > MAX_DEPTH) return;
    while ((pair = fy_node_mapping_iterate(map, &at))) {
        const char *name = fy_node_get_scalar0(fy_node_pair_key(pair));
        struct fy_node *value = fy_node_pair_value(pair);
        const bl_key *key = name ? bl_section_find(section, name, &offset) : NULL;
        if (!name) continue;
        snprintf(inner, sizeof inner, "%.400s%.100s", path, name);
        if (!has_parts(key)) {
            add_row(html, inner, key, value);
        } else if (fy_node_is_sequence(value)) {
            add_items(html, key->section, value, inner, depth);
        } else {
            snprintf(inner, sizeof inner, "%.400s%.100s.", path, name);
            add_rows(html, key->section, value, inner, depth + 1);
        }
    }
}

static void add_table(bl_html *html, const char *title, const char *name, const bl_section *section,
                      struct fy_node *map) {
    bl_html_markup(html, "<div class=\"scroll card\"><h3>");
    bl_html_text(html, title);
    if (name) bl_html_text(html, ": ");
    if (name) bl_html_text(html, name);
    bl_html_markup(html, "</h3><table class=\"pairs\">\n");
    add_rows(html, section, map, "", 0);
    bl_html_markup(html, "</table></div>\n");
}

/* The scene's own values, those without parts. */
static void add_scene(bl_html *html, struct fy_node *scene) {
    struct fy_node_pair *pair;
    void *at = NULL;
    size_t offset;
    bl_html_markup(html, "<div class=\"scroll card\"><h3>scene</h3><table class=\"pairs\">\n");
    while ((pair = fy_node_mapping_iterate(scene, &at))) {
        const char *name = fy_node_get_scalar0(fy_node_pair_key(pair));
        const bl_key *key = name ? bl_section_find(&bl_section_scene, name, &offset) : NULL;
        if (name && !has_parts(key)) add_row(html, name, key, fy_node_pair_value(pair));
    }
    bl_html_markup(html, "</table></div>\n");
}

/* One table for each item of a map of names, or one for a section. */
static void add_part(bl_html *html, const bl_key *key, struct fy_node *value) {
    struct fy_node_pair *pair;
    void *at = NULL;
    if (!fy_node_is_mapping(value)) return;
    if (key->type != BL_KEY_NAMED) {
        add_table(html, key->name, NULL, key->section, value);
        return;
    }
    while ((pair = fy_node_mapping_iterate(value, &at))) {
        const char *name = fy_node_get_scalar0(fy_node_pair_key(pair));
        add_table(html, key->name, name ? name : "", key->section, fy_node_pair_value(pair));
    }
}

void bl_report_add_settings(bl_html *html, const bl_record *record) {
    struct fy_node *scene = bl_record_member(record->root, "scene");
    bl_html_begin_section(html, "settings", "Settings");
    if (!scene || !fy_node_is_mapping(scene)) {
        bl_html_note(html, "The run recorded no scene.");
    } else {
        bl_html_markup(html, "<div class=\"columns\">\n");
        add_scene(html, scene);
        /* what was chosen first, how it is solved and written last */
        static const char *const parts[] = {"fluids", "boundaries", "time",   "domain",
                                            "scheme", "output",     "camera", "look"};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            size_t offset;
            const bl_key *key = bl_section_find(&bl_section_scene, parts[k], &offset);
            struct fy_node *value = bl_record_member(scene, parts[k]);
            if (key && value) add_part(html, key, value);
        }
        bl_html_markup(html, "</div>\n");
    }
    bl_html_end_section(html);
}
