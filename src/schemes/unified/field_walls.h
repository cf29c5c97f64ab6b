/* Walls as the field sees them: the points of the boundaries, but plates of one layer as two, h/2 to either side.
 *
 * A layer alone is thinner than the field's kernel can see: it has 0.73 of the area of its two faces, two layers have
 * 0.98 (docs/theory/field.md). Liquid begins where the outer half of each lies; what is twice there counts once. */
#ifndef BL_SCHEMES_UNIFIED_FIELD_WALLS_H
#define BL_SCHEMES_UNIFIED_FIELD_WALLS_H

#include "particles/store.h"

typedef struct bl_field_walls {
    size_t count;
    const bl_vec3 *x;
    const real *volume;
    const uint32_t *body;
    size_t room; /* of what follows; used where there are such plates */
    bl_vec3 *own_x;
    real *own_volume;
    uint32_t *own_body, *of; /* of: the particle that a point stands for */
} bl_field_walls;

/* From the boundaries as they are now. */
bl_status bl_field_walls_update(bl_context *ctx, const bl_boundary_store *boundary, real h, bl_field_walls *walls);
/* Forces on the points to the particles they stand for. */
void bl_field_walls_collect(const bl_field_walls *walls, const bl_vec3 *force, bl_boundary_store *boundary);
void bl_field_walls_clear(bl_context *ctx, bl_field_walls *walls);

#endif
