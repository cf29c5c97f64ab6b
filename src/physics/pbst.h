/* Formulas of the position-based surface tension of Xing et al. 2022, by their equation numbers;
 * docs/theory/pbst2022.md says what is corrected and what is added. Constraints are functions of positions, and a
 * displacement is a multiplier times a gradient. */
#ifndef BL_PHYSICS_PBST_H
#define BL_PHYSICS_PBST_H

#include "physics/gather.h"

/* --- light shading (section 4.1) --- */

/* Directions of the rays, one after the other in each coordinate. */
enum { BL_RAYS_3D = 160, BL_RAYS_2D = 64 };
typedef struct bl_rays {
    /* A particle with at least `fewest` rays that nothing stops may lie on the surface, with `enough` it does. */
    int count, fewest, enough;
    real x[BL_RAYS_3D], y[BL_RAYS_3D], z[BL_RAYS_3D];
} bl_rays;

/* A neighbour at distance l stops the rays within a cone about its direction: of those which touch a ball of radius
 * min(r, l/2) around it. The cosine of the cone's half angle. */
BL_FN real bl_shadow_cosine(real l, real r) {
    real s = bl_min(r / bl_max(l, BL_R(1e-30)), BL_R(0.5));
    return BL_SQRT(BL_R(1) - s * s);
}
/* lit[k] &= ray k passes by the neighbour at offset `d` (from the particle), at distance l. */
BL_FN void bl_shade(const bl_rays *rays, bl_vec3 d, real l, real r, int *lit) {
    real c = bl_shadow_cosine(l, r) * l;
    for (int k = 0; k < rays->count; ++k) lit[k] &= rays->x[k] * d.x + rays->y[k] * d.y + rays->z[k] * d.z < c ? 1 : 0;
}

/* --- normals and films (eq. 6, section 5) --- */

/* Whether j is on another side than i of a film or an edge: the normals differ by more than 45 degrees and the
 * particles lie back to back. d = p_i - p_j. */
BL_FN int bl_back_to_back(bl_vec3 n_i, bl_vec3 n_j, bl_vec3 d) {
    const real cosine = BL_R(0.70710678);
    return bl_v3_dot(n_i, n_j) < cosine && bl_v3_dot(bl_v3_sub(n_i, n_j), d) > BL_R(0);
}

/* Two unit vectors that with the unit vector n make a right-handed frame. */
BL_FN void bl_tangents(bl_vec3 n, bl_vec3 *t, bl_vec3 *b) {
    real ax = BL_FABS(n.x), ay = BL_FABS(n.y), az = BL_FABS(n.z);
    bl_vec3 axis = bl_v3_make(ax <= ay && ax <= az ? BL_R(1) : BL_R(0), ay < ax && ay <= az ? BL_R(1) : BL_R(0),
                              az < ax && az < ay ? BL_R(1) : BL_R(0));
    bl_vec3 c = bl_v3_cross(axis, n);
    *t = bl_v3_scale(BL_R(1) / bl_v3_norm(c), c);
    *b = bl_v3_cross(n, *t);
}

/* --- areas (eqs. 7 and 8) --- */

/* Area of the triangle 0, a, b (offsets from its first corner), and its gradients there: 1/2 n x the edge opposite.
 * Their sum is zero. */
typedef struct bl_area {
    real value;
    bl_vec3 at_centre, at_a, at_b;
} bl_area;
BL_FN bl_area bl_triangle_area(bl_vec3 a, bl_vec3 b) {
    bl_area t = {BL_R(0), bl_v3_zero(), bl_v3_zero(), bl_v3_zero()};
    bl_vec3 c = bl_v3_cross(a, b);
    real length = bl_v3_norm(c), edges = bl_v3_norm2(a) + bl_v3_norm2(b);
    if (!(length > BL_R(1e-5) * edges)) return t; /* a needle has no direction */
    bl_vec3 n = bl_v3_scale(BL_R(0.5) / length, c);
    t.value = BL_R(0.5) * length;
    t.at_a = bl_v3_cross(b, n);
    t.at_b = bl_v3_cross(n, a);
    t.at_centre = bl_v3_scale(BL_R(-1), bl_v3_add(t.at_a, t.at_b));
    return t;
}
/* In 2D: length of the segment 0, a. */
BL_FN bl_area bl_segment_length(bl_vec3 a) {
    bl_area t = {bl_v3_norm(a), bl_v3_zero(), bl_v3_zero(), bl_v3_zero()};
    if (t.value > BL_R(0)) t.at_a = bl_v3_scale(BL_R(1) / t.value, a);
    t.at_centre = bl_v3_scale(BL_R(-1), t.at_a);
    return t;
}

/* --- distances (eqs. 9 and 10) --- */

/* Displacement of i by the distance constraint with a particle at offset d = p_i - p_j, as a factor of d. */
BL_FN real bl_apart(real r, real d0, real eps_d) {
    return r < d0 && r > BL_R(0) ? (d0 - r) / ((BL_R(2) + eps_d) * r) : BL_R(0);
}

/* --- filaments (section 5) --- */

/* Eigenvalues of a symmetric matrix xx xy xz yy yz zz: the largest and the second, by their characteristic polynomial.
 */
BL_FN void bl_largest_eigenvalues(const double a[6], double *first, double *second) {
    const double third_turn = 2.0943951023931953;
    double mean = (a[0] + a[3] + a[5]) / 3, x = a[0] - mean, y = a[3] - mean, z = a[5] - mean;
    double off = a[1] * a[1] + a[2] * a[2] + a[4] * a[4], p = sqrt((x * x + y * y + z * z + 2 * off) / 6);
    double det = x * (y * z - a[4] * a[4]) - a[1] * (a[1] * z - a[4] * a[2]) + a[2] * (a[1] * a[4] - y * a[2]);
    double cosine = p > 0 ? det / (2 * p * p * p) : 0, phi = acos(fmin(fmax(cosine, -1), 1)) / 3;
    *first = mean + 2 * p * cos(phi);
    double last = mean + 2 * p * cos(phi + third_turn);
    *second = 3 * mean - *first - last;
}

#endif
