/* The sums of volume.h over fluid neighbours, for groups of particles of a single fluid. */
#ifndef BL_PHYSICS_GROUP_VOLUME_H
#define BL_PHYSICS_GROUP_VOLUME_H

#include "physics/groups.h"
#include "physics/volume.h"

/* bl_volume_moments: rho and, for the corrected constraint, mu. */
typedef struct bl_moments_loop {
    bl_walk walk;
    bl_group1 *sum;
    bl_group3 *m;
} bl_moments_loop;
BL_FN void bl_moments_add(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_moments_loop *w = loop;
    bl_group3 *m = &w->m[turn];
    real *sum = w->sum[turn].of;
    (void)k;
    BL_FOR_WIDTH(l) {
        bl_vec3 d = bl_group_get(&met->d, l);
        real v = bl_lean_w(w->walk.near, met->measure[l]);
        sum[l] += v;
        if (w->walk.corrected) m->x[l] += v * d.x, m->y[l] += v * d.y, m->z[l] += v * d.z;
    }
}
BL_FN void bl_group_add_moments(const bl_view *s, bl_slots at, int paired, int corrected, int periodic, bl_lean near,
                                const bl_group3 *xi, bl_group1 *sum, bl_group3 *m) {
    bl_moments_loop w = {{s, at, paired, periodic, corrected, near, near, xi, 1, s->x, 0}, sum, m};
    bl_walk_all(&w.walk, bl_moments_add, &w);
}
BL_FN void bl_group_moments(const bl_view *s, const bl_group *b, const bl_leans *k, int corrected, int periodic,
                            real *rho, bl_group3 *mu) {
    const bl_lean near = k->near;
    bl_group3 xi, m[BL_TURNS] = {{{0}, {0}, {0}}};
    bl_group1 sum[BL_TURNS] = {{{0}}};
    bl_group_load(b, s->x, &xi);
    bl_group_add_moments(s, b->near[0], 0, corrected, periodic, near, &xi, sum, m);
    bl_group_add_moments(s, b->near[1], 1, corrected, periodic, near, &xi, sum, m);
    bl_group_put1(near.w_scale, sum, rho);
    bl_group_put(near.w_scale, m, mu);
}

/* D_ij over g_scale (bl_volume_gradient): (b1 + an.x) W'/r x + an W. */
BL_FN bl_vec3 bl_group_gradient(bl_lean k, int corrected, bl_vec3 an, real b1, bl_reach x) {
    if (!corrected) return bl_v3_scale(b1 * bl_lean_slope(k, x), x.d);
    bl_lean_pair pair = bl_lean_both(k, x);
    real g = pair.slope * (b1 + bl_v3_dot(an, x.d)), w = pair.w;
    return bl_v3_make(g * x.d.x + w * an.x, g * x.d.y + w * an.y, g * x.d.z + w * an.z);
}

/* The constraint's own coefficients: a n and 1 - b. */
BL_FN void bl_group_load_constraint(const bl_view *s, const bl_group *b, real scale, bl_group3 *an, real *b1) {
    bl_group_load(b, s->g_a, an);
    bl_group_load1(b, s->g_b, b1);
    BL_FOR_WIDTH(l) an->x[l] *= scale, an->y[l] *= scale, an->z[l] *= scale, b1[l] *= scale;
}

/* sum_j D_ij and sum_j |D_ij|^2. What a group has of its own: positions, coefficients of the constraint. */
typedef struct bl_diagonal_group {
    bl_index first;
    bl_group3 x, an;
    real b1[BL_WIDTH];
} bl_diagonal_group;

typedef struct bl_diagonal_loop {
    bl_walk walk;
    const bl_diagonal_group *i;
    bl_group3 *f;
    bl_group1 *squares;
} bl_diagonal_loop;

BL_FN void bl_diagonal_add(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_diagonal_loop *w = loop;
    const bl_diagonal_group *i = w->i;
    bl_group3 *f = &w->f[turn];
    real *squares = w->squares[turn].of;
    bl_index who[BL_WIDTH];
    bl_slot_spread_index(w->walk.at, w->walk.paired, k, who);
    BL_FOR_WIDTH(l) {
        bl_reach x = bl_reach_of(w->walk.near, bl_group_get(&met->d, l), met->measure[l]);
        bl_vec3 d = bl_group_gradient(w->walk.near, w->walk.corrected, bl_group_get(&i->an, l), i->b1[l], x);
        /* the term with W does not vanish for the particle itself, which is no neighbour of its own */
        int own = who[l] == i->first + (bl_index)(l % BL_GROUP);
        if (w->walk.corrected) d = bl_v3_scale(own ? BL_R(0) : BL_R(1), d);
        f->x[l] += d.x, f->y[l] += d.y, f->z[l] += d.z;
        squares[l] += bl_v3_norm2(d);
    }
}
BL_FN void bl_group_add_diagonal(const bl_view *s, bl_slots at, int paired, int corrected, int periodic, bl_lean near,
                                 const bl_diagonal_group *i, bl_group3 *f, bl_group1 *squares) {
    bl_diagonal_loop w = {{s, at, paired, periodic, corrected, near, near, &i->x, 1, s->x, 0}, i, f, squares};
    bl_walk_all(&w.walk, bl_diagonal_add, &w);
}
BL_FN void bl_group_volume_diagonal(const bl_view *s, const bl_group *b, const bl_leans *k, int corrected, int periodic,
                                    bl_group3 *out, real *squares) {
    const bl_lean near = k->near;
    bl_diagonal_group i;
    bl_group3 f[BL_TURNS] = {{{0}, {0}, {0}}};
    bl_group1 sum[BL_TURNS] = {{{0}}};
    i.first = b->first;
    bl_group_load(b, s->x, &i.x);
    bl_group_load_constraint(s, b, near.g_scale, &i.an, i.b1);
    bl_group_add_diagonal(s, b->near[0], 0, corrected, periodic, near, &i, f, sum);
    bl_group_add_diagonal(s, b->near[1], 1, corrected, periodic, near, &i, f, sum);
    bl_group_put(BL_R(1), f, out);
    bl_group_put1(BL_R(1), sum, squares);
}

/* bl_pressure_force_of. */
typedef struct bl_pressure_loop {
    bl_walk walk;
    const bl_group3 *q;
    const real *c;
    bl_group3 *f;
    const bl_index *index; /* the list */
    size_t last;           /* where the last of the group's near neighbours is, from the first number of it on */
} bl_pressure_loop;

/* A pass over near neighbours alone has little to do for a group, so the next one's come too soon to be there by
 * themselves: they are fetched some steps ahead. */
enum { BL_FETCH_AHEAD = 16 };
BL_FN void bl_pressure_fetch(const bl_pressure_loop *w, size_t k) {
    const bl_view *s = w->walk.s;
    const size_t numbers = BL_ABREAST * (w->walk.paired ? 2 : 1);
    size_t ahead = k * numbers + BL_FETCH_AHEAD * (w->walk.paired ? 2 : 1), to = ahead < w->last ? ahead : w->last;
    for (size_t n = 0; n < numbers; ++n)
        __builtin_prefetch(&s->xt[w->index[to + n]]), __builtin_prefetch(&s->pqc[w->index[to + n]]);
}
BL_FN void bl_pressure_add(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_pressure_loop *w = loop;
    bl_group3 qj, *f = &w->f[turn];
    real cj[BL_WIDTH];
    bl_pressure_fetch(w, k);
    bl_slot_load4(w->walk.at, w->walk.paired, k, w->walk.s->pqc, &qj, cj);
    BL_FOR_WIDTH(l) {
        bl_reach x = bl_reach_of(w->walk.near, bl_group_get(&met->d, l), met->measure[l]);
        bl_vec3 d =
            bl_group_gradient(w->walk.near, w->walk.corrected, bl_group_difference(w->q, &qj, l), w->c[l] + cj[l], x);
        f->x[l] += d.x, f->y[l] += d.y, f->z[l] += d.z;
    }
}
BL_FN void bl_group_add_pressure(const bl_view *s, const bl_group *b, int paired, int corrected, int periodic,
                                 bl_lean near, const bl_group3 *xi, const bl_group3 *q, const real *c, bl_group3 *f) {
    const size_t both = b->near[0].count, pairs = 2 * b->near[1].count, numbers = paired ? pairs : both + pairs;
    const size_t step = BL_ABREAST * (paired ? 2 : 1), last = numbers > step ? numbers - step : 0;
    bl_pressure_loop w = {{s, b->near[paired], paired, periodic, corrected, near, near, xi, 0, NULL, 0},
                          q,
                          c,
                          f,
                          b->near[paired].index,
                          last};
    bl_walk_all(&w.walk, bl_pressure_add, &w);
}
BL_FN void bl_group_pressure(const bl_view *s, const bl_group *b, const bl_leans *k, int corrected, int periodic,
                             bl_group3 *out) {
    const bl_lean near = k->near;
    bl_group3 xi, q, f[BL_TURNS] = {{{0}, {0}, {0}}};
    real c[BL_WIDTH];
    bl_group_load(b, s->x, &xi);
    bl_group_load4(b, s->pqc, &q, c);
    bl_group_add_pressure(s, b, 0, corrected, periodic, near, &xi, &q, c, f);
    bl_group_add_pressure(s, b, 1, corrected, periodic, near, &xi, &q, c, f);
    bl_group_put(-s->par->v0 * near.g_scale, f, out);
}

#endif
