/* Checkpoints of a simulation: what goes in and how it comes back. */
#ifndef BL_RUN_RESUME_H
#define BL_RUN_RESUME_H

#include "output/writer.h"
#include "sim/sim.h"

/* Hand the present state to the writer; `frame` is the last frame written. */
bl_status bl_run_checkpoint(bl_sim *sim, bl_writer *writer, int frame);

/* Put the newest sound checkpoint of `dir` up to `frame` (negative: any) into `sim`. Files that had to be passed over
 * are logged as warnings. *found is the frame it was written after. */
bl_status bl_run_restore(bl_sim *sim, const char *dir, int frame, int *found);

#endif
