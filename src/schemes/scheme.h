/* A scheme is control flow over passes: it advances a world by one step. */
#ifndef BL_SCHEMES_SCHEME_H
#define BL_SCHEMES_SCHEME_H

#include "backends/device.h"
#include "base/arena.h"
#include "base/timer.h"
#include "neighbours/neighbours.h"
#include "particles/store.h"
#include "scene/scene.h"
#include "schemes/observation.h"

/* Everything a simulation is made of. The scene is constant, the rest is state. */
typedef struct bl_world {
    bl_context *ctx;
    const bl_scene *scene;
    bl_fluid_store fluid;
    bl_boundary_store boundary;
    bl_neighbours *neighbours; /* of the CPU; a device has its own */
    bl_device *device;         /* NULL: the CPU */
    bl_arena *scratch;
    bl_timers timers;
    /* The next four numbers and the STATE fields of both stores are the whole state: what a checkpoint holds. */
    double time;
    double dt;           /* of the last step; 0 before the first */
    uint64_t step;       /* steps done */
    double step_scale;   /* share of the step limit in use: 1, less after a step had to be repeated (sim/step.c) */
    bool stays;          /* particles will begin the next step where this one leaves them, in their order. Set by sim */
    bool boundary_moved; /* since the last step (or a first step): bb sums are stale. Set and cleared by sim */
} bl_world;

/* Why a step failed, in words a user can act on. */
typedef struct bl_failure {
    const char *term; /* "pressure", "surface tension", "friction", "viscosity", "position" */
    uint32_t id;      /* particle */
    bl_vec3d x;
    char text[256];
} bl_failure;

typedef struct bl_scheme {
    const char *name;
    /* Called once the world is filled. *state is the scheme's own. */
    bl_status (*create)(bl_world *world, void **state);
    void (*destroy)(bl_world *world, void *state);
    /* Largest step allowed at the current state, and the name of the limit ("cfl", "force", "capillary", "max_step").
     */
    double (*step_limit)(bl_world *world, void *state, const char **which);
    /* The capillary limit alone, s; INFINITY: none. */
    double (*capillary_limit)(const bl_world *world, void *state);
    /* Let a new filling find its packing, by at most `steps` steps without inertia, at the present time. NULL: none. */
    bl_status (*relax)(bl_world *world, void *state, int steps, bl_failure *failure);
    /* Advance fluid x and v by dt: neighbours, forces, integration; fills every member of `report` except step, time,
     * particle counts and wall_ms. Sorting is the caller's. BL_ERR_DIVERGED fills *failure; the caller then restores
     * the STATE fields and tries a smaller step. */
    bl_status (*step)(bl_world *world, void *state, double dt, bl_observation *report, bl_failure *failure);
    /* Residual of each iteration of the last step: volume, tension, friction (3 numbers an iteration). */
    const double *(*history)(const bl_world *world, void *state, int *iterations);
} bl_scheme;

extern const bl_scheme bl_scheme_unified;
extern const bl_scheme bl_scheme_akinci2013; /* pair forces on predictive-corrective SPH (pcisph/) ... */
extern const bl_scheme bl_scheme_yang2016;   /* ... of enlarged support */
extern const bl_scheme bl_scheme_pbst2022;   /* position constraints: densities, and areas of local meshes (pbd/) */
extern const bl_scheme bl_scheme_hyde2020;   /* implicit material points with surface energy (mpm/) */
extern const bl_scheme bl_scheme_ballistic;  /* gravity and advection only: to test everything around a solver */
const bl_scheme *bl_scheme_find(bl_scheme_name name); /* NULL: not in this build */
const bl_scheme *bl_scheme_at(int index);             /* from 0; NULL beyond the last */

#endif
