/* Marching cubes without a copied table: the triangles of a cell follow from the closed loops that the surface draws on
 * its six faces.
 *
 * On every face, each pair of neighbouring crossings is joined so that the inside stays on one hand. Where two
 * opposite corners of a face are inside and the other two are not, the bilinear saddle point decides whether the
 * inside is joined across the face. Both cells that share a face see the same four numbers and decide alike, so the
 * loops of all cells fit together: there are no cracks. Negating all values gives the same loops reversed, so two
 * fluids draw the same interface from both sides.
 *
 * A loop becomes a fan of triangles around that corner of it from which no diagonal lies in a face of the cell (it
 * could coincide with a diagonal of the next cell). A few long loops have no such corner; they get a fan around an
 * extra vertex in their middle.
 *
 * Corner c of a cell lies at (c & 1, c >> 1 & 1, c >> 2). */
#ifndef BL_GEOMETRY_CUBES_H
#define BL_GEOMETRY_CUBES_H

#include <stdint.h>

enum { BL_CUBE_EDGES = 12, BL_CUBE_CENTER = 12, BL_CUBE_MAX_TRIANGLES = 12 };

typedef struct bl_cube_case {
    uint8_t count;       /* triangles */
    uint8_t center_size; /* corners of the loop around the extra vertex; 0: there is none */
    uint8_t center_loop[BL_CUBE_EDGES];
    uint8_t triangle[BL_CUBE_MAX_TRIANGLES][3]; /* edges, or BL_CUBE_CENTER; counter-clockwise from outside */
} bl_cube_case;

typedef struct bl_cubes {
    uint8_t edge_corner[BL_CUBE_EDGES]; /* lower end; edge e runs along axis e / 4 */
    uint8_t edge_faces[BL_CUBE_EDGES];  /* bit f: lies in face f */
    uint8_t face_edge[6][4];            /* edge i of a face joins its corners i and i + 1 */
    uint8_t ambiguous[256];             /* bit f: the saddle of face f decides */
    bl_cube_case simple[256];           /* all saddles outside */
} bl_cubes;

void bl_cubes_init(bl_cubes *cubes);

/* The triangles of a cell with these corner values (inside: above 0). `buffer` holds the result if no stored one
 * fits. */
const bl_cube_case *bl_cubes_find(const bl_cubes *cubes, const float value[8], bl_cube_case *buffer);
/* The same from signs (bit c: corner c is inside) and the faces across which the inside is joined. */
void bl_cubes_trace(const bl_cubes *cubes, unsigned signs, unsigned joined, bl_cube_case *out);

#endif
