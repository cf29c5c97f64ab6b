/* Checkpoints: the whole state of a run in one HDF5 file, to go on bit for bit.
 *
 * Held: all STATE fields of both stores, next ids, time, dt, step, frame, and blobs that the simulation names itself.
 * A file carries a schema version, the precision, a hash of the scene and a checksum of everything; a reader refuses
 * what does not fit and says why.
 *
 *   512 bytes    seal (checkpoint_seal.h)
 *   /            attributes version, precision, frame, step, time, dt, scene_hash
 *   /fluid       attributes count, next_id; one array a STATE field, of `count` items or `count` x 3
 *   /boundary    likewise
 *   /blobs       one array of bytes a blob */
#ifndef BL_OUTPUT_CHECKPOINT_H
#define BL_OUTPUT_CHECKPOINT_H

#include "base/context.h"
#include "particles/store.h"
#include "scene/scene.h"

typedef struct bl_checkpoint_head {
    int frame;           /* last frame written */
    uint64_t step;       /* steps done */
    double time, dt;     /* dt of the last step */
    uint64_t scene_hash; /* bl_checkpoint_scene_hash */
} bl_checkpoint_head;

/* State that is neither a particle field nor in the head: a name and bytes. */
typedef struct bl_blob {
    const char *name;
    const void *data;
    size_t size;
} bl_blob;

typedef struct bl_checkpoint {
    bl_context *ctx;
    bl_checkpoint_head head;
    char *path;
    bl_fluid_store fluid; /* owned; to take one over, copy the struct and init this one anew */
    bl_boundary_store boundary;
    int blob_count;
    bl_blob *blobs; /* owned */
} bl_checkpoint;

/* Hash of all that decides the course of a run: the resolved scene without its end time, output, camera and look. */
bl_status bl_checkpoint_scene_hash(const bl_scene *scene, uint64_t *hash);

bl_status bl_checkpoint_write(bl_context *ctx, const char *path, const bl_checkpoint_head *head,
                              const bl_fluid_store *fluid, const bl_boundary_store *boundary, const bl_blob *blobs,
                              int blob_count);
/* The bytes of such a file; the caller releases *bytes. */
bl_status bl_checkpoint_encode(bl_context *ctx, const char *name, const bl_checkpoint_head *head,
                               const bl_fluid_store *fluid, const bl_boundary_store *boundary, const bl_blob *blobs,
                               int blob_count, char **bytes, size_t *size);
/* Bytes to a file, safe on disk before the file gets its name. */
bl_status bl_checkpoint_save(bl_context *ctx, const char *path, const char *bytes, size_t size);
/* BL_ERR_NO_INPUT: no such file; BL_ERR_DATA: refused, the message says why. On failure *out is empty. */
bl_status bl_checkpoint_read(bl_context *ctx, const char *path, bl_checkpoint *out);
bl_status bl_checkpoint_parse(bl_context *ctx, const char *name, const char *bytes, size_t size, bl_checkpoint *out);
void bl_checkpoint_clear(bl_checkpoint *checkpoint);                                  /* a zeroed one is fine */
const bl_blob *bl_checkpoint_blob(const bl_checkpoint *checkpoint, const char *name); /* NULL if there is none */

/* DIR/checkpoints/frame_000042_step_000001234.h5; the caller releases it. NULL: no memory. */
char *bl_checkpoint_path(bl_context *ctx, const char *dir, int frame, uint64_t step);

typedef struct bl_refusal {
    char *path, *reason;
} bl_refusal;
typedef struct bl_refusals {
    bl_context *ctx;
    int count;
    bl_refusal *items;
} bl_refusals;
void bl_refusals_clear(bl_refusals *refusals);

/* The newest sound checkpoint of DIR at or before `frame` (negative: of all), loaded. `scene_hash` 0: any scene will
 * do. Newer ones that were refused are listed with their reasons (`refused` may be NULL), also when nothing is found:
 * BL_ERR_NO_INPUT if there is no candidate at all, BL_ERR_DATA if all were refused. */
bl_status bl_checkpoint_find(bl_context *ctx, const char *dir, int frame, uint64_t scene_hash, bl_checkpoint *out,
                             bl_refusals *refused);
/* Delete all but the newest `keep` checkpoints of DIR; 0 keeps all. */
bl_status bl_checkpoint_prune(bl_context *ctx, const char *dir, int keep);

#endif
