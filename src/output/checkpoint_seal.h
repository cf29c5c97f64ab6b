/* The first 512 bytes of a checkpoint: what it is, its schema, its length and a checksum of the rest.
 *
 * HDF5 skips such a block (a "user block"), so its own tools open the file; this library checks it before HDF5 sees a
 * single byte, and so never hands it a damaged file. */
#ifndef BL_OUTPUT_CHECKPOINT_SEAL_H
#define BL_OUTPUT_CHECKPOINT_SEAL_H

#include "base/context.h"

enum { BL_CHECKPOINT_SCHEMA = 1, BL_SEAL_SIZE = 512 };

void bl_seal_make(const void *image, size_t size, char seal[BL_SEAL_SIZE]);
/* `bytes` is a whole file. BL_ERR_DATA with the reason if it is not an undamaged checkpoint of this schema. */
bl_status bl_seal_check(bl_context *ctx, const char *name, const char *bytes, size_t size);

#endif
