/* The context: status names, errors, log, memory. */
#include "base/context.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_SIZE = 2048, LOG_SIZE = 4096, ALIGNMENT = 64, DEVICE_SIZE = 64 };

struct bl_context {
    bl_allocator allocator;
    bl_log_fn log;
    void *log_user;
    bl_log_level log_level;
    int threads;
    char device[DEVICE_SIZE];
    atomic_uint_least64_t alloc_count;
    char error[ERROR_SIZE];
};

int bl_status_exit_code(bl_status status) {
    switch (status) {
    case BL_OK: return 0;
    case BL_ERR_USAGE: return 2;
    case BL_ERR_DATA: return 65;
    case BL_ERR_NO_INPUT: return 66;
    case BL_ERR_DEVICE: return 69;
    case BL_ERR_DIVERGED:
    case BL_ERR_INTERNAL:
    case BL_ERR_MEMORY: return 70;
    case BL_ERR_CANT_CREATE: return 73;
    case BL_ERR_IO: return 74;
    case BL_INTERRUPTED: return 130;
    }
    return 70;
}

const char *bl_status_name(bl_status status) {
    switch (status) {
    case BL_OK: return "ok";
    case BL_ERR_USAGE: return "wrong usage";
    case BL_ERR_DATA: return "bad data";
    case BL_ERR_NO_INPUT: return "missing input";
    case BL_ERR_DIVERGED: return "diverged";
    case BL_ERR_INTERNAL: return "internal error";
    case BL_ERR_MEMORY: return "out of memory";
    case BL_ERR_CANT_CREATE: return "cannot create output";
    case BL_ERR_IO: return "input/output error";
    case BL_ERR_DEVICE: return "device error";
    case BL_INTERRUPTED: return "interrupted";
    }
    return "unknown status";
}

const char *bl_version(void) { return BL_VERSION; }

static void *default_alloc(void *user, size_t size) {
    (void)user;
    if (size > SIZE_MAX - ALIGNMENT) return NULL;
    return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static void default_release(void *user, void *memory) {
    (void)user;
    free(memory);
}

bl_context_def bl_default_context_def(void) {
    return (bl_context_def){
        .allocator = {.alloc = default_alloc, .release = default_release},
        .log_level = BL_LOG_INFO,
    };
}

bl_status bl_context_create(const bl_context_def *def, bl_context **out) {
    const bl_context_def defaults = bl_default_context_def();
    if (!def) def = &defaults;
    *out = NULL;

    bl_context *ctx = def->allocator.alloc(def->allocator.user, sizeof *ctx);
    if (!ctx) return BL_ERR_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = def->allocator;
    ctx->log = def->log;
    ctx->log_user = def->log_user;
    ctx->log_level = def->log_level;
    ctx->threads = def->threads > 0 ? def->threads : omp_get_max_threads();
    snprintf(ctx->device, sizeof ctx->device, "%s", def->device ? def->device : "cpu");
    *out = ctx;
    return BL_OK;
}

bl_status bl_context_fork(const bl_context *ctx, bl_context **out) {
    const bl_context_def def = {.allocator = ctx->allocator, .threads = ctx->threads, .device = ctx->device};
    return bl_context_create(&def, out);
}

void bl_context_destroy(bl_context *ctx) {
    if (ctx) ctx->allocator.release(ctx->allocator.user, ctx);
}

const char *bl_context_error(const bl_context *ctx) { return ctx->error; }

bl_status bl_fail(bl_context *ctx, bl_status status, const char *fmt, ...) {
    /* Written aside first: the arguments may quote the previous message. */
    char message[ERROR_SIZE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    memcpy(ctx->error, message, sizeof message);
    return status;
}

bool bl_log_wants(const bl_context *ctx, bl_log_level level) { return ctx->log && level <= ctx->log_level; }

void bl_log(bl_context *ctx, bl_log_level level, const char *fmt, ...) {
    if (!bl_log_wants(ctx, level)) return;
    char message[LOG_SIZE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    ctx->log(ctx->log_user, level, message);
}

int bl_threads(const bl_context *ctx) { return ctx->threads; }
const char *bl_context_device(const bl_context *ctx) { return ctx->device; }
void bl_context_use_cpu(bl_context *ctx) { snprintf(ctx->device, sizeof ctx->device, "cpu"); }

/* Memory for count items (at least one) without zeroing, or NULL with the error set. */
static void *allocate(bl_context *ctx, size_t count, size_t item_size) {
    if (count == 0) count = 1;
    void *memory = NULL;
    if (count <= SIZE_MAX / item_size) memory = ctx->allocator.alloc(ctx->allocator.user, count * item_size);
    if (!memory) bl_fail(ctx, BL_ERR_MEMORY, "out of memory: %zu items of %zu bytes", count, item_size);
    atomic_fetch_add_explicit(&ctx->alloc_count, 1, memory_order_relaxed);
    return memory;
}

void *bl_alloc(bl_context *ctx, size_t count, size_t item_size) {
    void *memory = allocate(ctx, count, item_size);
    if (memory) memset(memory, 0, (count ? count : 1) * item_size);
    return memory;
}

void *bl_grow(bl_context *ctx, void *memory, size_t old_count, size_t new_count, size_t item_size) {
    void *grown = allocate(ctx, new_count, item_size);
    if (!grown) return NULL;
    const size_t total = (new_count ? new_count : 1) * item_size;
    const size_t kept = (old_count < new_count ? old_count : new_count) * item_size;
    if (kept) memcpy(grown, memory, kept);
    memset((char *)grown + kept, 0, total - kept);
    bl_release(ctx, memory);
    return grown;
}

void bl_release(bl_context *ctx, void *memory) {
    if (memory) ctx->allocator.release(ctx->allocator.user, memory);
}

char *bl_strdup(bl_context *ctx, const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = bl_alloc(ctx, size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

uint64_t bl_alloc_count(const bl_context *ctx) { return atomic_load_explicit(&ctx->alloc_count, memory_order_relaxed); }
