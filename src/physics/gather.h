/* Blocks of neighbours: offsets, distances and vector fields, gathered for the lane loops. */
#ifndef BL_PHYSICS_GATHER_H
#define BL_PHYSICS_GATHER_H

#include "physics/view.h"

/* The two loops of every neighbour sum: over blocks of a row, and over the lanes of a block. Lane l of the block at k0
 * is neighbour k0 + l BL_ROW_ITEMS: work items that share a row take neighbours next to each other, which are often
 * next to each other in memory, too. */
#define BL_FOR_BLOCKS(k0, n) for (bl_index k0 = BL_ROW_PART; k0 < (n); k0 += BL_LANES * BL_ROW_ITEMS)
#define BL_LANE_AT(k0, l) ((k0) + (bl_index)(l)*BL_ROW_ITEMS)
#define BL_FOR_LANES(l) BL_SIMD for (int l = 0; l < BL_LANES; ++l)

/* A vector a lane. */
typedef struct bl_lanes3 {
    real x[BL_LANES], y[BL_LANES], z[BL_LANES];
} bl_lanes3;

#if !defined(__OPENCL_C_VERSION__) && !defined(BL_DOUBLE) && defined(__GNUC__)
/* Four vectors are loaded as four numbers each (the store keeps room behind its arrays) and transposed: a third of the
 * instructions of element-wise loads, and no difference in the numbers. */
typedef float bl_float4 __attribute__((vector_size(16)));
typedef float bl_float4_at __attribute__((vector_size(16), aligned(4), may_alias));

BL_FN void bl_load3(const bl_vec3 *a, const bl_index *j, bl_lanes3 *out) {
    for (int l = 0; l < BL_LANES; l += 4) {
        bl_float4 a0 = *(const bl_float4_at *)&a[j[l]], a1 = *(const bl_float4_at *)&a[j[l + 1]];
        bl_float4 a2 = *(const bl_float4_at *)&a[j[l + 2]], a3 = *(const bl_float4_at *)&a[j[l + 3]];
        bl_float4 xy01 = __builtin_shufflevector(a0, a1, 0, 4, 1, 5),
                  xy23 = __builtin_shufflevector(a2, a3, 0, 4, 1, 5);
        bl_float4 z01 = __builtin_shufflevector(a0, a1, 2, 6, 3, 7), z23 = __builtin_shufflevector(a2, a3, 2, 6, 3, 7);
        *(bl_float4_at *)&out->x[l] = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
        *(bl_float4_at *)&out->y[l] = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
        *(bl_float4_at *)&out->z[l] = __builtin_shufflevector(z01, z23, 0, 1, 4, 5);
    }
}
/* The same for vectors with a number: that to `w`. */
BL_FN void bl_load4(const bl_vec4 *a, const bl_index *j, bl_lanes3 *out, real *w) {
    for (int l = 0; l < BL_LANES; l += 4) {
        bl_float4 a0 = *(const bl_float4_at *)&a[j[l]], a1 = *(const bl_float4_at *)&a[j[l + 1]];
        bl_float4 a2 = *(const bl_float4_at *)&a[j[l + 2]], a3 = *(const bl_float4_at *)&a[j[l + 3]];
        bl_float4 xy01 = __builtin_shufflevector(a0, a1, 0, 4, 1, 5),
                  xy23 = __builtin_shufflevector(a2, a3, 0, 4, 1, 5);
        bl_float4 zw01 = __builtin_shufflevector(a0, a1, 2, 6, 3, 7),
                  zw23 = __builtin_shufflevector(a2, a3, 2, 6, 3, 7);
        *(bl_float4_at *)&out->x[l] = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
        *(bl_float4_at *)&out->y[l] = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
        *(bl_float4_at *)&out->z[l] = __builtin_shufflevector(zw01, zw23, 0, 1, 4, 5);
        *(bl_float4_at *)&w[l] = __builtin_shufflevector(zw01, zw23, 2, 3, 6, 7);
    }
}
#else
#ifdef __OPENCL_C_VERSION__
/* one load of 16 bytes instead of three */
#ifdef BL_DOUBLE
typedef double4 bl_wide3, bl_wide4;
#else
typedef float4 bl_wide3, bl_wide4;
#endif
#define BL_LOAD3(a, j) (*(BL_GLOBAL const bl_wide3 *)&(a)[j])
#define BL_LOAD4(a, j) (*(BL_GLOBAL const bl_wide4 *)&(a)[j])
#else
typedef bl_vec3 bl_wide3;
typedef bl_vec4 bl_wide4;
#define BL_LOAD3(a, j) ((a)[j])
#define BL_LOAD4(a, j) ((a)[j])
#endif
BL_FN void bl_load3(BL_GLOBAL const bl_vec3 *a, const bl_index *j, bl_lanes3 *out) {
    for (int l = 0; l < BL_LANES; ++l) {
        bl_wide3 v = BL_LOAD3(a, j[l]);
        out->x[l] = v.x, out->y[l] = v.y, out->z[l] = v.z;
    }
}
BL_FN void bl_load4(BL_GLOBAL const bl_vec4 *a, const bl_index *j, bl_lanes3 *out, real *w) {
    for (int l = 0; l < BL_LANES; ++l) {
        bl_wide4 v = BL_LOAD4(a, j[l]);
        out->x[l] = v.x, out->y[l] = v.y, out->z[l] = v.z, w[l] = v.w;
    }
}
#endif

/* d = a - a_j for all lanes. */
BL_FN void bl_difference3(bl_vec3 a, BL_GLOBAL const bl_vec3 *field, const bl_index *j, bl_lanes3 *d) {
    bl_load3(field, j, d);
    BL_FOR_LANES(l) d->x[l] = a.x - d->x[l], d->y[l] = a.y - d->y[l], d->z[l] = a.z - d->z[l];
}

/* a - b, by the nearest image in periodic directions. */
BL_FN bl_vec3 bl_delta(BL_CONST const bl_params *par, bl_vec3 a, bl_vec3 b) {
    bl_vec3 d = bl_v3_sub(a, b);
    if (BL_FACT(par, periodic)) {
        d.x -= par->period[0] * BL_RINT(d.x * par->inv_period[0]);
        d.y -= par->period[1] * BL_RINT(d.y * par->inv_period[1]);
        d.z -= par->period[2] * BL_RINT(d.z * par->inv_period[2]);
    }
    return d;
}

/* A block of pairs: offsets x_i - x_j, distances, and `on` = 1, or 0 for lanes past the end of the row. */
typedef struct bl_pairs {
    bl_lanes3 d;
    real r[BL_LANES], on[BL_LANES];
    bl_index j[BL_LANES];
} bl_pairs;

/* Which neighbours the lanes of the block at k0 of the row of i are. Lanes past its end, n, hold other particles: those
 * that come next (list.h), or on a device, where what comes after whole quads may be anything, the last one again. */
BL_FN void bl_pairs_indices(const bl_list *list, bl_index i, bl_index k0, bl_index n, bl_pairs *p) {
#if defined(__OPENCL_C_VERSION__) && BL_LANES == 4 && BL_ROW_ITEMS == 1
    const bl_row row = bl_row_of(list, i);
    const uint4 j = bl_quad(&row, k0);
    p->j[0] = j.x, p->j[1] = j.y, p->j[2] = j.z, p->j[3] = j.w;
    (void)n;
#elif defined(__OPENCL_C_VERSION__)
    for (int l = 0; l < BL_LANES; ++l) {
        bl_index k = BL_LANE_AT(k0, l);
        p->j[l] = bl_neighbour(list, i, k < n ? k : n - 1);
    }
#else
    (void)n;
    const bl_index *row = list->index + list->start[i] + k0;
    for (int l = 0; l < BL_LANES; ++l) p->j[l] = row[l];
#endif
}

/* p->d holds the neighbours' positions: make them offsets from xi, and measure them. */
BL_FN void bl_pairs_measure(BL_CONST const bl_params *par, bl_index k0, bl_index n, bl_vec3 xi, bl_pairs *p) {
    BL_FOR_LANES(l) p->d.x[l] = xi.x - p->d.x[l], p->d.y[l] = xi.y - p->d.y[l], p->d.z[l] = xi.z - p->d.z[l];
    if (BL_FACT(par, periodic))
        for (int l = 0; l < BL_LANES; ++l) {
            bl_vec3 d = bl_delta(par, bl_v3_make(p->d.x[l], p->d.y[l], p->d.z[l]), bl_v3_zero());
            p->d.x[l] = d.x, p->d.y[l] = d.y, p->d.z[l] = d.z;
        }
    BL_FOR_LANES(l) {
        p->on[l] = BL_LANE_AT(k0, l) < n ? BL_R(1) : BL_R(0);
        p->r[l] = BL_SQRT(p->d.x[l] * p->d.x[l] + p->d.y[l] * p->d.y[l] + p->d.z[l] * p->d.z[l]);
    }
}

/* A block of neighbours (of the first n) of the row of i, with positions from `x`. */
BL_FN void bl_gather(BL_CONST const bl_params *par, const bl_list *list, bl_index i, bl_index k0, bl_index n,
                     bl_vec3 xi, BL_GLOBAL const bl_vec3 *x, bl_pairs *p) {
    bl_pairs_indices(list, i, k0, n, p);
    bl_load3(x, p->j, &p->d);
    bl_pairs_measure(par, k0, n, xi, p);
}
/* The same with positions and a number from `xw`. */
BL_FN void bl_gather4(BL_CONST const bl_params *par, const bl_list *list, bl_index i, bl_index k0, bl_index n,
                      bl_vec3 xi, BL_GLOBAL const bl_vec4 *xw, bl_pairs *p, real *w) {
    bl_pairs_indices(list, i, k0, n, p);
    bl_load4(xw, p->j, &p->d, w);
    bl_pairs_measure(par, k0, n, xi, p);
}
BL_FN bl_vec3 bl_pair_offset(const bl_pairs *p, int l) { return bl_v3_make(p->d.x[l], p->d.y[l], p->d.z[l]); }

#endif
