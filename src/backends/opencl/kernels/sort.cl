/* Sorting the store along a Hilbert curve: keys, a stable radix sort by digits of four bits, and moving the fields. */
#define SORT_TILE (SORT_GROUP * SORT_ITEMS)
#define DIGIT(key) ((key) >> shift & 15u)

/* The low 10 bits of v to every third bit. */
uint spread_bits(uint v) {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
}

/* Where a cell of a grid with 2^bits cells an axis is on a Hilbert curve (Skilling 2004): bit by bit from the coarsest
 * on, the finer bits are mirrored or their axes exchanged as the part of the curve that goes through there asks for.
 * What comes next on this curve is always next door, so that particles in a row make a small box (rows.cl). */
uint hilbert_key(uint *cell, int axes, uint bits) {
    for (uint bit = 1u << (bits - 1); bit > 1; bit >>= 1)
        for (int a = 0; a < axes; ++a) {
            const uint finer = bit - 1, swap = cell[a] & bit ? 0 : (cell[0] ^ cell[a]) & finer;
            cell[0] ^= cell[a] & bit ? finer : swap;
            cell[a] ^= swap;
        }
    /* the order of the parts of a level is a Gray code */
    uint flip = 0;
    for (int a = 1; a < axes; ++a) cell[a] ^= cell[a - 1];
    for (uint bit = 1u << (bits - 1); bit > 1; bit >>= 1) flip ^= cell[axes - 1] & bit ? bit - 1 : 0;
    for (int a = 0; a < axes; ++a) cell[a] ^= flip;
    return spread_bits(cell[0]) << 2 | spread_bits(cell[1]) << 1 | spread_bits(cell[2]);
}

/* Cells of edge 1 / scale around `low`; beyond 2^bits cells, and for what is nowhere, the outermost. */
__kernel void sort_keys(__global const bl_vec3 *x, uint count, real low_x, real low_y, real low_z, real scale, int axes,
                        uint bits, __global uint *keys, __global uint *order) {
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    bl_vec3 p = x[i];
    real c[3] = {(p.x - low_x) * scale, (p.y - low_y) * scale, (p.z - low_z) * scale};
    real last = (real)((1u << bits) - 1);
    uint cell[3] = {0, 0, 0};
    for (int a = 0; a < axes; ++a) cell[a] = c[a] >= last ? (uint)last : c[a] > BL_R(0) ? (uint)c[a] : 0u;
    keys[i] = hilbert_key(cell, axes, bits);
    order[i] = i;
}

/* How many keys of each tile have each digit: counts[digit * tiles + tile]. */
__kernel __attribute__((reqd_work_group_size(SORT_GROUP, 1, 1))) void sort_count(__global const uint *keys, uint count,
                                                                                 uint shift, __global uint *counts) {
    __local uint seen[16];
    const uint item = (uint)get_local_id(0), tile = (uint)get_group_id(0);
    if (item < 16) seen[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < SORT_ITEMS; ++k) {
        uint i = tile * SORT_TILE + k * SORT_GROUP + item;
        if (i < count) atomic_inc(&seen[DIGIT(keys[i])]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 16) counts[item * get_num_groups(0) + tile] = seen[item];
}

/* Every key to its place. places[] holds the prefix sums of sort_count's numbers. Work items take SORT_ITEMS
 * neighbouring keys, so that equal digits keep their order. */
__kernel __attribute__((reqd_work_group_size(SORT_GROUP, 1, 1))) void
sort_scatter(__global const uint *keys, __global const uint *order, uint count, uint shift, __global const uint *places,
             __global uint *keys_out, __global uint *order_out) {
    __local ushort rank[16 * SORT_GROUP];
    __local uint work[SORT_GROUP];
    const uint item = (uint)get_local_id(0), tile = (uint)get_group_id(0);
    const uint first = tile * SORT_TILE + item * SORT_ITEMS;
    for (uint d = 0; d < 16; ++d) rank[d * SORT_GROUP + item] = 0;
    for (uint k = 0; k < SORT_ITEMS; ++k)
        if (first + k < count) rank[DIGIT(keys[first + k]) * SORT_GROUP + item]++;
    barrier(CLK_LOCAL_MEM_FENCE);

    /* prefix over digits, then items: every item adds up 16 numbers in a row */
    uint sum = 0;
    for (uint k = 0; k < 16; ++k) {
        ushort n = rank[item * 16 + k];
        rank[item * 16 + k] = (ushort)sum;
        sum += n;
    }
    uint all;
    const uint before = scan_group(sum, SORT_GROUP, work, &all);
    for (uint k = 0; k < 16; ++k) rank[item * 16 + k] += (ushort)before;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local uint base[16];
    if (item < 16) base[item] = places[item * get_num_groups(0) + tile] - rank[item * SORT_GROUP];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint k = 0; k < SORT_ITEMS && first + k < count; ++k) {
        uint key = keys[first + k], d = DIGIT(key);
        uint to = base[d] + rank[d * SORT_GROUP + item]++;
        keys_out[to] = key;
        order_out[to] = order[first + k];
    }
}

/* Moves items of `words` 32-bit words. */
__kernel void sort_gather(__global const uint *from, __global uint *to, __global const uint *order, uint count,
                          uint words) {
    uint k = (uint)get_global_id(0), i = k / words;
    if (i < count) to[k] = from[order[i] * (ulong)words + k % words];
}

/* Vectors of three numbers, as the host has them, to and from the device's. */
__kernel void widen(__global const real *from, __global bl_vec3 *to, uint count) {
    uint i = (uint)get_global_id(0);
    if (i < count) to[i] = bl_v3_make(from[3 * (ulong)i], from[3 * (ulong)i + 1], from[3 * (ulong)i + 2]);
}
__kernel void narrow(__global const bl_vec3 *from, __global real *to, uint count) {
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    bl_vec3 v = from[i];
    to[3 * (ulong)i] = v.x, to[3 * (ulong)i + 1] = v.y, to[3 * (ulong)i + 2] = v.z;
}

__kernel void clear(__global uint *to, ulong words) {
    for (ulong k = get_global_id(0); k < words; k += get_global_size(0)) to[k] = 0;
}
