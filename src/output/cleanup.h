/* Leftovers of an earlier run in the same directory. */
#ifndef BL_OUTPUT_CLEANUP_H
#define BL_OUTPUT_CLEANUP_H

#include "output/frame.h"

/* Delete the frame files of these sets after frame `last` (-1: all), checkpoints after (`last`, `last_step`), and
 * unfinished files. Other files stay. */
bl_status bl_cleanup(bl_context *ctx, const char *dir, const bl_sets *sets, int last, uint64_t last_step);

#endif
