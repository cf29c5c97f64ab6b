/* Parallel loops whose results do not depend on the number of threads.
 *
 * Work is cut into chunks of a fixed size, never into one piece per thread; a reduction adds up each chunk in index
 * order and then the chunks in chunk order, in double. */
#ifndef BL_BASE_PARALLEL_H
#define BL_BASE_PARALLEL_H

#include "base/context.h"

enum { BL_CHUNK = 1024 };

typedef void (*bl_range_fn)(void *user, size_t begin, size_t end);
/* Calls fn on disjoint chunks covering [0, count), in any order, on bl_threads(ctx) threads. */
void bl_parallel_for(bl_context *ctx, size_t count, size_t chunk, bl_range_fn fn, void *user);

enum { BL_REDUCE_MAX_WIDTH = 32 };
typedef enum bl_reduce_op { BL_REDUCE_SUM, BL_REDUCE_MIN, BL_REDUCE_MAX } bl_reduce_op;
/* `fn` folds [begin, end) into acc[0..width), which starts at the neutral element. Result in out[0..width). */
typedef void (*bl_reduce_fn)(void *user, size_t begin, size_t end, double *acc);
void bl_parallel_reduce(bl_context *ctx, size_t count, int width, bl_reduce_op op, bl_reduce_fn fn, void *user,
                        double *out);

/* Lists of what is found on a walk over [0, count), in the order in which it is found: one walk counts, piece by piece,
 * how much of each list a piece gives, the other writes it behind what the pieces before it give. There is time between
 * the two to make room. */
enum { BL_LISTS = 3, BL_LIST_PIECES = 256 };
typedef struct bl_listing {
    size_t count, piece;
    size_t total[BL_LISTS];
    size_t first[BL_LIST_PIECES][BL_LISTS]; /* of each piece: where it writes to */
} bl_listing;
/* Adds what [begin, end) gives to n[0..BL_LISTS). */
typedef void (*bl_list_count_fn)(void *user, size_t begin, size_t end, size_t *n);
/* Writes it; at[k]: where list k goes on. */
typedef void (*bl_list_fill_fn)(void *user, size_t begin, size_t end, const size_t *at);
void bl_parallel_count(bl_context *ctx, size_t count, bl_list_count_fn fn, void *user, bl_listing *out);
void bl_parallel_fill(bl_context *ctx, const bl_listing *listing, bl_list_fill_fn fn, void *user);

void bl_parallel_copy(bl_context *ctx, void *to, const void *from, size_t bytes);

#endif
