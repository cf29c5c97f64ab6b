/* What a run will take, and what looks wrong about it, before it starts. */
#ifndef BL_RUN_PLAN_H
#define BL_RUN_PLAN_H

#include "beadlet/run.h"
#include "sim/sim.h"

/* Warnings with the place they speak of in front, as they also went to the log. */
typedef struct bl_warnings {
    bl_context *ctx;
    int count;
    char **items;
} bl_warnings;
void bl_warnings_clear(bl_warnings *warnings);
bl_status bl_warnings_add(bl_warnings *warnings, bl_pos pos, const char *text);
/* Check the scene for what is allowed but suspicious: few particles per radius, gravity that swamps surface tension,
 * steps beyond the capillary limit, walls too fast for a fixed step, and what geometry finds. Each is logged and added.
 */
bl_status bl_find_warnings(const bl_sim *sim, bl_warnings *warnings);
/* The part of it about shapes (shape_warnings.c): open and self-crossing meshes, liquid inside walls. */
bl_status bl_find_shape_warnings(const bl_scene *scene, bl_warnings *warnings);

/* Time-step limits in s; INFINITY where there is none. */
typedef struct bl_step_limits {
    double cfl;       /* at the largest speed of the start */
    double force;     /* under gravity */
    double capillary; /* of the fluid with the strictest one */
    double max_step, fixed_step;
    double first;          /* what the scheme takes for its first step */
    const char *governing; /* name of what bounds that one */
} bl_step_limits;

typedef struct bl_plan {
    size_t *fluid_particles; /* per fluid */
    size_t *body_particles;  /* per boundary */
    const bl_rigid *rigid;   /* of the simulation; NULL: no rigid bodies */
    size_t fluid_total, boundary_total;
    double emitted; /* by the end, about */
    double memory;  /* bytes */
    bl_step_limits limits;
    double end;
    double steps;                                             /* about */
    int frames;                                               /* number of the last one */
    double frame_bytes, checkpoint_bytes, series_bytes, disk; /* bytes */
} bl_plan;

bl_status bl_plan_make(bl_sim *sim, double end, bl_plan *plan);
void bl_plan_clear(bl_context *ctx, bl_plan *plan);

/* --- shared with run.c --- */
double bl_run_end(const bl_scene *scene, const bl_run_options *options);
/* Number of the last frame at or before `end`; frame f is at f / frames_per_second. */
int bl_last_frame(const bl_scene *scene, double end);
double bl_frame_time(const bl_scene *scene, int frame);

#endif
