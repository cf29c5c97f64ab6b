/* Which liquids a ray is in. Every liquid of a stage is a medium, numbered as they are added. Liquids that touch
 * overlap by a hair, so that their two surfaces are never at the same place; where they overlap, the medium with the
 * lowest number fills the place (Schmidt and Budge 2002, "Simple nested dielectrics in ray traced images"). So light
 * meets one interface between them, with the refractive indices of both. */
#ifndef BL_RENDER_MEDIA_H
#define BL_RENDER_MEDIA_H

#include "render/stage.h"

typedef uint32_t bl_media; /* bit m: inside of medium m; 0: in air */

/* A ray at a liquid's surface; NULL is air. */
typedef struct bl_crossing {
    const bl_material *from, *to;
    bl_media after; /* when it goes through */
} bl_crossing;

/* The ray has come to p: *weight loses what was absorbed on the way, *media is set right about p's own liquid. */
void bl_media_arrive(const bl_stage *stage, const bl_surface_point *p, bl_media *media, bl_vec3d *weight);
/* What is on both sides of p, on a liquid's surface where a ray has arrived. */
bl_crossing bl_media_cross(const bl_stage *stage, const bl_surface_point *p, bl_media media);
/* Refractive index behind p over that in front of it. */
double bl_crossing_eta(const bl_crossing *crossing);

#endif
