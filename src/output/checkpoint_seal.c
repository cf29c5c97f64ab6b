#include "output/checkpoint_seal.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "BEADLET CHECKPOINT\nschema ";

void bl_seal_make(const void *image, size_t size, char seal[BL_SEAL_SIZE]) {
    memset(seal, 0, BL_SEAL_SIZE);
    snprintf(seal, BL_SEAL_SIZE, "%s%d\nbytes %llu\nchecksum %016llx\n", magic, BL_CHECKPOINT_SCHEMA,
             (unsigned long long)size, (unsigned long long)bl_hash(BL_HASH_START, image, size));
}

/* The number behind `key` in the text of the seal, or -1. */
static long long number_behind(const char *text, const char *key) {
    const char *at = strstr(text, key);
    return at ? strtoll(at + strlen(key), NULL, 10) : -1;
}

bl_status bl_seal_check(bl_context *ctx, const char *name, const char *bytes, size_t size) {
    char found[BL_SEAL_SIZE + 1] = "", expected[BL_SEAL_SIZE];
    if (size < strlen(magic) || memcmp(bytes, magic, strlen(magic)) != 0)
        return bl_fail(ctx, BL_ERR_DATA, "%s: not a checkpoint of this program", name);
    if (size < BL_SEAL_SIZE)
        return bl_fail(ctx, BL_ERR_DATA, "%s: cut off inside the first %d bytes", name, BL_SEAL_SIZE);
    memcpy(found, bytes, BL_SEAL_SIZE);

    long long schema = number_behind(found, "\nschema "), length = number_behind(found, "\nbytes ");
    unsigned long long there = size - BL_SEAL_SIZE;
    if (schema != BL_CHECKPOINT_SCHEMA)
        return bl_fail(ctx, BL_ERR_DATA, "%s: schema %lld, this version reads schema %d", name, schema,
                       BL_CHECKPOINT_SCHEMA);
    if (length < 0 || there < (unsigned long long)length)
        return bl_fail(ctx, BL_ERR_DATA, "%s: cut off: %llu of %lld bytes are there", name, there, length);
    bl_seal_make(bytes + BL_SEAL_SIZE, size - BL_SEAL_SIZE, expected);
    if (memcmp(expected, bytes, BL_SEAL_SIZE) != 0)
        return bl_fail(ctx, BL_ERR_DATA, "%s: damaged: its checksum does not fit its contents", name);
    return BL_OK;
}
