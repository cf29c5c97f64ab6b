/* A whole solve in one launch, for drops so small that launches are what takes the time.
 *
 * The groups meet where a launch would end: each waits for all others. That takes groups that run side by side, as many
 * as the device is known to have room for, and a promise that they see what others wrote (kernels/reduce.cl); neither
 * is one of OpenCL 1.2's. So the host tries it first (`rehearse`), and who waits for too long gives up, says so, and
 * all others with him. */
#ifdef SOLVE_GROUP

#define MOST_LOOKS (1u << 22) /* seconds, where an iteration takes some 50 us */
#define LOOKS_A_ROUND 1024u
#define TEAM 32 /* shares of a group are whole teams, so that items that share a row stay side by side */

/* Waits for all groups; 1: some did not come. gate[0] counts those that came, of all meetings; gate[1]: somebody gave
 * up. */
int meet(__global volatile uint *gate, uint groups, uint *meetings, __local uint *stuck) {
    *meetings += 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint looks = 0;
        SHOW_ALL_GROUPS;
        atomic_inc(gate);
        while (gate[0] < *meetings * groups) {
            if (++looks % LOOKS_A_ROUND > 0) continue;
            if (looks >= MOST_LOOKS) gate[1] = 1;
            if (gate[1]) break;
        }
        SHOW_ALL_GROUPS;
        *stuck = gate[1];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return *stuck != 0;
}

/* Items for each group of `total`. */
uint share_of(uint total, uint groups) { return ((total + groups - 1) / groups + TEAM - 1) / TEAM * TEAM; }
/* `item` runs through those of this group. */
#define FOR_SHARE(item, total)                                                                                         \
    for (uint share = share_of(total, groups), at = own, item = group * share + at; at < share && item < (total);      \
         at += SOLVE_GROUP, item += SOLVE_GROUP)

/* Where the arrays are is found out anew in every phase of an iteration: kept through all of them, these addresses
 * would take more registers than there are. */
#ifdef BL_NVIDIA
#define FORGET(pointer) __asm__ volatile("" : "+l"(pointer));
#else
#define FORGET(pointer) (void)(pointer);
#endif
#define BIND_VIEW_ANEW(plain)                                                                                          \
    FORGET(fluid) FORGET(boundary) FORGET(ff_rows) FORGET(fb_rows) FORGET(bf_rows) BIND_VIEW(plain)

/* A group's part of the passes of an iteration. */
#define SHARE_PARAMS const uint own, const uint group, const uint groups, VIEW_PARAMS
#define SHARE_ARGUMENTS                                                                                                \
    own, group, groups, con, steer, bodies, active, ff_rows, ff_index, fb_rows, fb_index, bf_rows, bf_index, fluid,    \
        fluid_extra, boundary

void share_of_wall_share(SHARE_PARAMS) {
    BIND_VIEW_ANEW(PLAIN_wall_share)
    FOR_SHARE(item, COUNT_FLUID * BL_ROW_ITEMS) bl_pass_wall_share(&s, item / BL_ROW_ITEMS);
}
void share_of_predict(SHARE_PARAMS) {
    BIND_VIEW_ANEW(PLAIN_predict)
    FOR_SHARE(item, COUNT_FLUID * BL_ROW_ITEMS) bl_pass_predict(&s, item / BL_ROW_ITEMS);
}
void share_of_interface(SHARE_PARAMS) {
    const uint rows = COUNT_FLUID * BL_ROW_ITEMS, behind = (rows + TEAM - 1) / TEAM * TEAM;
    BIND_VIEW_ANEW(PLAIN_interface_fluid)
    FOR_SHARE(item, behind + COUNT_ACTIVE * BL_ROW_ITEMS) {
        if (item < rows)
            bl_pass_interface_fluid(&s, item / BL_ROW_ITEMS);
        else if (item >= behind)
            bl_pass_interface_boundary(&s, INDEX_ACTIVE((item - behind) / BL_ROW_ITEMS));
    }
}
void share_of_residual(SHARE_PARAMS) {
    BIND_VIEW_ANEW(PLAIN_residual)
    FOR_SHARE(item, COUNT_FLUID * BL_ROW_ITEMS) bl_pass_residual(&s, item / BL_ROW_ITEMS);
}
/* Sums over the particles whose rows the group has: residuals, and velocities that are none. */
#define SHARE_OF_SUMS(reduction, width)                                                                                \
    void share_of_##reduction##_sums(__local double *tree, __global double *row, SHARE_PARAMS) {                       \
        const uint share = share_of(COUNT_FLUID * BL_ROW_ITEMS, groups) / BL_ROW_ITEMS;                                \
        const uint first = group * share, end = min(first + share, (uint)COUNT_FLUID);                                 \
        double acc[width];                                                                                             \
        BIND_VIEW_ANEW(0)                                                                                              \
        UNROLL for (int c = 0; c < (width); ++c) acc[c] = 0;                                                           \
        for (uint i = first + own; i < end && own < SOLVE_SUMS; i += SOLVE_SUMS) bl_reduce_##reduction(&s, i, acc);    \
        fold_items(OP_SUM, width, SOLVE_SUMS, acc, tree, row);                                                         \
    }
SHARE_OF_SUMS(residual, BL_RESIDUAL_WIDTH)
SHARE_OF_SUMS(finite, 1)
void share_of_update(SHARE_PARAMS) {
    BIND_VIEW_ANEW(PLAIN_update)
    FOR_SHARE(item, steer->done ? 0 : COUNT_FLUID) bl_pass_update(&s, item);
}

/* The beginning, by one item; nobody looks at it before groups have met. */
void begin(__global bl_steer *steer, __global double *numbers, bl_goal goal) {
    bl_solve_begin(steer, goal);
    for (int k = STATE_ITERATIONS; k <= STATE_STUCK; ++k) numbers[ROW_STATE * NUMBERS + k] = 0;
}

__kernel __attribute__((reqd_work_group_size(SOLVE_GROUP, 1, 1))) void
solve(REDUCE_PARAMS, uint wall_share, int nncg, int paper, int min_iterations, int max_iterations, double volume,
      double tension, double friction) {
    __local uint before;
    const uint own = (uint)get_local_id(0), group = (uint)get_group_id(0), groups = (uint)get_num_groups(0);
    const bl_goal goal = {nncg, paper, min_iterations, max_iterations, volume, tension, friction};
    __global bl_steer *settled = (__global bl_steer *)steer;
    __global uint *gate = arrived + ROW_STATE;
    uint meetings = 0;
    int stuck = 0;
    if (group == 0 && own == 0) begin(settled, numbers, goal);
    if (wall_share) {
        share_of_wall_share(SHARE_ARGUMENTS);
        barrier(CLK_GLOBAL_MEM_FENCE); /* the same items go on with the same rows */
    }
    while (!steer->done && !stuck) {
        share_of_predict(SHARE_ARGUMENTS);
        stuck = meet(gate, groups, &meetings, &before);
        share_of_interface(SHARE_ARGUMENTS);
        stuck = meet(gate, groups, &meetings, &before);
        share_of_residual(SHARE_ARGUMENTS);
        barrier(CLK_GLOBAL_MEM_FENCE);
        share_of_residual_sums(tree, partial + group * BL_RESIDUAL_WIDTH, SHARE_ARGUMENTS);
        if (is_last(groups, arrived + ROW_residual, &before)) {
            add_rows(OP_SUM, BL_RESIDUAL_WIDTH, partial, groups, tree);
            keep_result(ROW_residual, BL_RESIDUAL_WIDTH, tree, COUNT_FLUID, settled, numbers);
        }
        stuck = meet(gate, groups, &meetings, &before);
        share_of_update(SHARE_ARGUMENTS);
        stuck = meet(gate, groups, &meetings, &before);
    }
    if (stuck && own == 0) numbers[ROW_STATE * NUMBERS + STATE_STUCK] = 1;
    if (stuck) return;
    share_of_finite_sums(tree, partial + group, SHARE_ARGUMENTS);
    if (!is_last(groups, arrived + ROW_finite, &before)) return;
    /* all others have left the loop */
    add_rows(OP_SUM, 1, partial, groups, tree);
    keep_result(ROW_finite, 1, tree, COUNT_FLUID, settled, numbers);
    if (own == 0) settled->done = 0, gate[0] = 0;
}

/* Whether as many groups meet. */
__kernel __attribute__((reqd_work_group_size(SOLVE_GROUP, 1, 1))) void rehearse(__global uint *arrived,
                                                                                __global double *numbers) {
    __local uint before;
    uint meetings = 0;
    int stuck = 0;
    for (int k = 0; k < 16 && !stuck; ++k)
        stuck = meet(arrived + ROW_STATE, (uint)get_num_groups(0), &meetings, &before);
    if (stuck && get_local_id(0) == 0) numbers[ROW_STATE * NUMBERS + STATE_STUCK] = 1;
}
#endif
