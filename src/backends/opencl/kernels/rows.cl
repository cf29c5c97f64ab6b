/* Rows of neighbours, one group of work items for the BL_SLAB rows of a slab.
 *
 * Particles are in a spatial order, so those of a slab are near each other and share most of their neighbours. The
 * group looks once at every particle that may be a neighbour of any of its own:
 *
 *   box         around the slab's particles
 *   runs        the lines of cells that come within reach of the box, as places in spots[]
 *   candidates  particles of these runs that are within reach of the box, BL_SLAB at a time
 *   words       a bit for every candidate: is it a neighbour of my particle, and a near one?
 *   row         the bits turned into numbers, in step, so that the slab is written side by side; of 16 bits, if all
 *               candidates are near each other in the order, too (neighbours/list.h)
 *
 * Where the order of particles jumps, from one end of the liquid to another, the slab is divided into parts. Each has a
 * box of its own, and its candidates are those of its own particles alone.
 *
 * Where a slab's rows go is known when their lengths are: a counter hands out the room. In which order slabs get theirs
 * varies, what is in a row does not: it has its candidates in the order of cells in the unbounded space.
 *
 * A slab in many parts, or with too many candidates, has every particle look through the cells around it, once
 * to count and once to write. */
/* Whether a candidate can be within the far radius of anything in the box. Without periods exactly as for a pair, whose
 * differences are larger and are rounded alike. */
int is_near_box(__constant bl_cl_frame *f, __local const slab_box *box, bl_spot s, real far2) {
#pragma OPENCL FP_CONTRACT OFF
    bl_vec3 p = bl_v3_make(s.x, s.y, s.z);
    real gap[3];
    for (int a = 0; a < 3; ++a) {
#ifdef BL_PERIODIC
        real middle = BL_R(0.5) * (box->least[a] + box->most[a]), half_size = box->most[a] - middle;
        real d = axis_of(p, a) - middle;
        d -= f->period[a] * rint(d * f->inv_period[a]);
        gap[a] = fmax(fabs(d) - half_size, BL_R(0));
#else
        gap[a] = fmax(fmax(box->least[a] - axis_of(p, a), axis_of(p, a) - box->most[a]), BL_R(0));
#endif
    }
    real gap2 = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2];
#ifdef BL_PERIODIC
    far2 *= BL_R(1.001);
#endif
    return gap2 < far2;
}

typedef struct slab_row {
    bl_vec3 x;
    uint self;        /* the particle, or NOWHERE in another set */
    uint near, all;   /* neighbours so far */
    real near2, far2;
    uint part;        /* of the slab */
    uint least, most; /* of the numbers of candidates */
} slab_row;

/* The first `count` candidates of the tile, of a part, against the item's own particle: word w. */
void test_tile(__constant bl_cl_frame *f, __local slab_memory *m, uint w, uint count, uint part, slab_row *row) {
    const uint item = (uint)get_local_id(0);
    uint any = 0, near = 0;
#ifdef BL_NVIDIA
#pragma unroll
#endif
    for (uint l = 0; l < BL_SLAB; ++l) {
        bl_spot s = m->tile[l];
        int kind = test_pair(f, row->x, s, row->near2, row->far2);
        uint bit = SPOT_INDEX(s) != row->self ? 1u << l : 0;
        any |= kind != 0 ? bit : 0;
        near |= kind == 1 ? bit : 0;
    }
    const uint there = part != row->part ? 0 : count < BL_SLAB ? (1u << count) - 1 : 0xffffffffu;
    any &= there, near &= there;
    m->any[w * BL_SLAB + item] = any;
    m->near[w * BL_SLAB + item] = near;
    const uint j = SPOT_INDEX(m->tile[item]);
    m->who[w * BL_SLAB + item] = j;
    if (item < count) row->least = min(row->least, j), row->most = max(row->most, j);
    row->all += popcount(any);
    row->near += popcount(near);
}

/* All candidates of the slab; the number of words, or NOWHERE if there are too many. The next ones are on their way
 * while some are tested. */
uint test_slab(__constant bl_cl_frame *f, uint runs, __global const bl_spot *spots, __local slab_memory *m,
               slab_row *row) {
    const uint item = (uint)get_local_id(0);
    uint filled = 0, words = 0, turn = 0, r = 0;
    uint from = runs > 0 ? m->run[0][0] : 0, end = runs > 0 ? m->run[0][1] : 0;
    bl_spot next = 0;
    if (runs > 0) next = spots[from + item < end ? from + item : from];
    if (item < 2) m->votes[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (r < runs) {
        const bl_spot s = next;
        const uint part = m->part[r];
        const int keep = from + item < end && is_near_box(f, &m->box[part], s, row->far2);
        from += BL_SLAB;
        if (from >= end && ++r < runs) from = m->run[r][0], end = m->run[r][1];
        if (r < runs) next = spots[from + item < end ? from + item : from];
        const uint kept = vote(m, keep, &turn);
        if (keep) m->tile[filled + votes_before(kept)] = s;
        filled += popcount(kept);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (filled >= BL_SLAB) {
            if (words == SLAB_WORDS) return NOWHERE;
            test_tile(f, m, words++, BL_SLAB, part, row);
            filled -= BL_SLAB;
            bl_spot rest = m->tile[BL_SLAB + item];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (item < filled) m->tile[item] = rest;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (filled > 0 && (r == runs || m->part[r] != part)) { /* the end of the part */
            if (words == SLAB_WORDS) return NOWHERE;
            test_tile(f, m, words++, filled, part, row);
            filled = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    return words;
}

/* Whether the slab needs more than 16 bits for a neighbour. */
uint is_wide(__local const slab_memory *m) { return m->used && m->most - m->least > 0xffff; }

/* Near neighbours, then far ones, then the last one again up to a whole quad: every item writes its k-th quad at the
 * same time. */
void write_row(__local const slab_memory *m, uint words, uint all, uint wide, __global bl_entry *slab) {
    const uint item = (uint)get_local_id(0);
    uint w = 0, far = 0, bits = words > 0 ? m->near[item] : 0, last = 0;
    uint4 quad = 0;
    for (uint k = 0; k < all || k % BL_QUAD > 0; ++k) {
        while (bits == 0 && k < all) {
            if (++w == words) w = 0, far = 1;
            bits = m->near[w * BL_SLAB + item];
            if (far) bits ^= m->any[w * BL_SLAB + item];
        }
        if (k < all) last = m->who[w * BL_SLAB + 31 - clz(bits & -bits)] - m->least;
        bits &= bits - 1;
        quad = (uint4)(quad.yzw, last);
        if (k % BL_QUAD < BL_QUAD - 1) continue;
        const uint at = k / BL_QUAD * BL_SLAB + item;
        if (wide)
            ((__global uint4 *)slab)[at] = quad;
        else
            ((__global ushort4 *)slab)[at] = convert_ushort4(quad);
    }
}

/* Room for the slab's rows, in quads of all rows, and for the numbers of those that have neighbours: counters grow by
 * what is taken. `least` and `most` are of the numbers of neighbours. */
void take_room(__local slab_memory *m, uint all, uint least, uint most, __global uint *counters, uint place,
               uint wants_active) {
    const uint item = (uint)get_local_id(0);
    if (item == 0) m->longest = m->used = m->most = 0, m->least = NOWHERE;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_min(&m->least, least);
    atomic_max(&m->most, most);
    atomic_max(&m->longest, all);
    if (all > 0) atomic_or(&m->used, 1u << item);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && m->used != 0) {
        m->taken = (m->longest + BL_QUAD - 1) / BL_QUAD << is_wide(m);
        m->at = atomic_add(&counters[place], m->taken);
        if (wants_active) m->active_at = atomic_add(&counters[COUNTER_ACTIVE], popcount(m->used));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* What is searched for, filled in by the host: struct bl_cl_jobs. Sets are 0, fluid, and 1, walls. */
typedef struct bl_cl_jobs {
    uint count[3];       /* rows of each list; 0: it is not asked for */
    uint home[3];        /* whose rows */
    uint other[3];       /* whose particles they hold */
    uint room[3];        /* in quads of all rows; what goes beyond it is counted alone */
    uint before[3];      /* what counters were at: they go on from call to call, ... */
    uint active_before;  /* ... and that of rows with neighbours */
} bl_cl_jobs;

/* Up to three lists at once, since a small drop has work for a part of the device only. The third one also tells which
 * rows have neighbours. */
#define ROWS_PARAMS(name) __global bl_index *name##_rows, __global bl_entry *name##_index
__kernel __attribute__((reqd_work_group_size(BL_SLAB, 1, 1))) void
rows_find(const bl_cl_jobs jobs, __constant bl_cl_frame *fluid_frame, __constant bl_cl_frame *wall_frame,
          __global const bl_vec3 *fluid_x, __global const bl_vec3 *wall_x, __global const uint *fluid_cells,
          __global const uint *wall_cells, __global const bl_spot *fluid_spots, __global const bl_spot *wall_spots,
          ROWS_PARAMS(ff), ROWS_PARAMS(fb), ROWS_PARAMS(bf), __global uint *counters, __global bl_index *active,
          __global bl_steer *steer) {
    __local slab_memory m;
    const uint item = (uint)get_local_id(0);
    uint slab = (uint)get_group_id(0), which = 0;
    for (; which < 2 && slab >= (jobs.count[which] + BL_SLAB - 1) / BL_SLAB; ++which)
        slab -= (jobs.count[which] + BL_SLAB - 1) / BL_SLAB;
    const uint count = jobs.count[which], i = slab * BL_SLAB + item, wants_active = which == 2;
    const uint home = jobs.home[which], other = jobs.other[which];
    __constant bl_cl_frame *f = other ? wall_frame : fluid_frame;
    __global const bl_vec3 *x = home ? wall_x : fluid_x;
    __global const uint *cells = other ? wall_cells : fluid_cells;
    __global const bl_spot *spots = other ? wall_spots : fluid_spots;
    __global bl_index *rows = which == 0 ? ff_rows : which == 1 ? fb_rows : bf_rows;
    __global bl_entry *index = which == 0 ? ff_index : which == 1 ? fb_index : bf_index;

    slab_row row = {bl_v3_make(NAN, NAN, NAN), home == other ? i : NOWHERE, 0, 0, f->near2, f->far2, 0, NOWHERE, 0};
    if (i < count && is_somewhere(x[i])) row.x = x[i];
    const uint parts = divide_slab(f, row.x, &m, &row.part), runs = list_runs(f, parts, cells, &m);
    const uint words = parts == 0 || runs == NOWHERE ? NOWHERE : test_slab(f, runs, spots, &m, &row);
    row_writer alone = {0, 0, 0, 0, 0, row.self, row.near2, row.far2, NOWHERE, 0, 0};
    if (words == NOWHERE) {
        if (is_somewhere(row.x)) visit_cells(f, row.x, cells, spots, &alone);
        row.near = alone.near, row.all = alone.near + alone.far;
        row.least = alone.least, row.most = alone.most;
    }

    take_room(&m, row.all, row.least, row.most, counters, which, wants_active);
    const uint wide = is_wide(&m), used = m.used, at = used ? m.at - jobs.before[which] : 0;
    const ulong column = (count + PART - 1) / PART * PART; /* as in list_of */
    if (i < count) rows[i] = row.near, rows[column + i] = row.all;
    if (item == 0) ((__global bl_offset *)(rows + 2 * column))[slab] = (bl_offset)m.least << 32 | at << 1 | wide;
    if (wants_active && (used >> item & 1)) active[m.active_at - jobs.active_before + votes_before(used)] = i;
    if (used && at + m.taken > jobs.room[which]) {
        if (item == 0) steer->no_lists = 1;
        return;
    }
    if (row.all == 0) return;
    __global bl_entry *out = index + (bl_offset)at * (BL_SLAB * BL_QUAD);
    if (words != NOWHERE) {
        write_row(&m, words, row.all, wide, out);
    } else {
        alone.slab = out, alone.base = m.least, alone.wide = wide, alone.near = 0, alone.far = row.near;
        visit_cells(f, row.x, cells, spots, &alone);
        for (uint k = row.all; k % BL_QUAD > 0; ++k) write_entry(out, k, wide, alone.last - m.least);
    }
}
