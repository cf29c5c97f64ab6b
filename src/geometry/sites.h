/* Lattices that fill a shape: where particles may be placed.
 *
 * Sites have the volume h^dim each. A cubic lattice lies symmetrically about the middle of the shape's box, with either
 * a site or the corner of a cell there; a hexagonal one (hexagonal close packing in 3D) with a site, the middle of a
 * bond or an octahedral gap. A site is inside when its centre is; but in small shapes, where whole shells of sites lie
 * just within or beyond the surface, the position of the lattice and a tolerance of at most h/10 are chosen so that the
 * sites have the volume of the shape. A box of whole spacings is filled exactly. */
#ifndef BL_GEOMETRY_SITES_H
#define BL_GEOMETRY_SITES_H

#include "geometry/solid.h"

#define BL_SITES_MAX 4e9

typedef struct bl_sites {
    /* Set by the caller. */
    bl_filling filling;
    int dimension;
    double h;
    double jitter; /* largest displacement along an axis, m */
    uint64_t seed, stream;
    /* Set by bl_sites_plan. */
    bl_vec3d center, shift; /* middle of the shape's box; what the lattice is moved by against it */
    long n[3];              /* sites along each axis */
    double level;           /* a site is inside when its distance is less */
} bl_sites;

/* Lay the lattice out and return its number of sites; the sites are not laid out if it is over BL_SITES_MAX. */
double bl_sites_plan(bl_context *ctx, bl_sites *sites, const bl_solid *solid);
bl_vec3d bl_sites_at(const bl_sites *sites, size_t site);
bool bl_sites_inside(const bl_sites *sites, const bl_solid *solid, size_t site);
/* The cell around a site in equal parts: how many, and the middle of one. */
int bl_sites_parts(const bl_sites *sites);
bl_vec3d bl_sites_part(const bl_sites *sites, size_t site, int part);
bl_vec3d bl_sites_jittered(const bl_sites *sites, size_t site); /* the same, for other fillings than jittered */

#endif
