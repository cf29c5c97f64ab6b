/* A scene file as a tree of nodes that know where they were written: the form in which includes are merged and
 * overrides applied, before the key table gives the nodes a meaning. */
#ifndef BL_SCENE_NODE_H
#define BL_SCENE_NODE_H

#include "base/arena.h"
#include "scene/scene.h"

enum {
    BL_SCENE_MAX_BYTES = 8 << 20,    /* of one file */
    BL_SCENE_MAX_NODES = 200 * 1000, /* of one file, aliases expanded */
    BL_SCENE_MAX_DEPTH = 48,
    BL_SCENE_MAX_KEYS = 4096, /* of one map */
};

/* A text that nodes come from: a file, or one --set override. */
typedef struct bl_source {
    const char *name; /* as shown in messages and kept in bl_pos: lives as long as the scene */
    const char *text;
    size_t size;
    int order; /* in which it was read */
} bl_source;

typedef struct bl_place {
    const bl_source *source; /* NULL: a default */
    int line, column;        /* from 1, in characters */
    int width;               /* to underline, in characters; at least 1 */
} bl_place;

typedef enum bl_node_kind { BL_NODE_NULL, BL_NODE_SCALAR, BL_NODE_MAP, BL_NODE_LIST } bl_node_kind;

typedef struct bl_node bl_node;
typedef struct bl_pair {
    const char *key;
    bl_place place; /* of the key */
    bl_node *value;
} bl_pair;

/* Nodes are shared by aliases and merges, so nobody changes a node that he did not make. */
struct bl_node {
    bl_node_kind kind;
    bl_place place;
    bool quoted;
    const char *text; /* scalar, zero-terminated */
    int count;
    bl_pair *pairs;  /* map */
    bl_node **items; /* list */
    int size;        /* nodes in this tree, shared ones counted each time */
};

const char *bl_node_kind_name(const bl_node *node);               /* "a list" */
const bl_pair *bl_node_find(const bl_node *map, const char *key); /* NULL also if node is no map */
/* The map with one key replaced or added; NULL: out of memory. `map` stays as it is. */
bl_node *bl_node_with(bl_arena *arena, const bl_node *map, const char *key, bl_place place, bl_node *value);
bl_node *bl_node_without(bl_arena *arena, const bl_node *map, const char *key);
/* The list with one item replaced. */
bl_node *bl_node_with_item(bl_arena *arena, const bl_node *list, int index, bl_node *value);
/* `over` laid over `under`: maps key by key, everything else replaced. */
bl_node *bl_node_merge(bl_arena *arena, bl_node *under, bl_node *over);
bl_node *bl_node_make(bl_arena *arena, bl_node_kind kind, bl_place place);
bl_pos bl_place_pos(bl_place place);

char *bl_arena_text(bl_arena *arena, const char *text, size_t size); /* a zero-terminated copy */
void *bl_arena_zeroed(bl_arena *arena, size_t count, size_t item_size);

#endif
