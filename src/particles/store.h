/* The particle store: one structure of arrays for all fluid particles, one for all boundary particles.
 *
 * Members are pointers named as in fields.h. Arrays have room for `capacity` particles and are 64-byte aligned. */
#ifndef BL_PARTICLES_STORE_H
#define BL_PARTICLES_STORE_H

#include "base/arena.h"
#include "base/context.h"
#include "base/vec3.h"
#include "particles/fields.h"
#include <string.h>

typedef struct bl_fluid_store {
    bl_context *ctx;
    size_t count, capacity;
    uint32_t next_id; /* ids are never given twice */
#define X(type, name, flags, unit, doc) type *name;
    BL_FLUID_FIELDS(X)
#undef X
    /* State of one scheme alone: annex_width numbers a particle, one particle behind the other. NULL: none. */
    real *annex;
    size_t annex_width;
} bl_fluid_store;

typedef struct bl_boundary_store {
    bl_context *ctx;
    size_t count, capacity;
    uint32_t next_id;
#define X(type, name, flags, unit, doc) type *name;
    BL_BOUNDARY_FIELDS(X)
#undef X
} bl_boundary_store;

/* One row of the field list, for code that handles all fields alike (sorting, checkpoints, output). */
typedef enum bl_field_type { BL_TYPE_REAL, BL_TYPE_VEC3, BL_TYPE_VEC4, BL_TYPE_U32 } bl_field_type;
typedef struct bl_field_info {
    const char *name, *unit, *doc;
    bl_field_type type;
    unsigned flags;
    size_t item_size;
    size_t offset; /* of the pointer in the store */
} bl_field_info;
extern const bl_field_info bl_fluid_fields[BL_F_COUNT];
extern const bl_field_info bl_boundary_fields[BL_B_COUNT];
/* The array behind a field: bl_field_data(&bl_fluid_fields[BL_F_x], store). */
static inline void *bl_field_data(const bl_field_info *field, const void *store) {
    void *data;
    memcpy(&data, (const char *)store + field->offset, sizeof data);
    return data;
}

void bl_fluid_store_init(bl_context *ctx, bl_fluid_store *store); /* empty */
void bl_fluid_store_clear(bl_fluid_store *store);
bl_status bl_fluid_store_reserve(bl_fluid_store *store, size_t capacity);
/* Add `count` zeroed particles with fresh ids; the first one's index goes to *first. */
bl_status bl_fluid_store_append(bl_fluid_store *store, size_t count, size_t *first);
/* Room for an annex of `width` numbers a particle, zero at first. One of that width is kept as it is. */
bl_status bl_fluid_store_extend(bl_fluid_store *store, size_t width);
static inline size_t bl_fluid_store_annex_size(const bl_fluid_store *store) { /* bytes a particle */
    return store->annex_width * sizeof(real);
}
/* Remove the particles with remove[i] != 0, keeping the order of the others. */
void bl_fluid_store_remove(bl_fluid_store *store, const uint8_t *remove);

void bl_boundary_store_init(bl_context *ctx, bl_boundary_store *store);
void bl_boundary_store_clear(bl_boundary_store *store);
bl_status bl_boundary_store_append(bl_boundary_store *store, size_t count, size_t *first);

/* Sort along a Hilbert curve over cells of edge `cell` (ties by id), moving all STATE fields. Deterministic; scratch
 * memory from the arena. *moved says whether the order changed. */
bl_status bl_fluid_store_sort(bl_fluid_store *store, double cell, bl_arena *arena, bool *moved);
bl_status bl_boundary_store_sort(bl_boundary_store *store, double cell, bl_arena *arena, bool *moved);

/* Hash of all STATE fields and the annex in order: equal states, equal hashes. */
uint64_t bl_fluid_store_hash(const bl_fluid_store *store);
uint64_t bl_boundary_store_hash(const bl_boundary_store *store);

#endif
