/* HDF5 files made and read in memory.
 *
 * Bytes go to and from the disk through base/file.h like everything else: a full disk is an ordinary error then, and a
 * file is checked before HDF5 looks at it. Calls on one bl_h5 chain: after the first failure the others do nothing, and
 * the end call reports it.
 *
 * HDF5 keeps its state per process and need not be built thread safe: begin takes a process-wide lock, end gives it
 * back. Its printing of errors is off in between. */
#ifndef BL_OUTPUT_HDF5_FILE_H
#define BL_OUTPUT_HDF5_FILE_H

#include "base/context.h"

#include <hdf5.h>

typedef struct bl_h5 {
    bl_context *ctx;
    const char *name; /* of the file, for messages */
    hid_t file;
    bl_status status;
    H5E_auto2_t saved_print; /* the process's way of printing errors, given back at the end */
    void *saved_user;
} bl_h5;

/* Writing. `expected` bytes is a hint for the size. */
bl_h5 bl_h5_begin_write(bl_context *ctx, const char *name, size_t expected);
hid_t bl_h5_group(bl_h5 *h5, hid_t parent, const char *name); /* close with H5Gclose */
/* columns 0: a list of `rows` items; else rows x columns. */
void bl_h5_put(bl_h5 *h5, hid_t parent, const char *name, hid_t type, size_t rows, size_t columns, const void *data);
void bl_h5_put_attribute(bl_h5 *h5, hid_t object, const char *name, hid_t type, size_t count, const void *data);
void bl_h5_put_text(bl_h5 *h5, hid_t object, const char *name, const char *text);
/* The finished file; the caller releases *bytes. Closes everything whether or not all went well. */
bl_status bl_h5_end_write(bl_h5 *h5, char **bytes, size_t *size);

/* Reading. Every mismatch of shape or type is BL_ERR_DATA with a message that names the place. */
bl_h5 bl_h5_begin_read(bl_context *ctx, const char *name, const void *bytes, size_t size);
hid_t bl_h5_open_group(bl_h5 *h5, hid_t parent, const char *name); /* close with H5Gclose */
void bl_h5_get(bl_h5 *h5, hid_t parent, const char *name, hid_t type, size_t rows, size_t columns, void *data);
void bl_h5_get_attribute(bl_h5 *h5, hid_t object, const char *name, hid_t type, void *data);
void bl_h5_get_text(bl_h5 *h5, hid_t object, const char *name, char *text, size_t capacity);
bl_status bl_h5_end_read(bl_h5 *h5);

/* Record a failure; the first one stays. */
void bl_h5_fail(bl_h5 *h5, bl_status status, const char *fmt, ...) BL_PRINTF(3, 4);

#endif
