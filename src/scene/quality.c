/* Qualities: named sets of keys that a scene may be run with, such as the resolution of a paper. */
#include "scene/include.h"

#include <stdio.h>

static void report_unknown(bl_reader *r, const bl_pair *quality, const bl_node *qualities) {
    char known[300] = "none: the scene has no `qualities`";
    size_t used = 0;
    for (int k = 0; qualities && k < qualities->count && used < sizeof known; k++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%.40s", k ? ", " : "", qualities->pairs[k].key);
    bl_diag_add(r->diags, BL_DIAG_ERROR, quality->place, "quality: there is no '%.40s' in `qualities`; known are %s",
                quality->value->kind == BL_NODE_SCALAR ? quality->value->text : "", known);
}

bl_node *bl_apply_quality(bl_reader *r, bl_node *root) {
    const bl_pair *quality = bl_node_find(root, "quality"), *qualities = bl_node_find(root, "qualities");
    const bl_node *sets = qualities ? qualities->value : NULL;
    if (sets && sets->kind != BL_NODE_MAP) {
        bl_diag_add(r->diags, BL_DIAG_ERROR, qualities->place, "qualities: found %s, expected a map of names",
                    bl_node_kind_name(sets));
        sets = NULL;
    }
    const bl_pair *chosen = NULL;
    if (quality && quality->value->kind == BL_NODE_SCALAR) chosen = bl_node_find(sets, quality->value->text);
    if (quality && !chosen) report_unknown(r, quality, sets);
    if (chosen && root) root = bl_node_merge(r->scratch, root, chosen->value);
    if (quality && root) root = bl_node_without(r->scratch, root, "quality");
    if (qualities && root) root = bl_node_without(r->scratch, root, "qualities");
    r->no_memory |= !root;
    return root;
}
