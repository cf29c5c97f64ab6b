/* The interface as a field: an energy of the smoothed amount of liquid, not of single particles.
 *
 *   a(x) = sum_p V0 W(x - x_p)/whole,  b(x) = sum_b V_b W(x - x_b),  u = 1 - b,  c = a/u
 *   E = gamma { int u^2 [F(c) + kappa/2 |grad c|^2] dx - cos(theta) int g(c) 2 u |grad b| dx },  g' ~ sqrt(2 kappa F)
 *
 * The first integral is van der Waals' energy of an interface. F is what makes the profile that W gives to a sharp edge
 * of the liquid its stationary state: along the normal a flat surface is at rest by itself, nothing presses on it, and
 * what disturbs it costs. kappa makes the energy of that profile gamma per area; nothing is fitted. Where there are
 * walls only the room outside of them counts, u^2; the second integral is what wetting them gains. A flat surface that
 * meets a flat wall at theta is at rest with any u. docs/theory/field.md derives all of it.
 *
 * Integrals are sums over a lattice of nodes (schemes/unified/field.c). A node gives, with x = x_node - x_p,
 *   F_p = -dE/dx_p = gamma V0 vol { e_a grad W + (grad grad W) e_g },  e_a = de/da,  e_g = de/d(grad a). */
#ifndef BL_PHYSICS_FIELD_H
#define BL_PHYSICS_FIELD_H

#include "physics/kernel.h"

/* F(c) = s^2 (k0 + k1 s + k2 s^2 + k3 s^3), s = c (1 - c): symmetric, as W is, and without a kink where liquid ends or
 * is whole, which nodes would see; 0 beyond. */
#define BL_FIELD_TERMS 4
/* g'(c) = s (m0 + m1 s + m2 s^2), whose integral over [0, 1] is 1 */
#define BL_FIELD_WET_TERMS 3

typedef struct bl_field_law {
    real kappa;
    real k[BL_FIELD_TERMS], m[BL_FIELD_WET_TERMS];
    real whole; /* a of a packing that counts as without gaps */
    real open;  /* least u of a node that counts */
} bl_field_law;

/* What a node knows of the liquid and of walls; `cosine` of what wall there is. */
typedef struct bl_field_node {
    real a, b, cosine;
    bl_vec3 grad_a, grad_b;
} bl_field_node;

/* Energy density over gamma, and its derivatives. */
typedef struct bl_field_term {
    real energy, by_a;
    bl_vec3 by_grad;
} bl_field_term;

/* F and F' */
BL_FN real bl_field_bulk(const bl_field_law *law, real c, real *slope) {
    real s = bl_max(c * (BL_R(1) - c), BL_R(0));
    real sum = law->k[0] + s * (law->k[1] + s * (law->k[2] + s * law->k[3]));
    real steep = BL_R(2) * law->k[0] + s * (BL_R(3) * law->k[1] + s * (BL_R(4) * law->k[2] + s * BL_R(5) * law->k[3]));
    *slope = s * steep * (BL_R(1) - c - c);
    return s * s * sum;
}

/* g and g' */
BL_FN real bl_field_wet(const bl_field_law *law, real c, real *slope) {
    c = bl_min(bl_max(c, BL_R(0)), BL_R(1));
    real s = c * (BL_R(1) - c), c2 = c * c, c3 = c2 * c;
    *slope = s * (law->m[0] + s * (law->m[1] + s * law->m[2]));
    real first = c2 * (BL_R(1.0 / 2) - c * BL_R(1.0 / 3));
    real second = c3 * (BL_R(1.0 / 3) - c * (BL_R(1.0 / 2) - c * BL_R(1.0 / 5)));
    real third = c3 * c * (BL_R(1.0 / 4) - c * (BL_R(3.0 / 5) - c * (BL_R(1.0 / 2) - c * BL_R(1.0 / 7))));
    return law->m[0] * first + law->m[1] * second + law->m[2] * third;
}

BL_FN bl_field_term bl_field_of(const bl_field_law *law, bl_field_node n) {
    bl_field_term term;
    real u = BL_R(1) - n.b;
    term.energy = term.by_a = BL_R(0);
    term.by_grad = bl_v3_zero();
    if (n.a <= BL_R(0) || u <= law->open) return term;
    real c = n.a / u, f_slope, f = bl_field_bulk(law, c, &f_slope);
    bl_vec3 ug = bl_v3_mad(n.grad_a, c, n.grad_b); /* u grad c */
    term.energy = u * u * f + BL_R(0.5) * law->kappa * bl_v3_norm2(ug);
    term.by_a = u * f_slope + law->kappa * bl_v3_dot(ug, n.grad_b) / u;
    term.by_grad = bl_v3_scale(law->kappa, ug);
    if (n.cosine != BL_R(0)) {
        real wet_slope, wet = bl_field_wet(law, c, &wet_slope);
        real gain = BL_R(2) * n.cosine * bl_v3_norm(n.grad_b);
        term.energy -= gain * u * wet;
        term.by_a -= gain * wet_slope;
    }
    return term;
}

#endif
