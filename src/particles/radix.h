/* A stable parallel radix sort of (key, id, index) items. The result does not depend on the number of threads. */
#ifndef BL_PARTICLES_RADIX_H
#define BL_PARTICLES_RADIX_H

#include "base/arena.h"
#include "base/context.h"

typedef struct bl_sort_item {
    uint64_t key;
    uint32_t id;
    uint32_t index;
} bl_sort_item;

typedef enum bl_sort_by { BL_SORT_BY_KEY, BL_SORT_BY_ID } bl_sort_by;

/* Sort `count` items ascending by key or by id; equal ones keep their order. `largest` is a bound of the values: only
 * the digits it has are looked at. Scratch comes from the arena and is given back. */
bl_status bl_radix_sort(bl_context *ctx, bl_arena *arena, bl_sort_item *items, size_t count, bl_sort_by by,
                        uint64_t largest);

#endif
