/* 64-bit content hash (state comparison, checkpoint checksum). Not cryptographic. */
#ifndef BL_BASE_HASH_H
#define BL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define BL_HASH_START 0xcbf29ce484222325ull
/* Fold `size` bytes into `hash`: start with BL_HASH_START. Reads 8 bytes at a time. */
uint64_t bl_hash(uint64_t hash, const void *data, size_t size);

#endif
