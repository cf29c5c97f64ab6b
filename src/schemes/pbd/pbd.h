/* Inside of the scheme `pbst2022`: positions are displaced until constraints on them hold, after Xing et al. 2022.
 *
 *  one step:
 *    neighbours ─▶ gravity, viscosity ─▶ surface, normals, stars ─▶ predict ─▶ project ─▶ velocities ─▶ observe
 *                                                                                │
 *    project:  ┌─▶ densities, multipliers ─▶ areas of the stars ─▶ pull ─▶ converged? ─▶ done
 *              └─────────────────── displace (Jacobi, all constraints) ◀──────── no
 *
 * A surface particle has a star: the ring of triangles (in 2D: the two segments) around it, made for itself alone. The
 * displacements of a ring's corners are gathered over the list of the stars that a particle is part of, so that nothing
 * is scattered.
 *
 * `calibration: physical`: areas have the energy sigma A, and multipliers add up to what that and incompressibility
 * ask for, however many iterations and whatever step. `calibration: paper`: the projection as published. */
#ifndef BL_SCHEMES_PBD_H
#define BL_SCHEMES_PBD_H

#include "physics/pbst.h"
#include "physics/star.h"
#include "schemes/unified/unified.h"

/* What a particle is. */
enum { PBD_SURFACE = 1, PBD_WET = 2, PBD_FILAMENT = 4, PBD_HELD = 8 };
enum { PBD_NO_WALL = 0xffffffffu, PBD_PLANES = 2 };

/* Walls as this scheme needs them; displacements are per step. */
typedef struct pbd_body {
    real rest; /* distance of a particle that touches from the wall's first layer */
    real wet;  /* cos(theta): what wetted area gains, over the tension */
    real hold; /* displacement by which it can pull a particle that wets it */
} pbd_body;

/* A ring of triangles around `centre`, of the free surface or of the wetted wall. */
typedef struct pbd_star {
    bl_index centre;
    uint32_t links;
    int count;
    real gain; /* 0: free surface; cos(theta) of the wall it lies on (with `wet`) */
    int wet;
    real area;   /* C of eq. 7; in 2D the length of both segments */
    real square; /* of all gradients */
    real spread; /* multiplier */
    bl_vec3 centre_gradient;
} pbd_star;

typedef struct pbd {
    unified base; /* parameters, view and viscosity are those of the scheme unified */
    bool paper;
    int iterations, rebuild_every; /* of the paper */
    int most_iterations;           /* of the physical calibration */
    real eps_area, eps_density, eps_distance, eps_adhesion;
    real d; /* spacing */
    bl_rays rays;
    real at_rest;  /* sum of V0 W in a liquid at rest: about 1 */
    real faintest; /* gradient of the colour field on a surface: at least this */
    pbd_body *bodies;

    /* of this step */
    real tension; /* displacement per area gradient: sigma dt^2/(dim m) */
    real share;   /* of the change of a pull that an iteration makes */
    real least_share;
    double sigma;         /* N/m */
    double furthest;      /* that a particle may be displaced, in spacings */
    double viscous_limit; /* of a step with explicit viscosity, s */

    /* of each particle */
    const bl_vec3 *at; /* where surface and stars are looked for */
    size_t capacity;
    bl_vec3 *v_start, *moved, *pull, *target, *normal, *wall_gradient;
    real *multiplier, *volume, *virial, *wall_virial, *virial_area;
    real *least, *rest; /* what the density may be in this step: between these */
    uint32_t *label, *star_first, *use_first;
    bl_index *plane[PBD_PLANES];
    real *push[PBD_PLANES];

    /* of each star, and the places of stars that particles are in: star BL_STAR_MOST + slot */
    size_t star_count, star_capacity, use_count, use_capacity;
    pbd_star *stars;
    bl_index *ring;
    bl_vec3 *ring_gradient;
    uint32_t *uses;

    double *history;
    int history_count;
} pbd;

/* setup.c */
bl_status bl_pbd_setup(bl_world *world, pbd *s);
void bl_pbd_clear(bl_world *world, pbd *s);
bl_status bl_pbd_reserve(bl_world *world, pbd *s);       /* room for the particles there are */
bl_status bl_pbd_reserve_stars(bl_world *world, pbd *s); /* ... for star_count */
bl_status bl_pbd_reserve_uses(bl_world *world, pbd *s);
void bl_pbd_set_step(bl_world *world, pbd *s, double dt);

/* Runs `range` over [0, count) with the scheme as its argument. */
typedef void (*pbd_range)(pbd *s, size_t begin, size_t end);
void bl_pbd_for(bl_world *world, pbd *s, const char *name, size_t count, pbd_range range);

/* surface.c: labels, normals and walls' planes of particles at `x`. */
void bl_pbd_find_surface(bl_world *world, pbd *s, const bl_vec3 *x);
/* stars.c: the stars of what surface.c found, and who is in them. */
bl_status bl_pbd_make_stars(bl_world *world, pbd *s, const bl_vec3 *x);
/* area.c: areas and gradients at x_next, and what they make of every particle's pull. */
void bl_pbd_measure_areas(bl_world *world, pbd *s);
/* constraints.c: multipliers of the densities at x_next; displacements by all constraints. */
void bl_pbd_weigh(bl_world *world, pbd *s);
void bl_pbd_displace(bl_world *world, pbd *s);
void bl_pbd_spread_out(bl_world *world, pbd *s); /* even spacing, at x_next */
/* How far a particle at x is from touching the plane of wall particle b. */
real bl_pbd_gap(const pbd *s, bl_index b, bl_vec3 x);
void bl_pbd_warm_start(bl_world *world, pbd *s); /* displacements by the multipliers there are */
/* project.c */
bl_status bl_pbd_project(bl_world *world, pbd *s, bl_observation *report);
/* observe.c */
void bl_pbd_observe(bl_world *world, pbd *s, bl_observation *report);
bl_status bl_pbd_check_motion(bl_world *world, pbd *s, bl_failure *failure);

#endif
