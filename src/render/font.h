/* The stroke font: glyphs as lines and smooth curves on a small grid. */
#ifndef BL_RENDER_FONT_H
#define BL_RENDER_FONT_H

/* Heights on the glyph grid: the base line, the top of a capital letter, and the size that text is scaled by. */
enum { BL_FONT_BASE = 6, BL_FONT_CAP = 20, BL_FONT_EM = 20, BL_FONT_GAP = 3 };

/* One glyph: `width` in grid units, `strokes` separated by spaces. A stroke is '-' (straight pieces) or '~' (a smooth
 * curve through the points), then points of two digits each, x and y, in base 36. */
typedef struct bl_glyph {
    int width;
    const char *strokes;
} bl_glyph;
bl_glyph bl_font_glyph(unsigned char code); /* a box for what the font does not have */

#endif
