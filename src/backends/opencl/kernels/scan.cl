/* Exclusive prefix sums in three kernels, over blocks of SCAN_BLOCK numbers:
 * sums of blocks, prefix of these sums (one group), prefix inside the blocks. In place; the total goes to
 * totals[place]. */
#define SCAN_ITEMS (SCAN_BLOCK / SCAN_GROUP)

/* Exclusive prefix of one number a work item; the sum of all to *all. */
uint scan_group(uint value, __local uint *work, uint *all) {
    const int item = (int)get_local_id(0);
    uint sum = value;
    work[item] = sum;
    for (int reach = 1; reach < SCAN_GROUP; reach *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint left = item >= reach ? work[item - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += left;
        work[item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *all = work[SCAN_GROUP - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum - value;
}

__kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_sums(__global const uint *data, uint count,
                                                                                __global uint *sums) {
    __local uint work[SCAN_GROUP];
    uint sum = 0, all;
    uint first = (uint)get_group_id(0) * SCAN_BLOCK + (uint)get_local_id(0);
    for (uint k = 0; k < SCAN_BLOCK; k += SCAN_GROUP)
        if (first + k < count) sum += data[first + k];
    scan_group(sum, work, &all);
    if (get_local_id(0) == 0) sums[get_group_id(0)] = all;
}
__kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_blocks(__global uint *sums, uint count,
                                                                                  __global uint *totals, uint place) {
    __local uint work[SCAN_GROUP];
    uint before = 0, all;
    for (uint first = 0; first < count; first += SCAN_GROUP) {
        uint k = first + (uint)get_local_id(0);
        uint here = scan_group(k < count ? sums[k] : 0, work, &all);
        if (k < count) sums[k] = before + here;
        before += all;
    }
    if (get_local_id(0) == 0) totals[place] = before;
}
__kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_apply(__global uint *data, uint count,
                                                                                 __global const uint *sums) {
    __local uint work[SCAN_GROUP];
    uint before = sums[get_group_id(0)], all, own[SCAN_ITEMS], sum = 0;
    uint first = (uint)get_group_id(0) * SCAN_BLOCK + (uint)get_local_id(0) * SCAN_ITEMS;
    for (uint k = 0; k < SCAN_ITEMS; ++k) {
        own[k] = sum;
        sum += first + k < count ? data[first + k] : 0;
    }
    before += scan_group(sum, work, &all);
    for (uint k = 0; k < SCAN_ITEMS; ++k)
        if (first + k < count) data[first + k] = before + own[k];
}
