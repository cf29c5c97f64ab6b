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
    double *depth;    /* boundary: below the surface of the solid, against the normal */
    int *source;      /* fluid: index of the volume; boundary: index of the shape */
} bl_points;
void bl_points_clear(bl_context *ctx, bl_points *points);

typedef struct bl_box {
    bl_vec3d min, max;
} bl_box;
bl_box bl_points_bounds(const bl_points *points); /* empty: min > max */

/* Signed distance (negative inside) of a prepared shape; exact, or a lower bound in magnitude for combinations and for
 * round shapes that are scaled unevenly. Loads meshes. What shapes mean in two dimensions: geometry/solid.h. */
typedef struct bl_solid bl_solid;
bl_status bl_solid_create(bl_context *ctx, const bl_shape *shape, int dimension, bl_solid **out);
void bl_solid_destroy(bl_context *ctx, bl_solid *solid);
double bl_solid_distance(const bl_solid *solid, bl_vec3d x);
bl_box bl_solid_bounds(const bl_solid *solid); /* infinite where the shape is */

/* All volumes of a fluid, filled with spacing h (geometry/sites.h). No particle lies inside a wall, within h/2 of the
 * surface that the walls' points lie on or under, or within 0.9 h of points already placed (`walls` and `taken` may be
 * NULL): a box of whole spacings that stands on a plane keeps all its particles, the lowest h/2 above it. A fluid that
 * comes out empty is an error that names it. */
bl_status bl_fill_fluid(bl_context *ctx, const bl_scene *scene, int fluid, const bl_points *walls,
                        const bl_points *taken, bl_points *out);
/* Can all volumes of all fluids be filled? Those that have no inside, no end, or far too many particles at this spacing
 * are errors. It looks at their boxes only, so that a wrong spacing is told at once. */
bl_status bl_fill_check(bl_context *ctx, const bl_scene *scene);

/* Layers of a boundary: as many as the scene says, else 3, which reach as far as the tension does. An elastic one is
 * filled, which counts as 3. */
int bl_boundary_layers(const bl_scene *scene, int boundary);

/* All shapes of one boundary, sampled with spacing h. A single layer lies on the surface; several lie h/2, 3h/2, ...
 * below it, so that the lattice of a liquid that begins h/2 above the surface goes on in the wall. Where a solid is too
 * thin for that it has one layer on its surface. Points are a lattice on planes and boxes, rings on spheres and the
 * like, blue noise on meshes and everything else that is curved (0.75 h apart in the first of several layers), even
 * steps along outlines in 2D. A point's volume is h times its share of the layer. Sheets (planes, open meshes) face the
 * fluid; with fluid on both sides they get their layers centred, and a single one if the scene does not say how many.
 * Planes and half-spaces without a size become squares around `fluid_bounds`, wide enough for the fluid to spread:
 * three times its largest edge and 20 h. */
bl_status bl_sample_boundary(bl_context *ctx, const bl_scene *scene, int boundary, bl_box fluid_bounds, bl_points *out);
/* An elastic boundary: all its shapes filled with a lattice of spacing h, with outward normals and depths as walls of
 * several layers have them. bl_sample_boundary calls it. */
bl_status bl_fill_elastic(bl_context *ctx, const bl_scene *scene, int boundary, bl_points *out);
/* One layer on the surfaces of any shapes, facing as they were given. `stream` picks the random numbers. */
bl_status bl_sample_surface(bl_context *ctx, const bl_scene *scene, const bl_shape *shapes, int count, uint64_t stream,
                            bl_points *out);

/* The opening of an emitter: where each column of particles begins, and as `normal` the way it goes. Discs and
 * rectangles are a lattice whose points have the opening's area; surfaces are sampled as boundaries are. */
bl_status bl_sample_opening(bl_context *ctx, const bl_scene *scene, int emitter, bl_points *out);

/* The particles of a drop of that radius about the origin: a lattice with the drop's volume, at least one particle. */
bl_status bl_fill_drop(bl_context *ctx, const bl_scene *scene, double radius, bl_points *out);

#endif
