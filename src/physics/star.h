/* The star of a point among points of a plane: its neighbours in their Delaunay triangulation, in order.
 *
 * They are the edges of its Voronoi cell, which a box becomes when it is clipped by the bisectors x.p <= |p|^2/2 in
 * order of distance; a point further than twice the cell's furthest corner cannot cut it any more. What is left of the
 * box is where the star is open: no points are near on that side. */
#ifndef BL_PHYSICS_STAR_H
#define BL_PHYSICS_STAR_H

#include "physics/common.h"

enum { BL_STAR_MOST = 16, BL_STAR_CORNERS = BL_STAR_MOST + 4 };

/* `member[k]` and the one after it, if bit k of `links` is set, make a triangle with the centre. */
typedef struct bl_star {
    int count;
    uint32_t links;
    int member[BL_STAR_MOST];
} bl_star;

/* A convex polygon; `edge[k]` is whose bisector the edge from corner k to the next lies on, -1: the box's. */
typedef struct bl_cell {
    int count;
    real x[BL_STAR_CORNERS + 1], y[BL_STAR_CORNERS + 1];
    int edge[BL_STAR_CORNERS + 1];
} bl_cell;

BL_FN bl_cell bl_cell_box(real half) {
    bl_cell c;
    c.count = 4;
    for (int k = 0; k < 4; ++k) {
        c.x[k] = k == 1 || k == 2 ? half : -half;
        c.y[k] = k >= 2 ? half : -half;
        c.edge[k] = -1;
    }
    return c;
}

/* Signed distance of corner k from the bisector, times |p|; inside is negative. */
BL_FN real bl_cell_side(const bl_cell *c, int k, real px, real py) {
    return c->x[k] * px + c->y[k] * py - BL_R(0.5) * (px * px + py * py);
}
BL_FN void bl_cell_add(bl_cell *c, real x, real y, int edge) {
    if (c->count > BL_STAR_CORNERS) return;
    c->x[c->count] = x, c->y[c->count] = y, c->edge[c->count] = edge;
    c->count++;
}
/* Cut off what is closer to (px, py) than to the origin. */
BL_FN void bl_cell_clip(bl_cell *c, real px, real py, int who) {
    bl_cell old = *c;
    int cut = 0;
    for (int k = 0; k < old.count && !cut; ++k) cut = bl_cell_side(&old, k, px, py) > BL_R(0);
    if (!cut || old.count >= BL_STAR_CORNERS) return;
    c->count = 0;
    for (int k = 0; k < old.count; ++k) {
        int next = k + 1 < old.count ? k + 1 : 0;
        real a = bl_cell_side(&old, k, px, py), b = bl_cell_side(&old, next, px, py);
        if (a <= BL_R(0)) bl_cell_add(c, old.x[k], old.y[k], old.edge[k]);
        if ((a <= BL_R(0)) == (b <= BL_R(0))) continue;
        real t = a / (a - b), x = old.x[k] + t * (old.x[next] - old.x[k]), y = old.y[k] + t * (old.y[next] - old.y[k]);
        /* leaving: the new edge begins; entering: the old edge goes on */
        bl_cell_add(c, x, y, a <= BL_R(0) ? who : old.edge[k]);
    }
}
BL_FN real bl_cell_reach2(const bl_cell *c) {
    real most = BL_R(0);
    for (int k = 0; k < c->count; ++k) most = bl_max(most, c->x[k] * c->x[k] + c->y[k] * c->y[k]);
    return most;
}

/* The edges in order, from one after a gap if there is any. */
BL_FN bl_star bl_cell_star(const bl_cell *c) {
    bl_star star = {0, 0, {0}};
    int first = 0, closed = 1;
    for (int k = 0; k < c->count; ++k)
        if (c->edge[k] < 0) first = k, closed = 0;
    for (int n = 0; n < c->count && star.count < BL_STAR_MOST; ++n) {
        int k = (first + n) % c->count, next = (k + 1) % c->count;
        if (c->edge[k] < 0) continue;
        if (c->edge[next] >= 0 && (closed || n + 1 < c->count)) star.links |= (uint32_t)1 << star.count;
        star.member[star.count++] = c->edge[k];
    }
    return star;
}

/* Star of the origin among n points in order of their distance, within a box of that half width. Members are indices
 * of points; those closer than `apart` to the origin are left out. */
BL_FN bl_star bl_star_make(const real *px, const real *py, int n, real half, real apart) {
    bl_cell cell = bl_cell_box(half);
    for (int k = 0; k < n && cell.count; ++k) {
        real p2 = px[k] * px[k] + py[k] * py[k];
        if (p2 > BL_R(4) * bl_cell_reach2(&cell)) break;
        if (p2 > apart * apart) bl_cell_clip(&cell, px[k], py[k], k);
    }
    return bl_cell_star(&cell);
}

#endif
