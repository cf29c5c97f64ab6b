/* Nets of line segments, sampled at even distances: outlines in 2D, sharp edges of meshes in 3D. */
#ifndef BL_GEOMETRY_CURVES_H
#define BL_GEOMETRY_CURVES_H

#include "base/context.h"
#include "base/vec3.h"

typedef struct bl_curve_net {
    const bl_vec3d *x;
    size_t vertex_count;
    const uint32_t (*edges)[2];
    size_t edge_count;
} bl_curve_net;

typedef struct bl_curve_sample {
    bl_vec3d x;
    double length;   /* its share of the net's length */
    uint32_t edge;   /* an edge it lies on */
    uint32_t vertex; /* the vertex it is, for corners; else UINT32_MAX */
} bl_curve_sample;

/* Every corner (an end, a branching, a turn of more than 40 degrees) is a sample, and each stretch between corners is
 * divided evenly into steps as close to `h` as fit. Corners come first. The caller releases *out. */
bl_status bl_curve_net_sample(bl_context *ctx, const bl_curve_net *net, double h, bl_curve_sample **out, size_t *count);

#endif
