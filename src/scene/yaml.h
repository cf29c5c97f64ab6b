/* YAML or JSON text to nodes, by libfyaml. */
#ifndef BL_SCENE_YAML_H
#define BL_SCENE_YAML_H

#include "scene/diag.h"

/* The document in source->text from byte `from` on (what stands before is only there for messages: the left side of
 * an override). Faults go to diags; NULL then, or when memory ran out. An empty text gives an empty map. */
bl_node *bl_yaml_parse(bl_diags *diags, bl_arena *arena, const bl_source *source, size_t from);

/* Where libfyaml's messages go when nothing may be printed; the caller ends it with fy_diag_destroy. NULL: no memory.
 */
struct fy_diag *bl_yaml_silent_diag(void);

#endif
