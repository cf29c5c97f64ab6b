/* Particles to triangle meshes: one closed mesh per fluid.
 *
 * The field. Every particle stands for the volume h^3, so sum_j h^3 W(x - x_j) is the indicator function of the fluid,
 * blurred by the kernel W. At a flat interface the blurred indicator is 1/2 exactly where the fluid ends, half a
 * spacing outside of the outermost layer: the level 1/2 follows from symmetry and is not fitted. Three corrections:
 *   - small things: a particle whose surroundings are so thin that its own field value would fall under the level
 *     (a single drop, a thread, a sheet) gets more weight, such that a lone particle becomes a ball of volume h^3;
 *   - curvature: a blur of variance s^2 moves a surface inwards by s^2/2 times the sum of its curvatures; the mesh is
 *     moved back by that amount, with the curvature taken from the mesh and averaged over about a kernel's width;
 *   - walls: the missing half of the support is divided out near boundary particles, and the mesh ends on the plane
 *     that they span.
 *
 *   particles ─▶ bins ─▶ values per particle ─▶ active blocks ─▶ field ─▶ marching cubes ─▶ smoothing ─▶ normals,
 *                                                                                                       velocities
 *
 * The grid is made of blocks of 8^3 cells that exist only near the surface. */
#ifndef BL_SURFACE_SURFACE_H
#define BL_SURFACE_SURFACE_H

#include "base/context.h"
#include "base/vec3.h"

typedef struct bl_surface_options {
    double cell;        /* edge of a grid cell in metres; 0: half a spacing */
    int smooth;         /* smoothing steps of the mesh; default 5, 0 for none */
    bool anisotropic;   /* stretch kernels along sheets (Yu and Turk 2013); default false */
    double decimate;    /* keep this share of the triangles, 0 < decimate <= 1; default 1: all. Needs meshoptimizer */
    double wall_offset; /* of the solid's surface from the boundary particles along their normals, in spacings */
} bl_surface_options;
bl_surface_options bl_default_surface_options(void);

/* What is meshed. Arrays belong to the caller; those marked (NULL) may be absent. */
typedef struct bl_surface_input {
    double spacing; /* h, metres */
    size_t count;
    const bl_vec3 *x;
    const bl_vec3 *v;                    /* (NULL: no velocities in the mesh) */
    const uint32_t *phase;               /* (NULL: all 0) fluid of each particle, below phase_count */
    int phase_count;                     /* at least 1, at most BL_SURFACE_MAX_PHASES */
    size_t wall_count;                   /* boundary particles; 0 for none */
    const bl_vec3 *wall_x, *wall_normal; /* unit normals out of the solid */
    bl_surface_options options;
} bl_surface_input;
enum { BL_SURFACE_MAX_PHASES = 16 };

/* What a vertex lies on. */
typedef enum bl_surface_kind {
    BL_SURFACE_FREE,      /* between fluid and air */
    BL_SURFACE_WALL,      /* on a solid */
    BL_SURFACE_CONTACT,   /* the line where the two meet */
    BL_SURFACE_INTERFACE, /* between two fluids */
    BL_SURFACE_SEAM       /* the line where two fluids and the air meet */
} bl_surface_kind;

/* A closed, oriented mesh: every edge belongs to two triangles that pass it in opposite directions. Triangles are
 * counter-clockwise seen from outside. Released by bl_surface_mesh_clear. */
typedef struct bl_surface_mesh {
    size_t vertex_count, triangle_count;
    bl_vec3 *x;
    bl_vec3 *normal;    /* unit, out of the fluid */
    bl_vec3 *v;         /* NULL if the input had none */
    uint8_t *kind;      /* bl_surface_kind */
    uint32_t *triangle; /* 3 vertices each */
    size_t loop_count;  /* outlines in 2D (outline.h) have closed lines in place of triangles */
    uint32_t *loop;     /* first vertex of each line, and one more; the fluid is on the left */
} bl_surface_mesh;

/* Mesh every fluid: out[0 .. phase_count). A fluid without particles gives an empty mesh, not an error. The bytes of
 * the result do not depend on the number of threads. On failure all of `out` is empty. Positions that are not finite, a
 * spacing or cell that is not positive, and a cell above one spacing are BL_ERR_DATA. */
bl_status bl_surface_build(bl_context *ctx, const bl_surface_input *input, bl_surface_mesh *out);
void bl_surface_mesh_clear(bl_context *ctx, bl_surface_mesh *mesh); /* leaves an empty mesh */

double bl_surface_mesh_volume(const bl_surface_mesh *mesh);
double bl_surface_mesh_area(const bl_surface_mesh *mesh);

#endif
