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

/* A half's own numbers at a radius; bound ones first. */
static bl_index count_own(const bl_halves *h, const split *s, int half) {
    return count_of(h, s->bound[half]) + count_of(h, s->free[half]);
}

/* Pairs: as many as both halves have, and all that are bound. The free ones that are left over become `both`. Loops go
 * several steps at a time, so numbers of `both` that would be left at their end become pairs, and pairs are filled up.
 */
static void measure_split(const bl_halves *h, const split *s, bl_halves_part *part, bl_index fill[2]) {
    const bl_index all[2] = {count_own(h, s, 0), count_own(h, s, 1)};
    part->own = larger(smaller(all[0], all[1]), larger(count_of(h, s->bound[0]), count_of(h, s->bound[1])));
    part->both = count_of(h, s->both);
    for (int half = 0; half < 2; half++) {
        if (all[half] > part->own) part->both += all[half] - part->own;
        if (all[half] < part->own) fill[half] += part->own - all[half];
    }
    part->odd = part->both % BL_HALVES_STEPS;
    part->both -= part->odd;
    part->pairs = part->odd + part->own;
    bl_index lacking = (BL_HALVES_STEPS - part->pairs % BL_HALVES_STEPS) % BL_HALVES_STEPS;
    for (int half = 0; half < 2; half++)
        if (fill[half] + lacking > count_of(h, out_of_reach[1 - half])) return;
    part->pairs += lacking, fill[0] += lacking, fill[1] += lacking;
}

bool bl_halves_measure(const bl_halves *h, bl_halves_size *size) {
    bl_index fill[2] = {0, 0}; /* numbers that a half lacks */
    measure_split(h, &splits[0], &size->near, fill);
    measure_split(h, &splits[1], &size->far, fill);
    return fill[0] <= count_of(h, out_of_reach[1]) && fill[1] <= count_of(h, out_of_reach[0]);
}

/* What half `half` has beyond the pairs. Returns the end. */
static bl_index *write_left_over(const bl_halves *h, const split *s, int half, bl_index own, bl_index *out) {
    bl_index count = count_of(h, s->free[half]), taken = smaller(count, own - count_of(h, s->bound[half]));
    memcpy(out, h->of[s->free[half]] + taken, (count - taken) * sizeof *out);
    return out + (count - taken);
}

/* The numbers of half `half` to every other place from pair `n` on. */
static void write_half(const bl_halves *h, const split *s, int half, const bl_halves_part *part, bl_index n,
                       bl_index *pairs, const bl_index **filling) {
    const int codes[2] = {s->bound[half], s->free[half]};
    const bl_index end = n + part->own;
    for (int c = 0; c < 2; c++) {
        const bl_index *from = h->of[codes[c]], taken = smaller(count_of(h, codes[c]), end - n);
        for (bl_index k = 0; k < taken; k++) pairs[2 * (n + k) + (bl_index)half] = from[k];
        n += taken;
    }
    while (n < part->pairs) pairs[2 * n++ + (bl_index)half] = *(*filling)++;
}

void bl_halves_write(const bl_halves *h, const bl_halves_size *size, bl_index *out) {
    const bl_halves_part *const parts[2] = {&size->near, &size->far};
    const bl_index *filling[2] = {h->of[out_of_reach[1]], h->of[out_of_reach[0]]};
    for (int r = 0; r < 2; r++) {
        const split *s = &splits[r];
        const bl_halves_part *part = parts[r];
        bl_index common = count_of(h, s->both), *pairs = out + part->both, odd[BL_HALVES_STEPS];
        memcpy(out, h->of[s->both], common * sizeof *out);
        write_left_over(h, s, 1, part->own, write_left_over(h, s, 0, part->own, out + common));
        memcpy(odd, pairs, part->odd * sizeof *odd); /* the last of them, where pairs begin */
        for (bl_index k = 0; k < part->odd; k++) pairs[2 * k] = pairs[2 * k + 1] = odd[k];
        for (int half = 0; half < 2; half++) write_half(h, s, half, part, part->odd, pairs, &filling[half]);
        out = pairs + 2 * part->pairs;
    }
}
