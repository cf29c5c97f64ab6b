/* The sums of volume.h over fluid neighbours, for groups of particles of a single fluid. */
#ifndef BL_PHYSICS_GROUP_VOLUME_H
#define BL_PHYSICS_GROUP_VOLUME_H

#include "physics/groups.h"
#include "physics/volume.h"

/* bl_volume_moments: rho and, for the corrected constraint, mu. */
BL_FN void bl_group_add_moments(const bl_view *s, bl_slots at, int paired, int corrected, int periodic, bl_lean near,
                                const bl_group3 *xi, real *sum, bl_group3 *m) {
    const bl_params *par = s->par;
    for (size_t k = 0; k < at.count; ++k) {
        bl_group3 xj;
        bl_slot_load(at, paired, k, s->x, &xj);
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, xi, l, &xj);
            real w = bl_lean_w(near, bl_lean_measure(bl_v3_norm2(d)));
            sum[l] += w;
            if (corrected) m->x[l] += w * d.x, m->y[l] += w * d.y, m->z[l] += w * d.z;
        }
    }
}
BL_FN void bl_group_moments(const bl_view *s, const bl_group *b, int corrected, int periodic, real *rho,
                            bl_group3 *mu) {
    bl_lean near = bl_lean_of(s->par->near, s->par->v0);
    bl_group3 xi, m = {{0}, {0}, {0}};
    real sum[BL_GROUP] = {0};
    bl_group_load(b, s->x, &xi);
    bl_group_add_moments(s, b->near[0], 0, corrected, periodic, near, &xi, sum, &m);
    bl_group_add_moments(s, b->near[1], 1, corrected, periodic, near, &xi, sum, &m);
    bl_group_put1(near.w_scale, sum, rho);
    bl_group_put(near.w_scale, &m, mu);
}

/* D_ij over g_scale (bl_volume_gradient): (b1 + an.x) W'/r x + an W. */
BL_FN bl_vec3 bl_group_gradient(bl_lean k, int corrected, bl_vec3 an, real b1, bl_reach x) {
    real g = bl_lean_slope(k, x);
    if (!corrected) return bl_v3_scale(b1 * g, x.d);
    real w = k.w_over_g * bl_lean_w(k, x.measure);
    g *= b1 + bl_v3_dot(an, x.d);
    return bl_v3_make(g * x.d.x + w * an.x, g * x.d.y + w * an.y, g * x.d.z + w * an.z);
}

/* The constraint's own coefficients: a n and 1 - b. */
BL_FN void bl_group_load_constraint(const bl_view *s, const bl_group *b, real scale, bl_group3 *an, real *b1) {
    bl_group_load(b, s->g_a, an);
    bl_group_load1(b, s->g_b, b1);
    bl_group_put(scale, an, an);
    bl_group_put1(scale, b1, b1);
}

/* What a group has of its own: positions, velocities, coefficients of the constraint. */
typedef struct bl_volume_group {
    bl_index first;
    bl_group3 x, v, an;
    real b1[BL_GROUP];
} bl_volume_group;

/* sum_j D_ij and sum_j |D_ij|^2. */
BL_FN void bl_group_add_diagonal(const bl_view *s, bl_slots at, int paired, int corrected, int periodic, bl_lean near,
                                 const bl_volume_group *i, bl_group3 *f, real *sum) {
    for (size_t k = 0; k < at.count; ++k) {
        bl_group3 xj;
        /* their lanes, if they are of the group */
        bl_index self[2] = {bl_slot_of(at, paired, k, 0) - i->first, bl_slot_of(at, paired, k, 1) - i->first};
        bl_slot_load(at, paired, k, s->x, &xj);
        BL_FOR_GROUP(l) {
            bl_reach x = bl_group_reach(s->par, periodic, near, &i->x, l, &xj);
            bl_vec3 d = bl_group_gradient(near, corrected, bl_group_get(&i->an, l), i->b1[l], x);
            /* the term with W does not vanish for the particle itself, which is no neighbour of its own */
            bl_index own = l < BL_GROUP / 2 ? self[0] : self[1];
            if (corrected) d = bl_v3_scale(own == (bl_index)l ? BL_R(0) : BL_R(1), d);
            f->x[l] += d.x, f->y[l] += d.y, f->z[l] += d.z;
            sum[l] += bl_v3_norm2(d);
        }
    }
}
BL_FN void bl_group_volume_diagonal(const bl_view *s, const bl_group *b, int corrected, int periodic, bl_group3 *out,
                                    real *squares) {
    bl_lean near = bl_lean_of(s->par->near, s->par->v0);
    bl_volume_group i;
    bl_group3 f = {{0}, {0}, {0}};
    real sum[BL_GROUP] = {0};
    i.first = b->first;
    bl_group_load(b, s->x, &i.x);
    bl_group_load_constraint(s, b, near.g_scale, &i.an, i.b1);
    bl_group_add_diagonal(s, b->near[0], 0, corrected, periodic, near, &i, &f, sum);
    bl_group_add_diagonal(s, b->near[1], 1, corrected, periodic, near, &i, &f, sum);
    bl_group_put(BL_R(1), &f, out);
    bl_group_put1(BL_R(1), sum, squares);
}

/* bl_pressure_force_of. */
typedef struct bl_pressure_loop {
    bl_walk walk;
    const bl_group3 *q;
    const real *c;
    bl_group3 *f;
    size_t last; /* where the last of the group's near neighbours is, from the first number of this list on */
} bl_pressure_loop;

/* A pass over near neighbours alone has little to do for a group, so the next one's come too soon to be there by
 * themselves: they are fetched some steps ahead. */
enum { BL_FETCH_AHEAD = 16 };
BL_FN void bl_pressure_fetch(const bl_pressure_loop *w, size_t k) {
    const bl_view *s = w->walk.s;
    size_t ahead = (k + BL_FETCH_AHEAD) * (w->walk.paired ? 2 : 1), to = ahead < w->last ? ahead : w->last;
    const bl_index *index = w->walk.at.index + to;
    __builtin_prefetch(&s->xt[index[0]]), __builtin_prefetch(&s->pqc[index[0]]);
    if (w->walk.paired) __builtin_prefetch(&s->xt[index[1]]), __builtin_prefetch(&s->pqc[index[1]]);
}
BL_FN void bl_pressure_add(const void *loop, size_t k, const bl_met *met) {
    const bl_pressure_loop *w = loop;
    bl_group3 qj, *f = w->f;
    real cj[BL_GROUP];
    bl_pressure_fetch(w, k);
    bl_slot_load4(w->walk.at, w->walk.paired, k, w->walk.s->pqc, &qj, cj);
    BL_FOR_GROUP(l) {
        bl_reach x = bl_reach_of(w->walk.near, bl_group_get(&met->d, l), met->measure[l]);
        bl_vec3 d =
            bl_group_gradient(w->walk.near, w->walk.corrected, bl_group_difference(w->q, &qj, l), w->c[l] + cj[l], x);
        f->x[l] += d.x, f->y[l] += d.y, f->z[l] += d.z;
    }
}
BL_FN void bl_group_add_pressure(const bl_view *s, const bl_group *b, int paired, int corrected, int periodic,
                                 bl_lean near, const bl_group3 *xi, const bl_group3 *q, const real *c, bl_group3 *f) {
    const size_t both = b->near[0].count, pairs = 2 * b->near[1].count, last = paired ? pairs - 2 : both + pairs - 1;
    bl_pressure_loop w = {{s, b->near[paired], paired, periodic, corrected, near, near, xi}, q, c, f, last};
    bl_walk_all(&w.walk, bl_pressure_add, &w);
}
BL_FN void bl_group_pressure(const bl_view *s, const bl_group *b, int corrected, int periodic, bl_group3 *out) {
    bl_lean near = bl_lean_of(s->par->near, s->par->v0);
    bl_group3 xi, q, f = {{0}, {0}, {0}};
    real c[BL_GROUP];
    bl_group_load(b, s->x, &xi);
    bl_group_load4(b, s->pqc, &q, c);
    bl_group_add_pressure(s, b, 0, corrected, periodic, near, &xi, &q, c, &f);
    bl_group_add_pressure(s, b, 1, corrected, periodic, near, &xi, &q, c, &f);
    bl_group_put(-s->par->v0 * near.g_scale, &f, out);
}

/* D_ij.u over g_scale: bl_group_gradient, cheaper where only that is wanted. */
BL_FN real bl_group_along(bl_lean k, int corrected, bl_vec3 an, real b1, bl_reach x, bl_vec3 u) {
    real g = bl_lean_slope(k, x);
    if (!corrected) return b1 * g * bl_v3_dot(x.d, u);
    real w = k.w_over_g * bl_lean_w(k, x.measure);
    return (b1 + bl_v3_dot(an, x.d)) * g * bl_v3_dot(x.d, u) + w * bl_v3_dot(an, u);
}

#endif
