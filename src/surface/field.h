/* The scalar fields: one blurred indicator per fluid, and the distance from the walls. Lengths in spacings. */
#ifndef BL_SURFACE_FIELD_H
#define BL_SURFACE_FIELD_H

#include "surface/bins.h"
#include "surface/kernel.h"
#include "surface/surface.h"
#include "surface/walls.h"

/* A block: 8^3 cells, thus 9^3 nodes, the last of each row shared with the next block and computed by both, bit for bit
 * alike. Rows are padded to 12. */
enum { BL_BLOCK = 8, BL_NODES = 9, BL_ROW = 12, BL_BLOCK_VALUES = BL_NODES * BL_NODES * BL_ROW };
static inline int bl_node(int x, int y, int z) { return (z * BL_NODES + y) * BL_ROW + x; }

typedef struct bl_field {
    const bl_surface_input *input;
    int phases;
    float cell;  /* edge of a grid cell */
    float reach; /* of the widest kernel */
    bl_bins bins;
    bl_walls walls;
    /* per particle, in the order of the bins: */
    int32_t *phase;
    float *weight;    /* 1 in the bulk, more where the fluid is thin */
    bool *near;       /* a surface: there is little of its own fluid around it, or all is to one side */
    float (*form)[6]; /* quadratic form xx, yy, zz, xy, xz, yz of the kernel; NULL: isotropic, 1/H^2 */
    float *spread;    /* with form: square of the kernel's middle axis, relative to the isotropic one */
} bl_field;

/* Values that decide what a place belongs to, for one fluid; all are distances in spacings, positive inside. */
typedef struct bl_terms {
    float free;      /* from the surface of all fluids together */
    float wall;      /* from the wall */
    float interface; /* from the nearest other fluid */
} bl_terms;
static inline float bl_terms_min(bl_terms t) {
    const float m = t.free < t.wall ? t.free : t.wall;
    return m < t.interface ? m : t.interface;
}

bl_status bl_field_init(bl_context *ctx, const bl_surface_input *input, bl_field *field);
void bl_field_clear(bl_context *ctx, bl_field *field);

/* Arrays of a block: the field of each fluid; then, if there are walls, the distance from them and the open share. */
static inline int bl_field_arrays(const bl_field *field) {
    return field->phases + (field->walls.bins.count > 0 ? 2 : 0);
}
/* Evaluate all of them for the block at these block coordinates: bl_field_arrays x BL_BLOCK_VALUES. */
void bl_field_evaluate(const bl_field *field, const int32_t block[3], float *values);
/* The terms of fluid `phase` at node `n` of a block evaluated so. */
bl_terms bl_field_terms(const bl_field *field, const float *values, int phase, int n);
/* The same at any point; `normal` (may be NULL) is the wall's, if one is near. */
bl_terms bl_field_terms_at(const bl_field *field, int phase, const float p[3], float normal[3]);

#endif
