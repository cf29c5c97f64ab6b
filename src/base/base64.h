/* Base64 of a stream of bytes that comes in pieces. */
#ifndef BL_BASE_BASE64_H
#define BL_BASE_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* Start with {.file = stream}; write errors stay in the stream (ferror). */
typedef struct bl_base64 {
    FILE *file;
    unsigned char rest[3];
    int rest_count;
} bl_base64;

void bl_base64_write(bl_base64 *stream, const void *data, size_t size);
void bl_base64_end(bl_base64 *stream); /* the last digits; the next write starts anew */

#endif
