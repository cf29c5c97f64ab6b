#include "neighbours/halves.h"

#include <string.h>

/* What a neighbour is to the first and to the last half. */
enum {
    FAR = BL_TILE_FAR,
    NEAR = BL_TILE_FAR | BL_TILE_NEAR,
    LAST = BL_TILE_LAST_HALF,
    FAR_FAR = FAR | FAR * LAST,
    NEAR_NEAR = NEAR | NEAR * LAST,
    NEAR_FAR = NEAR | FAR * LAST,
    FAR_NEAR = FAR | NEAR * LAST
};

void bl_halves_clear(bl_halves *h) {
    for (int code = 0; code < BL_HALVES_CODES; code++) h->end[code] = h->of[code];
}

void bl_halves_collect(bl_halves *h, const bl_tile *tile) {
    for (size_t b = 0; b < tile->n_blocks; b++) {
        const uint8_t *kind = tile->kind + b * BL_TILE_BLOCK;
        const bl_index *index = tile->index + b * BL_TILE_BLOCK;
        for (uint64_t bits = bl_tile_any(tile, b); bits; bits &= bits - 1) {
            int k = __builtin_ctzll(bits);
            *h->end[kind[k]]++ = index[k];
        }
    }
}

static bl_index count_of(const bl_halves *h, int code) { return (bl_index)(h->end[code] - h->of[code]); }

/* One of the two radii: neighbours of both halves, and what is one of the first or of the last half alone. Of those,
 * the `bound` ones are something to the other half at the other radius and must not be seen by it here; the `free` ones
 * are out of its reach, and do no harm. */
typedef struct split {
    int both, bound[2], free[2];
} split;
static const split splits[2] = {{NEAR_NEAR, {NEAR_FAR, FAR_NEAR}, {NEAR, NEAR *LAST}},
                                {FAR_FAR, {FAR_NEAR, NEAR_FAR}, {FAR, FAR *LAST}}};
/* Neighbours of a half that are out of reach of the other. */
static const int out_of_reach[2] = {FAR, FAR *LAST};

static bl_index larger(bl_index a, bl_index b) { return a > b ? a : b; }
static bl_index smaller(bl_index a, bl_index b) { return a < b ? a : b; }

/* Pairs: as many as both halves have, and all that are bound. The free ones that are left over become `both`. */
static void measure_split(const bl_halves *h, const split *s, bl_index *both, bl_index *pairs, bl_index fill[2]) {
    bl_index bound[2], all[2];
    for (int half = 0; half < 2; half++) {
        bound[half] = count_of(h, s->bound[half]);
        all[half] = bound[half] + count_of(h, s->free[half]);
    }
    *pairs = larger(smaller(all[0], all[1]), larger(bound[0], bound[1]));
    *both = count_of(h, s->both);
    for (int half = 0; half < 2; half++) {
        if (all[half] > *pairs) *both += all[half] - *pairs;
        if (all[half] < *pairs) fill[half] += *pairs - all[half];
    }
}

bool bl_halves_measure(const bl_halves *h, bl_halves_size *size) {
    bl_index fill[2] = {0, 0}; /* numbers that a half lacks */
    measure_split(h, &splits[0], &size->near_both, &size->near_pairs, fill);
    measure_split(h, &splits[1], &size->far_both, &size->far_pairs, fill);
    return fill[0] <= count_of(h, out_of_reach[1]) && fill[1] <= count_of(h, out_of_reach[0]);
}

/* The neighbours of half `half` alone to every other place of `pairs`, what is left over to `both`; the end of that. */
static bl_index *write_half(const bl_halves *h, const split *s, int half, bl_index n_pairs, bl_index *both,
                            bl_index *pairs, const bl_index **filling) {
    const int codes[2] = {s->bound[half], s->free[half]};
    bl_index n = 0;
    for (int c = 0; c < 2; c++) {
        const bl_index *from = h->of[codes[c]], count = count_of(h, codes[c]), taken = smaller(count, n_pairs - n);
        for (bl_index k = 0; k < taken; k++) pairs[2 * (n + k) + (bl_index)half] = from[k];
        n += taken;
        memcpy(both, from + taken, (count - taken) * sizeof *both);
        both += count - taken;
    }
    while (n < n_pairs) pairs[2 * n++ + (bl_index)half] = *(*filling)++;
    return both;
}

void bl_halves_write(const bl_halves *h, const bl_halves_size *size, bl_index *out) {
    const bl_index n_both[2] = {size->near_both, size->far_both}, n_pairs[2] = {size->near_pairs, size->far_pairs};
    const bl_index *filling[2] = {h->of[out_of_reach[1]], h->of[out_of_reach[0]]};
    for (int r = 0; r < 2; r++) {
        const split *s = &splits[r];
        bl_index *pairs = out + n_both[r], common = count_of(h, s->both), *both = out + common;
        memcpy(out, h->of[s->both], common * sizeof *out);
        for (int half = 0; half < 2; half++) both = write_half(h, s, half, n_pairs[r], both, pairs, &filling[half]);
        out = pairs + 2 * n_pairs[r];
    }
}
