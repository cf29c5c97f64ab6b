/* One set of particles (a fluid or a boundary) at one time: what a frame file holds, written or read.
 *
 * Particles stand in order of their ids, so a file does not depend on how the store happened to be sorted. */
#ifndef BL_OUTPUT_FRAME_H
#define BL_OUTPUT_FRAME_H

#include "base/context.h"
#include "base/vec3.h"
#include "particles/store.h"
#include "scene/scene.h"

typedef enum bl_array_type { BL_ARRAY_F32, BL_ARRAY_F64, BL_ARRAY_U32 } bl_array_type;

typedef struct bl_array {
    char *name; /* as in fields.h */
    bl_array_type type;
    int components; /* 1 or 3 */
    void *data;     /* count x components */
} bl_array;

typedef struct bl_frame {
    bl_context *ctx;
    int number;
    double time;
    size_t count;
    bl_array points; /* 3 components, F32 or F64 */
    int array_count;
    bl_array *arrays;
} bl_frame;

size_t bl_array_item_size(const bl_array *array);                        /* bytes of one particle */
const bl_array *bl_frame_array(const bl_frame *frame, const char *name); /* NULL if there is none */
void bl_frame_clear(bl_frame *frame);                                    /* releases; a zeroed frame is fine */

/* Component `c` of particle `i`, whatever the type. */
static inline double bl_array_value(const bl_array *array, size_t i, int c) {
    size_t k = i * (size_t)array->components + (size_t)c;
    switch (array->type) {
    case BL_ARRAY_F32: return (double)((const float *)array->data)[k];
    case BL_ARRAY_F64: return ((const double *)array->data)[k];
    default: return (double)((const uint32_t *)array->data)[k];
    }
}
static inline bl_vec3d bl_array_vec3(const bl_array *array, size_t i) { /* 3 components */
    return bl_v3d_make(bl_array_value(array, i, 0), bl_array_value(array, i, 1), bl_array_value(array, i, 2));
}

/* Snapshots: copies of the points and all OUT fields of one fluid (phase) or boundary (body), in order of id. */
bl_status bl_frame_from_fluid(bl_context *ctx, const bl_fluid_store *store, uint32_t phase, bl_frame *out);
bl_status bl_frame_from_boundary(bl_context *ctx, const bl_boundary_store *store, uint32_t body, bl_frame *out);

/* The sets of a scene: every fluid, then every boundary, each with the name its files carry. */
typedef enum bl_set_kind { BL_SET_FLUID, BL_SET_BOUNDARY } bl_set_kind;
typedef struct bl_set {
    bl_set_kind kind;
    int index;  /* of the fluid or boundary in the scene */
    bool fixed; /* a boundary that never moves: written once, as frame 0 */
    char *name; /* as in the scene */
    char *file; /* frames/FILE_000042.vtu: the name made safe for file names and unique */
} bl_set;
typedef struct bl_sets {
    bl_context *ctx;
    int count;
    bl_set *items;
} bl_sets;
bl_status bl_sets_from_scene(bl_context *ctx, const bl_scene *scene, bl_sets *out);
void bl_sets_clear(bl_sets *sets);

#endif
