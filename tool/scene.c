#include "tool.h"

#include <stdio.h>

bl_status tool_load_scene(tool *t, int k, bl_scene **out) {
    const char *overrides[TOOL_MAX_ARGS + 1];
    char scheme[128];
    int count = tool_count(t, "set");
    for (int s = 0; s < count; s++) overrides[s] = tool_nth(t, "set", s);
    if (tool_has(t, "scheme")) {
        snprintf(scheme, sizeof scheme, "scheme.name=%s", tool_value(t, "scheme"));
        overrides[count++] = scheme;
    }
    return bl_scene_load(t->ctx, t->operands[k], overrides, count, out);
}
