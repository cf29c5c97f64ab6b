/* Cell coordinates over an unbounded or partly periodic domain.
 *
 * Along an open axis the cells are the multiples of the edge; the frame covers up to 2^21 of them around the bulk of
 * the particles, and what lies further out is counted to the outermost cell. Along a periodic axis a whole number of
 * cells makes the period. */
#ifndef BL_PARTICLES_FRAME_H
#define BL_PARTICLES_FRAME_H

#include "base/context.h"
#include "base/vec3.h"

enum { BL_FRAME_AXIS_BITS = 21, BL_FRAME_MAX_CELLS = 1 << BL_FRAME_AXIS_BITS };

typedef enum bl_axis_kind { BL_AXIS_OPEN, BL_AXIS_PERIODIC, BL_AXIS_UNUSED } bl_axis_kind;

typedef struct bl_axis {
    bl_axis_kind kind;
    double scale;  /* open: cells per metre; periodic: periods per metre */
    double origin; /* open: number of the first cell; periodic: where the period starts */
    uint32_t n_cells;
} bl_axis;

typedef struct bl_frame {
    bl_axis axis[3];
} bl_frame;

bl_axis bl_axis_open(double edge);
/* Cells at least `min_edge` long; at least one. */
bl_axis bl_axis_periodic(double start, double period, double min_edge);
bl_axis bl_axis_unused(void); /* everything in cell 0 */

/* Place the open axes around `count` sets of positions (n_x[s] positions at x[s]). */
void bl_frame_fit(bl_context *ctx, bl_frame *frame, int n_sets, const bl_vec3 *const *x, const size_t *n_x);

static inline double bl_v3_component(bl_vec3 x, int axis) {
    return axis == 0 ? (double)x.x : axis == 1 ? (double)x.y : (double)x.z;
}

/* The cell of one coordinate, which must be finite. */
static inline uint32_t bl_axis_cell(const bl_axis *axis, double x) {
    double cell = 0;
    if (axis->kind == BL_AXIS_OPEN) {
        cell = floor(x * axis->scale) - axis->origin;
    } else if (axis->kind == BL_AXIS_PERIODIC) {
        double t = (x - axis->origin) * axis->scale;
        cell = floor((t - floor(t)) * axis->n_cells);
    }
    if (cell <= 0) return 0;
    return cell < axis->n_cells ? (uint32_t)cell : axis->n_cells - 1;
}

/* The cell of a position; false if a coordinate in use is not finite. */
static inline bool bl_frame_cell(const bl_frame *frame, bl_vec3 x, uint32_t cell[3]) {
    for (int a = 0; a < 3; a++) {
        double value = frame->axis[a].kind == BL_AXIS_UNUSED ? 0 : bl_v3_component(x, a);
        if (!isfinite(value)) return false;
        cell[a] = bl_axis_cell(&frame->axis[a], value);
    }
    return true;
}

#endif
