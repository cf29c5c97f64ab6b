/* The key table: every key of a scene file, once. The reader, the defaults, the suggestions for misspelt keys, the JSON
 * of a resolved scene and docs/scene-reference.md all come from it.
 *
 *   section "fluid" ──▶ keys ──▶ {name, type, where in the struct, dimension, default, range, words}
 *        │ base                       │ section
 *        ▼                            ▼
 *   section "material"           section of the maps below this key
 */
#ifndef BL_SCENE_KEYS_H
#define BL_SCENE_KEYS_H

#include "scene/scene.h"
#include "scene/units.h"

typedef enum bl_key_type {
    BL_KEY_BOOL,       /* bool */
    BL_KEY_INT,        /* int */
    BL_KEY_LONG,       /* long long */
    BL_KEY_SEED,       /* uint64_t */
    BL_KEY_NUMBER,     /* double */
    BL_KEY_VECTOR,     /* bl_vec3d */
    BL_KEY_SCALE,      /* bl_vec3d; one number stands for three */
    BL_KEY_ROTATION,   /* bl_vec3d: axis times angle */
    BL_KEY_COLOR,      /* bl_vec3d */
    BL_KEY_CURVE,      /* bl_curve of numbers */
    BL_KEY_CURVE3,     /* bl_curve of vectors */
    BL_KEY_TEXT,       /* char *; one of `choices` where there are any */
    BL_KEY_CHOICE,     /* enum: the index in `choices` */
    BL_KEY_CHOICES,    /* unsigned: bit k for choices[k] */
    BL_KEY_AXES,       /* bool[3] */
    BL_KEY_FLUID,      /* int: index of the fluid of that name */
    BL_KEY_MESH_FILE,  /* char *: path of an existing file */
    BL_KEY_SECTION,    /* a struct inside this one */
    BL_KEY_NAMED,      /* array of structs, a map of names in the file */
    BL_KEY_LIST,       /* array of structs, a list in the file */
    BL_KEY_SHAPE,      /* sets the kind of a bl_shape to `kind` and reads `section` into it */
    BL_KEY_SHAPE_TREE, /* likewise, with a list of shapes as children */
    BL_KEY_META        /* used up before the table is applied: include, materials, material */
} bl_key_type;

enum {
    BL_KEY_REQUIRED = 1,
    BL_KEY_IN_PLANE = 2,   /* a vector of which 2D scenes give x and y only */
    BL_KEY_INPUT_ONLY = 4, /* another way to say what the other keys say: not written to JSON */
    BL_KEY_NOT_ZERO = 8    /* a vector with a direction */
};

typedef struct bl_range {
    bool limited;
    double min, max; /* SI */
    bool open_min;   /* min itself is not allowed */
} bl_range;

typedef struct bl_section bl_section;

typedef struct bl_key {
    const char *name;
    bl_key_type type;
    size_t offset; /* in the section's struct */
    bl_dim dim;
    const char *fallback; /* the default, as it would be written in a file; NULL: none */
    bl_range range;
    unsigned flags;
    const char *const *choices; /* NULL-terminated */
    const bl_section *section;
    size_t count_offset; /* BL_KEY_NAMED, BL_KEY_LIST: of the int with the number of items */
    size_t given_offset; /* of the bool that says whether the value was given; 0: always written to JSON */
    bl_shape_kind kind;
    const char *doc;
    const char *default_note; /* for the reference, where the default is not a constant */
    const char *example;
} bl_key;

typedef struct bl_reader bl_reader;
typedef struct bl_node bl_node;

struct bl_section {
    const char *title; /* in the reference: "fluids.NAME" */
    const char *doc;
    size_t size;            /* of the struct */
    const bl_section *base; /* its keys belong to this section too, at base_offset of the struct */
    size_t base_offset;
    const bl_key *keys;
    int key_count;
    size_t pos_offset;  /* of a bl_pos to fill; 0: none */
    size_t name_offset; /* of a char *, for the items of BL_KEY_NAMED */
    void (*finish)(bl_reader *reader, const bl_node *node, void *object); /* checks across keys; may be NULL */
};

/* What `rotate: {axis, angle}` is read into. */
typedef struct bl_rotation {
    bl_vec3d axis;
    double angle;
} bl_rotation;

extern const bl_section bl_section_scene;
extern const bl_section bl_section_material;
extern const bl_section bl_section_shape;
extern const bl_section bl_section_volume;
extern const bl_section bl_section_emitter, bl_section_rain, bl_section_printer, bl_section_sink;

/* The key of that name, in the section or its base; *offset is where its member lies in the section's struct. */
const bl_key *bl_section_find(const bl_section *section, const char *name, size_t *offset);

/* Choices in the order of the enums. */
extern const char *const bl_choices_scheme[], *const bl_choices_filling[];

#define BL_AT(type, member) offsetof(type, member)
#define BL_FIELDS(type, array) .size = sizeof(type), .keys = (array), .key_count = BL_COUNT_OF(array)
#define BL_COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))
#define BL_ABOVE(low)                                                                                                  \
    { true, (low), (double)INFINITY, true }
#define BL_AT_LEAST(low)                                                                                               \
    { true, (low), (double)INFINITY, false }
#define BL_BETWEEN(low, high)                                                                                          \
    { true, (low), (high), false }
#define BL_ABOVE_UP_TO(low, high)                                                                                      \
    { true, (low), (high), true }

#endif
