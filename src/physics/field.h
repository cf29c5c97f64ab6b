/* The interface as a field: an energy of the smoothed amount of liquid, not of single particles.
 *
 *   a(x) = sum_p V0 W(x - x_p),  b(x) = sum_b V_b W(x - x_b)
 *   e(a) = R(a) |grad a| + B/(2 kappa) (R(a) - kappa |grad a|)^2
 *   E = gamma int [ (1 - cos(theta))/2 e(a) + (1 + cos(theta))/2 e(a + b) ] dx
 *
 * int e is an area. R |grad a| is a mean of the areas of the surfaces a = const; the square is cohesion: it is zero
 * where a rises as it does at a sharp edge, with the slope R(a)/kappa, and holds whatever differs from that. kappa
 * makes the area of that profile count 1; nothing is fitted. For B = 1 both are van der Waals' energy F(a) + kappa/2
 * |grad a|^2, F = R^2/(2 kappa). A flat surface is at rest by itself, nothing presses on it.
 *
 * With A the area of liquid in gas, S that of liquid on the wall and D that of the dry wall, liquid has the area A + S,
 * liquid and wall together have A + D: the sum is gamma (A - cos(theta) S) and a constant, Young's energy. Several
 * liquids have the area of each besides that of them all (bl_field_judge). docs/theory/field.md derives all of it.
 *
 * Integrals are sums over a lattice of nodes (schemes/unified/field.c). A node gives, with x = x_node - x_p,
 *   F_p = -dE/dx_p = gamma V0 vol { e_a grad W + (grad grad W) e_g },  e_a = de/da,  e_g = de/d(grad a);
 * on points of walls the same of a + b alone. */
#ifndef BL_PHYSICS_FIELD_H
#define BL_PHYSICS_FIELD_H

#include "physics/view.h"

/* R(c) = s sqrt(2 kappa (k0 + k1 s + k2 s^2 + k3 s^3)), s = c (1 - c): symmetric, as W is, without a kink where liquid
 * ends or is whole, 0 beyond. */
#define BL_FIELD_TERMS 4
typedef struct bl_field_law {
    real kappa;
    real cohesion; /* B */
    real blunt;    /* gradients below this, in 1/m, have no direction: |grad a| has no tip */
    real k[BL_FIELD_TERMS];
} bl_field_law;

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

/* e(a) and its derivatives. */
BL_FN bl_field_term bl_field_of(const bl_field_law *law, real a, bl_vec3 grad) {
    bl_field_term term;
    real slope, r = bl_field_rate(law, a, &slope);
    real q = bl_v3_norm2(grad), e = law->blunt * law->blunt, length = BL_SQRT(q + e),
         g = q / length; /* |grad|, no tip */
    real amiss = law->cohesion * (r - law->kappa * g);
    term.energy = r * g + BL_R(0.5) / (law->cohesion * law->kappa) * amiss * amiss;
    term.by_grad = bl_v3_scale((r - amiss) * (q + e + e) / (length * length * length), grad);
    term.by_a = (g + amiss / law->kappa) * slope;
    return term;
}

BL_FN bl_field_term bl_field_mix(bl_field_term s, real p, bl_field_term t, real q) {
    bl_field_term mix;
    mix.energy = p * s.energy + q * t.energy;
    mix.by_a = p * s.by_a + q * t.by_a;
    mix.by_grad = bl_v3_mad(bl_v3_scale(p, s.by_grad), q, t.by_grad);
    return mix;
}

/* The area of what has a, that of it and the wall together, that of the dry wall. */
typedef struct bl_field_areas {
    bl_field_term alone, both, bare;
} bl_field_areas;

BL_FN bl_field_areas bl_field_areas_of(const bl_field_law *law, real a, bl_vec3 grad_a, real b, bl_vec3 grad_b) {
    bl_field_areas s;
    s.alone = s.both = bl_field_of(law, a, grad_a);
    s.bare = bl_field_mix(s.alone, BL_R(0), s.alone, BL_R(0));
    if (b > BL_R(0)) {
        s.both = bl_field_of(law, a + b, bl_v3_add(grad_a, grad_b));
        s.bare = bl_field_of(law, b, grad_b);
    }
    return s;
}

/* Of one liquid, over a common gamma: its tension less `inner`; `inner`: its part of the energy of interfaces between
 * liquids; `repelled`: its energy on any wall. */
typedef struct bl_field_liquid {
    real outer, inner, repelled;
} bl_field_liquid;

/* What a node knows of each liquid and of walls; `wetting` is gamma cos(theta) of the walls there. */
typedef struct bl_field_node {
    int count;
    real a[BL_MAX_PHASES], b, wetting;
    bl_vec3 grad_a[BL_MAX_PHASES], grad_b;
} bl_field_node;

/* Energy at a node less that of dry walls, and its derivatives by what each liquid and walls have there. */
typedef struct bl_field_judged {
    real energy, a; /* a: of all liquids */
    bl_field_term liquid[BL_MAX_PHASES], wall;
} bl_field_judged;

/* E = int sum_i inner_i/2 [e(a_i) + e(a_i + b)] + outer/2 [e(a) + e(a + b)] + wetting/2 [e(a + b) - e(a)] dx,  a =
 * sum_i a_i, with the mean of outer_i and of wetting - repelled_i over the liquids that are there. Between i and j it
 * is inner_i + inner_j per area, at a free surface inner_i + outer_i, their tension; a wall costs repelled_i - wetting.
 */
BL_FN bl_field_judged bl_field_judge(const bl_field_law *law, const bl_field_liquid *liquids, const bl_field_node *n) {
    const real half = BL_R(0.5);
    bl_field_judged out;
    real outer = BL_R(0), repelled = BL_R(0);
    bl_vec3 grad = bl_v3_zero();
    out.a = BL_R(0);
    for (int i = 0; i < n->count; ++i) {
        out.a += n->a[i];
        grad = bl_v3_add(grad, n->grad_a[i]);
        outer += liquids[i].outer * n->a[i], repelled += liquids[i].repelled * n->a[i];
    }
    outer /= out.a, repelled /= out.a;
    const real wetting = n->wetting - repelled;
    const bl_field_areas all = bl_field_areas_of(law, out.a, grad, n->b, n->grad_b);
    const bl_field_term common = bl_field_mix(all.alone, half * (outer - wetting), all.both, half * (outer + wetting));
    const real free_area = all.alone.energy + all.both.energy - all.bare.energy;
    const real wet_area = all.alone.energy - all.both.energy + all.bare.energy;
    out.wall = bl_field_mix(all.both, half * (outer + wetting), all.bare, -half * (outer + wetting));
    out.energy = common.energy - half * (outer + wetting) * all.bare.energy;
    for (int i = 0; i < n->count; ++i) {
        out.liquid[i] = common;
        if (n->count == 1) break;
        out.liquid[i].by_a +=
            half / out.a * ((liquids[i].outer - outer) * free_area + (liquids[i].repelled - repelled) * wet_area);
        const real inner = half * liquids[i].inner;
        if (inner == BL_R(0)) continue;
        const bl_field_areas own = bl_field_areas_of(law, n->a[i], n->grad_a[i], n->b, n->grad_b);
        out.liquid[i] = bl_field_mix(out.liquid[i], BL_R(1), bl_field_mix(own.alone, inner, own.both, inner), BL_R(1));
        out.wall = bl_field_mix(out.wall, BL_R(1), bl_field_mix(own.both, inner, own.bare, -inner), BL_R(1));
        out.energy += inner * (own.alone.energy + own.both.energy - own.bare.energy);
    }
    return out;
}

#endif
