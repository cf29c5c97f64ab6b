#include "neighbours/groups.h"

#include "base/parallel.h"

#include <string.h>

/* The neighbours found so far, in an open hash table that is never more than half full. */
enum { SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS, GROUPS_PER_CHUNK = 16 };
_Static_assert(2 * BL_GROUP_ROOM <= (int)SLOTS, "the table stays half empty");

typedef struct collector {
    uint32_t slot[SLOTS]; /* index + 1; 0: free */
    bl_index *out;
    bl_index count;
    bool full;
} collector;

static void collect(collector *c, bl_index j) {
    uint32_t at = (j * 2654435761u) >> (32 - SLOT_BITS);
    while (c->slot[at] != 0) {
        if (c->slot[at] == j + 1) return;
        at = (at + 1) & (SLOTS - 1);
    }
    if (c->count == BL_GROUP_ROOM) {
        c->full = true;
        return;
    }
    c->slot[at] = j + 1;
    c->out[c->count++] = j;
}

static void collect_rows(collector *c, const bl_list *rows, size_t first, size_t end, bool near) {
    for (size_t i = first; i < end && !c->full; i++) {
        const bl_index *row = rows->index + rows->start[i];
        bl_index from = near ? 0 : rows->near[i], to = near ? rows->near[i] : rows->all[i];
        for (bl_index k = from; k < to; k++) collect(c, row[k]);
    }
}

typedef struct groups_job {
    bl_groups *groups;
    bl_list rows;
    size_t count;
} groups_job;

static void build_group(const groups_job *job, size_t b) {
    size_t first = b * BL_GROUP, end = first + BL_GROUP < job->count ? first + BL_GROUP : job->count;
    collector c;
    memset(c.slot, 0, sizeof c.slot);
    c.out = job->groups->index + b * BL_GROUP_ROOM;
    c.count = 0;
    c.full = false;
    for (size_t i = first; i < end; i++) collect(&c, (bl_index)i);
    collect_rows(&c, &job->rows, first, end, true);
    bl_index near = c.count;
    collect_rows(&c, &job->rows, first, end, false);
    job->groups->near[b] = c.full ? 0 : near;
    job->groups->all[b] = c.full ? 0 : c.count;
}

static void build_range(void *user, size_t begin, size_t end) {
    for (size_t b = begin; b < end; b++) build_group(user, b);
}

void bl_groups_clear(bl_context *ctx, bl_groups *groups) {
    bl_release(ctx, groups->near);
    bl_release(ctx, groups->all);
    bl_release(ctx, groups->index);
    memset(groups, 0, sizeof *groups);
}

static bl_status reserve(bl_context *ctx, bl_groups *groups, size_t n_groups) {
    if (n_groups <= groups->capacity) return BL_OK;
    size_t capacity = n_groups + n_groups / 8 + 16;
    bl_groups_clear(ctx, groups);
    groups->near = bl_alloc(ctx, capacity, sizeof *groups->near);
    groups->all = bl_alloc(ctx, capacity, sizeof *groups->all);
    groups->index = bl_alloc(ctx, capacity * BL_GROUP_ROOM, sizeof *groups->index);
    if (!groups->near || !groups->all || !groups->index) return BL_ERR_MEMORY;
    groups->capacity = capacity;
    return BL_OK;
}

bl_status bl_groups_build(bl_context *ctx, bl_groups *groups, bl_list rows, size_t count) {
    size_t n_groups = (count + BL_GROUP - 1) / BL_GROUP;
    bl_status status = reserve(ctx, groups, n_groups);
    if (status != BL_OK) return status;
    groups_job job = {groups, rows, count};
    bl_parallel_for(ctx, n_groups, GROUPS_PER_CHUNK, build_range, &job);
    return BL_OK;
}

size_t bl_groups_memory(const bl_groups *groups) { return groups->capacity * (BL_GROUP_ROOM + 2) * sizeof(bl_index); }
