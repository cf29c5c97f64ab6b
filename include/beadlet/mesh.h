/* Surface meshes of the frames of a run. */
#ifndef BEADLET_MESH_H
#define BEADLET_MESH_H

#include "beadlet/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bl_mesh_options {
    const char *frames; /* "all" (default), "last", one number "42", or a range "10..20" */
    const char *format; /* "ply" (default), "obj" or "vtp" */
    const char *output; /* directory, made if need be; default NULL: DIRECTORY/mesh */
    double cell;        /* edge of a grid cell in m; default 0: half a particle spacing */
    int smooth;         /* smoothing steps; default 5 */
    bool anisotropic;   /* stretch kernels along sheets and threads; default false */
    double decimate;    /* keep this share of the triangles, above 0, at most 1; default 1 */
} bl_mesh_options;
BL_API bl_mesh_options bl_default_mesh_options(void);

/* Reads the run in `directory`, finished or not, and writes OUTPUT/NAME_000042.EXT: one closed mesh for each fluid and
 * frame, with normals and velocities. `options` may be NULL for the defaults; *files counts what was written (NULL is
 * allowed). Of runs in 2D the outline of each fluid is written: closed lines at z = 0, without decimation. */
BL_API bl_status bl_mesh_run(bl_context *ctx, const char *directory, const bl_mesh_options *options, int *files);

#ifdef __cplusplus
}
#endif
#endif
