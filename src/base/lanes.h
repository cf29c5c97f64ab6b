/* Four floats at a time, for loops that compilers leave scalar. Plain arithmetic on lanes that never mix: the bits are
 * those of the same loop written out. */
#ifndef BL_BASE_LANES_H
#define BL_BASE_LANES_H

#include <stdint.h>
#include <string.h>

enum { BL_LANES = 4 };
typedef float bl_f4 __attribute__((vector_size(16)));
typedef int32_t bl_i4 __attribute__((vector_size(16)));

static inline bl_f4 bl_f4_load(const float *from) {
    bl_f4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void bl_f4_store(float *to, bl_f4 v) { memcpy(to, &v, sizeof v); }

/* `v` where the mask is -1, 0 where it is 0. */
static inline bl_f4 bl_f4_where(bl_i4 mask, bl_f4 v) { return (bl_f4)((bl_i4)v & mask); }

static inline bl_f4 bl_f4_positive(bl_f4 v) { return bl_f4_where(v > 0.0f, v); }

static inline float bl_f4_sum(bl_f4 v) { return (v[0] + v[2]) + (v[1] + v[3]); }

#endif
