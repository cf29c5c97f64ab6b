#include "output/frame.h"

#include "base/parallel.h"

#include <string.h>

size_t bl_array_item_size(const bl_array *array) {
    return (size_t)array->components * (array->type == BL_ARRAY_F64 ? 8 : 4);
}

const bl_array *bl_frame_array(const bl_frame *frame, const char *name) {
    for (int a = 0; a < frame->array_count; a++)
        if (strcmp(frame->arrays[a].name, name) == 0) return &frame->arrays[a];
    return NULL;
}

static void array_clear(bl_context *ctx, bl_array *array) {
    bl_release(ctx, array->name);
    bl_release(ctx, array->data);
}

void bl_frame_clear(bl_frame *frame) {
    array_clear(frame->ctx, &frame->points);
    for (int a = 0; a < frame->array_count; a++) array_clear(frame->ctx, &frame->arrays[a]);
    bl_release(frame->ctx, frame->arrays);
    memset(frame, 0, sizeof *frame);
}

/* One of the two stores, as the field list describes it. */
typedef struct particle_table {
    const void *store;
    size_t count;
    const bl_field_info *fields;
    int field_count, position;  /* position: number of the field x */
    const uint32_t *id, *group; /* group: phase or body */
} particle_table;

/* One stable counting pass over 11 bits of the id. */
static void sort_by_digit(const uint32_t *id, const uint32_t *from, uint32_t *to, size_t count, int shift) {
    size_t start[2049] = {0};
    for (size_t k = 0; k < count; k++) start[((id[from[k]] >> shift) & 2047u) + 1]++;
    for (int d = 0; d < 2048; d++) start[d + 1] += start[d];
    for (size_t k = 0; k < count; k++) to[start[(id[from[k]] >> shift) & 2047u]++] = from[k];
}

/* Indices of the members of one group, by rising id. The caller releases *order. */
static bl_status select_by_id(bl_context *ctx, const particle_table *table, uint32_t group, uint32_t **order,
                              size_t *count) {
    *order = NULL;
    *count = 0;
    for (size_t i = 0; i < table->count; i++) *count += table->group[i] == group;
    uint32_t *a = bl_alloc(ctx, *count, sizeof *a), *b = bl_alloc(ctx, *count, sizeof *b);
    if (!a || !b) {
        bl_release(ctx, a);
        bl_release(ctx, b);
        return BL_ERR_MEMORY;
    }
    size_t n = 0;
    for (size_t i = 0; i < table->count; i++)
        if (table->group[i] == group) a[n++] = (uint32_t)i;
    sort_by_digit(table->id, a, b, n, 0);
    sort_by_digit(table->id, b, a, n, 11);
    sort_by_digit(table->id, a, b, n, 22);
    bl_release(ctx, a);
    *order = b;
    return BL_OK;
}

static bl_array_type array_type(bl_field_type type) {
    if (type == BL_TYPE_U32) return BL_ARRAY_U32;
    return sizeof(real) == 8 ? BL_ARRAY_F64 : BL_ARRAY_F32;
}

typedef struct gathering {
    const char *from;
    char *to;
    const uint32_t *order;
    size_t item_size;
} gathering;

static void gather_range(void *user, size_t begin, size_t end) {
    const gathering *g = user;
    for (size_t k = begin; k < end; k++)
        memcpy(g->to + k * g->item_size, g->from + g->order[k] * g->item_size, g->item_size);
}

static bl_status gather(bl_context *ctx, const bl_field_info *field, const void *store, const uint32_t *order,
                        size_t count, bl_array *out) {
    out->type = array_type(field->type);
    out->components = field->type == BL_TYPE_VEC3 ? 3 : 1;
    out->name = bl_strdup(ctx, field->name);
    out->data = bl_alloc(ctx, count, field->item_size);
    if (!out->name || !out->data) return BL_ERR_MEMORY;
    gathering g = {bl_field_data(field, store), out->data, order, field->item_size};
    bl_parallel_for(ctx, count, BL_CHUNK, gather_range, &g);
    return BL_OK;
}

static bl_status gather_all(bl_context *ctx, const particle_table *table, const uint32_t *order, bl_frame *frame) {
    bl_status status = gather(ctx, &table->fields[table->position], table->store, order, frame->count, &frame->points);
    frame->arrays = bl_alloc(ctx, (size_t)table->field_count, sizeof *frame->arrays);
    if (!frame->arrays) return BL_ERR_MEMORY;
    for (int f = 0; f < table->field_count && status == BL_OK; f++)
        if (table->fields[f].flags & BL_FIELD_OUT)
            status =
                gather(ctx, &table->fields[f], table->store, order, frame->count, &frame->arrays[frame->array_count++]);
    return status;
}

static bl_status snapshot(bl_context *ctx, const particle_table *table, uint32_t group, bl_frame *out) {
    memset(out, 0, sizeof *out);
    out->ctx = ctx;
    uint32_t *order;
    bl_status status = select_by_id(ctx, table, group, &order, &out->count);
    if (status == BL_OK) status = gather_all(ctx, table, order, out);
    bl_release(ctx, order);
    if (status != BL_OK) bl_frame_clear(out);
    return status;
}

bl_status bl_frame_from_fluid(bl_context *ctx, const bl_fluid_store *store, uint32_t phase, bl_frame *out) {
    particle_table table = {store, store->count, bl_fluid_fields, BL_F_COUNT, BL_F_x, store->id, store->phase};
    return snapshot(ctx, &table, phase, out);
}

bl_status bl_frame_from_boundary(bl_context *ctx, const bl_boundary_store *store, uint32_t body, bl_frame *out) {
    particle_table table = {store, store->count, bl_boundary_fields, BL_B_COUNT, BL_B_x, store->id, store->body};
    return snapshot(ctx, &table, body, out);
}
