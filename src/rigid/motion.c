/* Poses of kinematic bodies.
 *
 * Velocities are piecewise linear in time, so the shift is an exact sum of trapezoids. The rotation follows
 * dR/dt = [omega] R; over a piece with omega = a + b s the Magnus expansion gives the rotation vector
 *     Omega = tau (a + b tau / 2) - tau^3 / 12 (a x b) + O(tau^5),
 * which is exact when the axis keeps its direction. `turn` is the rotation vector itself, linear between keyframes. */
#include "rigid/motion.h"

/* Largest angle of one Magnus step while the axis turns, rad: errors of 1e-9 a radian. */
static const double MAX_ANGLE = 0.02;

typedef struct piece {
    double length;
    bl_vec3d begin, slope; /* value begin + slope s, 0 <= s <= length */
} piece;

/* The k-th linear piece of a curve within [0, time], k = 0 .. count; false: it is empty. */
static bool curve_piece(const bl_curve *curve, double time, int k, piece *out) {
    double begin = k == 0 ? 0 : fmax(0, curve->times[k - 1]);
    double end = k == curve->count ? time : fmin(time, curve->times[k]);
    out->length = end - begin;
    if (!(out->length > 0)) return false;
    out->begin = bl_curve_at3(curve, begin);
    out->slope = bl_v3d_scale(1 / out->length, bl_v3d_sub(bl_curve_at3(curve, end), out->begin));
    return true;
}

void bl_pose_rotate(bl_pose *pose, bl_vec3d r) {
    double angle = bl_v3d_norm(r);
    double s = angle > 0 ? sin(angle / 2) / angle : 0.5, c = cos(angle / 2);
    bl_vec3d u = bl_v3d_scale(s, r), q = bl_v3d_make(pose->x, pose->y, pose->z);
    bl_vec3d v = bl_v3d_add(bl_v3d_cross(u, q), bl_v3d_add(bl_v3d_scale(c, q), bl_v3d_scale(pose->w, u)));
    double w = c * pose->w - bl_v3d_dot(u, q);
    double inv = 1 / sqrt(w * w + bl_v3d_norm2(v));
    pose->w = inv * w, pose->x = inv * v.x, pose->y = inv * v.y, pose->z = inv * v.z;
}

static void rotate_piece(bl_pose *pose, const piece *p) {
    bl_vec3d turn = bl_v3d_cross(p->begin, p->slope), end = bl_v3d_mad(p->begin, p->length, p->slope);
    double angle = p->length * fmax(bl_v3d_norm(p->begin), bl_v3d_norm(end));
    int steps = bl_v3d_norm2(turn) > 0 ? (int)fmin(1e6, ceil(angle / MAX_ANGLE)) : 1;
    double tau = p->length / steps;
    for (int k = 0; k < steps; k++) {
        bl_vec3d a = bl_v3d_mad(p->begin, k * tau, p->slope);
        bl_vec3d omega = bl_v3d_scale(tau, bl_v3d_mad(a, tau / 2, p->slope));
        bl_pose_rotate(pose, bl_v3d_mad(omega, -tau * tau * tau / 12, turn));
    }
}

static const double TWO_PI = 6.283185307179586;

double bl_body_speed(const bl_boundary *body, double arm, double from, double to) {
    double turning = bl_curve_largest(&body->angular_velocity, from, to) + bl_curve_steepest(&body->turn, from, to);
    return bl_curve_largest(&body->velocity, from, to) + bl_curve_steepest(&body->shift, from, to) +
           TWO_PI * body->frequency * bl_v3d_norm(body->swing) + turning * arm;
}

bool bl_body_moves(const bl_boundary *body) {
    if (body->elastic.given || body->rigid.given) return true;
    const bl_curve *curves[] = {&body->velocity, &body->angular_velocity, &body->shift, &body->turn};
    if (body->frequency > 0 && bl_v3d_norm2(body->swing) > 0) return true;
    for (int c = 0; c < 4; c++)
        for (int k = 0; k < 3 * curves[c]->count; k++)
            if (curves[c]->values[k] < 0 || curves[c]->values[k] > 0) return true;
    return false;
}

bl_pose bl_body_pose(const bl_boundary *body, double time) {
    bl_pose pose = {.pivot = body->pivot, .shift = bl_curve_integral3(&body->velocity, time), .w = 1};
    double swing = sin(TWO_PI * body->frequency * time + body->phase) - sin(body->phase);
    pose.shift = bl_v3d_mad(pose.shift, swing, body->swing);
    if (body->shift.count > 0) /* at time 0 the body is where its shapes are */
        pose.shift =
            bl_v3d_add(pose.shift, bl_v3d_sub(bl_curve_at3(&body->shift, time), bl_curve_at3(&body->shift, 0)));
    if (body->turn.count > 0) {
        bl_pose_rotate(&pose, bl_v3d_scale(-1, bl_curve_at3(&body->turn, 0)));
        bl_pose_rotate(&pose, bl_curve_at3(&body->turn, time));
    }
    const bl_curve *omega = &body->angular_velocity;
    for (int k = 0; omega->count > 0 && k <= omega->count; k++) {
        piece p;
        if (curve_piece(omega, time, k, &p)) rotate_piece(&pose, &p);
    }
    return pose;
}

/* q v q*, with t = 2 q x v: v + w t + q x t */
bl_vec3d bl_pose_direction(const bl_pose *pose, bl_vec3d v) {
    bl_vec3d q = bl_v3d_make(pose->x, pose->y, pose->z);
    bl_vec3d t = bl_v3d_scale(2, bl_v3d_cross(q, v));
    return bl_v3d_add(bl_v3d_mad(v, pose->w, t), bl_v3d_cross(q, t));
}

bl_vec3d bl_pose_direction_back(const bl_pose *pose, bl_vec3d v) {
    const bl_pose back = {.w = pose->w, .x = -pose->x, .y = -pose->y, .z = -pose->z};
    return bl_pose_direction(&back, v);
}

bl_vec3d bl_pose_point(const bl_pose *pose, bl_vec3d rest) {
    bl_vec3d arm = bl_pose_direction(pose, bl_v3d_sub(rest, pose->pivot));
    return bl_v3d_add(bl_v3d_add(pose->pivot, pose->shift), arm);
}

bl_vec3d bl_pose_point_back(const bl_pose *pose, bl_vec3d x) {
    bl_vec3d arm = bl_v3d_sub(x, bl_v3d_add(pose->pivot, pose->shift));
    return bl_v3d_add(pose->pivot, bl_pose_direction_back(pose, arm));
}
