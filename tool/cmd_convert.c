/* beadlet convert: frames of a run in another format. */
#include "tool.h"

#include <stdio.h>
#include <string.h>

static const tool_option options[] = {
    {"to", 0, "FORMAT", "Format to write. Default: ply.", HINT_CHOICE, "ply vtu vtu-base64 vtkhdf"},
    {"output", 'o', "DIR", "Write to this directory. Default: DIR/FORMAT.", HINT_DIR, NULL},
    {"frame", 'f', "N", "Only this frame: a number, \"last\" or \"all\". Default: all.", HINT_NONE, NULL},
    TOOL_END,
};

static int run_convert(tool *t) {
    bl_convert_options convert = bl_default_convert_options();
    if (tool_has(t, "to")) convert.format = tool_value(t, "to");
    convert.output = tool_value(t, "output");
    const char *frame = tool_value(t, "frame");
    if (frame && strcmp(frame, "last") == 0) {
        convert.frame = BL_FRAME_LAST;
    } else if (frame && strcmp(frame, "all") != 0) {
        long number = 0;
        int code = tool_integer(t, "frame", 0, 1000000000, &number);
        if (code) return code;
        convert.frame = (int)number;
    }
    int files = 0;
    bl_status status = bl_convert(t->ctx, t->operands[0], &convert, &files);
    if (status != BL_OK) return tool_fail(t, status);
    if (!t->quiet) printf("%d files written\n", files);
    return 0;
}

const tool_command cmd_convert = {
    .name = "convert",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_DIR,
    .summary = "write the frames of a run in another format",
    .description = "Reads the VTU frames of a run and writes them as PLY (Blender, Houdini), VTU with base64 contents "
                   "(readers that want plain XML) or VTKHDF (ParaView).",
    .options = options,
    .examples = "  beadlet convert out/drop --to ply\n  beadlet convert out/drop --to vtkhdf --frame last -o /tmp/last",
    .run = run_convert,
};
