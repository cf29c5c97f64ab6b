/* Parts of the boundary sampling. All add to `list` with source 0; points carry normal and rest volume. */
#ifndef BL_GEOMETRY_SAMPLE_H
#define BL_GEOMETRY_SAMPLE_H

#include "geometry/points.h"
#include "geometry/solid.h"

#define BL_SAMPLES_MAX 1e9 /* of one shape */

typedef struct bl_sampling {
    bl_context *ctx;
    double h;     /* distance of layers */
    double along; /* distance of the points of a layer */
    int dimension;
    int layers;
    int sheet_layers; /* of sheets with fluid on both sides */
    double sink;      /* how deep below the surface points will be moved, to be even there; 0: they stay */
    bool weigh;       /* whether rest volumes are wanted: not of points that go down into layers */
    uint64_t seed;
    bl_box fluid_bounds;   /* may be empty */
    const bl_scene *scene; /* whose fluids they are; may be NULL */
} bl_sampling;

/* How deep below the surface a layer (0 the outermost) lies. */
static inline double bl_layer_depth(const bl_sampling *s, int layer) {
    return s->layers > 1 ? (layer + 0.5) * s->h : 0;
}

/* Planes and half-spaces, with all layers. */
bl_status bl_sample_plane(const bl_sampling *s, const bl_solid *solid, bl_point_list *list);

/* A box in a frame without shear, as a lattice on its faces, `inset` below its surface. Nothing is added when the box
 * is thinner than that. */
bl_status bl_sample_box(const bl_sampling *s, const bl_solid *solid, double inset, bl_point_list *list);

/* The outline of a leaf in two dimensions: points at even distances along it, on its corners, with their share of
 * the length. */
bl_status bl_sample_outline(const bl_sampling *s, const bl_solid *solid, bl_point_list *list);

/* Blue noise on a mesh; the volumes, if wanted, add up to h times its area. Sharp edges get their own points. */
bl_status bl_sample_mesh(const bl_sampling *s, const bl_mesh *mesh, const bl_bvh *bvh, bl_point_list *list);

/* Whether a leaf is sampled in rings, and its points on them: evenly s->sink below its surface, or above it where it is
 * a hole of something else (`hollow`). */
bool bl_has_rings(const bl_sampling *s, const bl_solid *solid, bool hollow);
bl_status bl_sample_rings(const bl_sampling *s, const bl_solid *solid, bool hollow, bl_point_list *list);

/* Points on the surface of a solid that is not a union. */
bl_status bl_sample_skin(const bl_sampling *s, const bl_solid *solid, bl_point_list *list);

/* Move the points from `begin` on, which lie on the surface, down to the first layer, and add those below, whose points
 * are s->h from each other. */
bl_status bl_sink_layers(const bl_sampling *s, const bl_solid *solid, size_t begin, bl_point_list *list);

/* Drop the points from `begin` on that lie nearer than `distance` (times s->along) to an earlier one. */
bl_status bl_point_list_thin(const bl_sampling *s, bl_point_list *list, size_t begin, double distance);

/* Rest volumes of the points from `begin` on, from how densely they lie; they add up to h times `area`, or follow from
 * the density alone where `area` is 0. */
bl_status bl_estimate_volumes(const bl_sampling *s, bl_point_list *list, size_t begin, double area);

/* Places `depth` below the surface where the points [begin, end) of a layer leave gaps at that depth, by far more than
 * have room: without volume, to be thinned. */
bl_status bl_add_gap_places(const bl_sampling *s, size_t begin, size_t end, double depth, bl_point_list *list);

/* Without the points outside the cell of a periodic domain whose image inside is taken by another point; points lie
 * `along` from each other. */
bl_status bl_drop_images(bl_context *ctx, const bl_scene *scene, double along, bl_point_list *list);

#endif
