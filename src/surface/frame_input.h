/* Particles of one frame of a run, ready for bl_surface_build. */
#ifndef BL_SURFACE_FRAME_INPUT_H
#define BL_SURFACE_FRAME_INPUT_H

#include "output/reader.h"
#include "surface/surface.h"

/* Positions and vectors of the fluids and boundaries of a run; `input` points into them. */
typedef struct bl_frame_input {
    const bl_reader *reader;
    bl_surface_input input;
    double time;
    bl_vec3 *x, *v;
    uint32_t *phase;
    bl_vec3 *wall_x, *wall_normal;
    size_t fixed_walls; /* the first of the wall's, read once */
    bool fixed_loaded;
} bl_frame_input;

/* The reader must stay open. */
bl_status bl_frame_input_init(const bl_reader *reader, bl_frame_input *out);
/* Load frame `number` in place of the one before; boundaries that never move stay. */
bl_status bl_frame_input_load(bl_frame_input *frame, int number);
void bl_frame_input_clear(bl_frame_input *frame);

#endif
