/* Sources and sinks: what appears in the world during a run and what leaves it.
 *
 * How much an emitter has put out by a time t is a function of the scene and t alone: the length of jet that has passed
 * its opening, the number of drops that are due. A step from t0 to t1 adds what is due in (t0, t1] at its end. So
 * nothing about sources is in a checkpoint: the number of particles ever made (the store's next id), the number there
 * are and the number at the start tell the rest.
 *
 *   step ─▶ hold the rows in the openings to their course ─▶ wrap ─▶ sinks ─▶ new rows and drops */
#ifndef BL_SIM_SOURCE_H
#define BL_SIM_SOURCE_H

#include "geometry/points.h"
#include "schemes/scheme.h"

/* Boxes around runs of BL_CHUNK wall particles. */
typedef struct bl_wall_map {
    bl_box *boxes;
    size_t count;
} bl_wall_map;

typedef struct bl_sources {
    bl_points *openings; /* of every emitter */
    bool *warned;        /* of every emitter: the user knows that it is held back */
    bl_solid **drains;   /* the shapes of all sinks, one after the other */
    int drain_count;
    bl_wall_map walls; /* to be brought up to date when they have moved */
    size_t filled;     /* particles that were there at the start */
} bl_sources;

/* After the world was filled. Sources inside walls are errors that name both. */
bl_status bl_sources_create(bl_world *world, bl_sources *sources);
void bl_sources_destroy(bl_world *world, bl_sources *sources);

/* The end of a step from `from` to `to`: everything in the picture above but `wrap`. */
void bl_sources_guide(bl_world *world, const bl_sources *sources, double from, double to);
bl_status bl_sources_drain(bl_world *world, const bl_sources *sources, double time);
bl_status bl_sources_emit(bl_world *world, const bl_sources *sources, double from, double to);

/* Whether the scene has any of them: if not, the three calls above do nothing. */
bool bl_sources_any(const bl_scene *scene);

/* The fastest that liquid leaves a nozzle within [from, to]. */
double bl_sources_speed(const bl_world *world, const bl_sources *sources, double from, double to);
/* The fastest that anything appears with, at any time; to tell runaways. */
double bl_sources_largest_speed(const bl_world *world, const bl_sources *sources);
/* How many particles will have appeared by `end`, about: drops without room are counted too. */
double bl_sources_expected(const bl_world *world, const bl_sources *sources, double end);
/* Beyond the scene's domain, in a direction that is not periodic. */
bool bl_domain_has_left(const bl_scene *scene, bl_vec3d x);
/* Widens `box` by all places where liquid appears. */
bl_status bl_sources_bounds(bl_context *ctx, const bl_scene *scene, bl_box *box);

/* Boxes that hold every particle which the calls for a step from `from` to `to` look at, before or after the step, but
 * for those that leave the domain. At most `max` (> 0) boxes; returns their number. */
int bl_sources_reach(const bl_world *world, const bl_sources *sources, double from, double to, bl_box *boxes, int max);

/* Speed at which a ball of that radius and density falls steadily in air of 20 degrees: the drag coefficient of
 * Schiller and Naumann, 24/Re (1 + 0.15 Re^0.687) up to Re = 1000, 0.44 beyond. */
double bl_terminal_speed(double radius, double density, double gravity);

/* --- parts --- */

/* Particles about to appear: `normal` holds the velocity, `source` the fluid, `volume` the store's `held`. */
typedef bl_point_list bl_births;
static inline bl_status bl_births_add(bl_births *births, bl_vec3d x, bl_vec3d v, int fluid, uint32_t held) {
    return bl_point_list_add(births, x, v, held, fluid);
}

/* crowd.c. The map of the walls; after they have moved, bring it up to date. */
bl_status bl_wall_map_create(bl_world *world, bl_wall_map *map);
void bl_wall_map_update(bl_world *world, const bl_wall_map *map);

/* What is already near a place. */
typedef struct bl_crowd {
    bl_vec3d *x;
    double *wall_volume;       /* of the walls */
    size_t fluid_count, count; /* fluid first, then walls */
} bl_crowd;
/* Everything within the box, births included; memory of the world's scratch arena. */
bl_status bl_crowd_find(bl_world *world, const bl_wall_map *map, const bl_births *births, bl_box box, bl_crowd *crowd);
bool bl_crowd_blocks(const bl_crowd *crowd, bl_vec3d x, double fluid_distance, double wall_distance);

/* `time` within the period of a source; `stop` 0 is never. */
static inline double bl_source_clock(double start, double stop, double time) {
    if (stop > 0 && time > stop) time = stop;
    return time > start ? time : start;
}

bl_status bl_nozzles_emit(bl_world *world, const bl_sources *sources, double from, double to, bl_births *births);
bl_status bl_drops_emit(bl_world *world, const bl_sources *sources, double from, double to, bl_births *births);
double bl_drops_largest_speed(const bl_scene *scene);
double bl_nozzles_expected(const bl_world *world, const bl_sources *sources, double end); /* particles */
double bl_drops_expected(const bl_scene *scene, double end);

#endif
