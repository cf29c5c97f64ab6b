/* Energy of a piece of surface that the flow carries along, and its first two derivatives (section 5 of Hyde et al.
 * 2020, with the table of eigenpairs as corrected in docs/theory/hyde2020.md).
 *
 * A piece has the area |dA| and the unit normal N before the step. With w0, w1 orthonormal in its plane, w0 x w1 = N,
 * and F the gradient of the motion over the step, f_a = F w_a span it afterwards: its area is |dA| |f0 x f1| and its
 * energy k |dA| |f0 x f1|. Stress and stiffness never need F itself: they are P = p0 (x) w0 + p1 (x) w1, and what H
 * makes of a change dF likewise, from u_a = dF w_a. In two dimensions w1 = f1 = e_z, and nothing changes along it. */
#ifndef BL_PHYSICS_SURFACE_ENERGY_H
#define BL_PHYSICS_SURFACE_ENERGY_H

#include "base/vec3.h"

/* A vector for each direction of the plane. */
typedef struct bl_pair3 {
    bl_vec3 a0, a1;
} bl_pair3;

/* Two directions with w0 x w1 = N. In two dimensions w1 = e_z. */
static inline bl_pair3 bl_surface_plane(bl_vec3 n, int flat) {
    bl_pair3 w;
    if (flat) {
        w.a0 = bl_v3_make(-n.y, n.x, 0);
        w.a1 = bl_v3_make(0, 0, 1);
        return w;
    }
    /* the axis that lies least along N */
    const real x = BL_FABS(n.x), y = BL_FABS(n.y), z = BL_FABS(n.z);
    const bl_vec3 axis = x <= y && x <= z ? bl_v3_make(1, 0, 0) : y <= z ? bl_v3_make(0, 1, 0) : bl_v3_make(0, 0, 1);
    w.a0 = bl_v3_cross(axis, n);
    w.a0 = bl_v3_scale(1 / bl_v3_norm(w.a0), w.a0);
    w.a1 = bl_v3_cross(n, w.a0);
    return w;
}

/* Area after the step over that before. */
static inline real bl_surface_stretch(bl_pair3 f) { return bl_v3_norm(bl_v3_cross(f.a0, f.a1)); }

/* P = k |dA| [(f1 x n) (x) w0 + (n x f0) (x) w1]; `energy` is k |dA|. */
static inline bl_pair3 bl_surface_stress(real energy, bl_pair3 f) {
    const bl_vec3 a = bl_v3_cross(f.a0, f.a1);
    const bl_vec3 n = bl_v3_scale(1 / bl_v3_norm(a), a);
    bl_pair3 p;
    p.a0 = bl_v3_scale(energy, bl_v3_cross(f.a1, n));
    p.a1 = bl_v3_scale(energy, bl_v3_cross(n, f.a0));
    return p;
}

/* What stiffness needs of a piece, once for all directions: n, e0, e1 of the deformed plane and c_ab = f_a.f_b over
 * its area. */
typedef struct bl_surface_frame {
    bl_vec3 n, e0, e1;
    real c00, c01, c11;
} bl_surface_frame;

static inline bl_surface_frame bl_surface_frame_of(bl_pair3 f) {
    const bl_vec3 a = bl_v3_cross(f.a0, f.a1);
    const real inv_area = 1 / bl_v3_norm(a);
    bl_surface_frame s;
    s.n = bl_v3_scale(inv_area, a);
    s.e0 = bl_v3_scale(1 / bl_v3_norm(f.a0), f.a0);
    s.e1 = bl_v3_cross(s.n, s.e0);
    s.c00 = inv_area * bl_v3_dot(f.a0, f.a0);
    s.c01 = inv_area * bl_v3_dot(f.a0, f.a1);
    s.c11 = inv_area * bl_v3_dot(f.a1, f.a1);
    return s;
}

/* Both parts of H : dF, in the order below. */
typedef enum bl_surface_part { BL_SURFACE_CONVEX, BL_SURFACE_CONCAVE } bl_surface_part;

/* H is the sum of both. The convex part has the eigenvalues that are not negative: bending, out of the plane, and half
 * of what changes within it. In two dimensions it is all there is, and nothing happens within the plane.
 *   convex   k|dA| {n (x) [(c11 al0 - c01 al1) w0 + (c00 al1 - c01 al0) w1] + q+ (e0 (x) w0 + e1 (x) w1)
 *                   + q- (e0 (x) w1 - e1 (x) w0)}
 *   concave -k|dA| {r+ (e0 (x) w0 - e1 (x) w1) + r- (e0 (x) w1 + e1 (x) w0)} */
static inline bl_pair3 bl_surface_stiffness(real energy, const bl_surface_frame *s, bl_pair3 u, bl_surface_part part,
                                            int flat) {
    const real p00 = bl_v3_dot(s->e0, u.a0), p01 = bl_v3_dot(s->e0, u.a1);
    const real p10 = bl_v3_dot(s->e1, u.a0), p11 = bl_v3_dot(s->e1, u.a1);
    const real half = flat ? BL_R(0) : BL_R(0.5) * energy;
    bl_pair3 r;
    if (part == BL_SURFACE_CONVEX) {
        const real al0 = bl_v3_dot(s->n, u.a0), al1 = bl_v3_dot(s->n, u.a1);
        const real q0 = half * (p00 + p11), q1 = half * (p01 - p10);
        r.a0 = bl_v3_scale(energy * (s->c11 * al0 - s->c01 * al1), s->n);
        r.a1 = bl_v3_scale(energy * (s->c00 * al1 - s->c01 * al0), s->n);
        r.a0 = bl_v3_mad(bl_v3_mad(r.a0, q0, s->e0), -q1, s->e1);
        r.a1 = bl_v3_mad(bl_v3_mad(r.a1, q0, s->e1), q1, s->e0);
    } else {
        const real q0 = half * (p11 - p00), q1 = -half * (p01 + p10);
        r.a0 = bl_v3_mad(bl_v3_scale(q0, s->e0), q1, s->e1);
        r.a1 = bl_v3_mad(bl_v3_scale(q1, s->e0), -q0, s->e1);
    }
    return r;
}

#endif
