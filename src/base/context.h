/* The inside of bl_context: errors, log, memory. */
#ifndef BL_BASE_CONTEXT_H
#define BL_BASE_CONTEXT_H

#include "beadlet/context.h"

/* Set the context's error message and return `status`: `return bl_fail(ctx, BL_ERR_IO, "%s: %s", path, why);` */
bl_status bl_fail(bl_context *ctx, bl_status status, const char *fmt, ...) BL_PRINTF(3, 4);
void bl_log(bl_context *ctx, bl_log_level level, const char *fmt, ...) BL_PRINTF(3, 4);
/* Whether a message of this level would be heard: for those that are costly to make. */
bool bl_log_wants(const bl_context *ctx, bl_log_level level);
int bl_threads(const bl_context *ctx);                /* at least 1 */
const char *bl_context_device(const bl_context *ctx); /* as asked for: "cpu", "opencl:0.0", "auto" */
void bl_context_use_cpu(bl_context *ctx);             /* from now on, in place of what was asked for */

/* A context for a thread of the library's own: same allocator, no log, its own error. The caller destroys it. */
bl_status bl_context_fork(const bl_context *ctx, bl_context **out);

/* Zeroed, 64-byte aligned memory for `count` items, or NULL (also on overflow of the product) with the error set to
 * BL_ERR_MEMORY's message. Safe to call with count 0: returns memory of one item. */
void *bl_alloc(bl_context *ctx, size_t count, size_t item_size);
/* Grow keeping the first `old_count` items; the new items are zero. On failure returns NULL and leaves `memory`. */
void *bl_grow(bl_context *ctx, void *memory, size_t old_count, size_t new_count, size_t item_size);
void bl_release(bl_context *ctx, void *memory); /* NULL is allowed */
char *bl_strdup(bl_context *ctx, const char *text);
/* Number of bl_alloc/bl_grow calls so far: tests prove with it that a warmed-up step does not allocate. */
uint64_t bl_alloc_count(const bl_context *ctx);

#endif
