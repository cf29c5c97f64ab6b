#include "geometry/integrals.h"

#include "geometry/points.h"

#include <math.h>

enum { LEVELS_3D = 7, LEVELS_2D = 10 };

typedef struct octree {
    bl_solid *const *solids;
    int count;
    bool flat;
    bl_solid_integrals sum;
} octree;

static double distance_to(const octree *tree, bl_vec3d x) {
    double d = (double)INFINITY;
    for (int k = 0; k < tree->count; k++) d = fmin(d, bl_solid_distance(tree->solids[k], x));
    return d;
}

/* A share of the cube (square) of that edge around c. Its own second moments are edge^2/12 in each direction. */
static void add_cube(octree *tree, bl_vec3d c, double edge, double share) {
    double volume = share * (tree->flat ? edge * edge : edge * edge * edge), own = edge * edge / 12;
    bl_solid_integrals *m = &tree->sum;
    m->volume += volume;
    m->first = bl_v3d_mad(m->first, volume, c);
    m->second[0] += volume * (c.x * c.x + own);
    m->second[1] += volume * (c.y * c.y + own);
    m->second[2] += tree->flat ? 0 : volume * (c.z * c.z + own);
    m->second[3] += volume * c.y * c.z;
    m->second[4] += volume * c.x * c.z;
    m->second[5] += volume * c.x * c.y;
}

/* Distances are exact or too small, so a cube further from the surface than its corners is all in or all out. */
static void visit(octree *tree, bl_vec3d c, double edge, int levels) {
    double d = distance_to(tree, c), corner = 0.5 * edge * sqrt(tree->flat ? 2 : 3);
    if (d >= corner) return;
    if (d <= -corner || levels == 0) {
        add_cube(tree, c, edge, fmin(fmax(0.5 - d / edge, 0), 1));
        return;
    }
    for (int k = 0; k < (tree->flat ? 4 : 8); k++) {
        double q = 0.25 * edge;
        bl_vec3d step = bl_v3d_make(k & 1 ? q : -q, k & 2 ? q : -q, tree->flat ? 0 : k & 4 ? q : -q);
        visit(tree, bl_v3d_add(c, step), 0.5 * edge, levels - 1);
    }
}

bl_solid_integrals bl_solid_integrate(bl_solid *const *solids, int count) {
    octree tree = {.solids = solids, .count = count};
    bl_box box = bl_box_empty();
    for (int k = 0; k < count; k++) {
        bl_box one = bl_solid_bounds(solids[k]);
        box = bl_box_add(bl_box_add(box, one.min), one.max);
        tree.flat = solids[k]->dimension == 2;
    }
    if (count == 0 || bl_box_is_empty(box)) return tree.sum;
    bl_vec3d size = bl_v3d_sub(box.max, box.min), middle = bl_v3d_scale(0.5, bl_v3d_add(box.min, box.max));
    if (tree.flat) size.z = middle.z = 0;
    visit(&tree, middle, fmax(size.x, fmax(size.y, size.z)), tree.flat ? LEVELS_2D : LEVELS_3D);
    return tree.sum;
}
