/* Newton and Euler.
 *
 * Velocities u = (v, w) change by impulses J and moments about the centre of mass, u' = u + W (J, moment), with W the
 * inverse mass restricted to what the body may do, at the pose where the step starts. So w' here stands for an angular
 * momentum L' = I(t) w'; the turn over the step follows from that by the implicit midpoint rule,
 *     w_mid = I(t + dt/2)^-1 L',  R(t + dt) = exp(dt [w_mid]) R(t),  w(t + dt) = I(t + dt)^-1 L',
 * which keeps L' of a free body to rounding and its energy within a bound. */
#include "rigid/body.h"

#include <math.h>

enum { MIDPOINT_ITERATIONS = 50 };
static const double MIDPOINT_TOLERANCE = 1e-15;

static bl_vec3d apply_turned(const bl_mat3 *m, const bl_pose *pose, bl_vec3d v) {
    return bl_pose_direction(pose, bl_mat3_apply(m, bl_pose_direction_back(pose, v)));
}

/* R m R^T */
static bl_mat3 turned(const bl_mat3 *m, const bl_pose *pose) {
    const bl_vec3d unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bl_mat3 out = bl_mat3_zero();
    for (int k = 0; k < 3; k++) bl_mat3_add_outer(&out, 1, apply_turned(m, pose, unit[k]), unit[k]);
    return out;
}

static bl_vec3d arm_of_pivot(const bl_rigid_body *b) { return bl_v3d_sub(bl_body_center(&b->now.pose), b->pivot); }

/* v = -[arm] w of a body that turns about its pivot: -[arm] m. */
static bl_mat3 cross_rows(bl_vec3d arm, const bl_mat3 *m) {
    const bl_mat3 minus = {{{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}}};
    return bl_mat3_multiply(&minus, m);
}

void bl_body_weigh(bl_rigid_body *b, int dimension) {
    b->w_vv = b->w_vw = b->w_ww = bl_mat3_zero();
    if (b->ball) {
        b->w_ww = turned(&b->inverse, &b->now.pose);
    } else if (b->def->turns) {
        double about = bl_v3d_dot(b->axis, apply_turned(&b->inertia, &b->now.pose, b->axis));
        bl_mat3_add_outer(&b->w_ww, 1 / about, b->axis, b->axis);
    }
    if (b->def->hinged) {
        const bl_vec3d arm = arm_of_pivot(b);
        b->w_vw = cross_rows(arm, &b->w_ww);
        const bl_mat3 minus = {{{0, arm.z, -arm.y}, {-arm.z, 0, arm.x}, {arm.y, -arm.x, 0}}};
        b->w_vv = bl_mat3_multiply_transposed(&b->w_vw, &minus);
    } else {
        for (int k = 0; k < dimension; k++) b->w_vv.m[k][k] = b->def->locked[k] ? 0 : 1 / b->mass.mass;
    }
}

bl_twist bl_body_respond(const bl_rigid_body *b, bl_vec3d impulse, bl_vec3d moment) {
    const bl_vec3d j = impulse, n = moment;
    const double(*m)[3] = b->w_vw.m;
    bl_vec3d back =
        bl_v3d_make(m[0][0] * j.x + m[1][0] * j.y + m[2][0] * j.z, m[0][1] * j.x + m[1][1] * j.y + m[2][1] * j.z,
                    m[0][2] * j.x + m[1][2] * j.y + m[2][2] * j.z);
    return (bl_twist){bl_v3d_add(bl_mat3_apply(&b->w_vv, j), bl_mat3_apply(&b->w_vw, n)),
                      bl_v3d_add(back, bl_mat3_apply(&b->w_ww, n))};
}

/* The angular velocity with which the midpoint of the step has the momentum of `w` at its start. */
static bl_vec3d middle_velocity(const bl_rigid_body *b, bl_vec3d momentum, bl_vec3d w, double dt) {
    for (int k = 0; k < MIDPOINT_ITERATIONS; k++) {
        bl_pose middle = b->now.pose;
        bl_pose_rotate(&middle, bl_v3d_scale(0.5 * dt, w));
        bl_vec3d better = apply_turned(&b->inverse, &middle, momentum);
        double change = bl_v3d_norm(bl_v3d_sub(better, w));
        w = better;
        if (!(change > MIDPOINT_TOLERANCE * bl_v3d_norm(w))) break;
    }
    return w;
}

void bl_body_advance(const bl_rigid_body *b, bl_twist u, double dt, bl_pose *next, bl_twist *end) {
    *next = b->now.pose;
    *end = u;
    if (b->ball) {
        bl_vec3d momentum = apply_turned(&b->inertia, &b->now.pose, u.w);
        bl_pose_rotate(next, bl_v3d_scale(dt, middle_velocity(b, momentum, u.w, dt)));
        end->w = apply_turned(&b->inverse, next, momentum);
    } else {
        bl_pose_rotate(next, bl_v3d_scale(dt, u.w));
    }
    if (b->def->hinged) {
        bl_vec3d arm = bl_pose_direction(next, bl_v3d_sub(b->mass.center, b->pivot));
        next->shift = bl_v3d_sub(bl_v3d_add(b->pivot, arm), b->mass.center);
        end->v = bl_v3d_cross(end->w, arm);
    } else {
        next->shift = bl_v3d_mad(next->shift, dt, u.v);
    }
}
