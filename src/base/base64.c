#include "base/base64.h"

static void encode3(const unsigned char in[3], char out[4]) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out[0] = digits[in[0] >> 2];
    out[1] = digits[(in[0] & 3) << 4 | in[1] >> 4];
    out[2] = digits[(in[1] & 15) << 2 | in[2] >> 6];
    out[3] = digits[in[2] & 63];
}

void bl_base64_write(bl_base64 *stream, const void *data, size_t size) {
    const unsigned char *bytes = data;
    char block[4096];
    size_t used = 0;
    for (size_t k = 0; k < size; k++) {
        stream->rest[stream->rest_count++] = bytes[k];
        if (stream->rest_count < 3) continue;
        encode3(stream->rest, block + used);
        stream->rest_count = 0;
        used += 4;
        if (used == sizeof block) {
            fwrite(block, 1, used, stream->file);
            used = 0;
        }
    }
    fwrite(block, 1, used, stream->file);
}

void bl_base64_end(bl_base64 *stream) {
    if (stream->rest_count == 0) return;
    char last[4];
    for (int k = stream->rest_count; k < 3; k++) stream->rest[k] = 0;
    encode3(stream->rest, last);
    for (int k = stream->rest_count + 1; k < 4; k++) last[k] = '=';
    fwrite(last, 1, 4, stream->file);
    stream->rest_count = 0;
}
