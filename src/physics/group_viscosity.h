/* The sums of viscosity.h over fluid neighbours, for groups of particles of a single fluid. */
#ifndef BL_PHYSICS_GROUP_VISCOSITY_H
#define BL_PHYSICS_GROUP_VISCOSITY_H

#include "physics/groups.h"
#include "physics/viscosity.h"

/* Coefficient of a viscous pair over its constant factors, -W'/(r (r^2 + 0.01 h^2)), */
BL_FN real bl_group_viscous_pair(const bl_params *par, bl_lean far, real r2) {
    return -bl_lean_viscous(far, bl_lean_measure(r2), BL_R(0.01) * par->h * par->h);
}
/* ... and these. */
BL_FN real bl_group_viscous_scale(const bl_view *s, bl_lean far) {
    return BL_R(2) * ((real)s->par->dimension + BL_R(2)) * s->fluids[0].viscosity * s->par->v0 * far.g_scale;
}

/* Parts of the sums below, over some neighbours. */
BL_FN void bl_group_add_viscous_force(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                      const bl_vec3 *v, const bl_group3 *xi, const bl_group3 *vi, bl_group3 *f) {
    const bl_params *par = s->par;
    for (size_t k = 0; k < at.count; ++k) {
        bl_group3 xj, vj;
        bl_slot_load(at, paired, k, s->x, &xj);
        bl_slot_load(at, paired, k, v, &vj);
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, xi, l, &xj), u = bl_group_difference(vi, &vj, l);
            real c = bl_group_viscous_pair(par, far, bl_v3_norm2(d)) * bl_v3_dot(u, d);
            f->x[l] += c * d.x, f->y[l] += c * d.y, f->z[l] += c * d.z;
        }
    }
}
BL_FN void bl_group_add_viscous_blocks(const bl_view *s, bl_slots at, int paired, int periodic, bl_lean far,
                                       const bl_group3 *xi, bl_group3 *p, bl_group3 *q) {
    const bl_params *par = s->par;
    for (size_t k = 0; k < at.count; ++k) {
        bl_group3 xj;
        bl_slot_load(at, paired, k, s->x, &xj);
        BL_FOR_GROUP(l) {
            bl_vec3 d = bl_group_offset(par, periodic, xi, l, &xj);
            real c = bl_group_viscous_pair(par, far, bl_v3_norm2(d));
            bl_vec3 cd = bl_v3_scale(c, d);
            p->x[l] += cd.x * d.x, p->y[l] += cd.x * d.y, p->z[l] += cd.x * d.z;
            q->x[l] += cd.y * d.y, q->y[l] += cd.y * d.z, q->z[l] += cd.z * d.z;
        }
    }
}

/* The viscous force of the fluid for the velocities `v` (bl_viscous_force). */
BL_FN void bl_group_viscous_force(const bl_view *s, const bl_group *b, int periodic, const bl_vec3 *v, bl_group3 *out) {
    bl_lean far = bl_lean_of(s->par->far, s->par->v0);
    bl_group3 xi, vi, f = {{0}, {0}, {0}};
    bl_group_load(b, s->x, &xi);
    bl_group_load(b, v, &vi);
    bl_group_add_viscous_force(s, b->near[0], 0, periodic, far, v, &xi, &vi, &f);
    bl_group_add_viscous_force(s, b->near[1], 1, periodic, far, v, &xi, &vi, &f);
    bl_group_add_viscous_force(s, b->far[0], 0, periodic, far, v, &xi, &vi, &f);
    bl_group_add_viscous_force(s, b->far[1], 1, periodic, far, v, &xi, &vi, &f);
    bl_group_put(-bl_group_viscous_scale(s, far), &f, out);
}

/* The fluid's part of eight blocks of (M + dt K)/m (bl_viscous_block_fluid): xx xy xz and yy yz zz. */
BL_FN void bl_group_viscous_blocks(const bl_view *s, const bl_group *b, int periodic, bl_group3 *row, bl_group3 *rest) {
    bl_lean far = bl_lean_of(s->par->far, s->par->v0);
    bl_group3 xi, p = {{0}, {0}, {0}}, q = {{0}, {0}, {0}};
    bl_group_load(b, s->x, &xi);
    bl_group_add_viscous_blocks(s, b->near[0], 0, periodic, far, &xi, &p, &q);
    bl_group_add_viscous_blocks(s, b->near[1], 1, periodic, far, &xi, &p, &q);
    bl_group_add_viscous_blocks(s, b->far[0], 0, periodic, far, &xi, &p, &q);
    bl_group_add_viscous_blocks(s, b->far[1], 1, periodic, far, &xi, &p, &q);
    real scale = s->step->dt * s->fluids[0].inv_mass * bl_group_viscous_scale(s, far);
    bl_group_put(scale, &p, row);
    bl_group_put(scale, &q, rest);
}

#endif
