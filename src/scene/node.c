#include "scene/node.h"

#include <string.h>

const char *bl_node_kind_name(const bl_node *node) {
    switch (node->kind) {
    case BL_NODE_NULL: return "nothing";
    case BL_NODE_SCALAR: return "a single value";
    case BL_NODE_MAP: return node->count > 0 ? "a map" : "nothing"; /* "--set spacing=" */
    case BL_NODE_LIST: return "a list";
    }
    return "";
}

const bl_pair *bl_node_find(const bl_node *map, const char *key) {
    if (!map || map->kind != BL_NODE_MAP) return NULL;
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->pairs[i].key, key) == 0) return &map->pairs[i];
    return NULL;
}

void *bl_arena_zeroed(bl_arena *arena, size_t count, size_t item_size) {
    void *memory = bl_arena_take(arena, count, item_size);
    if (memory) memset(memory, 0, count * item_size);
    return memory;
}

char *bl_arena_text(bl_arena *arena, const char *text, size_t size) {
    char *copy = bl_arena_take(arena, size + 1, 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = 0;
    }
    return copy;
}

bl_node *bl_node_make(bl_arena *arena, bl_node_kind kind, bl_place place) {
    bl_node *node = bl_arena_zeroed(arena, 1, sizeof *node);
    if (node) {
        node->kind = kind;
        node->place = place;
        node->size = 1;
    }
    return node;
}

bl_pos bl_place_pos(bl_place place) {
    bl_pos pos = {place.source ? place.source->name : NULL, place.line, place.column};
    return pos;
}

/* A copy of the map with room for some more pairs. */
static bl_node *copy_map(bl_arena *arena, const bl_node *map, int more) {
    bl_node *copy = bl_node_make(arena, BL_NODE_MAP, map->place);
    bl_pair *pairs = bl_arena_zeroed(arena, (size_t)map->count + (size_t)more, sizeof *pairs);
    if (!copy || !pairs) return NULL;
    if (map->count > 0) memcpy(pairs, map->pairs, (size_t)map->count * sizeof *pairs);
    copy->pairs = pairs;
    copy->count = map->count;
    copy->size = map->size;
    return copy;
}

bl_node *bl_node_with(bl_arena *arena, const bl_node *map, const char *key, bl_place place, bl_node *value) {
    bl_node *copy = copy_map(arena, map, 1);
    if (!copy) return NULL;
    int at = 0;
    while (at < copy->count && strcmp(copy->pairs[at].key, key) != 0) at++;
    if (at == copy->count)
        copy->count++;
    else
        copy->size -= copy->pairs[at].value->size;
    copy->size += value->size;
    copy->pairs[at] = (bl_pair){key, place, value};
    return copy;
}

bl_node *bl_node_without(bl_arena *arena, const bl_node *map, const char *key) {
    bl_node *copy = copy_map(arena, map, 1);
    if (!copy) return NULL;
    copy->count = 0;
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->pairs[i].key, key) != 0)
            copy->pairs[copy->count++] = map->pairs[i];
        else
            copy->size -= map->pairs[i].value->size;
    return copy;
}

bl_node *bl_node_with_item(bl_arena *arena, const bl_node *list, int index, bl_node *value) {
    bl_node *copy = bl_node_make(arena, BL_NODE_LIST, list->place);
    bl_node **items = bl_arena_zeroed(arena, (size_t)list->count + 1, sizeof(bl_node *));
    if (!copy || !items) return NULL;
    memcpy(items, list->items, (size_t)list->count * sizeof(bl_node *));
    copy->size = list->size - items[index]->size + value->size;
    items[index] = value;
    copy->items = items;
    copy->count = list->count;
    return copy;
}

bl_node *bl_node_merge(bl_arena *arena, bl_node *under, bl_node *over) {
    if (under->kind != BL_NODE_MAP || over->kind != BL_NODE_MAP) return over;
    bl_node *result = copy_map(arena, under, over->count);
    if (!result) return NULL;
    result->place = over->place;
    for (int i = 0; i < over->count; i++) {
        bl_pair pair = over->pairs[i];
        const bl_pair *beneath = bl_node_find(under, pair.key);
        bl_pair *slot = beneath ? &result->pairs[beneath - under->pairs] : &result->pairs[result->count++];
        if (beneath) pair.value = bl_node_merge(arena, beneath->value, pair.value);
        if (!pair.value) return NULL;
        result->size += pair.value->size - (beneath ? beneath->value->size : 0);
        *slot = pair;
    }
    return result;
}
