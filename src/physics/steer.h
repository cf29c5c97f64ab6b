/* What a solve finds out on its way and its own passes read: step sizes, the factors of NNCG and of conjugate
 * gradients, and whether it is done. These numbers come from reductions. A function bl_settle_name makes them of the
 * sums of the reduction `name`; it is run where the sums are, so that a device never has to wait for the host within a
 * solve. */
#ifndef BL_PHYSICS_STEER_H
#define BL_PHYSICS_STEER_H

#include "physics/reductions.h"

/* Residuals of one iteration, each a mean in its own scale. */
typedef struct bl_residuals {
    double volume, tension, friction;
    double motion; /* mean displacement of the step, in spacings */
    double paper;  /* eq. 27, in SI units as printed */
} bl_residuals;

/* `sum` is that of bl_reduce_residual over n particles. */
BL_FN bl_residuals bl_residuals_of(const double *sum, double n) {
    bl_residuals r;
    double inv_n = n > 1.0 ? n : 1.0, contacts = sum[BL_RES_CONTACTS] > 1.0 ? sum[BL_RES_CONTACTS] : 1.0;
    r.volume = sum[BL_RES_VOLUME] / inv_n;
    r.tension = sum[BL_RES_TENSION] / inv_n;
    /* a wide drop has few particles at the wall: friction is judged by those alone */
    r.friction = sum[BL_RES_FRICTION] / contacts;
    r.motion = sum[BL_RES_MOTION] / inv_n;
    r.paper = (sum[BL_RES_COMPRESSION] + sum[BL_RES_TENSION_SI] + sum[BL_RES_FRICTION_SI]) / inv_n;
    return r;
}

/* Tolerances hold for a liquid in motion. One that comes to rest would be kept awake by errors of that size, so they
 * shrink with the motion itself: what a step leaves unsolved is a small part of what it moves, down to rounding. The
 * warm start makes this cheap, since its error shrinks in the same measure. */
BL_FN double bl_tolerance_at_rest(double tolerance, double motion) {
    double share = 0.05 * motion, floor_value = 4.0 * (double)BL_REAL_EPSILON;
    double least = share > floor_value ? share : floor_value;
    return tolerance < least ? tolerance : least;
}

BL_FN int bl_is_converged(const bl_goal *goal, bl_residuals r) {
    if (goal->paper) return r.paper <= goal->volume;
    return r.volume <= bl_tolerance_at_rest(goal->volume, r.motion) &&
           r.tension <= bl_tolerance_at_rest(goal->tension, r.motion) &&
           r.friction <= bl_tolerance_at_rest(goal->friction, r.motion);
}

/* Fletcher-Reeves factor of one unknown; a growing residual restarts its direction. */
BL_FN real bl_beta_of(double norm, double previous) {
    double beta = previous > 0.0 ? norm / previous : 0.0;
    return beta > 1.0 ? BL_R(0) : (real)beta;
}

BL_FN void bl_solve_begin(BL_GLOBAL bl_steer *t, bl_goal goal) {
    t->done = t->iterations = t->started = 0;
    t->beta_p = t->beta_st = t->beta_fr = BL_R(0);
    t->goal = goal;
}

/* Every bl_settle_name takes the sums over n particles and returns the row of the solve's log that they belong to, -1
 * for none. */

BL_FN int bl_settle_nothing(BL_GLOBAL bl_steer *t, const double *sum, double n) {
    (void)t, (void)sum, (void)n;
    return -1;
}

/* A pressure with a diagonal far below the largest is not solved for. */
BL_FN int bl_settle_diagonal_p(BL_GLOBAL bl_steer *t, const double *largest, double n) {
    (void)n;
    t->diagonal_min = (real)(1e-6 * (largest[0] > 0.0 ? largest[0] : 0.0));
    return -1;
}

/* One step size for all keeps momentum at rounding for any iteration count (eq. 34a). */
BL_FN int bl_settle_alpha_st(BL_GLOBAL bl_steer *t, const double *smallest, double n) {
    (void)n;
    t->alpha_st = (real)(smallest[0] < 1.0 ? smallest[0] : 1.0);
    return -1;
}

/* The end of an iteration: is it the last, and where does the next go? */
BL_FN int bl_settle_residual(BL_GLOBAL bl_steer *t, const double *sum, double n) {
    bl_goal goal = t->goal;
    bl_residuals r = bl_residuals_of(sum, n);
    int row = t->iterations++, first = row == 0;
    double all = r.volume + r.tension + r.friction;
    int finite = all - all == 0.0;
    t->done = !finite || t->iterations >= goal.max_iterations ||
              (t->iterations >= goal.min_iterations && bl_is_converged(&goal, r));
    int accelerated = goal.nncg && !first;
    t->beta_p = accelerated ? bl_beta_of(sum[BL_RES_NORM_P], t->norm_p) : BL_R(0);
    t->beta_st = accelerated ? bl_beta_of(sum[BL_RES_NORM_ST], t->norm_st) : BL_R(0);
    t->beta_fr = accelerated ? bl_beta_of(sum[BL_RES_NORM_FR], t->norm_fr) : BL_R(0);
    t->norm_p = sum[BL_RES_NORM_P], t->norm_st = sum[BL_RES_NORM_ST], t->norm_fr = sum[BL_RES_NORM_FR];
    return row;
}

/* Where the core is. */
BL_FN int bl_settle_momentum(BL_GLOBAL bl_steer *t, const double *sum, double n) {
    double mass = sum[BL_SUM_MASS] > 0.0 ? sum[BL_SUM_MASS] : 1.0;
    (void)n;
    for (int c = 0; c < 3; ++c) t->core_center[c] = (real)(sum[BL_SUM_CENTER + c] / mass);
    return -1;
}

/* Conjugate gradients of the viscosity: the residual at the start, which sets the limit, and after every iteration. */
BL_FN int bl_settle_vis_rz(BL_GLOBAL bl_steer *t, const double *sum, double n) {
    (void)n;
    if (!t->started) {
        /* relative to M v, or to the first residual when everything stands still but a wall moves */
        double scale = sum[BL_VIS_SCALE] > sum[BL_VIS_RR] ? sum[BL_VIS_SCALE] : sum[BL_VIS_RR];
        t->vis_limit = t->goal.volume * t->goal.volume * scale;
        t->started = 1;
    } else {
        t->vis_beta = (real)(sum[BL_VIS_RZ] / t->vis_rz);
        t->iterations++;
    }
    t->vis_rz = sum[BL_VIS_RZ];
    t->done = !(sum[BL_VIS_RR] > t->vis_limit) || t->iterations >= t->goal.max_iterations;
    return -1;
}
/* ... and the length of a step; a direction without curvature ends the solve. */
BL_FN int bl_settle_vis_dk(BL_GLOBAL bl_steer *t, const double *dk, double n) {
    (void)n;
    t->done = !(dk[0] > 0.0);
    t->vis_alpha = t->done ? BL_R(0) : (real)(t->vis_rz / dk[0]);
    return -1;
}

#endif
