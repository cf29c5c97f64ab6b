/* Neighbour search over an unbounded or partly periodic domain: a sparse grid by sorting, then lists. */
#ifndef BL_NEIGHBOURS_NEIGHBOURS_H
#define BL_NEIGHBOURS_NEIGHBOURS_H

#include "base/arena.h"
#include "base/context.h"
#include "base/vec3.h"
#include "neighbours/image.h"
#include "neighbours/list.h"

typedef struct bl_search_def {
    int dimension;
    double near_radius, far_radius; /* 2h, 3h or a little more (schemes/kernels.h) */
    bool periodic[3];
    bl_vec3d min, max; /* the period in periodic directions */
} bl_search_def;

/* The period that the search measures distances with, for passes that must agree with it to the last bit. */
bl_period bl_search_period(const bl_search_def *def);

typedef struct bl_neighbours bl_neighbours;
bl_status bl_neighbours_create(bl_context *ctx, const bl_search_def *def, bl_neighbours **out);
void bl_neighbours_destroy(bl_neighbours *nb);

typedef struct bl_positions {
    const bl_vec3 *x;
    size_t count;
} bl_positions;

/* A pair is listed if its distance, by bl_difference, is less than the radius. Positions may lie anywhere in open
 * directions; in periodic ones they are expected within a period of the box (further out, a pair may be missed whose
 * distance is that of the radius up to rounding). A particle without a finite position has no neighbours.
 *
 * Build the lists for the current positions; memory is kept between calls. Sets given as NULL x are empty.
 * The order inside a row depends on positions and array order only, never on threads.
 *   ff of every fluid particle, fb its boundary neighbours, bf of every boundary particle its fluid neighbours. */
bl_status bl_neighbours_build(bl_neighbours *nb, bl_positions fluid, bl_positions boundary);
/* The same with one list for each group of fluid particles (groups.h) instead of ff. */
bl_status bl_neighbours_build_grouped(bl_neighbours *nb, bl_positions fluid, bl_positions boundary);
/* Boundary-boundary list, only when needed (start, moved bodies). */
bl_status bl_neighbours_build_boundary(bl_neighbours *nb, bl_positions boundary);
/* The bytes that list would hold, without making it: it is the largest of all where walls are. */
bl_status bl_neighbours_measure_boundary(bl_neighbours *nb, bl_positions boundary, size_t *bytes);

/* Lists that were not built by the last call are empty, index NULL. */
bl_list bl_neighbours_groups(const bl_neighbours *nb);
bl_list bl_neighbours_ff(const bl_neighbours *nb);
bl_list bl_neighbours_fb(const bl_neighbours *nb);
bl_list bl_neighbours_bf(const bl_neighbours *nb);
bl_list bl_neighbours_bb(const bl_neighbours *nb);
/* Boundary particles that have at least one fluid neighbour within the far radius, ascending: only these cost solver
 * time. */
const bl_index *bl_neighbours_active_boundary(const bl_neighbours *nb, size_t *count);
size_t bl_neighbours_memory(const bl_neighbours *nb); /* bytes held */

#endif
