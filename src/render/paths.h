/* Following light backwards from the camera. */
#ifndef BL_RENDER_PATHS_H
#define BL_RENDER_PATHS_H

#include "render/media.h"
#include "render/sampler.h"
#include "render/stage.h"

enum { BL_PATH_MAX = 16 }; /* bounces */

bool bl_is_matt(const bl_material *material); /* its light can be gathered directly from the lamps */

/* A mirror-like bounce (liquid, metal, pane) where a ray has arrived (bl_media_arrive): replaces *ray, scales *weight,
 * keeps *media. False: absorbed. */
bool bl_scatter_mirror(const bl_stage *stage, const bl_surface_point *p, bl_ray *ray, bl_vec3d *weight, bl_media *media,
                       bl_sampler *sampler);

/* Light that arrives along `ray`. */
bl_vec3d bl_path_radiance(const bl_stage *stage, bl_ray ray, bl_sampler *sampler);

#endif
