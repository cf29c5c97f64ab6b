/* Files: whole reads, and writes that appear under their name only when complete. */
#ifndef BL_BASE_FILE_H
#define BL_BASE_FILE_H

#include "base/context.h"
#include <stdio.h>

/* Whole file into memory with a terminating zero byte (not counted). The caller releases *out with bl_release. */
bl_status bl_file_read(bl_context *ctx, const char *path, char **out, size_t *size);
bool bl_file_exists(const char *path);
bl_status bl_dir_create(bl_context *ctx,
                        const char *path); /* with parents; an existing one is fine; else CANT_CREATE */

/* A file that is written as PATH.part and renamed to PATH by commit. */
typedef struct bl_outfile {
    FILE *stream;
    char *path, *part;
} bl_outfile;
bl_status bl_outfile_open(bl_context *ctx, const char *path, bl_outfile *out);
/* Flush, check for write errors (a full disk is BL_ERR_IO), close, rename. */
bl_status bl_outfile_commit(bl_context *ctx, bl_outfile *file);
void bl_outfile_abandon(bl_context *ctx, bl_outfile *file); /* close and delete the part */

#endif
