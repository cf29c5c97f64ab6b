/* The inside of a simulation: the world, its scheme, and what it takes to move bodies and to repeat a failed step. */
#ifndef BL_SIM_SIM_H
#define BL_SIM_SIM_H

#include "beadlet/sim.h"
#include "rigid/rigid.h"
#include "schemes/elastic/elastic.h"
#include "schemes/scheme.h"
#include "sim/source.h"

/* Where the boundary particles stand at time 0, by id. */
typedef struct bl_rest {
    bl_vec3d *x, *normal;
    size_t count;
} bl_rest;

/* A copy of all STATE fields, to go back to when a step fails. */
typedef struct bl_snapshot {
    char *data;
    size_t capacity;
    bool walls_move, boundary_moved;
} bl_snapshot;

struct bl_sim {
    bl_context *ctx;
    const bl_scene *scene;
    bl_world world;
    const bl_scheme *scheme;
    void *scheme_state;
    bl_elastic *elastic; /* NULL: none */
    bl_rigid *rigid;     /* NULL: none */
    bl_rest rest;
    double *arms; /* of every body: how far it reaches from its pivot, m */
    bool bodies_move;
    bl_sources sources;
    bl_loan loan; /* particles that a device lends to sources and sinks */
    bl_snapshot snapshot;
    bl_observation report; /* of the last step */
    bl_failure failure;    /* of the last failed attempt */
    const char *limit;     /* what bounded the last step: "cfl", "capillary", "frame", ... */
    double typical_speed;  /* reference of the runaway check (watch.c), besides what gravity adds on the way */
    double max_gravity;
    bl_vec3d center;       /* of the fluid at the start, or of its sources */
    uint64_t retries;      /* attempts that failed, in total */
    uint64_t trouble_step; /* first step of the present run of failing steps; 0: none */
    double trouble_time;
};

/* The largest step that the scene and the scheme allow now, and the name of what bounds it. */
double bl_sim_step_limit(bl_sim *sim, const char **which);

/* After the stores and numbers of sim->world were replaced by a checkpoint's: check that they belong to this scene and
 * make everything derived fit again. BL_ERR_DATA with the reason if they don't. */
bl_status bl_sim_resumed(bl_sim *sim);

/* Bring the stores up to date with a device; nothing to do on the CPU. Whoever reads them calls this before. After an
 * error of the device, which is returned, they are no state of the run. */
bl_status bl_sim_fetch(const bl_sim *sim);

/* Cell of the space-filling curve: about a particle each, so that eight in a row are as near each other as can be. */
static inline double bl_sort_cell(const bl_scene *scene) { return scene->spacing; }

/* --- parts, each in the file of its name --- */
bl_status bl_fill_world(bl_world *world, bl_rest *rest);                                   /* fill.c */
bl_status bl_snapshot_save(bl_snapshot *snapshot, const bl_world *world, bool walls_move); /* snapshot.c */
void bl_snapshot_restore(const bl_snapshot *snapshot, bl_world *world);
bl_status bl_exchange(bl_sim *sim, double start, double end); /* exchange.c: sources, sinks, periodic directions */
bool bl_exchanges(const bl_scene *scene);                     /* there are any of these */
void bl_watch_start(bl_sim *sim);                             /* watch.c */
bl_status bl_watch_step(bl_sim *sim, double dt);
/* The most that any wall moves at within [from, to], m/s; *fastest (may be NULL) is that body. */
double bl_bodies_speed(const bl_sim *sim, double from, double to, int *fastest);
bl_status bl_bodies_set_velocity(bl_sim *sim, double from, double to); /* bodies.c */
bl_status bl_bodies_place(bl_sim *sim, double time);

#endif
