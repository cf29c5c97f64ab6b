/* Reductions, in two stages: every group adds its particles in a fixed tree and leaves a row of partial results, and one
 * group adds the rows in another, settles (physics/steer.h) and leaves the result: it depends on the count alone.
 *
 * That one group is, with BL_LAST_ENDS, the one that is done last: whichever it is, it adds the same rows. It has to see
 * what other groups wrote, which OpenCL 1.2 does not promise; NVIDIA's instruction for it does, and processors do by
 * themselves. Elsewhere the second stage is a kernel of its own.
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

/* acc[] holds the result: keep it and settle. */
#define SETTLE(name, width, settle, count)                                                                             \
    for (int c = 0; c < (width); ++c) numbers[ROW_##name * NUMBERS + c] = acc[c];                                      \
    __global bl_steer *settled = (__global bl_steer *)steer;                                                           \
    int row = bl_settle_##settle(settled, acc, (double)(count));                                                       \
    for (int c = 0; c < (width) && row >= 0; ++c) numbers[(ROW_LOG + row) * NUMBERS + c] = acc[c];                     \
    numbers[ROW_STATE * NUMBERS] = settled->iterations;                                                                \
    numbers[ROW_STATE * NUMBERS + 1] = settled->done;

#ifdef BL_LAST_ENDS
#ifdef BL_NVIDIA
#define SHOW_ALL_GROUPS __asm__ volatile("membar.gl;" ::: "memory")
#else
#define SHOW_ALL_GROUPS mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
#define AT_ONCE 8 /* rows that are loaded before the first is added */
/* The last group to arrive here ends the reduction; *arrived is zero before and after. */
#define END_IN_LAST(name, op, width, settle, count)                                                                    \
    __local uint before[1];                                                                                            \
    SHOW_ALL_GROUPS;                                                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                                               \
    if (item == 0) before[0] = atomic_inc(arrived);                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    const uint groups = (uint)get_num_groups(0);                                                                       \
    if (before[0] + 1 < groups) return;                                                                                \
    SHOW_ALL_GROUPS;                                                                                                   \
    __global volatile const double *rows = partial;                                                                    \
    for (int from = 0; from < (width); from += TREE_WIDTH) {                                                           \
        const int n = (width)-from < TREE_WIDTH ? (width)-from : TREE_WIDTH;                                           \
        double sum[TREE_WIDTH];                                                                                        \
        for (int c = 0; c < n; ++c) sum[c] = NEUTRAL_##op;                                                             \
        for (uint k = (uint)item; k < groups; k += AT_ONCE * (uint)items)                                              \
            for (int c = 0; c < n; ++c) {                                                                              \
                double next[AT_ONCE];                                                                                  \
                for (uint l = 0; l < AT_ONCE; ++l) {                                                                   \
                    uint at = k + l * (uint)items;                                                                     \
                    next[l] = at < groups ? rows[at * (width) + from + c] : NEUTRAL_##op;                              \
                }                                                                                                      \
                for (uint l = 0; l < AT_ONCE; ++l) sum[c] = COMBINE_##op(sum[c], next[l]);                             \
            }                                                                                                          \
        for (int c = 0; c < n; ++c) tree[c * items + item] = sum[c];                                                   \
        REDUCE_TREE(op, n)                                                                                             \
        for (int c = 0; c < n; ++c) acc[from + c] = tree[c * items];                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
    }                                                                                                                  \
    if (item > 0) return;                                                                                              \
    *arrived = 0;                                                                                                      \
    SETTLE(name, width, settle, count)
#else
#define END_IN_LAST(name, op, width, settle, count)
#endif

#define REDUCE_PARAMS                                                                                                  \
    VIEW_PARAMS, __global double *partial, __local double *tree, __global double *numbers, __global uint *arrived

/* Every work item folds the particles k, k + items, k + 2 items, ... */
#define REDUCE_KERNEL(name, domain, op, width, settle)                                                                 \
    __kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void reduce_##name(REDUCE_PARAMS) {             \
        const int item = (int)get_local_id(0), items = REDUCE_GROUP;                                                   \
        double acc[width];                                                                                             \
        BIND_VIEW(0)                                                                                                   \
        if (steer->done) return;                                                                                       \
        for (int c = 0; c < (width); ++c) acc[c] = NEUTRAL_##op;                                                       \
        for (bl_index k = (bl_index)get_global_id(0); k < COUNT_##domain; k += (bl_index)get_global_size(0))           \
            bl_reduce_##name(&s, INDEX_##domain(k), acc);                                                              \
        FOLD_GROUP(op, width)                                                                                          \
        END_IN_LAST(name, op, width, settle, COUNT_##domain)                                                           \
    }
BL_REDUCTIONS(REDUCE_KERNEL)

/* A pass with the reduction of what it wrote, which settles under its own name. */
#define SETTLED_KERNEL(pass, domain, reduction, op, width)                                                             \
    __kernel void settled_##pass(REDUCE_PARAMS) {                                                                      \
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
        END_IN_LAST(reduction, op, width, reduction, COUNT_##domain)                                                   \
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
        double acc[width];                                                                                             \
        if (steer->done) return;                                                                                       \
        for (int c = 0; c < (width); ++c) acc[c] = NEUTRAL_##op;                                                       \
        for (uint k = (uint)item; k < groups; k += REDUCE_GROUP)                                                       \
            for (int c = 0; c < (width); ++c) acc[c] = COMBINE_##op(acc[c], rows[k * (width) + c]);                    \
        for (int c = 0; c < (width); ++c) tree[c * items + item] = acc[c];                                             \
        REDUCE_TREE(op, width)                                                                                         \
        if (item > 0) return;                                                                                          \
        for (int c = 0; c < (width); ++c) acc[c] = tree[c * items];                                                    \
        SETTLE(name, width, settle, count)                                                                             \
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
