/* Neighbour rows: for every particle of one grid, its neighbours in another (or the same) grid. */
#ifndef BL_NEIGHBOURS_ROWS_H
#define BL_NEIGHBOURS_ROWS_H

#include "neighbours/tile.h"

enum { BL_GRID_REACH = 2 }; /* cells from a particle's own to the furthest with neighbours */

typedef struct bl_rows {
    bl_offset *start;
    bl_index *near, *all, *index;
    size_t count; /* rows */
    size_t row_capacity, index_capacity;
} bl_rows;

void bl_rows_clear(bl_context *ctx, bl_rows *rows);
/* `count` rows, one for every particle of the caller's array behind `home`; those not in the grid stay empty. */
bl_status bl_rows_build(bl_context *ctx, bl_rows *rows, size_t count, const bl_grid *home, const bl_grid *other,
                        const bl_pair_test *test);
/* How many bytes they would hold. */
bl_status bl_rows_measure(bl_context *ctx, size_t count, const bl_grid *home, const bl_grid *other,
                          const bl_pair_test *test, size_t *bytes);
/* Room for rows and for numbers in them; what they held is lost. */
bl_status bl_rows_reserve(bl_context *ctx, bl_rows *rows, size_t count);
bl_status bl_rows_reserve_index(bl_context *ctx, bl_rows *rows, size_t count);
bl_list bl_rows_list(const bl_rows *rows);
size_t bl_rows_memory(const bl_rows *rows);

#endif
