#include "scene/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 64, MAX_NAME = 64 };

size_t bl_reader_enter(bl_reader *r, const char *name) {
    size_t old = strlen(r->path);
    snprintf(r->path + old, sizeof r->path - old, "%s%.64s", old > 0 ? "." : "", name);
    return old;
}

size_t bl_reader_enter_item(bl_reader *r, int index) {
    size_t old = strlen(r->path);
    snprintf(r->path + old, sizeof r->path - old, "[%d]", index);
    return old;
}

void bl_reader_leave(bl_reader *r, size_t old_length) { r->path[old_length] = 0; }

const char *bl_reader_where(const bl_reader *r) { return *r->path ? r->path : "the scene"; }

void *bl_reader_take(bl_reader *r, size_t count, size_t item_size) {
    void *memory = bl_arena_zeroed(r->memory, count > 0 ? count : 1, item_size);
    r->no_memory |= !memory;
    return memory;
}

static int collect_words(const bl_section *section, const char **words) {
    int count = 0;
    for (; section; section = section->base)
        for (int i = 0; i < section->key_count && count < MAX_WORDS; i++) words[count++] = section->keys[i].name;
    return count;
}

static void report_unknown_key(bl_reader *r, const bl_section *section, const bl_pair *pair) {
    const char *words[MAX_WORDS] = {NULL};
    char known[400] = "";
    int count = collect_words(section, words);
    const char *nearest = bl_nearest_word(pair->key, words, count);
    if (nearest) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, pair->place, "unknown key '%.60s' in %s; did you mean '%s'?", pair->key,
                    bl_reader_where(r), nearest);
        return;
    }
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", words[i]);
    bl_diag_add(r->diags, BL_DIAG_ERROR, pair->place, "unknown key '%.60s' in %s; known are %s", pair->key,
                bl_reader_where(r), known);
}

static bool expect_kind(bl_reader *r, const bl_key *key, const bl_node *node, bl_node_kind kind) {
    if (node->kind == kind) return true;
    bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: found %s, expected %s such as '%s'", bl_reader_where(r),
                bl_node_kind_name(node), kind == BL_NODE_MAP ? "a map" : "a list", key->example);
    return false;
}

static bool is_file_name(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && !strchr("_-+", name[i])) return false;
    return length > 0 && length <= MAX_NAME;
}

static void read_named(bl_reader *r, const bl_key *key, const bl_node *node, char **array, int *count) {
    const bl_section *section = key->section;
    if (!expect_kind(r, key, node, BL_NODE_MAP)) return;
    if (node->count == 0 && (key->flags & BL_KEY_REQUIRED))
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: empty; at least one is needed", bl_reader_where(r));
    char *items = bl_reader_take(r, (size_t)node->count, section->size);
    *array = items;
    for (int i = 0; items && i < node->count; i++) {
        const bl_pair *pair = &node->pairs[i];
        char *object = items + (size_t)i * section->size;
        char *name = bl_arena_text(r->memory, pair->key, strlen(pair->key));
        r->no_memory |= !name;
        if (!name) return;
        memcpy(object + section->name_offset, &name, sizeof name);
        if (!is_file_name(name))
            bl_diag_add(
                r->diags, BL_DIAG_ERROR, pair->place,
                "%s: the name '%.70s' must be 1 to 64 letters, digits, '_', '-' or '+'; files are named after it",
                bl_reader_where(r), name);
        size_t old = bl_reader_enter(r, pair->key);
        bl_read_section(r, section, pair->value, pair->place, object);
        bl_reader_leave(r, old);
        *count = i + 1;
    }
}

static void read_list(bl_reader *r, const bl_key *key, const bl_node *node, char **array, int *count) {
    const bl_section *section = key->section;
    if (!expect_kind(r, key, node, BL_NODE_LIST)) return;
    bool may_be_empty = key->type == BL_KEY_LIST && !(key->flags & BL_KEY_REQUIRED);
    if (node->count == 0 && !may_be_empty)
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place, "%s: empty; at least one shape is needed, such as '%s'",
                    bl_reader_where(r), key->example);
    char *items = bl_reader_take(r, (size_t)node->count, section->size);
    *array = items;
    for (int i = 0; items && i < node->count; i++) {
        size_t old = bl_reader_enter_item(r, i);
        bl_read_section(r, section, node->items[i], node->items[i]->place, items + (size_t)i * section->size);
        bl_reader_leave(r, old);
        *count = i + 1;
    }
}

static void read_shape_tree(bl_reader *r, const bl_key *key, const bl_node *node, bl_shape *shape) {
    char *children = NULL;
    read_list(r, key, node, &children, &shape->child_count);
    shape->children = (bl_shape *)children;
}

/* One key that is given. `member` is its place in the object, `object` the whole. */
static void read_member(bl_reader *r, const bl_key *key, const bl_pair *pair, char *object, char *member) {
    const bl_node *node = pair->value;
    char *items = NULL;
    switch (key->type) {
    case BL_KEY_SECTION: bl_read_section(r, key->section, node, pair->place, member); break;
    case BL_KEY_NAMED:
    case BL_KEY_LIST:
        if (key->type == BL_KEY_NAMED)
            read_named(r, key, node, &items, (int *)(object + key->count_offset));
        else
            read_list(r, key, node, &items, (int *)(object + key->count_offset));
        memcpy(member, &items, sizeof items);
        break;
    case BL_KEY_SHAPE:
        ((bl_shape *)member)->kind = key->kind;
        bl_read_section(r, key->section, node, pair->place, member);
        break;
    case BL_KEY_SHAPE_TREE:
        ((bl_shape *)member)->kind = key->kind;
        read_shape_tree(r, key, node, (bl_shape *)member);
        break;
    case BL_KEY_META: break;
    default: bl_read_value(r, key, node, member);
    }
}

bool bl_key_is_excused(const bl_section *section, const bl_node *node, const bl_key *missing) {
    const char *words[MAX_WORDS] = {NULL};
    int count = collect_words(section, words);
    for (int i = 0; i < node->count; i++) {
        size_t offset;
        const char *name = node->pairs[i].key;
        const bl_key *key = bl_section_find(section, name, &offset);
        if (key && key->type == BL_KEY_META) return true;
        const char *nearest = key ? NULL : bl_nearest_word(name, words, count);
        if (nearest && strcmp(nearest, missing->name) == 0) return true;
    }
    return false;
}

static void read_absent(bl_reader *r, const bl_key *key, bl_place place, char *member) {
    bl_node node = {.kind = BL_NODE_SCALAR, .text = key->fallback};
    bl_node empty = {.kind = BL_NODE_MAP};
    if (key->fallback)
        bl_read_value(r, key, &node, member);
    else if (key->type == BL_KEY_SECTION && !(key->flags & BL_KEY_REQUIRED))
        bl_read_section(r, key->section, &empty, place, member);
}

static void report_missing_keys(bl_reader *r, const bl_section *whole, const bl_node *node, bl_place place) {
    for (const bl_section *section = whole; section && !r->partial; section = section->base)
        for (int i = 0; i < section->key_count; i++) {
            const bl_key *key = &section->keys[i];
            bool missing = (key->flags & BL_KEY_REQUIRED) && !bl_node_find(node, key->name);
            if (missing && !bl_key_is_excused(whole, node, key))
                bl_diag_add(r->diags, BL_DIAG_ERROR, place, "missing key '%s' in %s; expected something like '%s: %s'",
                            key->name, bl_reader_where(r), key->name, key->example);
        }
}

static void read_keys(bl_reader *r, const bl_section *section, const bl_node *node, bl_place place, char *object) {
    for (int i = 0; i < section->key_count && !r->no_memory; i++) {
        const bl_key *key = &section->keys[i];
        const bl_pair *pair = bl_node_find(node, key->name);
        size_t old = pair ? bl_reader_enter(r, key->name) : strlen(r->path);
        if (pair)
            read_member(r, key, pair, object, object + key->offset);
        else
            read_absent(r, key, place, object + key->offset);
        bl_reader_leave(r, old);
    }
}

/* Keys in the order of the table, base section first: later ones may look at earlier ones (dimension, fluids). */
static void read_chain(bl_reader *r, const bl_section *section, const bl_node *node, bl_place place, char *object) {
    if (section->base) read_chain(r, section->base, node, place, object + section->base_offset);
    read_keys(r, section, node, place, object);
    if (section->pos_offset > 0) {
        bl_pos pos = bl_place_pos(place);
        memcpy(object + section->pos_offset, &pos, sizeof pos);
    }
    if (section->finish && !r->no_memory) section->finish(r, node, object);
}

void bl_read_section(bl_reader *r, const bl_section *section, const bl_node *node, bl_place place, void *object) {
    if (node->kind != BL_NODE_MAP) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, node->place.source ? node->place : place,
                    "%s: found %s, expected a map with keys such as '%s'", bl_reader_where(r), bl_node_kind_name(node),
                    section->keys[0].name);
        return;
    }
    size_t offset;
    for (int i = 0; i < node->count; i++)
        if (!bl_section_find(section, node->pairs[i].key, &offset)) report_unknown_key(r, section, &node->pairs[i]);
    report_missing_keys(r, section, node, place);
    read_chain(r, section, node, place, object);
}
