#include "output/queue.h"

#include <pthread.h>
#include <string.h>

enum { SLOTS = 2 };
typedef enum slot_state { SLOT_FREE, SLOT_WAITING, SLOT_DONE } slot_state;
typedef struct slot {
    slot_state state;
    void *job;
} slot;

struct bl_queue {
    bl_context *ctx;
    bl_job_run_fn run;
    bl_job_clear_fn clear;
    void *user;
    bl_context *worker_ctx; /* jobs run with it; after a failure it is left alone and keeps the message */
    bl_status status;       /* first failure */

    /* The rest only with a thread. `lock` guards slots, ending and status; `changed` tells of any change. */
    bool async;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    slot slots[SLOTS];
    size_t added, taken; /* jobs so far; job k lives in slot k % SLOTS */
    bool ending;
};

static void *work(void *user) {
    bl_queue *queue = user;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        slot *next = &queue->slots[queue->taken % SLOTS];
        if (next->state != SLOT_WAITING) {
            if (queue->ending) break;
            pthread_cond_wait(&queue->changed, &queue->lock);
            continue;
        }
        bl_status status = queue->status;
        if (status == BL_OK) {
            pthread_mutex_unlock(&queue->lock);
            status = queue->run(queue->user, queue->worker_ctx, next->job);
            pthread_mutex_lock(&queue->lock);
        }
        queue->status = status;
        next->state = SLOT_DONE;
        queue->taken++;
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

static bl_status start_thread(bl_queue *queue) {
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
    int error = pthread_create(&queue->thread, NULL, work, queue);
    if (error == 0) {
        queue->async = true;
        return BL_OK;
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    return bl_fail(queue->ctx, BL_ERR_MEMORY, "cannot start the output thread: %s", strerror(error));
}

bl_status bl_queue_create(bl_context *ctx, bool async, bl_job_run_fn run, bl_job_clear_fn clear, void *user,
                          bl_queue **out) {
    *out = NULL;
    bl_queue *queue = bl_alloc(ctx, 1, sizeof *queue);
    if (!queue) return BL_ERR_MEMORY;
    *queue = (bl_queue){.ctx = ctx, .run = run, .clear = clear, .user = user};
    bl_status status = bl_context_fork(ctx, &queue->worker_ctx);
    if (status != BL_OK) bl_fail(ctx, status, "out of memory for the output queue");
    if (status == BL_OK && async) status = start_thread(queue);
    if (status == BL_OK)
        *out = queue;
    else
        bl_queue_destroy(queue);
    return status;
}

/* Clear a finished job and make its slot free. The lock is held. */
static void reap(bl_queue *queue, slot *done) {
    queue->clear(queue->user, done->job);
    *done = (slot){.state = SLOT_FREE};
}

/* The failure so far, its message carried over to the caller's context. The lock, if any, is held. */
static bl_status report(bl_queue *queue) {
    if (queue->status == BL_OK) return BL_OK;
    return bl_fail(queue->ctx, queue->status, "%s", bl_context_error(queue->worker_ctx));
}

static bl_status run_at_once(bl_queue *queue, void *job) {
    if (queue->status == BL_OK) queue->status = queue->run(queue->user, queue->worker_ctx, job);
    queue->clear(queue->user, job);
    return report(queue);
}

bl_status bl_queue_add(bl_queue *queue, void *job) {
    if (!queue->async) return run_at_once(queue, job);
    pthread_mutex_lock(&queue->lock);
    slot *next = &queue->slots[queue->added % SLOTS];
    while (next->state == SLOT_WAITING) pthread_cond_wait(&queue->changed, &queue->lock);
    if (next->state == SLOT_DONE) reap(queue, next);
    bl_status status = report(queue);
    if (status == BL_OK) {
        *next = (slot){SLOT_WAITING, job};
        queue->added++;
        pthread_cond_broadcast(&queue->changed);
    } else {
        queue->clear(queue->user, job);
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

bl_status bl_queue_flush(bl_queue *queue) {
    if (!queue->async) return report(queue);
    pthread_mutex_lock(&queue->lock);
    while (queue->taken < queue->added) pthread_cond_wait(&queue->changed, &queue->lock);
    for (int s = 0; s < SLOTS; s++)
        if (queue->slots[s].state == SLOT_DONE) reap(queue, &queue->slots[s]);
    bl_status status = report(queue);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

void bl_queue_destroy(bl_queue *queue) {
    if (!queue) return;
    if (queue->async) {
        bl_queue_flush(queue);
        pthread_mutex_lock(&queue->lock);
        queue->ending = true;
        pthread_cond_broadcast(&queue->changed);
        pthread_mutex_unlock(&queue->lock);
        pthread_join(queue->thread, NULL);
        pthread_cond_destroy(&queue->changed);
        pthread_mutex_destroy(&queue->lock);
    }
    bl_context_destroy(queue->worker_ctx);
    bl_release(queue->ctx, queue);
}
