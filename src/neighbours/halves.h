/* The list of a group in halves.
 *
 * Of eight particles side by side the first four and the last four are halves, each with a list of its own: fewer
 * particles share fewer neighbours in vain. A step of a loop over the group takes a neighbour of each half. Where that
 * is one and the same, as for a third of them, it takes one load (`both`); else two (`pairs`).
 *
 * A half that runs out of neighbours of its own before the other does is given some that are out of its reach. */
#ifndef BL_NEIGHBOURS_HALVES_H
#define BL_NEIGHBOURS_HALVES_H

#include "neighbours/tile.h"

/* The neighbours of a group, by what they are to its halves; codes as in bl_tile.kind (BL_TILE_FAR ...). */
enum { BL_HALVES_ROOM = 1024, BL_HALVES_CODES = 16 };
typedef struct bl_halves {
    bl_index *end[BL_HALVES_CODES];
    bl_index of[BL_HALVES_CODES][BL_HALVES_ROOM];
} bl_halves;

void bl_halves_clear(bl_halves *h);
/* After bl_tile_test_halves. No more than BL_HALVES_ROOM candidates in all. */
void bl_halves_collect(bl_halves *h, const bl_tile *tile);

/* How many numbers a list has: those of `both`, then those of `pairs` (two each), of near neighbours and of far ones.
 */
typedef struct bl_halves_size {
    bl_index near_both, near_pairs, far_both, far_pairs;
} bl_halves_size;
/* False: there is nothing out of reach to fill a half up with. */
bool bl_halves_measure(const bl_halves *h, bl_halves_size *size);
void bl_halves_write(const bl_halves *h, const bl_halves_size *size, bl_index *out);

#endif
