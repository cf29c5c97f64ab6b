/* beadlet info: what this build can do here. */
#include "tool.h"

#include <stdio.h>

static void print_json(const tool *t) {
    int count = 0;
    const bl_feature *features = bl_features(&count);
    printf("{\"version\": \"%s\", \"precision\": \"%s\", \"threads\": %d, \"devices\": [\"cpu\"", bl_version(),
           bl_precision(), bl_context_threads(t->ctx));
    char device[512];
    for (int k = 0; bl_device_text(k, device, sizeof device); k++) printf(", \"%s\"", device);
    printf("], \"schemes\": [");
    for (int k = 0; bl_scheme_text(k); k++) printf("%s\"%s\"", k ? ", " : "", bl_scheme_text(k));
    printf("], \"parts\": {");
    for (int k = 0; k < count; k++)
        printf("%s\"%s\": %s", k ? ", " : "", features[k].name, features[k].available ? "true" : "false");
    printf("}}\n");
}

static void print_text(const tool *t) {
    int count = 0;
    const bl_feature *features = bl_features(&count);
    printf("version     %s\n", bl_version());
    printf("precision   %s\n", bl_precision());
    printf("threads     %d\n", bl_context_threads(t->ctx));
    printf("devices     cpu\n");
    char device[512];
    for (int k = 0; bl_device_text(k, device, sizeof device); k++) printf("            %s\n", device);
    printf("schemes    ");
    for (int k = 0; bl_scheme_text(k); k++) printf(" %s", bl_scheme_text(k));
    printf("\nparts\n");
    for (int k = 0; k < count; k++)
        printf("  %-14s %-4s %s\n", features[k].name, features[k].available ? "on" : "off", features[k].use);
    printf("files read  scenes: YAML, JSON; meshes: OBJ, PLY, STL; runs: VTU, HDF5 checkpoints\n");
    printf("files made  frames: VTU + PVD, PLY, VTKHDF; series.csv; run.json; HDF5 checkpoints\n");
}

static int run_info(tool *t) {
    if (t->json)
        print_json(t);
    else
        print_text(t);
    return 0;
}

const tool_command cmd_info = {
    .name = "info",
    .operands = "",
    .summary = "print version, precision, devices and optional parts",
    .description = "With --log-format json as one JSON object.",
    .run = run_info,
};
