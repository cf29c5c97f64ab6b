/* Grain out of traced pictures. */
#ifndef BL_RENDER_DENOISE_H
#define BL_RENDER_DENOISE_H

#include "render/picture.h"

/* Non-local means with the noise that the picture itself shows (Rousselle et al. 2012): a pixel becomes the mean of
 * those around it whose neighbourhoods differ from its own by no more than the variance of the samples explains. What
 * is no noise stays sharp, also seen through a liquid. Deterministic. */
bl_status bl_picture_denoise(bl_picture *picture);

#endif
