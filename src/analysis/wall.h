/* The wall that a liquid stands on. */
#ifndef BL_ANALYSIS_WALL_H
#define BL_ANALYSIS_WALL_H

#include "analysis/liquid.h"

/* Boundary particles. */
typedef struct bl_walls_sample {
    size_t count;
    bl_vec3d *x, *normal; /* unit normals out of the solid */
} bl_walls_sample;

/* All boundaries at frame `number`; empty where the run did not write them. The caller clears *out. */
bl_status bl_walls_sample_load(const bl_reader *reader, int number, bl_walls_sample *out);
void bl_walls_sample_clear(bl_context *ctx, bl_walls_sample *walls); /* a zeroed one is fine */

/* A flat wall under the liquid. The liquid begins half a spacing below the centres of its lowest layer, whose mean
 * height is measured: not where the wall's own particles lie, since the distance that the solver keeps from them is
 * not part of the liquid. */
typedef struct bl_base {
    bool found;
    bl_vec3d normal; /* into the liquid */
    double level;    /* x . normal where the liquid begins */
    double gap;      /* from the wall's particles to there; 0 if these are not known */
} bl_base;
/* From the boundary particles closer than 2h to the liquid, if their normals agree; else found is false. */
bl_status bl_base_find(bl_context *ctx, const bl_liquid *liquid, const bl_walls_sample *walls, bl_base *out);
/* The same with the direction known: level of the lowest layer along `normal` (unit), less half a spacing. Particles
 * below `floor` (-INFINITY: none) have leaked through the wall and do not count. */
bl_base bl_base_along(const bl_liquid *liquid, bl_vec3d normal, double floor);

static inline double bl_base_height(const bl_base *base, bl_vec3d x) {
    return bl_v3d_dot(x, base->normal) - base->level;
}

#endif
