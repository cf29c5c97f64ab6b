/* Sums over fluid neighbours that serve volume.h and tension.h at once, for groups of particles of a single fluid: a
 * near pair is measured once for both. */
#ifndef BL_PHYSICS_GROUP_SOLVER_H
#define BL_PHYSICS_GROUP_SOLVER_H

#include "physics/group_tension.h"
#include "physics/group_volume.h"

/* --- residuals: bl_tension_fluid and bl_volume_rate_fluid --- */

/* What a group has of its own. */
typedef struct bl_residual_group {
    bl_group3 x, v;
    real t[BL_WIDTH];
} bl_residual_group;

/* Sums, with g = W'/r and u_ij the difference of velocities: the tension, sum_j g (x.u) and, for the corrected
 * constraint, the vector sum_j g (x.u) x + W u. The rate of the volume, sum_j D_ij.u, is (1 - b) times the scalar and
 * a n times the vector. */
typedef struct bl_residual_sums {
    bl_group3 tension[BL_TURNS], turned[BL_TURNS];
    bl_group1 along[BL_TURNS];
} bl_residual_sums;

typedef struct bl_residual_loop {
    bl_walk walk;
    const bl_residual_group *i;
    bl_residual_sums *sums;
} bl_residual_loop;

BL_FN void bl_residual_add(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_residual_loop *w = loop;
    const bl_residual_group *i = w->i;
    bl_group3 vj, *f = &w->sums->tension[turn], *m = &w->sums->turned[turn];
    real *along = w->sums->along[turn].of;
    bl_slot_load(w->walk.at, w->walk.paired, k, w->walk.s->v_next, &vj);
    BL_FOR_WIDTH(l) {
        bl_reach x = bl_reach_of(w->walk.near, bl_group_get(&met->d, l), met->measure[l]);
        real g = (i->t[l] + met->t[l]) * bl_lean_slope(w->walk.far, x);
        bl_vec3 u = bl_group_difference(&i->v, &vj, l);
        f->x[l] += g * x.d.x, f->y[l] += g * x.d.y, f->z[l] += g * x.d.z;
        if (w->walk.corrected) {
            bl_lean_pair pair = bl_lean_both(w->walk.near, x);
            real e = pair.slope * bl_v3_dot(x.d, u);
            along[l] += e;
            m->x[l] += e * x.d.x + pair.w * u.x, m->y[l] += e * x.d.y + pair.w * u.y;
            m->z[l] += e * x.d.z + pair.w * u.z;
        } else {
            along[l] += bl_lean_slope(w->walk.near, x) * bl_v3_dot(x.d, u);
        }
    }
}
BL_FN void bl_group_add_residuals(const bl_view *s, bl_slots at, int paired, int corrected, int periodic, bl_lean near,
                                  bl_lean far, const bl_residual_group *i, bl_residual_sums *sums) {
    bl_residual_loop w = {{s, at, paired, periodic, corrected, near, far, &i->x, 0, NULL, 0}, i, sums};
    bl_walk_all(&w.walk, bl_residual_add, &w);
}
BL_FN void bl_group_residuals(const bl_view *s, const bl_group *b, const bl_leans *k, int corrected, int periodic,
                              real *rate, bl_group3 *tension) {
    const bl_lean near = k->near, far = k->far;
    bl_residual_group i;
    bl_residual_sums sums = {{{{0}, {0}, {0}}}, {{{0}, {0}, {0}}}, {{{0}}}};
    bl_group3 an, turned;
    real b1[BL_WIDTH];
    bl_group_load4(b, s->xt, &i.x, i.t);
    bl_group_load(b, s->v_next, &i.v);
    bl_group_add_residuals(s, b->near[0], 0, corrected, periodic, near, far, &i, &sums);
    bl_group_add_residuals(s, b->near[1], 1, corrected, periodic, near, far, &i, &sums);
    bl_group_add_far_tension(s, b->far[0], 0, periodic, far, &i.x, i.t, sums.tension);
    bl_group_add_far_tension(s, b->far[1], 1, periodic, far, &i.x, i.t, sums.tension);
    bl_group_put(far.g_scale, sums.tension, tension);
    bl_group_put1(near.g_scale, sums.along, rate);
    bl_group_load1(b, s->g_b, b1);
    BL_FOR_GROUP(l) rate[l] *= b1[l];
    if (!corrected) return;
    bl_group_load(b, s->g_a, &an);
    bl_group_put(near.g_scale, sums.turned, &turned);
    BL_FOR_GROUP(l) rate[l] += bl_v3_dot(bl_group_get(&an, l), bl_group_get(&turned, l));
}

/* --- virials: half of sum x_ij.F_ij, of the pressure forces (bl_pressure_force_of) and of the tension --- */

/* D_ij.x_ij over g_scale. */
BL_FN real bl_group_outward(bl_lean k, int corrected, bl_vec3 an, real b1, bl_vec3 d, real measure) {
    if (!corrected) return b1 * bl_lean_outward(k, measure);
    bl_lean_pair pair = bl_lean_outward_both(k, measure);
    real along = bl_v3_dot(an, d);
    return (b1 + along) * pair.slope + pair.w * along;
}

typedef struct bl_virial_group {
    bl_group3 x, q;
    real t[BL_WIDTH], c[BL_WIDTH];
} bl_virial_group;

typedef struct bl_virial_loop {
    bl_walk walk;
    const bl_virial_group *i;
    bl_group1 *sum_p, *sum_t;
} bl_virial_loop;

BL_FN void bl_virial_add_near(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_virial_loop *w = loop;
    const bl_virial_group *i = w->i;
    bl_group3 qj;
    real cj[BL_WIDTH], *sum_p = w->sum_p[turn].of, *sum_t = w->sum_t[turn].of;
    bl_slot_load4(w->walk.at, w->walk.paired, k, w->walk.s->pqc, &qj, cj);
    BL_FOR_WIDTH(l) {
        bl_vec3 dq = bl_group_difference(&i->q, &qj, l);
        real measure = met->measure[l];
        sum_p[l] +=
            bl_group_outward(w->walk.near, w->walk.corrected, dq, i->c[l] + cj[l], bl_group_get(&met->d, l), measure);
        sum_t[l] += (i->t[l] + met->t[l]) * bl_lean_outward(w->walk.far, measure);
    }
}
BL_FN void bl_virial_add_far(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_virial_loop *w = loop;
    real *sum_t = w->sum_t[turn].of;
    (void)k;
    BL_FOR_WIDTH(l) { sum_t[l] += (w->i->t[l] + met->t[l]) * bl_lean_tail_outward(w->walk.far, met->measure[l]); }
}
BL_FN void bl_group_add_near_virials(const bl_view *s, bl_slots at, int paired, int corrected, int periodic,
                                     bl_lean near, bl_lean far, const bl_virial_group *i, bl_group1 *sum_p,
                                     bl_group1 *sum_t) {
    bl_virial_loop w = {{s, at, paired, periodic, corrected, near, far, &i->x, 0, NULL, 0}, i, sum_p, sum_t};
    bl_walk_all(&w.walk, bl_virial_add_near, &w);
}
BL_FN void bl_group_add_far_virials(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                    const bl_virial_group *i, bl_group1 *sum_t) {
    bl_virial_loop w = {{s, at, paired, periodic, 0, far, far, &i->x, 0, NULL, 0}, i, NULL, sum_t};
    bl_walk_all(&w.walk, bl_virial_add_far, &w);
}
BL_FN void bl_group_virials(const bl_view *s, const bl_group *b, const bl_leans *k, int corrected, int periodic,
                            real *pressure, real *tension) {
    const bl_params *par = s->par;
    const bl_lean near = k->near, far = k->far;
    bl_virial_group i;
    bl_group1 sum_p[BL_TURNS] = {{{0}}}, sum_t[BL_TURNS] = {{{0}}};
    bl_group_load4(b, s->xt, &i.x, i.t);
    bl_group_load4(b, s->pqc, &i.q, i.c);
    bl_group_add_near_virials(s, b->near[0], 0, corrected, periodic, near, far, &i, sum_p, sum_t);
    bl_group_add_near_virials(s, b->near[1], 1, corrected, periodic, near, far, &i, sum_p, sum_t);
    bl_group_add_far_virials(s, b->far[0], 0, periodic, far, &i, sum_t);
    bl_group_add_far_virials(s, b->far[1], 1, periodic, far, &i, sum_t);
    bl_group_put1(BL_R(-0.5) * par->v0 * near.g_scale, sum_p, pressure);
    bl_group_put1(BL_R(0.5) * far.g_scale, sum_t, tension);
}

#endif
