/* Light that lamps throw through liquids and off metals onto matt surfaces, as a photon map: paths from the lamps are
 * followed until they land, and what landed near a point is its extra irradiance. */
#ifndef BL_RENDER_CAUSTICS_H
#define BL_RENDER_CAUSTICS_H

#include "render/stage.h"

typedef struct bl_caustics bl_caustics;
/* `center` and `radius`: a ball around all liquids and metals, in stage units. Photons are spread over the lamps by
 * their power. *out stays NULL when there is no lamp. */
bl_status bl_caustics_create(const bl_stage *stage, bl_vec3d center, double radius, size_t photon_count, uint64_t seed,
                             bl_caustics **out);
void bl_caustics_destroy(bl_context *ctx, bl_caustics *caustics); /* NULL is allowed */
/* Irradiance at x on a surface with normal n. */
bl_vec3d bl_caustics_at(const bl_caustics *caustics, bl_vec3d x, bl_vec3d n);

#endif
