/* 3x3 matrices in double, and the two decompositions that elasticity needs. */
#ifndef BL_SCHEMES_ELASTIC_MATRIX_H
#define BL_SCHEMES_ELASTIC_MATRIX_H

#include "base/vec3.h"

typedef struct bl_mat3 {
    double m[3][3];
} bl_mat3;

static inline bl_mat3 bl_mat3_zero(void) { return (bl_mat3){0}; }
static inline double bl_mat3_trace(const bl_mat3 *a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }

static inline bl_vec3d bl_mat3_apply(const bl_mat3 *a, bl_vec3d v) {
    return bl_v3d_make(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                       a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                       a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

/* a += s u v^T */
static inline void bl_mat3_add_outer(bl_mat3 *a, double s, bl_vec3d u, bl_vec3d v) {
    const double x[3] = {s * u.x, s * u.y, s * u.z}, y[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a->m[i][j] += x[i] * y[j];
}

static inline bl_mat3 bl_mat3_multiply(const bl_mat3 *a, const bl_mat3 *b) {
    bl_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return c;
}

/* a b^T */
static inline bl_mat3 bl_mat3_multiply_transposed(const bl_mat3 *a, const bl_mat3 *b) {
    bl_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[j][0] + a->m[i][1] * b->m[j][1] + a->m[i][2] * b->m[j][2];
    return c;
}

/* Inverse of a symmetric matrix without negative eigenvalues on the directions that it has, and the projection on
 * these: eigenvalues below `smallest` times the largest count as none. */
void bl_mat3_pseudo_inverse(const bl_mat3 *a, double smallest, bl_mat3 *inverse, bl_mat3 *projection);

/* The rotation R nearest to F, that with the largest trace of R^T F: the rotation of the polar decomposition where det
 * F is positive, and a proper rotation also where it is not. It depends on F alone, so a resumed run repeats it. */
bl_mat3 bl_mat3_rotation(const bl_mat3 *f);

#endif
