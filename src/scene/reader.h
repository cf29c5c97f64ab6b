/* Nodes to structs, as the key table says. */
#ifndef BL_SCENE_READER_H
#define BL_SCENE_READER_H

#include "scene/diag.h"
#include "scene/keys.h"

enum { BL_PATH_BYTES = 256 };

struct bl_reader {
    bl_context *ctx;
    bl_scene *scene;
    bl_arena *memory;  /* the scene's */
    bl_arena *scratch; /* nodes and sources: gone after loading */
    bl_diags *diags;
    char path[BL_PATH_BYTES]; /* of the map being read, "fluids.water"; "" at the top */
    bool partial;             /* required keys may be missing: a material */
    bool no_memory;
    int source_count;
};

/* Fill `object` from the map `node`: what is given, else the defaults, then the section's check. `place` is that of the
 * key the map stands under: missing keys are reported there. */
void bl_read_section(bl_reader *reader, const bl_section *section, const bl_node *node, bl_place place, void *object);
/* A key that is missing only because of another mistake, already reported: its name is misspelt, or an `include` or
 * `material` that may have held it was not found (and so is still there). */
bool bl_key_is_excused(const bl_section *section, const bl_node *node, const bl_key *missing);
/* One value of the types up to BL_KEY_MESH_FILE. False when an error was reported. */
bool bl_read_value(bl_reader *reader, const bl_key *key, const bl_node *node, void *member);
/* Numbers and vectors (value.c); bl_read_value sends them here. */
bool bl_read_number(bl_reader *reader, const bl_key *key, const bl_node *node, double *out);
bool bl_read_vector(bl_reader *reader, const bl_key *key, const bl_node *node, bl_vec3d *out);
bool bl_read_curve(bl_reader *reader, const bl_key *key, const bl_node *node, bl_curve *out);

/* Go down into a key or item: appends to the path and returns its old length for bl_reader_leave. */
size_t bl_reader_enter(bl_reader *reader, const char *name);
size_t bl_reader_enter_item(bl_reader *reader, int index);
void bl_reader_leave(bl_reader *reader, size_t old_length);
const char *bl_reader_where(const bl_reader *reader); /* the path, or "the scene" */

void *bl_reader_take(bl_reader *reader, size_t count, size_t item_size); /* of the scene's memory, zeroed */

/* "more than 0 m", "between 0 and 180 deg"; "" without limits. `buffer` of at least 96 bytes; returned. */
char *bl_key_range_text(const bl_key *key, char *buffer, size_t size);

/* Words that are nearly the same: the count of letters to insert, delete, replace or swap. */
int bl_edit_distance(const char *a, const char *b);
/* The nearest of `count` words, or NULL if none is near enough to be meant. */
const char *bl_nearest_word(const char *word, const char *const *words, int count);

#endif
