/* beadlet mesh: surface meshes of the frames of a run. */
#include "tool.h"

#include <stdio.h>

static const tool_option options[] = {
    {"frames", 'f', "WHICH", "Frames to mesh: a number, a range A..B, \"last\" or \"all\". Default: all.", HINT_NONE,
     NULL},
    {"frame", 0, "WHICH", "The same as --frames, as other commands call it.", HINT_NONE, NULL},
    {"format", 0, "FORMAT", "Format to write. Default: ply.", HINT_CHOICE, "ply obj vtp"},
    {"output", 'o', "DIR", "Write to this directory. Default: DIR/mesh.", HINT_DIR, NULL},
    {"cell", 0, "M", "Edge of a grid cell in metres, 1/16 to 1 particle spacing. Default: half a spacing.", HINT_NONE,
     NULL},
    {"smooth", 0, "N", "Smoothing steps. Default: 5.", HINT_NONE, NULL},
    {"anisotropic", 0, NULL, "Stretch kernels along sheets and threads: thinner and smoother ones, slower.", HINT_NONE,
     NULL},
    {"decimate", 0, "SHARE", "Keep about this share of the triangles, as in 0.25.", HINT_NONE, NULL},
    TOOL_END,
};

static int run_mesh(tool *t) {
    bl_mesh_options mesh = bl_default_mesh_options();
    if (tool_has(t, "frame")) mesh.frames = tool_value(t, "frame");
    if (tool_has(t, "frames")) mesh.frames = tool_value(t, "frames");
    if (tool_has(t, "format")) mesh.format = tool_value(t, "format");
    mesh.output = tool_value(t, "output");
    mesh.anisotropic = tool_has(t, "anisotropic");
    long smooth = mesh.smooth;
    int code = tool_integer(t, "smooth", 0, 1000, &smooth);
    if (!code) code = tool_real(t, "cell", 1e-9, 1e3, &mesh.cell);
    if (!code) code = tool_real(t, "decimate", 1e-6, 1.0, &mesh.decimate);
    if (code) return code;
    mesh.smooth = (int)smooth;
    int files = 0;
    const bl_status status = bl_mesh_run(t->ctx, t->operands[0], &mesh, &files);
    if (status != BL_OK) return tool_fail(t, status);
    if (!t->quiet) printf("%d files written\n", files);
    return 0;
}

const tool_command cmd_mesh = {
    .name = "mesh",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_DIR,
    .summary = "make surface meshes of the frames of a run",
    .description = "Writes one closed triangle mesh for each fluid and frame, NAME_000042.ply, with normals and "
                   "velocities. The mesh holds the volume of the particles, ends flat at walls, and fluids share their "
                   "interfaces. Of a run in 2D it writes the outlines, as closed lines.",
    .options = options,
    .examples = "  beadlet mesh out/drop\n  beadlet mesh out/drop --frames last --format obj -o /tmp/last",
    .run = run_mesh,
};
