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

/* Numbers of one of the two radii: those of `both`, then `pairs` (two each). Both counts are multiples of this, unless
 * there is nothing out of reach to fill the last pairs up with. */
enum { BL_HALVES_STEPS = 4 };
typedef struct bl_halves_part {
    bl_index both, pairs;
    bl_index odd, own; /* of the pairs: with the same number twice, with numbers that one half has alone */
} bl_halves_part;
typedef struct bl_halves_size {
    bl_halves_part near, far;
} bl_halves_size;
static inline bl_index bl_halves_length(const bl_halves_part *part) { return part->both + 2 * part->pairs; }
/* False: there is nothing out of reach to fill a half up with. */
bool bl_halves_measure(const bl_halves *h, bl_halves_size *size);
void bl_halves_write(const bl_halves *h, const bl_halves_size *size, bl_index *out);

#endif
