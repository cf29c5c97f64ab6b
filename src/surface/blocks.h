/* The sparse grid: the blocks that the surface of any fluid may cross. */
#ifndef BL_SURFACE_BLOCKS_H
#define BL_SURFACE_BLOCKS_H

#include "surface/field.h"

typedef struct bl_blocks {
    const bl_field *field;
    size_t count, capacity;
    uint64_t *key; /* cell keys of block coordinates */
    float *values; /* bl_field_arrays x BL_BLOCK_VALUES each */
    uint64_t *sorted_key;
    uint32_t *sorted; /* blocks in the order of their keys */
} bl_blocks;

/* Blocks around all particles near a surface, and then every further block that a surface enters: the surface never
 * leaves the set. */
bl_status bl_blocks_build(bl_context *ctx, const bl_field *field, bl_blocks *out);
void bl_blocks_clear(bl_context *ctx, bl_blocks *blocks);

static inline const float *bl_block_values(const bl_blocks *blocks, size_t b) {
    return blocks->values + b * (size_t)bl_field_arrays(blocks->field) * BL_BLOCK_VALUES;
}
#define BL_NO_BLOCK UINT32_MAX
uint32_t bl_blocks_find(const bl_blocks *blocks, const int32_t cell[3]);

/* The smallest term of fluid `phase` at every node: positive inside. */
void bl_block_combined(const bl_blocks *blocks, size_t b, int phase, float out[BL_BLOCK_VALUES]);

#endif
