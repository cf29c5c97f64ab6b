/* Sums over fluid neighbours that serve volume.h and tension.h at once, for groups of particles of a single fluid: a
 * near pair is measured once for both. */
#ifndef BL_PHYSICS_GROUP_SOLVER_H
#define BL_PHYSICS_GROUP_SOLVER_H

#include "physics/group_tension.h"
#include "physics/group_volume.h"

/* --- residuals: bl_tension_fluid and bl_volume_rate_fluid --- */

/* What a group has of its own. */
typedef struct bl_residual_group {
    bl_group3 x, v, an;
    real t[BL_GROUP], b1[BL_GROUP];
} bl_residual_group;

typedef struct bl_residual_loop {
    bl_walk walk;
    const bl_residual_group *i;
    real *sum;
    bl_group3 *f;
} bl_residual_loop;

BL_FN void bl_residual_add(const void *loop, size_t k, const bl_met *met) {
    const bl_residual_loop *w = loop;
    const bl_residual_group *i = w->i;
    bl_group3 vj, *f = w->f;
    bl_slot_load(w->walk.at, w->walk.paired, k, w->walk.s->v_next, &vj);
    BL_FOR_GROUP(l) {
        bl_reach x = bl_reach_of(w->walk.near, bl_group_get(&met->d, l), met->measure[l]);
        real g = (i->t[l] + met->t[l]) * bl_lean_slope(w->walk.far, x);
        bl_vec3 v = bl_group_difference(&i->v, &vj, l);
        f->x[l] += g * x.d.x, f->y[l] += g * x.d.y, f->z[l] += g * x.d.z;
        w->sum[l] += bl_group_along(w->walk.near, w->walk.corrected, bl_group_get(&i->an, l), i->b1[l], x, v);
    }
}
BL_FN void bl_group_add_residuals(const bl_view *s, bl_slots at, int paired, int corrected, int periodic, bl_lean near,
                                  bl_lean far, const bl_residual_group *i, real *sum, bl_group3 *f) {
    bl_residual_loop w = {{s, at, paired, periodic, corrected, near, far, &i->x}, i, sum, f};
    bl_walk_all(&w.walk, bl_residual_add, &w);
}
BL_FN void bl_group_residuals(const bl_view *s, const bl_group *b, int corrected, int periodic, real *rate,
                              bl_group3 *tension) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0), far = bl_lean_of(par->far, par->v0);
    bl_residual_group i;
    bl_group3 f = {{0}, {0}, {0}};
    real sum[BL_GROUP] = {0};
    bl_group_load4(b, s->xt, &i.x, i.t);
    bl_group_load(b, s->v_next, &i.v);
    bl_group_load_constraint(s, b, near.g_scale, &i.an, i.b1);
    bl_group_add_residuals(s, b->near[0], 0, corrected, periodic, near, far, &i, sum, &f);
    bl_group_add_residuals(s, b->near[1], 1, corrected, periodic, near, far, &i, sum, &f);
    bl_group_add_far_tension(s, b->far[0], 0, periodic, far, &i.x, i.t, &f);
    bl_group_add_far_tension(s, b->far[1], 1, periodic, far, &i.x, i.t, &f);
    bl_group_put1(BL_R(1), sum, rate);
    bl_group_put(far.g_scale, &f, tension);
}

/* --- virials: half of sum x_ij.F_ij, of the pressure forces (bl_pressure_force_of) and of the tension --- */

/* D_ij.x_ij over g_scale: bl_group_along needs no division there. */
BL_FN real bl_group_outward(bl_lean k, int corrected, bl_vec3 an, real b1, bl_vec3 d, real measure) {
    real g = bl_lean_outward(k, measure);
    if (!corrected) return b1 * g;
    real along = bl_v3_dot(an, d);
    return (b1 + along) * g + k.w_over_g * bl_lean_w(k, measure) * along;
}

typedef struct bl_virial_group {
    bl_group3 x, q;
    real t[BL_GROUP], c[BL_GROUP];
} bl_virial_group;

typedef struct bl_virial_loop {
    bl_walk walk;
    const bl_virial_group *i;
    real *sum_p, *sum_t;
} bl_virial_loop;

BL_FN void bl_virial_add_near(const void *loop, size_t k, const bl_met *met) {
    const bl_virial_loop *w = loop;
    const bl_virial_group *i = w->i;
    bl_group3 qj;
    real cj[BL_GROUP];
    bl_slot_load4(w->walk.at, w->walk.paired, k, w->walk.s->pqc, &qj, cj);
    BL_FOR_GROUP(l) {
        bl_vec3 dq = bl_group_difference(&i->q, &qj, l);
        real measure = met->measure[l];
        w->sum_p[l] +=
            bl_group_outward(w->walk.near, w->walk.corrected, dq, i->c[l] + cj[l], bl_group_get(&met->d, l), measure);
        w->sum_t[l] += (i->t[l] + met->t[l]) * bl_lean_outward(w->walk.far, measure);
    }
}
BL_FN void bl_virial_add_far(const void *loop, size_t k, const bl_met *met) {
    const bl_virial_loop *w = loop;
    (void)k;
    BL_FOR_GROUP(l) { w->sum_t[l] += (w->i->t[l] + met->t[l]) * bl_lean_tail_outward(w->walk.far, met->measure[l]); }
}
BL_FN void bl_group_add_near_virials(const bl_view *s, bl_slots at, int paired, int corrected, int periodic,
                                     bl_lean near, bl_lean far, const bl_virial_group *i, real *sum_p, real *sum_t) {
    bl_virial_loop w = {{s, at, paired, periodic, corrected, near, far, &i->x}, i, sum_p, sum_t};
    bl_walk_all(&w.walk, bl_virial_add_near, &w);
}
BL_FN void bl_group_add_far_virials(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                    const bl_virial_group *i, real *sum_t) {
    bl_virial_loop w = {{s, at, paired, periodic, 0, far, far, &i->x}, i, NULL, sum_t};
    bl_walk_all(&w.walk, bl_virial_add_far, &w);
}
BL_FN void bl_group_virials(const bl_view *s, const bl_group *b, int corrected, int periodic, real *pressure,
                            real *tension) {
    const bl_params *par = s->par;
    bl_lean near = bl_lean_of(par->near, par->v0), far = bl_lean_of(par->far, par->v0);
    bl_virial_group i;
    real sum_p[BL_GROUP] = {0}, sum_t[BL_GROUP] = {0};
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
