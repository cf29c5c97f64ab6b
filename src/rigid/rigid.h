/* Rigid bodies: boundaries that keep their shape and move by the forces of the liquid, gravity and contact.
 *
 *   begin   û = W-free motion of the step with the forces of the last one: a guess of the velocities at its end
 *     │
 *     ├─▶ the liquid's step, against particles that move to where û takes them; it returns boundary.f
 *     │      u' = u + dt W (boundary.f, gravity) + contact        (dynamics.c, contact.c, impulses.c)
 *     │      |u' - û| dt within the tolerance? ──yes──▶ finish: bodies and their particles to where u' takes them
 *     └──no──── û := better guess (couple.c), the liquid back to the start of the step
 *
 * A body's state is its pose, its velocities and the last force, in double: a part of checkpoints beside the particles,
 * whose places and velocities follow from it. */
#ifndef BL_RIGID_RIGID_H
#define BL_RIGID_RIGID_H

#include "rigid/motion.h"
#include "schemes/scheme.h"

typedef struct bl_rigid bl_rigid;

/* Mass, centre of mass at rest, and inertia about it: xx yy zz yz xz xy, kg m^2. In 2D per metre of depth. */
typedef struct bl_rigid_mass {
    double mass, volume;
    bl_vec3d center;
    double inertia[6];
} bl_rigid_mass;
/* Of the rigid boundary `boundary`. BL_ERR_DATA if its shapes have no volume. */
bl_status bl_rigid_mass_of(bl_context *ctx, const bl_scene *scene, int boundary, bl_rigid_mass *out);

/* All that a body takes along from step to step. */
typedef struct bl_rigid_state {
    bl_pose pose;           /* its pivot is the centre of mass at rest */
    bl_vec3d v, w;          /* of the centre of mass, and angular */
    bl_vec3d force, torque; /* of the liquid over the last step, the torque about the centre of mass */
} bl_rigid_state;

/* `rest` and `normal`: of all boundary particles at time 0, by id; they must outlive *out, which is NULL in scenes
 * without rigid bodies. The bodies stand as at time 0. */
bl_status bl_rigid_create(bl_world *world, const bl_vec3d *rest, const bl_vec3d *normal, bl_rigid **out);
void bl_rigid_destroy(bl_rigid *rigid); /* NULL is fine, here and below */
int bl_rigid_count(const bl_rigid *rigid);
/* What to save of a body, and to put back before particles are in their places again. */
bl_rigid_state *bl_rigid_state_at(const bl_rigid *rigid, int body);
int bl_rigid_boundary(const bl_rigid *rigid, int body); /* which boundary it is */
const bl_rigid_mass *bl_rigid_mass_at(const bl_rigid *rigid, int body);
double bl_rigid_speed(const bl_rigid *rigid); /* the most that any point moves at, m/s */

/* The first guess for a step by dt; boundary.v tells the liquid. */
bl_status bl_rigid_begin(bl_world *world, bl_rigid *rigid, double dt);
/* After the liquid's step: is another pass with a better guess wanted? The caller then restores the STATE fields and
 * calls bl_rigid_tell. BL_ERR_DIVERGED fills *failure. */
bl_status bl_rigid_correct(bl_world *world, bl_rigid *rigid, double dt, bool *again, bl_failure *failure);
void bl_rigid_tell(bl_world *world, bl_rigid *rigid, double dt);
/* The step is good: bodies and particles to their places at its end. */
void bl_rigid_finish(bl_world *world, bl_rigid *rigid, bl_observation *report);

#endif
