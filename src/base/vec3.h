/* Three-component vectors. bl_vec3 holds `real`: 12 bytes in float on the host, 16 in OpenCL, where one wide load of a
 * neighbour's vector is worth more than the room; bl_vec3d holds double, for everything that is not a particle loop. */
#ifndef BL_BASE_VEC3_H
#define BL_BASE_VEC3_H

#include "base/real.h"

#ifdef __OPENCL_C_VERSION__
#define BL_SQRT(x) sqrt(x)
#define BL_FABS(x) fabs(x)
#define BL_RINT(x) rint(x)
#define BL_VEC3_LAYOUT __attribute__((aligned(4 * sizeof(real))))
#else
#define BL_VEC3_LAYOUT
#include <math.h>
#ifdef BL_DOUBLE
#define BL_SQRT(x) sqrt(x)
#define BL_FABS(x) fabs(x)
#define BL_RINT(x) rint(x)
#else
#define BL_SQRT(x) sqrtf(x)
#define BL_FABS(x) fabsf(x)
#define BL_RINT(x) rintf(x)
#endif
#endif

#define BL_DEFINE_VEC3(T, S, P, LAYOUT)                                                                                \
    typedef struct T {                                                                                                 \
        S x, y, z;                                                                                                     \
    } LAYOUT T;                                                                                                        \
    static inline T P##_make(S x, S y, S z) {                                                                          \
        T r;                                                                                                           \
        r.x = x, r.y = y, r.z = z;                                                                                     \
        return r;                                                                                                      \
    }                                                                                                                  \
    static inline T P##_zero(void) { return P##_make((S)0, (S)0, (S)0); }                                              \
    static inline T P##_add(T a, T b) { return P##_make(a.x + b.x, a.y + b.y, a.z + b.z); }                            \
    static inline T P##_sub(T a, T b) { return P##_make(a.x - b.x, a.y - b.y, a.z - b.z); }                            \
    static inline T P##_scale(S s, T a) { return P##_make(s * a.x, s * a.y, s * a.z); }                                \
    /* a + s b */                                                                                                      \
    static inline T P##_mad(T a, S s, T b) { return P##_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z); }           \
    static inline S P##_dot(T a, T b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                                    \
    static inline S P##_norm2(T a) { return P##_dot(a, a); }                                                           \
    static inline T P##_cross(T a, T b) {                                                                              \
        return P##_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);                          \
    }

BL_DEFINE_VEC3(bl_vec3, real, bl_v3, BL_VEC3_LAYOUT)
/* A vector and a number that are read together. */
typedef struct bl_vec4 {
    real x, y, z, w;
} bl_vec4;
static inline bl_vec4 bl_v4_make(bl_vec3 a, real w) {
    bl_vec4 r;
    r.x = a.x, r.y = a.y, r.z = a.z, r.w = w;
    return r;
}
static inline bl_vec3 bl_v4_xyz(bl_vec4 a) { return bl_v3_make(a.x, a.y, a.z); }
static inline real bl_v3_norm(bl_vec3 a) { return BL_SQRT(bl_v3_norm2(a)); }

#ifndef __OPENCL_C_VERSION__
BL_DEFINE_VEC3(bl_vec3d, double, bl_v3d, )
static inline double bl_v3d_norm(bl_vec3d a) { return sqrt(bl_v3d_norm2(a)); }
static inline bl_vec3 bl_v3_from_d(bl_vec3d a) { return bl_v3_make((real)a.x, (real)a.y, (real)a.z); }
static inline bl_vec3d bl_v3d_from(bl_vec3 a) { return bl_v3d_make((double)a.x, (double)a.y, (double)a.z); }
#endif

#endif
