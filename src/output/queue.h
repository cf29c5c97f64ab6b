/* Work done in order behind the caller's back by one thread, or at once without one.
 *
 * A job is made and cleared by the caller's thread; the worker only runs it, with a context of its own. At most two
 * jobs wait. After the first failure no further job is run: every later call returns that failure. */
#ifndef BL_OUTPUT_QUEUE_H
#define BL_OUTPUT_QUEUE_H

#include "base/context.h"

typedef bl_status (*bl_job_run_fn)(void *user, bl_context *ctx, void *job);
typedef void (*bl_job_clear_fn)(void *user, void *job);

typedef struct bl_queue bl_queue;
bl_status bl_queue_create(bl_context *ctx, bool async, bl_job_run_fn run, bl_job_clear_fn clear, void *user,
                          bl_queue **out);
/* Hands over `job`, which is cleared in time whatever happens. Returns the first failure of any job so far. */
bl_status bl_queue_add(bl_queue *queue, void *job);
bl_status bl_queue_flush(bl_queue *queue); /* wait until all is done */
void bl_queue_destroy(bl_queue *queue);    /* waits; NULL is allowed */

#endif
