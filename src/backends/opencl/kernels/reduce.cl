/* Reductions, in two stages: every group adds its particles in a fixed tree and leaves a row of partial results, and one
 * group adds the rows in another, settles (physics/steer.h) and leaves the result: it depends on the count alone.
 *
 * numbers[] has rows of NUMBERS: the results of all reductions, the state of the solve, and its log. */
enum {
#define X(name, domain, op, width, settle) ROW_##name,
    BL_REDUCTIONS(X)
#undef X
        ROW_STATE,
    ROW_LOG
};

#define NEUTRAL_SUM 0
#define NEUTRAL_MIN INFINITY
#define NEUTRAL_MAX -INFINITY
#define COMBINE_SUM(a, b) ((a) + (b))
#define COMBINE_MIN(a, b) ((b) < (a) ? (b) : (a))
#define COMBINE_MAX(a, b) ((b) > (a) ? (b) : (a))

/* Adds up tree[c * items + item] over the items of a group, for c < width; items is a power of two. */
#define REDUCE_TREE(op, width)                                                                                         \
    for (int half_size = items / 2; half_size > 0; half_size /= 2) {                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (item < half_size)                                                                                          \
            for (int c = 0; c < (width); ++c)                                                                          \
                tree[c * items + item] = COMBINE_##op(tree[c * items + item], tree[c * items + item + half_size]);     \
    }                                                                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);

/* A group's row, TREE_WIDTH numbers at a time: local memory is taken from the cache that the passes live on. */
#define FOLD_GROUP(op, width)                                                                                          \
    for (int from = 0; from < (width); from += TREE_WIDTH) {                                                           \
        const int n = (width)-from < TREE_WIDTH ? (width)-from : TREE_WIDTH;                                           \
        for (int c = 0; c < n; ++c) tree[c * items + item] = acc[from + c];                                            \
        REDUCE_TREE(op, n)                                                                                             \
        if (item < n) partial[get_group_id(0) * (width) + from + item] = tree[item * items];                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
    }

/* Every work item folds the particles k, k + items, k + 2 items, ... */
#define REDUCE_KERNEL(name, domain, op, width, settle)                                                                 \
    __kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void reduce_##name(                             \
        VIEW_PARAMS, __global double *partial, __local double *tree) {                                                 \
        const int item = (int)get_local_id(0), items = REDUCE_GROUP;                                                   \
        double acc[width];                                                                                             \
        BIND_VIEW(0)                                                                                                   \
        if (steer->done) return;                                                                                       \
        for (int c = 0; c < (width); ++c) acc[c] = NEUTRAL_##op;                                                       \
        for (bl_index k = (bl_index)get_global_id(0); k < COUNT_##domain; k += (bl_index)get_global_size(0))           \
            bl_reduce_##name(&s, INDEX_##domain(k), acc);                                                              \
        FOLD_GROUP(op, width)                                                                                          \
    }
BL_REDUCTIONS(REDUCE_KERNEL)

/* A pass with the reduction of what it wrote. */
#define SETTLED_KERNEL(pass, domain, reduction, op, width)                                                             \
    __kernel void settled_##pass(VIEW_PARAMS, __global double *partial, __local double *tree) {                        \
        const int item = (int)get_local_id(0), items = (int)get_local_size(0);                                         \
        const bl_index k = (bl_index)get_global_id(0) / ITEMS_##pass;                                                  \
        double acc[width];                                                                                             \
        BIND_VIEW(PLAIN_##pass)                                                                                        \
        if (steer->done) return;                                                                                       \
        for (int c = 0; c < (width); ++c) acc[c] = NEUTRAL_##op;                                                       \
        if (k < COUNT_##domain) {                                                                                      \
            bl_pass_##pass(&s, INDEX_##domain(k));                                                                     \
            if (ITEMS_##pass == 1 || BL_ROW_PART == 0) bl_reduce_##reduction(&s, INDEX_##domain(k), acc);              \
        }                                                                                                              \
        FOLD_GROUP(op, width)                                                                                          \
    }
BL_SETTLED_PASSES(SETTLED_KERNEL)

/* Many rows into one a group. */
#define GROUPS_KERNEL(op)                                                                                              \
    __kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void groups_##op(                               \
        __global const double *rows, uint count, uint width, __global const bl_steer *steer, __global double *partial, \
        __local double *tree) {                                                                                        \
        const int item = (int)get_local_id(0), items = REDUCE_GROUP;                                                   \
        if (steer->done) return;                                                                                       \
        for (uint c = 0; c < width; ++c) {                                                                             \
            double acc = NEUTRAL_##op;                                                                                 \
            for (uint k = (uint)get_global_id(0); k < count; k += (uint)get_global_size(0))                            \
                acc = COMBINE_##op(acc, rows[(ulong)k * width + c]);                                                   \
            tree[item] = acc;                                                                                          \
            REDUCE_TREE(op, 1)                                                                                         \
            if (item == 0) partial[get_group_id(0) * width + c] = tree[0];                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
        }                                                                                                              \
    }
GROUPS_KERNEL(SUM)
GROUPS_KERNEL(MIN)
GROUPS_KERNEL(MAX)

/* One group: all rows into the result. */
#define FINISH_KERNEL(name, domain, op, width, settle)                                                                 \
    __kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void finish_##name(                             \
        __global const double *rows, uint groups, uint count, __global bl_steer *steer, __global double *numbers,      \
        __local double *tree) {                                                                                        \
        const int item = (int)get_local_id(0), items = REDUCE_GROUP;                                                   \
        double sum[width];                                                                                             \
        if (steer->done) return;                                                                                       \
        for (int c = 0; c < (width); ++c) sum[c] = NEUTRAL_##op;                                                       \
        for (uint k = (uint)item; k < groups; k += REDUCE_GROUP)                                                       \
            for (int c = 0; c < (width); ++c) sum[c] = COMBINE_##op(sum[c], rows[k * (width) + c]);                    \
        for (int c = 0; c < (width); ++c) tree[c * items + item] = sum[c];                                             \
        REDUCE_TREE(op, width)                                                                                         \
        if (item > 0) return;                                                                                          \
        for (int c = 0; c < (width); ++c) numbers[ROW_##name * NUMBERS + c] = sum[c] = tree[c * items];                \
        int row = bl_settle_##settle(steer, sum, (double)count);                                                       \
        for (int c = 0; c < (width) && row >= 0; ++c) numbers[(ROW_LOG + row) * NUMBERS + c] = sum[c];                 \
        numbers[ROW_STATE * NUMBERS] = steer->iterations;                                                              \
        numbers[ROW_STATE * NUMBERS + 1] = steer->done;                                                                \
    }
BL_REDUCTIONS(FINISH_KERNEL)

__kernel void solve_begin(__global bl_steer *steer, __global double *numbers, int nncg, int paper, int min_iterations,
                          int max_iterations, double volume, double tension, double friction) {
    bl_goal goal = {nncg, paper, min_iterations, max_iterations, volume, tension, friction};
    bl_solve_begin(steer, goal);
    numbers[ROW_STATE * NUMBERS] = 0;
    numbers[ROW_STATE * NUMBERS + 1] = 0;
}
__kernel void solve_end(__global bl_steer *steer) { steer->done = 0; }
