/* Triangle meshes: storage, readers, edges. */
#ifndef BL_GEOMETRY_MESH_H
#define BL_GEOMETRY_MESH_H

#include "base/context.h"
#include "geometry/frame.h"

typedef struct bl_triangle {
    uint32_t v[3]; /* counter-clockwise from outside */
} bl_triangle;

typedef struct bl_mesh {
    bl_context *ctx;
    size_t vertex_count, triangle_count;
    bl_vec3d *x;
    bl_triangle *triangles;
    bool watertight; /* every edge is passed as often one way as the other */
} bl_mesh;

/* An edge and one triangle at it. Sorted by (low, high, triangle), so the triangles of an edge stand together. */
typedef struct bl_mesh_edge {
    uint32_t low, high;
    uint32_t triangle;
    bool forward; /* the triangle passes it from low to high */
} bl_mesh_edge;

/* OBJ, PLY (ASCII, binary of both byte orders), STL (ASCII, binary), told apart by their contents first, then by the
 * name. Polygons become fans. Vertices at the same place become one, triangles without area go, a watertight mesh
 * turned inside out is turned back. Errors read `path:line: ...` or `path: byte N: ...`. */
bl_status bl_mesh_read(bl_context *ctx, const char *path, bl_mesh **out);
bl_status bl_mesh_parse(bl_context *ctx, const char *data, size_t size, const char *path, bl_mesh **out);

bl_status bl_mesh_create(bl_context *ctx, bl_mesh **out); /* empty */
void bl_mesh_destroy(bl_mesh *mesh);                      /* NULL is allowed */
void bl_mesh_transform(bl_mesh *mesh, const bl_frame *frame);

/* Merge equal vertices, drop triangles without area, find out about watertightness, turn the outside out. */
bl_status bl_mesh_finish(bl_mesh *mesh, const char *path);

bl_status bl_mesh_edges(const bl_mesh *mesh, bl_mesh_edge **out, size_t *count); /* caller releases */
bl_vec3d bl_mesh_triangle_area(const bl_mesh *mesh, size_t triangle);            /* normal times area */
double bl_mesh_area(const bl_mesh *mesh);
double bl_mesh_volume(const bl_mesh *mesh); /* signed: positive if oriented outwards */

/* A mesh while it is read. */
typedef struct bl_mesh_builder {
    bl_mesh *mesh;
    size_t vertex_capacity, triangle_capacity;
} bl_mesh_builder;
bl_status bl_mesh_add_vertex(bl_mesh_builder *builder, bl_vec3d x);
bl_status bl_mesh_add_triangle(bl_mesh_builder *builder, uint32_t a, uint32_t b, uint32_t c);

/* Edges that do not have as many triangles on one side as on the other; pairs of triangles that cross each other, and
 * where the first pair does (mesh_check.c). */
bl_status bl_mesh_open_edges(const bl_mesh *mesh, size_t *open);
bl_status bl_mesh_crossings(const bl_mesh *mesh, size_t *crossings, bl_vec3d *where);

#endif
