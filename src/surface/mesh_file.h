/* Mesh files: PLY, OBJ and VTP. Each is written under a temporary name and renamed. */
#ifndef BL_SURFACE_MESH_FILE_H
#define BL_SURFACE_MESH_FILE_H

#include "surface/surface.h"

typedef bl_status (*bl_mesh_write_fn)(bl_context *ctx, const char *path, const bl_surface_mesh *mesh, double time);

/* Binary little-endian: x y z, nx ny nz, vx vy vz if there are velocities, kind (uchar); faces. */
bl_status bl_mesh_write_ply(bl_context *ctx, const char *path, const bl_surface_mesh *mesh, double time);
/* Text: v, vn, f. OBJ has no place for velocities. */
bl_status bl_mesh_write_obj(bl_context *ctx, const char *path, const bl_surface_mesh *mesh, double time);
/* VTK PolyData, raw appended: normal, v and kind at the points; TimeValue. */
bl_status bl_mesh_write_vtp(bl_context *ctx, const char *path, const bl_surface_mesh *mesh, double time);

bl_mesh_write_fn bl_mesh_writer(const char *format); /* "ply", "obj", "vtp"; NULL for others */

#endif
