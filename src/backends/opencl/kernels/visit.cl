/* The neighbours of one particle, in the cells around it. */

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

/* A number to where neighbour `place` of a row is, of a slab that is wide or not (neighbours/list.h). */
void write_entry(__global bl_entry *slab, uint place, uint wide, uint number) {
    const uint at = (place / BL_QUAD * BL_SLAB + (uint)get_local_id(0)) * BL_QUAD + place % BL_QUAD;
    if (wide)
        ((__global bl_index *)slab)[at] = number;
    else
        slab[at] = (bl_entry)number;
}

typedef struct row_writer {
    __global bl_entry *slab; /* where to write; NULL: count only */
    uint base, wide;         /* of the slab */
    uint near, far;          /* next places, or counts */
    uint self;               /* the particle, or NOWHERE in another set */
    real near2, far2;
    uint least, most, last;  /* numbers of neighbours */
} row_writer;

void visit_run(__constant bl_cl_frame *f, bl_vec3 x, __global const bl_spot *spots, uint begin, uint end,
               row_writer *row) {
    for (uint k = begin; k < end; ++k) {
        bl_spot spot = spots[k];
        int kind = test_pair(f, x, spot, row->near2, row->far2);
        uint j = SPOT_INDEX(spot);
        if (kind == 0 || j == row->self) continue;
        uint place = kind == 1 ? row->near++ : row->far++;
        if (row->slab) write_entry(row->slab, place, row->wide, j - row->base);
        row->least = min(row->least, j), row->most = max(row->most, j), row->last = j;
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
