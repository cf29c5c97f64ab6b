/* Neighbour search: particles into the cells of a grid, and rows of neighbours from the cells around a particle.
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
} bl_cl_frame;

#define REACH 2
#define NOWHERE 0xffffffffu

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

__kernel void grid_order(uint slots, __global const bl_vec3 *x, __global const uint *cells, __global uint *members,
                         __global bl_spot *spots) {
    uint slot = (uint)get_global_id(0);
    if (slot >= slots) return;
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

/* 1 within the near radius, 2 beyond it within the far one, 0 further. The same operations in the same order for both
 * partners of a pair, and for the count of a row and its filling. */
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

/* How many neighbours particle i of the home set has in the other set. */
__kernel void rows_count(__constant bl_cl_frame *f, __global const bl_vec3 *x, uint count, __global const uint *cells,
                         __global const bl_spot *spots, uint same, __global bl_index *near, __global bl_index *all) {
    uint i = (uint)get_global_id(0);
    if (i >= count) return;
    row_writer row = {0, 0, 0, same ? i : NOWHERE, f->near2, f->far2};
    bl_vec3 xi = x[i];
    if (is_somewhere(xi)) visit_cells(f, xi, cells, spots, &row);
    near[i] = row.near;
    all[i] = row.near + row.far;
}

/* Numbers that a slab takes: BL_SLAB times its longest row. */
__kernel void rows_measure(__global const bl_index *all, uint count, __global bl_offset *start) {
    uint slab = (uint)get_global_id(0), longest = 0;
    if (slab * BL_SLAB >= count) return;
    for (uint l = 0; l < BL_SLAB; ++l) {
        uint i = slab * BL_SLAB + l;
        if (i < count && all[i] > longest) longest = all[i];
    }
    start[slab] = (bl_offset)longest * BL_SLAB;
}

__kernel void rows_fill(__constant bl_cl_frame *f, __global const bl_vec3 *x, uint count, __global const uint *cells,
                        __global const bl_spot *spots, uint same, __global const bl_index *near,
                        __global const bl_index *all, __global const bl_offset *start, __global bl_index *index) {
    uint i = (uint)get_global_id(0);
    if (i >= count || all[i] == 0) return;
    row_writer row = {index + start[i / BL_SLAB] + i % BL_SLAB, 0, near[i], same ? i : NOWHERE, f->near2, f->far2};
    visit_cells(f, x[i], cells, spots, &row);
}

/* Boundary particles that have fluid neighbours: flags, and after the prefix sum their list. */
__kernel void active_mark(__global const bl_index *all, uint count, __global uint *place) {
    uint b = (uint)get_global_id(0);
    if (b < count) place[b] = all[b] > 0;
}
__kernel void active_list(__global const bl_index *all, uint count, __global const uint *place,
                          __global bl_index *active) {
    uint b = (uint)get_global_id(0);
    if (b < count && all[b] > 0) active[place[b]] = b;
}

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
