/* From the raw mesh of the grid to the final one: sharp contact lines, smoothing, and the blur of the kernel taken
 * back. */
#ifndef BL_SURFACE_REFINE_H
#define BL_SURFACE_REFINE_H

#include "surface/field.h"

/* The triangles around each vertex: entry k of vertex v, start[v] <= k < start[v + 1], is the triangle
 * (v, around[k][0], around[k][1]). In a closed mesh the first numbers alone list every neighbour once. */
typedef struct bl_links {
    uint32_t *start;
    uint32_t (*around)[2];
} bl_links;
bl_status bl_links_build(bl_context *ctx, const bl_surface_mesh *mesh, bl_links *out);
void bl_links_clear(bl_context *ctx, bl_links *links);

/* Per vertex, from the particles around it. */
typedef struct bl_vertex_traits {
    float bulk;   /* 1 in the bulk, 0 where particles were given more weight because the fluid is thin */
    float spread; /* of the kernels along the surface, squared, relative to isotropic ones */
} bl_vertex_traits;

/* Fill `traits`, and mesh->v if it is not NULL, by averages over the particles of fluid `phase`. x in spacings. */
bl_status bl_vertices_sample(bl_context *ctx, const bl_field *field, int phase, bl_surface_mesh *mesh,
                             bl_vertex_traits *traits);

/* Move the rim of every wall patch to where the free surface meets the wall; its vertices become CONTACT.
 * `wall_normal` (one per vertex) is filled for them. */
bl_status bl_contact_sharpen(bl_context *ctx, const bl_field *field, int phase, const bl_links *links,
                             bl_surface_mesh *mesh, float (*wall_normal)[3]);

/* Move the rim of every interface to where the free surface meets it; its vertices become SEAM. */
bl_status bl_seam_sharpen(bl_context *ctx, const bl_field *field, int phase, const bl_links *links,
                          bl_surface_mesh *mesh);

/* Put vertices that were moved into a wall back onto its surface. */
void bl_contact_keep_out(bl_context *ctx, const bl_field *field, bl_surface_mesh *mesh);

/* `steps` pairs of a smoothing and an inflating step (Taubin 1995), which leave the volume alone. Walls stay, contact
 * lines are smoothed along themselves, thin parts less than the bulk. */
bl_status bl_mesh_smooth(bl_context *ctx, const bl_links *links, const bl_vertex_traits *traits,
                         const float (*wall_normal)[3], int steps, bl_surface_mesh *mesh);

/* Move the surface out by what the kernel's blur has moved it in: half the variance times the sum of the curvatures.
 * Overwrites the normals. */
bl_status bl_mesh_restore(bl_context *ctx, const bl_links *links, const bl_vertex_traits *traits,
                          const float (*wall_normal)[3], float cell, bl_surface_mesh *mesh);

/* Unit normals from the triangles, weighted by area. At contact lines only the free side counts. */
void bl_mesh_normals(bl_context *ctx, const bl_links *links, bl_surface_mesh *mesh);

#endif
