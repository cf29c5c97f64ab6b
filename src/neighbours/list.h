/* Neighbour lists as passes see them (C11 and OpenCL C 1.2).
 *
 * One list serves both supports: the neighbours of i closer than the near radius come first, then those up to the far
 * radius (bl_near_reach, bl_far_reach: 2h and 3h, or a little more). The particle itself is not in its own list; a
 * particle at the same place is.
 *
 * On the CPU rows are compact, and BL_ROW_ROOM numbers may be read past the end of any row: what is there are particles
 * that exist, so that blocks need no end.
 *
 * On OpenCL devices BL_SLAB rows lie side by side, BL_QUAD neighbours of one after as many of another, so that work
 * items next to each other read memory next to each other. A slab is as long as its longest row, and a row is filled up
 * to whole quads with its last neighbour. Particles are in a spatial order, so the neighbours of most slabs have
 * numbers that are less than 65536 apart: 16 bits beyond the smallest of them, the slab's base. Others are wide, of 32
 * bits. */
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

enum { BL_SLAB = 32, BL_ROW_ROOM = 16, BL_QUAD = 4 };

#ifdef __OPENCL_C_VERSION__
typedef ushort bl_entry;
#else
typedef bl_index bl_entry;
#endif

typedef struct bl_list {
    BL_GLOBAL const bl_offset *start; /* row of i in index[]; on OpenCL devices of the slab i / BL_SLAB */
    BL_GLOBAL const bl_index *near;   /* neighbours within the near radius */
    BL_GLOBAL const bl_index *all;    /* neighbours within the far radius, near ones included */
    BL_GLOBAL const bl_entry *index;
} bl_list;

#ifdef __OPENCL_C_VERSION__
/* The slab of row i, and where in it the row begins. In `start` are the slab's base (32 bits), where it begins, in
 * quads of all its rows (31 bits), and whether it is wide. */
typedef struct bl_row {
    BL_GLOBAL const bl_entry *slab;
    bl_index base, first;
    int wide;
} bl_row;

static inline bl_row bl_row_of(const bl_list *list, bl_index i) {
    const bl_offset start = list->start[i / BL_SLAB];
    bl_row row;
    row.slab = list->index + ((bl_offset)((bl_index)start >> 1)) * (BL_SLAB * BL_QUAD);
    row.base = (bl_index)(start >> 32);
    row.first = i % BL_SLAB * BL_QUAD;
    row.wide = (int)(start & 1);
    return row;
}
static inline bl_index bl_place_in_slab(const bl_row *row, bl_index k) {
    return k / BL_QUAD * (BL_SLAB * BL_QUAD) + row->first + k % BL_QUAD;
}
/* Neighbours k to k + BL_QUAD - 1 of the row; k is a multiple of BL_QUAD. */
static inline uint4 bl_quad(const bl_row *row, bl_index k) {
    const bl_index at = bl_place_in_slab(row, k);
    if (row->wide) return *(BL_GLOBAL const uint4 *)((BL_GLOBAL const bl_index *)row->slab + at) + row->base;
    return convert_uint4(*(BL_GLOBAL const ushort4 *)(row->slab + at)) + row->base;
}
#endif

static inline bl_index bl_neighbour(const bl_list *list, bl_index i, bl_index k) {
#ifdef __OPENCL_C_VERSION__
    const bl_row row = bl_row_of(list, i);
    const bl_index at = bl_place_in_slab(&row, k);
    return row.base + (row.wide ? ((BL_GLOBAL const bl_index *)row.slab)[at] : row.slab[at]);
#else
    return list->index[list->start[i] + k];
#endif
}

#endif
