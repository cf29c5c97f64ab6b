/* Reductions, in two stages: every group adds its particles in a fixed tree and leaves a row of partial results, and one
 * group adds the rows in another, settles (physics/steer.h) and leaves the result: it depends on counts alone.
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
/* Of the state: its iterations, whether it is done, whether it came to a halt (kernels/solve.cl). */
enum { STATE_ITERATIONS, STATE_DONE, STATE_STUCK };

/* In front of loops over numbers that are meant to stay in registers. */
#ifdef BL_NVIDIA
#define UNROLL _Pragma("unroll")
#else
#define UNROLL
#endif

enum { OP_SUM, OP_MIN, OP_MAX };
double neutral(int op) { return op == OP_SUM ? 0 : op == OP_MIN ? INFINITY : -INFINITY; }
double combine(int op, double a, double b) {
    if (op == OP_SUM) return a + b;
    return (op == OP_MIN ? b < a : b > a) ? b : a;
}

/* What is known of a reduction; in most kernels it is a constant. */
int op_of(int id) {
    switch (id) {
#define X(name, domain, op, width, settle)                                                                             \
    case ROW_##name: return OP_##op;
        BL_REDUCTIONS(X)
#undef X
    default: return OP_SUM;
    }
}
int width_of(int id) {
    switch (id) {
#define X(name, domain, op, width, settle)                                                                             \
    case ROW_##name: return width;
        BL_REDUCTIONS(X)
#undef X
    default: return 0;
    }
}
/* The k-th of the reductions that are asked for by their bits. */
int asked(uint which, uint k) {
    int id = 0;
    for (; k > 0 || !(which & 1); which >>= 1, ++id) k -= which & 1;
    return id;
}

/* --- the first stage --- */

/* A group's row from what the first `items` of its items have: of every number PARTS sums, and then one. A group has at
 * least PARTS items for each number. */
#define PARTS 8
void fold_items(int op, int width, int items, const double *acc, __local double *tree, __global double *row) {
    const int item = (int)get_local_id(0), c = item / PARTS;
    double sum = neutral(op);
    UNROLL for (int k = 0; k < WIDEST; ++k)
        if (k < width && item < items) tree[k * items + item] = acc[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = item % PARTS; k < items && c < width; k += PARTS) sum = combine(op, sum, tree[c * items + k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c < width) tree[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = neutral(op);
    for (int k = 0; k < PARTS && item < width; ++k) sum = combine(op, sum, tree[item * PARTS + k]);
    if (item < width) row[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
}
void fold_group(int op, int width, const double *acc, __local double *tree, __global double *row) {
    fold_items(op, width, (int)get_local_size(0), acc, tree, row);
}

/* --- the second stage, by one group --- */

#define AT_ONCE 16 /* rows that are loaded before the first is added */
/* All rows into tree[0] to tree[width - 1]. Rows are as long as many items side by side; `lines` of these go down the
 * rows. */
void add_rows(int op, uint width, __global volatile const double *rows, uint count, __local double *tree) {
    const uint item = (uint)get_local_id(0);
    uint lines = 1;
    while (2 * lines * width <= (uint)get_local_size(0)) lines *= 2;
    const uint line = item / width, column = item % width;
    double sum = neutral(op);
    for (uint k = line; line < lines && k < count; k += AT_ONCE * lines) {
        double next[AT_ONCE];
        for (uint l = 0; l < AT_ONCE; ++l) {
            const uint at = k + l * lines;
            next[l] = at < count ? rows[at * width + column] : neutral(op);
        }
        for (uint l = 0; l < AT_ONCE; ++l) sum = combine(op, sum, next[l]);
    }
    tree[item] = sum;
    for (uint half_size = lines / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size * width) tree[item] = combine(op, tree[item], tree[item + half_size * width]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

int settle(int id, __global bl_steer *steer, const double *sums, double count) {
    switch (id) {
#define X(name, domain, op, width, settle)                                                                             \
    case ROW_##name: return bl_settle_##settle(steer, sums, count);
        BL_REDUCTIONS(X)
#undef X
    default: return -1;
    }
}

/* The result of a reduction over `count` particles: kept, and what follows from it. */
void keep_result(int id, int width, __local const double *tree, uint count, __global bl_steer *steer,
                 __global double *numbers) {
    double sums[WIDEST];
    if (get_local_id(0) > 0) return;
    UNROLL for (int c = 0; c < WIDEST; ++c)
        if (c < width) numbers[id * NUMBERS + c] = sums[c] = tree[c];
    const int row = settle(id, steer, sums, (double)count);
    UNROLL for (int c = 0; c < WIDEST; ++c)
        if (c < width && row >= 0) numbers[(ROW_LOG + row) * NUMBERS + c] = sums[c];
    numbers[ROW_STATE * NUMBERS + STATE_ITERATIONS] = steer->iterations;
    numbers[ROW_STATE * NUMBERS + STATE_DONE] = steer->done;
}

#ifdef BL_LAST_ENDS
#ifdef BL_NVIDIA
#define SHOW_ALL_GROUPS __asm__ volatile("membar.gl;" ::: "memory")
#else
#define SHOW_ALL_GROUPS mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif
/* Whether this is the last of `groups` groups to come here; it sees what the others wrote. *arrived is zero before the
 * first and after the last. */
int is_last(uint groups, __global uint *arrived, __local uint *before) {
    SHOW_ALL_GROUPS;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) *before = atomic_inc(arrived);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (*before + 1 < groups) return 0;
    SHOW_ALL_GROUPS;
    if (get_local_id(0) == 0) *arrived = 0;
    return 1;
}
#define END_IN_LAST(id, op, width, rows, groups, count)                                                                \
    if (!is_last(groups, arrived + (id), &before)) return;                                                             \
    add_rows(op, width, rows, groups, tree);                                                                           \
    keep_result(id, width, tree, count, (__global bl_steer *)steer, numbers);
#else
#define END_IN_LAST(id, op, width, rows, groups, count) (void)before, (void)(groups), (void)(count);
#endif

/* --- kernels --- */

/* Where wall b of the store is on the device, if it is: groups of WALL_GROUP are here, one after the other, or are not
 * (walls.c). No places: all are. */
uint place_of_wall(uint b, __global const uint *places) {
    if (!places) return b;
    const uint place = places[b / WALL_GROUP];
    return place == NOWHERE ? NOWHERE : place * WALL_GROUP + b % WALL_GROUP;
}

#define REDUCE_PARAMS                                                                                                  \
    VIEW_PARAMS, __global double *partial, __local double *tree, __global double *numbers, __global uint *arrived

/* Reductions by their bits, `groups` groups for each. Every work item folds the particles k, k + items, k + 2 items,
 * ... */
__kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void reduce(REDUCE_PARAMS, uint which, uint groups,
                                                                                __global const uint *places) {
    __local uint before;
    const uint place = (uint)get_group_id(0) / groups, group = (uint)get_group_id(0) % groups;
    const bl_index first = group * REDUCE_GROUP + (uint)get_local_id(0), step = groups * REDUCE_GROUP;
    const int id = asked(which, place), op = op_of(id), width = width_of(id);
    __global double *rows = partial + (ulong)place * groups * NUMBERS;
    const int wetting = id == ROW_energy_wall && con->bare_apart; /* the host has the energies of dry walls */
    double acc[WIDEST];
    uint count = 0;
    BIND_VIEW(0)
    if (steer->done) return;
    UNROLL for (int c = 0; c < WIDEST; ++c) acc[c] = neutral(op);
    switch (id) {
#define X(name, domain, op, width, settle)                                                                             \
    case ROW_##name:                                                                                                   \
        count = COUNT_##domain;                                                                                        \
        for (bl_index k = first; k < count && !wetting; k += step) bl_reduce_##name(&s, INDEX_##domain(k), acc);       \
        break;
        BL_REDUCTIONS(X)
#undef X
    default: break;
    }
    /* every wall has its place in the sum, whichever others are here */
    for (uint b = first; b < con->all_walls && wetting; b += step) {
        const uint place = place_of_wall(b, places);
        if (place != NOWHERE) bl_reduce_wetting(&s, place, acc);
    }
    fold_group(op, width, acc, tree, rows + group * width);
    END_IN_LAST(id, op, width, rows, groups, count)
}

/* Passes with the reduction of what they wrote over fluid, and passes over walls in groups behind. */
#define SETTLED_KERNEL(name, reduction, op, width, walls)                                                              \
    __kernel void settled_##name(REDUCE_PARAMS) {                                                                      \
        __local uint before;                                                                                           \
        const uint items = 0 BL_SETTLED_FLUID_##name(SHARES_ROW) ? BL_ROW_ITEMS : 1;                                   \
        const uint group = (uint)get_local_size(0), item = (uint)get_global_id(0), count = COUNT_FLUID;                \
        const uint groups = max((count * items + group - 1) / group, 1u);                                              \
        double acc[width];                                                                                             \
        BIND_VIEW(0 BL_SETTLED_FLUID_##name(PLAIN_OF))                                                                 \
        if (steer->done || steer->no_lists) return;                                                                                     \
        if (get_group_id(0) >= groups) {                                                                               \
            RUN_WALLS(BL_SETTLED_WALLS_##name, walls, item - groups * group)                                           \
            return;                                                                                                    \
        }                                                                                                              \
        const bl_index i = item / items;                                                                               \
        for (int c = 0; c < (width); ++c) acc[c] = neutral(OP_##op);                                                   \
        if (i < count) {                                                                                               \
            BL_SETTLED_FLUID_##name(RUN_PASS)                                                                          \
            if (items == 1 || BL_ROW_PART == 0) bl_reduce_##reduction(&s, i, acc);                                     \
        }                                                                                                              \
        fold_group(OP_##op, width, acc, tree, partial + get_group_id(0) * (width));                                    \
        END_IN_LAST(ROW_##reduction, OP_##op, width, partial, groups, count)                                           \
    }
BL_SETTLED(SETTLED_KERNEL)

/* Many rows into one a group. */
__kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void
fold_rows(__global const double *rows, uint count, uint id, __global const bl_steer *steer, __global double *partial,
          __local double *tree) {
    const uint width = (uint)width_of((int)id), groups = (uint)get_num_groups(0), group = (uint)get_group_id(0);
    const uint share = (count + groups - 1) / groups, from = group * share < count ? group * share : count;
    if (steer->done) return;
    add_rows(op_of((int)id), width, rows + (ulong)from * width, count - from < share ? count - from : share, tree);
    if (get_local_id(0) < width) partial[group * width + get_local_id(0)] = tree[get_local_id(0)];
}

/* All rows into the results, a group for each reduction. */
__kernel __attribute__((reqd_work_group_size(REDUCE_GROUP, 1, 1))) void
finish(__constant bl_cl_constants *con, __global const double *rows, uint which, uint groups, __global bl_steer *steer,
       __global double *numbers, __local double *tree) {
    const uint place = (uint)get_group_id(0);
    const int id = asked(which, place), width = width_of(id);
    uint count = 0;
    if (steer->done) return;
    switch (id) {
#define X(name, domain, op, width, settle)                                                                             \
    case ROW_##name: count = COUNT_##domain; break;
        BL_REDUCTIONS(X)
#undef X
    default: break;
    }
    add_rows(op_of(id), (uint)width, rows + (ulong)place * groups * NUMBERS, groups, tree);
    keep_result(id, width, tree, count, steer, numbers);
}

__kernel void solve_begin(__global bl_steer *steer, __global double *numbers, __global uint *arrived, int nncg, int paper, int min_iterations,
                          int max_iterations, double volume, double tension, double friction) {
    bl_goal goal = {nncg, paper, min_iterations, max_iterations, volume, tension, friction};
    bl_solve_begin(steer, goal);
    for (int k = STATE_ITERATIONS; k <= STATE_STUCK; ++k) numbers[ROW_STATE * NUMBERS + k] = 0;
    arrived[ROW_STATE] = arrived[ROW_STATE + 1] = 0;
}
__kernel void lists_ready(__global bl_steer *steer) { steer->no_lists = 0; }
__kernel void solve_end(__global bl_steer *steer) { steer->done = 0; }
