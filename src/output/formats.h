/* The frame formats, one function each: a whole file, under a temporary name until it is complete. */
#ifndef BL_OUTPUT_FORMATS_H
#define BL_OUTPUT_FORMATS_H

#include "base/file.h"
#include "output/frame.h"

/* Files hold the machine's own bytes, and say they are little endian. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the file formats are written little endian");

/* VTK's XML format: points, one vertex cell a point, all arrays, the time as field data "TimeValue". Raw appended data,
 * or base64 inside each array for readers that want valid XML. No compression. */
bl_status bl_vtu_write(bl_context *ctx, const char *path, const bl_frame *frame, bool base64);
/* Binary PLY of float and uint properties: x y z, then each array (v: vx vy vz, normal: nx ny nz, f_st: f_st_x ...). */
bl_status bl_ply_write(bl_context *ctx, const char *path, const bl_frame *frame);
/* VTKHDF 1.0, an UnstructuredGrid of one time. */
bl_status bl_vtkhdf_write(bl_context *ctx, const char *path, const bl_frame *frame);

/* Close a file written so far: commit if `status` is BL_OK and all bytes went out, else delete it. Keeps the error. */
bl_status bl_finish_file(bl_context *ctx, bl_outfile *file, bl_status status);

#endif
