/* Multiply-and-fold hash, 8 bytes a round. */
#include "base/hash.h"

#include <string.h>

static uint64_t fold(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    return hash ^ (hash >> 32);
}

uint64_t bl_hash(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t word;
    size_t i = 0;
    for (; i + sizeof word <= size; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = fold(hash, word);
    }
    /* The rest, and the size: trailing zero bytes count. */
    word = 0;
    if (i < size) memcpy(&word, bytes + i, size - i);
    return fold(fold(hash, word), size);
}
