/* Neighbours of eight particles at once.
 *
 * Particles are sorted along a curve, so eight in a row are near each other and share most of their neighbours. A group
 * lists whatever is a neighbour of any of them, themselves included: a loop over it works on all eight side by side,
 * with one load a neighbour instead of eight. For most of them a neighbour is out of reach, where the kernel is zero.
 * Half of the work is in vain, and the loop is still several times as fast. */
#ifndef BL_NEIGHBOURS_GROUPS_H
#define BL_NEIGHBOURS_GROUPS_H

#include "neighbours/rows.h"

enum { BL_GROUP = 8 };

static inline size_t bl_group_count(size_t n_particles) { return (n_particles + BL_GROUP - 1) / BL_GROUP; }

/* What a row begins with: how many of its numbers come in pairs, one for the first and one for the last half of the
 * group (halves.h). */
enum { BL_GROUP_NEAR_PAIRS, BL_GROUP_FAR_PAIRS, BL_GROUP_HEAD };

/* One row for every BL_GROUP particles in a row of the caller's array behind `grid`. After its head: near neighbours of
 * both halves, pairs of near ones, far ones of both, pairs of far ones. A half meets every particle within the near
 * radius of one of its own among the near ones, and every other one within the far radius once among either; whatever
 * else it meets is beyond that. `near` and `all` do not count the head. Particles without a finite position neither
 * have neighbours nor are any. The order inside a row depends on positions and array order only. An empty row comes
 * last. */
bl_status bl_groups_build(bl_context *ctx, bl_rows *groups, const bl_grid *grid, bl_positions particles,
                          const bl_pair_test *test);

#endif
