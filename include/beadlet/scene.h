/* Scenes: reading and checking. */
#ifndef BEADLET_SCENE_H
#define BEADLET_SCENE_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bl_scene bl_scene;

/* Read and check a YAML or JSON scene. `overrides` are `count` texts "a.b[0].c=value", applied in order after the
 * file is read (NULL with count 0). Every error of the file is reported through the log as
 * `file:line:col: error: ...`; the status is BL_ERR_DATA, or BL_ERR_NO_INPUT for a missing file.
 * On success the caller owns *out; on failure *out is NULL. */
BL_API bl_status bl_scene_load(bl_context *ctx, const char *path, const char *const *overrides, int count,
                               bl_scene **out);

/* The same from memory; `name` stands for the file in messages, relative files are found beside it. */
BL_API bl_status bl_scene_load_text(bl_context *ctx, const char *text, size_t size, const char *name,
                                    const char *const *overrides, int count, bl_scene **out);

BL_API void bl_scene_destroy(bl_scene *scene); /* NULL is allowed */

/* The reference page of all keys in Markdown, as a string the caller releases with bl_free_string. NULL: no memory. */
BL_API char *bl_scene_reference(bl_context *ctx);
BL_API void bl_free_string(bl_context *ctx, char *text);

#ifdef __cplusplus
}
#endif
#endif
