/* The part of a step's report that every scheme has in common. */
#ifndef BL_SCHEMES_OBSERVE_H
#define BL_SCHEMES_OBSERVE_H

#include "schemes/scheme.h"

/* Kinetic and potential energy, momenta, centre of mass, largest speed and radius at the world's present x and v;
 * gravity as of `time`. Other members of `report` are left alone. */
void bl_observe_motion(const bl_world *world, double time, bl_observation *report);

/* Rest volume h^dim of a fluid particle (an area in 2D). */
double bl_particle_volume(const bl_scene *scene);
double bl_max_speed(const bl_world *world); /* of the fluid, m/s */

/* The mean of both virials over particles near the centre of mass, which is known: deeper than four spacings, or than
 * half the radius. */
void bl_observe_core(const bl_world *world, bl_observation *report);

#endif
