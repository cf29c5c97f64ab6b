/* A picture of a stage: linear light per pixel, then tones and bytes. */
#ifndef BL_RENDER_PICTURE_H
#define BL_RENDER_PICTURE_H

#include "render/canvas.h"
#include "render/stage.h"

typedef struct bl_picture {
    bl_context *ctx;
    int width, height;
    float *light; /* 3 a pixel, rows from the top */
    float *noise; /* likewise: squared half difference between the means of the even and the odd samples */
} bl_picture;

/* `samples` paths a pixel. The bytes depend on the stage, size, samples and seed only. */
bl_status bl_picture_trace(const bl_stage *stage, int width, int height, int samples, uint64_t seed, bl_picture *out);
void bl_picture_clear(bl_picture *picture); /* a zeroed one is fine */

/* Linear up to 0.7, then a shoulder that reaches white at infinity. */
double bl_tone(double light);
/* With `shoulder` false, light above 1 is cut instead: colours of values stay what they are. */
bl_status bl_picture_develop(const bl_picture *picture, double exposure, bool shoulder, bl_canvas *out);

#endif
