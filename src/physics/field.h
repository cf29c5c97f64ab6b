/* The interface as a field: an energy of the smoothed amount of liquid, not of single particles.
 *
 *   a(x) = sum_p V0 W(x - x_p)/whole,  b(x) = sum_b V_b W(x - x_b),  u = 1 - b,  c = a/u
 *   E = gamma { int [r g + B/(2 kappa) (r - kappa g)^2] dx - cos(theta) int w(c) 2 u |grad b| dx },
 *   r = u R(c),  g = u |grad c|,  w' ~ R
 *
 * r g without walls is R(a) |grad a|, whose integral is a mean of the areas of the surfaces a = const: the tension. The
 * square is cohesion: it is zero where a rises as it does at a sharp edge of liquid, with the slope R(a)/kappa, and
 * holds whatever differs from that. kappa makes the area of that profile count gamma; nothing is fitted. For B = 1 both
 * are van der Waals' energy F(a) + kappa/2 |grad a|^2, F = R^2/(2 kappa). A flat surface is at rest by itself, nothing
 * presses on it. Where there are walls only the room outside of them counts; the second integral is what wetting them
 * gains. A flat surface that meets a flat wall at theta is at rest with any u. docs/theory/field.md derives all of it.
 *
 * Integrals are sums over a lattice of nodes (schemes/unified/field.c). A node gives, with x = x_node - x_p,
 *   F_p = -dE/dx_p = gamma V0 vol { e_a grad W + (grad grad W) e_g },  e_a = de/da,  e_g = de/d(grad a). */
#ifndef BL_PHYSICS_FIELD_H
#define BL_PHYSICS_FIELD_H

#include "physics/kernel.h"

/* R(c) = s sqrt(2 kappa (k0 + k1 s + k2 s^2 + k3 s^3)), s = c (1 - c): symmetric, as W is, without a kink where liquid
 * ends or is whole, 0 beyond. */
#define BL_FIELD_TERMS 4
/* w'(c) = s (m0 + m1 s + m2 s^2), whose integral over [0, 1] is 1 */
#define BL_FIELD_WET_TERMS 3

typedef struct bl_field_law {
    real kappa;
    real cohesion; /* B */
    real blunt;    /* gradients below this, in 1/m, have no direction: |grad a| has no tip */
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

/* R and R' */
BL_FN real bl_field_rate(const bl_field_law *law, real c, real *slope) {
    real s = bl_max(c * (BL_R(1) - c), BL_R(0));
    real sum = bl_max(law->k[0] + s * (law->k[1] + s * (law->k[2] + s * law->k[3])), BL_R(0.01) * law->k[0]);
    real steep = law->k[1] + s * (BL_R(2) * law->k[2] + s * BL_R(3) * law->k[3]);
    real root = BL_SQRT(BL_R(2) * law->kappa * sum);
    *slope = s > BL_R(0) ? (BL_R(1) - c - c) * (root + s * law->kappa * steep / root) : BL_R(0);
    return s * root;
}

/* w and w' */
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
    real c = n.a / u, slope, r = u * bl_field_rate(law, c, &slope);
    bl_vec3 ug = bl_v3_mad(n.grad_a, c, n.grad_b);                                                  /* u grad c */
    real q = bl_v3_norm2(ug), e = law->blunt * law->blunt, length = BL_SQRT(q + e), g = q / length; /* |ug|, no tip */
    real amiss = law->cohesion * (r - law->kappa * g);
    term.energy = r * g + BL_R(0.5) / (law->cohesion * law->kappa) * amiss * amiss;
    term.by_grad = bl_v3_scale((r - amiss) * (q + e + e) / (length * length * length), ug);
    term.by_a = (g + amiss / law->kappa) * slope + bl_v3_dot(term.by_grad, n.grad_b) / u;
    if (n.cosine != BL_R(0)) {
        real wet_slope, wet = bl_field_wet(law, c, &wet_slope);
        real gain = BL_R(2) * n.cosine * bl_v3_norm(n.grad_b);
        term.energy -= gain * u * wet;
        term.by_a -= gain * wet_slope;
    }
    return term;
}

#endif
