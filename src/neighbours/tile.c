#include "neighbours/tile.h"

#include "base/clones.h"

#include <string.h>

/* The loops below do the same operations in the same order whatever the vector width. */

/* Runs are short, and copying whole blocks is faster than copying exactly: the ends are overwritten by the next run, or
 * by the padding. Both sides have the room (BL_GRID_ROOM, BL_TILE_ROOM). */
enum { COPY_BLOCK = 8 };
_Static_assert(COPY_BLOCK <= (int)BL_GRID_ROOM && COPY_BLOCK <= (int)BL_TILE_ROOM, "blocks fit behind the arrays");

void bl_tile_add(bl_tile *restrict tile, const bl_grid *grid, size_t begin, size_t end) {
    size_t at = tile->count, room = BL_TILE_SIZE - at, n = end - begin < room ? end - begin : room;
    for (size_t k = 0; k < n; k += COPY_BLOCK) {
        memcpy(tile->x + at + k, grid->x + begin + k, COPY_BLOCK * sizeof(real));
        memcpy(tile->y + at + k, grid->y + begin + k, COPY_BLOCK * sizeof(real));
        memcpy(tile->z + at + k, grid->z + begin + k, COPY_BLOCK * sizeof(real));
        memcpy(tile->index + at + k, grid->index + begin + k, COPY_BLOCK * sizeof(bl_index));
    }
    tile->count += n;
}

void bl_tile_pad(bl_tile *tile) {
    tile->n_blocks = (tile->count + BL_TILE_BLOCK - 1) / BL_TILE_BLOCK;
    for (size_t k = tile->count; k < tile->n_blocks * BL_TILE_BLOCK; k++) {
        tile->x[k] = tile->y[k] = tile->z[k] = (real)NAN;
        tile->index[k] = 0;
    }
}

BL_CLONES static void test_open(bl_tile *restrict tile, bl_vec3 x, real near2, real far2) {
    for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) {
        real dx = x.x - tile->x[k], dy = x.y - tile->y[k], dz = x.z - tile->z[k];
        real r2 = dx * dx + dy * dy + dz * dz;
        tile->kind[k] = (uint8_t)((r2 < far2) | (r2 < near2) << 1);
    }
}

BL_CLONES static void test_periodic(bl_tile *restrict tile, bl_vec3 x, real near2, real far2, bl_period period) {
    for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) {
        bl_vec3 d = bl_difference(x, bl_v3_make(tile->x[k], tile->y[k], tile->z[k]), period);
        real r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        tile->kind[k] = (uint8_t)((r2 < far2) | (r2 < near2) << 1);
    }
}

void bl_tile_test(bl_tile *tile, bl_vec3 x, const bl_pair_test *test) {
    if (test->periodic)
        test_periodic(tile, x, test->near_radius2, test->far_radius2, test->period);
    else
        test_open(tile, x, test->near_radius2, test->far_radius2);
}

/* Squared distance of each candidate to the nearest of points [first, end); infinite if there is none. */
BL_CLONES static void measure_open(const bl_tile *restrict tile, const bl_tile_points *points, int first, int end,
                                   real *restrict nearest) {
    for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) nearest[k] = (real)INFINITY;
    for (int l = first; l < end; l++) {
        real x = points->x[l], y = points->y[l], z = points->z[l];
        for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) {
            real dx = x - tile->x[k], dy = y - tile->y[k], dz = z - tile->z[k];
            real r2 = dx * dx + dy * dy + dz * dz;
            nearest[k] = r2 < nearest[k] ? r2 : nearest[k];
        }
    }
}

BL_CLONES static void measure_periodic(const bl_tile *restrict tile, const bl_tile_points *points, int first, int end,
                                       bl_period period, real *restrict nearest) {
    for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) nearest[k] = (real)INFINITY;
    for (int l = first; l < end; l++) {
        bl_vec3 x = bl_v3_make(points->x[l], points->y[l], points->z[l]);
        for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) {
            bl_vec3 d = bl_difference(x, bl_v3_make(tile->x[k], tile->y[k], tile->z[k]), period);
            real r2 = d.x * d.x + d.y * d.y + d.z * d.z;
            nearest[k] = r2 < nearest[k] ? r2 : nearest[k];
        }
    }
}

static void measure(const bl_tile *tile, const bl_tile_points *points, int first, int end, const bl_pair_test *test,
                    real *nearest) {
    if (test->periodic)
        measure_periodic(tile, points, first, end, test->period, nearest);
    else
        measure_open(tile, points, first, end, nearest);
}

BL_CLONES static void judge(const real *restrict nearest, size_t n, real near2, real far2, uint8_t *restrict kind) {
    for (size_t k = 0; k < n; k++) kind[k] = (uint8_t)((nearest[k] < far2) | (nearest[k] < near2) << 1);
}

void bl_tile_test_points(bl_tile *tile, const bl_tile_points *points, int first, int end, const bl_pair_test *test) {
    real own[BL_TILE_SIZE], other[BL_TILE_SIZE];
    real near2 = test->near_radius2, far2 = test->far_radius2;
    size_t n = tile->n_blocks * BL_TILE_BLOCK;
    measure(tile, points, first, end, test, own);
    judge(own, n, near2, far2, tile->kind);
    if (end < BL_TILE_POINTS) {
        measure(tile, points, end, BL_TILE_POINTS, test, other);
        for (size_t k = 0; k < n; k++) tile->kind[k] |= (uint8_t)((other[k] < near2 && tile->kind[k]) << 1);
    }
    if (first > 0) {
        measure(tile, points, 0, first, test, other);
        for (size_t k = 0; k < n; k++) tile->kind[k] = other[k] < far2 ? 0 : tile->kind[k];
    }
}

static inline real squared(bl_vec3 a, bl_vec3 b, bool periodic, bl_period period) {
    bl_vec3 d = periodic ? bl_difference(a, b, period) : bl_v3_make(a.x - b.x, a.y - b.y, a.z - b.z);
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

/* Of a candidate, to the nearest of four points from `first` on. */
static inline real nearest_of_half(const bl_tile_points *p, int first, bl_vec3 x, bool periodic, bl_period period) {
    real least = (real)INFINITY;
    for (int l = first; l < first + BL_TILE_POINTS / 2; l++) {
        real r2 = squared(bl_v3_make(p->x[l], p->y[l], p->z[l]), x, periodic, period);
        least = r2 < least ? r2 : least;
    }
    return least;
}

/* All eight points at once: a candidate is read once, and nothing is kept but what it is. */
static inline void judge_halves(const bl_tile *restrict tile, const bl_tile_points *points, const bl_pair_test *test,
                                bool periodic, uint32_t *restrict kind) {
    const bl_tile_points p = *points;
    const real near2 = test->near_radius2, far2 = test->far_radius2;
    const bl_period period = test->period;
    for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) {
        bl_vec3 x = bl_v3_make(tile->x[k], tile->y[k], tile->z[k]);
        real first = nearest_of_half(&p, 0, x, periodic, period);
        real last = nearest_of_half(&p, BL_TILE_POINTS / 2, x, periodic, period);
        kind[k] = (uint32_t)(first < far2) | (uint32_t)(first < near2) << 1 | (uint32_t)(last < far2) << 2 |
                  (uint32_t)(last < near2) << 3;
    }
}

BL_CLONES static void test_halves(bl_tile *restrict tile, const bl_tile_points *points, const bl_pair_test *test) {
    uint32_t kind[BL_TILE_SIZE];
    if (test->periodic)
        judge_halves(tile, points, test, true, kind);
    else
        judge_halves(tile, points, test, false, kind);
    for (size_t k = 0; k < tile->n_blocks * BL_TILE_BLOCK; k++) tile->kind[k] = (uint8_t)kind[k];
}

void bl_tile_test_halves(bl_tile *tile, const bl_tile_points *points, const bl_pair_test *test) {
    test_halves(tile, points, test);
}

void bl_tile_count(const bl_tile *tile, bl_index *n_near, bl_index *n_all) {
    for (size_t b = 0; b < tile->n_blocks; b++) {
        const uint8_t *kind = tile->kind + b * BL_TILE_BLOCK;
        uint8_t near = 0, all = 0; /* at most 64 */
        for (int k = 0; k < BL_TILE_BLOCK; k++) {
            near = (uint8_t)(near + (kind[k] >> 1));
            all = (uint8_t)(all + (kind[k] & 1));
        }
        *n_near += near;
        *n_all += all;
    }
}

/* Bit k of the result: bit `bit` or `other` of kind[k]. */
static uint64_t bits_of_block(const uint8_t *kind, int bit, int other) {
    uint64_t bits = 0;
    for (int byte = 0; byte < 8; byte++) {
        uint64_t eight;
        memcpy(&eight, kind + 8 * byte, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        eight = __builtin_bswap64(eight);
#endif
        /* The product brings bit 8k to bit 56 + k. */
        eight = ((eight >> bit | eight >> other) & 0x0101010101010101ull) * 0x0102040810204080ull;
        bits |= eight >> 56 << (8 * byte);
    }
    return bits;
}

static bl_index *collect_bits(uint64_t bits, const bl_index *index, bl_index *out) {
    for (; bits; bits &= bits - 1) *out++ = index[__builtin_ctzll(bits)];
    return out;
}

uint64_t bl_tile_any(const bl_tile *tile, size_t block) {
    return bits_of_block(tile->kind + block * BL_TILE_BLOCK, 0, 2);
}

void bl_tile_collect(const bl_tile *tile, bl_index **near, bl_index **far) {
    for (size_t b = 0; b < tile->n_blocks; b++) {
        const uint8_t *kind = tile->kind + b * BL_TILE_BLOCK;
        const bl_index *index = tile->index + b * BL_TILE_BLOCK;
        uint64_t all_bits = bits_of_block(kind, 0, 0), near_bits = bits_of_block(kind, 1, 1);
        *near = collect_bits(near_bits, index, *near);
        *far = collect_bits(all_bits & ~near_bits, index, *far);
    }
}
