/* The arena: a short list of blocks, each at least twice the size of the one before. Blocks are kept when released, so
 * a repeated pattern of takes finds its memory again.
 *
 * A mark is a position in the blocks laid end to end. */
#include "base/arena.h"

#include <assert.h>

enum { MAX_BLOCKS = 40, ALIGNMENT = 64, FIRST_BLOCK = 1 << 16 };

typedef struct block {
    char *memory;
    size_t start; /* position of its first byte */
    size_t capacity, used;
} block;

struct bl_arena {
    bl_context *ctx;
    char *name;
    block blocks[MAX_BLOCKS];
    int n_blocks, current; /* blocks after `current` are empty */
    size_t peak;
};

bl_status bl_arena_create(bl_context *ctx, const char *name, bl_arena **out) {
    *out = NULL;
    bl_arena *arena = bl_alloc(ctx, 1, sizeof *arena);
    if (!arena) return BL_ERR_MEMORY;
    arena->ctx = ctx;
    arena->name = bl_strdup(ctx, name);
    if (!arena->name) {
        bl_release(ctx, arena);
        return BL_ERR_MEMORY;
    }
    *out = arena;
    return BL_OK;
}

static void drop_blocks_from(bl_arena *arena, int first) {
    for (int i = first; i < arena->n_blocks; i++) bl_release(arena->ctx, arena->blocks[i].memory);
    if (arena->n_blocks > first) arena->n_blocks = first;
}

void bl_arena_destroy(bl_arena *arena) {
    if (!arena) return;
    drop_blocks_from(arena, 0);
    bl_release(arena->ctx, arena->name);
    bl_release(arena->ctx, arena);
}

/* Make the block after the current one, at least `size` bytes, current. */
static bool next_block(bl_arena *arena, size_t size) {
    const int next = arena->n_blocks ? arena->current + 1 : 0;
    const block *last = next ? &arena->blocks[next - 1] : NULL;
    if (next >= arena->n_blocks || arena->blocks[next].capacity < size) {
        drop_blocks_from(arena, next);
        assert(next < MAX_BLOCKS);
        size_t capacity = last ? 2 * last->capacity : FIRST_BLOCK;
        if (capacity < size) capacity = size;
        char *memory = bl_alloc(arena->ctx, capacity, 1);
        if (!memory) return false;
        arena->blocks[next] = (block){memory, last ? last->start + last->capacity : 0, capacity, 0};
        arena->n_blocks = next + 1;
    }
    arena->current = next;
    return true;
}

void *bl_arena_take(bl_arena *arena, size_t count, size_t item_size) {
    if (count > (SIZE_MAX / 4) / item_size) {
        bl_fail(arena->ctx, BL_ERR_MEMORY, "out of memory: %zu items of %zu bytes for %s", count, item_size,
                arena->name);
        return NULL;
    }
    size_t size = count ? count * item_size : 1;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

    block *b = &arena->blocks[arena->current];
    if (b->capacity - b->used < size) {
        if (!next_block(arena, size)) {
            bl_fail(arena->ctx, BL_ERR_MEMORY, "out of memory: %zu bytes for %s", size, arena->name);
            return NULL;
        }
        b = &arena->blocks[arena->current];
    }
    void *memory = b->memory + b->used;
    b->used += size;
    if (b->start + b->used > arena->peak) arena->peak = b->start + b->used;
    return memory;
}

size_t bl_arena_mark(const bl_arena *arena) {
    const block *b = &arena->blocks[arena->current];
    return b->start + b->used;
}

void bl_arena_release(bl_arena *arena, size_t mark) {
    assert(mark <= bl_arena_mark(arena));
    while (arena->current > 0 && mark < arena->blocks[arena->current].start) {
        arena->blocks[arena->current].used = 0;
        arena->current--;
    }
    block *b = &arena->blocks[arena->current];
    b->used = mark - b->start;
}

size_t bl_arena_peak(const bl_arena *arena) { return arena->peak; }
