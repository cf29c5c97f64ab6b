/* Exclusive prefix sums in three kernels, over blocks of SCAN_BLOCK numbers:
 * sums of blocks, prefix of these sums (one group), prefix inside the blocks. In place; the total goes to totals[place]. */
#define SCAN_ITEMS (SCAN_BLOCK / SCAN_GROUP)

/* Exclusive prefix of one number a work item; the sum of all to *all. */
#define SCAN_GROUP_FN(T)                                                                                               \
    T scan_group_##T(T value, __local T *work, T *all) {                                                               \
        const int item = (int)get_local_id(0);                                                                         \
        T sum = value;                                                                                                 \
        work[item] = sum;                                                                                              \
        for (int reach = 1; reach < SCAN_GROUP; reach *= 2) {                                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            T left = item >= reach ? work[item - reach] : 0;                                                           \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                              \
            sum += left;                                                                                               \
            work[item] = sum;                                                                                          \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        *all = work[SCAN_GROUP - 1];                                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        return sum - value;                                                                                            \
    }

#define SCAN_KERNELS(T)                                                                                                \
    SCAN_GROUP_FN(T)                                                                                                   \
    __kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_sums_##T(                               \
        __global const T *data, uint count, __global T *sums) {                                                        \
        __local T work[SCAN_GROUP];                                                                                    \
        T sum = 0, all;                                                                                                \
        uint first = (uint)get_group_id(0) * SCAN_BLOCK + (uint)get_local_id(0);                                       \
        for (uint k = 0; k < SCAN_BLOCK; k += SCAN_GROUP)                                                              \
            if (first + k < count) sum += data[first + k];                                                             \
        scan_group_##T(sum, work, &all);                                                                               \
        if (get_local_id(0) == 0) sums[get_group_id(0)] = all;                                                         \
    }                                                                                                                  \
    __kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_blocks_##T(                             \
        __global T *sums, uint count, __global ulong *totals, uint place) {                                            \
        __local T work[SCAN_GROUP];                                                                                    \
        T before = 0, all;                                                                                             \
        for (uint first = 0; first < count; first += SCAN_GROUP) {                                                     \
            uint k = first + (uint)get_local_id(0);                                                                    \
            T here = scan_group_##T(k < count ? sums[k] : 0, work, &all);                                              \
            if (k < count) sums[k] = before + here;                                                                    \
            before += all;                                                                                             \
        }                                                                                                              \
        if (get_local_id(0) == 0) totals[place] = before;                                                                    \
    }                                                                                                                  \
    __kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_apply_##T(                              \
        __global T *data, uint count, __global const T *sums) {                                                        \
        __local T work[SCAN_GROUP];                                                                                    \
        T before = sums[get_group_id(0)], all, own[SCAN_ITEMS], sum = 0;                                               \
        uint first = (uint)get_group_id(0) * SCAN_BLOCK + (uint)get_local_id(0) * SCAN_ITEMS;                          \
        for (uint k = 0; k < SCAN_ITEMS; ++k) {                                                                        \
            own[k] = sum;                                                                                              \
            sum += first + k < count ? data[first + k] : 0;                                                            \
        }                                                                                                              \
        before += scan_group_##T(sum, work, &all);                                                                     \
        for (uint k = 0; k < SCAN_ITEMS; ++k)                                                                          \
            if (first + k < count) data[first + k] = before + own[k];                                                  \
    }
SCAN_KERNELS(uint)
SCAN_KERNELS(ulong)
