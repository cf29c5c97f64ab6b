/* The legend of a picture coloured by values. */
#ifndef BL_RENDER_COLORBAR_H
#define BL_RENDER_COLORBAR_H

#include "render/canvas.h"

/* At the right edge, over about half the height, with numbers; `label` and `unit` above. */
bl_status bl_colorbar_draw(bl_canvas *canvas, const char *label, const char *unit, double low, double high);

#endif
