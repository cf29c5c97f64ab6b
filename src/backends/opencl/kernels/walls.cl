/* Blocks of space around the liquid: walls near those that are covered are on the device (walls.c). */

/* Filled in by the host: struct bl_cl_blocks. */
typedef struct bl_cl_blocks {
    real from[3];
    real scale; /* 1 / edge */
    uint n[3];
} bl_cl_blocks;

/* NOWHERE: outside of all blocks. */
uint block_of(const bl_cl_blocks *b, bl_vec3 x) {
    const real at[3] = {x.x, x.y, x.z};
    uint block = 0;
    for (int a = 2; a >= 0; --a) {
        const real c = floor((at[a] - b->from[a]) * b->scale);
        if (!(c >= BL_R(0) && c < (real)b->n[a])) return NOWHERE;
        block = block * b->n[a] + (uint)c;
    }
    return block;
}

/* Blocks with liquid; all that mark one write the same. */
__kernel void blocks_mark(const bl_cl_blocks blocks, __global const bl_vec3 *x, uint count, __global uint *covered) {
    const uint i = (uint)get_global_id(0);
    if (i >= count) return;
    const uint block = block_of(&blocks, x[i]);
    if (block != NOWHERE) covered[block] = 1;
}

/* Counts liquid outside of covered blocks. */
__kernel void blocks_watch(const bl_cl_blocks blocks, __global const bl_vec3 *x, uint count,
                           __global const uint *covered, __global uint *counters, __global bl_steer *steer) {
    const uint i = (uint)get_global_id(0);
    if (i >= count || !is_somewhere(x[i])) return;
    const uint block = block_of(&blocks, x[i]);
    if (block != NOWHERE && covered[block]) return;
    atomic_inc(&counters[COUNTER_STRAYED]);
    steer->no_lists = 1;
}
