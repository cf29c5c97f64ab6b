/* Parallel loops over chunks of a fixed size, with OpenMP. */
#include "base/parallel.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

/* Each thread begins with a share of its own, the same in every loop over as many items: what it wrote in the last loop
 * is in its cache. Who is done takes from the others. */
enum { MOST_SHARES = 256, CACHE_LINE = 64 };
typedef struct share {
    _Alignas(CACHE_LINE) atomic_size_t next;
    size_t end;
} share;

void bl_parallel_for(bl_context *ctx, size_t count, size_t chunk, bl_range_fn fn, void *user) {
    if (count == 0) return;
    if (chunk == 0) chunk = BL_CHUNK;
    const size_t n_chunks = (count - 1) / chunk + 1;

    /* A team for a single chunk would cost more than the chunk. */
    if (n_chunks == 1) {
        fn(user, 0, count);
        return;
    }
    const size_t threads = (size_t)bl_threads(ctx), n_shares = threads < MOST_SHARES ? threads : MOST_SHARES;
    share shares[MOST_SHARES];
    for (size_t t = 0; t < n_shares; t++) {
        atomic_init(&shares[t].next, n_chunks * t / n_shares);
        shares[t].end = n_chunks * (t + 1) / n_shares;
    }
#pragma omp parallel num_threads((int)n_shares)
    for (size_t t = 0; t < n_shares; t++) {
        share *from = &shares[((size_t)omp_get_thread_num() + t) % n_shares];
        for (size_t k; (k = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed)) < from->end;) {
            const size_t begin = k * chunk;
            fn(user, begin, count - begin < chunk ? count : begin + chunk);
        }
    }
}

static double neutral(bl_reduce_op op) {
    switch (op) {
    case BL_REDUCE_SUM: return 0.0;
    case BL_REDUCE_MIN: return (double)INFINITY;
    case BL_REDUCE_MAX: return -(double)INFINITY;
    }
    return 0.0;
}

static double combine(bl_reduce_op op, double a, double b) {
    switch (op) {
    case BL_REDUCE_SUM: return a + b;
    case BL_REDUCE_MIN: return b < a ? b : a;
    case BL_REDUCE_MAX: return b > a ? b : a;
    }
    return a;
}

/* One reduction. The chunks are worked on in batches, so that their partial results fit on the stack: a reduction
 * never allocates and cannot fail. The batch size has no influence on the result. */
enum { PARTIALS = 8192 };

typedef struct reduction {
    size_t count;
    int width;
    bl_reduce_op op;
    bl_reduce_fn fn;
    void *user;
    size_t first_chunk;       /* of this batch */
    double partial[PARTIALS]; /* chunk k of the batch from k * width on */
} reduction;

static void reduce_chunks(void *user, size_t begin, size_t end) {
    reduction *r = user;
    for (size_t k = begin; k < end; k++) {
        /* Gathered locally: neighbouring chunks of other threads share cache lines in `partial`. */
        double acc[BL_REDUCE_MAX_WIDTH];
        for (int i = 0; i < r->width; i++) acc[i] = neutral(r->op);
        const size_t first = (r->first_chunk + k) * BL_CHUNK;
        r->fn(r->user, first, r->count - first < BL_CHUNK ? r->count : first + BL_CHUNK, acc);
        for (int i = 0; i < r->width; i++) r->partial[k * (size_t)r->width + (size_t)i] = acc[i];
    }
}

void bl_parallel_reduce(bl_context *ctx, size_t count, int width, bl_reduce_op op, bl_reduce_fn fn, void *user,
                        double *out) {
    assert(width >= 0 && width <= BL_REDUCE_MAX_WIDTH);
    for (int i = 0; i < width; i++) out[i] = neutral(op);
    const size_t n_chunks = count / BL_CHUNK + (count % BL_CHUNK != 0);

    reduction r;
    r.count = count, r.width = width, r.op = op, r.fn = fn, r.user = user;
    const size_t batch = PARTIALS / (width > 0 ? (size_t)width : 1);
    for (r.first_chunk = 0; r.first_chunk < n_chunks; r.first_chunk += batch) {
        const size_t left = n_chunks - r.first_chunk;
        const size_t n = left < batch ? left : batch;
        bl_parallel_for(ctx, n, 1, reduce_chunks, &r);
        for (size_t k = 0; k < n; k++)
            for (int i = 0; i < width; i++) out[i] = combine(op, out[i], r.partial[k * (size_t)width + (size_t)i]);
    }
}

/* --- lists --- */

typedef struct list_job {
    bl_list_count_fn count;
    bl_list_fill_fn fill;
    void *user;
    bl_listing *counted;
    const bl_listing *filled;
} list_job;

static void count_piece(void *user, size_t begin, size_t end) {
    const list_job *job = user;
    size_t n[BL_LISTS] = {0};
    job->count(job->user, begin, end, n);
    memcpy(job->counted->first[begin / job->counted->piece], n, sizeof n);
}

void bl_parallel_count(bl_context *ctx, size_t count, bl_list_count_fn fn, void *user, bl_listing *out) {
    list_job job = {.count = fn, .user = user, .counted = out};
    const size_t piece = (count + BL_LIST_PIECES - 1) / BL_LIST_PIECES;
    out->count = count;
    out->piece = piece > BL_CHUNK ? piece : BL_CHUNK;
    memset(out->first, 0, sizeof out->first);
    bl_parallel_for(ctx, count, out->piece, count_piece, &job);
    /* how many become where */
    for (int list = 0; list < BL_LISTS; list++) {
        size_t next = 0;
        for (size_t k = 0; k < BL_LIST_PIECES; k++) {
            const size_t n = out->first[k][list];
            out->first[k][list] = next;
            next += n;
        }
        out->total[list] = next;
    }
}

static void fill_piece(void *user, size_t begin, size_t end) {
    const list_job *job = user;
    job->fill(job->user, begin, end, job->filled->first[begin / job->filled->piece]);
}

void bl_parallel_fill(bl_context *ctx, const bl_listing *listing, bl_list_fill_fn fn, void *user) {
    list_job job = {.fill = fn, .user = user, .filled = listing};
    bl_parallel_for(ctx, listing->count, listing->piece, fill_piece, &job);
}

/* --- copies --- */

typedef struct copy_job {
    char *to;
    const char *from;
} copy_job;

static void copy_piece(void *user, size_t begin, size_t end) {
    const copy_job *job = user;
    memcpy(job->to + begin, job->from + begin, end - begin);
}

void bl_parallel_copy(bl_context *ctx, void *to, const void *from, size_t bytes) {
    enum { PIECE = 1 << 16 };
    bl_parallel_for(ctx, bytes, PIECE, copy_piece, &(copy_job){to, from});
}
