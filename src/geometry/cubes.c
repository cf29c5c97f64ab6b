/* Triangles of a marching-cubes cell from the loops on its faces. */
#include "geometry/cubes.h"

#include <stdbool.h>
#include <string.h>

/* Corners of each face, counter-clockwise seen from outside the cell. */
static const uint8_t face_corner[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                          {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

enum { NONE = 255 };

/* Edges are numbered by axis, then by the corner they start at. */
static uint8_t edge_between(unsigned a, unsigned b) {
    const unsigned low = a < b ? a : b;
    switch (a ^ b) {
    case 1: return (uint8_t)(low >> 1);
    case 2: return (uint8_t)(4 + ((low & 1) | (low >> 2) << 1));
    default: return (uint8_t)(8 + low);
    }
}

static unsigned inside_of_face(unsigned signs, int f) {
    unsigned in = 0;
    for (int i = 0; i < 4; i++) in |= (signs >> face_corner[f][i] & 1) << i;
    return in;
}

void bl_cubes_init(bl_cubes *cubes) {
    memset(cubes, 0, sizeof *cubes);
    for (int f = 0; f < 6; f++) {
        for (int i = 0; i < 4; i++) {
            const uint8_t a = face_corner[f][i], b = face_corner[f][(i + 1) & 3];
            const uint8_t e = edge_between(a, b);
            cubes->face_edge[f][i] = e;
            cubes->edge_faces[e] |= (uint8_t)(1u << f);
            cubes->edge_corner[e] = a < b ? a : b;
        }
    }
    for (unsigned signs = 0; signs < 256; signs++) {
        for (int f = 0; f < 6; f++) {
            const unsigned in = inside_of_face(signs, f);
            if (in == 5 || in == 10) cubes->ambiguous[signs] |= (uint8_t)(1u << f);
        }
        bl_cubes_trace(cubes, signs, 0, &cubes->simple[signs]);
    }
}

/* Join the crossings of one face: next[] leads from an edge where the inside ends (going round the face) to one where
 * it begins. With one such pair there is no choice; with two, the segment turns around the inside corner it has just
 * left (i - 1), or, with the inside joined across the face, around the outside corner ahead (i + 1). */
static void join_face(const bl_cubes *cubes, unsigned signs, int f, unsigned joined, uint8_t *next) {
    const unsigned in = inside_of_face(signs, f);
    const bool ambiguous = in == 5 || in == 10;
    for (unsigned i = 0; i < 4; i++) {
        if (!(in >> i & 1) || (in >> ((i + 1) & 3) & 1)) continue;
        unsigned j = (i + (joined >> f & 1 ? 1 : 3)) & 3;
        while (!ambiguous && ((in >> j & 1) || !(in >> ((j + 1) & 3) & 1))) j = (j + 1) & 3;
        next[cubes->face_edge[f][i]] = cubes->face_edge[f][j];
    }
}

static void add_triangle(bl_cube_case *out, uint8_t a, uint8_t b, uint8_t c) {
    uint8_t *const t = out->triangle[out->count++];
    t[0] = a, t[1] = c, t[2] = b; /* loops turn clockwise seen from outside the fluid */
}

/* The first corner, by number of its edge, whose diagonals all stay off the faces; NONE if there is none. The choice
 * does not depend on the direction of the loop. */
static int fan_corner(const bl_cubes *cubes, const uint8_t *loop, int n) {
    int best = NONE;
    for (int a = 0; a < n; a++) {
        bool clear = true;
        for (int k = 2; k <= n - 2; k++) clear &= !(cubes->edge_faces[loop[a]] & cubes->edge_faces[loop[(a + k) % n]]);
        if (clear && (best == NONE || loop[a] < loop[best])) best = a;
    }
    return best;
}

static void fill_loop(const bl_cubes *cubes, const uint8_t *loop, int n, bl_cube_case *out) {
    const int a = fan_corner(cubes, loop, n);
    if (a != NONE) {
        for (int k = 1; k < n - 1; k++) add_triangle(out, loop[a], loop[(a + k) % n], loop[(a + k + 1) % n]);
        return;
    }
    out->center_size = (uint8_t)n;
    memcpy(out->center_loop, loop, (size_t)n);
    for (int k = 0; k < n; k++) add_triangle(out, BL_CUBE_CENTER, loop[k], loop[(k + 1) % n]);
}

void bl_cubes_trace(const bl_cubes *cubes, unsigned signs, unsigned joined, bl_cube_case *out) {
    uint8_t next[BL_CUBE_EDGES];
    memset(next, NONE, sizeof next);
    memset(out, 0, sizeof *out);
    for (int f = 0; f < 6; f++) join_face(cubes, signs, f, joined, next);
    for (int start = 0; start < BL_CUBE_EDGES; start++) {
        uint8_t loop[BL_CUBE_EDGES];
        int n = 0;
        for (uint8_t e = (uint8_t)start; next[e] != NONE; n++) {
            loop[n] = e;
            e = next[e];
            next[loop[n]] = NONE; /* done with it */
        }
        if (n > 0) fill_loop(cubes, loop, n, out);
    }
}

/* Does the bilinear saddle of this face lie inside? */
static bool is_saddle_inside(const float value[8], int f) {
    const float a = value[face_corner[f][0]], b = value[face_corner[f][1]];
    const float c = value[face_corner[f][2]], d = value[face_corner[f][3]];
    return a > 0.0f ? a * c > b * d : b * d > a * c;
}

const bl_cube_case *bl_cubes_find(const bl_cubes *cubes, const float value[8], bl_cube_case *buffer) {
    unsigned signs = 0, joined = 0;
    for (unsigned c = 0; c < 8; c++) signs |= (unsigned)(value[c] > 0.0f) << c;
    for (int f = 0; f < 6; f++) {
        if (cubes->ambiguous[signs] >> f & 1) joined |= (unsigned)is_saddle_inside(value, f) << f;
    }
    if (!joined) return &cubes->simple[signs];
    bl_cubes_trace(cubes, signs, joined, buffer);
    return buffer;
}
