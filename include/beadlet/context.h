/* Status codes, the context (allocator, log, threads) and the last error.
 *
 * A bl_context carries everything that a process-wide variable would otherwise hold, so two contexts never see each
 * other. A context may be used by one thread at a time; different contexts may be used by different threads. */
#ifndef BEADLET_CONTEXT_H
#define BEADLET_CONTEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BL_API __attribute__((visibility("default")))
#define BL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define BL_API
#define BL_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. Every value has one exit code of the program: bl_status_exit_code. */
typedef enum bl_status {
    BL_OK = 0,
    BL_ERR_USAGE,       /* wrong call or command line          exit 2   */
    BL_ERR_DATA,        /* bad scene or data file              exit 65  */
    BL_ERR_NO_INPUT,    /* missing input file                  exit 66  */
    BL_ERR_DIVERGED,    /* the simulation cannot go on         exit 70  */
    BL_ERR_INTERNAL,    /* a fault of this library             exit 70  */
    BL_ERR_MEMORY,      /* out of memory                       exit 70  */
    BL_ERR_CANT_CREATE, /* an output cannot be created         exit 73  */
    BL_ERR_IO,          /* reading or writing failed           exit 74  */
    BL_ERR_DEVICE,      /* no such device, or it failed        exit 69  */
    BL_INTERRUPTED      /* stopped on request, checkpoint kept exit 130 */
} bl_status;

BL_API int bl_status_exit_code(bl_status status);
BL_API const char *bl_status_name(bl_status status); /* "bad data", never NULL */

typedef enum bl_log_level { BL_LOG_ERROR, BL_LOG_WARNING, BL_LOG_INFO, BL_LOG_DEBUG } bl_log_level;

/* Receives one message without a trailing newline. `text` is valid during the call only. */
typedef void (*bl_log_fn)(void *user, bl_log_level level, const char *text);

/* Memory hooks. `alloc` returns 64-byte aligned memory or NULL; `release` accepts NULL. Both must be thread safe. */
typedef struct bl_allocator {
    void *(*alloc)(void *user, size_t size);
    void (*release)(void *user, void *memory);
    void *user;
} bl_allocator;

typedef struct bl_context_def {
    bl_allocator allocator; /* default: the C library */
    bl_log_fn log;          /* default: NULL, silent */
    void *log_user;
    bl_log_level log_level; /* default: BL_LOG_INFO */
    int threads;            /* default: 0, all cores */
    const char *device;     /* where simulations compute: "cpu", "opencl", "opencl:PLATFORM.DEVICE" as bl_device_text
                             * lists them, or "auto" (a device if there is one; when it fails in bl_run, the CPU goes
                             * on from the last checkpoint). Default: NULL, "cpu" */
} bl_context_def;

typedef struct bl_context bl_context;

BL_API bl_context_def bl_default_context_def(void);

/* `def` may be NULL for the defaults. The caller owns *out and ends it with bl_context_destroy. */
BL_API bl_status bl_context_create(const bl_context_def *def, bl_context **out);
BL_API void bl_context_destroy(bl_context *ctx); /* NULL is allowed */

/* The message of the last failed call on this context; "" if none. Valid until the next call. */
BL_API const char *bl_context_error(const bl_context *ctx);

BL_API const char *bl_version(void); /* "0.1.0" */

#ifdef __cplusplus
}
#endif
#endif
