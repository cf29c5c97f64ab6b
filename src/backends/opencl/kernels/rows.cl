/* Rows of neighbours, one group of work items for the BL_SLAB rows of a slab.
 *
 * Particles are in a spatial order, so those of a slab are near each other and share most of their neighbours. The
 * group looks once at every particle that may be a neighbour of any of its own:
 *
 *   box         around the slab's particles
 *   runs        the lines of cells that come within reach of the box, as places in spots[]
 *   candidates  particles of these runs that are within reach of the box, BL_SLAB at a time
 *   words       a bit for every candidate: is it a neighbour of my particle, and a near one?
 *   row         the bits turned into numbers, in step, so that the slab is written side by side
 *
 * Where the order of particles jumps, from one end of the liquid to another, the slab is divided into parts. Each has a
 * box of its own, and its candidates are those of its own particles alone.
 *
 * Where a slab's rows go is known when their lengths are: a counter hands out the room. In which order slabs get theirs
 * varies, what is in a row does not: it has its candidates in the order of cells in the unbounded space.
 *
 * A slab in many parts, or with too many candidates, has every particle look through the cells around it, once
 * to count and once to write. */
/* 1 within the near radius, 2 beyond it within the far one, 0 further. The same operations in the same order for both
 * partners of a pair, and whenever a row is looked through. */
int test_pair(__constant bl_cl_frame *f, bl_vec3 a, bl_spot b, real near2, real far2) {
#pragma OPENCL FP_CONTRACT OFF
    real dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
#ifdef BL_PERIODIC
    dx -= f->period[0] * rint(dx * f->inv_period[0]);
    dy -= f->period[1] * rint(dy * f->inv_period[1]);
    dz -= f->period[2] * rint(dz * f->inv_period[2]);
#endif
    real r2 = dx * dx + dy * dy + dz * dz;
    return r2 < near2 ? 1 : r2 < far2 ? 2 : 0;
}

/* The cells around c along an axis of n: first one and how many; they wrap around. */
uint first_around(uint c, uint n) { return n < 2 * REACH + 1 ? 0 : c >= REACH ? c - REACH : c + n - REACH; }
uint count_around(uint n) { return n < 2 * REACH + 1 ? n : 2 * REACH + 1; }

/* --- every particle for itself --- */

typedef struct row_writer {
    __global bl_index *out; /* neighbour 0; NULL: count only */
    uint near, far;         /* next places, or counts */
    uint self;              /* the particle, or NOWHERE in another set */
    real near2, far2;
} row_writer;

void visit_run(__constant bl_cl_frame *f, bl_vec3 x, __global const bl_spot *spots, uint begin, uint end,
               row_writer *row) {
    for (uint k = begin; k < end; ++k) {
        bl_spot spot = spots[k];
        int kind = test_pair(f, x, spot, row->near2, row->far2);
        uint j = SPOT_INDEX(spot);
        if (kind == 0 || j == row->self) continue;
        uint place = kind == 1 ? row->near++ : row->far++;
        if (row->out) row->out[(ulong)place * BL_SLAB] = j;
    }
}

/* Squared distance along an axis, in cells, from a particle to the k-th of the cells around its own, less a little for
 * rounding; `part` is where in its own cell the particle is. Cells of a short axis are all taken to be near. */
real gap2(uint k, real part, uint n) {
    real gap = k < REACH ? part + (real)(REACH - 1 - k) : k > REACH ? (real)(k - REACH) - part : BL_R(0);
    gap = bl_max(gap - BL_R(2e-3), BL_R(0));
    return n < 2 * REACH + 1 ? BL_R(0) : gap * gap;
}

/* Where in its cell a coordinate is, 0 to 1. */
real part_along(__constant bl_cl_frame *f, int a, real x) {
    real c = (x - f->from[a]) * f->scale[a];
    return c - floor(c);
}

void visit_cells(__constant bl_cl_frame *f, bl_vec3 x, __global const uint *cells, __global const bl_spot *spots,
                 row_writer *row) {
    uint nx = f->n[0], ny = f->n[1], nz = f->n[2];
    uint x0 = first_around(cell_along(f, 0, x.x), nx), mx = count_around(nx);
    uint y0 = first_around(cell_along(f, 1, x.y), ny), my = count_around(ny);
    uint z0 = first_around(cell_along(f, 2, x.z), nz), mz = count_around(nz);
    real part_x = part_along(f, 0, x.x), part_y = part_along(f, 1, x.y), part_z = part_along(f, 2, x.z);
    for (uint c = 0; c < mz; ++c) {
        uint z = z0 + c < nz ? z0 + c : z0 + c - nz;
        for (uint b = 0; b < my; ++b) {
            real left = (real)(REACH * REACH) - gap2(b, part_y, ny) - gap2(c, part_z, nz);
            if (left < BL_R(0)) continue;
            uint y = y0 + b < ny ? y0 + b : y0 + b - ny;
            /* of the row, the cells that the ball reaches */
            uint skip = 0, take = mx;
            if (nx >= 2 * REACH + 1) {
                real reach = sqrt(left) + BL_R(2e-3);
                int low = REACH + (int)floor(part_x - reach), high = REACH + (int)floor(part_x + reach);
                skip = low > 0 ? (uint)low : 0;
                take = (high < 2 * REACH ? (uint)high : 2 * REACH) + 1 - skip;
            }
            uint line = (z * ny + y) * nx, start = x0 + skip < nx ? x0 + skip : x0 + skip - nx, stop = start + take;
            uint begin = line + start ? cells[line + start - 1] : 0;
            visit_run(f, x, spots, begin, cells[line + (stop < nx ? stop : nx) - 1], row);
            if (stop > nx) visit_run(f, x, spots, line ? cells[line - 1] : 0, cells[line + stop - nx - 1], row);
        }
    }
}

/* --- a slab at once --- */

enum {
    SLAB_LINES = 128, /* of all parts, at most: beyond that every particle looks for itself */
    SLAB_WORDS = 32,
    SLAB_PARTS = 4, /* at most, likewise */
    SLAB_JUMP = 3,  /* cells from one particle to the next, along an axis, beyond which a new part begins */
    COUNTER_ACTIVE = 3,    /* BL_CL_COUNTER_ACTIVE */
    SLAB_FAR_OUT = 1 << 20 /* cells from the origin up to which their numbers are exact */
};

/* What the particles of a part are in, in cells of the unbounded space and as positions. */
typedef struct slab_box {
    real low[3], high[3];   /* in cells */
    real least[3], most[3]; /* positions */
    int first[3], n[3];     /* cells within reach */
    int lines;              /* of cells */
    int alone;              /* too far spread to be searched at once */
} slab_box;

typedef struct slab_memory {
    bl_spot tile[2 * BL_SLAB];
    uint any[SLAB_WORDS * BL_SLAB], near[SLAB_WORDS * BL_SLAB];
    uint who[SLAB_WORDS * BL_SLAB];
    uint run[2 * SLAB_LINES][2];
    uchar part[2 * SLAB_LINES]; /* that a run belongs to */
    slab_box box[SLAB_PARTS];
    uint votes[2];
    uint longest, at, used, active_at;
} slab_memory;

/* A bit for every work item of the group that says yes. `turn` changes from call to call, between 0 and 1; both places
 * are zero at first. */
uint vote(__local slab_memory *m, int yes, uint *turn) {
#ifdef BL_NVIDIA
    uint all;
    __asm__ volatile("{ .reg .pred yes; setp.ne.s32 yes, %1, 0; vote.sync.ballot.b32 %0, yes, 0xffffffff; }"
                     : "=r"(all)
                     : "r"(yes));
    return all;
#else
    if (yes) atomic_or(&m->votes[*turn], 1u << get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = m->votes[*turn];
    *turn = 1 - *turn;
    if (get_local_id(0) == 0) m->votes[*turn] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
#endif
}

/* How many of these bits belong to work items before this one. */
uint votes_before(uint votes) { return popcount(votes & ((1u << get_local_id(0)) - 1)); }

real axis_of(bl_vec3 x, int a) { return a == 0 ? x.x : a == 1 ? x.y : x.z; }

/* A bit for every particle that begins a new part of the slab; positions are in the tile then. */
uint find_jumps(__constant bl_cl_frame *f, bl_vec3 x, __local slab_memory *m) {
    const uint item = (uint)get_local_id(0);
    uint turn = 0;
    int jumps = 0;
    m->tile[item] = (bl_spot)(x.x, x.y, x.z, BL_R(0));
    if (item < 2) m->votes[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bl_spot last = m->tile[item > 0 ? item - 1 : 0];
    const bl_vec3 d = bl_v3_make(x.x - last.x, x.y - last.y, x.z - last.z);
    for (int a = 0; a < 3; ++a) jumps |= fabs(axis_of(d, a)) * f->scale[a] > (real)SLAB_JUMP;
    return vote(m, jumps, &turn);
}

/* The box of the positions of items `from` to `to`; those without a place do not count. */
void find_box(__constant bl_cl_frame *f, uint from, uint to, __local const slab_memory *m, slab_box *box) {
    for (int a = 0; a < 3; ++a) box->least[a] = INFINITY, box->most[a] = -INFINITY;
    for (uint l = from; l < to; ++l) {
        bl_vec3 p = bl_v3_make(m->tile[l].x, m->tile[l].y, m->tile[l].z);
        for (int a = 0; a < 3; ++a) {
            box->least[a] = fmin(box->least[a], axis_of(p, a));
            box->most[a] = fmax(box->most[a], axis_of(p, a));
        }
    }
    int lines = 1, fits = box->least[0] <= box->most[0];
    for (int a = 0; a < 3; ++a) {
        const int n = (int)f->n[a];
        box->low[a] = (box->least[a] - f->from[a]) * f->scale[a];
        box->high[a] = (box->most[a] - f->from[a]) * f->scale[a];
        fits = fits && fabs(box->low[a]) < (real)SLAB_FAR_OUT && fabs(box->high[a]) < (real)SLAB_FAR_OUT;
        box->first[a] = 0, box->n[a] = n;
        if (n >= 2 * REACH + 1 && fits) {
            const int start = (int)f->first[a];
            int first = (int)floor(box->low[a]) - REACH, last = (int)floor(box->high[a]) + REACH;
            if (f->closed[a]) first = max(first, start), last = min(last, start + n - 1);
            box->first[a] = first;
            box->n[a] = max(last - first + 1, 0);
            fits = box->n[a] <= n; /* else cells would be met twice */
        }
        if (fits && (a > 0 || box->n[a] == 0)) lines = min(lines * box->n[a], SLAB_LINES + 1);
        fits = fits && lines <= SLAB_LINES;
    }
#ifdef BL_ROWS_ALONE /* to see what searching as one is worth */
    fits = 0;
#endif
    box->alone = !fits;
    box->lines = fits ? lines : 0;
}

/* The parts of the slab, with their boxes, and how many there are; 0: every particle looks for itself. The one that x
 * belongs to goes to *part. */
uint divide_slab(__constant bl_cl_frame *f, bl_vec3 x, __local slab_memory *m, uint *part) {
    const uint item = (uint)get_local_id(0), jumps = find_jumps(f, x, m), parts = popcount(jumps) + 1;
    uint from = item, to = item + 1;
    int lines = 0, alone = parts > SLAB_PARTS;
    while (from > 0 && !(jumps >> from & 1)) --from;
    while (to < BL_SLAB && !(jumps >> to & 1)) ++to;
    *part = popcount(jumps & ((2u << item) - 1));
    if (from == item && !alone) {
        slab_box box;
        find_box(f, from, to, m, &box);
        m->box[*part] = box;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint p = 0; p < parts && !alone; ++p) lines += m->box[p].lines, alone = m->box[p].alone;
    return alone || lines > SLAB_LINES ? 0 : parts;
}

/* Squared distance along an axis, in cells, from the box to cell c, less a little for rounding. */
real box_gap2(__local const slab_box *box, int a, int c, uint n) {
    real gap = fmax((real)c - box->high[a], box->low[a] - (real)(c + 1));
    gap = fmax(gap - BL_R(2e-3), BL_R(0));
    return n < 2 * REACH + 1 ? BL_R(0) : gap * gap;
}

/* Cell c of the unbounded space in the grid. */
uint folded(__constant bl_cl_frame *f, int a, int c) {
    const int n = (int)f->n[a], rest = (c - (n < 2 * REACH + 1 ? 0 : (int)f->first[a])) % n;
    return (uint)(rest < 0 ? rest + n : rest);
}

/* Where the particles of the cells of a line that the box reaches are in spots[]: two runs, if the line wraps around.
 */
void find_runs(__constant bl_cl_frame *f, __local const slab_box *box, int line, __global const uint *cells, uint run[2][2]) {
    const int y = box->first[1] + line % box->n[1], z = box->first[2] + line / box->n[1];
    const real left = (real)(REACH * REACH) - box_gap2(box, 1, y, f->n[1]) - box_gap2(box, 2, z, f->n[2]);
    if (left < BL_R(0)) return;
    const uint nx = f->n[0];
    int from = box->first[0], to = from + box->n[0] - 1;
    if (nx >= 2 * REACH + 1) {
        real reach = sqrt(left) + BL_R(2e-3);
        from = max(from, (int)floor(box->low[0] - reach));
        to = min(to, (int)floor(box->high[0] + reach));
    }
    if (to < from) return;
    const uint start = folded(f, 0, from), stop = start + (uint)(to - from + 1);
    const uint at = (folded(f, 2, z) * f->n[1] + folded(f, 1, y)) * nx;
    run[0][0] = at + start ? cells[at + start - 1] : 0;
    run[0][1] = cells[at + (stop < nx ? stop : nx) - 1];
    if (stop > nx) run[1][0] = at ? cells[at - 1] : 0, run[1][1] = cells[at + stop - nx - 1];
}

/* The runs of all lines that are not empty, in order; how many. */
uint list_runs(__constant bl_cl_frame *f, uint parts, __global const uint *cells, __local slab_memory *m) {
    uint count = 0, turn = 0;
    int lines = 0;
    for (uint p = 0; p < parts; ++p) lines += m->box[p].lines;
    if (get_local_id(0) < 2) m->votes[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int first = 0; first < lines; first += BL_SLAB) {
        int line = first + (int)get_local_id(0);
        const int there = line < lines;
        uint part = 0, run[2][2] = {{0, 0}, {0, 0}};
        for (; there && line >= m->box[part].lines; ++part) line -= m->box[part].lines;
        if (there) find_runs(f, &m->box[part], line, cells, run);
        const int here[2] = {run[0][0] < run[0][1], run[1][0] < run[1][1]};
        const uint votes[2] = {vote(m, here[0], &turn), vote(m, here[1], &turn)};
        uint at = count + votes_before(votes[0]) + votes_before(votes[1]);
        if (here[0]) m->run[at][0] = run[0][0], m->run[at][1] = run[0][1], m->part[at++] = (uchar)part;
        if (here[1]) m->run[at][0] = run[1][0], m->run[at][1] = run[1][1], m->part[at] = (uchar)part;
        count += popcount(votes[0]) + popcount(votes[1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return count;
}

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
    uint self;      /* the particle, or NOWHERE in another set */
    uint near, all; /* neighbours so far */
    real near2, far2;
    uint part;      /* of the slab */
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
    m->who[w * BL_SLAB + item] = SPOT_INDEX(m->tile[item]);
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

/* Near neighbours, then far ones: every item writes its k-th at the same time. */
void write_row(__local const slab_memory *m, uint words, uint all, __global bl_index *out) {
    const uint item = (uint)get_local_id(0);
    uint w = 0, far = 0, bits = words > 0 ? m->near[item] : 0;
    for (uint k = 0; k < all; ++k) {
        while (bits == 0) {
            if (++w == words) w = 0, far = 1;
            bits = m->near[w * BL_SLAB + item];
            if (far) bits ^= m->any[w * BL_SLAB + item];
        }
        out[(ulong)k * BL_SLAB] = m->who[w * BL_SLAB + 31 - clz(bits & -bits)];
        bits &= bits - 1;
    }
}

/* Room for the slab's rows, and for the numbers of those that have neighbours: counters grow by what is taken. */
void take_room(__local slab_memory *m, uint all, __global uint *counters, uint place, uint wants_active) {
    const uint item = (uint)get_local_id(0);
    if (item == 0) m->longest = m->used = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(&m->longest, all);
    if (all > 0) atomic_or(&m->used, 1u << item);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && m->used != 0) {
        m->at = atomic_add(&counters[place], m->longest);
        if (wants_active) m->active_at = atomic_add(&counters[COUNTER_ACTIVE], popcount(m->used));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* What is searched for, filled in by the host: struct bl_cl_jobs. Sets are 0, fluid, and 1, walls. */
typedef struct bl_cl_jobs {
    uint count[3];       /* rows of each list; 0: it is not asked for */
    uint home[3];        /* whose rows */
    uint other[3];       /* whose particles they hold */
    uint room[3];        /* in lengths of rows; what goes beyond it is counted alone */
    uint before[3];      /* what counters were at: they go on from call to call */
    uint active_before;
} bl_cl_jobs;

/* Up to three lists at once, since a small drop has work for a part of the device only. The third one also tells which
 * rows have neighbours. */
#define ROWS_PARAMS(name) __global bl_index *name##_rows, __global bl_index *name##_index
__kernel __attribute__((reqd_work_group_size(BL_SLAB, 1, 1))) void
rows_find(const bl_cl_jobs jobs, __constant bl_cl_frame *fluid_frame, __constant bl_cl_frame *wall_frame,
          __global const bl_vec3 *fluid_x, __global const bl_vec3 *wall_x, __global const uint *fluid_cells,
          __global const uint *wall_cells, __global const bl_spot *fluid_spots, __global const bl_spot *wall_spots,
          ROWS_PARAMS(ff), ROWS_PARAMS(fb), ROWS_PARAMS(bf), __global uint *counters, __global bl_index *active) {
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
    __global bl_index *index = which == 0 ? ff_index : which == 1 ? fb_index : bf_index;

    slab_row row = {bl_v3_make(NAN, NAN, NAN), home == other ? i : NOWHERE, 0, 0, f->near2, f->far2, 0};
    if (i < count && is_somewhere(x[i])) row.x = x[i];
    const uint parts = divide_slab(f, row.x, &m, &row.part), runs = list_runs(f, parts, cells, &m);
    const uint words = parts == 0 ? NOWHERE : test_slab(f, runs, spots, &m, &row);
    row_writer alone = {0, 0, 0, row.self, row.near2, row.far2};
    if (words == NOWHERE) {
        if (is_somewhere(row.x)) visit_cells(f, row.x, cells, spots, &alone);
        row.near = alone.near, row.all = alone.near + alone.far;
    }

    take_room(&m, row.all, counters, which, wants_active);
    const uint used = m.used, at = used ? m.at - jobs.before[which] : 0;
    const ulong column = (count + PART - 1) / PART * PART; /* as in list_of */
    if (i < count) rows[i] = row.near, rows[column + i] = row.all;
    if (item == 0) ((__global bl_offset *)(rows + 2 * column))[slab] = (bl_offset)at * BL_SLAB;
    if (wants_active && (used >> item & 1)) active[m.active_at - jobs.active_before + votes_before(used)] = i;
    if (row.all == 0 || at + m.longest > jobs.room[which]) return;
    __global bl_index *out = index + (bl_offset)at * BL_SLAB + item;
    if (words != NOWHERE) {
        write_row(&m, words, row.all, out);
    } else {
        alone.out = out, alone.near = 0, alone.far = row.near;
        visit_cells(f, row.x, cells, spots, &alone);
    }
}
