/* The solid's surface, rebuilt from boundary particles and their normals: a signed distance near the fluid. */
#ifndef BL_SURFACE_WALLS_H
#define BL_SURFACE_WALLS_H

#include "surface/bins.h"
#include "surface/surface.h"

/* Distances are known up to here, in spacings; further away the answer is BL_WALL_FAR. */
#define BL_WALL_REACH 2.0f
#define BL_WALL_FAR 4.0f

typedef struct bl_walls {
    bl_bins bins;       /* only particles that face the fluid and are near it */
    float (*normal)[3]; /* in the order of the bins */
    uint8_t *two_sided; /* fluid on both sides: a sheet */
    float offset;       /* of the surface from the particles */
    float gap;          /* between the surface and the fluid that rests on it, beyond the half spacing it should be */
} bl_walls;

/* `fluid` are the fluid's bins. With no boundary particles the result is empty. */
bl_status bl_walls_build(bl_context *ctx, const bl_surface_input *input, const bl_bins *fluid, bl_walls *out);
void bl_walls_clear(bl_context *ctx, bl_walls *walls);

/* The part of the walls that matters inside a box. */
typedef struct bl_wall_patch {
    const bl_walls *walls;
    int run_count; /* 0: no wall near */
    bl_run runs[BL_RUNS_MAX];
} bl_wall_patch;
void bl_wall_patch_find(const bl_walls *walls, const float min[3], const float max[3], bl_wall_patch *out);

/* What the walls mean for a point. */
typedef struct bl_wall_probe {
    float distance;  /* from the solid, negative inside */
    float open;      /* share of a kernel's support that fluid can fill: the part behind the walls is left out */
    float normal[3]; /* of the wall that `distance` belongs to; 0 if none is in reach */
} bl_wall_probe;
bl_wall_probe bl_walls_probe(const bl_wall_patch *patch, const float p[3]);

#endif
