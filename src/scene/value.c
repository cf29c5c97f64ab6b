/* Numbers with units, vectors and curves. */
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A number as written. `node` is where it stands, text a part of node->text. */
typedef struct quantity {
    const bl_node *node;
    const char *text;
    size_t length;
    bl_unit unit;
    bool has_unit;
} quantity;

static const bl_key keyframe_time = {"time", BL_KEY_NUMBER, .dim = BL_DIM_TIME};

/* "a density such as '998 kg/m^3'" */
static const char *expectation(const bl_key *key, char *buffer, size_t size) {
    const bl_dim_info *dim = bl_dim_describe(key->dim);
    const char *what = key->type == BL_KEY_INT || key->type == BL_KEY_LONG || key->type == BL_KEY_SEED
                           ? "a whole number"
                       : key->dim == BL_DIM_NONE ? "a number"
                                                 : dim->name;
    if (key->example && *key->example != '{')
        snprintf(buffer, size, "%s such as %s%s%s", what, *key->example == '\'' ? "" : "'", key->example,
                 *key->example == '\'' ? "" : "'");
    else
        snprintf(buffer, size, "%s%s%s", what, *dim->example ? " in " : "", dim->example);
    return buffer;
}

static void complain(bl_reader *r, const bl_key *key, const bl_node *node, const char *found) {
    char expected[160];
    expectation(key, expected, sizeof expected);
    if (found)
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: found '%.60s', expected %s", bl_reader_where(r), found,
                    expected);
    else
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: found %s, expected %s", bl_reader_where(r),
                    bl_node_kind_name(node), expected);
}

/* The place of a part of a scalar: exact as long as the scalar is written in one line without escapes (the
 * place of a quoted scalar is behind its quote). */
static bl_place part_place(const bl_node *node, const char *part, size_t size) {
    bl_place place = node->place;
    if (!node->text || part < node->text || part > node->text + strlen(node->text)) return place;
    for (const char *c = node->text; c < part; c++) place.column += ((unsigned char)*c & 0xc0) != 0x80;
    place.width = (int)size;
    return place;
}

static void complain_unit(bl_reader *r, const bl_key *key, const bl_node *node, const char *unit, size_t size,
                          bool known) {
    const bl_dim_info *dim = bl_dim_describe(key->dim);
    bl_place place = part_place(node, unit, size);
    const char *fault = known ? "found the unit" : "unknown unit";
    int shown = size > 40 ? 40 : (int)size;
    if (key->dim == BL_DIM_NONE)
        bl_diag_add(r->diags, BL_DIAG_ERROR, place, "%s: %s '%.*s', expected a plain number", bl_reader_where(r), fault,
                    shown, unit);
    else
        bl_diag_add(r->diags, BL_DIAG_ERROR, place, "%s: %s '%.*s', expected %s such as '%s'", bl_reader_where(r),
                    fault, shown, unit, dim->name, dim->example);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static void trim(const char **text, size_t *size) {
    while (*size > 0 && is_blank((*text)[*size - 1])) --*size;
    while (*size > 0 && is_blank(**text)) ++*text, --*size;
}

/* A unit that must fit the key. */
static bool read_unit(bl_reader *r, const bl_key *key, const bl_node *node, const char *text, size_t size,
                      bl_unit *out) {
    size_t bad_at = 0, bad_size = 0;
    if (!bl_unit_parse(text, size, out, &bad_at, &bad_size)) {
        complain_unit(r, key, node, text, size, false);
        return false;
    }
    if (!bl_unit_fits(out, key->dim)) {
        complain_unit(r, key, node, text, size, true);
        return false;
    }
    return true;
}

static bool read_quantity(bl_reader *r, const bl_key *key, const bl_node *node, const char *text, size_t size,
                          quantity *out) {
    trim(&text, &size);
    *out = (quantity){node, text, bl_number_length(text, size), bl_unit_none(), false};
    if (out->length == 0) {
        complain(r, key, node, node->text);
        return false;
    }
    const char *unit = text + out->length;
    size_t unit_size = size - out->length;
    trim(&unit, &unit_size);
    out->has_unit = unit_size > 0;
    return !out->has_unit || read_unit(r, key, node, unit, unit_size, &out->unit);
}

char *bl_key_range_text(const bl_key *key, char *buffer, size_t size) {
    bl_range range = key->range;
    buffer[0] = 0;
    if (!range.limited) return buffer;
    char low[32], high[32];
    bool angle = key->dim == BL_DIM_ANGLE;
    double unit = angle ? acos(-1) / 180 : 1;
    const char *si = key->dim == BL_DIM_NONE ? "" : angle ? "deg" : bl_dim_describe(key->dim)->si;
    const char *blank = *si ? " " : "";
    bl_format_double(low, range.min / unit);
    bl_format_double(high, angle ? round(range.max / unit) : range.max);
    if (isinf(range.max))
        snprintf(buffer, size, "%s %s%s%s", range.open_min ? "more than" : "at least", low, blank, si);
    else if (range.open_min)
        snprintf(buffer, size, "more than %s and at most %s%s%s", low, high, blank, si);
    else
        snprintf(buffer, size, "between %s and %s%s%s", low, high, blank, si);
    return buffer;
}

static bool in_range(bl_range range, double value) {
    return !range.limited || ((range.open_min ? value > range.min : value >= range.min) && value <= range.max);
}

static bool evaluate(bl_reader *r, const bl_key *key, const quantity *q, double *out) {
    *out = bl_number_value(q->text, q->length, &q->unit);
    int shown = q->length > 40 ? 40 : (int)q->length;
    if (!isfinite(*out)) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, q->node->place, "%s: found '%.*s', which is too large for a number",
                    bl_reader_where(r), shown, q->text);
        return false;
    }
    if (in_range(key->range, *out)) return true;
    char range[96];
    bl_key_range_text(key, range, sizeof range);
    bool bare_angle = key->dim == BL_DIM_ANGLE && !q->has_unit;
    bl_diag_add(r->diags, BL_DIAG_ERROR, q->node->place, "%s: found '%.60s', expected %s%s", bl_reader_where(r),
                q->node->text, range, bare_angle ? "; a bare number is in radians" : "");
    return false;
}

static bool expect_scalar(bl_reader *r, const bl_key *key, const bl_node *node) {
    if (node->kind == BL_NODE_SCALAR) return true;
    complain(r, key, node, NULL);
    return false;
}

bool bl_read_number(bl_reader *r, const bl_key *key, const bl_node *node, double *out) {
    quantity q;
    return expect_scalar(r, key, node) && read_quantity(r, key, node, node->text, strlen(node->text), &q) &&
           evaluate(r, key, &q, out);
}

static void complain_count(bl_reader *r, const bl_key *key, const bl_node *node) {
    bool plane = r->scene->dimension == 2 && (key->flags & BL_KEY_IN_PLANE);
    char found[32];
    snprintf(found, sizeof found, "%s", bl_node_kind_name(node));
    if (node->kind == BL_NODE_LIST)
        snprintf(found, sizeof found, "%d number%s", node->count, node->count == 1 ? "" : "s");
    bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: found %s, expected a vector of %s numbers such as '%s'",
                bl_reader_where(r), found, plane ? "two or three" : "three", key->example ? key->example : "[0, 0, 1]");
}

/* "[1, 2, 3] mm" */
static int read_text_vector(bl_reader *r, const bl_key *key, const bl_node *node, quantity *items) {
    const char *at = node->text + 1, *close = strchr(at, ']');
    int count = 0;
    while (close && at <= close && count < 3) {
        size_t size = strcspn(at, ",]");
        if (!read_quantity(r, key, node, at, size, &items[count++])) return -1;
        at += size + 1;
    }
    if (!close || at != close + 1) {
        complain_count(r, key, node);
        return -1;
    }
    const char *unit = close + 1;
    size_t size = strlen(unit);
    trim(&unit, &size);
    if (size == 0) return count;
    bl_unit all;
    if (!read_unit(r, key, node, unit, size, &all)) return -1;
    for (int i = 0; i < count; i++)
        if (!items[i].has_unit) items[i].unit = all, items[i].has_unit = true;
    return count;
}

static int read_list_vector(bl_reader *r, const bl_key *key, const bl_node *node, quantity *items) {
    if (node->count > 3) {
        complain_count(r, key, node);
        return -1;
    }
    bool good = true;
    for (int i = 0; i < node->count; i++) {
        const bl_node *item = node->items[i];
        good = expect_scalar(r, key, item) && read_quantity(r, key, item, item->text, strlen(item->text), &items[i]) &&
               good;
    }
    return good ? node->count : -1;
}

/* A unit at the last component alone holds for all; otherwise every component but a zero needs its own. */
static bool spread_unit(bl_reader *r, quantity *items, int count) {
    int with_unit = 0;
    for (int i = 0; i < count; i++) with_unit += items[i].has_unit;
    if (with_unit == 0) return true;
    bool last_only = with_unit == 1 && items[count - 1].has_unit;
    for (int i = 0; i < count; i++) {
        if (items[i].has_unit) continue;
        if (!last_only && bl_number_value(items[i].text, items[i].length, &items[i].unit) != 0) {
            bl_diag_add(r->diags, BL_DIAG_ERROR, items[i].node->place,
                        "%s: this component has no unit while others have; give one to each, or to the last alone",
                        bl_reader_where(r));
            return false;
        }
        items[i].unit = items[count - 1].has_unit ? items[count - 1].unit : items[i].unit;
    }
    return true;
}

static bool check_vector(bl_reader *r, const bl_key *key, const bl_node *node, const double *v) {
    if ((key->flags & BL_KEY_NOT_ZERO) && v[0] == 0 && v[1] == 0 && v[2] == 0) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: a direction cannot be the zero vector",
                    bl_reader_where(r));
        return false;
    }
    if (r->scene->dimension == 2 && (key->flags & BL_KEY_IN_PLANE) && v[2] != 0)
        bl_diag_add(r->diags, BL_DIAG_WARNING, node->place, "%s: the z component means nothing in a 2D scene",
                    bl_reader_where(r));
    return true;
}

bool bl_read_vector(bl_reader *r, const bl_key *key, const bl_node *node, bl_vec3d *out) {
    quantity items[3];
    int count = 0;
    if (node->kind == BL_NODE_LIST)
        count = read_list_vector(r, key, node, items);
    else if (node->kind == BL_NODE_SCALAR && node->text[0] == '[')
        count = read_text_vector(r, key, node, items);
    if (count < 0) return false;
    bool plane = r->scene->dimension == 2 && (key->flags & BL_KEY_IN_PLANE);
    if (count != 3 && !(count == 2 && plane)) {
        complain_count(r, key, node);
        return false;
    }
    double v[3] = {0, 0, 0};
    bool good = spread_unit(r, items, count);
    for (int i = 0; good && i < count; i++) good = evaluate(r, key, &items[i], &v[i]);
    if (!good || !check_vector(r, key, node, v)) return false;
    *out = bl_v3d_make(v[0], v[1], v[2]);
    return true;
}

static bool read_curve_value(bl_reader *r, const bl_key *key, const bl_node *node, int width, double *out) {
    bl_vec3d v;
    if (width == 1) return bl_read_number(r, key, node, out);
    if (!bl_read_vector(r, key, node, &v)) return false;
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
    return true;
}

static bool read_keyframe(bl_reader *r, const bl_key *key, const bl_node *node, bl_curve *curve, int index) {
    if (node->kind != BL_NODE_LIST || node->count != 2) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: a keyframe is a pair [time, value]", bl_reader_where(r));
        return false;
    }
    double *time = &curve->times[index];
    bool good = bl_read_number(r, &keyframe_time, node->items[0], time);
    good = read_curve_value(r, key, node->items[1], curve->width, &curve->values[index * curve->width]) && good;
    if (good && index > 0 && !(*time > time[-1])) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->items[0]->place,
                    "%s: keyframes out of order: the time '%.40s' is not after the one before", bl_reader_where(r),
                    node->items[0]->text);
        return false;
    }
    return good;
}

static bool make_curve(bl_reader *r, bl_curve *curve, int count, int width) {
    curve->times = bl_reader_take(r, (size_t)count, sizeof *curve->times);
    curve->values = bl_reader_take(r, (size_t)count * (size_t)width, sizeof *curve->values);
    curve->count = curve->times && curve->values ? count : 0;
    curve->width = width;
    return curve->count > 0;
}

static bool read_keyframes(bl_reader *r, const bl_key *key, const bl_node *list, int width, bl_curve *out) {
    if (list->kind != BL_NODE_LIST || list->count == 0) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, list->place, "%s: expected a list of keyframes [time, value]",
                    bl_reader_where(r));
        return false;
    }
    bl_curve curve;
    if (!make_curve(r, &curve, list->count, width)) return false;
    size_t old = bl_reader_enter(r, "keyframes");
    bool good = true;
    for (int i = 0; i < list->count; i++) good = read_keyframe(r, key, list->items[i], &curve, i) && good;
    bl_reader_leave(r, old);
    if (good) *out = curve;
    return good;
}

bool bl_read_curve(bl_reader *r, const bl_key *key, const bl_node *node, bl_curve *out) {
    int width = key->type == BL_KEY_CURVE3 ? 3 : 1;
    if (node->kind == BL_NODE_MAP) {
        const bl_pair *frames = bl_node_find(node, "keyframes");
        for (int i = 0; i < node->count; i++)
            if (&node->pairs[i] != frames)
                bl_diag_add(r->diags, BL_DIAG_ERROR, node->pairs[i].place,
                            "unknown key '%.60s' in %s; did you mean 'keyframes'?", node->pairs[i].key,
                            bl_reader_where(r));
        if (frames && node->count == 1) return read_keyframes(r, key, frames->value, width, out);
        if (node->count == 0) complain(r, key, node, NULL);
        return false;
    }
    double value[3];
    bl_curve curve;
    if (!read_curve_value(r, key, node, width, value) || !make_curve(r, &curve, 1, width)) return false;
    memcpy(curve.values, value, (size_t)width * sizeof *value);
    *out = curve;
    return true;
}
