/* Poses of bodies, and the motion of kinematic ones: where a boundary stands at a given time, as a function of the
 * scene alone. */
#ifndef BL_RIGID_MOTION_H
#define BL_RIGID_MOTION_H

#include "scene/scene.h"

/* x(t) = pivot + shift + R (x(0) - pivot); R as a unit quaternion (w, x, y, z). */
typedef struct bl_pose {
    bl_vec3d pivot, shift;
    double w, x, y, z;
} bl_pose;

bool bl_body_moves(const bl_boundary *body);
/* The most that a point `arm` away from the pivot can move at within [from, to], m/s. */
double bl_body_speed(const bl_boundary *body, double arm, double from, double to);
/* The pose after following all that moves the body from time 0 to `time`: `turn` first, then `angular_velocity`. It
 * depends on nothing but its arguments, so a resumed run finds its bodies exactly where an uninterrupted one does. */
bl_pose bl_body_pose(const bl_boundary *body, double time);
bl_vec3d bl_pose_point(const bl_pose *pose, bl_vec3d rest);
bl_vec3d bl_pose_direction(const bl_pose *pose, bl_vec3d rest);
/* The way back: from the pose to where things are at rest. */
bl_vec3d bl_pose_point_back(const bl_pose *pose, bl_vec3d x);
bl_vec3d bl_pose_direction_back(const bl_pose *pose, bl_vec3d v);
/* pose := rotation by the vector `r` after pose. */
void bl_pose_rotate(bl_pose *pose, bl_vec3d r);

#endif
