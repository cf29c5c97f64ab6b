/* Elastic bodies: the implicit corotated linear elasticity of Peer et al. 2018, on the particles of elastic boundaries.
 *
 *   rest (once)     neighbours within 2h, offsets X_ji = X_j - X_i, weights q_ij = -V dW/dr/r, N_i = sum q X X^T
 *   each step       A_i = (sum_j q_ij x_ji X_ji^T) N_i^-1     the corrected deformation gradient (their eq. 7)
 *                   R_i = the rotation of A_i                 from the positions at t
 *                   strain sym(A_i R_i^T) - 1, P = 2 mu strain + lambda trace(strain)
 *                   f_i = sum_j q_ij (Z_i + Z_j) X_ji,  Z_i = V P_i R_i N_i^-1        minus the gradient of the energy
 *                   M (v' - v) = dt f(x + dt v') + dt (gravity, fluid, contact)      conjugate gradients for v'
 *
 * Displacements that A_i does not see are held by the energy 1/2 s mu V sum q_ij |e_ij|^2, e_ij = x_ji - A_i X_ji. With
 * the same weights q as in A_i, which is then their least-squares fit, its forces are sum_j q_ij s mu V (2 x_ji - (A_i
 * + A_j) X_ji): no further matrix, and nothing for a rotated or evenly strained body. All forces are pairwise opposite.
 *
 * The fluid sees the particles as boundary particles with a velocity; its forces on them (physics/reaction.h) come back
 * here, after it has moved. */
#ifndef BL_SCHEMES_ELASTIC_H
#define BL_SCHEMES_ELASTIC_H

#include "schemes/scheme.h"

typedef struct bl_elastic bl_elastic;

/* `rest` and `normal`: of all boundary particles at time 0, by id; they must outlive *out, which is NULL in scenes
 * without elastic bodies. */
bl_status bl_elastic_create(bl_world *world, const bl_vec3d *rest, const bl_vec3d *normal, bl_elastic **out);
void bl_elastic_destroy(bl_elastic *elastic); /* NULL is fine, here and below */
/* Does the boundary particle at this place of the store move by forces? */
bool bl_elastic_is_free(const bl_elastic *elastic, size_t boundary);
double bl_elastic_speed(const bl_world *world, const bl_elastic *elastic); /* the largest of free particles, m/s */
/* Advance x, v and normal of the free particles by dt, after the scheme has filled in boundary.f and before other walls
 * are placed. BL_ERR_DIVERGED fills *failure. */
bl_status bl_elastic_step(bl_world *world, bl_elastic *elastic, double dt, bl_observation *report, bl_failure *failure);

#endif
