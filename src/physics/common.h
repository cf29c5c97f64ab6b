/* Words shared by all formulas. Everything in physics/ is valid C11 and OpenCL C 1.2: values in, values out.
 *
 * Neighbour loops work on blocks of BL_LANES neighbours: one loop gathers a block into small arrays, a second one does
 * the arithmetic lane by lane, and the lanes are added in a fixed tree at the end. A compiler turns the second loop
 * into SSE or AVX, and the result has the same bits for every vector width. */
#ifndef BL_PHYSICS_COMMON_H
#define BL_PHYSICS_COMMON_H

#include "base/vec3.h"
#include "neighbours/list.h"

#ifdef __OPENCL_C_VERSION__
#ifndef BL_LANES
#define BL_LANES 4 /* loads in flight; of 1, 2, 4 and 8 the fastest on an H200 (docs/gpu.md) */
#endif
#define BL_SIMD
#define BL_EXP(x) exp(x)
typedef uint uint32_t;
#ifndef NULL
#define NULL 0
#endif
#else
#include <stddef.h>
#ifndef BL_LANES
#define BL_LANES 16
#endif
/* keeps the compiler from unrolling a lane loop before it can vectorise it */
#define BL_SIMD _Pragma("omp simd")
#ifdef BL_DOUBLE
#define BL_EXP(x) exp(x)
#else
#define BL_EXP(x) expf(x)
#endif
#endif

/* On a device several work items may share a row (BL_ROW_ITEMS, a power of two): each takes every BL_ROW_ITEMS-th
 * neighbour, and sums are added across them, so that a small drop keeps all processors busy. They do everything else
 * alike.
 */
#ifndef BL_ROW_ITEMS
#define BL_ROW_ITEMS 1
#endif
#if BL_ROW_ITEMS > 1
#define BL_ROW_PART ((bl_index)get_local_id(0) % BL_ROW_ITEMS)
#else
#define BL_ROW_PART 0
#endif

/* A formula; always inlined so that the lane loops of its caller can be vectorised. */
#define BL_FN static inline __attribute__((always_inline))

BL_FN real bl_max(real a, real b) { return a > b ? a : b; }
BL_FN real bl_min(real a, real b) { return a < b ? a : b; }

/* Vector i of an array, number by number: no vector code is made of a loop that copies structures as a whole. */
BL_FN bl_vec3 bl_v3_get(BL_GLOBAL const bl_vec3 *a, bl_index i) { return bl_v3_make(a[i].x, a[i].y, a[i].z); }
BL_FN void bl_v3_set(BL_GLOBAL bl_vec3 *a, bl_index i, bl_vec3 v) { a[i].x = v.x, a[i].y = v.y, a[i].z = v.z; }
BL_FN void bl_v4_set(BL_GLOBAL bl_vec4 *a, bl_index i, bl_vec3 v, real w) {
    a[i].x = v.x, a[i].y = v.y, a[i].z = v.z, a[i].w = w;
}

/* Sum of a number over the work items that share a row. Neighbouring ones exchange theirs, then those two apart, ...:
 * all get the same bits, since addition commutes. */
BL_FN real bl_row_sum(real a) {
#if BL_ROW_ITEMS > 1
    for (uint distance = 1; distance < BL_ROW_ITEMS; distance *= 2) a += bl_row_exchange(a, distance);
#endif
    return a;
}

/* Sum of the lanes in a fixed tree. */
BL_FN real bl_lane_sum(const real *a) {
    real b[8], c;
#if BL_LANES < 8
    (void)b;
    c = a[0];
    for (int l = 1; l < BL_LANES; ++l) c += a[l];
    return bl_row_sum(c);
#else
    for (int l = 0; l < 8; ++l) {
        c = a[l];
        for (int k = 8; k < BL_LANES; k += 8) c += a[l + k];
        b[l] = c;
    }
    return bl_row_sum(((b[0] + b[4]) + (b[2] + b[6])) + ((b[1] + b[5]) + (b[3] + b[7])));
#endif
}
BL_FN bl_vec3 bl_lane_sum3(const real *x, const real *y, const real *z) {
    return bl_v3_make(bl_lane_sum(x), bl_lane_sum(y), bl_lane_sum(z));
}

#endif
