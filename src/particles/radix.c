#include "particles/radix.h"

#include "base/parallel.h"

#include <string.h>

/* One pass handles one digit. Items are cut into blocks; every block counts its digits, a prefix sum over (digit,
 * block) gives each block its own places to write to, and so the sort is stable for any number of threads. */
enum { MAX_DIGIT_BITS = 11, MAX_BLOCKS = 32, MIN_BLOCK = 4096 };

typedef struct digit_pass {
    const bl_sort_item *from;
    bl_sort_item *to;
    size_t count, block;
    bl_sort_by by;
    unsigned shift, bits; /* of the digit */
    size_t n_digits;
    uint32_t *places; /* n_digits per block: counts, then where the next item goes */
} digit_pass;

static inline unsigned digit_of(const digit_pass *pass, const bl_sort_item *item) {
    uint64_t value = pass->by == BL_SORT_BY_KEY ? item->key : item->id;
    return (unsigned)(value >> pass->shift) & (unsigned)(pass->n_digits - 1);
}

static size_t block_end(const digit_pass *pass, size_t block) {
    size_t end = (block + 1) * pass->block;
    return end < pass->count ? end : pass->count;
}

static void count_digits(void *user, size_t begin, size_t end) {
    const digit_pass *pass = user;
    for (size_t block = begin; block < end; block++) {
        uint32_t *counts = pass->places + block * pass->n_digits;
        memset(counts, 0, pass->n_digits * sizeof *counts);
        for (size_t i = block * pass->block; i < block_end(pass, block); i++) counts[digit_of(pass, &pass->from[i])]++;
    }
}

static void scatter_items(void *user, size_t begin, size_t end) {
    const digit_pass *pass = user;
    for (size_t block = begin; block < end; block++) {
        uint32_t *places = pass->places + block * pass->n_digits;
        for (size_t i = block * pass->block; i < block_end(pass, block); i++)
            pass->to[places[digit_of(pass, &pass->from[i])]++] = pass->from[i];
    }
}

/* Turn counts into places. Returns false if all items have the same digit, so that nothing would move. */
static bool counts_to_places(digit_pass *pass, size_t n_blocks) {
    uint32_t next = 0;
    for (size_t digit = 0; digit < pass->n_digits; digit++) {
        uint32_t first = next;
        for (size_t block = 0; block < n_blocks; block++) {
            uint32_t *place = &pass->places[block * pass->n_digits + digit];
            uint32_t n = *place;
            *place = next;
            next += n;
        }
        if (next - first == pass->count) return false;
    }
    return true;
}

/* Digits as short as they can be without one more of them: counts are added up by one thread alone. */
static void choose_digits(digit_pass *pass, uint64_t largest) {
    unsigned bits = 1;
    while (bits < 64 && largest >> bits != 0) bits++;
    unsigned n_passes = (bits + MAX_DIGIT_BITS - 1) / MAX_DIGIT_BITS;
    pass->bits = (bits + n_passes - 1) / n_passes;
    pass->n_digits = (size_t)1 << pass->bits;
}

bl_status bl_radix_sort(bl_context *ctx, bl_arena *arena, bl_sort_item *items, size_t count, bl_sort_by by,
                        uint64_t largest) {
    size_t mark = bl_arena_mark(arena);
    digit_pass pass = {.from = items, .count = count, .by = by};
    choose_digits(&pass, largest);
    pass.block = (count + MAX_BLOCKS - 1) / MAX_BLOCKS;
    if (pass.block < MIN_BLOCK) pass.block = MIN_BLOCK;
    size_t n_blocks = (count + pass.block - 1) / pass.block;
    pass.to = bl_arena_take(arena, count, sizeof *items);
    pass.places = bl_arena_take(arena, n_blocks * pass.n_digits, sizeof *pass.places);
    if (!pass.to || !pass.places) {
        bl_arena_release(arena, mark);
        return BL_ERR_MEMORY;
    }
    for (pass.shift = 0; pass.shift < 64 && largest >> pass.shift != 0; pass.shift += pass.bits) {
        bl_parallel_for(ctx, n_blocks, 1, count_digits, &pass);
        if (!counts_to_places(&pass, n_blocks)) continue;
        bl_parallel_for(ctx, n_blocks, 1, scatter_items, &pass);
        bl_sort_item *sorted = pass.to;
        pass.to = (bl_sort_item *)pass.from;
        pass.from = sorted;
    }
    if (pass.from != items) bl_parallel_copy(ctx, items, pass.from, count * sizeof *items);
    bl_arena_release(arena, mark);
    return BL_OK;
}
