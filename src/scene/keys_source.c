/* The keys of what brings liquid into the world and takes it out: emitters, rain, printers, sinks. */
#include "scene/check.h"
#include "scene/keys.h"

static const char *const row_fillings[] = {"lattice", "hexagonal", NULL};

#define FLUID(type, words)                                                                                             \
    { "fluid", BL_KEY_FLUID, BL_AT(type, fluid), .doc = words, .default_note = "the first fluid", .example = "water" }
#define START(type)                                                                                                    \
    {                                                                                                                  \
        "start", BL_KEY_NUMBER, BL_AT(type, start), .dim = BL_DIM_TIME, .fallback = "0 s", .range = BL_AT_LEAST(0),    \
                                                    .doc = "When it begins.", .example = "0.1 s"                       \
    }
#define STOP(type)                                                                                                     \
    {                                                                                                                  \
        "stop", BL_KEY_NUMBER, BL_AT(type, stop), .dim = BL_DIM_TIME, .fallback = "0 s", .range = BL_AT_LEAST(0),      \
                                                  .doc = "When it ends; 0: never.", .example = "0.5 s"                 \
    }
#define DROP_RATE(type)                                                                                                \
    {                                                                                                                  \
        "rate", BL_KEY_CURVE, BL_AT(type, rate), .dim = BL_DIM_RATE, .range = BL_AT_LEAST(0),                          \
                                                 .flags = BL_KEY_REQUIRED, .doc = "Drops per second.",                 \
                                                 .example = "40 Hz"                                                    \
    }
#define DROP_RADIUS(type, words)                                                                                       \
    {                                                                                                                  \
        "radius", BL_KEY_NUMBER, BL_AT(type, radius), .dim = BL_DIM_LENGTH, .range = BL_ABOVE(0),                      \
                                                      .flags = BL_KEY_REQUIRED, .doc = words, .example = "1 mm"        \
    }

static const bl_key emitter_keys[] = {
    FLUID(bl_emitter, "What comes out."),
    {"center", BL_KEY_VECTOR, BL_AT(bl_emitter, center), .dim = BL_DIM_LENGTH, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "Middle of the opening.", .example = "[0, 0, 3 cm]"},
    {"direction", BL_KEY_VECTOR, BL_AT(bl_emitter, direction), .fallback = "[0, 0, -1]", .flags = BL_KEY_IN_PLANE,
     .doc = "Direction of the jet; any length.", .example = "[0, 0, -1]"},
    {"radius", BL_KEY_NUMBER, BL_AT(bl_emitter, radius), .dim = BL_DIM_LENGTH, .fallback = "0 m",
     .range = BL_AT_LEAST(0), .doc = "Radius of a round opening (half its width in 2D).", .example = "2 mm"},
    {"width", BL_KEY_NUMBER, BL_AT(bl_emitter, width), .dim = BL_DIM_LENGTH, .fallback = "0 m", .range = BL_AT_LEAST(0),
     .doc = "Width of a rectangular opening, in place of `radius`.", .example = "8 mm"},
    {"height", BL_KEY_NUMBER, BL_AT(bl_emitter, height), .dim = BL_DIM_LENGTH, .fallback = "0 m",
     .range = BL_AT_LEAST(0), .doc = "Height of a rectangular opening.", .example = "2 mm"},
    {"up", BL_KEY_VECTOR, BL_AT(bl_emitter, up), .fallback = "[0, 0, 0]",
     .doc = "Direction of the rectangle's height; zero: chosen.", .example = "[0, 0, 1]"},
    {"shapes", BL_KEY_LIST, BL_AT(bl_emitter, shapes), .section = &bl_section_shape,
     .count_offset = BL_AT(bl_emitter, shape_count),
     .doc = "Shapes whose surface is the opening, in place of `radius`: the liquid leaves along its normals.",
     .example = "[{mesh: {file: patch.obj}}]"},
    {"speed", BL_KEY_CURVE, BL_AT(bl_emitter, speed), .dim = BL_DIM_VELOCITY, .range = BL_AT_LEAST(0),
     .doc = "Speed of the liquid. At 0 the liquid stays in the opening.", .default_note = "required, or `rate`",
     .example = "0.4 m/s"},
    {"rate", BL_KEY_CURVE, BL_AT(bl_emitter, rate), .dim = BL_DIM_FLOW, .range = BL_AT_LEAST(0),
     .doc = "Volume per time, in place of `speed`; 3D only.", .default_note = "none", .example = "5 mL/s"},
    {"velocity", BL_KEY_CURVE3, BL_AT(bl_emitter, velocity), .dim = BL_DIM_VELOCITY, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "Motion of the nozzle; the liquid leaves it with both.",
     .example = "[1 cm/s, 0, 0]"},
    {"filling", BL_KEY_CHOICE, BL_AT(bl_emitter, filling), .fallback = "lattice", .choices = row_fillings,
     .doc = "How the particles lie in the opening.", .example = "hexagonal"},
    START(bl_emitter),
    STOP(bl_emitter),
};
const bl_section bl_section_emitter = {
    .title = "emitters.NAME",
    .doc = "A nozzle. Its rows of particles follow each other at exactly one spacing, and a row goes as told until the "
           "next one is behind it, so that the jet has neither gaps nor overlaps.",
    BL_FIELDS(bl_emitter, emitter_keys),
    .pos_offset = BL_AT(bl_emitter, pos),
    .name_offset = BL_AT(bl_emitter, name),
    .finish = bl_check_emitter,
};

static const bl_key rain_keys[] = {
    FLUID(bl_rain, "What it rains."),
    {"min", BL_KEY_VECTOR, BL_AT(bl_rain, min), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE | BL_KEY_REQUIRED,
     .doc = "Lower corner of the box in which the drops' centres appear.", .example = "[-2, -2, 5 cm]"},
    {"max", BL_KEY_VECTOR, BL_AT(bl_rain, max), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE | BL_KEY_REQUIRED,
     .doc = "Upper corner; the box may be flat.", .example = "[2, 2, 5 cm]"},
    DROP_RATE(bl_rain),
    DROP_RADIUS(bl_rain, "Mean radius of the drops."),
    {"spread", BL_KEY_NUMBER, BL_AT(bl_rain, spread), .fallback = "0", .range = BL_BETWEEN(0, 1),
     .doc = "Standard deviation of the radius over its mean; log-normal, cut at half and twice the mean.",
     .example = "0.3"},
    {"velocity", BL_KEY_CURVE3, BL_AT(bl_rain, velocity), .dim = BL_DIM_VELOCITY, .flags = BL_KEY_IN_PLANE,
     .doc = "Velocity of the drops.", .default_note = "along gravity, as fast as a ball of that size falls in air",
     .example = "[0, 0, -2 m/s]"},
    {"seed", BL_KEY_SEED, BL_AT(bl_rain, seed), .range = BL_BETWEEN(0, 9007199254740992.0),
     .doc = "Seed of places, times and sizes.", .default_note = "the scene's", .example = "3"},
    START(bl_rain),
    STOP(bl_rain),
};
const bl_section bl_section_rain = {
    .title = "rain.NAME",
    .doc = "Drops at random over an area. A drop that would appear in other liquid or in a wall is left out.",
    BL_FIELDS(bl_rain, rain_keys),
    .pos_offset = BL_AT(bl_rain, pos),
    .name_offset = BL_AT(bl_rain, name),
    .finish = bl_check_rain,
};

static const bl_key printer_keys[] = {
    FLUID(bl_printer, "What it prints with."),
    {"position", BL_KEY_CURVE3, BL_AT(bl_printer, position), .dim = BL_DIM_LENGTH,
     .flags = BL_KEY_IN_PLANE | BL_KEY_REQUIRED,
     .doc = "Where drops appear; with a bitmap, where its upper left mark does.",
     .example = "{keyframes: [[0 s, [0, 0, 5 mm]], [1 s, [20, 0, 5 mm]]]}"},
    {"bitmap", BL_KEY_TEXT, BL_AT(bl_printer, bitmap),
     .doc = "Lines of text. Each character other than a blank, `.`, `0` and `-` is a drop, one after the other along "
            "the lines; then the printer is done.",
     .default_note = "none", .example = "'#.#'"},
    {"pitch", BL_KEY_NUMBER, BL_AT(bl_printer, pitch), .dim = BL_DIM_LENGTH, .fallback = "0 m", .range = BL_AT_LEAST(0),
     .doc = "Distance of a bitmap's characters and lines.", .example = "1 mm"},
    {"right", BL_KEY_VECTOR, BL_AT(bl_printer, right), .fallback = "[1, 0, 0]", .flags = BL_KEY_NOT_ZERO,
     .doc = "Direction of a bitmap's lines; any length.", .example = "[1, 0, 0]"},
    {"down", BL_KEY_VECTOR, BL_AT(bl_printer, down), .fallback = "[0, -1, 0]", .flags = BL_KEY_NOT_ZERO,
     .doc = "Direction from one line to the next; any length.", .example = "[0, -1, 0]"},
    DROP_RATE(bl_printer),
    DROP_RADIUS(bl_printer, "Radius of the drops."),
    {"velocity", BL_KEY_VECTOR, BL_AT(bl_printer, velocity), .dim = BL_DIM_VELOCITY, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "Velocity of the drops.", .example = "[0, 0, -0.5 m/s]"},
    START(bl_printer),
    STOP(bl_printer),
};
const bl_section bl_section_printer = {
    .title = "printers.NAME",
    .doc = "A head that sets drop by drop, along a path or after a bitmap.",
    BL_FIELDS(bl_printer, printer_keys),
    .pos_offset = BL_AT(bl_printer, pos),
    .name_offset = BL_AT(bl_printer, name),
    .finish = bl_check_printer,
};

static const bl_key sink_keys[] = {
    {"shapes", BL_KEY_LIST, BL_AT(bl_sink, shapes), .section = &bl_section_shape,
     .count_offset = BL_AT(bl_sink, shape_count), .flags = BL_KEY_REQUIRED,
     .doc = "Particles inside one of them at the end of a step are removed.",
     .example = "[{half_space: {normal: [0, 0, 1], point: [0, 0, -1 cm]}}]"},
    START(bl_sink),
    STOP(bl_sink),
};
const bl_section bl_section_sink = {
    .title = "sinks.NAME",
    .doc = "Where liquid is taken away.",
    BL_FIELDS(bl_sink, sink_keys),
    .pos_offset = BL_AT(bl_sink, pos),
    .name_offset = BL_AT(bl_sink, name),
    .finish = bl_check_sink,
};
