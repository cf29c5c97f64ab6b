/* The sums of viscosity.h over fluid neighbours, for groups of particles of a single fluid. */
#ifndef BL_PHYSICS_GROUP_VISCOSITY_H
#define BL_PHYSICS_GROUP_VISCOSITY_H

#include "physics/groups.h"
#include "physics/viscosity.h"

/* Coefficient of a viscous pair over its constant factors, -W'/(r (r^2 + 0.01 h^2)), */
BL_FN real bl_group_viscous_pair(const bl_params *par, bl_lean far, real measure) {
    return -bl_lean_viscous(far, measure, BL_R(0.01) * par->h * par->h);
}
/* ... and these. */
BL_FN real bl_group_viscous_scale(const bl_view *s, bl_lean far) {
    return BL_R(2) * ((real)s->par->dimension + BL_R(2)) * s->fluids[0].viscosity * s->par->v0 * far.g_scale;
}

/* Parts of the sums below, over some neighbours. */
typedef struct bl_viscous_loop {
    bl_walk walk;
    const bl_vec3 *v; /* of neighbours, and of the group: */
    const bl_group3 *vi;
    bl_group3 *f;
} bl_viscous_loop;
BL_FN void bl_viscous_add_force(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_viscous_loop *w = loop;
    bl_group3 vj, *f = &w->f[turn];
    bl_slot_load(w->walk.at, w->walk.paired, k, w->v, &vj);
    BL_FOR_WIDTH(l) {
        bl_vec3 d = bl_group_get(&met->d, l), u = bl_group_difference(w->vi, &vj, l);
        real c = bl_group_viscous_pair(w->walk.s->par, w->walk.far, met->measure[l]) * bl_v3_dot(u, d);
        f->x[l] += c * d.x, f->y[l] += c * d.y, f->z[l] += c * d.z;
    }
}
BL_FN void bl_group_add_viscous_force(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                      const bl_vec3 *v, const bl_group3 *xi, const bl_group3 *vi, bl_group3 *f) {
    bl_viscous_loop w = {{s, at, paired, periodic, 0, far, far, xi, 1, s->x, 0}, v, vi, f};
    bl_walk_all(&w.walk, bl_viscous_add_force, &w);
}
typedef struct bl_blocks_loop {
    bl_walk walk;
    bl_group3 *p, *q;
} bl_blocks_loop;
BL_FN void bl_viscous_add_blocks(const void *loop, size_t k, size_t turn, const bl_met *met) {
    const bl_blocks_loop *w = loop;
    bl_group3 *p = &w->p[turn], *q = &w->q[turn];
    (void)k;
    BL_FOR_WIDTH(l) {
        bl_vec3 d = bl_group_get(&met->d, l);
        bl_vec3 cd = bl_v3_scale(bl_group_viscous_pair(w->walk.s->par, w->walk.far, met->measure[l]), d);
        p->x[l] += cd.x * d.x, p->y[l] += cd.x * d.y, p->z[l] += cd.x * d.z;
        q->x[l] += cd.y * d.y, q->y[l] += cd.y * d.z, q->z[l] += cd.z * d.z;
    }
}
BL_FN void bl_group_add_viscous_blocks(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                       const bl_group3 *xi, bl_group3 *p, bl_group3 *q) {
    bl_blocks_loop w = {{s, at, paired, periodic, 0, far, far, xi, 1, s->x, 0}, p, q};
    bl_walk_all(&w.walk, bl_viscous_add_blocks, &w);
}

/* The viscous force of the fluid for the velocities `v` (bl_viscous_force). */
BL_FN void bl_group_viscous_force(const bl_view *s, const bl_group *b, const bl_leans *k, int periodic,
                                  const bl_vec3 *v, bl_group3 *out) {
    const bl_lean far = k->far;
    bl_group3 xi, vi, f[BL_TURNS] = {{{0}, {0}, {0}}};
    bl_group_load(b, s->x, &xi);
    bl_group_load(b, v, &vi);
    bl_group_add_viscous_force(s, b->near[0], 0, periodic, far, v, &xi, &vi, f);
    bl_group_add_viscous_force(s, b->near[1], 1, periodic, far, v, &xi, &vi, f);
    bl_group_add_viscous_force(s, b->far[0], 0, periodic, far, v, &xi, &vi, f);
    bl_group_add_viscous_force(s, b->far[1], 1, periodic, far, v, &xi, &vi, f);
    bl_group_put(-bl_group_viscous_scale(s, far), f, out);
}

/* The fluid's part of eight blocks of (M + dt K)/m (bl_viscous_block_fluid): xx xy xz and yy yz zz. */
BL_FN void bl_group_viscous_blocks(const bl_view *s, const bl_group *b, const bl_leans *k, int periodic, bl_group3 *row,
                                   bl_group3 *rest) {
    const bl_lean far = k->far;
    bl_group3 xi, p[BL_TURNS] = {{{0}, {0}, {0}}}, q[BL_TURNS] = {{{0}, {0}, {0}}};
    bl_group_load(b, s->x, &xi);
    bl_group_add_viscous_blocks(s, b->near[0], 0, periodic, far, &xi, p, q);
    bl_group_add_viscous_blocks(s, b->near[1], 1, periodic, far, &xi, p, q);
    bl_group_add_viscous_blocks(s, b->far[0], 0, periodic, far, &xi, p, q);
    bl_group_add_viscous_blocks(s, b->far[1], 1, periodic, far, &xi, p, q);
    real scale = s->step->dt * s->fluids[0].inv_mass * bl_group_viscous_scale(s, far);
    bl_group_put(scale, p, row);
    bl_group_put(scale, q, rest);
}

#endif
