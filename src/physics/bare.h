/* Boundary particles without liquid near them: what they add to the energies of walls. Of walls that stand the host has
 * the sum of this once and for all; a device sums up by how much those near liquid differ, so that it makes no
 * difference to the sum which others it holds. */
#ifndef BL_PHYSICS_BARE_H
#define BL_PHYSICS_BARE_H

#include "physics/reductions.h"

/* The dry and the wet part of bl_reduce_energy_wall after bl_pass_interface_bare. */
BL_FN void bl_bare_parts(const bl_view *s, bl_index b, real *dry, real *wet) {
    real front = BL_R(1) - s->b_w_bb[b], back = s->b_faces[b] == BL_FACES_BOTH ? front : BL_R(0), eps = s->par->eps;
    *dry = bl_smooth_max(front, eps) + bl_smooth_max(back, eps);
    *wet = bl_smooth_max(BL_R(0), eps) + bl_smooth_max(BL_R(0), eps);
}

/* What bl_reduce_energy_wall adds beyond that. */
BL_FN void bl_reduce_wetting(const bl_view *s, bl_index b, double *acc) {
    if (s->bf.all[b] == 0) return; /* nothing; a compiler that contracts one of the products below makes it rounding */
    bl_body_params body = s->bodies[s->b_body[b]];
    real share = s->b_share[b], dry, wet;
    double whole[2] = {0, 0};
    bl_reduce_energy_wall(s, b, whole);
    bl_bare_parts(s, b, &dry, &wet);
    acc[0] += whole[0] - (double)(share * body.a0_bv) * (double)dry;
    acc[1] += whole[1] - (double)(share * body.a0_bf) * (double)wet;
}

#endif
