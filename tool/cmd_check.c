/* beadlet check: every error of a scene, nothing run. */
#include "tool.h"

#include <stdio.h>

static const tool_option options[] = {
    TOOL_SET_OPTION,
    TOOL_SCHEME_OPTION,
    TOOL_END,
};

static int run_check(tool *t) {
    int worst = 0;
    for (int k = 0; k < t->operand_count; k++) {
        bl_scene *scene = NULL;
        bl_status status = tool_load_scene(t, k, &scene);
        if (status == BL_OK) status = bl_run_check(t->ctx, scene);
        if (status == BL_OK && !t->quiet)
            printf("%s: ok\n", t->operands[k]);
        else if (status != BL_OK)
            worst = tool_fail(t, status);
        bl_scene_destroy(scene);
    }
    return worst;
}

const tool_command cmd_check = {
    .name = "check",
    .operands = "SCENE...",
    .min_operands = 1,
    .max_operands = TOOL_MAX_ARGS,
    .operand_hint = HINT_SCENE,
    .summary = "find every error in scenes, run nothing",
    .description =
        "Prints each error with its place, what was found and what was expected. Exit code 65 if there are "
        "any, 66 if a file is missing. Shapes are looked at, too: sources inside walls and volumes of far too "
        "many particles are errors; meshes that are open or cross themselves, liquid inside walls and drops of "
        "few particles are warnings. Nothing is filled with particles, so large scenes take no longer.",
    .options = options,
    .examples = "  beadlet check drop.yaml\n  beadlet check scenes/*.yaml",
    .run = run_check,
};
