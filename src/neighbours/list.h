/* Neighbour lists as passes see them (C11 and OpenCL C 1.2).
 *
 * One list serves both supports: the neighbours of i closer than the near radius come first, then those up to the far
 * radius (bl_near_reach, bl_far_reach: 2h and 3h, or a little more). The particle itself is not in its own list; a
 * particle at the same place is.
 *
 * On the CPU rows are compact, and BL_ROW_ROOM numbers may be read past the end of any row: what is there are particles
 * that exist, so that blocks need no end. On OpenCL devices BL_SLAB rows lie side by side: neighbour k of the rows of a
 * slab is one run of BL_SLAB numbers, so that work items next to each other read memory next to each other. A slab is
 * as long as its longest row. */
#ifndef BL_NEIGHBOURS_LIST_H
#define BL_NEIGHBOURS_LIST_H

#ifdef __OPENCL_C_VERSION__
#define BL_GLOBAL __global
#define BL_CONST __constant
typedef uint bl_index;
typedef ulong bl_offset;
#else
#include <stdint.h>
#define BL_GLOBAL
#define BL_CONST
typedef uint32_t bl_index;
typedef uint64_t bl_offset;
#endif

enum { BL_SLAB = 32, BL_ROW_ROOM = 16 };

typedef struct bl_list {
    BL_GLOBAL const bl_offset *start; /* row of i in index[]; on OpenCL devices the slab i / BL_SLAB */
    BL_GLOBAL const bl_index *near;   /* neighbours within the near radius */
    BL_GLOBAL const bl_index *all;    /* neighbours within the far radius, near ones included */
    BL_GLOBAL const bl_index *index;
} bl_list;

static inline bl_index bl_neighbour(const bl_list *list, bl_index i, bl_index k) {
#ifdef __OPENCL_C_VERSION__
    return list->index[list->start[i / BL_SLAB] + (bl_offset)k * BL_SLAB + i % BL_SLAB];
#else
    return list->index[list->start[i] + k];
#endif
}

#endif
