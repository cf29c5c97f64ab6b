/* Shapes and meshes to points: fluid volumes are filled, boundary surfaces are sampled. */
#ifndef BL_GEOMETRY_GEOMETRY_H
#define BL_GEOMETRY_GEOMETRY_H

#include "scene/scene.h"

/* Points with what belongs to each. Arrays that a call does not fill are NULL. Released by bl_points_clear. */
typedef struct bl_points {
    size_t count;
    bl_vec3d *x;
    bl_vec3d *normal; /* boundary: unit, out of the solid (towards the fluid) */
    double *volume;   /* boundary: rest volume V_b; h^dim for lattice samples */
    int *source;      /* fluid: index of the volume; boundary: index of the shape */
} bl_points;
void bl_points_clear(bl_context *ctx, bl_points *points);

typedef struct bl_box {
    bl_vec3d min, max;
} bl_box;
bl_box bl_points_bounds(const bl_points *points); /* empty: min > max */

/* Signed distance (negative inside) of a prepared shape; exact or a lower bound in magnitude. Loads meshes. */
typedef struct bl_solid bl_solid;
bl_status bl_solid_create(bl_context *ctx, const bl_shape *shape, int dimension, bl_solid **out);
void bl_solid_destroy(bl_context *ctx, bl_solid *solid);
double bl_solid_distance(const bl_solid *solid, bl_vec3d x);
bl_box bl_solid_bounds(const bl_solid *solid); /* infinite where the shape is */

/* All volumes of a fluid, filled with spacing h, kept at least h/2 away from the boundary's surfaces and from points
 * already placed (`taken`, may be NULL): so fluids and walls do not overlap at the start. A fluid that comes out empty
 * is an error that names it. */
bl_status bl_fill_fluid(bl_context *ctx, const bl_scene *scene, int fluid, const bl_points *walls,
                        const bl_points *taken, bl_points *out);

/* All shapes of one boundary, sampled with spacing h in `layers` layers going into the solid; sheets (planes, open
 * meshes) that have fluid on both sides get their layers centred. `fluid_bounds` sizes infinite shapes. */
bl_status bl_sample_boundary(bl_context *ctx, const bl_scene *scene, int boundary, bl_box fluid_bounds, bl_points *out);

#endif
