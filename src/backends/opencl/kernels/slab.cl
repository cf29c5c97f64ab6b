/* Where the neighbours of a slab may be: its parts, their boxes, and the runs of spots[] within reach of these; rows.cl
 * says what for. */
/* Cells from one particle to the next, along an axis, beyond which a new part begins. */
#define SLAB_JUMP BL_R(2.5)

enum { /* at most: beyond that every particle looks for itself */
    SLAB_PARTS = 4,
    SLAB_LINES = 256, /* of cells within reach of all parts */
    SLAB_RUNS = 256,
    SLAB_WORDS = BL_ROW_ITEMS > 1 ? 40 : 32, /* of a small drop a processor has few slabs at a time, with more memory */
    SLAB_FAR_OUT = 1 << 20 /* cells from the origin: up to there their numbers are exact */
};
enum { COUNTER_ACTIVE = 3, COUNTER_STRAYED = 4 }; /* BL_CL_COUNTER_ACTIVE, BL_CL_COUNTER_STRAYED */

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
    uint run[SLAB_RUNS][2];
    uchar part[SLAB_RUNS]; /* that a run belongs to */
    slab_box box[SLAB_PARTS];
    uint votes[2];
    uint least, most; /* of the numbers of candidates */
    uint longest, taken, at, used, active_at;
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
    for (int a = 0; a < 3; ++a) jumps |= fabs(axis_of(d, a)) * f->scale[a] > SLAB_JUMP;
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

/* The runs of all lines that are not empty, in order; how many, or NOWHERE if there are too many. */
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
        count += popcount(votes[0]) + popcount(votes[1]);
        if (count > SLAB_RUNS) return NOWHERE;
        if (here[0]) m->run[at][0] = run[0][0], m->run[at][1] = run[0][1], m->part[at++] = (uchar)part;
        if (here[1]) m->run[at][0] = run[1][0], m->run[at][1] = run[1][1], m->part[at] = (uchar)part;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return count;
}
