/* Everything a run writes while it goes on: frames, series.csv, checkpoints.
 *
 *   DIR/frames/NAME_000042.vtu (.ply, .vtkhdf), DIR/frames/NAME.pvd, DIR/series.csv, DIR/bodies.csv, DIR/checkpoints/
 *
 * With `async` one thread writes behind the simulation: a call copies what it is given and returns; at most two copies
 * wait, then the call does. The files are the same either way. An error of the thread comes back from the next call or
 * from flush. Each file is written under a temporary name and renamed, so what stands there is complete. */
#ifndef BL_OUTPUT_WRITER_H
#define BL_OUTPUT_WRITER_H

#include "output/checkpoint.h"
#include "output/frame.h"
#include "rigid/rigid.h"
#include "schemes/observation.h"

typedef struct bl_writer_def {
    const char *dir;
    const bl_scene *scene; /* formats and names; must outlive the writer */
    bool async;
    bool resume;          /* keep what stands in `dir` up to the frame and step below, drop what is later; otherwise
                             frames, series and checkpoints of an earlier run are removed */
    int resume_frame;     /* last frame to keep */
    uint64_t resume_step; /* last row of series.csv to keep */
} bl_writer_def;
bl_writer_def bl_default_writer_def(void); /* async, a fresh run */

typedef struct bl_writer bl_writer;
/* Makes the directories (BL_ERR_CANT_CREATE if that fails). */
bl_status bl_writer_create(bl_context *ctx, const bl_writer_def *def, bl_writer **out);
/* Waits for what is queued; its errors are lost, so flush first. NULL is allowed. */
void bl_writer_destroy(bl_writer *writer);

/* Frame `number` (from 0, rising) of all sets. */
bl_status bl_writer_frame(bl_writer *writer, int number, double time, const bl_fluid_store *fluid,
                          const bl_boundary_store *boundary);
/* One row of series.csv. Rows reach the file at every frame and checkpoint, and once a second. */
bl_status bl_writer_row(bl_writer *writer, const bl_observation *row);
/* A row of bodies.csv for every rigid body; NULL: there are none. */
bl_status bl_writer_bodies(bl_writer *writer, uint64_t step, double time, const bl_rigid *rigid);
/* A checkpoint after all frames and rows given before; keeps the newest scene->output.keep_checkpoints (0: all). */
bl_status bl_writer_checkpoint(bl_writer *writer, const bl_checkpoint_head *head, const bl_fluid_store *fluid,
                               const bl_boundary_store *boundary, const bl_blob *blobs, int blob_count);
/* Wait until everything given so far is in its files. */
bl_status bl_writer_flush(bl_writer *writer);

#endif
