#include "particles/store.h"

#include "base/hash.h"

#include <string.h>

#define TYPE_OF(type)                                                                                                  \
    _Generic((type *)0, real *                                                                                         \
             : BL_TYPE_REAL, bl_vec3 *                                                                                 \
             : BL_TYPE_VEC3, bl_vec4 *                                                                                 \
             : BL_TYPE_VEC4, uint32_t *                                                                                \
             : BL_TYPE_U32)

const bl_field_info bl_fluid_fields[BL_F_COUNT] = {
#define X(type, name, flags, unit, doc)                                                                                \
    {#name, unit, doc, TYPE_OF(type), flags, sizeof(type), offsetof(bl_fluid_store, name)},
    BL_FLUID_FIELDS(X)
#undef X
};

const bl_field_info bl_boundary_fields[BL_B_COUNT] = {
#define X(type, name, flags, unit, doc)                                                                                \
    {#name, unit, doc, TYPE_OF(type), flags, sizeof(type), offsetof(bl_boundary_store, name)},
    BL_BOUNDARY_FIELDS(X)
#undef X
};

/* Both stores seen alike: the work below is written once. */
typedef struct table {
    bl_context *ctx;
    void *store;
    const bl_field_info *fields;
    int n_fields;
    size_t *count, *capacity;
    uint32_t *next_id, **ids;
    const char *kind;
} table;

static table fluid_table(bl_fluid_store *s) {
    return (table){s->ctx, s, bl_fluid_fields, BL_F_COUNT, &s->count, &s->capacity, &s->next_id, &s->id, "fluid"};
}

static table boundary_table(bl_boundary_store *s) {
    return (table){s->ctx, s, bl_boundary_fields, BL_B_COUNT, &s->count, &s->capacity, &s->next_id, &s->id, "boundary"};
}

static void set_field_data(const bl_field_info *field, void *store, void *data) {
    memcpy((char *)store + field->offset, &data, sizeof data);
}

static void table_clear(table t) {
    for (int f = 0; f < t.n_fields; f++) {
        bl_release(t.ctx, bl_field_data(&t.fields[f], t.store));
        set_field_data(&t.fields[f], t.store, NULL);
    }
    *t.count = *t.capacity = 0;
    *t.next_id = 0;
}

static bl_status table_reserve(table t, size_t capacity) {
    if (capacity <= *t.capacity) return BL_OK;
    for (int f = 0; f < t.n_fields; f++) {
        const bl_field_info *field = &t.fields[f];
        /* one item more: vector loads of a bl_vec3 read four numbers (physics/gather.h) */
        void *data = bl_grow(t.ctx, bl_field_data(field, t.store), *t.capacity, capacity + 1, field->item_size);
        if (!data) return BL_ERR_MEMORY;
        set_field_data(field, t.store, data);
    }
    *t.capacity = capacity;
    return BL_OK;
}

static bl_status table_append(table t, size_t count, size_t *first) {
    size_t old = *t.count;
    *first = old;
    if (count == 0) return BL_OK; /* there may be no arrays yet */
    if (count > UINT32_MAX - *t.next_id)
        return bl_fail(t.ctx, BL_ERR_DATA, "%zu more %s particles after %u: at most %u can be numbered", count, t.kind,
                       *t.next_id, UINT32_MAX);
    if (old + count > *t.capacity) {
        size_t roomy = *t.capacity + *t.capacity / 2, needed = old + count;
        bl_status status = table_reserve(t, roomy > needed ? roomy : needed);
        if (status != BL_OK) return status;
    }
    for (int f = 0; f < t.n_fields; f++) {
        size_t size = t.fields[f].item_size;
        memset((char *)bl_field_data(&t.fields[f], t.store) + old * size, 0, count * size);
    }
    for (size_t i = 0; i < count; i++) (*t.ids)[old + i] = (*t.next_id)++;
    *t.count = old + count;
    return BL_OK;
}

static size_t keep_items(char *data, size_t size, size_t count, const uint8_t *remove) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (remove[i]) continue;
        if (kept != i) memcpy(data + kept * size, data + i * size, size);
        kept++;
    }
    return kept;
}

static uint64_t table_hash(table t) {
    uint64_t hash = bl_hash(BL_HASH_START, t.count, sizeof *t.count);
    for (int f = 0; f < t.n_fields; f++) {
        const bl_field_info *field = &t.fields[f];
        if ((field->flags & BL_FIELD_STATE) && *t.count > 0)
            hash = bl_hash(hash, bl_field_data(field, t.store), *t.count * field->item_size);
    }
    return hash;
}

void bl_fluid_store_init(bl_context *ctx, bl_fluid_store *store) {
    memset(store, 0, sizeof *store);
    store->ctx = ctx;
}

void bl_fluid_store_clear(bl_fluid_store *store) {
    table_clear(fluid_table(store));
    bl_release(store->ctx, store->annex);
    store->annex = NULL;
    store->annex_width = 0;
}

/* The annex has as much room as the fields. */
static bl_status grow_annex(bl_fluid_store *store, size_t old_capacity) {
    if (store->annex_width == 0 || (store->annex && store->capacity == old_capacity)) return BL_OK;
    real *annex = bl_grow(store->ctx, store->annex, old_capacity, store->capacity, bl_fluid_store_annex_size(store));
    if (!annex) return BL_ERR_MEMORY;
    store->annex = annex;
    return BL_OK;
}

bl_status bl_fluid_store_extend(bl_fluid_store *store, size_t width) {
    if (store->annex_width == width) return BL_OK;
    bl_release(store->ctx, store->annex);
    store->annex = NULL;
    store->annex_width = width;
    return grow_annex(store, 0);
}

bl_status bl_fluid_store_reserve(bl_fluid_store *store, size_t capacity) {
    size_t old = store->capacity;
    bl_status status = table_reserve(fluid_table(store), capacity);
    return status == BL_OK ? grow_annex(store, old) : status;
}

bl_status bl_fluid_store_append(bl_fluid_store *store, size_t count, size_t *first) {
    size_t old = store->capacity, width = bl_fluid_store_annex_size(store);
    bl_status status = table_append(fluid_table(store), count, first);
    if (status == BL_OK) status = grow_annex(store, old);
    if (status == BL_OK && store->annex && count > 0) memset((char *)store->annex + *first * width, 0, count * width);
    return status;
}

void bl_fluid_store_remove(bl_fluid_store *store, const uint8_t *remove) {
    size_t kept = store->count;
    for (int f = 0; f < BL_F_COUNT; f++) {
        const bl_field_info *field = &bl_fluid_fields[f];
        kept = keep_items(bl_field_data(field, store), field->item_size, store->count, remove);
    }
    if (store->annex) keep_items((char *)store->annex, bl_fluid_store_annex_size(store), store->count, remove);
    store->count = kept;
}

uint64_t bl_fluid_store_hash(const bl_fluid_store *store) {
    bl_fluid_store view = *store;
    uint64_t hash = table_hash(fluid_table(&view));
    return store->annex ? bl_hash(hash, store->annex, store->count * bl_fluid_store_annex_size(store)) : hash;
}

void bl_boundary_store_init(bl_context *ctx, bl_boundary_store *store) {
    memset(store, 0, sizeof *store);
    store->ctx = ctx;
}

void bl_boundary_store_clear(bl_boundary_store *store) { table_clear(boundary_table(store)); }

bl_status bl_boundary_store_append(bl_boundary_store *store, size_t count, size_t *first) {
    return table_append(boundary_table(store), count, first);
}

uint64_t bl_boundary_store_hash(const bl_boundary_store *store) {
    bl_boundary_store view = *store;
    return table_hash(boundary_table(&view));
}
