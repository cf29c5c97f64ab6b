/* A sparse grid: particles copied into the order of their cells, cells in rows along x.
 *
 *   rows   (y, z) pairs that hold particles, ascending     row_first: its first cell
 *   cells  the occupied cells of all rows, ascending in x  cell_first: its first particle
 *   x y z index                                            the particles, within a cell in array order; in 2D z = 0
 *
 * Only occupied cells are stored, so the domain may be as large as it likes, and the cells x0..x1 of a row are one
 * contiguous run of particles. */
#ifndef BL_NEIGHBOURS_GRID_H
#define BL_NEIGHBOURS_GRID_H

#include "base/arena.h"
#include "neighbours/list.h"
#include "neighbours/neighbours.h"
#include "particles/frame.h"

enum { BL_GRID_ROOM = 64 }; /* items behind the end of the particle arrays that may be read */

/* A key orders cells by z, then y, then x, in as few bits as the frame needs. */
typedef struct bl_grid_layout {
    unsigned x_bits, y_bits;
    uint64_t nowhere; /* key of particles without a place: larger than all others */
} bl_grid_layout;

typedef struct bl_grid {
    bl_frame frame;
    size_t count; /* particles with a finite position */
    size_t n_cells, n_rows;
    real *x, *y, *z;
    bl_index *index; /* of the particle in the caller's arrays */
    uint64_t *key;   /* of the cell of each particle in the caller's arrays: bl_grid_place */
    bl_grid_layout layout;
    uint32_t *cell_x;     /* of each cell */
    uint32_t *cell_first; /* n_cells + 1 */
    uint64_t *row_key;    /* bl_grid_row_key of each row */
    uint32_t *row_first;  /* n_rows + 1 */
    uint32_t *row_at;     /* row of every (y, z), or n_rows; only with has_table */
    bool has_table;       /* left out where most (y, z) are empty */
    size_t particle_capacity, key_capacity, cell_capacity, row_capacity, table_capacity;
} bl_grid;

/* How many items to make room for when `count` no longer fit into `capacity`: an eighth more at first, for counts that
 * sway a little; twice as many when that was not enough, so that a drop that spreads over a wall soon stops
 * allocating. */
static inline size_t bl_room_for(size_t count, size_t capacity) {
    size_t first = count + count / 8, grown = 2 * capacity;
    return (first > grown ? first : grown) + 4096;
}

void bl_grid_clear(bl_context *ctx, bl_grid *grid);
bl_status bl_grid_build(bl_context *ctx, bl_grid *grid, const bl_frame *frame, bl_positions positions, bl_arena *arena);
size_t bl_grid_memory(const bl_grid *grid);

/* The cell of particle i of the caller's array; false: it has none. */
static inline bool bl_grid_place(const bl_grid *grid, size_t i, uint32_t cell[3]) {
    uint64_t key = grid->key[i], row = key >> grid->layout.x_bits;
    cell[0] = (uint32_t)(key & (((uint64_t)1 << grid->layout.x_bits) - 1));
    cell[1] = (uint32_t)(row & (((uint64_t)1 << grid->layout.y_bits) - 1));
    cell[2] = (uint32_t)(row >> grid->layout.y_bits);
    return key < grid->layout.nowhere;
}

static inline uint64_t bl_grid_row_key(uint32_t cell_y, uint32_t cell_z) {
    return (uint64_t)cell_z << BL_FRAME_AXIS_BITS | cell_y;
}
/* The row at these cells, which are in the frame; n_rows if there is none. */
size_t bl_grid_find_row(const bl_grid *grid, uint32_t cell_y, uint32_t cell_z);
/* The first cell of the row with cell_x >= x, or the end of the row. */
uint32_t bl_grid_find_cell(const bl_grid *grid, size_t row, uint32_t x);

#endif
