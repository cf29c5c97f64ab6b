/* The inside of bl_solid: a tree of shapes whose leaves stand in world coordinates.
 *
 * In two dimensions every z is ignored: a sphere is a disc, an ellipsoid an ellipse, a box a rectangle, a cylinder the
 * rectangle along its axis (a disc when its axis is along z), a capsule a stadium, a torus a ring whatever its axis, a
 * plane a line, a mesh its cut with z = 0. */
#ifndef BL_GEOMETRY_SOLID_H
#define BL_GEOMETRY_SOLID_H

#include "geometry/bvh.h"
#include "geometry/frame.h"
#include "geometry/geometry.h"
#include "geometry/mesh.h"

typedef struct bl_solid_index bl_solid_index;

struct bl_solid {
    bl_shape_kind kind; /* an unevenly scaled sphere has become an ellipsoid */
    bl_pos pos;
    int dimension;
    /* Leaves. The frame of planes, half-spaces and meshes is the identity; elsewhere `center` is the frame's origin. */
    bl_frame frame;
    bl_vec3d a, b; /* box, ellipsoid: a = half edges or radii; cylinder, capsule: from, to; torus: b = axis;
                      plane, half-space: point, unit normal */
    double radius, radius2;
    bl_mesh *mesh;
    bl_bvh *bvh;
    /* Nodes. */
    int child_count;
    bl_solid *children;
    bl_solid_index *index; /* of the parts of a union, of what a difference takes away; NULL where they are few */
};

/* Inside the closed solid; for meshes by the winding number. Never for sheets. */
bool bl_solid_inside(const bl_solid *solid, bl_vec3d x);
/* A surface without an inside: a plane or an open mesh. */
bool bl_solid_is_sheet(const bl_solid *solid);
/* Unit gradient of the distance by central differences over `step`: outward normal near the surface. */
bl_vec3d bl_solid_normal(const bl_solid *solid, bl_vec3d x, double step);

#endif
