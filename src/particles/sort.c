/* Sorting a store along a Hilbert curve: neighbours on the curve are neighbours in space. Eight particles in a row
 * share more of their neighbours than along a Z-order curve, which jumps (239 within 3h instead of 268:
 * neighbours/groups.h). */
#include "base/parallel.h"
#include "particles/frame.h"
#include "particles/radix.h"
#include "particles/store.h"

#include <string.h>

/* Spread the low 21 bits of v to every third bit. */
static uint64_t spread_bits(uint64_t v) {
    v &= 0x1fffff;
    v = (v | v << 32) & 0x001f00000000ffffull;
    v = (v | v << 16) & 0x001f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

/* The curve over 2^bits cells along each of `n` axes. */
typedef struct curve {
    int n;
    unsigned bits;
} curve;

static curve curve_over(const bl_frame *frame) {
    curve c = {0, 1};
    for (int a = 0; a < 3; a++) {
        if (frame->axis[a].n_cells > 1) c.n = a + 1;
        while ((frame->axis[a].n_cells - 1) >> c.bits) c.bits++;
    }
    return c;
}

/* Where on the curve a cell is (J. Skilling, Programming the Hilbert curve, 2004): the turns and reflections of all
 * larger cubes are undone from the largest down, then the Gray code of each cube's corners becomes a number. */
static uint64_t place_on(const curve *on, const uint32_t cell[3]) {
    uint32_t c[3] = {cell[0], cell[1], cell[2]}, flip = 0;
    const int n = on->n, last = n > 0 ? n - 1 : 0;
    const uint32_t top = (uint32_t)1 << (on->bits - 1);
    for (uint32_t bit = top; bit > 1; bit >>= 1)
        for (int a = 0; a < n; a++) {
            uint32_t low = bit - 1, swap = (c[0] ^ c[a]) & low;
            if (c[a] & bit)
                c[0] ^= low;
            else
                c[0] ^= swap, c[a] ^= swap;
        }
    for (int a = 1; a < n; a++) c[a] ^= c[a - 1];
    for (uint32_t bit = top; bit > 1; bit >>= 1)
        if (c[last] & bit) flip ^= bit - 1;
    for (int a = 0; a < n; a++) c[a] ^= flip;
    return spread_bits(c[0]) << 2 | spread_bits(c[1]) << 1 | spread_bits(c[2]);
}

typedef struct sort_job {
    bl_frame frame;
    curve curve;
    const bl_vec3 *x;
    const uint32_t *id;
    bl_sort_item *items;
    uint64_t nowhere; /* place of particles that have none: behind all others */
    /* moving one field */
    const char *from;
    char *to, *back;
    size_t item_size;
    real *annex; /* NULL: none */
    size_t annex_size;
} sort_job;

static void make_items(void *user, size_t begin, size_t end) {
    const sort_job *job = user;
    for (size_t i = begin; i < end; i++) {
        uint32_t cell[3];
        bool placed = bl_frame_cell(&job->frame, job->x[i], cell);
        job->items[i] = (bl_sort_item){placed ? place_on(&job->curve, cell) : job->nowhere, job->id[i], (uint32_t)i};
    }
}

static void gather_items(void *user, size_t begin, size_t end) {
    const sort_job *job = user;
    size_t size = job->item_size;
    const char *from = job->from;
    if (size == sizeof(uint32_t)) {
        for (size_t i = begin; i < end; i++)
            memcpy(job->to + i * sizeof(uint32_t), from + job->items[i].index * sizeof(uint32_t), sizeof(uint32_t));
    } else if (size == sizeof(bl_vec3)) {
        for (size_t i = begin; i < end; i++)
            memcpy(job->to + i * sizeof(bl_vec3), from + job->items[i].index * sizeof(bl_vec3), sizeof(bl_vec3));
    } else {
        for (size_t i = begin; i < end; i++) memcpy(job->to + i * size, from + job->items[i].index * size, size);
    }
}

static void copy_back(void *user, size_t begin, size_t end) {
    const sort_job *job = user;
    size_t size = job->item_size;
    memcpy(job->back + begin * size, job->to + begin * size, (end - begin) * size);
}

static bool is_sorted(const bl_sort_item *items, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (items[i].index != i) return false;
    return true;
}

/* Order of the particles in job->items. */
static bl_status find_order(bl_context *ctx, sort_job *job, size_t count, double cell, bl_arena *arena) {
    for (int a = 0; a < 3; a++) job->frame.axis[a] = bl_axis_open(cell);
    bl_frame_fit(ctx, &job->frame, 1, &job->x, &count);
    job->curve = curve_over(&job->frame);
    job->nowhere = (uint64_t)1 << (3 * job->curve.bits);
    job->items = bl_arena_take(arena, count, sizeof *job->items);
    if (!job->items) return BL_ERR_MEMORY;
    bl_parallel_for(ctx, count, BL_CHUNK, make_items, job);
    bl_status status = bl_radix_sort(ctx, arena, job->items, count, BL_SORT_BY_ID, UINT32_MAX);
    if (status == BL_OK) status = bl_radix_sort(ctx, arena, job->items, count, BL_SORT_BY_KEY, job->nowhere);
    return status;
}

static bl_status move_fields(bl_context *ctx, sort_job *job, void *store, const bl_field_info *fields, int n_fields,
                             size_t count, bl_arena *arena) {
    char *sorted = bl_arena_take(arena, count, sizeof(bl_vec3));
    if (!sorted) return BL_ERR_MEMORY;
    for (int f = 0; f < n_fields; f++) {
        if (!(fields[f].flags & BL_FIELD_STATE)) continue;
        job->from = job->back = bl_field_data(&fields[f], store);
        job->to = sorted;
        job->item_size = fields[f].item_size;
        bl_parallel_for(ctx, count, BL_CHUNK, gather_items, job);
        bl_parallel_for(ctx, count, BL_CHUNK, copy_back, job);
    }
    return BL_OK;
}

static bl_status move_annex(bl_context *ctx, sort_job *job, size_t count, bl_arena *arena) {
    if (!job->annex) return BL_OK;
    job->to = bl_arena_take(arena, count, job->annex_size);
    if (!job->to) return BL_ERR_MEMORY;
    job->from = job->back = (char *)job->annex;
    job->item_size = job->annex_size;
    bl_parallel_for(ctx, count, BL_CHUNK, gather_items, job);
    bl_parallel_for(ctx, count, BL_CHUNK, copy_back, job);
    return BL_OK;
}

static bl_status sort_store(bl_context *ctx, sort_job *job, void *store, const bl_field_info *fields, int n_fields,
                            size_t count, double cell, bl_arena *arena, bool *moved) {
    *moved = false;
    if (count < 2) return BL_OK;
    size_t mark = bl_arena_mark(arena);
    bl_status status = find_order(ctx, job, count, cell, arena);
    if (status == BL_OK && !is_sorted(job->items, count)) {
        *moved = true;
        status = move_fields(ctx, job, store, fields, n_fields, count, arena);
        if (status == BL_OK) status = move_annex(ctx, job, count, arena);
    }
    bl_arena_release(arena, mark);
    return status;
}

bl_status bl_fluid_store_sort(bl_fluid_store *store, double cell, bl_arena *arena, bool *moved) {
    sort_job job = {
        .x = store->x, .id = store->id, .annex = store->annex, .annex_size = bl_fluid_store_annex_size(store)};
    return sort_store(store->ctx, &job, store, bl_fluid_fields, BL_F_COUNT, store->count, cell, arena, moved);
}

bl_status bl_boundary_store_sort(bl_boundary_store *store, double cell, bl_arena *arena, bool *moved) {
    sort_job job = {.x = store->x, .id = store->id};
    return sort_store(store->ctx, &job, store, bl_boundary_fields, BL_B_COUNT, store->count, cell, arena, moved);
}
