/* Neighbours of eight particles at once.
 *
 * Particles are sorted along a curve, so eight in a row are near each other and share most of their neighbours. A group
 * lists whatever is a neighbour of any of them, themselves included: a loop over it works on all eight side by side,
 * with one load a neighbour instead of eight. For most of them a neighbour is out of reach, where the kernel is zero.
 * Half of the work is in vain, and the loop is still twice as fast. */
#ifndef BL_NEIGHBOURS_GROUPS_H
#define BL_NEIGHBOURS_GROUPS_H

#include "base/context.h"
#include "neighbours/list.h"

enum {
    BL_GROUP = 8,
    BL_GROUP_ROOM = 384 /* neighbours a group can have; a bulk of liquid has 265 */
};

/* Group b: near[b] neighbours within the near radius of one of its particles, then the others up to all[b], from
 * index[b * BL_GROUP_ROOM] on. all[b] = 0: too many, take its particles one by one. */
typedef struct bl_group_list {
    const bl_index *near, *all, *index;
} bl_group_list;

typedef struct bl_groups {
    bl_index *near, *all, *index;
    size_t capacity; /* groups */
} bl_groups;

void bl_groups_clear(bl_context *ctx, bl_groups *groups);
/* From the rows of `count` particles. */
bl_status bl_groups_build(bl_context *ctx, bl_groups *groups, bl_list rows, size_t count);
size_t bl_groups_memory(const bl_groups *groups);

#endif
