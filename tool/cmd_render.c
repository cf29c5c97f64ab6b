/* beadlet render: pictures and films of a run. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tool_option options[] = {
    {"output", 'o', "DIR", "Folder of the pictures. Default: DIR/pictures.", HINT_DIR, NULL},
    {"frame", 'f', "N",
     "Frames to draw: a number, a range A..B, \"last\" or \"all\". Default: last, or all for a film.", HINT_NONE, NULL},
    {"mode", 'm', "MODE", "Draw the liquid's surface, or its particles. Default: liquid.", HINT_CHOICE,
     "liquid particles"},
    {"field", 0, "NAME", "Colour particles by this field: v (its length), v.x, p, density, ... Default: v.", HINT_NONE,
     NULL},
    {"range", 0, "A:B", "Values at the ends of the colour bar; either may be left out. Default: from the data.",
     HINT_NONE, NULL},
    {"size", 0, "WxH", "Size in pixels. Default: 960x540.", HINT_NONE, NULL},
    {"samples", 0, "N", "Light paths a pixel. Default: 16.", HINT_NONE, NULL},
    {"raw", 0, NULL, "Leave the grain in: no filter against noise.", HINT_NONE, NULL},
    {"shutter", 0, "SHARE",
     "Blur what moves: the shutter is open for this share of the time between frames, 0 to 1. "
     "Default: 0.",
     HINT_NONE, NULL},
    {"seed", 0, "N", "Seed of the light paths. Default: 1.", HINT_NONE, NULL},
    {"view", 0, "X,Y,Z", "Direction from the fluid to the camera. Default: the scene's camera.", HINT_NONE, NULL},
    {"film", 0, "[FILE]", "Also make a film, .mp4 or .webm, with ffmpeg. Default: DIR/film.mp4.", HINT_FILE, NULL},
    {"fps", 0, "RATE",
     "Pictures a second of the film. Default: the scene's frames_per_second if that is 10 to 60, so that the film runs "
     "as "
     "fast as life; else 25.",
     HINT_NONE, NULL},
    TOOL_END,
};

static int parse_range(tool *t, double range[2]) {
    const char *text = tool_value(t, "range"), *colon = text ? strchr(text, ':') : NULL;
    if (!text) return 0;
    char *end;
    if (colon && colon != text) {
        range[0] = strtod(text, &end);
        if (end != colon) colon = NULL;
    }
    if (colon && colon[1]) {
        range[1] = strtod(colon + 1, &end);
        if (*end) colon = NULL;
    }
    return colon ? 0 : tool_usage(t, "--range: \"%s\" is not of the form A:B", text);
}

static int parse_size(tool *t, bl_render_def *def) {
    const char *text = tool_value(t, "size");
    char rest;
    if (!text || sscanf(text, "%dx%d%c", &def->width, &def->height, &rest) == 2) return 0;
    return tool_usage(t, "--size: \"%s\" is not of the form WIDTHxHEIGHT, such as 1920x1080", text);
}

static int parse_view(tool *t, bl_render_def *def) {
    const char *text = tool_value(t, "view");
    char rest;
    if (!text) return 0;
    def->view_given = true;
    if (sscanf(text, "%lf,%lf,%lf%c", &def->view[0], &def->view[1], &def->view[2], &rest) == 3) return 0;
    return tool_usage(t, "--view: \"%s\" is not of the form X,Y,Z, such as 0,-1,0.5", text);
}

static void report(void *user, const char *path, double seconds) {
    const tool *t = user;
    if (!t->quiet) printf("%s  %.1f s\n", path, seconds);
    fflush(stdout);
}

static int parse(tool *t, bl_render_def *def) {
    long samples = def->samples, seed = (long)def->seed;
    int code = tool_integer(t, "samples", 1, 65536, &samples);
    if (!code) code = tool_integer(t, "seed", 0, 2000000000, &seed);
    if (!code) code = tool_real(t, "shutter", 0, 1, &def->shutter);
    if (!code) code = tool_real(t, "fps", 1e-3, 1000, &def->film_rate);
    if (!code) code = parse_range(t, def->range);
    if (!code) code = parse_size(t, def);
    if (!code) code = parse_view(t, def);
    def->samples = (int)samples;
    def->seed = (uint64_t)seed;
    def->out = tool_value(t, "output");
    def->denoise = !tool_has(t, "raw");
    if (tool_has(t, "film")) def->frame = "all";
    if (tool_has(t, "frame")) def->frame = tool_value(t, "frame");
    if (tool_has(t, "field")) def->field = tool_value(t, "field");
    /* a field to colour by makes sense for particles only */
    const char *mode = tool_has(t, "mode") ? tool_value(t, "mode") : tool_has(t, "field") ? "particles" : "liquid";
    def->mode = strcmp(mode, "particles") ? BL_RENDER_LIQUID : BL_RENDER_PARTICLES;
    return code;
}

static int run_render(tool *t) {
    bl_render_def def = bl_default_render_def();
    int code = parse(t, &def);
    if (code) return code;
    char film[4096];
    const char *name = tool_value(t, "film");
    if (name && !*name) {
        snprintf(film, sizeof film, "%s/film.mp4", t->operands[0]);
        name = film;
    }
    def.film = name;
    if (!name && tool_has(t, "fps")) return tool_usage(t, "--fps is for a film: add --film");
    def.progress = report;
    def.progress_user = t;
    bl_status status = bl_render(t->ctx, t->operands[0], &def);
    if (status != BL_OK) return tool_fail(t, status);
    if (name && !t->quiet) printf("%s\n", name);
    return 0;
}

const tool_command cmd_render = {
    .name = "render",
    .operands = "DIR",
    .min_operands = 1,
    .max_operands = 1,
    .operand_hint = HINT_DIR,
    .summary = "draw pictures of a run, or a film",
    .description = "Draws frames of a run as PNG pictures: the liquid with refraction, reflection and shadows, or its "
                   "particles as balls coloured by a field, with a colour bar.\n"
                   "The camera and the light are those of the scene (camera, look); without them the camera looks at "
                   "the fluid slightly from above. The same seed gives the same bytes for any number of threads.",
    .options = options,
    .examples = "  beadlet render out/drop\n  beadlet render out/drop --mode particles --field p --frame 10\n"
                "  beadlet render out/drop --film --size 1280x720 --samples 64",
    .run = run_render,
};
