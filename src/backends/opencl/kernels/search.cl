/* Neighbour search: particles into the cells of a grid; rows.cl makes rows of neighbours from the cells around them.
 *
 * The grid has n[a] cells along axis a, and cell c of the unbounded space falls into c mod n: what lies far out shares
 * cells with what lies elsewhere, which costs some distance tests and never a neighbour. Cells are half the far radius
 * long, so a particle's neighbours are in 5 x 5 rows of 5 cells, all different as long as n >= 5; along shorter axes
 * every cell is visited once. Along a periodic axis the cells make up exactly one period.
 *
 * Cells are filled with integer atomics, whose order varies, and then sorted by particle number. Cells are visited in
 * the order of the unbounded space, and where their borders are does not depend on the grid: a list is the same in
 * every run, and whenever the grid was placed. */
#ifdef BL_DOUBLE
typedef double4 bl_spot;
#define SPOT_INDEX(s) ((uint)as_ulong((s).w))
#define SPOT_WORD(i) as_double((ulong)(i))
#else
typedef float4 bl_spot;
#define SPOT_INDEX(s) as_uint((s).w)
#define SPOT_WORD(i) as_float(i)
#endif

/* Filled in by the host: struct bl_cl_frame. */
typedef struct bl_cl_frame {
    real from[3], scale[3], first[3]; /* cell = floor((x - from) scale) - first, modulo n */
    real period[3], inv_period[3];
    real near2, far2;
    uint n[3];
    uint slots; /* n[0] n[1] n[2] */
    uint closed[3]; /* all particles are in the n cells from `first` on: cells beyond them are empty, not the same again */
} bl_cl_frame;

#define REACH 2

int is_somewhere(bl_vec3 x) { return isfinite(x.x) && isfinite(x.y) && isfinite(x.z); }

uint cell_along(__constant bl_cl_frame *f, int a, real x) {
    uint n = f->n[a];
    real c = floor((x - f->from[a]) * f->scale[a]) - f->first[a];
    /* within the grid for almost all particles; far out the remainder by float arithmetic, right to a cell or so */
    if (c >= BL_R(0) && c < (real)n) return (uint)c;
    c -= (real)n * floor(c / (real)n);
    return c >= BL_R(0) && c < (real)n ? (uint)c : 0;
}

uint slot_of(__constant bl_cl_frame *f, bl_vec3 x) {
    if (!is_somewhere(x)) return NOWHERE;
    uint cx = cell_along(f, 0, x.x), cy = cell_along(f, 1, x.y), cz = cell_along(f, 2, x.z);
    return (cz * f->n[1] + cy) * f->n[0] + cx;
}

__kernel void grid_count(__constant bl_cl_frame *f, __global const bl_vec3 *x, uint count, __global uint *cells) {
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    uint slot = slot_of(f, x[i]);
    if (slot != NOWHERE) atomic_inc(&cells[slot]);
}

/* cells[] holds where every cell begins; afterwards where it ends, which is where the next begins. */
__kernel void grid_fill(__constant bl_cl_frame *f, __global const bl_vec3 *x, uint count, __global uint *cells,
                        __global uint *members) {
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    uint slot = slot_of(f, x[i]);
    if (slot != NOWHERE) members[atomic_inc(&cells[slot])] = i;
}

void order_cell(uint slot, __global const bl_vec3 *x, __global const uint *cells, __global uint *members,
                __global bl_spot *spots) {
    uint begin = slot ? cells[slot - 1] : 0, end = cells[slot];
    for (uint k = begin; k < end; ++k) {
        uint i = members[k], at = k;
        for (; at > begin && members[at - 1] > i; --at) members[at] = members[at - 1];
        members[at] = i;
    }
    for (uint k = begin; k < end; ++k) {
        uint i = members[k];
        bl_vec3 p = x[i];
        spots[k] = (bl_spot)(p.x, p.y, p.z, SPOT_WORD(i));
    }
}
__kernel void grid_order(uint slots, __global const bl_vec3 *x, __global const uint *cells, __global uint *members,
                         __global bl_spot *spots) {
    uint slot = (uint)get_global_id(0);
    if (slot < slots) order_cell(slot, x, cells, members, spots);
}

#ifdef SOLVE_GROUP
/* What a group does of the prefix sums of the cells: those of its own cells, one after the other; `at` is where those
 * of the item begin among them, and the group's sum goes to sums[group]. */
typedef struct own_cells {
    uint from, to, at;
} own_cells;
own_cells sum_cells(__global const uint *cells, uint slots, __global uint *sums, __local uint *work) {
    const uint own = (uint)get_local_id(0), group = (uint)get_group_id(0), items = (uint)get_global_size(0);
    const uint each = (slots + items - 1) / items;
    own_cells c = {min((uint)get_global_id(0) * each, slots), 0, 0};
    uint sum = 0, all;
    c.to = min(c.from + each, slots);
    for (uint k = c.from; k < c.to; ++k) sum += cells[k];
    c.at = scan_group(sum, SOLVE_GROUP, work, &all);
    if (own == 0) sums[group] = all;
    return c;
}
/* The rest, once groups have met. */
void begin_cells(own_cells c, __global uint *cells, __global const uint *sums, __local uint *work) {
    const uint own = (uint)get_local_id(0), group = (uint)get_group_id(0);
    if (own == 0) work[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint g = own; g < group; g += SOLVE_GROUP) atomic_add(&work[0], sums[g]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = c.at + work[0];
    for (uint k = c.from; k < c.to; ++k) {
        const uint n = cells[k];
        cells[k] = at;
        at += n;
    }
}

/* The whole grid in one launch (kernels/solve.cl says how). Who waited in vain leaves that in the gate, where the next
 * solve finds it. */
__kernel __attribute__((reqd_work_group_size(SOLVE_GROUP, 1, 1))) void
grid_at_once(__constant bl_cl_frame *f, __global const bl_vec3 *x, uint count, __global uint *cells,
             __global uint *members, __global bl_spot *spots, __global uint *sums, __global uint *arrived) {
    __local uint work[SOLVE_GROUP], before;
    const uint groups = (uint)get_num_groups(0), first = (uint)get_global_id(0), step = (uint)get_global_size(0);
    __global uint *gate = arrived + ROW_STATE;
    uint meetings = 0;
    int stuck = 0;
    for (uint k = first; k < f->slots; k += step) cells[k] = 0;
    stuck |= meet(gate, groups, &meetings, &before);
    for (uint i = first; i < count && !stuck; i += step) {
        const uint slot = slot_of(f, x[i]);
        if (slot != NOWHERE) atomic_inc(&cells[slot]);
    }
    stuck |= meet(gate, groups, &meetings, &before);
    const own_cells c = sum_cells(cells, f->slots, sums, work);
    stuck |= meet(gate, groups, &meetings, &before);
    begin_cells(c, cells, sums, work);
    stuck |= meet(gate, groups, &meetings, &before);
    for (uint i = first; i < count && !stuck; i += step) {
        const uint slot = slot_of(f, x[i]);
        if (slot != NOWHERE) members[atomic_inc(&cells[slot])] = i;
    }
    stuck |= meet(gate, groups, &meetings, &before);
    for (uint k = first; k < f->slots && !stuck; k += step) order_cell(k, x, cells, members, spots);
    if (is_last(groups, arrived + ROW_finite, &before) && !stuck && get_local_id(0) == 0) gate[0] = 0;
}
#endif

/* Bounds of a set: minus the least and the largest coordinate, as one group's partial results. */
__kernel __attribute__((reqd_work_group_size(SCAN_GROUP, 1, 1))) void bounds(__global const bl_vec3 *x, uint count,
                                                                             __global real *partial) {
    __local real tree[6 * SCAN_GROUP];
    const uint item = (uint)get_local_id(0);
    real most[6];
    for (int c = 0; c < 6; ++c) most[c] = -INFINITY;
    for (uint i = (uint)get_global_id(0); i < count; i += (uint)get_global_size(0)) {
        bl_vec3 p = x[i];
        if (!is_somewhere(p)) continue;
        real v[6] = {-p.x, -p.y, -p.z, p.x, p.y, p.z};
        for (int c = 0; c < 6; ++c) most[c] = bl_max(most[c], v[c]);
    }
    for (int c = 0; c < 6; ++c) tree[c * SCAN_GROUP + item] = most[c];
    for (uint reach = SCAN_GROUP / 2; reach > 0; reach /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int c = 0; c < 6 && item < reach; ++c)
            tree[c * SCAN_GROUP + item] = bl_max(tree[c * SCAN_GROUP + item], tree[c * SCAN_GROUP + item + reach]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 6) partial[get_group_id(0) * 6 + item] = tree[item * SCAN_GROUP];
}
