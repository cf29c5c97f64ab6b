/* Exclusive prefix sums over blocks of SCAN_BLOCK numbers: sums of blocks, prefix of these sums, by one group (with
 * BL_LAST_ENDS the last one of the kernel before, as in reduce.cl), prefix inside the blocks. In place; the total goes to
 * totals[place]. */
#define SCAN_ITEMS (SCAN_BLOCK / SCAN_GROUP)

/* Exclusive prefix of one number a work item, in a group of `items`; the sum of all to *all. */
uint scan_group(uint value, uint items, __local uint *work, uint *all) {
    const uint item = (uint)get_local_id(0);
    uint sum = value;
    work[item] = sum;
    for (uint reach = 1; reach < items; reach *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint left = item >= reach ? work[item - reach] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += left;
        work[item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *all = work[items - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum - value;
}

/* Sums of blocks to their prefix, by one group; the total to totals[place]. */
void scan_blocks_of(__global volatile uint *sums, uint count, __local uint *work, __global uint *totals, uint place) {
    uint before = 0, all;
    for (uint first = 0; first < count; first += SCAN_GROUP) {
        const uint k = first + (uint)get_local_id(0);
        const uint here = scan_group(k < count ? sums[k] : 0, SCAN_GROUP, work, &all);
        if (k < count) sums[k] = before + here;
        before += all;
    }
    if (get_local_id(0) == 0) totals[place] = before;
}

__kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void
scan_sums(__global const uint *data, uint count, __global uint *sums, __global uint *totals, uint place,
          __global uint *arrived) {
    __local uint work[SCAN_GROUP], before;
    uint sum = 0, all;
    uint first = (uint)get_group_id(0) * SCAN_BLOCK + (uint)get_local_id(0);
    for (uint k = 0; k < SCAN_BLOCK; k += SCAN_GROUP)
        if (first + k < count) sum += data[first + k];
    scan_group(sum, SCAN_GROUP, work, &all);
    if (get_local_id(0) == 0) sums[get_group_id(0)] = all;
#ifdef BL_LAST_ENDS
    if (!is_last((uint)get_num_groups(0), arrived, &before)) return;
    scan_blocks_of(sums, (uint)get_num_groups(0), work, totals, place);
#else
    (void)before;
#endif
}
__kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void scan_blocks(__global uint *sums, uint count,
                                                                                  __global uint *totals, uint place) {
    __local uint work[SCAN_GROUP];
    scan_blocks_of(sums, count, work, totals, place);
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
    before += scan_group(sum, SCAN_GROUP, work, &all);
    for (uint k = 0; k < SCAN_ITEMS; ++k)
        if (first + k < count) data[first + k] = before + own[k];
}
