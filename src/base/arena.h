/* A named arena for per-step scratch memory: grows while warming up, then never allocates again.
 * Take marks the arena's current use; release back to a mark frees everything taken since. */
#ifndef BL_BASE_ARENA_H
#define BL_BASE_ARENA_H

#include "base/context.h"

typedef struct bl_arena bl_arena;
bl_status bl_arena_create(bl_context *ctx, const char *name, bl_arena **out);
void bl_arena_destroy(bl_arena *arena);
/* 64-byte aligned, NOT zeroed; valid until the release of an earlier mark. NULL with the error set if out of memory. */
void *bl_arena_take(bl_arena *arena, size_t count, size_t item_size);
size_t bl_arena_mark(const bl_arena *arena);
void bl_arena_release(bl_arena *arena, size_t mark);
size_t bl_arena_peak(const bl_arena *arena); /* bytes */

#endif
