/* The inside of bl_rigid. */
#ifndef BL_RIGID_BODY_H
#define BL_RIGID_BODY_H

#include "geometry/geometry.h"
#include "geometry/solid.h"
#include "rigid/rigid.h"
#include "schemes/elastic/matrix.h"

/* A velocity and an angular velocity. */
typedef struct bl_twist {
    bl_vec3d v, w;
} bl_twist;

/* A ball of the body's surface that touches others: a point of it (radius 0), or all of a sphere. */
typedef struct bl_feature {
    bl_vec3d rest;
    double radius;
} bl_feature;

typedef struct bl_rigid_body {
    int boundary;
    const bl_rigid_def *def;
    bl_rigid_mass mass;
    bl_mat3 inertia; /* at rest, about the centre of mass, or the pivot of a hinged body */
    bl_mat3 inverse; /* of it */
    bl_vec3d pivot;  /* of a hinged body */
    bl_vec3d axis;   /* unit; zero: it turns about any direction */
    bool ball;       /* it does */
    double reach;    /* from the centre of mass to its furthest point */
    size_t count;
    uint32_t *at; /* places of its particles in the boundary store */
    int feature_count;
    bl_feature *features;
    bl_mat3 w_vv, w_vw, w_ww; /* inverse mass at the pose of this step: change of (v, w) by an impulse and its moment */
    bl_rigid_state now;       /* at the start of the step */
    bl_pose next;             /* at its end */
    bl_twist end;             /* velocities there */
    bl_twist guess;           /* what the liquid was told */
    bl_twist made;            /* what the forces then made of it */
    bl_vec3d force, torque;   /* of the liquid */
    double share;             /* of a correction that is taken at first (couple.c) */
} bl_rigid_body;

/* What bodies touch: the union of a boundary's solids, or one of its planes. */
typedef struct bl_obstacle {
    int solid_count;
    bl_solid **solids;
    bool plane;
    int boundary, body; /* body -1: a wall */
} bl_obstacle;

/* Body a touches b (-1: a wall) at the point `at`; the normal leads from b to a. */
typedef struct bl_touch {
    int a, b;
    bl_vec3d at, normal, wall; /* the wall's velocity there */
    bl_vec3d arm_a, arm_b;     /* to it, from the centres of mass */
    double gap, friction;
    double push;   /* impulse along the normal */
    bl_vec3d drag; /* and across it */
    double inv_push, inv_drag;
} bl_touch;

struct bl_rigid {
    bl_context *ctx;
    int dimension;
    double spacing, tolerance;
    int max_passes;
    const bl_vec3d *rest_by_id, *normal_by_id;
    int count;
    bl_rigid_body *bodies;
    int obstacle_count;
    bl_obstacle *obstacles;
    bl_pose *from, *to; /* of every boundary over this step */
    int touch_count, touch_capacity;
    bl_touch *touches;
    int pass;                    /* of this step */
    double residual;             /* of the last pass, in spacings */
    double *guesses, *residuals; /* of all passes of this step, and room to work in: couple.c */
    double *moved, *changed, *combined;
};

/* dynamics.c: the inverse mass at the present pose; what an impulse at a point changes; where û takes a body. */
void bl_body_weigh(bl_rigid_body *body, int dimension);
bl_twist bl_body_respond(const bl_rigid_body *body, bl_vec3d impulse, bl_vec3d moment);
void bl_body_advance(const bl_rigid_body *body, bl_twist u, double dt, bl_pose *next, bl_twist *end);
static inline bl_vec3d bl_body_center(const bl_pose *pose) { return bl_v3d_add(pose->pivot, pose->shift); }
static inline bl_vec3d bl_twist_at(bl_twist u, bl_vec3d arm) { return bl_v3d_add(u.v, bl_v3d_cross(u.w, arm)); }

/* obstacles.c */
bl_status bl_body_find_features(bl_context *ctx, const bl_scene *scene, bl_rigid_body *body);
bl_status bl_rigid_find_obstacles(bl_rigid *rigid, const bl_scene *scene);
void bl_rigid_clear_obstacles(bl_rigid *rigid);
/* Distance of x, at rest, from an obstacle, and the direction away from it. Of a plane `side` tells which side is out.
 */
double bl_obstacle_distance(const bl_obstacle *obstacle, bl_vec3d x, bl_vec3d side);
bl_vec3d bl_obstacle_normal(const bl_obstacle *obstacle, bl_vec3d x, bl_vec3d side, double step);
/* contact.c: what is near enough to touch within this step. */
bl_status bl_rigid_find_touches(bl_rigid *rigid, const bl_scene *scene, double dt);
/* impulses.c: `made` of all bodies so that nothing goes through anything, with friction. */
void bl_rigid_push_apart(bl_rigid *rigid, double dt);
/* couple.c: is `made` what the liquid was told, or which guess is better? */
bool bl_rigid_agrees(bl_rigid *rigid, double dt);
void bl_rigid_guess_again(bl_rigid *rigid);
bl_status bl_rigid_couple_create(bl_rigid *rigid);
void bl_rigid_couple_destroy(bl_rigid *rigid);

#endif
