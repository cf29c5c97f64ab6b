/* Files that a scene is made of: the scene itself, what it includes, materials, meshes. */
#ifndef BL_SCENE_INCLUDE_H
#define BL_SCENE_INCLUDE_H

#include "scene/reader.h"

enum { BL_FILE_BYTES = 1024, BL_DATA_FOLDERS = 2 };
extern const char *const bl_data_folders[BL_DATA_FOLDERS]; /* with the files that come with Beadlet */

/* Looks beside the file that `name` is written in, then among the files that come with Beadlet. `path` has
 * BL_FILE_BYTES; *size is that of the file. */
bool bl_find_file(const bl_source *source, const char *name, char *path, size_t *size);
/* Read a file that is named at `place`. NULL with the error reported there. */
const bl_source *bl_read_source(bl_reader *reader, const char *path, size_t size, bl_place place);

/* A new source; `name` and `text` are copied. NULL: out of memory or too many. */
const bl_source *bl_add_source(bl_reader *reader, const char *name, const char *text, size_t size);

/* The document of the source with everything it includes beneath it. NULL when it cannot be used at all. */
bl_node *bl_load_document(bl_reader *reader, const bl_source *source);

/* Every fluid with a `material` gets that material's keys beneath its own. */
bl_node *bl_apply_materials(bl_reader *reader, bl_node *root);

/* The keys of the chosen `quality` laid over the scene's; `quality` and `qualities` are gone then. NULL: no memory. */
bl_node *bl_apply_quality(bl_reader *reader, bl_node *root);

/* Absolute path (in the scene's memory) of a mesh named in `source`; NULL if there is no such file. */
char *bl_find_mesh(bl_reader *reader, const bl_source *source, const char *name);

/* An override "a.b[0].c=value" laid into the tree. */
bl_node *bl_apply_override(bl_reader *reader, bl_node *root, const char *text);

#endif
