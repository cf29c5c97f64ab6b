/* Overrides from the command line: "fluids.water.volumes[0].sphere.radius=3 mm". */
#include "scene/include.h"
#include "scene/yaml.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 32 };

/* One step of the path: a key, or an index where key is NULL. */
typedef struct step {
    const char *key;
    int index;
    bl_place place;
} step;

typedef struct path {
    const bl_source *source;
    step steps[MAX_STEPS];
    int count;
} path;

static bl_place place_at(const bl_source *source, size_t from, size_t size) {
    bl_place place = {source, 1, 1, size > 0 ? (int)size : 1};
    for (size_t i = 0; i < from; i++) place.column += ((unsigned char)source->text[i] & 0xc0) != 0x80;
    return place;
}

static bool fail(bl_reader *r, bl_place place, const char *message) {
    bl_diag_add(r->diags, BL_DIAG_ERROR, place, "%s", message);
    return false;
}

/* "[12]" at text[*at] */
static bool parse_index(bl_reader *r, path *p, const char *text, size_t *at, size_t end) {
    size_t from = ++*at;
    while (*at < end && text[*at] >= '0' && text[*at] <= '9') ++*at;
    bool good = *at > from && *at - from < 8 && *at < end && text[*at] == ']';
    if (!good) return fail(r, place_at(p->source, from - 1, 1), "an index is a number in brackets, such as [0]");
    p->steps[p->count++] = (step){NULL, atoi(text + from), place_at(p->source, from - 1, *at - from + 2)};
    ++*at;
    return true;
}

static bool parse_key(bl_reader *r, path *p, const char *text, size_t *at, size_t end) {
    size_t from = *at;
    while (*at < end && !strchr(".[", text[*at])) ++*at;
    char *key = bl_arena_text(r->scratch, text + from, *at - from);
    r->no_memory |= !key;
    if (*at == from) return fail(r, place_at(p->source, from, 1), "expected a key, as in 'time.end=1 s'");
    p->steps[p->count++] = (step){key, 0, place_at(p->source, from, *at - from)};
    return key != NULL;
}

static bool parse_path(bl_reader *r, path *p, const char *text, size_t end) {
    size_t at = 0;
    if (!parse_key(r, p, text, &at, end)) return false;
    while (at < end) {
        if (p->count == MAX_STEPS) return fail(r, place_at(p->source, at, 1), "the path is too long");
        bool index = text[at] == '[';
        if (!index && text[at++] != '.') return fail(r, place_at(p->source, at - 1, 1), "expected '.', '[' or '='");
        if (!(index ? parse_index(r, p, text, &at, end) : parse_key(r, p, text, &at, end))) return false;
    }
    return true;
}

static bl_node *set(bl_reader *r, const path *p, int depth, bl_node *node, bl_node *value);

static bl_node *set_item(bl_reader *r, const path *p, int depth, bl_node *node, bl_node *value) {
    const step *s = &p->steps[depth];
    if (!node || node->kind != BL_NODE_LIST) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, s->place, "there is no list here to take item %d of", s->index);
        return NULL;
    }
    if (s->index >= node->count) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, s->place, "index %d is beyond the list, which has %d item%s", s->index,
                    node->count, node->count == 1 ? "" : "s");
        return NULL;
    }
    bl_node *item = set(r, p, depth + 1, node->items[s->index], value);
    return item ? bl_node_with_item(r->scratch, node, s->index, item) : NULL;
}

static bl_node *set_key(bl_reader *r, const path *p, int depth, bl_node *node, bl_node *value) {
    const step *s = &p->steps[depth];
    if (!node || node->kind == BL_NODE_NULL) node = bl_node_make(r->scratch, BL_NODE_MAP, s->place);
    if (node && node->kind != BL_NODE_MAP) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, s->place, "there is no map here that could have a key '%.60s'", s->key);
        return NULL;
    }
    const bl_pair *pair = bl_node_find(node, s->key);
    bl_node *inner = node ? set(r, p, depth + 1, pair ? pair->value : NULL, value) : NULL;
    return inner ? bl_node_with(r->scratch, node, s->key, s->place, inner) : NULL;
}

/* The tree with the value at the path; NULL with the error reported. */
static bl_node *set(bl_reader *r, const path *p, int depth, bl_node *node, bl_node *value) {
    if (depth == p->count) return value;
    return p->steps[depth].key ? set_key(r, p, depth, node, value) : set_item(r, p, depth, node, value);
}

bl_node *bl_apply_override(bl_reader *r, bl_node *root, const char *text) {
    const bl_source *source = bl_add_source(r, "--set", text, strlen(text));
    if (!source) return root;
    const char *equals = strchr(text, '=');
    if (!equals) {
        fail(r, place_at(source, 0, strlen(text)), "expected KEY=VALUE, as in 'time.end=1 s'");
        return root;
    }
    size_t end = (size_t)(equals - text), from = end + 1;
    while (end > 0 && text[end - 1] == ' ') end--;
    path p = {.source = source};
    if (!parse_path(r, &p, text, end)) return root;
    if (strcmp(p.steps[0].key, "include") == 0) {
        fail(r, p.steps[0].place, "include cannot be set here; files are included before overrides are applied");
        return root;
    }
    bl_node *value = bl_yaml_parse(r->diags, r->scratch, source, from);
    bl_node *result = value ? set(r, &p, 0, root, value) : NULL;
    return result ? result : root;
}
