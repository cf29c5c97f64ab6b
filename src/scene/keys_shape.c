/* The keys of shapes and of fluid volumes. */
#include "scene/check.h"
#include "scene/keys.h"

#define POINT(key, member, words, sample)                                                                              \
    {                                                                                                                  \
        key, BL_KEY_VECTOR, BL_AT(bl_shape, member), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE | BL_KEY_REQUIRED, \
                                                     .doc = words, .example = sample                                   \
    }
#define CENTER                                                                                                         \
    {                                                                                                                  \
        "center", BL_KEY_VECTOR, BL_AT(bl_shape, a), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE,                   \
                                                     .fallback = "[0, 0, 0]", .doc = "Its centre.",                    \
                                                     .example = "[0, 0, 2 mm]"                                         \
    }
#define RADIUS(key, member, words, sample)                                                                             \
    {                                                                                                                  \
        key, BL_KEY_NUMBER, BL_AT(bl_shape, member), .dim = BL_DIM_LENGTH, .range = BL_ABOVE(0),                       \
                                                     .flags = BL_KEY_REQUIRED, .doc = words, .example = sample         \
    }
#define SECTION(name, words, keys, check)                                                                              \
    static const bl_section name##_section = {.title = #name, .doc = words, BL_FIELDS(bl_shape, keys), .finish = check}

/* Both pairs are read into a and b; the check makes corners of centre and size. */
static const bl_key box_keys[] = {
    {"min", BL_KEY_VECTOR, BL_AT(bl_shape, a), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE, .doc = "Lower corner.",
     .default_note = "required, or `center`", .example = "[-5, -5, 0 mm]"},
    {"max", BL_KEY_VECTOR, BL_AT(bl_shape, b), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE, .doc = "Upper corner.",
     .default_note = "required, or `size`", .example = "[5, 5, 8 mm]"},
    {"center", BL_KEY_VECTOR, BL_AT(bl_shape, a), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE | BL_KEY_INPUT_ONLY,
     .doc = "Centre, with `size` in place of the corners.", .default_note = "none", .example = "[0, 0, 4 mm]"},
    {"size", BL_KEY_VECTOR, BL_AT(bl_shape, b), .dim = BL_DIM_LENGTH, .flags = BL_KEY_IN_PLANE | BL_KEY_INPUT_ONLY,
     .doc = "Lengths of the edges.", .default_note = "none", .example = "[10, 10, 8 mm]"},
};
SECTION(box, "A box along the axes.", box_keys, bl_check_box);

static const bl_key sphere_keys[] = {CENTER, RADIUS("radius", radius, "Its radius.", "2 mm")};
SECTION(sphere, "A sphere; a disc in 2D.", sphere_keys, NULL);

static const bl_key ellipsoid_keys[] = {CENTER, POINT("radii", b, "Half axes along x, y and z.", "[3, 2, 2 mm]")};
SECTION(ellipsoid, "An ellipsoid along the axes.", ellipsoid_keys, bl_check_ellipsoid);

static const bl_key cylinder_keys[] = {POINT("from", a, "Centre of one end.", "[0, 0, 0]"),
                                       POINT("to", b, "Centre of the other end.", "[0, 0, 5 mm]"),
                                       RADIUS("radius", radius, "Its radius.", "1 mm")};
SECTION(cylinder, "A cylinder with flat ends; a rectangle in 2D.", cylinder_keys, bl_check_segment);

static const bl_key capsule_keys[] = {POINT("from", a, "Centre of one end's half sphere.", "[0, 0, 0]"),
                                      POINT("to", b, "Centre of the other end's half sphere.", "[0, 0, 5 mm]"),
                                      RADIUS("radius", radius, "Its radius.", "1 mm")};
SECTION(capsule, "A cylinder with round ends.", capsule_keys, bl_check_segment);

static const bl_key torus_keys[] = {
    CENTER,
    {"axis", BL_KEY_VECTOR, BL_AT(bl_shape, b), .fallback = "[0, 0, 1]", .flags = BL_KEY_NOT_ZERO,
     .doc = "The direction through its hole.", .example = "[0, 0, 1]"},
    RADIUS("major", radius, "Radius of the ring's centre line.", "4 mm"),
    RADIUS("minor", radius2, "Radius of the ring's section.", "1 mm"),
};
SECTION(torus, "A ring.", torus_keys, bl_check_torus);

#define ANCHOR                                                                                                         \
    {                                                                                                                  \
        "point", BL_KEY_VECTOR, BL_AT(bl_shape, a), .dim = BL_DIM_LENGTH, .fallback = "[0, 0, 0]",                     \
                                                    .flags = BL_KEY_IN_PLANE, .doc = "A point on it.",                 \
                                                    .example = "[0, 0, -1 mm]"                                         \
    }
#define NORMAL(words)                                                                                                  \
    {                                                                                                                  \
        "normal", BL_KEY_VECTOR, BL_AT(bl_shape, b), .flags = BL_KEY_IN_PLANE | BL_KEY_NOT_ZERO | BL_KEY_REQUIRED,     \
                                                     .doc = words, .example = "[0.3, 0, 1]"                            \
    }

static const bl_key plane_keys[] = {
    NORMAL("Direction to the fluid's side; any length."),
    ANCHOR,
    {"size", BL_KEY_NUMBER, BL_AT(bl_shape, radius), .dim = BL_DIM_LENGTH, .fallback = "0 m", .range = BL_AT_LEAST(0),
     .doc = "Edge length of the square sheet; 0: as large as the fluids need.", .example = "20 mm"},
};
SECTION(plane, "A flat sheet; for boundaries only.", plane_keys, NULL);

static const bl_key half_space_keys[] = {NORMAL("Direction out of the shape; any length."), ANCHOR};
SECTION(half_space, "Everything on the side of a plane that the normal points away from.", half_space_keys, NULL);

static const bl_key mesh_keys[] = {
    {"file", BL_KEY_MESH_FILE, BL_AT(bl_shape, file), .flags = BL_KEY_REQUIRED,
     .doc = "OBJ, PLY or STL file with triangles, beside the scene file. One unit of the file is 1 m; `scale: 0.001` "
            "makes it 1 mm.",
     .example = "leaf.obj"},
};
SECTION(mesh, "A triangle mesh.", mesh_keys, NULL);

static const bl_key rotation_keys[] = {
    {"axis", BL_KEY_VECTOR, BL_AT(bl_rotation, axis), .fallback = "[0, 0, 1]", .flags = BL_KEY_NOT_ZERO,
     .doc = "Axis through the origin; any length.", .example = "[0, 1, 0]"},
    {"angle", BL_KEY_NUMBER, BL_AT(bl_rotation, angle), .dim = BL_DIM_ANGLE, .flags = BL_KEY_REQUIRED,
     .doc = "Angle, counterclockwise when the axis points at the viewer.", .example = "30 deg"},
};
static const bl_section rotation_section = {
    .title = "rotate",
    .doc = "A rotation about the origin.",
    BL_FIELDS(bl_rotation, rotation_keys),
};

#define KIND(key, value, words, sample)                                                                                \
    { #key, BL_KEY_SHAPE, .section = &key##_section, .kind = value, .doc = words, .example = sample }
#define TREE(key, value, words, sample)                                                                                \
    { #key, BL_KEY_SHAPE_TREE, .section = &bl_section_shape, .kind = value, .doc = words, .example = sample }

static const bl_key shape_keys[] = {
    KIND(box, BL_SHAPE_BOX, "A box.", "{min: [-5, -5, 0 mm], max: [5, 5, 8 mm]}"),
    KIND(sphere, BL_SHAPE_SPHERE, "A sphere.", "{center: [0, 0, 2 mm], radius: 2 mm}"),
    KIND(ellipsoid, BL_SHAPE_ELLIPSOID, "An ellipsoid.", "{radii: [3, 2, 2 mm]}"),
    KIND(cylinder, BL_SHAPE_CYLINDER, "A cylinder.", "{from: [0, 0, 0], to: [0, 0, 5 mm], radius: 1 mm}"),
    KIND(capsule, BL_SHAPE_CAPSULE, "A capsule.", "{from: [0, 0, 0], to: [0, 0, 5 mm], radius: 1 mm}"),
    KIND(torus, BL_SHAPE_TORUS, "A ring.", "{major: 4 mm, minor: 1 mm}"),
    KIND(plane, BL_SHAPE_PLANE, "A flat sheet, for boundaries.", "{normal: [0, 0, 1]}"),
    KIND(half_space, BL_SHAPE_HALF_SPACE, "A half space.", "{normal: [0, 0, 1]}"),
    KIND(mesh, BL_SHAPE_MESH, "A triangle mesh.", "{file: leaf.obj}"),
    TREE(union, BL_SHAPE_UNION, "What lies in any of the shapes.", "[{sphere: {radius: 2 mm}}, ...]"),
    TREE(intersection, BL_SHAPE_INTERSECTION, "What lies in all of the shapes.", "[{sphere: {radius: 2 mm}}, ...]"),
    TREE(difference, BL_SHAPE_DIFFERENCE, "What lies in the first shape and in none of the others.",
         "[{sphere: {radius: 2 mm}}, ...]"),
    {"scale", BL_KEY_SCALE, BL_AT(bl_shape, scale), .fallback = "1", .range = BL_ABOVE(0),
     .doc = "Factor of size, one or three; applied first.", .example = "0.001"},
    {"rotate", BL_KEY_ROTATION, BL_AT(bl_shape, rotate), .dim = BL_DIM_ANGLE, .fallback = "[0, 0, 0]",
     .section = &rotation_section,
     .doc = "Rotation about the origin: axis and angle, or a vector along the axis with the angle as its length.",
     .example = "{axis: [0, 1, 0], angle: 30 deg}"},
    {"translate", BL_KEY_VECTOR, BL_AT(bl_shape, translate), .dim = BL_DIM_LENGTH, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "Shift; applied last.", .example = "[0, 0, 5 mm]"},
};
const bl_section bl_section_shape = {
    .title = "a shape",
    .doc = "A map with exactly one of the shapes, and how it is placed.",
    BL_FIELDS(bl_shape, shape_keys),
    .pos_offset = BL_AT(bl_shape, pos),
    .finish = bl_check_shape,
};

static const bl_key volume_keys[] = {
    {"velocity", BL_KEY_VECTOR, BL_AT(bl_volume, velocity), .dim = BL_DIM_VELOCITY, .fallback = "[0, 0, 0]",
     .flags = BL_KEY_IN_PLANE, .doc = "Velocity at the start.", .example = "[0, 0, -0.5 m/s]"},
    {"angular_velocity", BL_KEY_VECTOR, BL_AT(bl_volume, angular_velocity), .dim = BL_DIM_ANGULAR_VELOCITY,
     .fallback = "[0, 0, 0]", .doc = "Rotation at the start, about the volume's centre of mass.",
     .example = "[0, 0, 10 rad/s]"},
    {"filling", BL_KEY_CHOICE, BL_AT(bl_volume, filling), .fallback = "lattice", .choices = bl_choices_filling,
     .doc = "How the particles are placed.", .example = "hexagonal"},
    {"jitter", BL_KEY_NUMBER, BL_AT(bl_volume, jitter), .range = BL_BETWEEN(0, 0.5),
     .doc = "Largest random displacement, in spacings.", .default_note = "0.1 for `jittered`, else 0",
     .example = "0.2"},
    {"seed", BL_KEY_SEED, BL_AT(bl_volume, seed), .range = BL_BETWEEN(0, 9007199254740992.0),
     .doc = "Seed of the displacements.", .default_note = "the scene's", .example = "3"},
};
const bl_section bl_section_volume = {
    .title = "a volume",
    .doc = "An item of a fluid's `volumes`: a shape, with the motion and the filling of what is in it.",
    BL_FIELDS(bl_volume, volume_keys),
    .base = &bl_section_shape,
    .base_offset = BL_AT(bl_volume, shape),
    .pos_offset = BL_AT(bl_volume, pos),
    .finish = bl_check_volume,
};
