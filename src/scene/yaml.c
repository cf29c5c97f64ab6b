#include "scene/yaml.h"

#include <libfyaml.h>
#include <string.h>

enum { MAX_ANCHORS = 1000, FIRST_PENDING = 256 };

typedef struct frame {
    bl_node *node;
    int first; /* of its children in `pending` */
    const char *anchor;
} frame;

typedef struct anchor {
    const char *name;
    bl_node *node;
} anchor;

/* Children wait in `pending` until the end of their map or list is reached. */
typedef struct builder {
    bl_diags *diags;
    bl_arena *arena;
    const bl_source *source;
    bl_node *root;
    frame frames[BL_SCENE_MAX_DEPTH];
    int depth;
    bl_node **pending;
    int pending_count, pending_capacity;
    anchor anchors[MAX_ANCHORS];
    int anchor_count;
    int documents;
    int nodes;
    bool failed;
} builder;

static void fail_at(builder *b, bl_place place, const char *message) {
    if (!b->failed) bl_diag_add(b->diags, BL_DIAG_ERROR, place, "%s", message);
    b->failed = true;
}

static bl_place event_place(const builder *b, struct fy_event *event) {
    const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
    bl_place place = {b->source, 1, 1, 1};
    if (!start) return place;
    place.line = start->line + 1;
    place.column = start->column + 1;
    if (end && end->line == start->line && end->column > start->column) place.width = end->column - start->column;
    return place;
}

static bl_node *make_node(builder *b, bl_node_kind kind, bl_place place) {
    bl_node *node = bl_node_make(b->arena, kind, place);
    b->failed |= !node;
    return node;
}

static const char *token_text(builder *b, struct fy_token *token) {
    size_t size = 0;
    const char *text = token ? fy_token_get_text(token, &size) : NULL;
    char *copy = bl_arena_text(b->arena, text ? text : "", text ? size : 0);
    b->failed |= !copy;
    return copy;
}

static void remember_anchor(builder *b, const char *name, bl_node *node) {
    if (!name) return;
    if (b->anchor_count == MAX_ANCHORS)
        fail_at(b, node->place, "too many anchors");
    else
        b->anchors[b->anchor_count++] = (anchor){name, node};
}

/* A finished node goes to its parent's pending children, or becomes the root. */
static void add_node(builder *b, bl_node *node) {
    b->nodes += node->size;
    if (b->nodes > BL_SCENE_MAX_NODES) {
        fail_at(b, node->place, "the scene is too large (more than 200000 values, aliases expanded)");
        return;
    }
    if (b->depth == 0) {
        b->root = node;
        return;
    }
    if (b->pending_count == b->pending_capacity) {
        size_t old = (size_t)b->pending_capacity, grown = 2 * old;
        bl_node **memory = bl_grow(b->diags->ctx, b->pending, old, grown, sizeof(bl_node *));
        if (!memory) {
            b->failed = true;
            return;
        }
        b->pending = memory;
        b->pending_capacity = (int)grown;
    }
    b->pending[b->pending_count++] = node;
}

static bool is_null_text(const char *text) {
    return !*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0 || strcmp(text, "Null") == 0 ||
           strcmp(text, "NULL") == 0;
}

static void add_scalar(builder *b, struct fy_event *event) {
    const char *text = token_text(b, event->scalar.value);
    const char *name = event->scalar.anchor ? token_text(b, event->scalar.anchor) : NULL;
    bl_node *node = make_node(b, BL_NODE_SCALAR, event_place(b, event));
    if (b->failed) return;
    enum fy_scalar_style style = event->scalar.value ? fy_token_scalar_style(event->scalar.value) : FYSS_PLAIN;
    node->quoted = style != FYSS_PLAIN;
    node->text = text;
    if (!node->quoted && is_null_text(text)) node->kind = BL_NODE_NULL;
    remember_anchor(b, name, node);
    add_node(b, node);
}

static void add_alias(builder *b, struct fy_event *event) {
    const char *name = token_text(b, event->alias.anchor);
    for (int i = b->anchor_count - 1; !b->failed && i >= 0; i--)
        if (strcmp(b->anchors[i].name, name) == 0) {
            add_node(b, b->anchors[i].node);
            return;
        }
    fail_at(b, event_place(b, event), "alias of an anchor that is not defined before it");
}

static void open_frame(builder *b, struct fy_event *event, bl_node_kind kind, struct fy_token *anchor_token) {
    bl_place place = event_place(b, event);
    place.width = 1;
    if (b->depth == BL_SCENE_MAX_DEPTH) {
        fail_at(b, place, "nested too deeply (more than 48 levels)");
        return;
    }
    const char *name = anchor_token ? token_text(b, anchor_token) : NULL;
    bl_node *node = make_node(b, kind, place);
    if (!b->failed) b->frames[b->depth++] = (frame){node, b->pending_count, name};
}

static void check_duplicates(builder *b, const bl_node *map) {
    for (int i = 1; i < map->count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(map->pairs[i].key, map->pairs[k].key) == 0) {
                bl_diag_add(b->diags, BL_DIAG_ERROR, map->pairs[i].place, "duplicate key '%.80s' (first in line %d)",
                            map->pairs[i].key, map->pairs[k].place.line);
                break;
            }
}

static void finish_map(builder *b, bl_node *map, bl_node **children, int count) {
    if (count / 2 > BL_SCENE_MAX_KEYS) {
        fail_at(b, map->place, "a map with more than 4096 keys");
        return;
    }
    map->pairs = bl_arena_zeroed(b->arena, (size_t)count / 2 + 1, sizeof *map->pairs);
    if (!map->pairs) {
        b->failed = true;
        return;
    }
    for (int i = 0; i + 1 < count; i += 2) {
        const bl_node *key = children[i];
        if (key->kind != BL_NODE_SCALAR) fail_at(b, key->place, "a key must be a word");
        if (children[i + 1]->kind == BL_NODE_NULL && !*children[i + 1]->text)
            children[i + 1]->place = key->place; /* nothing is written there */
        map->pairs[map->count++] = (bl_pair){key->text ? key->text : "", key->place, children[i + 1]};
    }
    check_duplicates(b, map);
}

static void finish_list(builder *b, bl_node *list, bl_node **children, int count) {
    list->items = bl_arena_zeroed(b->arena, (size_t)count + 1, sizeof(bl_node *));
    if (!list->items) {
        b->failed = true;
        return;
    }
    if (count > 0) memcpy(list->items, children, (size_t)count * sizeof(bl_node *));
    list->count = count;
}

static void close_frame(builder *b) {
    if (b->depth == 0) return;
    frame top = b->frames[--b->depth];
    int count = b->pending_count - top.first;
    bl_node **children = b->pending + top.first;
    for (int i = 0; i < count; i++) {
        top.node->size += children[i]->size;
        b->nodes -= children[i]->size; /* counted again with the parent */
    }
    if (top.node->kind == BL_NODE_MAP)
        finish_map(b, top.node, children, count);
    else
        finish_list(b, top.node, children, count);
    b->pending_count = top.first;
    if (b->failed) return;
    remember_anchor(b, top.anchor, top.node);
    add_node(b, top.node);
}

static void add_event(builder *b, struct fy_event *event) {
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++b->documents > 1) fail_at(b, event_place(b, event), "a second document; a scene file holds one");
        break;
    case FYET_SCALAR: add_scalar(b, event); break;
    case FYET_ALIAS: add_alias(b, event); break;
    case FYET_MAPPING_START: open_frame(b, event, BL_NODE_MAP, event->mapping_start.anchor); break;
    case FYET_SEQUENCE_START: open_frame(b, event, BL_NODE_LIST, event->sequence_start.anchor); break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: close_frame(b); break;
    default: break;
    }
}

/* The place behind the last character that is not blank. */
static bl_place end_place(const bl_source *source) {
    bl_place place = {source, 1, 1, 1}, end = place;
    for (size_t i = 0; i < source->size; i++) {
        unsigned char c = (unsigned char)source->text[i];
        place.column = c == '\n' ? 1 : place.column + ((c & 0xc0) != 0x80);
        place.line += c == '\n';
        if (c > ' ') end = place;
    }
    return end;
}

/* The parser's own complaints, in our form. It may point at the line after the last one. */
static void take_errors(builder *b, struct fy_diag *diag) {
    void *iterator = NULL;
    struct fy_diag_error *error;
    bl_place end = end_place(b->source);
    while ((error = fy_diag_errors_iterate(diag, &iterator))) {
        bl_place place = {b->source, error->line > 0 ? error->line : 1, error->column > 0 ? error->column : 1, 1};
        if (place.line > end.line) place = end;
        bl_diag_add(b->diags, BL_DIAG_ERROR, place, "syntax: %s", error->msg ? error->msg : "cannot be read");
        b->failed = true;
    }
}

static void swallow(struct fy_diag *diag, void *user, const char *text, size_t size) {
    (void)diag, (void)user, (void)text, (void)size;
}

struct fy_diag *bl_yaml_silent_diag(void) {
    struct fy_diag_cfg cfg;
    fy_diag_cfg_default(&cfg);
    cfg.fp = NULL;
    cfg.output_fn = swallow;
    cfg.colorize = false;
    struct fy_diag *diag = fy_diag_create(&cfg);
    if (diag) fy_diag_set_collect_errors(diag, true);
    return diag;
}

static void run_parser(builder *b, struct fy_diag *diag, const char *text, size_t size) {
    struct fy_parse_cfg cfg = {.flags = FYPCF_DEFAULT_PARSE | FYPCF_JSON_NONE | FYPCF_ALLOW_DUPLICATE_KEYS |
                                        FYPCF_SLOPPY_FLOW_INDENTATION,
                               .diag = diag};
    struct fy_parser *parser = fy_parser_create(&cfg);
    struct fy_event *event;
    if (parser && fy_parser_set_string(parser, text, size) == 0)
        while (!b->failed && (event = fy_parser_parse(parser))) {
            add_event(b, event);
            fy_parser_event_free(parser, event);
        }
    else
        b->failed = true;
    take_errors(b, diag);
    fy_parser_destroy(parser);
}

/* libfyaml wants valid UTF-8 without zero bytes. Returns the place of the first offence, or size. */
static size_t find_bad_byte(const unsigned char *text, size_t size) {
    for (size_t i = 0; i < size;) {
        unsigned char c = text[i];
        size_t length = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
        bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
        if (length == 0 || i + length > size || control) return i;
        for (size_t k = 1; k < length; k++)
            if ((text[i + k] & 0xc0) != 0x80) return i;
        i += length;
    }
    return size;
}

static bool check_bytes(builder *b, const char *text, size_t size) {
    size_t at = find_bad_byte((const unsigned char *)text, size);
    if (at == size) return true;
    bl_place place = {b->source, 1, 1, 1};
    for (size_t i = 0; i < at; i++) {
        place.column = text[i] == '\n' ? 1 : place.column + (((unsigned char)text[i] & 0xc0) != 0x80);
        place.line += text[i] == '\n';
    }
    fail_at(b, place, "not a text: a byte that is neither UTF-8 nor a printable character");
    return false;
}

bl_node *bl_yaml_parse(bl_diags *diags, bl_arena *arena, const bl_source *source, size_t from) {
    builder *b = bl_alloc(diags->ctx, 1, sizeof *b);
    char *text = bl_arena_text(arena, source->text, source->size);
    struct fy_diag *diag = bl_yaml_silent_diag();
    bl_node *root = NULL;
    if (b && text && diag) {
        *b = (builder){.diags = diags, .arena = arena, .source = source, .pending_capacity = FIRST_PENDING};
        b->pending = bl_alloc(diags->ctx, FIRST_PENDING, sizeof(bl_node *));
        memset(text, ' ', from); /* keeps the columns of what follows */
        if (b->pending && check_bytes(b, text, source->size)) run_parser(b, diag, text, source->size);
        bl_place start = {source, 1, 1, 1};
        if (b->pending && !b->failed) root = b->root ? b->root : make_node(b, BL_NODE_MAP, start);
        bl_release(diags->ctx, b->pending);
    }
    fy_diag_destroy(diag);
    bl_release(diags->ctx, b);
    return root;
}
